"""What an experiment asks: its file, the list of its matches, and the hash of the code that plays them."""
