"""A small paper to repeat, instead of the real ones."""

from kingmaker.repeating import pace
from kingmaker.repeating.paper import Part, papers, parts_named

EXPERIMENT = """
question = "Who takes the last stick?"
game = "sticks(sticks=7)"
seating = "all"
starts = 40
opening = 2
interpreted = true

[agents]
maxn = "maxn(depth=6)"
greedy = "greedy"
random = "random"
"""
PAPER = """
title = "Sticks"
source = "Nobody. Nowhere."
about = "A toy."

[tables.one]
title = "Table 1"
file = "one.toml"
cells = [{ row = "maxn", printed = 0.6 }, { row = "random", printed = 0.01, reconstructed = true }]

[[tables.one.claims]]
says = "MaxN wins most."
largest = "maxn"
"""


def put_up(folder, monkeypatch):
    """Write the toy into a folder, and let everything read papers from there."""
    (folder / "sticks").mkdir(parents=True)
    (folder / "sticks" / "paper.toml").write_text(PAPER)
    (folder / "sticks" / "one.toml").write_text(EXPERIMENT)
    monkeypatch.setattr(pace, "SAMPLE", 0.02)
    for function in (papers.__wrapped__, parts_named, Part.__init__):
        monkeypatch.setattr(function, "__defaults__", (folder,))
    papers.cache_clear()
    return folder
