"""Parts of the game Go Fish alone."""
