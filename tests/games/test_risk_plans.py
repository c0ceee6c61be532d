"""Plans at Risk: their exact odds, their bids, the tree that searches see, and how a plan is carried out."""

from collections import Counter

import numpy as np
import pytest

from kingmaker import load_agent, load_game, win_probability
from kingmaker.arena.table.match import play_match
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.rng import below, stream
from kingmaker.games.parts.risk.orders import PLACE, STOP, STORM
from kingmaker.games.parts.risk.paths import length_of, next_on, odds_of, source_of
from kingmaker.games.parts.risk.plans import RiskPlans
from kingmaker.games.parts.risk.players import Course
from tests import oracles
from tests.games.test_risk import ends, shares_by_hand, to_win
from tests.samples import CHANCE, OVER, TWIN, same

LINE = "all 0: a b c d e f; a-b b-c c-d d-e e-f"
CLASSIC = RiskPlans()
SMALL = RiskPlans(seats=3, map="three_islands", armies=6, limit=4)


def line_of(force, defenders, nerve):
    """A path along a line against these defenders, in a game and a state of its own."""
    game = RiskPlans(seats=2, map=LINE, armies=9, nerve=nerve)
    others = [*defenders, *[1] * (5 - len(defenders))]
    state = game.position(f"A{force},{','.join(f'B{d}' for d in others)} 0 place 1 0")
    path = 0 | len(defenders) << 6
    for step in range(1, len(defenders)):
        path |= 1 << (9 + 3 * step)  # the second neighbour leads on
    return game, state, path


def odds_by_definition(force, defenders, nerve):
    """{(territories taken, armies at the head, defenders ahead): probability} by the exact fractions of battles."""
    found = Counter()

    def further(force, taken, odds):
        if taken == len(defenders):
            found[taken, force + 1, 0] += odds
        elif force == 0 or (taken > 0 and to_win(force, defenders[taken]) < nerve):
            found[taken, force + 1, defenders[taken]] += odds
        else:
            for (alive, left), chance in ends(force, defenders[taken]).items():
                if left:
                    found[taken, 1, left] += odds * chance
                else:
                    further(alive - 1, taken + 1, odds * chance)

    further(force, 0, 1)
    return found


def odds_found(force, defenders, nerve):
    game, state, path = line_of(force, defenders, nerve)
    chance, front, left = np.zeros(8), np.zeros(8), np.zeros(8)
    odds_of(game, state, path, chance, front, left)
    return chance, front, left


@pytest.mark.parametrize(
    ("force", "defenders", "nerve", "odds", "front"),
    [
        (3, (1,), 0, ".083625 .916375", 2.6547),
        (7, (1, 2, 1), 0, ".001121 .102426 .124102 .772351", 3.3364),
        (10, (3, 3, 3), 0, ".018900 .148557 .312562 .519981", 4.0406),
        (10, (3, 3, 3), 0.5, ".018900 .170372 .362971 .447757", 4.3455),
        (20, (5, 1, 4, 2), 0.5, ".000877 .001190 .035727 .063637 .898569", 8.7121),
    ],
)
def test_plans_have_the_odds_that_were_computed_apart(force, defenders, nerve, odds, front):
    chance, fronts, _ = odds_found(force, defenders, nerve)
    assert " ".join(f"{each:.6f}"[1:] for each in chance[: len(defenders) + 1]) == odds
    assert round(fronts[len(defenders)], 4) == front


