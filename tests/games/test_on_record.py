"""Board games count and play what is on record."""

import json
from pathlib import Path

import pytest

from kingmaker import load_game
from kingmaker.core.game import OVER
from kingmaker.probe.perft import perft

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = {
    "perft": ("abalone", "chinese_checkers"),
    "playthrough": ("abalone", "backgammon", "bingo", "chinese_checkers", "go_fish"),
}


def on_record(kind):
    """Every setting of these games with what is on record of it."""
    return [entry for game in GAMES[kind] for entry in json.loads((GOLDEN / f"{game}_{kind}.json").read_text()).items()]


@pytest.mark.parametrize(("text", "counts"), on_record("perft"))
def test_perft_agrees_with_the_counts_on_record(text, counts):
    game = load_game(text)
    assert perft(game, game.new(), len(counts)) == [1, *counts]


@pytest.mark.parametrize(
    ("text", "lines"), on_record("playthrough"), ids=[text for text, _ in on_record("playthrough")]
)
def test_a_recorded_match_is_played_again(text, lines):
    game = load_game(text)
    state = game.new()
    for line in lines:
        assert game.notation(state) == line["position"]
        assert len(game.legal(state)) == line["moves"]
        if "move" in line:
            state = game.after(state, game.parse(state, game.mover(state), line["move"]))
    assert game.mover(state) == OVER
    assert list(game.payoffs(state)) == lines[-1]["payoffs"]
