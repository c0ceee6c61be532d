"""Backgammon against its definition: turns by brute force, the counts of the literature, texts, phases, estimates."""

import random
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import stream
from kingmaker.core.workspace import workspace
from kingmaker.games.backgammon import Backgammon
from tests.samples import TWIN, positions

GAME, GAMMONS = Backgammon(), Backgammon(gammons=True)
BEGIN = "24:2,13:5,8:3,6:5"
OPENING_TURNS = {"21": 15, "31": 16, "41": 14, "55": 4, "61": 10, "66": 11}  # known from the literature
# counted by `brute_force` below and by list_turns alike
ALL_OPENING_TURNS = OPENING_TURNS | {
    "32": 17, "42": 18, "43": 17, "51": 8, "52": 8, "53": 9, "54": 9, "62": 14, "63": 14, "64": 14, "65": 7,
    "11": 42, "22": 75, "33": 73, "44": 52,
}  # fmt: skip


def at(mine, theirs, dice, seat=0):
    """A position with the checkers of the seat to move first."""
    first, second = (mine, theirs) if seat == 0 else (theirs, mine)
    return GAME.position(f"{first} {second} {dice} {seat}")


def turns(state):
    return {GAME.say(state, GAME.mover(state), move) for move in GAME.legal(state)}


def brute_force(state):
    """Every position that a turn may lead to: all orders of the dice, all checkers, as the rules are told.

    As many dice as possible must be used, and if only one of two can be, the larger one.
    """
    seat = int(state.seat)
    large, small = state.dice.tolist()
    board = state.checkers.tolist()
    reached = {((large,) * 4 if large == small else (large, small), tuple(board[seat]), tuple(board[1 - seat]))}
    best = todo = reached
    while todo:
        best, todo = todo, set()
        for left, mine, theirs in best:
            for die in set(left):
                rest = list(left)
                rest.remove(die)
                todo |= {(tuple(rest), *after) for after in single_moves(mine, theirs, die)}
    fewest = min(left for left, _, _ in best)  # of one die left, the smaller one: then the larger was used
    return {(mine, theirs) for left, mine, theirs in best if left == fewest}


def single_moves(mine, theirs, die):
    """All that one die can do."""
    for point in [25] if mine[25] else range(1, 25):
        goal = point - die
        if not mine[point] or (goal > 0 and theirs[25 - goal] > 1):
            continue
        if goal <= 0 and (any(mine[7:]) or (goal < 0 and any(mine[point + 1 :]))):
            continue
        own, other = list(mine), list(theirs)
        own[point] -= 1
        own[max(goal, 0)] += 1
        if goal > 0 and other[25 - goal]:
            other[25 - goal], other[25] = 0, other[25] + 1
        yield tuple(own), tuple(other)


def every_after(state):
    """The state after each listed turn."""
    for move in GAME.legal(state):
        after = GAME.copy(state)
        GAME.play(after, int(state.seat), move)
        yield after


def reached(state):
    """The positions to which the listed turns lead, each as often as it is reached."""
    seat = int(state.seat)
    boards = [after.checkers.tolist() for after in every_after(state)]
    return [(tuple(board[seat]), tuple(board[1 - seat])) for board in boards]


@pytest.mark.parametrize("dice", ALL_OPENING_TURNS)
def test_the_opening_has_as_many_turns_as_is_known(dice):
    for seat in range(2):
        state = at(BEGIN, BEGIN, dice, seat)
        assert len(GAME.legal(state)) == len(brute_force(state)) == ALL_OPENING_TURNS[dice]


def random_position(rng):
    """Checkers anywhere, which random play seldom brings about: on the bar, close to the end, behind many blocks."""
    rows = [[0] * 26, [0] * 26]
    few, pairs = ([1, 1, 13], [25, 24, 0]), ([2] * 7 + [1], [6, 12, 18])
    for seat, (heaps, reaches) in enumerate(rng.choice([(few, pairs), (([1] * 15, [6, 12, 25]),) * 2, (pairs, few)])):
        reach = rng.choice(reaches)
        for heap in heaps:
            free = [point for point in range(reach + 1) if point in (0, 25) or not rows[1 - seat][25 - point]]
            rows[seat][rng.choice(free) if heap < 9 else 0] += heap
    return rows


