"""Principal-variation search: the value and the move of minimax, with fewer nodes where the order is good."""

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.minimax import Minimax
from kingmaker.search.pvs import Pvs
from tests import oracles
from tests.samples import DICE_DUEL, DUEL, STICKS, STICKS_DUEL, TWIN, same, tree_at

FINE = load_game("random_tree(seats=2, branching=4, height=5, kind=constant_sum, values=1001)")
IN_ORDER = ["", ", table=10", ", aspiration=0.5", ", aspiration=100", ", star=2", ", aspiration=0.01, table=10"]


def value_of(game, state, decision):
    return oracles.exact(decision.values[game.mover(state)])


@pytest.mark.parametrize("more", IN_ORDER)
@pytest.mark.parametrize("game", [DUEL, DICE_DUEL], ids=["still", "dice"])
def test_value_and_move_are_minimaxs(game, more):
    agent = load_agent(f"pvs(depth=5, order=given{more})")
    for seed in range(5):
        state = tree_at(game, seed, 2 * (seed % 2))
        values, move = oracles.minimax(game, state, 5)
        found = agent.decide(game, state, ask=TWIN)
        assert (value_of(game, state, found), found.move) == (values[game.mover(state)], move)
        if found.stopped == "depth":
            assert found.depth == 5


@pytest.mark.parametrize("more", ["", ", table=10", ", order=history", ", order=shuffled, table=10"])
def test_another_order_finds_the_same_value_and_a_move_that_has_it(more):
    agent = load_agent(f"pvs(depth=5{more})")
    for seed in range(8):
        state = tree_at(DUEL, seed)
        values, _ = oracles.minimax(DUEL, state, 5)
        found = agent.decide(DUEL, state, ask=TWIN)
        assert value_of(DUEL, state, found) == values[0]
        after = oracles.minimax(DUEL, DUEL.after(state, found.move), 4)[0]
        assert after[0] == values[0]


def test_compiled_it_is_minimax_on_many_trees():
    plain, found = Minimax(depth=5), Pvs(depth=5, order="given", aspiration=0.5, table=10)
    for seed in range(300):
        state = tree_at(DUEL, seed, seed % 3)
        one, other = plain.decide(DUEL, state), found.decide(DUEL, state)
        assert (one.values, one.move) == (other.values, other.move)


def test_it_takes_fewer_nodes_than_alpha_beta_where_the_first_move_is_best():
    """Leaves that fall from left to right for one side and rise for the other: the first move is always best."""

    def tree(depth, best, sign):
        if depth == 0:
            return best
        return [tree(depth - 1, best - sign * i * 4 ** (depth - 1), -sign) for i in range(4)]

    game = ExplicitTree(tree(5, 0, 1), seats=2)
    pruned, found = (agent(depth=5).decide(game, game.new(), ask=TWIN) for agent in (AlphaBeta, Pvs))
    assert (found.values, found.move) == (pruned.values, pruned.move) == ((0.0, 0.0), 0)
    assert found.nodes <= pruned.nodes


def test_killers_and_the_tables_move_save_nodes():
    nodes = dict.fromkeys(("given", "killer"), 0)
    for seed in range(6):
        for order in nodes:
            nodes[order] += Pvs(depth=5, order=order, table=12).decide(FINE, FINE.new(seed), ask=TWIN).nodes
    assert nodes["killer"] < 0.95 * nodes["given"]


def test_a_window_around_the_last_value_is_opened_where_the_value_leaves_it(monkeypatch):
    """One ply deep the estimate knows nothing; three plies deep the value is 70."""
    game = ExplicitTree([[[70, 60, 50], [90, 80, 70]], [[-50, -60, -70], [10, 0, -10]]], seats=2)
    agent, calls = Pvs(depth=3, order="given", aspiration=1.0), []
    ready = agent.ready(game)
    call = ready.call
    monkeypatch.setattr(ready, "call", lambda work, *given: (calls.append(given[1:]), call(work, *given))[1])
    found = agent.decide(game, game.new())
    assert (found.values, found.move) == ((70.0, -70.0), 0)
    assert calls[0] == (1, -np.inf, np.inf)
    assert len(calls) > 3
    assert all(low < high for _, low, high in calls)


def test_the_same_trees_are_recorded_as_searched():
    for seed in range(4):
        state, agent = tree_at(DUEL, seed), Pvs(depth=4, order="given")
        found = agent.decide(DUEL, state, ask=Ask(compiled=False, record=2000))
        assert same(found, agent.decide(DUEL, state, ask=TWIN))
        for row in range(len(found.tree)):
            moves = [int(found.tree.nodes[child]["move"]) for child in found.tree.children(row)]
            assert moves == sorted({*moves})


def test_the_horizon_effect_and_its_cure():
    """The example of the docs: at every odd depth the last move of the line takes a guarded pawn with the queen."""
    chess = load_game("chess")
    state = chess.position("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1")
    for depth in (1, 3):
        blind = AlphaBeta(depth=depth).decide(chess, state)
        quiet = Pvs(depth=depth, quiet=4).decide(chess, state)
        assert blind.values[0] == pytest.approx(0.786, abs=0.001)
        assert 0.768 < quiet.values[0] < 0.773
        last = state
        for move in blind.line[:-1]:
            last = chess.after(last, move)
        assert chess.say(last, chess.mover(last), blind.line[-1]).startswith("Qx")
        assert not chess.say(state, 0, quiet.move).startswith("Qx")


def test_a_killer_is_tried_before_the_other_moves():
    state = STICKS_DUEL.new()
    plain = Pvs(depth=7, order="given").decide(STICKS_DUEL, state, ask=TWIN)
    found = Pvs(depth=7).decide(STICKS_DUEL, state, ask=TWIN)
    assert found.values == plain.values
    assert found.nodes != plain.nodes


def test_an_aspiration_below_0_is_refused():
    with pytest.raises(
        BadParameter, match=r"expected an aspiration window of at least 0, got -0.5 .*; use 0 for an open"
    ):
        Pvs(aspiration=-0.5)


def test_three_seats_are_refused():
    with pytest.raises(Mismatch, match=r"pvs cannot play sticks\(sticks=9\) with 3 seats, only with 2; use paranoid"):
        Pvs(depth=2).decide(STICKS, STICKS.new())
