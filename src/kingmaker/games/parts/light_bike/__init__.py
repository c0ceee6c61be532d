"""Parts of the game light bike alone."""
