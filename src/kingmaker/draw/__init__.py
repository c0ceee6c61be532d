"""Every game's state as an SVG drawing: pure functions without dependencies, one file a game."""