@pytest.mark.parametrize(
    ("force", "defenders", "nerve"),
    [(1, (1, 1), 0.5), (6, (2, 1, 3), 0.4), (9, (4, 2), 0.6), (14, (3, 1, 1, 5, 2), 0.5), (5, (9, 1), 0.5)],
)
def test_the_odds_of_a_plan_are_the_exact_fractions(force, defenders, nerve):
    exact = odds_by_definition(force, defenders, nerve)
    chance, front, left = odds_found(force, defenders, nerve)
    for taken in range(len(defenders) + 1):
        ways = {way: odds for way, odds in exact.items() if way[0] == taken}
        total = sum(ways.values())
        assert chance[taken] == pytest.approx(float(total), abs=1e-13)
        if total:
            assert front[taken] == pytest.approx(float(sum(way[1] * p for way, p in ways.items()) / total), abs=1e-9)
            assert left[taken] == pytest.approx(float(sum(way[2] * p for way, p in ways.items()) / total), abs=1e-9)


@pytest.mark.parametrize(
    ("force", "defenders", "taken"), [(400, (90, 80), 2), (300, (5, 3), 2), (30, (90, 1), 0), (90, (88, 3), 2)]
)
def test_battles_beyond_the_table_are_fought_in_the_mean(force, defenders, taken):
    chance, _, _ = odds_found(force, defenders, 0.5)
    assert chance.sum() == pytest.approx(1)
    assert chance[taken] == max(chance)


def test_the_three_likeliest_outcomes_are_kept_and_the_others_go_to_the_nearest():
    game, state, path = line_of(20, (5, 1, 4, 2), 0.5)
    after = game.copy(state)
    game.play(after, 0, path)
    listed = game.chances(after)
    assert [(move & 7, round(odds, 6)) for move, odds in listed] == [
        (2, round(0.000877 + 0.001190 + 0.035727, 6)),
        (3, 0.063637),
        (4, 0.898569),
    ]
    assert [move >> 3 & 2**14 - 1 for move, _ in listed][-1] == 9  # 8.7 on average


# the tree


def some_plans(game, matches):
    """Positions of random matches over plans with the moves that were listed there."""
    with np.errstate(over="ignore"):
        for seed in range(matches):
            state, rng = game.new(seed), stream(seed, "plans")
            while game.mover(state) != OVER:
                seat = game.mover(state)
                if seat == CHANCE:
                    game.play(state, seat, game.roll(state, rng))
                else:
                    before = state.tobytes()
                    legal = game.legal(state)
                    assert state.tobytes() == before  # bids change the state on the way
                    yield game.copy(state), legal
                    game.play(state, seat, legal[below(rng, len(legal))])


def lands_of(game, plan):
    lands = [source_of(plan)]
    for step in range(length_of(plan)):
        lands.append(int(next_on(game, plan, step, lands[-1])))
    return lands


def test_plans_lead_from_own_land_over_foreign_land_and_positions_can_be_read_back():
    kinds = Counter()
    for state, legal in some_plans(SMALL, 2):
        assert len(set(legal)) == len(legal) <= SMALL.max_moves
        kinds[len(legal)] += 1
        for plan in legal:
            source, *path = lands_of(SMALL, plan)
            assert state.owner[source] == state.seat or (plan == 0 and not state.reserve)
            assert all(state.owner[t] != state.seat for t in path)
            assert len(set(path)) == len(path) <= 5
            assert SMALL.parse(state, state.seat, SMALL.say(state, state.seat, plan)) == plan
            after = SMALL.after(state, plan)
            again = SMALL.position(SMALL.notation(after))
            assert SMALL.notation(again) == SMALL.notation(after)
            if path:
                assert sum(odds for _, odds in SMALL.chances(after)) == pytest.approx(1)
    assert kinds[3] > 0


def test_a_bid_is_the_expected_standing_after_the_plan():
    for state, legal in some_plans(SMALL, 2):
        bids = []
        for plan in legal[:-1]:
            expected, chances = 0.0, SMALL.after(state, plan)
            for outcome, odds in SMALL.chances(chances):
                lands, taken = lands_of(SMALL, plan), outcome & 7
                then = SMALL.copy(state)
                then.reserve = 0
                for t in lands[:taken]:
                    then.armies[t] = 1
                for t in lands[: taken + 1]:
                    then.owner[t] = state.seat
                then.armies[lands[taken]] = outcome >> 3 & 2**14 - 1
                if taken < len(lands) - 1:
                    then.armies[lands[taken + 1]] = outcome >> 17
                expected += odds * shares_by_hand(SMALL, then)[state.seat]
            assert SMALL.bid(state, state.seat, plan) == pytest.approx(expected, abs=1e-4)
            bids.append(expected)
        assert bids == sorted(bids, reverse=True)


