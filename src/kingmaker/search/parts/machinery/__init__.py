"""What carries every search: preparing, iterative deepening, and what is done at a node."""
