"""Parts of the game backgammon alone."""
