"""Laws that bind the searches to each other and to the oracles, on random trees of every kind and depth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker.core.ask import Ask
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.maxn import Maxn
from kingmaker.search.minimax import Minimax
from kingmaker.search.paranoid import Paranoid
from tests import oracles
from tests.samples import BINARY, DICE, DICE_DUEL, DUEL, SUM, TIES, UNIFORM, tree_at

SEEDS = st.integers(0, 10**6)
PLIES = st.integers(0, 4)  # the trees have 5 plies; a later ply leaves a lower tree
DEPTHS = st.integers(1, 6)  # below the tree's height the estimate speaks


def outcome(decision):
    return oracles.exact_vector(decision.values), decision.move


def kinds(*games):
    return pytest.mark.parametrize(
        "game", games, ids=[f"{game.kind}-{game.seats}-{game.chance}-{game.values}" for game in games]
    )


@kinds(UNIFORM, TIES, SUM, DICE)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_compiled_maxn_is_the_oracle(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        assert outcome(Maxn(depth=depth).decide(game, state)) == oracles.maxn(game, state, depth)


@kinds(TIES)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_compiled_maxn_that_spares_nobody_is_the_oracle(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    assert outcome(Maxn(depth=depth, ties="least_others").decide(game, state)) == oracles.maxn(
        game, state, depth, "least_others"
    )


@kinds(TIES)
@given(seed=SEEDS, ply=st.integers(1, 4), depth=DEPTHS)
def test_random_ties_come_to_a_possible_result(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    assert outcome(Maxn(depth=depth, ties="random").decide(game, state)) in oracles.maxn_possible(game, state, depth)


@kinds(UNIFORM, BINARY, DICE, TIES)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_compiled_paranoid_is_the_oracle(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        found = Paranoid(depth=depth).decide(game, state)
        values, move = oracles.paranoid(game, state, depth)
        root = game.mover(state)
        assert (oracles.exact(found.values[root]), found.move) == (values[root], move)


@kinds(TIES)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_unpruned_paranoid_hands_up_the_oracles_whole_vector(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    assert outcome(Paranoid(depth=depth, prune=False).decide(game, state)) == oracles.paranoid(game, state, depth)


@kinds(DUEL, DICE_DUEL)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_alpha_beta_is_minimax_is_the_oracle_including_the_move(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        plain, pruned = Minimax(depth=depth).decide(game, state), AlphaBeta(depth=depth).decide(game, state)
        assert outcome(plain) == oracles.minimax(game, state, depth)
        assert (pruned.values[game.mover(state)], pruned.move) == (plain.values[game.mover(state)], plain.move)
        assert pruned.nodes <= plain.nodes


@kinds(TIES)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_pruning_changes_neither_paranoids_value_nor_its_move(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    plain, pruned = Paranoid(depth=depth, prune=False).decide(game, state), Paranoid(depth=depth).decide(game, state)
    root = game.mover(state)
    assert (pruned.values[root], pruned.move) == (plain.values[root], plain.move)
    assert pruned.nodes <= plain.nodes


@pytest.mark.parametrize(
    ("game", "prune"),
    [(BINARY, "immediate"), (SUM, "shallow"), (SUM, "immediate+shallow")],
    ids=["binary-immediate", "sum-shallow", "sum-both"],
)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_pruning_changes_neither_maxns_vector_nor_its_move(game, prune, seed, ply, depth):
    state = tree_at(game, seed, ply)
    pruned = Maxn(depth=depth, prune=prune).decide(game, state)
    assert outcome(pruned) == oracles.maxn(game, state, depth)
    assert pruned.nodes <= oracles.deepened_nodes(game, state, depth)


@kinds(UNIFORM, DUEL, DICE)
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_without_pruning_every_node_is_counted_once(game, seed, ply, depth):
    state = tree_at(game, seed, ply)
    if game.mover(state) >= 0:
        agent = Minimax(depth=depth) if game.seats == 2 else Maxn(depth=depth)
        assert agent.decide(game, state).nodes == oracles.deepened_nodes(game, state, depth)


@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_two_seats_with_constant_sum_make_maxn_minimax(seed, ply, depth):
    """The estimate keeps the sum constant too, up to the rounding of binary fractions, which these values avoid."""
    state = tree_at(DUEL, seed, ply)
    maxn, minimax = Maxn(depth=depth).decide(DUEL, state), Minimax(depth=depth).decide(DUEL, state)
    assert maxn.values[state.seat] == minimax.values[state.seat]
    assert maxn.move == minimax.move


@pytest.mark.parametrize("ties", ["first", "least_others", "random"])
@given(seed=SEEDS, ply=PLIES, depth=DEPTHS)
def test_paranoid_never_hopes_for_more_than_maxn(ties, seed, ply, depth):
    state = tree_at(TIES, seed, ply)
    root = TIES.mover(state)
    timid, hopeful = Paranoid(depth=depth).decide(TIES, state), Maxn(depth=depth, ties=ties).decide(TIES, state)
    assert timid.values[root] <= hopeful.values[root]


LEAVES = st.tuples(*[st.integers(0, 4)] * 3)
TREES = st.recursive(LEAVES, lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=14).filter(
    lambda tree: isinstance(tree, list)
)


def turned(tree, by):
    """The same tree with every seat moved on by some places."""
    if isinstance(tree, tuple):
        return tuple(tree[(seat - by) % 3] for seat in range(3))
    return {"seat": by, "moves": [again(node, by, 1) for node in tree]}


def again(node, by, ply):
    if isinstance(node, tuple):
        return tuple(node[(seat - by) % 3] for seat in range(3))
    return {"seat": (by + ply) % 3, "moves": [again(below, by, ply + 1) for below in node]}


@given(tree=TREES, by=st.integers(1, 2))
def test_turning_the_table_turns_the_values(tree, by):
    straight, round_about = ExplicitTree(tree, seats=3), ExplicitTree(turned(tree, by), seats=3)
    for agent in (Maxn(depth=9), Maxn(depth=9, ties="least_others"), Paranoid(depth=9), Paranoid(depth=9, prune=False)):
        one, other = agent.decide(straight, straight.new()), agent.decide(round_about, round_about.new())
        assert other.values == tuple(one.values[(seat - by) % 3] for seat in range(3))
        assert (other.move, other.nodes) == (one.move, one.nodes)


@given(tree=TREES, depth=st.integers(1, 5))
def test_searches_on_written_trees_are_the_oracles(tree, depth):
    game = ExplicitTree(tree, seats=3)
    state = game.new()
    for ties in ("first", "least_others"):
        assert outcome(Maxn(depth=depth, ties=ties).decide(game, state)) == oracles.maxn(game, state, depth, ties)
    assert outcome(Maxn(depth=depth, prune="immediate").decide(game, state)) == oracles.maxn(game, state, depth)
    assert outcome(Paranoid(depth=depth, prune=False).decide(game, state)) == oracles.paranoid(game, state, depth)
    pruned = Paranoid(depth=depth).decide(game, state)
    values, move = oracles.paranoid(game, state, depth)
    assert (oracles.exact(pruned.values[0]), pruned.move) == (values[0], move)


SUM_LEAVES = (
    st.tuples(st.integers(0, 10), st.integers(0, 10))
    .filter(lambda cut: sum(cut) <= 10)
    .map(lambda cut: (*cut, 10 - sum(cut)))
)
SUM_TREES = st.recursive(SUM_LEAVES, lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=18).filter(
    lambda tree: isinstance(tree, list)
)


@given(tree=SUM_TREES)
def test_shallow_pruning_is_exact_on_written_trees_of_constant_sum(tree):
    game = ExplicitTree(tree, seats=3)
    for prune in ("shallow", "immediate+shallow"):
        assert outcome(Maxn(depth=9, prune=prune).decide(game, game.new())) == oracles.maxn(game, game.new(), 9)


def test_shallow_pruning_resists_the_counter_example_to_deep_pruning():
    """Korf 1991: stopping seat 2 after its first leaf would let seat 1 fall back to (9, 0, 1)."""
    game = ExplicitTree([(8, 0, 2), [(9, 0, 1), [(8, 0, 2), (2, 1, 7)]]])
    assert game.facts.constant_sum
    assert game.facts.total == 10
    for prune in ("none", "shallow", "immediate+shallow"):
        found = Maxn(depth=9, prune=prune).decide(game, game.new())
        assert found.values == (8.0, 0.0, 2.0)
        assert found.move == 0


class Ordered(Game):
    """A uniform tree in which the first move is always best for the pact's game: perfectly ordered.

    The first seat's value is the position's path read as digits: the earlier and the smaller its digits, the more; the
    others' digits count the other way round.
    """

    State = np.dtype([("ply", np.int16), ("value", np.int64)], align=True)

    def __init__(self, seats, branching, height):
        self.seats, self.branching, self.height = seats, branching, height
        self.max_moves = branching
        self.facts = Facts(low=-(2.0**40), high=2.0**40)

    def start(self, state, rng):
        return

    def mover(self, state):
        return OVER if state.ply == self.height else state.ply % self.seats

    def moves(self, state, seat, out):
        for move in range(self.branching):
            out[move] = move
        return self.branching

    def play(self, state, seat, move):
        weight = self.branching ** (self.height - 1 - state.ply)
        state.value += weight * (-move if seat == 0 else move)
        state.ply += 1

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = float(state.value if seat == 0 else -state.value)


@pytest.mark.parametrize(
    ("seats", "branching", "height", "leaves"),
    [(2, 3, 6, 53), (3, 3, 6, 89), (3, 2, 6, 4 + 16 - 1), (4, 2, 8, 4 + 64 - 1)],
)
def test_a_perfectly_ordered_tree_costs_the_two_proof_trees(seats, branching, height, leaves):
    """b^(MAX plies) + b^(MIN plies) - 1 leaves (Sturtevant & Korf 2000; computed for 53 and 89)."""
    game = Ordered(seats, branching, height)
    maximising = len([ply for ply in range(height) if ply % seats == 0])
    assert leaves == branching**maximising + branching ** (height - maximising) - 1
    decision = Paranoid(depth=height).decide(game, game.new(), ask=Ask(record=100_000, compiled=False))
    assert decision.tree.complete
    assert int((decision.tree.nodes["seat"] == OVER).sum()) == leaves
    assert decision.values[0] == oracles.paranoid(game, game.new(), height)[0][0]


def test_alpha_beta_pays_the_same_as_paranoid_on_two_seats():
    game = Ordered(2, 3, 6)
    decision = AlphaBeta(depth=6).decide(game, game.new(), ask=Ask(record=100_000, compiled=False))
    assert int((decision.tree.nodes["seat"] == OVER).sum()) == 53


def test_worked_example_3_the_three_assumptions_disagree():
    """Every leaf sums to 10; MaxN plays c for 6, Paranoid a for 5."""
    game = ExplicitTree(
        {"moves": {"a": [(5, 3, 2), (7, 2, 1)], "b": [(3, 5, 2), (6, 4, 0)], "c": [(6, 4, 0), (2, 3, 5)]}},
        seats=3,
    )
    state = game.new()
    maxn, paranoid = Maxn(depth=2).decide(game, state), Paranoid(depth=2).decide(game, state)
    assert game.facts.constant_sum
    assert game.facts.total == 10
    assert (game.say(state, 0, maxn.move), maxn.values) == ("c", (6.0, 4.0, 0.0))
    assert [entry.values for entry in maxn.moves] == [(5.0, 3.0, 2.0), (3.0, 5.0, 2.0), (6.0, 4.0, 0.0)]
    assert (game.say(state, 0, paranoid.move), paranoid.values[0]) == ("a", 5.0)
    full = Paranoid(depth=2, prune=False).decide(game, state)
    assert [entry.values[0] for entry in full.moves] == [5.0, 3.0, 2.0]


def test_worked_example_4_a_chance_node_is_the_mean():
    tree = [{"odds": [1 / 2, 1 / 3, 1 / 6], "moves": [8, 24, -12]}, 9]
    game = ExplicitTree(tree, seats=2)
    for agent in (Minimax(depth=3), AlphaBeta(depth=3), Maxn(depth=3), Paranoid(depth=3)):
        decision = agent.decide(game, game.new())
        assert decision.values == (pytest.approx(10), pytest.approx(-10))
        assert decision.move == 0


@pytest.mark.parametrize(("last", "leaves"), [([14, 5, 2], 7), ([2, 5, 14], 5)])
def test_worked_example_5_alpha_beta_visits_seven_leaves_and_reordered_five(last, leaves):
    game = ExplicitTree([[3, 12, 8], [2, 4, 6], last], seats=2)
    pruned = AlphaBeta(depth=2).decide(game, game.new(), ask=Ask(record=100))
    plain = Minimax(depth=2).decide(game, game.new(), ask=Ask(record=100))
    assert pruned.values == plain.values == (3.0, -3.0)
    assert pruned.move == plain.move == 0
    assert int((pruned.tree.nodes["seat"] == OVER).sum()) == leaves
    assert int((plain.tree.nodes["seat"] == OVER).sum()) == 9
