"""What examines a game: conformance to the rules of a game, perft, random walks."""
