"""A series: hands one after the other, totals in the state, and searches that see who leads."""

from itertools import permutations

import numpy as np
import pytest

from kingmaker import Estimate, Facts, Game, load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.arena.table.table import Table
from kingmaker.core.errors import BadParameter, BadPosition
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.rng import stream
from kingmaker.core.secrets import world_of
from kingmaker.games.hearts import Hearts
from kingmaker.games.series import Series
from kingmaker.games.sticks import Sticks
from kingmaker.probe.conformance import examine
from kingmaker.probe.random_walk import wandered
from kingmaker.soundness.fault import frozen
from kingmaker.stats.places import best_seats
from tests.samples import OWN_GAMES, TWIN, any_of

SERIES = Series(Sticks(sticks=4), hands=3)
RANDOM = [load_agent("random")] * 3


def hands_of(game, seed):
    """Every hand of a random match: the payoffs of the hand, and the totals after it."""
    table, found = Table(game, RANDOM, seed), []
    with np.errstate(over="ignore"):
        while table.mover != OVER:
            turn, _ = table.turn()
            table.take(turn)
            if game.is_hand_over(table.state):
                found.append((game.game.payoffs(table.state.hand[0]), tuple(table.state.totals.tolist())))
    return found, table


def test_so_many_hands_are_played_and_their_payoffs_add_up():
    for seed in range(5):
        hands, table = hands_of(SERIES, seed)
        assert len(hands) == 3 == table.state.hands
        for number, (_, totals) in enumerate(hands, 1):
            assert totals == tuple(map(sum, zip(*(payoffs for payoffs, _ in hands[:number]), strict=True)))
        assert SERIES.payoffs(table.state) == hands[-1][1]


def test_it_ends_when_somebody_has_the_points_won_or_lost():
    for game in (Series(Sticks(sticks=4), points=2), Series(load_game(str(OWN_GAMES / "kuhn.py")), points=4)):
        for seed in range(5):
            hands, _ = hands_of(game, seed)
            reached = [max(map(abs, totals)) >= game.points for _, totals in hands]
            assert reached == [False] * (len(hands) - 1) + [True]


class Shares(Game):
    """One move; the payoffs are as dealt."""

    State = np.dtype([("kind", np.int8), ("over", np.int8)])
    facts = Facts(low=0.0, high=1.0, total=1.0, constant_sum=True)
    seats, max_moves = 3, 1

    def start(self, state, rng):
        state.kind = rng.word % np.uint64(3)

    def mover(self, state):
        return OVER if state.over else 0

    def moves(self, state, seat, out):
        out[0] = 0
        return 1

    def play(self, state, seat, move):
        state.over = 1

    def payoff(self, state, out):
        for seat in range(3):
            out[seat] = 1 / 3 if state.kind == 0 else float(state.kind - 1 == seat)


def test_ties_survive_that_totals_are_added_up_in_any_order():
    game = Series(Shares(), hands=6)
    for order in set(permutations([0, 0, 0, 1, 2, 0])):
        state = game.blank()
        for kind in order:
            state.hand[0] = game.blank_hand[0]
            state.hand[0].kind, state.hand[0].over = kind, 1
            game.count(state)
        assert best_seats(game.payoffs(state)) == (0, 1)


def test_points_are_reached_but_for_rounding():
    game = Series(Shares(), points=1)
    state = game.blank()
    state.hand[0].over = 1
    for _ in range(3):
        assert not game.is_series_over(state)
        game.count(state)
    assert game.is_series_over(state)


def test_a_new_hand_is_a_chance_event_that_nobody_can_list():
    state = SERIES.after(SERIES.new(1), 3, 1)
    assert SERIES.mover(state) == CHANCE
    assert not SERIES.can_list(state)
    again = SERIES.copy(state)
    with np.errstate(over="ignore"):
        deal = SERIES.roll(state, stream(1))
        for each in (state, again):
            SERIES.play(each, CHANCE, deal)
    assert frozen(state) == frozen(again)
    assert SERIES.mover(state) == 0
    assert SERIES.say(SERIES.after(SERIES.new(1), 3, 1), CHANCE, 17) == "deal 17"


@pytest.mark.parametrize(
    "text", ["maxn(depth=9)", "paranoid(depth=9)", "max_prob(depth=9)", "mp_mix(td=1, to=1, depth=9)"]
)
def test_searches_look_to_the_end_of_the_hand_and_see_the_totals(text):
    agent, state = load_agent(text), SERIES.new(1)
    state.totals[:] = 0.0, 1.0, 0.0
    state.hands = 1
    found = agent.decide(SERIES, state, ask=TWIN)
    assert found.stopped == "depth"  # nothing is solved, for what the next hand brings is not known
    if text.startswith("maxn"):
        alone = agent.decide(SERIES.game, state.hand[0], ask=TWIN)
        assert found.move == alone.move
        assert found.values == tuple(np.add(alone.values, (0.0, 1.0, 0.0)))


