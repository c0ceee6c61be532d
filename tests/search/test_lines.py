"""A line says who moves, and ends where its value comes from; so does the line that is marked in the recorded tree."""

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.cli.parts import words_of
from kingmaker.core.ask import Ask
from kingmaker.core.game import OVER
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.maxn import Maxn
from tests.samples import BIKES, SUM, TIES, TWIN, UNIFORM, positions, tree_at

FOUR = RandomTree(seats=4, branching=2, height=7, values=5)
TEXTS = [
    "maxn(depth={})",
    "maxn(depth={}, ties=least_others)",
    "paranoid(depth={})",
    "paranoid(depth={}, prune=false)",
    "best_reply(depth={})",
    "best_reply(depth={}, prune=false)",
    "best_reply_plus(depth={})",
    "best_reply_plus(depth={}, prune=false)",
    "multi_minimax(depth={})",
    "multi_minimax(depth={}, prune=false, rule=last)",
    "offensive(depth={}, target={}, ties=first)",
]


def ended(game, agent, state, decision):
    """The values of the state in which the line ends."""
    estimate, root, out = game.estimate(agent.estimate), game.mover(state), np.zeros(game.seats)
    state = game.copy(state)
    with np.errstate(over="ignore"):
        for move, seat in zip(decision.line, decision.movers, strict=True):
            assert move in game.legal(state, seat)
            game.play(state, seat, move)
        if game.mover(state) == OVER:
            estimate.final(game, state, out)
        elif agent.name == "multi_minimax":
            others = [seat for seat in decision.movers if seat != root] or [
                seat for seat in range(game.seats) if seat != root
            ]
            estimate.against(game, state, root, others[0], out)
        else:
            estimate.value(game, state, out)
    return tuple(out.tolist())


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("game", [UNIFORM, TIES, FOUR, BIKES], ids=["uniform", "ties", "four", "bikes"])
def test_a_line_and_the_marked_line_end_at_the_values_claimed(game, text):
    for nth, state in enumerate(positions(game, 6, seed=7)):
        root = int(game.mover(state))
        agent = load_agent(
            text.format(
                2 + nth % 4, next(seat for seat in range(game.seats) if seat != root and game.active(state, seat))
            )
        )
        found = agent.decide(game, state, ask=Ask(record=100_000, compiled=False))
        assert (found.line[0], found.movers[0]) == (found.move, root)
        assert ended(game, agent, state, found) == pytest.approx(found.values)
        path = found.tree.path(found.line, found.movers)
        assert found.tree.complete
        assert len(path) == len(found.line)
        assert tuple(found.tree.nodes[path[-1]]["values"]) == pytest.approx(found.values)
        assert len(words_of(game, state, found.line, found.movers)) == len(found.line)


def test_lines_out_of_turn_are_whole_and_name_the_mover():
    cut_short = 0
    for state in positions(UNIFORM, 12, seed=2):
        found = load_agent("best_reply(depth=4)").decide(UNIFORM, state, ask=TWIN)
        words = words_of(UNIFORM, state, found.line, found.movers)
        assert len(words) == len(found.line)
        cut_short += any(":" in word for word in words)
    assert cut_short > 3


def test_no_node_of_a_recorded_tree_is_left_open():
    """Special moves of BRS+ were never closed and showed zeros."""
    for seed in range(10):
        tree = (
            load_agent("best_reply_plus(depth=6, prune=false)")
            .decide(FOUR, tree_at(FOUR, seed), ask=Ask(record=10_000, compiled=False))
            .tree
        )
        for row in range(1, len(tree)):
            below = [tuple(tree.nodes[child]["values"]) for child in tree.children(row)]
            assert not below or tuple(tree.nodes[row]["values"]) in below


def test_what_is_searched_again_is_listed_once():
    again = 0
    for seed in range(40):
        found = Maxn(depth=5, prune="speculative").decide(
            SUM, tree_at(SUM, seed), ask=Ask(record=10_000, compiled=False)
        )
        again += found.notes["cuts"]["searched_again"]
        for row in range(len(found.tree)):
            moves = [int(found.tree.nodes[child]["move"]) for child in found.tree.children(row)]
            assert len(moves) == len(set(moves))
    assert again > 5
