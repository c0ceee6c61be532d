"""Risk: the map, dice and battles as exact fractions, the rules order by order, and what no order may break."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import factorial
from pathlib import Path

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below, stream
from kingmaker.core.wide_records import zeros
from kingmaker.games.parts.risk.battle import WAYS, battle_tables, fought
from kingmaker.games.parts.risk.maps import MAPS, Map
from tests import oracles
from tests.samples import CHANCE, OVER, TWIN

GOLDEN = Path(__file__).parents[1] / "golden" / "risk_playthrough.json"
CLASSIC = Map("classic")
SMALL = "risk(seats=3, map='two_continents', armies=4, least_income=1, limit=12)"


# the map


def test_the_classic_map_has_the_borders_of_the_board():
    inside = Counter(
        CLASSIC.continents[CLASSIC.home[a]] for a, b in CLASSIC.edges if CLASSIC.home[a] == CLASSIC.home[b]
    )
    assert (CLASSIC.size, len(CLASSIC.edges)) == (42, 83)
    assert inside == {"na": 16, "sa": 5, "eu": 12, "af": 9, "as": 22, "au": 5}
    assert np.bincount(CLASSIC.degree).tolist() == [0, 0, 4, 13, 13, 5, 7]
    borders = [[CLASSIC.names[t] for t in range(42) if CLASSIC.is_border[t] and CLASSIC.home[t] == c] for c in range(6)]
    assert [" ".join(names) for names in borders] == [
        "ala grl cam", "ven bra", "ice weu seu ukr", "naf egy eaf", "ura kam afg mea sia", "ido",
    ]  # fmt: skip
    assert dict(zip(CLASSIC.continents, CLASSIC.bonus.tolist(), strict=True)) == {
        "na": 5, "sa": 2, "eu": 5, "af": 3, "as": 7, "au": 2,
    }  # fmt: skip


def paths(board, length):
    """How many directed simple paths of so many steps a map has."""

    def further(path):
        if len(path) == length + 1:
            return 1
        ahead = board.near[path[-1], : board.degree[path[-1]]].tolist()
        return sum(further([*path, other]) for other in ahead if other not in path)

    return sum(further([t]) for t in range(board.size))


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("classic", [166, 552, 1646, 4730, 13182]),
        ("duel", [2]),
        ("line", [6, 4, 2]),
        ("ring", [12, 12, 12, 12, 12]),
        ("two_continents", [14, 20, 16, 16, 8]),
        ("three_islands", [24, 44, 60, 88, 100]),
    ],
)
def test_maps_have_as_many_paths_as_counted_apart(name, counts):
    assert [paths(Map(name), length) for length in range(1, len(counts) + 1)] == counts


def test_neighbours_are_mutual_and_in_order():
    for name in MAPS:
        board = Map(name)
        near = [board.near[t, : board.degree[t]].tolist() for t in range(board.size)]
        for t, others in enumerate(near):
            assert others == sorted(set(others))
            assert all(t in near[other] for other in others)
            assert int(board.near_bits[t]) == sum(2**other for other in others)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "west 1: a b; east 1: c d; a-b c-d",
            "a map must be connected, but no way leads from 'a' to 'c'; add a border",
        ),
        ("west 1: a b; a-b a-a", "the territory 'a' borders itself in a map; leave 'a-a' out"),
        ("west 1: a b; east 1: b; a-b", "the territory 'b' stands twice in a map"),
        ("west 1: a b; a-c", "expected a border like 'a-b' between territories of the map, got 'a-c'"),
        ("west: a b; a-b", "expected a continent like 'west 2: a b c' in a map, got 'west: a b'"),
        ("atlantis", "expected 1 to 8 continents with 2 to 60 territories in a map, got 0 territories in 'atlantis'"),
        ("west 1: a B; a-b", "expected territories of up to 12 small letters in a map, got 'B'"),
        (
            "west 1: a b c d e f g h i j; a-b a-c a-d a-e a-f a-g a-h a-i a-j",
            "expected at most 8 neighbours of a territory in a map, got 9 of 'a'",
        ),
    ],
)
def test_a_bad_map_is_refused_by_the_rule_it_breaks(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_game(f"risk(seats=2, map={text!r})")


def test_a_map_of_ones_own_is_a_text():
    game = load_game("risk(seats=2, map='north 3: a b; south 1: c; a-b b-c', armies=5)")
    state = game.position("A2,A1,B7 0 place 3 0")
    assert game.income(state, 0) == 6
    assert game.income(state, 1) == 4


# dice and battles


def by_throwing(attackers, defenders):
    """Ways in which the defender loses 0, 1, 2 armies, from all throws of the dice."""
    ways = [0, 0, 0]
    for throw in product(range(6), repeat=attackers + defenders):
        ours, theirs = sorted(throw[:attackers], reverse=True), sorted(throw[attackers:], reverse=True)
        ways[sum(a > d for a, d in zip(ours, theirs, strict=False))] += 1
    return ways


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)])
def test_the_ways_of_the_dice_are_those_of_all_throws(attackers, defenders):
    assert WAYS[attackers, defenders].tolist() == by_throwing(attackers, defenders)


def test_the_dice_are_those_of_the_literature():
    assert by_throwing(3, 2) == [2275, 2611, 2890]
    assert by_throwing(2, 2) == [581, 420, 295]
    assert [by_throwing(a, d)[1] for a, d in ((3, 1), (2, 1), (1, 1), (1, 2))] == [855, 125, 15, 55]


@cache
def ends(force, defenders):
    """The exact probability of every end of a fight, as {(force left, defenders left): Fraction}."""
    if force == 0 or defenders == 0:
        return {(force, defenders): Fraction(1)}
    dice = min(3, force), min(2, defenders)
    found = Counter()
    for loss, ways in enumerate(by_throwing_once(dice)[: min(dice) + 1]):
        for end, odds in ends(force - (min(dice) - loss), defenders - loss).items():
            found[end] += Fraction(ways, 6 ** sum(dice)) * odds
    return found


@cache
def by_throwing_once(dice):
    return tuple(by_throwing(*dice))


def to_win(force, defenders):
    return sum(odds for (_, left), odds in ends(force, defenders).items() if left == 0)


def test_fights_to_the_end_have_the_odds_of_the_literature():
    told = {(1, 1): ".41667", (2, 1): ".75424", (3, 1): ".91637", (1, 2): ".10610", (2, 2): ".36265", (3, 2): ".65595",
            (3, 3): ".47025", (4, 4): ".47653", (5, 5): ".50620", (6, 6): ".52068"}  # fmt: skip
    assert {fight: f"{float(to_win(*fight)):.5f}"[1:] for fight in told} == told
    for size, losses in ((5, (3.3685, 3.5568)), (10, (7.3078, 8.2370))):
        lost = [sum(odds * (size - end[side]) for end, odds in ends(size, size).items()) for side in (0, 1)]
        assert tuple(round(float(loss), 4) for loss in lost) == losses


def test_battle_tables_are_the_exact_fractions():
    win, alive, left = battle_tables()
    for force, defenders in [(1, 1), (3, 2), (7, 4), (12, 9), (5, 14), (20, 20)]:
        exact = ends(force, defenders)
        chance = to_win(force, defenders)
        assert win[force, defenders] == pytest.approx(float(chance), abs=1e-12)
        mean = sum(odds * end[0] for end, odds in exact.items()) / chance
        assert alive[force, defenders] == pytest.approx(float(mean), abs=1e-12)
        mean = sum(odds * end[1] for end, odds in exact.items()) / (1 - chance)
        assert left[force, defenders] == pytest.approx(float(mean), abs=1e-12)


def test_a_fight_from_a_distribution_of_forces_is_the_mean_of_fights():
    forces, won, held = (np.zeros(64) for _ in range(3))
    forces[[1, 4, 9]] = 0.5, 0.3, 0.2
    fought(forces, 9, 6, won, held)
    for force in range(1, 10):
        exact = sum(odds * float(ends(each, 6).get((force, 0), 0)) for each, odds in ((1, 0.5), (4, 0.3), (9, 0.2)))
        assert won[force] == pytest.approx(exact, abs=1e-14)
    assert won.sum() + held.sum() == pytest.approx(1)


# the rules


def played(game, position, *words):
    """The position after orders in words; the dice are given by their losses, as 0+2."""
    state = game.position(position)
    for word in words:
        seat = game.mover(state)
        if seat == CHANCE:
            lost, killed = map(int, word.split("+"))
            move = next(move for move in game.legal(state) if game.say(state, seat, move).startswith(f"{lost} ")
                        and f" {killed} " in game.say(state, seat, move))  # fmt: skip
        else:
            move = game.parse(state, seat, word)
        state = game.after(state, move)
    return game.notation(state)


DUO = load_game("risk(seats=2, map='two_continents', armies=9, limit=20)")
TURN = "A5,A1,A1,B2,B1,B3 0 place 5 0"  # seat 0 holds the west: three armies and a bonus of two


def test_placing_goes_on_until_nothing_is_left():
    assert played(DUO, TURN, "place c half", "place b one") == "A5,A2,A3,B2,B1,B3 0 place 2 0"
    assert played(DUO, TURN, "place c all") == "A5,A1,A6,B2,B1,B3 0 attack 0 0"


def test_a_roll_is_one_roll_and_a_fight_goes_on_until_one_side_is_gone():
    after = played(DUO, TURN, "place c all", "roll c-d", "1+1")
    assert after == "A5,A1,A5,B1,B1,B3 0 attack 0 0"
    assert played(DUO, after, "fight c-d", "4+0") == "A5,A1,A1,B1,B1,B3 0 attack 0 0"
    assert played(DUO, after, "fight c-d", "0+1") == "A5,A1,A2,A3,B1,B3 0 occupy 0 0 c-d"


def test_at_least_as_many_armies_occupy_as_dice_were_rolled_and_one_stays():
    conquered = "A5,A1,A2,A3,B1,B3 0 occupy 0 0 c-d"
    assert [DUO.say(DUO.position(conquered), 0, move) for move in DUO.legal(DUO.position(conquered))] == [
        "occupy",
        "occupy all",
    ]
    assert played(DUO, conquered, "occupy all") == "A5,A1,A1,A4,B1,B3 0 attack 0 0"
    assert played(DUO, conquered, "occupy") == "A5,A1,A2,A3,B1,B3 0 attack 0 0"
    assert played(DUO, TURN, "place c all", "storm c-d", "1+2") == "A5,A1,A1,A4,B1,B3 0 attack 0 0"


def test_every_army_moves_one_step_at_most():
    line = load_game("risk(seats=2, map='line', armies=9)")
    behind = played(line, "A5,A3,A2,B2 0 attack 0 0", "stop")
    assert behind == "A5,A3,A2,B2 0 fortify 0 0 5,3,2,0"
    once = played(line, behind, "fortify a-b all", "fortify b-c all")
    assert once == "A1,A4,A5,B2 0 fortify 0 0 1,0,2,0"
    assert [line.say(line.position(once), 0, move) for move in line.legal(line.position(once))] == [
        "fortify c-b all",
        "fortify c-b one",
        "end",
        "march",
    ]
    assert played(line, behind, "march") == "A1,A5,A4,B2 1 place 3 0"


def test_the_boxed_game_fortifies_once_and_none_not_at_all():
    once = load_game("risk(seats=2, map='line', armies=9, fortify='one')")
    assert played(once, "A5,A3,A2,B2 0 attack 0 0", "stop", "fortify a-b half") == "A3,A5,A2,B2 1 place 3 0"
    never = load_game("risk(seats=2, map='line', armies=9, fortify='none')")
    assert played(never, "A5,A3,A2,B2 0 attack 0 0", "stop") == "A5,A3,A2,B2 1 place 3 0"


def test_whoever_loses_the_last_territory_is_skipped_and_the_last_one_wins():
    trio = load_game(SMALL)
    out = played(trio, "A5,A1,A6,B1,C1,C3 0 attack 0 0", "storm c-d", "0+1", "stop", "end")
    assert out == "A5,A1,A1,A5,C1,C3 2 place 1 0"
    won = played(trio, "A5,A1,A6,B1,A1,A3 0 attack 0 0", "storm c-d", "0+1")
    assert won == "A5,A1,A1,A5,A1,A3 0 over 0 0"
    assert trio.payoffs(trio.position(won)) == (100.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("lands", "payoffs"),
    [
        ("A1,A1,A1,B9,B9,C9", (100.0, 0.0, 0.0)),
        ("A1,A2,B1,B1,C3,C1", (0.0, 0.0, 100.0)),
        ("A1,A2,B1,B2,C1,C1", (50.0, 50.0, 0.0)),
    ],
)
def test_at_the_round_limit_most_land_wins_then_most_armies_and_equals_share(lands, payoffs):
    trio = load_game(SMALL)
    assert trio.payoffs(trio.position(f"{lands} 0 over 0 12")) == payoffs


def test_income_is_a_third_of_the_land_and_the_continents_held():
    game = load_game("risk(seats=2)")
    state = game.new(1)
    state.owner[:] = 1
    state.owner[game.home == 5] = 0
    assert (game.income(state, 0), game.income(state, 1)) == (3 + 2, 38 // 3 + 5 + 2 + 5 + 3 + 7)


def test_bonuses_may_grow_from_round_to_round():
    game = load_game("risk(seats=2, map='two_continents', armies=9, growth=20)")
    incomes = [
        game.income(game.position(f"A1,A1,A1,B1,B1,B1 0 attack 0 {rounds}"), 0) for rounds in (0, 1, 2, 3, 9, 99)
    ]
    assert incomes == [3 + int(2 * 1.2**rounds) for rounds in (0, 1, 2, 3, 9)] + [3 + 5000]


@pytest.mark.parametrize(("seats", "armies"), [(2, 40), (3, 35), (4, 30), (5, 25), (6, 20)])
def test_a_deal_is_even_and_gives_every_seat_the_armies_of_the_rules(seats, armies):
    game = load_game(f"risk(seats={seats})")
    for seed in range(20):
        state = game.new(seed)
        for seat in range(seats):
            held = state.armies[state.owner == seat]
            assert held.sum() == armies
            assert held.max() - held.min() <= 1
            assert len(held) in (42 // seats, -(-42 // seats))


def test_other_deals():
    loose = load_game("risk(placing='random', late_armies=True)")
    state = loose.new(5)
    assert [int(state.armies[state.owner == seat].sum()) for seat in range(6)] == [20, 20, 22, 23, 24, 25]
    assert max(int(np.ptp(state.armies[state.owner == seat])) for seat in range(6)) > 1
    assert factorial(42) // factorial(7) ** 6 == 85_722_533_226_982_363_751_829_504_000


def test_players_may_place_their_first_armies_in_turn():
    """Four at a time, and the last five at once."""
    game = load_game("risk(seats=2, map='two_continents', armies=12, placing='players')")
    state = game.new(1)
    assert (state.armies == 1).all()
    visits = []
    while state.phase == 9:
        visits.append((state.seat, state.reserve))
        first = next(t for t in range(6) if state.owner[t] == state.seat)
        state = game.after(state, game.parse(state, state.seat, f"place {game.names[first]} all"))
        assert game.notation(game.position(game.notation(state))) == game.notation(state)
    assert visits == [(0, 4), (1, 4), (0, 5), (1, 5)]  # nine each beside those that stand already
    assert [int(state.armies[state.owner == seat].sum()) for seat in range(2)] == [12, 12]
    assert (state.seat, state.phase, state.round) == (0, 0, 0)
    uneven = load_game("risk(seats=4, placing='players', late_armies=true)")
    state = uneven.new(3)
    while state.phase == 9:
        state = uneven.after(state, uneven.legal(state)[0])
    assert [int(state.armies[state.owner == seat].sum()) for seat in range(4)] == [30, 30, 32, 33]


def test_deals_are_uniform():
    """Two seats on four territories have six deals."""
    game = load_game("risk(seats=2, map='line', armies=4)")
    seen = Counter(tuple(game.new(seed).owner.tolist()) for seed in range(1200))
    assert set(seen) == set(permutations((0, 0, 1, 1)))
    assert sum((count - 200) ** 2 / 200 for count in seen.values()) < 20.5  # chi squared, 5 degrees, 0.1 %


def test_a_classic_state_is_small():
    assert load_game("risk").State.itemsize <= 256


# chance


@pytest.mark.parametrize(("armies", "defenders"), [(2, 1), (4, 2), (6, 5), (9, 3)])
def test_listed_outcomes_of_a_battle_are_the_exact_fractions(armies, defenders):
    state = DUO.position(f"A5,A1,A{armies},B{defenders},B1,B3 0 battle 0 0 c-d fight")
    found = {}
    for move, odds in DUO.chances(state):
        after = DUO.after(state, move)
        left = after.owner[3] == 1
        force = armies - 1 - (move & (2**14 - 1))
        found[force, int(after.armies[3]) if left else 0] = odds
    exact = ends(armies - 1, defenders)
    assert found.keys() == exact.keys()
    for end, odds in exact.items():
        assert found[end] == pytest.approx(float(odds), abs=1e-14)


@pytest.mark.parametrize("manner", ["roll", "fight"])
@pytest.mark.usefixtures("wrapping")
def test_real_dice_fall_as_listed(manner):
    state = DUO.position(f"A5,A1,A4,B2,B1,B3 0 battle 0 0 c-d {manner}")
    rng, rolls = stream(3, "dice"), 3000
    seen = Counter(DUO.roll(state, rng) for _ in range(rolls))
    listed = dict(DUO.chances(state))
    assert seen.keys() <= listed.keys()
    assert sum((seen[move] - rolls * odds) ** 2 / (rolls * odds) for move, odds in listed.items()) < 20


@pytest.mark.usefixtures("wrapping")
def test_a_battle_of_very_large_armies_is_rolled_and_not_listed():
    state = DUO.position("A5,A1,A900,B800,B1,B3 0 battle 0 0 c-d fight")
    assert not DUO.can_list(state)
    after = DUO.after(state, DUO.roll(state, stream(1, "dice")))
    assert after.armies[2] == 1 or after.owner[3] == 0
    assert DUO.can_list(DUO.position("A5,A1,A900,B800,B1,B3 0 battle 0 0 c-d roll"))


# what no order may break


@kernel
def broken(game, before, after, seat, move):
    """The number of the law that a step has broken, 0 for none; written from the rules' text and not from the rules.

    1: fewer than one army somewhere; 2: an owner changed without conquest; 3: armies appeared or vanished; 4: armies to
    place while attacking; 5: a roll took more than two; 6: armies moved over more than one border, or foreign ones.
    """
    gained, lost, changed, owners = 0, 0, 0, 0
    for t in range(game.size):
        if after.armies[t] < 1:
            return 1
        if after.owner[t] != before.owner[t]:
            owners += 1
            if seat >= 0 or after.owner[t] != before.seat or before.target != t:
                return 2
        difference = after.armies[t] - before.armies[t]
        gained += max(0, difference)
        lost += max(0, -difference)
        changed += difference != 0
    spent = before.reserve - after.reserve
    if seat >= 0:
        if before.phase == 0:
            if gained != spent or lost != 0 or changed != 1:
                return 3
        elif gained != lost:
            return 3
        if before.phase not in (0, 7) and after.reserve != 0 and after.seat == seat:
            return 4
        if before.phase != 0 and owners:
            return 2
        if before.phase == 4 and after.phase == 4 and changed > 2:
            return 6
    elif before.phase == 8:  # a card is drawn
        if changed or owners:
            return 3
    else:
        killed, spent_attackers = move >> 14, move & (2**14 - 1)
        if gained - lost != -(killed + spent_attackers):
            return 3
        if before.manner == 1 and killed + spent_attackers > 2:
            return 5
        if owners > 1 or (owners == 1) != (killed == before.armies[before.target]):
            return 2
    return 0


@kernel
def random_match(game, state, before, rng, moves, most):
    """Play random orders with real dice to the end; the first law that is broken, -1 if the match does not end."""
    for _ in range(most):
        seat = game.mover(state[0])
        if seat == OVER:
            return 0
        before[0] = state[0]
        if seat == CHANCE:
            move = game.roll(state[0], rng)
        else:
            move = moves[below(rng, game.moves(state[0], seat, moves))]
        game.play(state[0], seat, move)
        law = broken(game, before[0], state[0], seat, move)
        if law != 0:
            return law
    return -1


def ends_of_random_matches(text, matches, run):
    """How random matches end: the last states."""
    game = load_game(text)
    state, before, moves = zeros((1,), game.State), zeros((1,), game.State), zeros((game.max_moves,), np.int32)
    starts = [game.new(seed) for seed in range(min(50, matches))]
    for seed in range(matches):
        state[0] = starts[seed % 50]
        assert run(game, state, before, stream(seed, "walk"), moves, 100_000) == 0
        yield game, state[0]


def test_ten_thousand_random_matches_end_and_armies_neither_vanish_nor_appear():
    rounds = []
    for number, (game, state) in enumerate(ends_of_random_matches(SMALL, 10_000, random_match.compiled)):
        if number % 50 == 0:
            assert game.admits(state)
            assert sum(game.payoffs(state)) == pytest.approx(100)
        rounds.append(state.round)
    assert 0 < rounds.count(12) < 10_000  # some end by the round limit, some by conquest


@pytest.mark.usefixtures("wrapping")
def test_armies_neither_vanish_nor_appear_on_the_classic_map():
    for game, state in ends_of_random_matches("risk(limit=8)", 2, random_match):
        assert sum(game.payoffs(state)) == pytest.approx(100)


# estimates


def shares_by_hand(game, state, idle=0.3, held=4.0, nearly=0.3, exposure=1.0):
    """The estimate `standing` from its description on the page, feature by feature."""
    lands, seats = range(game.size), range(game.seats)
    near = [game.near[t, : game.degree[t]].tolist() for t in lands]
    threat = [max([state.armies[u] for u in near[t] if state.owner[u] != state.owner[t]], default=0) for t in lands]
    living = sorted({state.owner[t] for t in lands})
    force, growth = [0.0] * game.seats, [0.0] * game.seats
    for seat in living:
        own = [t for t in lands if state.owner[t] == seat]
        force[seat] = sum(state.armies[t] - (idle * (state.armies[t] - 1) if threat[t] == 0 else 0) for t in own)
        force[seat] += state.reserve if state.seat == seat else 0
        total = len(own) / 3
        for home in range(game.lands):
            there = [t for t in lands if game.home[t] == home]
            mine = [t for t in there if t in own]
            if mine == there:
                total += (
                    held * game.bonus[home] * min(state.armies[t] / (state.armies[t] + threat[t] / 2) for t in there)
                )
            else:
                armies = [sum(state.armies[t] for t in part) for part in (mine, there)]
                total += nearly * game.bonus[home] * ((len(mine) / len(there) + armies[0] / armies[1]) / 2) ** 5
        exposed = sum(min(1, max(0, (threat[t] - state.armies[t]) / (1 + state.armies[t]))) for t in own)
        growth[seat] = max(0.2, total - exposure * exposed * (len(living) - 1) / (game.seats - 1))
    return [50 * (force[seat] / sum(force) + growth[seat] / sum(growth)) for seat in seats]


@pytest.mark.usefixtures("wrapping")
def test_standing_is_what_its_page_says():
    game, out = load_game("risk(seats=4)"), np.zeros(4)
    for seed, state in enumerate(some_positions(game, 12)):
        settings = {} if seed % 2 else {"idle": 0.5, "held": 2.0, "nearly": 1.5, "exposure": 0.7}
        text = ", ".join(f"{name}={value}" for name, value in settings.items())
        game.estimate(f"standing({text})").value(game, state, out)
        assert out == pytest.approx(shares_by_hand(game, state, **settings), abs=1e-5)
        game.estimate("worth").value(game, state, out)
        armies = [sum(state.armies[t] for t in range(42) if state.owner[t] == seat) for seat in range(4)]
        armies[state.seat] += state.reserve
        alive = [seat in state.owner for seat in range(4)]
        assert out.tolist() == [armies[s] + 3 * game.income(state, s) * alive[s] for s in range(4)]


@pytest.mark.usefixtures("wrapping")
def test_intervals_have_the_share_in_the_middle_and_close_where_nothing_is_open():
    game = load_game("risk(seats=4)")
    estimate, (value, low, high) = game.estimate("standing"), np.zeros((3, 4))
    for state in some_positions(game, 8):
        estimate.value(game, state, value)
        estimate.interval(game, state, low, high)
        assert (low + high) / 2 == pytest.approx(value)
        assert high - low == pytest.approx(value * (100 - value) / 50)
        assert low.min() >= 0
        assert high.max() <= 100
    trio = load_game(SMALL)
    estimate, (low, high) = trio.estimate("standing"), np.zeros((2, 3))
    estimate.interval(trio, trio.position("A1,A1,A1,B1,B1,B1 0 attack 0 0"), low, high)
    assert (low[2], high[2]) == (0, 0)  # a seat that is out
    assert low[0] < high[0]
    for lands, rounds, payoffs in (("A1,A1,A1,A1,A1,A1", 3, [100, 0, 0]), ("A1,A2,B1,B2,C1,C1", 12, [50, 50, 0])):
        estimate.interval(trio, trio.position(f"{lands} 0 over 0 {rounds}"), low, high)
        assert low.tolist() == high.tolist() == payoffs


def some_positions(game, count):
    """Positions after some rounds in which land changed hands at random, so that continents are held."""
    for seed in range(count):
        rng, state = stream(seed, "positions"), game.new(seed)
        for t in range(game.size):
            state.armies[t] = 1 + below(rng, 12)
            if below(rng, 10) < 8:
                state.owner[t] = (game.home[t] + seed) % game.seats
        state.living = sum(1 << int(owner) for owner in set(state.owner.tolist()))
        if state.living & 1:
            yield game.position(game.notation(state))


def test_mars_adds_up_the_values_of_territories():
    out = np.zeros(2)
    DUO.estimate("mars").value(DUO, DUO.position("A5,A1,A1,B2,B1,B3 0 attack 0 0"), out)
    static = 70 * 2 / (3 * 1)  # of each territory: bonus / (size * borders)
    west = 3 * static + 6 * 1.2 + 0.05 * (1 + 1 + 5 + 1 + 5 + 1) - (0.3 + 0.03 * 2) + 0.5 + 3 * 2 * (1 / 3 + 20)
    east = 3 * static + 6 * 1.2 + 0.05 * (1 + 3 + 2 + 3 + 2 + 1) - (0.3 + 0.03 * 1) + 0.5 + 3 * 2 * (1 / 3 + 20)
    assert out.tolist() == pytest.approx([west, east])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("standing(idle=2)", "expected idle armies to count 0 to 1 less, got 2"),
        ("standing(held=-1)", "expected weights of continents and exposure of 0 to 1000, got -1"),
    ],
)
def test_bad_weights_are_refused(text, sentence):
    with pytest.raises(BadParameter, match=sentence):
        DUO.estimate(text)


# exhaustive searches on small maps


@pytest.mark.parametrize(
    ("text", "position", "depth"),
    [
        ("risk(seats=2, map='duel', armies=9, least_income=1, limit=1)", "A3,B2 0 place 1 0", 9),
        ("risk(seats=2, map='line', armies=9, least_income=1, limit=2)", "A2,A2,B1,B1 0 attack 0 0", 3),
        ("risk(seats=3, map='two_continents', armies=9, least_income=1)", "A1,B1,A3,B1,C1,C2 0 attack 0 0", 2),
    ],
)
def test_searches_over_orders_find_the_values_of_the_definition(text, position, depth):
    game = load_game(text)
    state = game.position(position)
    found = load_agent(f"maxn(depth={depth})").decide(game, state, ask=TWIN)
    values, move = oracles.maxn(game, state, depth)
    assert found.values == pytest.approx(values)
    assert found.move == move


def best_last_turn(mine, theirs):
    """What a lone territory is worth in the last turn of a match, roll by roll: the seat may stop where it has more
    armies, or go on until it has conquered.
    """
    stop = 100.0 if mine > theirs else 50.0 if mine == theirs else 0.0
    if mine == 1:
        return stop
    dice, go = (min(3, mine - 1), min(2, theirs)), 0.0
    for loss, ways in enumerate(by_throwing_once(dice)[: min(dice) + 1]):
        left = theirs - loss
        go += ways / 6 ** sum(dice) * (best_last_turn(mine - (min(dice) - loss), left) if left else 100.0)
    return max(stop, go)


@pytest.mark.parametrize(("mine", "theirs"), [(3, 3), (4, 5), (2, 3), (5, 4)])
def test_the_last_turn_of_a_duel_is_worth_what_the_dice_allow(mine, theirs):
    game = load_game("risk(seats=2, map='duel', armies=9, least_income=0, fortify='none', limit=1)")
    state = game.position(f"A{theirs},B{mine} 1 attack 0 0")
    found = load_agent("maxn(depth=30)").decide(game, state, ask=TWIN)
    assert found.values[1] == pytest.approx(best_last_turn(mine, theirs), abs=1e-9)
    assert found.values[1] >= 100 * float(to_win(mine - 1, theirs)) - 1e-9  # stopping early only helps


# texts


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A5,A1,A0,B2,B1,B3 0 place 5 0", "at least one army stands on every territory"),
        ("A5,A1,A-2,B2,B1,B3 0 place 5 0", "expected 1 to 16000 armies on c, got 'A-2'"),
        ("A5,A1,-3,B2,B1,B3 0 place 5 0", "nobody at the table holds c, got '-3'"),
        ("A5,A1,C3,B2,B1,B3 0 place 5 0", "every territory has an owner from A to B"),
        ("A5,A1,x,B2,B1,B3 0 place 5 0", "expected an owner and armies like A3 for c, got 'x'"),
        ("A5,A1,A1,B2,B1 0 place 5 0", "expected 6 territories in a position of .*, got 5"),
        ("A5,A1,A1,B2,B1,B3 0 dance 5 0", "expected territories, seat, phase, armies to place and rounds"),
        ("A5,A1,A1,B2,B1,B3 0 place 5 x", "the numbers or territories after 'place' cannot be read"),
        ("A5,A1,A1,B2,B1,B3 0 battle 0 0 c-z storm", "the numbers or territories after 'battle' cannot be read"),
        ("A5,A1,A9,B2,B1,B3 0 battle 0 0 c-e storm", "only a seat that holds land moves"),
        ("A5,A1,A9,B2,B1,B3 0 attack 4 0", "it has armies to place in the phase of placing alone"),
        ("A5,A1,A9,B2,B1,B3 3 attack 0 0", "the seat, the phase or the armies to place"),
        ("A5,A1,A9,B2,B1,B3 0 over 0 0", "cannot occur in risk"),
        ("A5,A1,A9,B2,B1,B3 0 plan 0 0 17", "cannot occur in risk"),
        ("A1,A1,A1,B1,B1,B1 0 deploy 4 0", "cannot occur in risk"),  # even armies are placed by the deal
    ],
)
def test_a_bad_position_is_refused_by_the_rule_it_breaks(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        DUO.position(text)


def test_no_order_is_refused():
    with pytest.raises(IllegalMove, match="999999 is no order of risk"):
        DUO.say(DUO.position(TURN), 0, 999999)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("seats=7", "expected 2 to 6 seats, got 7"),
        ("seats=3, map='duel'", "expected a territory for every one of 3 seats, got 2"),
        ("armies=6", "expected 7 to 1000 armies for each seat, one for each of its territories, got 6"),
        ("placing='heaps'", "expected placing 'even', 'random' or 'players', got 'heaps'"),
        ("least_income=-1", "expected a least income of 0 to 100 armies, got -1"),
        ("fortify='all'", "expected fortify 'lux', 'one' or 'none', got 'all'"),
        ("growth=-5", "expected a growth of 0 to 100 percent a round, got -5"),
        ("limit=0", "expected a limit of 1 to 10000 rounds, got 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, sentence):
    with pytest.raises(BadParameter, match=sentence):
        load_game(f"risk({parameters})")


def test_the_picture_tells_who_holds_what():
    assert DUO.show(DUO.position(TURN)).splitlines() == [
        "west 2    a A5  b A1  c A1",
        "east 2    d B2  e B1  f B3",
        "> A  3 territories, 7 armies, income 5",
        "  B  3 territories, 6 armies, income 5",
        "round 1, place, 5 to place",
    ]
    assert "round 1, battle c-d" in DUO.show(DUO.position("A5,A1,A4,B2,B1,B3 0 battle 0 0 c-d roll"))


def test_a_playthrough_is_as_recorded(recording):
    """Orders and dice of one random match; guards against change, proves nothing."""
    game, rng = load_game(SMALL), stream(7, "playthrough")
    state, lines = game.new(7), []
    with np.errstate(over="ignore"):
        while game.mover(state) != OVER:
            seat = game.mover(state)
            legal = game.legal(state)
            move = int(game.roll(state, rng)) if seat == CHANCE else legal[below(rng, len(legal))]
            lines.append([game.notation(state), len(legal), game.say(state, seat, move)])
            game.play(state, seat, move)
    lines.append([game.notation(state), 0, list(game.payoffs(state))])
    if recording:
        GOLDEN.write_text(json.dumps({SMALL: lines}, indent=0) + "\n")
    assert json.loads(GOLDEN.read_text()) == {SMALL: lines}
    assert all(one[0] != other[0] for one, other in pairwise(lines))
