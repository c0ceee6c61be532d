"""Paranoid beyond the laws."""

import numpy as np

from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.maxn import Maxn
from kingmaker.search.paranoid import Paranoid
from tests.samples import DICE, SUM, TIES, TWIN, UNIFORM, tree_at


def test_the_pact_minimises_the_roots_entry_whoever_pays():
    game = ExplicitTree([[(9, 9, 9), (1, 0, 0)], [(2, 2, 2), (2, 5, 5)]], seats=3)
    assert Paranoid(depth=2).decide(game, game.new()).values[0] == 2.0
    assert Maxn(depth=2).decide(game, game.new()).values[0] == 9.0


def test_the_root_seat_need_not_be_the_first():
    game = ExplicitTree(
        {
            "seat": 2,
            "moves": [{"seat": 0, "moves": [(0, 0, 5), (9, 9, 1)]}, {"seat": 1, "moves": [(0, 0, 3), (0, 0, 4)]}],
        },
        seats=3,
    )
    decision = Paranoid(depth=2).decide(game, game.new())
    assert (decision.move, decision.values[2]) == (1, 3.0)


def test_of_equal_moves_the_first_is_played():
    game = ExplicitTree([[(4, 0, 0)], [(4, 1, 1)], [(4, 2, 2)]], seats=3)
    assert Paranoid(depth=2).decide(game, game.new()).move == 0
    assert Paranoid(depth=2, prune=False).decide(game, game.new()).move == 0


def test_a_later_root_move_that_only_equals_the_best_is_not_played():
    """A non-strict cut hands back a bound equal to the best; the first move that reached it must stand."""
    game = ExplicitTree([[(3, 0, 0), (5, 0, 0)], [(3, 0, 0), (0, 0, 0)]], seats=3)
    decision = Paranoid(depth=2).decide(game, game.new())
    assert decision.move == 0
    assert [entry.exact for entry in decision.moves] == [True, False]


def test_pruning_saves_nodes():
    for game in (UNIFORM, SUM, TIES):
        plain = sum(
            Paranoid(depth=5, prune=False).decide(game, tree_at(game, seed), ask=TWIN).nodes for seed in range(3)
        )
        pruned = sum(Paranoid(depth=5).decide(game, tree_at(game, seed), ask=TWIN).nodes for seed in range(3))
        assert pruned < plain


def test_dice_are_averaged_and_never_pruned_across():
    for seed in range(5):
        state = tree_at(DICE, seed)
        one = Paranoid(depth=5).decide(DICE, state, ask=TWIN)
        other = Paranoid(depth=5, prune=False).decide(DICE, state, ask=TWIN)
        assert (one.move, one.values[0]) == (other.move, other.values[0])


def test_the_line_leads_to_the_value():
    state = tree_at(UNIFORM, 3)
    decision = Paranoid(depth=5).decide(UNIFORM, state)
    with np.errstate(over="ignore"):
        assert UNIFORM.payoffs(UNIFORM.after(state, *decision.line)) == decision.values
