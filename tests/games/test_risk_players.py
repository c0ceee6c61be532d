"""The scripted players of Risk: what each does in positions made for one rule, and who wins."""

from collections import Counter

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import shuffle, stream
from kingmaker.core.wide_records import record, zeros
from kingmaker.games.parts.risk.pixie import evil_pixie
from kingmaker.games.parts.risk.scripts import NOTES, angry
from kingmaker.games.parts.risk.surveying import dangerous, easiest, way_in, way_out
from kingmaker.games.parts.risk.yakool import yakool
from tests.games.test_risk import broken
from tests.samples import CHANCE, OVER

DUO = load_game("risk(seats=2, map='two_continents', armies=9)")
ISLES = load_game("risk(seats=3, map='three_islands', armies=9)")


def orders(agent, game, position, count, losses=()):
    """The next orders of a player in words; dice fall as given: the attacker's losses and the defender's."""
    state, memory, said, dice = game.position(position), record(NOTES), [], iter(losses)
    agent = load_agent(agent)
    seat = game.mover(state)
    for _ in range(count):
        found = agent.decide(game, state, stream(3, "script"), Ask(compiled=False, memory=memory))
        said.append(game.say(state, seat, found.move))
        state = game.after(state, found.move)
        while game.mover(state) == CHANCE:
            lost, killed = next(dice)
            state = game.after(state, lost | killed << 14)
        if game.mover(state) != seat:
            break
    return said


def test_angry_places_beside_most_foes_and_passes_over_her_land_in_order():
    said = orders("angry", DUO, "A5,A1,A1,B2,B1,B3 0 place 5 0", 1)
    assert said == ["place c all"]
    position = "A3,B1,A3,B9,B1,A5 0 attack 0 0"  # a and c may take b, f may take e
    said = orders("angry", DUO, position, 4, [(2, 0), (0, 1), (0, 1)])
    assert said == ["fight a-b", "fight c-b", "fight f-e", "occupy all"]


def test_angry_follows_the_front():
    said = orders("angry", DUO, "A5,A4,A1,B2,B1,B3 0 fortify 0 0 5,4,1,0,0,0", 3)
    assert said == ["fortify a-c all", "fortify b-c all", "end"]


def test_a_way_in_costs_the_foreign_armies_on_it():
    state = ISLES.position("A9,A1,A1,B4,B1,B2,C3,C1,C1 0 attack 0 0")
    assert way_in(ISLES, state, 0, 0) == (0, 0)
    assert way_in(ISLES, state, 0, 1) == (2, 4)  # c-d
    assert way_in(ISLES, state, 0, 2) == (2, 3)  # c-g
    assert way_in(ISLES, state, 1, 0) == (3, 1)
    way = np.zeros(60, np.int8)
    assert way_out(ISLES, state, 0, 2, 1, way) == (2, 4)
    assert way[:2].tolist() == [2, 3]
    assert way_out(ISLES, state, 1, 4, 2, way) == (0, 0)  # e is amid the land of its owner
    assert way_out(ISLES, state, 0, 0, 0, way) == (1, 0)


def test_a_seat_with_half_of_anything_is_dangerous():
    assert dangerous(DUO, DUO.position("A5,A1,A1,B2,B1,B3 0 attack 0 0"), 0) == 1  # half of the land
    assert dangerous(ISLES, ISLES.position("A9,A1,A1,B4,B1,B2,C3,C1,C1 0 attack 0 0"), 0) == -1
    assert dangerous(ISLES, ISLES.position("A1,A1,B1,B4,B1,C2,C3,C90,C1 0 attack 0 0"), 0) == 2
    assert easiest(ISLES, ISLES.position("A1,A1,B1,A4,B5,C2,C3,C90,C1 0 attack 0 0"), 0) == 0


def test_yakool_stops_the_dangerous_by_their_continents_alone():
    """C has most armies. Where it holds a continent all goes before that; where it holds none nobody is stopped."""
    said = orders("yakool", ISLES, "A9,A1,A1,B4,B1,B2,C30,C1,C1 0 place 6 0", 1)
    assert said == ["place c all"]
    held_by_nobody = "A9,A1,B1,B4,B1,B2,A1,C90,C1 0 place 6 0"
    assert orders("yakool", ISLES, held_by_nobody, 1) == ["place a all"]


