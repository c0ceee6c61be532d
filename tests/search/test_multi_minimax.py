"""Multi-Minimax: the best move against the worst single opponent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch, UnknownName
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.search.best_reply import BestReply
from kingmaker.search.multi_minimax import MultiMinimax
from tests import reply_oracles
from tests.oracles import exact
from tests.samples import BIKES, DICE, STICKS, TIES, TWIN, UNIFORM, positions, same, tree_at, trusted

SEEDS, PLIES, DEPTHS = st.integers(0, 10**6), st.integers(0, 2), st.integers(1, 4)


def best_moves(values):
    best = max(values.values())
    return [move for move, value in values.items() if value == pytest.approx(best, abs=1e-9)], best


@pytest.mark.parametrize(
    ("game", "ask"), [(UNIFORM, Ask()), (TIES, TWIN), (DICE, Ask())], ids=["uniform", "ties", "dice"]
)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_it_is_the_oracle_including_the_move(game, ask, seed, ply, depth):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        found = MultiMinimax(depth=depth).decide(game, state, ask=ask)
        moves, best = best_moves(reply_oracles.multi_minimax(game, state, depth))
        assert found.move == moves[0]
        assert found.values[game.mover(state)] == pytest.approx(best, abs=1e-9)


@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_pruning_a_table_and_the_last_rule_keep_the_value(seed, ply, depth):
    state, root = tree_at(TIES, seed, ply), 0
    values = reply_oracles.multi_minimax(TIES, state, depth)
    moves, best = best_moves(values)
    plain = MultiMinimax(depth=depth, prune=False).decide(TIES, state, ask=TWIN)
    assert (plain.move, plain.values[root]) == (moves[0], best)
    assert [entry.values[root] for entry in plain.moves] == list(values.values())
    assert MultiMinimax(depth=depth, table=10).decide(TIES, state).move == moves[0]
    last = MultiMinimax(depth=depth, rule="last").decide(TIES, state)
    assert (last.move, last.values[root]) == (moves[-1], best)


@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_it_never_fears_more_than_best_reply(seed, ply, depth):
    state = tree_at(UNIFORM, seed, ply)
    multi, reply = MultiMinimax(depth=depth).decide(UNIFORM, state), BestReply(depth=depth).decide(UNIFORM, state)
    assert multi.values[0] >= reply.values[0]


def test_on_light_bike_only_the_duel_counts():
    for state in positions(BIKES, 25, seed=4):
        found = MultiMinimax(depth=4).decide(BIKES, state)
        moves, best = best_moves(reply_oracles.multi_minimax(BIKES, state, 4))
        assert (found.move, exact(found.values[BIKES.mover(state)])) == (moves[0], best)
        assert same(found, MultiMinimax(depth=4).decide(BIKES, state, ask=TWIN))


def test_added_pruning_narrows_every_duel():
    for state in positions(BIKES, 15, seed=5):
        found = MultiMinimax(depth=4, forward_pruning="same_heading").decide(BIKES, state)
        moves, best = best_moves(reply_oracles.multi_minimax(BIKES, state, 4, narrow=True))
        assert (found.move, exact(found.values[BIKES.mover(state)])) == (moves[0], best)


@pytest.mark.parametrize("estimate", ["room", "territory"])
def test_a_duel_without_the_root_seat_is_over(estimate):
    for state in positions(BIKES, 40, seed=8):
        found = MultiMinimax(depth=6, estimate=estimate).decide(BIKES, state, ask=TWIN)
        moves, best = best_moves(reply_oracles.multi_minimax(BIKES, state, 6, BIKES.estimate(estimate)))
        assert (found.move, exact(found.values[BIKES.mover(state)])) == (moves[0], best)


class TwoDuels(Game):
    """One move each: the root's move and the opponent's reply decide what the root gets; the spec's counter-example."""

    State = np.dtype([("first", np.int8), ("replier", np.int8), ("ply", np.int8)])
    seats, max_moves = 3, 2
    facts = Facts(out_of_turn=True)
    worth = np.array([[5.0, 9.0], [5.0, -100.0]])  # [root move, opponent - 1]

    def start(self, state, rng):
        return

    def mover(self, state):
        return OVER if state.ply == 2 else 0

    def moves(self, state, seat, out):
        out[0], out[1] = 0, 1
        return 2 if seat == 0 else 1

    def play(self, state, seat, move):
        if seat == 0:
            state.first = move
        state.replier = seat
        state.ply += 1

    def payoff(self, state, out):
        out[0] = self.worth[state.first, state.replier - 1]
        out[1] = out[2] = 0.0


@pytest.mark.parametrize(
    ("rule", "move", "compiled"),
    [("first", 0, False), ("last", 0, False), ("published", 1, False), ("published", 1, True)],
)
def test_the_published_rule_plays_the_move_worth_minus_100(rule, move, compiled):
    game = trusted(TwoDuels())
    assert MultiMinimax(depth=2, rule=rule).decide(game, game.new(), ask=Ask(compiled=compiled)).move == move


def test_what_it_cannot_do_is_refused():
    with pytest.raises(Mismatch, match="a seat out of turn has no legal move"):
        MultiMinimax(depth=2).decide(STICKS, STICKS.new())
    with pytest.raises(UnknownName, match="unknown rule 'printed'"):
        MultiMinimax(depth=2, rule="printed").decide(BIKES, BIKES.new(1))
