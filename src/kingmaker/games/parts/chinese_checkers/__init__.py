"""Parts of the game chinese checkers alone."""
