"""Soft-MaxN: sets of vectors, against plain sets and every way of breaking ties."""

import pytest

from kingmaker import load_agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.random_tree import RandomTree
from kingmaker.games.sticks import Sticks
from tests.oracles import exact_vector
from tests.search import prob_oracles

TIES = RandomTree(seats=3, branching=3, height=3, values=3)
FOUR = RandomTree(seats=4, branching=2, height=4, values=2)
DICE = RandomTree(seats=3, branching=2, height=4, values=3, chance=2)
WIDE = RandomTree(seats=3, branching=3, height=5, values=3)
DUEL = RandomTree(seats=2, branching=3, height=4, kind="constant_sum", values=5)
STICKS = Sticks(seats=3, sticks=7)
FIGURE = ExplicitTree([[(1, 0, 0), (0, 0, 1)], [(1, 0, 0), (0, 0, 1), (1, 0, 1)]])


def decide(game, text, seed=0, compiled=False, **options):
    return load_agent(text).decide(game, game.new(seed), stream(seed, "agent"), ask=Ask(compiled=compiled, **options))


@pytest.mark.parametrize("game", [TIES, FOUR, DICE, STICKS], ids=str)
def test_the_set_is_that_of_the_definition(game):
    for seed in range(15):
        for depth in (2, 7):
            decision = decide(game, f"soft_maxn(depth={depth}, cap=4096)", seed)
            vectors = [exact_vector(each) for each in decision.notes["vectors"]]
            assert decision.notes["capped"] == 0
            assert len(set(vectors)) == len(vectors)
            assert set(vectors) == prob_oracles.soft_set(game, game.new(seed), depth, game.estimate())


@pytest.mark.parametrize("game", [TIES, FOUR, DICE, STICKS], ids=str)
def test_what_maxn_finds_under_any_tie_breaking_is_in_the_set(game):
    for seed in range(15):
        decision = decide(game, "soft_maxn(depth=7, cap=4096)", seed)
        under_any = prob_oracles.every_maxn(game, game.new(seed), 7, game.estimate())
        assert under_any <= {exact_vector(each) for each in decision.notes["vectors"]}
        assert exact_vector(decide(game, "maxn(depth=7)", seed).values) in under_any


def test_a_child_stays_unless_all_of_it_is_strictly_worse_than_all_of_another():
    strictly, touching = [[(1, 0, 0)], [(2, 5, 0), (3, 5, 1)]], [[(2, 0, 0)], [(2, 5, 0), (3, 5, 1)]]
    assert decide(ExplicitTree(strictly), "soft_maxn()").notes["vectors"] == [(2.0, 5.0, 0.0), (3.0, 5.0, 1.0)]
    assert len(decide(ExplicitTree(touching), "soft_maxn()").notes["vectors"]) == 3


def test_a_vector_of_two_children_stays_if_one_of_them_stays():
    low, high = [(1, 1, 0), (5, 1, 0)], [(3, 1, 0), (5, 1, 0)]
    for order in ([low, high, [(4, 1, 0)]], [high, low, [(4, 1, 0)]]):
        assert set(decide(ExplicitTree(order), "soft_maxn()").notes["vectors"]) == {
            (1, 1, 0),
            (3, 1, 0),
            (5, 1, 0),
            (4, 1, 0),
        }
    order = [[(1, 1, 0)], [(3, 1, 0), (1, 1, 0)], [(2, 2, 0)]]
    assert set(decide(ExplicitTree(order), "soft_maxn()").notes["vectors"]) == {(1, 1, 0), (3, 1, 0), (2, 2, 0)}


def test_the_root_takes_the_best_worst_case_then_the_best_mean_then_the_first():
    assert decide(ExplicitTree([[(9, 0, 1), (1, 0, 2)], [(2, 0, 1), (3, 0, 2)]]), "soft_maxn()").move == 1
    assert decide(ExplicitTree([[(2, 0, 1), (3, 0, 2)], [(2, 0, 1), (5, 0, 2)]]), "soft_maxn()").move == 1
    assert decide(ExplicitTree([[(2, 0, 1), (5, 0, 2)], [(5, 0, 1), (2, 0, 2)]]), "soft_maxn()").move == 0


