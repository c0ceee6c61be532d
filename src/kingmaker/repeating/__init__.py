"""Repeating the sources: their tables with the printed number beside ours, and their claims judged."""
