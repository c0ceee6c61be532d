"""Parts of the game risk alone."""
