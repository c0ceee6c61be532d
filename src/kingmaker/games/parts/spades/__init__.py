"""Parts of Spades: bids, and estimates."""
