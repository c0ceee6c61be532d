"""Added Pruning: a seat goes on as it went before, where it can."""

import pytest

from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch, UnknownName
from kingmaker.search.best_reply import BestReply
from kingmaker.search.maxn import Maxn
from kingmaker.search.paranoid import Paranoid
from tests import reply_oracles
from tests.oracles import exact, exact_vector
from tests.samples import BIKES, STICKS, TWIN, UNIFORM, positions, same, tree_at


def test_narrowed_maxn_is_the_oracle():
    for game, states, ask in (
        (BIKES, positions(BIKES, 15, seed=6), Ask()),
        (UNIFORM, [tree_at(UNIFORM, seed) for seed in range(15)], TWIN),
    ):
        for state in states:
            found = Maxn(depth=5, forward_pruning="same_heading").decide(game, state, ask=ask)
            root = game.mover(state)
            assert exact_vector(found.values) == reply_oracles.maxn_narrowed(game, state, 5, {}, game.estimate(), root)


def test_narrowed_best_reply_is_the_oracle():
    for state in positions(BIKES, 15, seed=7):
        found = BestReply(depth=4, forward_pruning="same_heading").decide(BIKES, state, ask=TWIN)
        assert (exact(found.values[BIKES.mover(state)]), found.move) == reply_oracles.best_reply(
            BIKES, state, 4, headings={}
        )


def test_it_looks_at_fewer_nodes_and_the_table_knows_the_headings():
    fewer = 0
    for state in positions(BIKES, 20, seed=8):
        wide, narrow = (
            Paranoid(depth=6, prune=False, forward_pruning=kind).decide(BIKES, state)
            for kind in ("none", "same_heading")
        )
        tabled = Paranoid(depth=6, prune=False, forward_pruning="same_heading", table=12).decide(BIKES, state)
        fewer += narrow.nodes < wide.nodes
        assert (tabled.move, tabled.values) == (narrow.move, narrow.values)
        assert same(
            narrow,
            Paranoid(depth=6, prune=False, forward_pruning="same_heading").decide(BIKES, state, ask=TWIN),
        )
    assert fewer > 10


def test_what_cannot_be_narrowed_is_refused():
    with pytest.raises(
        Mismatch, match=r"does not say which move continues another; give it a method continues\(previous, move\)"
    ):
        Maxn(depth=2, forward_pruning="same_heading").decide(STICKS, STICKS.new())
    with pytest.raises(UnknownName, match="unknown forward_pruning 'heading'"):
        Maxn(forward_pruning="heading")
