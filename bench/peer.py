"""OpenSpiel: MaxN and random matches as a user writes them there, as Python functions over states in C++.

OpenSpiel has no Light Bike, and no C++ search of this kind that Python can call. So MaxN compares what a user of each
library gets for three seats, in nodes per second, with OpenSpiel's Chinese checkers on its side; the ratio is only an
order of magnitude. Random matches are of the same game on both sides.
"""

import importlib.util
import random
import time
from typing import Any

from bench.interleaved import Run

CHANCE = -1  # who is to act where dice are to be rolled
GAME, DEPTH = "chinese_checkers(players=3)", 3
WHAT = (
    "open_spiel: MaxN in Python over its C++ states, Chinese checkers "
    "with three seats; read the ratio as an order of magnitude"
)
HOW = "OpenSpiel is not installed, so it does not run along; pip install open_spiel"


def installed() -> bool:
    return importlib.util.find_spec("pyspiel") is not None


def search() -> Run:
    """One timed MaxN from the start."""
    import pyspiel

    state = pyspiel.load_game(GAME).new_initial_state()
    started = time.perf_counter()
    _, nodes = maxn(state, DEPTH)
    return Run(nodes, time.perf_counter() - started)


def maxn(state: Any, depth: int) -> tuple[list[float], int]:
    """The value vector of a state, and the number of nodes visited for it."""
    if depth == 0 or state.is_terminal():
        return state.returns(), 1
    seat, best, total = state.current_player(), None, 1
    for action in state.legal_actions():
        values, nodes = maxn(state.child(action), depth - 1)
        total += nodes
        if best is None or values[seat] > best[seat]:
            best = values
    return best or state.returns(), total


def random_matches(game: str, matches: int) -> Run:
    """Timed matches by the usual loop over legal actions; their turns are counted afterwards."""
    import pyspiel

    rng, loaded, ends = random.Random(1), pyspiel.load_game(game), []
    started = time.perf_counter()
    for _ in range(matches):
        state = loaded.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        ends.append(state)
    seconds = time.perf_counter() - started
    return Run(sum(map(turns, ends)), seconds)


def matches_of_bots(game: str, matches: int) -> Run:
    """Timed matches of OpenSpiel's random bots, each played in C++ by one call."""
    import pyspiel

    ends = [pyspiel.load_game(game).new_initial_state() for _ in range(matches)]
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(ends[0].num_players())]
    started = time.perf_counter()
    for seed, state in enumerate(ends):
        pyspiel.evaluate_bots(state, bots, seed)
    seconds = time.perf_counter() - started
    return Run(sum(map(turns, ends)), seconds)


def turns(state: Any) -> int:
    """The number of whole turns that led to a state, without rolls of dice; all hops of a pawn in a row are one turn,
    and so are both halves of a double.
    """
    again, last, count = state.get_game().new_initial_state(), None, 0
    for action in state.history():
        seat = again.current_player()
        count += seat not in (last, CHANCE)
        last = seat
        again.apply_action(action)
    return count
