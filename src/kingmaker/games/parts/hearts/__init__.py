"""Parts of Hearts: passing cards, and estimates."""
