"""What was played: the store, and the tables, plots and files that are made from it."""
