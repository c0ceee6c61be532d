"""MP-Mix: by who leads and by how much."""

import math

import pytest

from kingmaker.core.errors import BadParameter
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.maxn import Maxn
from kingmaker.search.mp_mix import MpMix
from kingmaker.search.offensive import Offensive
from kingmaker.search.paranoid import Paranoid
from tests.samples import UNIFORM, tree_at


def standing(*values):
    """Example 3's tree with these values at the root."""
    leaves = [[(5, 3, 2), (7, 2, 1)], [(3, 5, 2), (6, 4, 0)], [(6, 4, 0), (2, 3, 5)]]
    return ExplicitTree({"moves": leaves, "estimate": list(values)}, seats=3)


@pytest.mark.parametrize(
    ("values", "settings", "mode", "leader", "edge"),
    [
        ((9, 4, 1), {"td": 5}, "paranoid", 0, 5),
        ((9, 4, 1), {"td": 5, "strict": True}, "maxn", 0, 5),
        ((9, 4, 1), {"td": 6}, "maxn", 0, 5),
        ((9, 4, 1), {"to": 0}, "maxn", 0, 5),
        ((1, 4, 9), {"to": 5}, "offensive", 2, 5),
        ((1, 9, 4), {"to": 5}, "offensive", 1, 5),
        ((1, 4, 9), {"to": 5, "strict": True}, "maxn", 2, 5),
        ((1, 4, 9), {"td": 0}, "maxn", 2, 5),
        ((4, 4, 1), {"td": 0, "to": 0}, "paranoid", 0, 0),  # tied leaders: the root counts as the leader
        ((1, 4, 9), {"to": math.inf}, "maxn", 2, 5),
    ],
)
def test_the_mode_follows_the_leading_edge(values, settings, mode, leader, edge):
    game = standing(*values)
    found = MpMix(**settings).decide(game, game.new())
    assert {key: found.notes[key] for key in ("mode", "leader", "edge", "standing")} == {
        "mode": mode, "leader": leader, "edge": edge, "standing": values,
    }  # fmt: skip
    twin = {"paranoid": Paranoid(), "maxn": Maxn(), "offensive": Offensive(target=leader)}[mode].decide(
        game, game.new()
    )
    assert (found.values, found.move, found.nodes) == (twin.values, twin.move, twin.nodes)


def test_tied_leaders_other_than_the_root_are_drawn():
    game = standing(1, 4, 4)
    leaders = {MpMix(to=0).decide(game, game.new(), stream(seed, "leader")).notes["leader"] for seed in range(30)}
    assert leaders == {1, 2}


def test_settings_are_handed_on_to_the_search_that_plays():
    state = tree_at(UNIFORM, 3)
    found = MpMix(td=math.inf, to=math.inf, depth=3, order="history").decide(UNIFORM, state)
    assert found.notes["mode"] == "maxn"
    assert found.nodes == Maxn(depth=3, order="history").decide(UNIFORM, state).nodes


@pytest.mark.parametrize("value", ["ten", math.nan, True])
def test_a_threshold_must_be_a_number(value):
    with pytest.raises(BadParameter, match="expected a number for td, got"):
        MpMix(td=value)
