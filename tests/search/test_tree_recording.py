"""The recorded tree is the tree that was searched."""

import numpy as np
import pytest

from kingmaker.core.ask import Ask
from kingmaker.search.ismcts import Ismcts
from kingmaker.search.maxn import Maxn
from kingmaker.search.mcts import Mcts
from kingmaker.search.paranoid import Paranoid
from tests import oracles
from tests.samples import DICE, TIES, TWIN, WRITTEN, tree_at


def nested(tree, row=0):
    node = tree.nodes[row]
    return {
        "move": None if row == 0 else int(node["move"]),
        "seat": int(node["seat"]),
        "values": oracles.exact_vector(node["values"]),
        "children": [nested(tree, child) for child in tree.children(row)],
    }


@pytest.mark.parametrize(
    ("game", "compiled"), [(TIES, False), (DICE, False), (DICE, True)], ids=["ties", "dice", "dice-compiled"]
)
def test_the_recorded_tree_of_maxn_is_the_oracles(game, compiled):
    for seed in range(3):
        state = tree_at(game, seed)
        decision = Maxn(depth=3).decide(game, state, ask=Ask(record=200, compiled=compiled))
        expected = oracles.tree(game, state, 3, lambda node, depth: oracles.maxn(game, node, depth, root=0)[0])
        assert decision.tree.complete
        assert nested(decision.tree) == expected


def test_the_recorded_tree_of_unpruned_paranoid_is_the_oracles():
    state, estimate = tree_at(TIES, 4), TIES.estimate()
    decision = Paranoid(depth=3, prune=False).decide(TIES, state, ask=Ask(record=200, compiled=False))
    assert nested(decision.tree) == oracles.tree(
        TIES, state, 3, lambda node, depth: oracles.pact(TIES, node, depth, estimate, 0)[0]
    )


def test_only_the_last_finished_iteration_is_kept():
    state = tree_at(TIES, 4)
    decision = Maxn(nodes=30).decide(TIES, state, ask=Ask(record=200, compiled=False))
    assert decision.depth == 2
    assert len(decision.tree) == oracles.count_nodes(TIES, state, 2)


def test_parents_come_before_their_children():
    decision = Maxn(depth=4).decide(TIES, tree_at(TIES, 4), ask=Ask(record=1000, compiled=False))
    parents = decision.tree.nodes["parent"]
    assert parents[0] == -1
    assert (parents[1:] < np.arange(1, len(parents))).all()
    assert (parents[1:] >= 0).all()


def test_a_full_record_says_so_and_keeps_its_first_nodes():
    state = tree_at(TIES, 4)
    whole = Maxn(depth=3).decide(TIES, state, ask=Ask(record=200, compiled=False))
    partial = Maxn(depth=3).decide(TIES, state, ask=Ask(record=7, compiled=False))
    assert not partial.tree.complete
    assert len(partial.tree) == 7
    assert (partial.tree.nodes["parent"] == whole.tree.nodes["parent"][:7]).all()
    assert (partial.tree.nodes["move"][1:] == whole.tree.nodes["move"][1:7]).all()
    assert (partial.move, partial.values, partial.nodes) == (whole.move, whole.values, whole.nodes)


def test_a_record_that_just_fits_is_complete():
    state = tree_at(TIES, 4)
    size = oracles.count_nodes(TIES, state, 3)
    assert Maxn(depth=3).decide(TIES, state, ask=Ask(record=size, compiled=False)).tree.complete
    assert not Maxn(depth=3).decide(TIES, state, ask=Ask(record=size - 1, compiled=False)).tree.complete


def test_an_unfinished_iteration_does_not_make_the_record_incomplete():
    """Depth 2 has 13 nodes and fits; the stopped depth 3 has more than 20 and does not."""
    state = tree_at(TIES, 4)
    decision = Maxn(nodes=50).decide(TIES, state, ask=Ask(record=20, compiled=False))
    assert decision.depth == 2
    assert len(decision.tree) == 13
    assert decision.tree.complete