def test_yakool_expands_fills_and_merges():
    expand = "A9,A1,A1,B1,B1,B3,C1,C1,B1 2 attack 0 0"  # g and h have single foreign neighbours
    assert orders("yakool", ISLES, expand, 1) == ["stop"]  # but no army to spare
    expand = expand.replace("C1,C1,B1", "C1,C5,B1")
    assert orders("yakool", ISLES, expand, 1, [(0, 1)]) == ["storm h-i"]
    fill = "A5,B1,A4,C9,C9,C9,C9,C9,C9 0 attack 0 0"  # b is surrounded
    assert orders("yakool", ISLES, fill, 1, [(0, 1)]) == ["storm a-b"]
    merge = "A1,B3,A3,A9,A9,A9,A9,A9,A9 0 attack 0 0"  # a and c beside b; a cannot attack with one army
    assert orders("yakool", ISLES, merge, 1, [(0, 3)]) == ["storm c-b"]


def test_yakool_merges_with_all_who_join_even_if_the_first_is_spent():
    """a and c together are more than b; a loses its two, and c goes on although the two no longer outnumber b."""
    said = orders("yakool", ISLES, "A3,B4,A3,A9,A9,A9,A9,A9,A9 0 attack 0 0", 2, [(2, 0), (0, 4)])
    assert said == ["storm a-b", "storm c-b"]


def test_yakool_goes_all_out_to_the_end_once_he_has_begun():
    """He has 17 armies of 32. The first battle costs him eight, and he goes on with 9 of 18."""
    position = "A4,A1,A12,B6,B1,B1,C5,C1,C1 0 attack 0 0"
    assert orders("yakool", ISLES, position, 2, [(8, 6), (2, 0)]) == ["fight c-d", "fight d-e"]
    weaker = position.replace("A4", "A2")  # half of all armies are not enough to begin
    assert orders("yakool", ISLES, weaker, 1) == ["stop"]


def test_a_pass_keeps_the_front_that_it_began_with():
    """a takes d, from where e is in reach; but c is still to come in this pass, and e waits for the next one."""
    game = load_game("risk(seats=2, map='all 3: a b c d e f; a-b b-c a-d d-e c-f', armies=9)")
    said = orders("yakool", game, "A9,A1,A5,B1,B1,B1 0 attack 0 0", 3, [(0, 1), (0, 1), (0, 1)])
    assert said == ["storm a-d", "storm c-f", "storm d-e"]


def test_yakool_places_one_by_one_where_the_front_has_fewest():
    lands = "one 5: a b c; two 1: d e f; three 1: g h i; a-b a-c b-c a-d b-e c-f d-g e-h f-i"
    game = load_game(f"risk(seats=3, map='{lands}', armies=9)")
    said = orders("yakool", game, "A1,A3,A1,B2,B2,B2,C2,C2,C2 0 place 6 0", 6)
    assert [word.split()[1] for word in said] == ["a", "c", "a", "c", "a", "b"]
    assert [word.split()[2] for word in said] == ["one"] * 5 + ["all"]


def test_yakool_moves_everything_one_step_towards_the_nearest_front():
    said = orders("yakool", DUO, "A5,A4,A1,B2,B1,B3 0 fortify 0 0 5,4,1,0,0,0", 3)
    assert said == ["fortify a-c all", "fortify b-c all", "end"]


def test_evil_pixie_levels_by_the_last_neighbour():
    """She outnumbers all, so she levels: e (5) is outnumbered by nobody beside it, and of d and f the last gets 4."""
    said = orders("evil_pixie", DUO, "A20,A1,A1,A1,B5,A1 0 place 8 0", 3)
    assert said == ["place f half", "place d one", "place f one"]


def test_evil_pixie_attacks_what_she_wants_with_a_margin():
    wanted = "A9,A3,B2,B9,B9,B9,C9,C9,C9 0 place 3 0"
    said = orders("evil_pixie", ISLES, wanted, 5, [(0, 2)])
    assert said == ["place a one", "place a one", "place a all", "fight a-c", "occupy all"]
    thin = "A2,A1,B2,B9,B9,B9,C9,C9,C9 0 attack 0 0"  # wanted, but 2 is less than 1.3 times 2
    assert orders("evil_pixie", ISLES, thin, 1) == ["stop"]