@pytest.mark.usefixtures("wrapping")
def test_real_dice_take_as_many_territories_as_the_odds_say():
    game, state, path = line_of(7, (1, 2, 1), 0.5)
    chance, front, _ = odds_found(7, (1, 2, 1), 0.5)
    game.play(state, 0, path)
    rng, rolls = stream(5, "dice"), 2000
    seen = [game.roll(state, rng) for _ in range(rolls)]
    counts = Counter(number & 7 for number in seen)
    assert sum((counts[j] - rolls * chance[j]) ** 2 / (rolls * chance[j]) for j in range(4)) < 16.3
    heads = [number >> 3 & 2**14 - 1 for number in seen if number & 7 == 3]
    assert np.mean(heads) == pytest.approx(front[3], abs=0.15)


def test_holding_places_all_where_it_helps_most_and_marches():
    game = RiskPlans(seats=2, map="two_continents", armies=9)
    state = game.position("A5,A4,A1,B6,B1,B3 0 place 5 0")
    hold = game.legal(state)[-1]
    assert game.say(state, 0, hold) == "hold c"
    assert game.notation(game.after(state, hold)) == "A1,A1,A13,B6,B1,B3 1 place 5 0"
    assert game.say(game.position("A5,A4,A1,B6,B1,B3 0 attack 0 0"), 0, 0) == "stop"


def test_a_search_over_plans_is_that_of_the_definition():
    for state, _ in list(some_plans(SMALL, 3))[::5]:
        value, move = oracles.maxn(SMALL, state, 2)
        found = load_agent("maxn(depth=2)").decide(SMALL, state, ask=TWIN)
        assert found.move == move
        assert found.values == pytest.approx(value)


@pytest.mark.parametrize("name", ["standing", "worth", "mars"])
def test_a_plan_under_way_is_worth_the_mean_over_its_outcomes(name):
    """So depth 1 is a whole turn with its battles, and not what stands before them."""
    estimate, seen = SMALL.estimate(name), 0
    for state, legal in some_plans(SMALL, 2):
        for plan in legal[:-1]:
            after, (found, value), expected = SMALL.after(state, plan), np.zeros((2, 3)), np.zeros(3)
            before = after.tobytes()
            estimate.value(SMALL, after, found)
            assert after.tobytes() == before
            for number, odds in SMALL.chances(after):
                end = SMALL.after(after, number)
                if SMALL.mover(end) == OVER:
                    value[:] = SMALL.payoffs(end)
                else:
                    estimate.value(SMALL, end, value)
                expected += odds * value
                seen += 1
            assert found == pytest.approx(expected)
    assert seen > 20


def test_max_prob_over_plans_has_the_winning_probabilities_of_the_intervals():
    """One turn deep: the chance of the seat to end with the highest value, from the interval after each plan."""
    estimate = SMALL.estimate("standing")
    for state, legal in list(some_plans(SMALL, 2))[::4]:
        found = load_agent("max_prob(depth=1)").decide(SMALL, state, ask=TWIN)
        expected = {}
        for plan in legal:
            after, (low, high) = SMALL.after(state, plan), np.zeros((2, 3))
            estimate.interval(SMALL, after, low, high)
            won = win_probability(low=low, high=high)
            if SMALL.mover(after) == OVER:
                won = np.equal(SMALL.payoffs(after), max(SMALL.payoffs(after)))
            expected[plan] = float(won[state.seat])
        best = max(expected.values())
        assert expected[found.move] == pytest.approx(best)
        assert found.values[state.seat] == pytest.approx(best)


