"""Tuning: numbers in an agent's text are looked for that win most, over common deals."""