def test_turns_are_those_of_brute_force_each_once():
    rng, state = random.Random(5), at(BEGIN, BEGIN, "21")
    doubles = passes = single = 0
    for _ in range(300):
        rows = random_position(rng)
        if 15 in (rows[0][0], rows[1][0]):
            continue
        state.checkers[:] = rows
        state.dice[:] = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        found, expected = reached(state), brute_force(state)
        assert len(found) == len(set(found))
        assert set(found) == expected, GAME.notation(state)
        doubles += state.dice[0] == state.dice[1]
        passes += GAME.legal(state) == [0]
        single += all(0 < move < 32 or (move & 31 == 0 < move) for move in GAME.legal(state))
    assert min(doubles, passes, single) > 2


def test_the_larger_die_must_be_used_if_only_one_can_be():
    """From 13 either die can be used, but not both: seat 1 holds point 3. If 7 is held too, the 4 must be used."""
    assert turns(at("13:1,off:14", "22:2,1:13", "64")) == {"13/7"}
    assert turns(at("13:1,off:14", "22:2,18:2,1:11", "64")) == {"13/9"}


def test_both_dice_must_be_used_if_they_can_be():
    """The 6 could be used from 24 or from 14, but the 5 only from 14, and only if the 6 has not left it."""
    state = at("24:1,14:1,off:13", "22:2,20:2,17:2,12:2,6:7", "65")
    assert turns(state) == {"24/18 14/9"}


def test_a_checker_on_the_bar_enters_first_and_a_closed_board_passes():
    assert turns(at("bar:1,6:14", BEGIN, "31")) == {"bar/22 6/5", "bar/24 6/3", "bar/21"}
    assert turns(at("bar:1,6:14", "6:2,5:2,4:2,3:2,2:2,1:2,13:3", "66")) == {"pass"}


def test_checkers_are_borne_off_by_the_exact_die_or_from_the_highest_point():
    assert turns(at("6:1,3:1,off:13", "6:15", "53")) == {"6/1 3/off", "6/off"}
    assert turns(at("4:1,2:1,off:13", "6:15", "65")) == {"4/off 2/off"}
    assert turns(at("7:1,2:1,off:13", "6:15", "61")) == {"7/off", "7/1 2/1"}


def test_a_blot_in_passing_is_hit_and_tells_two_ways_apart():
    """From 13 to 4 with 6 and 3: a blot stands on 10."""
    state = at("13:1,off:14", "15:1,1:14", "63")
    assert turns(state) == {"13/4", "13/10*/4"}


def test_the_same_way_twice_is_written_once():
    assert "24/20(2) 13/9(2)" in turns(at(BEGIN, BEGIN, "44"))
    assert "24/16 13/9(2)" in turns(at(BEGIN, BEGIN, "44"))


@pytest.mark.parametrize(
    ("dice", "text", "said"),
    [
        ("31", "6/5 8/5", "8/5 6/5"),
        ("65", "24/18 18/13", "24/13"),
        ("65", "24/18/13", "24/13"),
        ("44", "24/20 24/20 13/9 13/9", "24/20(2) 13/9(2)"),
    ],
)
def test_a_turn_is_understood_in_any_order_and_joined_or_not(dice, text, said):
    state = at(BEGIN, BEGIN, dice)
    assert GAME.say(state, 0, GAME.parse(state, 0, text)) == said


def test_a_turn_that_may_mean_two_is_not_guessed():
    state = at("13:1,off:14", "15:1,1:14", "63")
    assert GAME.say(state, 0, GAME.parse(state, 0, "13/4")) == "13/4"
    assert GAME.say(state, 0, GAME.parse(state, 0, "13/10*/4")) == "13/10*/4"
    with pytest.raises(IllegalMove, match="is no legal move here; the moves are 13/4, 13/10"):
        GAME.parse(state, 0, "13/10 10/4")
    with pytest.raises(IllegalMove, match="'banana' is no legal move here"):
        GAME.parse(state, 0, "banana")


