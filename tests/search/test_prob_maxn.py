"""Prob-MaxN against its definition and its laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker import load_agent
from kingmaker.core.errors import BadParameter, Mismatch, UnknownName
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.prob_maxn import MODELS, ProbMaxn
from tests.samples import DICE, DUEL, STICKS, TIES, TWIN, check_twins, positions, tree_at
from tests.search import model_oracles

EVEN_TIES = RandomTree(seats=3, branching=2, height=5, values=3)  # ties of two, so that every mean is exact in binary
EVEN_DICE = RandomTree(seats=3, branching=2, height=6, values=1_000_000, chance=2)
FINE = RandomTree(seats=3, branching=3, height=5, values=1_000_000)

seeds = st.integers(0, 10**6)
mixtures = st.sampled_from(
    [
        (("own",), (1.0,)),
        (("own", "spite"), (0.5, 0.5)),
        (("lead", "own"), (0.5, 0.5)),
        (("hunt", "spite", "own"), (0.25, 0.25, 0.5)),
        (("hunt",), (1.0,)),
    ]
)


@given(seeds, mixtures, st.integers(1, 4))
def test_it_follows_the_definition(seed, mixture, depth):
    models, odds = mixture
    for game in (EVEN_TIES, EVEN_DICE):
        state = tree_at(game, seed, ply=1)
        if game.mover(state) < 0:
            state = tree_at(game, seed)
        found = ProbMaxn(models=models, odds=odds, depth=depth).decide(game, state, ask=TWIN)
        value, move = model_oracles.prob_maxn(game, state, depth, game.estimate(), models, [odds] * 3)
        assert found.values == pytest.approx([float(entry) for entry in value], abs=1e-9)
        assert found.move == move
        assert found.value_of(found.move) == found.values


def test_of_equal_children_the_mean_is_handed_up():
    tree = ExplicitTree({"moves": {"a": [(1, 0, 0), (0, 0, 1)], "b": [(1, 0, 0), (0, 0, 1), (1, 0, 1)]}})
    found = ProbMaxn(depth=2).decide(tree, tree.new())
    assert found.move == 1
    assert found.moves[0].values == (0.5, 0, 0.5)
    assert found.moves[1].values == pytest.approx((2 / 3, 0, 2 / 3))


def test_each_model_likes_another_outcome():
    tree = ExplicitTree([[(1, 6, 9), (3, 5, 0), (1, 2, 1), (0, 3, 8)]])
    wanted = {"own": (1, 6, 9), "lead": (3, 5, 0), "spite": (1, 2, 1), "hunt": (0, 3, 8)}
    for model, outcome in wanted.items():
        assert ProbMaxn(models=model, depth=2).decide(tree, tree.new()).values == outcome
    mixed = ProbMaxn(models=("own", "hunt"), odds=(0.75, 0.25), depth=2).decide(tree, tree.new())
    assert mixed.values == (0.75, 5.25, 8.75)
    assert mixed.line == (0, 0)


def test_without_ties_and_with_one_model_it_is_maxn():
    for seed in range(10):
        state = tree_at(FINE, seed)
        found = ProbMaxn(depth=4).decide(FINE, state, ask=TWIN)
        maxn = load_agent("maxn(depth=4)").decide(FINE, state, ask=TWIN)
        assert (found.move, found.values, found.moves, found.line, found.nodes) == (
            maxn.move,
            maxn.values,
            maxn.moves,
            maxn.line,
            maxn.nodes,
        )


def test_hunted_by_all_it_is_paranoid():
    for seed in range(10):
        state = tree_at(TIES, seed)
        found = ProbMaxn(models="hunt", depth=4).decide(TIES, state, ask=TWIN)
        paranoid = load_agent("paranoid(depth=4, prune=false)").decide(TIES, state, ask=TWIN)
        assert found.move == paranoid.move
        assert [entry.values[0] for entry in found.moves] == [entry.values[0] for entry in paranoid.moves]


def test_where_two_share_a_fixed_sum_every_model_is_minimax():
    for seed in range(5):
        minimax = load_agent("minimax(depth=4)").decide(DUEL, DUEL.new(seed), ask=TWIN)
        for models in (*MODELS, MODELS):
            found = ProbMaxn(models=models, depth=4).decide(DUEL, DUEL.new(seed), ask=TWIN)
            assert (found.move, found.values) == (minimax.move, minimax.values)


def test_dice_are_averaged():
    tree = ExplicitTree([{"odds": [1 / 2, 1 / 3, 1 / 6], "moves": [8, 24, -12]}], seats=2)
    for text in ("prob_maxn", "prom", "om"):
        assert load_agent(f"{text}(depth=2)").decide(tree, tree.new()).values == pytest.approx((10, -10))


def test_a_table_changes_the_nodes_and_nothing_else():
    plain, table = ProbMaxn(models=("own", "hunt"), depth=9), ProbMaxn(models=("own", "hunt"), depth=9, table=8)
    for state in positions(STICKS, count=5, seed=2):
        one, other = (
            plain.decide(STICKS, state, ask=TWIN),
            table.decide(STICKS, state, ask=TWIN),
        )
        assert (one.move, one.values, one.moves) == (other.move, other.values, other.moves)
        assert other.nodes <= one.nodes


def test_leaves_are_counted_as_evaluations():
    assert ProbMaxn(models=("own", "spite"), depth=2).decide(TIES, TIES.new(1), ask=TWIN).notes["evaluations"] == 3 + 9


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TIES, "prob_maxn(models=[own, lead, spite, hunt], odds=[0.5, 0.25, 0.125, 0.125], depth=4)"),
        (DICE, "prob_maxn(models=[own, hunt], depth=4, order='history')"),
        (STICKS, "prob_maxn(models=[own, hunt], depth=9, table=6)"),
    ],
)
def test_compiled_and_interpreted_decide_the_same(game, text):
    check_twins(game, text)


@pytest.mark.parametrize(
    ("settings", "fault", "sentence"),
    [
        ({"models": ()}, BadParameter, r"expected at least one model in prob_maxn"),
        ({"models": ("own", "own")}, BadParameter, r"expected different models, got 'own' more than once in prob_maxn"),
        ({"models": ("hate",)}, UnknownName, r"unknown model 'hate' in prob_maxn.*; did you mean hunt, spite, lead\?"),
        (
            {"models": ("own", "lead"), "odds": (0.5, 0.6)},
            BadParameter,
            r"expected 2 probabilities with sum 1 for odds, got \(0.5, 0.6\)",
        ),
    ],
)
def test_bad_settings_are_refused_with_a_sentence(settings, fault, sentence):
    with pytest.raises(fault, match=sentence):
        ProbMaxn(**settings)


def test_a_game_for_one_is_refused():
    game = RandomTree(seats=1)
    with pytest.raises(
        Mismatch, match=r"prob_maxn cannot play random_tree\(seats=1\): there is no opponent to model; use maxn"
    ):
        ProbMaxn().decide(game, game.new())
