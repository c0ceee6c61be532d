"""Golden records: one playthrough a game, the node counts of every search at fixed positions, and perft numbers.

`pytest tests/golden --record-golden -n0` writes them anew from the present code; look at the difference before keeping
it.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match, take
from tests import oracles
from tests.samples import TWIN

HERE = Path(__file__).parent
TREE = HERE / "tree.json"
SOURCE = (
    "recorded by tests/golden/test_golden.py from this package's own "
    "rules and searches; guards against change, proves nothing"
)

PLAYTHROUGHS = {
    "series": "series(sticks(seats=3, sticks=13), hands=2)",
    "sticks": "sticks(seats=3, sticks=15)",
    "light_bike": "light_bike(seats=3, width=6, height=6, starts='distinct')",
    "random_tree": "random_tree(seats=3, chance=3)",
    "hearts": "hearts(open=True, ranks=5)",
    "spades": "spades(open=True, ranks=5)",
    "explicit_tree": f"explicit_tree(file='{TREE}', seats=3)",
}
SEARCHES = [
    "maxn(depth=4)",
    "maxn(depth=3, ties='least_others')",
    "paranoid(depth=4)",
    "paranoid(depth=3, prune=False)",
    "greedy()",
]
DUEL_SEARCHES = ["minimax(depth=4)", "alpha_beta(depth=5)", "pvs(depth=5, table=8)"]
DUELS = {"sticks": "sticks(seats=2, sticks=15)", "random_tree": "random_tree(seats=2, kind='constant_sum')"}
PERFT = {  # counted by hand or known; the rest is in the record
    "sticks": [1, 3, 9, 27],
    "random_tree": [1, 3, 9, 27],
}


def compared(name, found, recording):
    """Compare with the record of that name, or write it."""
    file = HERE / f"{name}.json"
    if recording:
        file.write_text(json.dumps({"source": SOURCE, **found}, indent=1) + "\n")
    expected = json.loads(file.read_text())
    assert expected.pop("source") == SOURCE
    assert json.loads(json.dumps(found)) == expected, (
        f"{file.name} differs; if it should, run pytest tests/golden --record-golden -n0"
    )


@pytest.mark.parametrize("name", PLAYTHROUGHS)
@pytest.mark.usefixtures("wrapping")
def test_a_playthrough_is_as_recorded(name, recording):
    game, notations = load_game(PLAYTHROUGHS[name]), []
    match = play_match(
        game,
        [load_agent("random")] * game.seats,
        7,
        watch=lambda state, turn, decisions: notations.append(game.notation(state)),
    )
    state = game.new(7)
    with np.errstate(over="ignore"):
        for turn in match.turns:
            take(game, state, turn)
    found = {
        "game": PLAYTHROUGHS[name].replace(str(TREE), TREE.name),
        "seed": 7,
        "turns": [list(map(list, turn)) for turn in match.turns],
        "notations": [*notations, game.notation(state)],
        "payoffs": list(match.payoffs),
    }
    compared(f"playthrough_{name}", found, recording)


def test_searches_visit_as_many_nodes_as_recorded(recording):
    """The node count is the signature of a search; interpreted, as the twins count alike."""
    found = {}
    for texts, games in ((SEARCHES, PLAYTHROUGHS), (DUEL_SEARCHES, DUELS)):
        for name, text in games.items():
            game = load_game(text)
            for agent in texts:
                decision = load_agent(agent).decide(game, game.new(3), ask=TWIN)
                found[f"{name} {agent} with {game.seats} seats"] = [
                    decision.nodes,
                    decision.move,
                    list(decision.values),
                ]
    compared("nodes", {"seed": 3, "nodes": found}, recording)


def test_perft_is_as_recorded(recording):
    found = {}
    for name, text in PLAYTHROUGHS.items():
        game = load_game(text)
        found[name] = [oracles.perft(game, game.new(3), depth) for depth in range(5)]
    for name, counts in PERFT.items():
        assert found[name][:4] == counts
    compared("perft", {"seed": 3, "perft": found}, recording)


def test_every_game_has_a_playthrough():
    """The board games keep theirs beside their own tests, under NAME_playthrough.json."""
    from kingmaker.games import GAMES

    kept_apart = {file.name.removesuffix("_playthrough.json") for file in HERE.glob("*_playthrough.json")}
    assert set(PLAYTHROUGHS) | kept_apart == set(GAMES)
