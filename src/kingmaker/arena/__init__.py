"""The arena: agents against each other."""
