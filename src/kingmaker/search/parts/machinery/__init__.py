"""What every search is built on: preparation, iterative deepening, and what is done at a node."""
