"""MaxN beyond the laws: its tie rules, its prunings and what it refuses."""

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.core.errors import Mismatch, UnknownName
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.maxn import Maxn
from tests import oracles
from tests.samples import BIKES, STICKS, SUM, TIES, UNIFORM, tree_at

TIED = ExplicitTree([[(1, 5, 0), (3, 5, 2)], [(2, 0, 0), (2, 0, 0)]], seats=3)


def test_the_anchor_of_sturtevants_page():
    """Seat 1 takes 3 over 1 at node a, which is worth (1, 3, 5); the root takes the child worth 6."""
    game = ExplicitTree([[(1, 3, 5), (6, 1, 4)], [(6, 4, 0), (3, 1, 6)], [(3, 5, 2), (8, 2, 0)]])
    decision = Maxn(depth=2).decide(game, game.new())
    assert decision.moves[0].values == (1.0, 3.0, 5.0)
    assert decision.values == (6.0, 4.0, 0.0)
    assert decision.line == (1, 0)


def test_the_tie_rule_decides():
    assert Maxn(depth=2).decide(TIED, TIED.new()).move == 1  # 1 < 2, for seat 1 keeps the first
    assert Maxn(depth=2, ties="least_others").decide(TIED, TIED.new()).values == (2.0, 0.0, 0.0)
    moves = {Maxn(depth=2, ties="random").decide(TIED, TIED.new(), stream(seed)).move for seed in range(40)}
    assert moves == {0, 1}


def test_least_others_takes_from_the_others_in_sum():
    game = ExplicitTree([(2, 3, 3), (2, 0, 5), (2, 4, 0), (2, 2, 2), (1, 0, 0)], seats=3)
    assert Maxn(depth=1, ties="least_others").decide(game, game.new()).move == 2
    assert Maxn(depth=1).decide(game, game.new()).move == 0


@pytest.mark.parametrize("order", ["given", "shuffled"])
def test_random_ties_are_uniform(order):
    """300 of 900 are expected for each of three; 100 is seven standard deviations."""
    game = ExplicitTree([(1, 0, 0), (1, 0, 0), (0, 0, 9), (1, 0, 0)], seats=3)
    below = ExplicitTree([[(9, 1, 0), (5, 1, 1), (0, 0, 9), (2, 1, 2)]], seats=3)
    counts, values = [0, 0, 0, 0], {}
    agent = Maxn(depth=2, ties="random", order=order)
    for seed in range(900):
        counts[agent.decide(game, game.new(), stream(seed)).move] += 1
        value = agent.decide(below, below.new(), stream(seed)).values[0]
        values[value] = values.get(value, 0) + 1
    assert counts[2] == 0
    assert all(abs(counts[i] - 300) < 100 for i in (0, 1, 3))
    assert set(values) == {9, 5, 2}
    assert all(abs(count - 300) < 100 for count in values.values())


@pytest.mark.parametrize("order", ["given", "shuffled"])
def test_equal_results_of_random_ties_are_all_reached(order):
    game = ExplicitTree([[(1, 5, 0), (3, 5, 2)], [(2, 0, 0), (2, 0, 0)]], seats=3)
    possible = oracles.maxn_possible(game, game.new(), 2)
    found = set()
    for seed in range(80):
        decision = Maxn(depth=2, ties="random", order=order).decide(game, game.new(), stream(seed))
        found.add((decision.values, decision.move))
    assert found == possible


def test_immediate_pruning_saves_nodes_where_the_highest_value_comes_early():
    game = ExplicitTree([(9, 0, 0), [(0, 9, 0), (0, 8, 1)], [(0, 7, 2), (9, 0, 0)]])
    plain = Maxn(depth=5).decide(game, game.new())
    pruned = Maxn(depth=5, prune="immediate").decide(game, game.new())
    assert (pruned.values, pruned.move) == (plain.values, plain.move)
    assert pruned.nodes < plain.nodes
    assert [entry.values for entry in pruned.moves[1:]] == [None, None]


def test_a_root_move_that_was_cut_short_is_not_exact():
    """The first move holds 6 for seat 0; once seat 1 holds 4 of 10 in the second, seat 0 cannot get more than 6
    there.
    """
    game = ExplicitTree([(6, 2, 2), [(3, 4, 3), (0, 9, 1), (10, 0, 0)]], seats=3)
    pruned = Maxn(depth=2, prune="shallow").decide(game, game.new())
    plain = Maxn(depth=2).decide(game, game.new())
    assert [entry.exact for entry in plain.moves] == [True, True]
    assert [entry.exact for entry in pruned.moves] == [True, False]
    assert pruned.nodes < plain.nodes
    assert (pruned.move, pruned.values) == (plain.move, plain.values)


def test_shallow_pruning_saves_nodes_on_random_trees_of_constant_sum():
    plain = pruned = 0
    for seed in range(30):
        state = tree_at(SUM, seed)
        plain += oracles.deepened_nodes(SUM, state, 4)
        pruned += Maxn(depth=4, prune="shallow").decide(SUM, state).nodes
    assert pruned < plain


def test_pruning_is_refused_where_it_could_change_the_result():
    with pytest.raises(
        Mismatch, match=r"pruning cannot see all ties, which ties='random' needs; use ties='first' or prune='none'"
    ):
        Maxn(depth=2, prune="immediate", ties="random").decide(TIES, TIES.new())
    with pytest.raises(
        Mismatch, match=r"shallow pruning needs a bounded sum of values, which light_bike.* with survival"
    ):
        Maxn(depth=2, prune="shallow").decide(BIKES, BIKES.new())
    unbounded = ExplicitTree([[(1, 2, 3), (3, 2, 1)], {"moves": [(1, 1, 1)], "estimate": [9, 9, 9]}], seats=3)
    with pytest.raises(Mismatch, match="immediate pruning needs a highest payoff"):
        Maxn(depth=1, prune="immediate").decide(unbounded, unbounded.new())


def test_unknown_rules_name_the_nearest():
    with pytest.raises(UnknownName, match=r"unknown tie rule 'frist' in .*; did you mean first"):
        load_agent("maxn(depth=2, ties='frist')").decide(STICKS, STICKS.new())
    with pytest.raises(UnknownName, match="unknown pruning 'deep'"):
        load_agent("maxn(depth=2, prune='deep')").decide(STICKS, STICKS.new())


def test_a_table_and_random_ties_do_not_go_together():
    with pytest.raises(
        Mismatch, match=r"a table would repeat the same random tie-breaks in .*; use table=0 or ties='first'"
    ):
        Maxn(depth=3, ties="random", table=8).decide(STICKS, STICKS.new())


def test_three_at_the_sticks_somebody_else_decides_who_wins():
    """With 4 sticks seat 0 cannot win: it takes 1..3, then seat 1 takes the rest; equal to seat 0, so the first move
    stands.
    """
    state = STICKS.position("left=4 seat=0 winner=0")
    decision = Maxn(depth=9).decide(STICKS, state)
    assert decision.values == (0.0, 1.0, 0.0)
    assert decision.move == 1
    assert decision.stopped == "solved"


def test_the_line_leads_to_the_value():
    state = tree_at(UNIFORM, 3)
    decision = Maxn(depth=5).decide(UNIFORM, state)
    with np.errstate(over="ignore"):
        assert UNIFORM.payoffs(UNIFORM.after(state, *decision.line)) == decision.values
