"""Other people's games and engines."""
