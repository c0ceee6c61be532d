"""Parts of the game abalone alone."""
