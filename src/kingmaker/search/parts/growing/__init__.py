"""What searches with a growing tree are built on: the tree, its policies, rewards, playouts and proofs."""
