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
    assert way_out(ISLES, state, 0, 2, 1) == (3, 4)


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
    """The share of matches that each script wins, and of those that the round limit ends, in percent."""
    game, won = load_game("risk"), Counter()
    for seed in range(matches):
        seats = np.arange(6)
        with np.errstate(over="ignore"):
            shuffle(stream(seed, "seats"), seats, 6)
        who, state = np.array([table[i] for i in seats]), zeros((1,), game.State)
        state[0] = game.new(seed)
        arguments = who, stream(seed, "dice"), stream(seed, "luck"), 100_000
        match_of_scripts.compiled(game, state, zeros((6,), NOTES), *arguments)
        won["unfinished" if state[0].round == game.limit else who[np.argmax(game.payoffs(state[0]))]] += 100 / matches
    return won


def test_yakool_and_evil_pixie_share_the_matches_and_crush_the_angry():
    """Two of each: docs/games/risk.md has the shares of 1500 matches, about half each; four standard errors of 120
    matches are allowed.
    """
    won = shares((0, 0, 1, 1, 2, 2), 120)
    assert won[1] == pytest.approx(50, abs=18)
    assert won[2] == pytest.approx(50, abs=18)
    assert won[0] < 5
    for one in (1, 2):
        assert shares((one, 0, 0, 0, 0, 0), 40)[one] > 80


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
