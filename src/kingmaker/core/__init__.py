"""The foundation: what a game, an estimate, a budget and a decision are, and how plain Python is compiled."""