def test_cuts_are_marked():
    decision = Paranoid(depth=4).decide(TIES, tree_at(TIES, 4), ask=Ask(record=1000, compiled=False))
    tree = decision.tree
    cut = [row for row in range(len(tree)) if tree.nodes[row]["cut"]]
    short = [row for row in range(len(tree)) if 0 < len(tree.children(row)) < 3]
    assert short == cut, "a node that crossed its bound with its last move is not cut"
    assert short
    assert [row for row in range(len(tree)) if not np.isnan(tree.nodes[row]["bound"])] == cut
    told = tree.nested(TIES, tree_at(TIES, 4))
    assert sum("bound" in each for each in every(told)) == len(cut)


def every(node):
    """A node of a nested tree and all below it."""
    yield node
    for child in node.get("children", ()):
        yield from every(child)


def test_without_asking_nothing_is_recorded():
    assert Maxn(depth=2).decide(TIES, tree_at(TIES, 4), ask=TWIN).tree is None


def test_a_tree_is_told_in_the_words_of_the_game():
    decision = Maxn(depth=2).decide(WRITTEN, WRITTEN.new(), ask=Ask(record=50))
    told = decision.tree.nested(WRITTEN, WRITTEN.new())
    assert told["values"] == [6.0, 4.0, 0.0]
    assert [child["move"] for child in told["children"]] == ["0", "1", "2"]
    assert told["children"][2]["children"][0] == {"move": "0", "by": 1, "seat": -2, "values": [6.0, 4.0, 0.0]}


@pytest.mark.parametrize("policy", ["maxn", "best_reply"])
def test_the_recorded_tree_of_playouts_adds_up(policy):
    """A node was visited once for itself and once for every visit below it; its mean is that over all of them."""
    state, ask = tree_at(TIES, 4), Ask(record=5000, compiled=False)
    decision = Mcts(playouts=300, tree=12, solver=False, policy=policy).decide(TIES, state, ask=ask)
    tree, seats = decision.tree, TIES.seats
    assert tree.complete
    assert tree.nodes["visits"][0] == 300
    looked = 0
    for row in range(len(tree)):
        node, below = tree.nodes[row], tree.nodes[tree.children(row)]
        if not len(below):
            continue
        own = node["visits"] - below["visits"].sum()
        assert own == (0 if row == 0 else 1)
        left = node["visits"] * node["values"] - (below["visits"][:, None] * below["values"]).sum(axis=0)
        payoffs = [0.0, float(TIES.high)]
        assert all(own * payoffs[0] - 1e-6 <= left[seat] <= own * payoffs[1] + 1e-6 for seat in range(seats))
        looked += 1
    assert looked > 5
    for child in tree.children(0):
        assert tree.nodes[child]["values"] == pytest.approx(decision.value_of(int(tree.nodes[child]["move"])))
    assert [int(tree.nodes[row]["move"]) for row in tree.path(decision.line, decision.movers)] == list(decision.line)


def test_the_most_visited_nodes_are_recorded_and_parents_come_first():
    state = tree_at(TIES, 4)
    whole, some = (
        Mcts(playouts=300, tree=12, solver=False).decide(TIES, state, ask=Ask(record=most, compiled=False)).tree
        for most in (5000, 20)
    )
    assert (len(some), some.complete) == (20, False)
    assert (some.nodes["parent"][1:] < np.arange(1, 20)).all()
    assert sorted(some.nodes["visits"]) == sorted(whole.nodes["visits"])[-20:]


def test_the_recorded_tree_of_information_sets_is_the_root_with_its_moves():
    decision = Ismcts(playouts=100, tree=10).decide(TIES, tree_at(TIES, 4), ask=Ask(record=50, compiled=False))
    tree = decision.tree
    assert tree.nodes["visits"].tolist()[0] == 100 == tree.nodes["visits"][1:].sum()
    assert len(tree) == 4
    for row in tree.children(0):
        assert tree.nodes[row]["values"] == pytest.approx(decision.value_of(int(tree.nodes[row]["move"])))
    weighed = (tree.nodes["visits"][1:, None] * tree.nodes["values"][1:]).sum(axis=0) / 100
    assert tree.nodes["values"][0] == pytest.approx(weighed)