def test_mp_mix_attacks_whoever_leads_in_the_match():
    state = SERIES.new(1)
    agent = load_agent("mp_mix(td=1, to=1, depth=2)")
    assert agent.decide(SERIES, state, ask=TWIN).notes["mode"] == "maxn"
    state.totals[:] = 0.0, 0.0, 2.0
    state.hands = 2
    notes = agent.decide(SERIES, state, ask=TWIN).notes
    assert (notes["mode"], notes["leader"], notes["edge"]) == ("offensive", 2, 2.0)


def test_compiled_and_interpreted_find_the_same():
    state = SERIES.new(1)
    state.totals[:] = 0.0, 1.0, 0.0
    for text in ("maxn(depth=4)", "max_prob(depth=4)"):
        agent = load_agent(text)
        machine, twin = agent.decide(SERIES, state), agent.decide(SERIES, state, ask=TWIN)
        assert (machine.move, machine.values, machine.nodes) == (twin.move, twin.values, twin.nodes)


def test_check_calls_it_sound():
    report = examine("series(sticks(sticks=4), hands=3)", games=20)
    assert report.passed, report


def test_secrets_of_the_hand_stay_secrets():
    game = load_game(f"series('{OWN_GAMES / 'kuhn.py'}', hands=4)")
    state = game.new(3)
    worlds = [world_of(game, state, 1, stream(seed)) for seed in range(20)]
    assert {int(world.hand[0].cards[1]) for world in worlds} == {int(state.hand[0].cards[1])}
    assert len({tuple(world.hand[0].cards.tolist()) for world in worlds}) == 6
    assert game.show(state, 1).startswith("cards ? ")
    match = play_match(game, [load_agent("maxn(depth=3, one_world=True)"), *RANDOM[1:]], seed=2)
    assert match.finished
    assert sum(match.payoffs) == 0


def test_texts_nest_and_positions_are_read_back():
    game = load_game("series(sticks(sticks=5), hands=3)")
    assert str(game) == "series(game=sticks(sticks=5), hands=3)"
    assert str(load_game(str(game))) == str(game)
    _, table = hands_of(game, 4)
    for state in (game.new(4), table.state):
        assert frozen(game.position(game.notation(state))) == frozen(state)


def test_a_series_has_the_estimates_of_its_game_by_their_names():
    game = load_game("series(light_bike(seats=2, width=4, height=4), hands=2)")
    assert [estimate.name for estimate in game.estimates] == [each.name for each in game.game.estimates]
    assert isinstance(game.estimate("territory"), Estimate)


