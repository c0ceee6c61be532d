"""What searches assume and learn of opponents: who leads, types, mixtures, beliefs, chances to win."""
