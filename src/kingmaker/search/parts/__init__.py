"""What the searches share."""
