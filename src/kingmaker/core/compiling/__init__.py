"""How plain Python classes become machine code, and where that is kept. The only package that imports numba."""
