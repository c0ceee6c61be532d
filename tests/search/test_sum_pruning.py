"""Pruning MaxN by bounds on values and their sum: every form equals the unpruned search in value and move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker.core.errors import Mismatch, UnknownName
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.maxn import Maxn
from tests import reply_oracles
from tests.samples import DICE, SUM, TIES, UNIFORM, tree_at

FOUR = RandomTree(seats=4, branching=3, height=6, kind="constant_sum", values=5)
ROLLED = RandomTree(seats=3, branching=3, height=6, kind="constant_sum", values=7, chance=4)
SEEDS, DEPTHS = st.integers(0, 10**6), st.integers(2, 6)
FORMS = ("immediate", "shallow", "last_branch", "speculative", "immediate+shallow+last_branch+speculative")


@pytest.mark.parametrize("prune", FORMS)
@pytest.mark.parametrize("game", [SUM, FOUR, ROLLED], ids=["three", "four", "dice"])
@given(seed=SEEDS, depth=DEPTHS)
def test_pruned_equals_unpruned_including_the_move(game, prune, seed, depth):
    state = tree_at(game, seed)
    plain, pruned = Maxn(depth=depth).decide(game, state), Maxn(depth=depth, prune=prune).decide(game, state)
    assert (pruned.values, pruned.move) == (plain.values, plain.move)
    for one, other in zip(plain.moves, pruned.moves):
        assert one.values == other.values or not other.exact


def test_the_longer_ways_cut_what_the_shallow_one_cannot():
    nodes = {
        prune: sum(Maxn(depth=6, prune=prune).decide(FOUR, tree_at(FOUR, seed)).nodes for seed in range(30))
        for prune in ("none", *FORMS[:3])
    }
    assert nodes["last_branch"] < nodes["shallow"] < nodes["none"]
    assert nodes["immediate"] < nodes["none"]


def test_cuts_are_counted_by_kind():
    notes = [
        Maxn(depth=6, prune="immediate+speculative").decide(FOUR, tree_at(FOUR, seed)).notes["cuts"]
        for seed in range(10)
    ]
    assert all(
        sum(cuts[kind] for cuts in notes) > 0 for kind in ("shallow", "last_branch", "speculative", "searched_again")
    )


def test_the_counter_example_to_deep_pruning_is_resisted_by_all():
    """Literature A2: deep pruning would report (9, 0, 1)."""
    game = ExplicitTree([(8, 0, 2), [(9, 0, 1), [(8, 0, 2), (2, 1, 7)]]])
    for prune in ("none", *FORMS):
        assert Maxn(prune=prune).decide(game, game.new()).values == (8, 0, 2)


@given(seed=SEEDS, depth=DEPTHS)
def test_averaged_ties_are_the_mean_over_the_tied_set(seed, depth):
    for game in (TIES, DICE):
        state = tree_at(game, seed)
        found = Maxn(depth=depth, ties="average").decide(game, state)
        expected = reply_oracles.maxn_average(game, state, depth, game.estimate(), game.mover(state))
        assert found.values == pytest.approx(tuple(map(float, expected)), abs=1e-9)


@pytest.mark.parametrize(
    ("game", "settings", "sentence"),
    [
        (
            UNIFORM,
            {"prune": "last_branch", "table": 8},
            "a table cannot hold what last_branch pruning leaves open; use table=0 or prune='shallow'",
        ),
        (
            SUM,
            {"prune": "shallow", "ties": "average"},
            "pruning cannot see all ties, which ties='average' needs; use ties='first' or prune='none'",
        ),
        (
            SUM,
            {"prune": "shallow", "estimate": "guess(error=0.3)"},
            "shallow pruning needs a bounded sum of values, which .* does not state",
        ),
    ],
)
def test_pruning_that_could_change_the_result_is_refused(game, settings, sentence):
    with pytest.raises(Mismatch, match=sentence):
        Maxn(depth=2, **settings).decide(game, game.new(1))


def test_unknown_prunings_are_named():
    with pytest.raises(UnknownName, match="unknown pruning 'deep' in maxn"):
        Maxn(depth=2, prune="shallow+deep").decide(SUM, SUM.new(1))