def test_rolls_have_their_true_odds():
    state = GAME.new()
    opening = {
        GAME.say(state, CHANCE, event): Fraction(odds).limit_denominator(100) for event, odds in GAME.chances(state)
    }
    assert opening == {f"{a}-{b}": Fraction(1, 30) for a in range(1, 7) for b in range(1, 7) if a != b}
    begun = GAME.after(state, GAME.parse(state, CHANCE, "2-5"))
    assert (GAME.mover(begun), begun.dice.tolist()) == (1, [5, 2])
    later = GAME.after(begun, GAME.legal(begun)[0])
    odds = {
        GAME.say(later, CHANCE, event): Fraction(odds).limit_denominator(100) for event, odds in GAME.chances(later)
    }
    assert len(odds) == 21
    assert sum(odds.values()) == 1
    assert all(share == (Fraction(1, 36) if roll[0] == roll[1] else Fraction(1, 18)) for roll, share in odds.items())


def test_rolls_are_drawn_as_often_as_their_odds_say():
    for state in (GAME.new(), GAME.position(f"{BEGIN} {BEGIN} - 0")):
        odds, rng = dict(GAME.chances(state)), stream(3, "roll")
        with np.errstate(over="ignore"):
            drawn = np.bincount([GAME.roll(state, rng) for _ in range(9000)], minlength=42)
        expected = np.array([9000 * odds.get(event, 0.0) for event in range(42)])
        assert drawn[expected == 0].sum() == 0
        held = expected > 0
        assert ((drawn - expected)[held] ** 2 / expected[held]).sum() < 60  # 29 or 20 degrees of freedom


@kernel
def counted_match(game, work):
    """Play work.states[0] to its end at random; how many steps, or -1 once a seat has other than fifteen checkers."""
    state, steps = work.states[0], 0
    while game.mover(state) != OVER:
        seat = game.mover(state)
        if seat == CHANCE:
            game.play(state, seat, game.roll(state, work.rng))
        else:
            game.play(state, seat, game.any_move(state, seat, work.rng, work.moves[0]))
        for each in range(2):
            checkers = 0
            for point in range(26):
                checkers += state.checkers[each, point] if state.checkers[each, point] >= 0 else 99
            if checkers != 15:
                return -1
        steps += 1
    return steps


def test_ten_thousand_random_matches_end_and_no_checker_vanishes():
    work, start = workspace(GAMMONS, 1, (), compiled=True), GAMMONS.new()
    play = counted_match.compiled.direct(GAMMONS, work.record)
    lengths, points = [], []
    for seed in range(10_000):
        work.rng.word = seed
        work.states[0] = start
        lengths.append(play(GAMMONS, work.record))
        points.append(abs(GAMMONS.payoffs(work.states[0])[0]))
    assert min(lengths) > 20
    assert set(points) == {1.0, 2.0, 3.0}


@pytest.mark.parametrize(
    ("loser", "points"),
    [("24:1,off:14", 1.0), ("18:15", 2.0), ("19:1,6:14", 3.0), ("bar:1,6:14", 3.0), ("6:15", 2.0), ("1:1,off:14", 1.0)],
)
def test_gammons_count_double_and_backgammons_three_times(loser, points):
    for seat, sides in enumerate((f"off:15 {loser}", f"{loser} off:15")):
        state = GAMMONS.position(f"{sides} - 0")
        assert GAMMONS.mover(state) == OVER
        assert GAMMONS.payoffs(state)[seat] == points == -GAMMONS.payoffs(state)[1 - seat]
        assert GAME.payoffs(GAME.position(f"{sides} - 0"))[seat] == 1.0


