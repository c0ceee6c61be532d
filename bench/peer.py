"""OpenSpiel: MaxN as one writes it there, a Python function over states in C++.

It has no Light Bike and offers its C++ searches to no Python caller, so this compares what a user of each library gets for a MaxN
of three seats: nodes a second, in OpenSpiel's Chinese checkers. Read it as an order of magnitude.
"""

import importlib.util
import time
from typing import Any

from bench.interleaved import Run

GAME, DEPTH = "chinese_checkers(players=3)", 3
WHAT = "open_spiel: MaxN in Python over its C++ states, Chinese checkers with three seats; read the ratio as an order of magnitude"
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
    """The vector of a state and how many nodes it took."""
    if depth == 0 or state.is_terminal():
        return state.returns(), 1
    seat, best, total = state.current_player(), None, 1
    for action in state.legal_actions():
        values, nodes = maxn(state.child(action), depth - 1)
        total += nodes
        if best is None or values[seat] > best[seat]:
            best = values
    return best or state.returns(), total
