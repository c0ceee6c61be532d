"""What card games share: cards, tricks, dealing anew, pictures and positions."""
