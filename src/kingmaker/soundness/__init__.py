"""Is a user's own game sound? This package examines it, and vouches for a sound one, so that its machine code may run
at full speed.
"""