def test_evil_pixie_wants_what_she_can_win_after_placing_against_the_dangerous():
    """C is stopped by placing at c, from where no way is cheap enough; with c so strong she wants the second island."""
    said = orders("evil_pixie", ISLES, "A1,A1,A1,B4,B1,C1,C30,C1,C1 0 place 6 0", 2, [(0, 4)])
    assert said == ["place c all", "fight c-d"]


def test_evil_pixie_hunts_a_seat_with_less_than_a_fifth_of_her_armies():
    hunted = "A30,A1,A5,B1,C9,C9,C9,C9,C1 0 attack 0 0"
    assert orders("evil_pixie", ISLES, hunted, 3, [(0, 1)]) == ["fight c-d", "occupy all", "stop"]
    assert orders("evil_pixie", ISLES, hunted.replace("B1", "B8"), 1) == ["stop"]


def test_evil_pixie_balances_the_borders_of_a_continent_held():
    """a and c are borders of the first continent and not of the last: she sends what is amid and evens out the two."""
    game = load_game("risk(seats=2, map='one 2: a b c; two 2: d e f; a-b b-c a-c a-d c-e d-e e-f', armies=9)")
    said = orders("evil_pixie", game, "A9,A5,A2,B9,B9,B9 0 fortify 0 0 9,5,2,0,0,0", 9)
    assert said == ["fortify b-a all", "fortify a-c half", "fortify a-c one", "end"]


def test_no_player_moves_an_army_two_steps():
    line = load_game("risk(seats=2, map='all 3: a b c d e; a-b b-c c-d d-e', armies=9)")
    for name in ("angry", "yakool", "evil_pixie"):
        state, memory = line.position("A9,A1,A1,A1,B9 0 fortify 0 0 9,1,1,1,0"), record(NOTES)
        for _ in range(9):
            if line.mover(state) != 0:
                break
            found = load_agent(name).decide(line, state, stream(1, "x"), Ask(compiled=False, memory=memory))
            state = line.after(state, found.move)
        assert state.armies[:2].sum() >= 9, name  # the eight that began on a, and one of those that must stay


@pytest.mark.usefixtures("wrapping")
def test_players_give_legal_orders_to_the_end():
    game, names = (
        load_game("risk(seats=3, map='three_islands', armies=12, limit=12)"),
        ("angry", "yakool", "evil_pixie"),
    )
    for seed in range(3):
        state, memories = game.new(seed), [record(NOTES) for _ in names]
        dice, streams, kinds = stream(seed, "dice"), [stream(seed, name) for name in names], Counter()
        while game.mover(state) != OVER:
            seat = game.mover(state)
            if seat == CHANCE:
                game.play(state, seat, game.roll(state, dice))
                continue
            agent = load_agent(names[(seat + seed) % 3])
            found = agent.decide(game, state, streams[seat], Ask(compiled=False, memory=memories[seat]))
            assert found.move in game.legal(state), game.say(state, seat, found.move)
            kinds[found.move & 15] += 1
            game.play(state, seat, found.move)
        assert len(kinds) >= 4


@pytest.mark.usefixtures("wrapping")
def test_players_place_their_first_armies_like_any_others():
    game = load_game("risk(seats=4, placing='players', limit=2)")
    agents = [load_agent(name) for name in ("angry", "yakool", "evil_pixie", "plans(maxn(depth=1))")]
    state, memories = game.new(4), [agent.memory(game, seat) for seat, agent in enumerate(agents)]
    while state.phase == 9:
        ask = Ask(compiled=False, memory=memories[state.seat])
        state = game.after(state, agents[state.seat].decide(game, state, stream(1, "x"), ask).move)
    assert [int(state.armies[state.owner == seat].sum()) for seat in range(4)] == [30] * 4
    most = [int((state.armies[state.owner == seat] > 1).sum()) for seat in range(4)]
    assert most[0] == 1  # angry has the same favourite every time