def test_an_estimate_of_the_hand_may_have_other_parameters():
    game = load_game("series(hearts(open=True), hands=2)")
    usual, other = game.estimate("composition"), game.estimate("composition(rank=0, standing=1)")
    assert not usual.values_equivalents_alike
    assert other.values_equivalents_alike
    assert str(other) == str(game.game.estimate("composition(rank=0, standing=1)"))
    with pytest.raises(ValueError, match="unknown parameter 'weight' in composition"):
        game.estimate("composition(weight=1)")
    with pytest.raises(ValueError, match="unknown estimate 'distance'"):
        game.estimate("distance")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("series(sticks)", r"expected either hands or points in a series of sticks\(\), got neither"),
        ("series(sticks, hands=2, points=3)", "expected either hands or points in a series of .*, got both"),
        ("series(sticks, hands=0)", "expected 1 to 10000 hands in a series, got 0"),
        ("series(sticks, points=-1)", "expected a positive number of points in a series, got -1"),
        ("series(hands=2)", "cannot make series"),
        ("series(stiks, hands=2)", "unknown game 'stiks'"),
    ],
)
def test_what_is_no_series_is_refused(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        load_game(text)


def test_objects_as_states_are_refused():
    with pytest.raises(BadParameter, match="expected a game whose states are records in a series"):
        Series(Plain(), hands=2)


class Plain(Shares):
    """States are objects."""

    State = dict


@pytest.mark.parametrize(
    "text",
    ["", "x 0,0,0 0 left=1 seat=0 winner=0", "1 0,0 0 left=1 seat=0 winner=0", "1 nan,0,0 0 left=1 seat=0 winner=0"],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(
        BadPosition, match=r"HANDS TOTAL,TOTAL,… LUCK POSITION|the hands or totals of .* cannot occur in"
    ):
        SERIES.position(text)


def test_hearts_is_played_until_somebody_has_so_many_points_and_the_fewest_win():
    game = Series(Hearts(ranks=5), points=40)
    four = [load_agent("weak_rational"), *[load_agent("random")] * 3]
    for seed in range(3):
        match = play_match(game, four, seed)
        assert max(-paid for paid in match.payoffs) >= 40 > max(-paid for paid in match.payoffs) - 18
        assert sum(match.payoffs) % 18 == 0


def test_three_hands_of_hearts_are_78_points_and_searches_see_who_leads():
    game = load_game("series(hearts(open=True), hands=3)")
    assert (game.facts.low, game.facts.high, game.facts.total, game.facts.constant_sum) == (-78, 0, -78, True)
    state = game.new(1)
    ahead = (game.mover(state) + 1) % 4
    state.totals[:] = -50.0
    state.totals[ahead] = 0.0
    notes = load_agent("mp_mix(td=1, to=1, depth=1, quiet=3)").decide(game, state, ask=TWIN).notes
    assert (notes["mode"], notes["leader"], notes["unit"]) == ("offensive", ahead, "point")
    assert play_match(load_game("series(hearts, hands=3)"), [load_agent("random")] * 4, 1).payoffs[0] <= 0


def test_worlds_of_a_series_of_hearts_tell_no_more_than_the_seat_knows():
    game = load_game("series(hearts(rules=parlour, ranks=4), hands=2)")
    state = game.new(3)
    for seat in range(4):
        other = world_of(game, state, seat, stream(9))
        assert frozen(world_of(game, state, seat, stream(2))) == frozen(world_of(game, other, seat, stream(2)))


def test_a_new_hand_knows_what_was_kept_of_the_last_one(wrapping):
    """Cards are passed another way in every hand of Hearts, and bags of Spades are counted on."""
    game, rng = load_game("series(hearts(rules=parlour, ranks=4), hands=5)"), stream(1)
    state, ways = game.new(1), []
    bagged, bags = load_game("series(spades(bids=True, bags=True, ranks=4), hands=5)"), []
    for each, seen, what in (
        (game, ways, lambda hand: int(hand.kept[0])),
        (bagged, bags, lambda hand: hand.kept.tolist()),
    ):
        state = each.new(1)
        while each.mover(state) != OVER:
            if each.mover(state) == CHANCE:
                before = what(state.hand[0])
            event = each.mover(state) == CHANCE
            each.play(state, each.mover(state), any_of(each, state, rng))
            if event:
                seen.append((before, what(state.hand[0])))
    assert ways == [(1, 2), (2, 3), (3, 4), (4, 5)]
    assert all(before == after for before, after in bags)
    assert any(any(after) for _, after in bags)


@pytest.mark.parametrize("text", ["hearts(rules=parlour, ranks=4)", "spades(bids=True, bags=True, ranks=4)"])
def test_machine_code_keeps_the_same(text):
    game = load_game(f"series({text}, hands=4)")
    machine, twin = (wandered(game, game.new(2), stream(2), compiled) for compiled in (True, False))
    assert [game.notation(state) for state in machine] == [game.notation(state) for state in twin]
    assert twin[-1].hands == 4


SHORT_HEARTS = "hearts(open=True, ranks=4)"


def walked(game, seed, plies):
    """The state so many plies into a random match, or its last one."""
    states = wandered(game, game.new(seed), stream(seed), False)
    return states[min(plies, len(states) - 1)]


@pytest.mark.parametrize(
    "text",
    [f"series({SHORT_HEARTS}, hands=3)", f"series({SHORT_HEARTS}, points=20)", "series(spades(ranks=4), hands=2)"],
)
def test_intervals_hold_every_end_of_the_series_and_close_when_it_is_over(text):
    game, rng = load_game(text), stream(5)
    low, high = np.zeros(4), np.zeros(4)
    with np.errstate(over="ignore"):
        for state in [walked(game, seed, plies) for seed, plies in enumerate((0, 7, 16, 18, 25, 33))]:
            game.estimates[0].interval(game, state, low, high)
            for _ in range(10):
                end = game.copy(state)
                while (seat := game.mover(end)) != OVER:
                    game.play(end, seat, game.roll(end, rng) if seat == CHANCE else any_of(game, end, rng))
                paid = np.array(game.payoffs(end))
                assert (low <= paid).all(), game.notation(state)
                assert (paid <= high).all(), game.notation(state)
                game.estimates[0].interval(game, end, low_end := np.zeros(4), high_end := np.zeros(4))
                assert tuple(low_end) == tuple(high_end) == tuple(paid)


def test_a_small_lead_with_many_hands_to_come_is_no_match_that_is_won():
    """After two tricks of a hundred hands, in which nobody has more than a few points."""
    game = load_game(f"series({SHORT_HEARTS}, hands=100)")
    state = walked(game, 1, 8)
    found = load_agent("max_prob(depth=4, quiet=3)").decide(game, state, ask=TWIN)
    assert all(0.2 < chance < 0.3 for chance in found.values)


def test_an_estimate_that_is_assumed_never_to_fall_ends_at_the_highest_total_of_the_series():
    low, high = np.zeros(4), np.zeros(4)
    for text, ceiling in (("spades(open=True), hands=3", 390), ("spades(open=True), points=200", 330)):
        game = load_game(f"series({text})")
        estimate = game.estimate("holding(rising=1)")
        estimate.interval(game, state := walked(game, 3, 60), low, high)
        assert tuple(high) == (ceiling,) * 4
        estimate.value(game, state, values := np.zeros(4))
        assert tuple(low) == tuple(values) > (0, 0, 0, 0)
