"""Pruning MaxN by bounds on values and their sum: every form equals the unpruned search in value and move."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch, UnknownName
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.maxn import Maxn
from tests import reply_oracles
from tests.samples import DICE, SUM, TIES, TWIN, UNIFORM, tree_at

FOUR = RandomTree(seats=4, branching=3, height=6, kind="constant_sum", values=5)
ROLLED = RandomTree(seats=3, branching=3, height=6, kind="constant_sum", values=7, chance=4)
SEEDS, DEPTHS = st.integers(0, 10**6), st.integers(2, 6)
FORMS = ("immediate", "shallow", "last_branch", "speculative", "immediate+shallow+last_branch+speculative")


COMPILED = [
    *((SUM, prune) for prune in ("shallow", "speculative", FORMS[-1])),
    *((FOUR, prune) for prune in ("immediate", "shallow", "last_branch", FORMS[-1])),
    (ROLLED, FORMS[-1]),
]
INTERPRETED = [(game, prune) for game in (SUM, FOUR, ROLLED) for prune in FORMS if (game, prune) not in COMPILED]


def pairs(cases):
    names = {SUM: "three", FOUR: "four", ROLLED: "dice"}
    return pytest.mark.parametrize(("game", "prune"), cases, ids=[f"{names[game]}-{prune}" for game, prune in cases])


def same_as_unpruned(game, prune, state, depth, ask):
    plain, pruned = (Maxn(depth=depth, prune=each).decide(game, state, ask=ask) for each in ("none", prune))
    assert (pruned.values, pruned.move) == (plain.values, plain.move)
    for one, other in zip(plain.moves, pruned.moves):
        assert one.values == other.values or not other.exact


@pairs(COMPILED)
@given(seed=SEEDS, depth=DEPTHS)
def test_pruned_equals_unpruned_including_the_move(game, prune, seed, depth):
    same_as_unpruned(game, prune, tree_at(game, seed), depth, Ask())


@pairs(INTERPRETED)
@settings(max_examples=5)
@given(seed=SEEDS, depth=st.integers(3, 4))
def test_the_twin_prunes_without_changing_anything_either(game, prune, seed, depth):
    same_as_unpruned(game, prune, tree_at(game, seed), depth, TWIN)


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
    for game, ask in ((TIES, Ask()), (DICE, TWIN)):
        state = tree_at(game, seed, 0 if game is TIES else 1)
        found = Maxn(depth=depth, ties="average").decide(game, state, ask=ask)
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
