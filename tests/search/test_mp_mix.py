"""MP-Mix: by who leads and by how much."""

import math

import pytest

from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.estimate import Estimate
from kingmaker.core.rng import stream
from kingmaker.games.chinese_checkers import ChineseCheckers
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.sticks import Sticks
from kingmaker.search.maxn import Maxn
from kingmaker.search.mp_mix import MpMix
from kingmaker.search.offensive import Offensive
from kingmaker.search.paranoid import Paranoid
from tests.samples import BIKES, STICKS, TWIN, UNIFORM, tree_at

STARS = ChineseCheckers(seats=2, radius=2)


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
    with pytest.raises(BadParameter, match="expected a number or tuned for td, got"):
        MpMix(td=value)


def test_the_decision_says_in_which_unit_it_measures():
    game = standing(9, 4, 1)
    assert MpMix().decide(game, game.new()).notes["unit"] == "point"
    assert MpMix(depth=1, estimate="room").decide(BIKES, BIKES.new(1), ask=Ask(compiled=False)).notes["unit"] == "cell"


THREE, TWO = "1/aa/7/a5/5/6/7/bb/b 0 2", "1/aa/a6/6/5/6/7/bb/b 0 2"  # steps that a pawn of seat 0 has come


def test_thresholds_are_in_the_unit_of_the_estimate():
    """Three steps of distance, as in the source: a pawn of seat 0 has come so far, and its rivals stand at home."""
    for text, edge, modes in ((THREE, 3, "paranoid maxn maxn"), (TWO, 2, "maxn maxn maxn")):
        state = STARS.position(text)
        for td, strict, mode in zip((3, 4, 3), (False, False, True), modes.split(), strict=True):
            found = MpMix(td=td, to=td, strict=strict, depth=1).decide(STARS, state, ask=TWIN)
            assert (found.notes["edge"], found.notes["unit"], found.notes["mode"]) == (edge, "step", mode)
        state.seat = 1
        assert MpMix(to=3, depth=1).decide(STARS, state, ask=TWIN).notes["mode"] == (
            "offensive" if edge == 3 else "maxn"
        )


def test_machine_code_measures_the_same_edge():
    for text, edge in ((THREE, 3), (TWO, 2)):
        state = STARS.position(text)
        machine, twin = (MpMix(td=4, to=4, depth=1).decide(STARS, state, ask=ask) for ask in (Ask(), TWIN))
        assert machine.notes == twin.notes
        assert (machine.notes["edge"], machine.notes["mode"], machine.move) == (edge, "maxn", twin.move)


@pytest.mark.parametrize(
    ("game", "settings", "sentence"),
    [
        (
            STARS,
            {"td": 19},
            r"expected td of at most 18 steps, for no seat of chinese_checkers\(.*\) can lead by more ",
        ),
        (
            STARS,
            {"to": 19},
            r"expected to of at most 18 steps, .*, got 19 in mp_mix\(to=19\); use to=inf for never, or",
        ),
        (STARS, {"td": 18, "strict": True}, "expected td below 18 steps, for no seat"),
        (STARS, {"td": 3, "estimate": "journey"}, "expected td of at most 1 share, .* as journey measures, got 3 in"),
        (STICKS, {"td": 0.5}, "expected td of at most 0 points, .* as fair measures, got 0.5"),
        (UNIFORM, {"to": 99.5}, "expected to of at most 99 points, .* got 99.5"),
        (standing(9, 4, 1), {"td": 9}, "expected td of at most 8 points, .* as written measures, got 9"),
    ],
    ids=str,
)
def test_a_threshold_that_no_edge_can_reach_is_refused(game, settings, sentence):
    agent = MpMix(**settings)
    for ask in (agent.fit, agent.prepare, lambda game: agent.decide(game, game.new(1))):
        with pytest.raises(BadParameter, match=sentence):
            ask(game)


@pytest.mark.parametrize(
    "settings",
    [{"td": 18, "to": 18}, {"td": 17.9, "strict": True}, {"td": math.inf, "strict": True}, {"to": -1}],
    ids=str,
)
def test_a_threshold_that_an_edge_can_reach_is_accepted(settings):
    MpMix(**settings).check(STARS)


class Heavy(Estimate):
    """Counts in ounces what it values in shares, with rounding that is as large as the amounts."""

    unit = "ounce"

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 0.5 if seat == 1 else 0.25

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 3e9 * (0.1 + 0.2) if seat == 1 else 3e9 * 0.1


def test_rounding_grows_with_what_is_measured(monkeypatch):
    monkeypatch.setattr(Sticks, "estimates", (Heavy(),))
    game = Sticks(sticks=9)
    found = MpMix(to=6e8, depth=1).decide(game, game.new(), ask=Ask(compiled=False))
    assert found.notes["edge"] != 6e8
    assert (found.notes["mode"], found.notes["leader"]) == ("offensive", 1)
    assert MpMix(to=6e8, strict=True, depth=1).decide(game, game.new(), ask=Ask(compiled=False)).notes["mode"] == "maxn"


class TestTuned:
    """Thresholds that are not given are those that the estimate states."""

    @pytest.fixture
    def board(self, monkeypatch):
        game = standing(1, 4, 9)
        monkeypatch.setattr(type(game.estimate()), "tuned", (math.inf, 5.0))
        return game

    def test_the_default_is_the_threshold_of_the_estimate(self, board):
        assert MpMix().decide(board, board.new()).notes["mode"] == "offensive"
        assert MpMix().decide(board, board.new()).notes["threshold"] == 5.0
        assert MpMix(td=0.0).decide(board, board.new()).notes["mode"] == "offensive"

    def test_a_number_takes_its_place(self, board):
        found = MpMix(to=math.inf).decide(board, board.new()).notes
        assert found["mode"] == "maxn"
        assert "threshold" not in found
        assert MpMix(to=6).decide(board, board.new()).notes["mode"] == "maxn"

    def test_a_tuned_threshold_beyond_every_edge_is_not_refused(self, board, monkeypatch):
        monkeypatch.setattr(type(board.estimate()), "tuned", (1e6, 1e6))
        MpMix().fit(board)
        assert MpMix().decide(board, board.new()).notes["mode"] == "maxn"
        with pytest.raises(BadParameter, match="expected to of at most 8 points"):
            MpMix(to=1e6).fit(board)

    def test_an_estimate_states_none_unless_a_run_found_a_gain(self):
        assert Estimate.tuned == (math.inf, math.inf)
        game = standing(1, 4, 9)
        assert MpMix().decide(game, game.new()).notes["mode"] == "maxn"