def test_compiled_and_interpreted_searches_over_plans_decide_the_same():
    for seed in range(2):
        state = CLASSIC.new(seed)
        agent = load_agent("maxn(depth=2)")
        assert same(agent.decide(CLASSIC, state, ask=Ask(compiled=True)), agent.decide(CLASSIC, state, ask=TWIN))


def test_a_duel_is_the_table_of_battles():
    """With one territory each and one round, attacking is worth the chance to win."""
    for force, defenders in ((3, 2), (5, 5), (2, 4)):
        game = RiskPlans(seats=2, map="duel", armies=20, least_income=1, limit=1, nerve=0)
        state = game.position(f"A{force},B{defenders} 0 place 1 0")
        plan = 0 | 1 << 6
        game.play(state, 0, plan)
        won = sum(odds for number, odds in game.chances(state) if number & 7 == 1)
        assert won == pytest.approx(float(to_win(force, defenders)), abs=1e-12)


# the agent


def test_a_plan_is_carried_out_order_by_order():
    game = load_game("risk(seats=2, map='two_continents', armies=9)")
    agent, course = load_agent("plans(maxn(depth=1))"), Course()
    state = game.position("A1,A1,A9,B1,B1,B1 0 place 5 0")
    ask = Ask(compiled=False, memory=course)
    found = agent.decide(game, state, ask=ask)
    assert found.notes["plan"] in ("plan c>d>e>f", "plan c>d>f>e")
    assert found.values is not None
    assert found.nodes > 0
    kinds = []
    while game.mover(state) == 0:
        kinds.append(found.move & 15)
        state = game.after(state, found.move)
        if game.mover(state) == CHANCE:
            state = game.after(state, 0 | 1 << 14)  # no loss, and the defender is gone
        if game.mover(state) == 0:
            found = agent.decide(game, state, ask=ask)
    assert kinds == [PLACE, STORM, STORM, STORM]
    assert game.payoffs(state) == (100.0, 0.0)


def test_a_plan_is_given_up_where_the_next_battle_is_unlikely():
    game = load_game("risk(seats=2, map='two_continents', armies=9)")
    agent = load_agent("plans(maxn(depth=1), again=1)")
    state = game.position("A1,A1,A1,A3,B9,B1 0 attack 0 0")
    course = Course(turn=(0, 0), made=1, path=[3, 4], begun=True)
    found = agent.decide(game, state, ask=Ask(compiled=False, memory=course))
    assert found.move & 15 == STOP
    assert course.path == []


def test_one_who_plans_beats_the_angry():
    game, agents = load_game("risk"), [load_agent("plans(maxn(depth=2))"), *[load_agent("angry")] * 5]
    won = 0
    for seed in range(6):
        match = play_match(game, agents[-seed:] + agents[:-seed], seed, limit=50_000)
        won += match.payoffs[seed] == 100
    assert won >= 5


def test_plans_are_for_risk_alone():
    with pytest.raises(Mismatch, match="plans plays risk alone, got sticks"):
        load_agent("plans(maxn(depth=1))").decide(load_game("sticks"), load_game("sticks").new())
    with pytest.raises(BadParameter, match="expected 1 to 100 plans in a turn, got again=0"):
        load_agent("plans(maxn(depth=1), again=0)")
    for text, sentence in (
        ("plans=9", "expected 1 to 8 plans beside holding, got 9"),
        ("nerve=2", "expected a nerve from 0 to 1, got 2"),
    ):
        with pytest.raises(BadParameter, match=sentence):
            load_agent(f"plans(maxn(depth=1), {text})").fit(load_game("risk"))


def test_the_text_of_a_planner_is_read_back():
    agent = load_agent("plans(maxn(depth=3), again=4)")
    assert load_agent(str(agent)) == agent
    assert agent.again == 4
    assert str(agent.agent) == "maxn(depth=3)"