def test_a_race_begins_when_the_seats_have_passed_each_other():
    assert GAME.phase(GAME.new()) == "contact"
    assert GAME.phase(at("12:15", "12:15", "31")) == "race"
    assert GAME.phase(at("13:1,1:14", "13:1,1:14", "31")) == "contact"
    assert GAME.phase(at("bar:1,1:14", "2:1,off:14", "31")) == "contact"


def impact(state, estimate):
    """Does some turn of the mover change what the other seat measures, against another of its turns?"""
    seat, found, out = int(state.seat), set(), np.zeros(2)
    for after in islice(every_after(state), 40):
        estimate.measure(GAME, after, out)
        found.add(out[1 - seat])
    return len(found) > 1


@pytest.mark.parametrize("estimate", GAME.estimates, ids=str)
def test_the_impact_on_the_opponent_is_positive_in_contact_and_zero_in_a_race(estimate):
    sample = positions(GAME, count=40, seed=3)
    in_contact = [impact(state, estimate) for state in sample if GAME.phase(state) == "contact"]
    rng, state, races = random.Random(1), at(BEGIN, BEGIN, "21"), []
    for _ in range(25):
        rows = [[0] * 26, [0] * 26]
        for row in rows:
            for _ in range(15):
                row[rng.randint(0, 12)] += 1
        state.checkers[:] = rows
        state.dice[:] = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        assert GAME.phase(state) == "race"
        races.append(impact(state, estimate))
    assert any(in_contact)
    assert not any(races)


def test_pips_and_blots_are_counted():
    estimate, out = GAME.estimate("pips(blot=0.5)"), np.zeros(2)
    estimate.measure(GAME, GAME.new(), out)
    assert out.tolist() == [-167.0, -167.0]
    estimate.measure(
        GAME, at("24:1,8:1,6:13", "24:2,6:13", "31"), out
    )  # 8 is a blot before both on 24, and 24 before six
    assert out.tolist() == [-(24 + 8 + 78 + 0.5 * (1 + 17)), -(48 + 78)]
    estimate.measure(GAME, at("8:1,6:14", "6:15", "31"), out)
    assert out[0] == -(8 + 84)


def test_values_are_opposite_and_turn_with_the_table():
    out, turned = np.zeros(2), np.zeros(2)
    for state in positions(GAME, count=60, seed=8):
        mirror = GAME.copy(state)
        mirror.checkers[0], mirror.checkers[1] = state.checkers[1].copy(), state.checkers[0].copy()
        mirror.seat = 1 - state.seat
        for estimate in GAME.estimates:
            estimate.value(GAME, state, out)
            estimate.value(GAME, mirror, turned)
            assert out[0] == -out[1] == turned[1]


def test_intervals_begin_at_the_value_and_close_at_the_end():
    low, high, out = np.zeros(2), np.zeros(2), np.zeros(2)
    for game in (GAME, GAMMONS):
        over = game.position("off:15 6:15 - 0")
        for estimate in game.estimates:
            estimate.interval(game, game.new(), low, high)
            estimate.value(game, game.new(), out)
            assert low.tolist() == out.tolist()
            assert high.tolist() == [game.facts.high] * 2
            estimate.interval(game, over, low, high)
            assert low.tolist() == high.tolist() == list(game.payoffs(over))


