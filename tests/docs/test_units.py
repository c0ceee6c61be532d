"""The table of units on the page about MP-Mix is what the estimates say of themselves."""

import re
from pathlib import Path

from kingmaker import load_game
from kingmaker.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "algorithms" / "mp_mix.md").read_text()
ROWS = re.findall(r"^\| `([^`]+)` \| `(\w+)` \| (\w+) \| (\S+) \|", PAGE, re.MULTILINE)


def test_the_table_has_every_estimate_of_every_game_with_its_unit_and_widest_edge(monkeypatch):
    monkeypatch.chdir(ROOT)
    told = {}
    for text in dict.fromkeys(row[0] for row in ROWS):
        game = load_game(text)
        for estimate in game.estimates or (game.estimate(),):
            told[text, estimate.name] = (estimate.unit, f"{estimate.widest_edge(game):.4g}")
    assert {(game, estimate): (unit, edge) for game, estimate, unit, edge in ROWS} == told
    assert {text.partition("(")[0] for text, _ in told} == set(GAMES)
    assert len(ROWS) == len(told)
