"""What examines a game: conformance to the contract of a game, perft, random walks."""