def test_a_picture_fits_eighty_columns_and_tells_heaps_and_those_off():
    text = GAME.show(at("bar:2,6:7,off:6", "bar:1,1:14", "31", 1))
    assert max(map(len, text.splitlines())) <= 80
    assert "14" in text
    assert "O off 6" in text
    assert text.endswith("O is to move with 3 and 1")
    assert GAME.show(GAME.new()).endswith("the opening roll is to come")
    assert GAME.show(GAME.position(f"{BEGIN} {BEGIN} - 1")).endswith("O is to roll")
    assert GAME.show(GAME.position("off:15 6:15 - 0")).endswith("the match is over")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{BEGIN} {BEGIN} 31", "expected the checkers of both seats, dice and seat in a position of backgammon"),
        (f"24:2,13:6,8:3,6:5 {BEGIN} 31 0", r"expected 15 checkers of seat 0 in a position of backgammon\(\), got 16"),
        (f"{BEGIN} 24:1,13:5,8:3,6:5 31 0", r"expected 15 checkers of seat 1 in a position of backgammon\(\), got 14"),
        (f"{BEGIN} {BEGIN} 71 0", r"expected two dice from 1 to 6 like 31, or '-', in a position .*, got '71'"),
        (f"{BEGIN} {BEGIN} 31 2", "expected seat 0, 1 or '-' before the opening roll in a position of .*, got '2'"),
        (f"{BEGIN} {BEGIN} 31 -", "nobody has begun, but the dice are rolled in a position"),
        ("13:15 12:15 31 0", "both seats have checkers on point 13 of seat 0 in a position"),
        ("off:15 off:15 - 0", "both seats have borne off all checkers in a position"),
        (f"26:15 {BEGIN} 31 0", "expected a point with its checkers like 13:5 in a position of .*, got '26:15'"),
        (f"6:8,6:7 {BEGIN} 31 0", "expected every point once in a position of .*, got 6 again for seat 0"),
    ],
)
def test_a_position_that_breaks_a_rule_is_refused_by_its_name(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        GAME.position(text)


def test_a_part_of_a_blot_beyond_all_of_it_is_refused():
    with pytest.raises(BadParameter, match="expected a part from 0 to 1 for blot, got 2"):
        GAME.estimate("pips(blot=2.0)")


def test_a_layout_that_nobody_knows_is_refused():
    with pytest.raises(BadParameter, match=r"expected layout 'standard' or 'hyper', got 'long' in backgammon"):
        load_game("backgammon(layout=long)")


def test_hypergammon_has_three_checkers_on_the_farthest_points():
    game = Backgammon(layout="hyper")
    assert game.notation(game.new()) == "24:1,23:1,22:1 24:1,23:1,22:1 - -"
    with pytest.raises(BadPosition, match="expected 3 checkers of seat 0 in a position of backgammon"):
        game.position(f"{BEGIN} {BEGIN} 31 0")


def test_states_that_no_match_can_come_to_are_not_admitted():
    for change in ("state.seat = 2", "state.dice[1] = 7", "state.checkers[0, 6] = 6", "state.checkers[1, 24] = -1"):
        state = at(BEGIN, BEGIN, "31")
        exec(change, {"state": state})
        assert not GAME.admits(state), change


def test_two_plies_average_the_rolls_between_them():
    """Depth 2 is one's own turn, all 21 rolls of the other seat by their odds, and its best reply to each."""
    state, out = at("3:2,off:13", "2:1,1:2,off:12", "21"), np.zeros(2)
    found = load_agent("maxn(depth=2, estimate=pips)").decide(GAME, state, ask=TWIN)
    estimate = GAME.estimate("pips")
    for entry in found.moves:
        after, expected = GAME.after(state, entry.move), 0.0
        for event, odds in GAME.chances(after):
            rolled, best = GAME.after(after, event), -np.inf
            for move in GAME.legal(rolled):
                end = GAME.after(rolled, move)
                estimate.value(GAME, end, out) if GAME.mover(end) != OVER else GAME.payoff(end, out)
                best = max(best, out[1])
            expected -= odds * best
        assert entry.values[0] == pytest.approx(expected)


@pytest.mark.parametrize(("layout", "most"), [("standard", 0.4), ("hyper", 0.6)])
def test_star2_visits_fewer_nodes_for_the_same_move(layout, most):
    game = Backgammon(layout=layout)
    state = game.position(f"{game.notation(game.new(0)).split(' - ')[0]} 31 0")
    every, pruned = (
        load_agent(text).decide(game, state, ask=TWIN) for text in ("minimax(depth=2)", "alpha_beta(depth=2, star=2)")
    )
    assert pruned.nodes < most * every.nodes
    assert (pruned.move, pruned.values) == (every.move, pytest.approx(every.values))


def test_the_game_and_its_name_are_known():
    assert str(load_game("backgammon(gammons=true)")) == str(GAMMONS)
    assert GAME.State.itemsize <= 64
