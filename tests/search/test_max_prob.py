"""Max-Prob: exact on complete trees, bounded by intervals, against exact fractions and the paper's figures."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from kingmaker import Estimate, Facts, load_agent, load_game, win_probability
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch, UnknownName
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.light_bike import LightBike
from kingmaker.games.random_tree import RandomTree
from kingmaker.games.sticks import Sticks
from kingmaker.probe.conformance import examine, win_distinguishing
from tests.search import prob_oracles

EXAMPLES = Path(__file__).parents[2] / "examples"
FIG1 = load_game(f"explicit_tree(file='{EXAMPLES / 'max_prob_fig1.json'}')")
FIG2 = load_game(f"explicit_tree(file='{EXAMPLES / 'max_prob_fig2.json'}')")
WINS = RandomTree(seats=3, branching=3, height=4, kind="binary")
POINTS = RandomTree(seats=4, branching=3, height=4, values=3)
DICE = RandomTree(seats=3, branching=3, height=4, values=4, chance=2)
DUEL = RandomTree(seats=2, branching=3, height=5, kind="binary")
BIKES = LightBike(seats=3, width=4, height=4, starts="distinct")
A, B = 0, 1


def decide(game, text, seed=0, compiled=False, **options):
    """The decision at the seed's start. Interpreted, for one test is enough to show that machine code finds the
    same.
    """
    return load_agent(text).decide(game, game.new(seed), stream(seed, "agent"), ask=Ask(compiled=compiled, **options))


def near(found, exact):
    return np.allclose(found, [float(value) for value in exact], rtol=0, atol=1e-12)


def test_the_first_figure_is_won_with_two_thirds():
    decision = decide(FIG1, "max_prob()")
    assert FIG1.say(FIG1.new(), 0, decision.move) == "b"
    assert decision.value_of(A) == (1 / 2, 0.0, 1 / 2)
    assert near(decision.value_of(B), (Fraction(2, 3), 0, Fraction(2, 3)))
    assert decision.values == decision.value_of(B)
    assert decision.notes == {"win_probabilities": {A: 1 / 2, B: decision.values[0]}, "tie_set": [B]}
    assert decision.stopped == "solved"
    assert prob_oracles.win_chances(FIG1, FIG1.new(), 9, None) == (Fraction(2, 3), 0, Fraction(2, 3))


def test_in_the_first_figure_paranoid_gets_seven_twelfths_and_maxn_43_72nds():
    state = FIG1.new()
    assert prob_oracles.paranoid_choice(FIG1, state) == [Fraction(1, 2), Fraction(1, 2)]
    assert prob_oracles.maxn_choice(FIG1, state) == [Fraction(5, 12), Fraction(7, 12)]
    assert prob_oracles.expected_utility(FIG1, state, prob_oracles.paranoid_choice(FIG1, state)) == Fraction(7, 12)
    assert prob_oracles.expected_utility(FIG1, state, prob_oracles.maxn_choice(FIG1, state)) == Fraction(43, 72)
    assert prob_oracles.expected_utility(FIG1, state, [0, 1]) == Fraction(2, 3)


@pytest.mark.parametrize(
    ("text", "share"), [("paranoid(depth=2, order='shuffled')", 1 / 2), ("maxn(depth=2, ties='random')", 5 / 12)]
)
def test_in_the_first_figure_our_paranoid_and_maxn_choose_as_often_as_the_paper_says(text, share):
    tries = 800
    wrong = sum(decide(FIG1, text, seed).move == A for seed in range(tries))
    assert abs(wrong / tries - share) < 4 * (share * (1 - share) / tries) ** 0.5


def test_the_second_figure_averages_where_two_children_are_equal():
    decision = decide(FIG2, "max_prob(depth=2)")
    assert decision.value_of(0) == pytest.approx((0.875, 0.125, 0.0), abs=1e-15)
    assert decision.value_of(1) == pytest.approx((0.25, 0.5, 0.25), abs=1e-15)
    assert [FIG2.say(FIG2.new(), 0, decision.move), decision.line] == ["e", (0, 1)]


def test_the_figures_are_solved_without_a_budget():
    assert decide(FIG2, "max_prob()").stopped == "solved"
    assert decide(FIG2, "max_prob()").values == (0.5, 0.5, 0.0)


@pytest.mark.parametrize("ties", ["shared", "split"])
@pytest.mark.parametrize("game", [WINS, POINTS, DICE], ids=str)
def test_values_and_best_moves_equal_exact_fractions(game, ties):
    for seed in range(4):
        for depth in (1, 2, 3, 4):
            state = game.new(seed)
            decision = decide(game, f"max_prob(depth={depth}, ties='{ties}')", seed)
            assert near(decision.values, prob_oracles.win_chances(game, state, depth, game.estimate(), ties == "split"))
            best = prob_oracles.best_moves(game, state, depth, game.estimate(), ties == "split")
            assert decision.notes["tie_set"] == best
            assert decision.move in best


@pytest.mark.parametrize("name", ["room", "territory"])
def test_light_bike_values_equal_exact_fractions(name):
    for seed in range(4):
        decision = decide(BIKES, f"max_prob(depth=3, estimate='{name}')", seed)
        assert near(decision.values, prob_oracles.win_chances(BIKES, BIKES.new(seed), 3, BIKES.estimate(name)))


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        (POINTS, "nodes=60, ties='split', order='shuffled'"),
        (DICE, "depth=4, table=10"),
        (BIKES, "depth=4, estimate='territory', order='history'"),
    ],
    ids=str,
)
def test_compiled_and_interpreted_are_one(game, settings):
    for seed in range(5):
        machine, twin = (decide(game, f"max_prob({settings})", seed, compiled=way) for way in (True, False))
        for part in ("move", "values", "moves", "line", "nodes", "depth", "stopped", "notes"):
            assert getattr(machine, part) == getattr(twin, part)


def test_with_two_seats_that_win_or_lose_it_is_minimax():
    for seed in range(10):
        ours, theirs = decide(DUEL, "max_prob(depth=5)", seed), decide(DUEL, "minimax(depth=5)", seed)
        assert ours.values == theirs.values
        assert set(ours.values) == {0.0, 1.0}
        assert theirs.move in ours.notes["tie_set"]
        assert [each.values for each in ours.moves] == [each.values for each in theirs.moves]


@pytest.mark.parametrize("settings", ["order='history'", "order='shuffled'", "table=12"])
def test_order_and_table_never_change_what_is_found(settings):
    for seed in range(8):
        plain, other = decide(POINTS, "max_prob(depth=4)", seed), decide(POINTS, f"max_prob(depth=4, {settings})", seed)
        assert near(other.values, plain.values)
        assert other.notes["tie_set"] == plain.notes["tie_set"]


def test_chances_of_single_wins_add_up_to_one():
    game = Sticks(seats=4, sticks=8)
    decision = decide(game, "max_prob(depth=8)")
    assert all(sum(entry.values) == pytest.approx(1.0, abs=1e-12) for entry in decision.moves)


def test_of_equal_root_moves_the_one_with_the_higher_estimate_is_played():
    tree = ExplicitTree(
        {"moves": [{"moves": [(1, 0, 0)], "estimate": guess} for guess in ([0, 1, 1], [1, 0, 0], [0.5, 0, 0])]}
    )
    for seed in range(10):
        decision = decide(tree, "max_prob()", seed)
        assert [decision.move, decision.notes["tie_set"], decision.line] == [1, [0, 1, 2], (1, 0)]


def test_of_root_moves_equal_in_all_each_is_as_likely():
    tree = ExplicitTree([[(1, 0, 0), (0, 1, 0)], [(1, 0, 1)], [(0, 1, 1), (1, 1, 1)], [(1, 0, 0)], [(1, 1, 0)]])
    tries = 450
    moves = [decide(tree, "max_prob(depth=2)", seed).move for seed in range(tries)]
    assert set(moves) == {1, 3, 4}
    assert all(abs(moves.count(each) / tries - 1 / 3) < 4 * (2 / 9 / tries) ** 0.5 for each in (1, 3, 4))


def test_chances_that_differ_by_rounding_are_equal():
    sums = {"moves": [(1, 0, 0), (0, 1, 1), (1, 0, 0)], "odds": [0.2, 0.7, 0.1]}
    tree = ExplicitTree({"moves": [sums, {"moves": [(1, 1, 0), (0, 0, 1)], "odds": [0.3, 0.7]}]})
    assert decide(tree, "max_prob()").notes["tie_set"] == [0, 1]
    assert decide(tree, "max_prob()").values == pytest.approx((0.3, 0.5, 0.7))
    assert decide(tree, "max_prob(tolerance=0)").notes["tie_set"] == [1]


def test_the_set_is_everything_within_the_tolerance_of_the_best_in_any_order():
    chances = [0.0, 0.06, 0.12, 0.18]
    wins = [{"moves": [(1, 0, 0), (0, 1, 0)], "odds": [0.5 + p, 0.5 - p]} for p in chances]
    for order in (wins, wins[::-1], wins[2:] + wins[:2]):
        decision = decide(ExplicitTree({"moves": order}), "max_prob(tolerance=0.1)")
        assert decision.values == pytest.approx((0.65, 0.35, 0.0))
        assert len(decision.notes["tie_set"]) == 2


def test_at_the_end_the_payoff_counts_and_never_an_interval():
    tree = ExplicitTree(
        {"moves": [{"payoff": [1, 0], "interval": [[0, 1], [5, 6]]}, {"payoff": [0, 1], "interval": [[5, 6], [0, 1]]}]}
    )
    assert decide(tree, "max_prob(depth=1)").values == (1.0, 0.0)


def test_where_payoffs_are_points_the_most_win():
    tree = ExplicitTree([(3, 3, 1), (2, 9, 0)])
    assert decide(tree, "max_prob()").values == (1.0, 1.0, 0.0)
    assert decide(tree, "max_prob(ties='split')").values == (0.5, 0.5, 0.0)


def test_without_any_estimate_everybody_is_as_likely_to_win_before_the_end():
    game = Sticks(seats=3, sticks=9)
    assert decide(game, "max_prob(depth=1)").values == (1 / 3, 1 / 3, 1 / 3)
    assert near(decide(game, "max_prob(depth=9)").values, prob_oracles.win_chances(game, game.new(), 9, None))


def test_the_tree_is_recorded_with_chances():
    tree = decide(FIG1, "max_prob()", record=100).tree
    assert tree.nodes["values"][0] == pytest.approx((2 / 3, 0, 2 / 3))
    assert len(tree) == 8


def test_a_search_that_finished_nothing_has_no_notes():
    decision = decide(POINTS, "max_prob(nodes=2)")
    assert (decision.depth, decision.values, decision.notes) == (0, None, {})


@pytest.mark.parametrize(
    ("game", "names"),
    [(BIKES, ("room", "territory")), (WINS, ("guess", "guess(1, 0.5)")), (POINTS, ("guess",))],
    ids=str,
)
def test_intervals_end_as_points_that_tell_who_wins(game, names):
    for name in names:
        for state in final_states(game, 12):
            low, high = interval(game, name, state)
            with np.errstate(over="ignore"):
                payoffs = np.array(game.payoffs(state))
            assert tuple(win_probability(low, high)) == tuple((payoffs == payoffs.max()).astype(float))


def interval(game, name, state):
    low, high = np.zeros(game.seats), np.zeros(game.seats)
    with np.errstate(over="ignore"):
        game.estimate(name).interval(game, state, low, high)
    return low, high


def final_states(game, count):
    """Ends of random matches, among them those where the last riders fall together."""
    found = []
    for seed in range(count):
        state, rng = game.new(seed), np.random.default_rng(seed)
        with np.errstate(over="ignore"):
            while game.mover(state) != prob_oracles.OVER:
                if game.facts.simultaneous:
                    game.step(state, {seat: int(rng.choice(game.legal(state, seat))) for seat in game.acting(state)})
                else:
                    game.play(state, game.mover(state), int(rng.choice(game.legal(state))))
        found.append(state)
    return found


def test_guesses_stay_inside_their_intervals_and_the_bounds():
    for name in ("guess", "guess(2, 0.75)", "guess(0, 0.0)"):
        for seed in range(20):
            low, high = interval(POINTS, name, POINTS.new(seed))
            value = np.zeros(4)
            with np.errstate(over="ignore"):
                POINTS.estimate(name).value(POINTS, POINTS.new(seed), value)
            assert (low >= 0).all()
            assert (low <= value).all()
            assert (value <= high).all()
            assert (high <= 2).all()


def test_an_estimate_without_intervals_is_refused_with_those_that_have_them():
    with pytest.raises(
        Mismatch,
        match=r"max_prob needs intervals, which survival\(\) of light_bike.* does "
        r"not give; use estimate='room\(\)' or estimate='territory",
    ):
        decide(BIKES, "max_prob(depth=2)")


class Count(Estimate):
    def value(self, game, state, out):
        out[:] = [1 + seat for seat in range(game.seats)]

    def interval(self, game, state, low, high):
        self.value(game, state, low)
        high[:] = game.seats


class Counted(Sticks):
    estimates = (Count(),)


def test_a_game_without_intervals_is_told_how_to_get_them():
    with pytest.raises(Mismatch, match=r"use maxn, or give the estimate a method interval\(game, state, low, high\)"):
        decide(Counted(), "max_prob(depth=2)")


class Crowd(Sticks):
    facts = Facts(seats=(2, 40), low=0.0, high=1.0)


def test_more_than_sixteen_seats_are_refused():
    with pytest.raises(
        Mismatch, match=r"max_prob cannot play crowd\(seats=17\) with 17 seats, only with up to 16; use maxn"
    ):
        decide(Crowd(seats=17), "max_prob(depth=2)")


@pytest.mark.parametrize("value", ["-0.1", "1", "inf"])
def test_a_tolerance_that_makes_no_sense_is_refused(value):
    with pytest.raises(BadParameter, match="expected a tolerance from 0 up to, not including, 1, got"):
        load_agent(f"max_prob(tolerance={value})")


def test_an_unknown_tie_rule_is_refused():
    with pytest.raises(UnknownName, match=r"unknown tie rule 'halved' in max_prob\(ties='halved'\); did you mean s"):
        load_agent("max_prob(ties='halved')")


class Distinct(Count):
    has_intervals = True

    def interval(self, game, state, low, high):
        self.value(game, state, low)
        self.value(game, state, high)


class Silent(Distinct):
    def value(self, game, state, out):
        out[0] = 1 // (state.left > 0)


class Told(Distinct):
    def final(self, game, state, out):
        game.payoff(state, out)

    def interval(self, game, state, low, high):
        game.payoff(state, low)
        game.payoff(state, high)


class Blind(Told):
    """Its `final` is the payoff and so always right, but its intervals tell nobody apart."""

    def interval(self, game, state, low, high):
        low[:], high[:] = 0, 1


def test_an_estimate_that_does_not_tell_winners_apart_is_found_out():
    game = Sticks(seats=2, sticks=3)
    won, lost = game.after(game.new(), 2, 1), game.after(game.new(), 3)
    assert win_distinguishing(game, Distinct(), [game.new(), won]) is None
    assert "expected the highest value for the seats [0], which win, and no other, got (1.0, 2.0)" in str(
        win_distinguishing(game, Distinct(), [won, lost])
    )
    assert re.search(r"silent.value \(.*\) at left=0", str(win_distinguishing(game, Silent(), [lost])))
    assert win_distinguishing(game, Told(), [won, lost]) is None
    assert re.search(r"blind.interval \(.*\) at left=0", str(win_distinguishing(game, Blind(), [won])))


def test_the_check_of_a_game_names_estimates_that_do_not_tell_winners_apart(tmp_path):
    file = tmp_path / "vague.py"
    file.write_text(
        "from kingmaker import Estimate\nfrom kingmaker.games.explicit_tree import ExplicitTree\n"
        "class Same(Estimate):\n    has_intervals = True\n"
        "    def value(self, game, state, out):\n        out[:] = 0.25\n"
        "    def interval(self, game, state, low, high):\n        low[:], high[:] = 0.25, 1\n"
        "class Vague(ExplicitTree):\n    def __init__(self):\n        super().__init__([(1, 0, 0), (0, 1, 1)])\n"
        "        self.estimates = (Same(),)\n"
    )
    checks = {check.name: check for check in examine(str(file), games=5).checks}
    broken = checks.pop("the estimate same() is win-distinguishing")
    assert not broken.passed
    assert "same.value (" in broken.detail
    assert all(check.passed for check in checks.values())


def test_the_intervals_of_our_games_are_win_distinguishing():
    for game in (BIKES, LightBike(seats=4, width=5, height=4, walls="vanish"), WINS, POINTS):
        with np.errstate(over="ignore"):
            states = final_states(game, 20)
            found = [
                win_distinguishing(game, estimate, states) for estimate in game.estimates if estimate.has_intervals
            ]
        assert len(found) >= 2
        assert set(found) == {None}
