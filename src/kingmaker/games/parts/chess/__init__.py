"""Parts of the game chess alone."""
