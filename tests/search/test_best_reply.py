"""Best Reply Search: one reply, by whoever hurts most."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.search.best_reply import BestReply
from tests import reply_oracles
from tests.oracles import exact
from tests.samples import BIKES, DICE, STICKS, TIES, TWIN, UNIFORM, positions, same, tree_at

SEEDS, PLIES, DEPTHS = st.integers(0, 10**6), st.integers(0, 2), st.integers(1, 4)


@pytest.mark.parametrize(
    ("game", "ask"), [(UNIFORM, Ask()), (TIES, Ask()), (DICE, TWIN)], ids=["uniform", "ties", "dice"]
)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_it_is_the_oracle_including_the_move(game, ask, seed, ply, depth):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        root = game.mover(state)
        found = BestReply(depth=depth).decide(game, state, ask=ask)
        value, move = reply_oracles.best_reply(game, state, depth)
        assert found.move == move
        assert found.values[root] == pytest.approx(value, abs=1e-9)


@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_pruning_and_a_table_change_neither_value_nor_move(seed, ply, depth):
    state = tree_at(TIES, seed, ply)
    plain = BestReply(depth=depth, prune=False).decide(TIES, state, ask=TWIN)
    for agent in (BestReply(depth=depth), BestReply(depth=depth, table=10)):
        found = agent.decide(TIES, state)
        assert (found.move, found.values[TIES.mover(state)]) == (plain.move, plain.values[TIES.mover(state)])


def test_on_light_bike_the_dead_do_not_reply():
    for state in positions(BIKES, 25, seed=3):
        found = BestReply(depth=3).decide(BIKES, state)
        value, move = reply_oracles.best_reply(BIKES, state, 3)
        assert exact(found.values[BIKES.mover(state)]) == value
        assert found.move == move or move is None  # a rider who is stuck looks at nothing
        assert same(found, BestReply(depth=3).decide(BIKES, state, ask=TWIN))


@pytest.mark.parametrize("estimate", ["room", "territory"])
def test_a_root_seat_that_is_out_does_not_ride_on(estimate):
    """Boxed in, it falls at its next move; what the others do afterwards is no reply to it."""
    fallen = 0
    for state in positions(BIKES, 40, seed=8):
        root = BIKES.mover(state)
        found = BestReply(depth=5, estimate=estimate).decide(BIKES, state, ask=Ask(record=20_000, compiled=False))
        value, move = reply_oracles.best_reply(BIKES, state, 5, estimate=BIKES.estimate(estimate))
        assert (exact(found.values[root]), found.move) == (value, move)
        fallen += any(
            row["by"] == root and not BIKES.active(reached(BIKES, state, found.tree, row), root)
            for row in found.tree.nodes[1:]
        )
    assert fallen > 5


def reached(game, state, tree, row):
    """The state that a recorded row stands for."""
    steps = []
    while row["parent"] >= 0:
        steps.append((int(row["by"]), int(row["move"])))
        row = tree.nodes[row["parent"]]
    state = game.copy(state)
    with np.errstate(over="ignore"):
        for seat, move in reversed(steps):
            game.play(state, seat, move)
    return state


class Solitaire(Game):
    """The first seat goes on alone: the others are in the game for `company` plies and then out, or silent."""

    State = np.dtype([("ply", np.int16), ("sum", np.int16)], align=True)
    seats, max_moves = 3, 2
    facts = Facts(low=0.0, high=50.0, out_of_turn=True)

    def __init__(self, company=0, silent=False, height=6):
        self.company, self.silent, self.height = company, silent, height

    def start(self, state, rng):
        return

    def mover(self, state):
        return OVER if state.ply == self.height else 0

    def moves(self, state, seat, out):
        out[0], out[1] = 1, 2
        return 0 if seat > 0 and self.silent else 2

    def play(self, state, seat, move):
        state.sum += move if seat == 0 else -move
        state.ply += 1

    def payoff(self, state, out):
        out[0], out[1], out[2] = state.sum, 1.0, 1.0

    def active(self, state, seat):
        return seat == 0 or self.silent or state.ply < self.company


@pytest.mark.parametrize(
    "game", [Solitaire(), Solitaire(company=3), Solitaire(silent=True)], ids=["alone", "left", "silent"]
)
@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_where_nobody_replies_the_root_seat_moves_again(game, depth):
    """An empty list of replies left an older node's vector behind and was called solved."""
    found = BestReply(depth=depth).decide(game, game.new(), ask=TWIN)
    value, move = reply_oracles.best_reply(game, game.new(), depth)
    assert (exact(found.values[0]), found.move) == (value, move)
    assert found.stopped == ("solved" if depth >= game.height else "depth")


class OrderedReplies(Game):
    """Acting out of turn, perfectly ordered: the first move of the searcher and the first reply of the first opponent
    are best.
    """

    State = np.dtype([("ply", np.int16), ("value", np.int64)], align=True)

    def __init__(self, seats, branching, height):
        self.seats, self.branching, self.height, self.max_moves = seats, branching, height, branching
        self.facts = Facts(low=-(2.0**50), high=2.0**50, out_of_turn=True)

    def start(self, state, rng):
        return

    def mover(self, state):
        return OVER if state.ply == self.height else 0

    def moves(self, state, seat, out):
        for move in range(self.branching):
            out[move] = move
        return self.branching

    def play(self, state, seat, move):
        weight = 64 ** (self.height - 1 - state.ply)
        state.value += weight * (-move if seat == 0 else (seat - 1) * self.branching + move)
        state.ply += 1

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = float(state.value if seat == 0 else -state.value)


@pytest.mark.parametrize(
    ("seats", "branching", "rounds", "leaves"), [(3, 3, 2, 44), (4, 2, 2, 4 + 36 - 1), (3, 2, 3, 8 + 64 - 1)]
)
def test_a_perfectly_ordered_tree_costs_the_two_proof_trees(seats, branching, rounds, leaves):
    """b^r + ((n-1)b)^r - 1 leaves; 44 is computed in the spec."""
    game = OrderedReplies(seats, branching, 2 * rounds)
    found = BestReply(depth=2 * rounds).decide(game, game.new(), ask=Ask(record=100_000, compiled=False))
    assert found.tree.complete
    assert (
        int((found.tree.nodes["seat"] == OVER).sum())
        == leaves
        == branching**rounds + ((seats - 1) * branching) ** rounds - 1
    )


def test_the_recorded_tree_names_who_replied():
    state = tree_at(UNIFORM, 5)
    tree = BestReply(depth=2, prune=False).decide(UNIFORM, state, ask=Ask(record=100, compiled=False)).tree
    replies = [row for row in tree.nodes if row["parent"] > 0]
    assert {int(row["by"]) for row in replies} == {1, 2}
    assert tree.nested(UNIFORM, state)["children"][0]["children"][0]["by"] == 1


def test_a_game_in_turn_order_only_is_refused():
    with pytest.raises(
        Mismatch,
        match=r"best_reply cannot play sticks\(.*\): a seat out of turn has "
        r"no legal move; use paranoid or best_reply_plus",
    ):
        BestReply(depth=2).decide(STICKS, STICKS.new())