@pytest.mark.usefixtures("wrapping")
def test_scripts_neither_lose_nor_make_armies_on_the_classic_map():
    game, names = load_game("risk"), ("angry", "yakool", "evil_pixie") * 2
    agents, kinds = [load_agent(name) for name in names], Counter()
    state, memories = game.new(5), [record(NOTES) for _ in names]
    dice = stream(5, "dice")
    for _ in range(700):
        seat, before = game.mover(state), game.copy(state)
        if seat == CHANCE:
            move = int(game.roll(state, dice))
        else:
            move = agents[seat].decide(game, state, dice, Ask(compiled=False, memory=memories[seat])).move
            kinds[move & 15] += 1
        game.play(state, seat, move)
        assert broken(game, before, state, seat, move) == 0
    assert state.round >= 3
    assert len(kinds) >= 7


@kernel
def match_of_scripts(game, state, notes, who, dice, luck, most):
    """Play a match of at most so many turns: who[seat] is 0 for angry, 1 for yakool, 2 for evil_pixie; returns their
    number.
    """
    count = 0
    while True:
        seat = game.mover(state[0])
        if seat == OVER or count == most:
            return count
        if seat == CHANCE:
            move = game.roll(state[0], dice)
        elif who[seat] == 0:
            move = angry(game, state[0], notes[seat], luck)
        elif who[seat] == 1:
            move = yakool(game, state[0], notes[seat], luck)
        else:
            move = evil_pixie(game, state[0], notes[seat], luck)
        game.play(state[0], seat, move)
        count += 1


def shares(table, matches):
    """The share of matches that each script wins, and of those that the round limit ends, in percent; mean rounds."""
    game, won, rounds = load_game("risk"), Counter(), 0
    for seed in range(matches):
        seats = np.arange(6)
        with np.errstate(over="ignore"):
            shuffle(stream(seed, "seats"), seats, 6)
        who, state = np.array([table[i] for i in seats]), zeros((1,), game.State)
        state[0] = game.new(seed)
        arguments = who, stream(seed, "dice"), stream(seed, "luck"), 100_000
        match_of_scripts.compiled(game, state, zeros((6,), NOTES), *arguments)
        won["unfinished" if state[0].round == game.limit else who[np.argmax(game.payoffs(state[0]))]] += 100 / matches
        rounds += int(state[0].round) / matches
    return won, rounds


def allowed(share, matches):
    """A share in percent, with three standard errors of that many matches."""
    return pytest.approx(share, abs=3 * (share * (100 - share) / matches) ** 0.5)


def test_the_scripts_share_the_matches_as_in_an_earlier_trial():
    """The figures are those of a program that was written apart, from the same description of the players."""
    won, _ = shares((0, 0, 1, 1, 2, 2), 200)
    assert won[1] == allowed(49.7, 200)
    assert won[2] == allowed(50.1, 200)
    assert won[0] < 2
    won, _ = shares((1, 1, 1, 2, 2, 2), 100)
    assert won[1] == allowed(54, 100)
    assert won[2] == allowed(42, 100)
    assert won["unfinished"] == allowed(4, 100)


def test_one_good_script_crushes_five_angry_ones():
    for one in (1, 2):
        won, _ = shares((one, 0, 0, 0, 0, 0), 100)
        assert won[one] == allowed(95, 100)


def test_six_alike_take_as_many_rounds_as_in_an_earlier_trial():
    won, rounds = shares((1,) * 6, 100)
    assert won["unfinished"] == allowed(25, 100)
    assert rounds == pytest.approx(183, abs=3 * 95 / 100**0.5)  # 95: the standard deviation of one match
    for script, expected in ((0, 56), (2, 49)):
        assert shares((script,) * 6, 60)[1] == pytest.approx(expected, abs=12)


@pytest.mark.usefixtures("wrapping")
def test_scripts_give_the_same_orders_compiled_and_interpreted():
    game = load_game("risk")
    for seed in range(2):
        ends = []
        for run in (match_of_scripts.compiled, match_of_scripts):
            state = zeros((1,), game.State)
            state[0] = game.new(seed)
            arguments = np.array([0, 1, 2, 2, 1, 0]), stream(seed, "dice"), stream(seed, "luck"), 60
            assert run(game, state, zeros((6,), NOTES), *arguments) == 60
            ends.append(game.notation(state[0]))
        assert ends[0] == ends[1]


def test_players_play_risk_alone():
    with pytest.raises(Mismatch, match="angry plays risk alone, got sticks"):
        load_agent("angry").decide(load_game("sticks"), load_game("sticks").new())
