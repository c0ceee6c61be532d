"""An estimate must still tell moves apart when one seat is far ahead: a share that is 0 or 1 whatever is played leads
nowhere.
"""

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.games import GAMES
from kingmaker.games.parts.chinese_checkers.star import CAMPS
from kingmaker.search.greedy import Greedy
from tests.samples import TWIN

TEXTS = {
    "abalone": ("abalone", ["1aaaa/1aaaaa/2aaa2/8/9/8/2bbb2/2bbbb/bb1aa 5,0 {seat} 40"]),
    "backgammon": ("backgammon", ["13:1,6:4,5:4,off:6 24:2,10:3,8:5,6:5 42 {seat}"]),
    "chess": ("chess", ["6k1/5ppp/8/8/8/8/QQQ2PPP/R4RK1 {side} - - 0 30"]),
    "hearts": ("hearts(open=True)", ["AK.Q.2.A/Q.32..KQ/J.AK..JT/T98..A9. - {seat} -,-,-,- 0,0,21,0 1"]),
    "spades": ("spades(open=True)", ["AK.Q.2.A/Q.32..KQ/J.AK..JT/T98..A9. - {seat} -,-,-,- 8,0,0,0 0"]),
    "risk": (
        "risk(seats=2, map='two_continents', armies=5)",
        ["A9,A9,A9,A90,B2,B1 {seat} place 9 12"],
    ),
    "light_bike": ("light_bike(seats=2, width=8, height=8)", ["8/8/8/3#4/2#1#3/####4/#2#4/1#1#4 4,4;7,1 {seat} 8 3"]),
}
# nothing in their own estimates is a way to go, or there is but one move
NO_PROGRESS = {"bingo", "explicit_tree", "go_fish", "random_tree", "series", "sticks"}
BY_DESIGN = {
    "survival",  # the source's: all that counts while several ride is how long the ride lasts
    "worth",  # of Risk: armies and income, wherever they stand
}


def far_ahead(seat, lost=1):
    """Chinese Checkers with seat 0 in its destination but for one pawn or more, and all others where they began."""
    game = load_game("chinese_checkers(seats=3)")
    state, goal = game.new(), (CAMPS[3][0] + 3) % 6
    home = game.star.camps[goal]
    state.pawns[0] = game.star.words([*home[lost:], *[40, 44, 52][:lost]])
    state.seat = seat
    return game, game.position(game.notation(state))


def positions():
    for name in sorted(GAMES.keys() - NO_PROGRESS - {"chinese_checkers"}):
        text, places = TEXTS[name]
        game = load_game(text)
        for place in places:
            for seat in range(game.seats):
                yield game, place.format(seat=seat, side="wb--"[seat])
    for seat in range(3):
        game, state = far_ahead(seat)
        yield game, game.notation(state)


CASES = [
    pytest.param(game, text, estimate, id=f"{game.name}-{estimate.name}-{game.mover(game.position(text))}")
    for game, text in positions()
    for estimate in game.estimates
    if estimate.name not in BY_DESIGN
]


@pytest.mark.parametrize(("game", "text", "estimate"), CASES)
def test_moves_differ_in_value_for_the_leader_and_for_those_behind(game, text, estimate):
    state = game.position(text)
    seat = game.mover(state)
    found = Greedy(estimate=str(estimate)).decide(game, state, ask=TWIN)
    assert len({entry.values[seat] for entry in found.moves}) > 1


@pytest.mark.parametrize("seat", range(3))
def test_every_step_of_a_journey_counts_however_far_ahead_somebody_is(seat):
    game, state = far_ahead(seat)
    journey = game.estimate("journey")
    found = Greedy(estimate="journey").decide(game, state, ask=TWIN)
    ways = {}
    with np.errstate(over="ignore"):
        for entry in found.moves:
            after = game.after(state, entry.move)
            if game.mover(after) >= 0:
                ways[journey.toil(game, after, seat)] = entry.values[seat]
    shortest_first = [ways[toil] for toil in sorted(ways)]
    assert len(ways) > 1
    assert shortest_first == sorted(set(shortest_first), reverse=True)


def test_a_runaway_leader_goes_home_instead_of_to_and_fro():
    game, state = far_ahead(0, lost=3)
    agent = Greedy(estimate="journey")
    for _ in range(60):
        if game.mover(state) < 0:
            break
        leads = game.mover(state) == 0
        state = game.after(state, agent.decide(game, state, ask=TWIN).move if leads else game.legal(state)[0])
    assert state.winner == 1
