"""How plain Python classes become machine code, and where that is kept. The only room that knows numba."""
