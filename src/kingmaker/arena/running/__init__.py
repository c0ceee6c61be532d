"""How an experiment is run: workers, the coordinator that feeds them, and the live table."""
