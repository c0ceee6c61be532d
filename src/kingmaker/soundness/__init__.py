"""Is a game of one's own sound? What examines it, and what vouches for it so that its machine code may run at full
speed.
"""