def test_values_are_the_mean_of_the_chosen_set():
    decision = decide(FIGURE, "soft_maxn()")
    assert decision.value_of(0) == (0.5, 0.0, 0.5)
    assert decision.value_of(1) == pytest.approx((2 / 3, 0.0, 2 / 3))
    assert (decision.move, decision.values) == (1, decision.value_of(1))
    assert decision.notes["sets"] == {
        0: {"size": 2, "worst": 0.0, "best": 1.0},
        1: {"size": 3, "worst": 0.0, "best": 1.0},
    }
    assert (decision.line, decision.stopped) == ((1, 0), "solved")


def test_dice_combine_one_vector_of_each_outcome():
    ties = {"moves": [(1, 0), (1, 4)], "seat": 0}
    tree = ExplicitTree({"moves": [{"moves": [ties, {"payoff": [3, 2]}], "odds": [0.25, 0.75]}]}, seats=2)
    assert set(decide(tree, "soft_maxn()").notes["vectors"]) == {(2.5, 1.5), (2.5, 2.5)}


def test_with_two_seats_and_constant_sum_it_is_minimax():
    for seed in range(20):
        ours, theirs = decide(DUEL, "soft_maxn(depth=4)", seed), decide(DUEL, "minimax(depth=4)", seed)
        assert (ours.move, ours.values, ours.moves) == (theirs.move, theirs.values, theirs.moves)


def test_a_full_set_says_how_many_vectors_found_no_place():
    small, large = decide(WIDE, "soft_maxn(depth=5, cap=2)", 3), decide(WIDE, "soft_maxn(depth=5, cap=4096)", 3)
    assert large.notes["capped"] == 0 < small.notes["capped"]
    assert len(small.notes["vectors"]) <= 2


def test_dice_combine_no_more_than_the_cap():
    first, second = {"moves": [(1, 0), (1, 4)], "seat": 0}, {"moves": [(2, 1), (2, 7)], "seat": 0}
    tree = ExplicitTree({"moves": [{"moves": [first, second], "odds": [0.5, 0.5]}]}, seats=2)
    full, capped = decide(tree, "soft_maxn()").notes, decide(tree, "soft_maxn(cap=3)").notes
    assert (len(full["vectors"]), full["capped"]) == (4, 0)
    assert (len(capped["vectors"]), capped["capped"]) == (3, 1)


def test_cap_one_still_plays_a_legal_move():
    for seed in range(5):
        decision = decide(WIDE, "soft_maxn(depth=4, cap=1)", seed)
        assert all(entry["size"] == 1 for entry in decision.notes["sets"].values())
        assert decision.move in WIDE.legal(WIDE.new(seed))


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        (WIDE, "nodes=300, cap=3, order='shuffled'"),
        (DICE, "depth=4, cap=8"),
    ],
    ids=str,
)
def test_compiled_and_interpreted_are_one(game, settings):
    for seed in range(5):
        machine, twin = (decide(game, f"soft_maxn({settings})", seed, compiled=way) for way in (True, False))
        for part in ("move", "values", "moves", "line", "nodes", "depth", "stopped", "notes"):
            assert getattr(machine, part) == getattr(twin, part)


def test_an_iteration_cut_short_leaves_the_notes_of_the_last_finished_one():
    finished = decide(WIDE, "soft_maxn(depth=3)", 2)
    cut_short = decide(WIDE, f"soft_maxn(nodes={finished.nodes + 60})", 2)
    assert cut_short.depth == 3
    assert (cut_short.notes, cut_short.moves) == (finished.notes, finished.moves)


def test_a_search_that_finished_nothing_has_no_notes():
    assert decide(WIDE, "soft_maxn(nodes=2)").notes == {}


def test_the_tree_is_recorded_with_the_means():
    tree = decide(FIGURE, "soft_maxn()", record=100).tree
    assert len(tree) == 8
    assert [tuple(tree.nodes["values"][row]) for row in tree.children(0)] == [
        (0.5, 0.0, 0.5),
        pytest.approx((2 / 3, 0, 2 / 3)),
    ]


def test_a_table_is_refused():
    with pytest.raises(
        Mismatch, match=r"a table holds one vector a position, but soft_maxn needs sets of them, in .*; use table=0"
    ):
        decide(WIDE, "soft_maxn(depth=2, table=8)")


@pytest.mark.parametrize("cap", ["0", "5000", "-1"])
def test_a_cap_that_makes_no_sense_is_refused(cap):
    with pytest.raises(BadParameter, match="expected a cap of 1 to 4096 vectors, got"):
        load_agent(f"soft_maxn(cap={cap})")
