"""The sources, one folder each: their experiments as TOML, and in `paper.toml` the printed numbers and claims.

`kingmaker paper` plays them; `kingmaker/repeating` reads and judges them.
"""
