"""What may be switched in a search: order, forward pruning, horizon, table, ties, cuts. What is off costs nothing."""
