"""Random matches called from Python, ours and OpenSpiel's in turn: whole turns per second.

Our matches are played in one call each, because a random match needs no decision in Python, and they choose as
OpenSpiel does: any first step or hop, then any further hop or the end. Two other ways of ours are measured too: listing
all whole turns and taking one of them, in one call per match; and agents that are asked turn by turn, as in any other
match. So are OpenSpiel's random bots in C++, which also play a match in one call.
"""

import time
from collections.abc import Iterator

from bench import peer
from bench.interleaved import Run, Runner, race
from bench.random_matches import random_matches
from bench.row import Row, at_least
from kingmaker import load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.game import Game
from kingmaker.search import ALGORITHMS

GAMES = {
    "chinese_checkers": "chinese_checkers(players=3)",
    "chess": "chess",
    "backgammon": "backgammon",
}  # ours: the same in OpenSpiel
LEAST = 10.0  # our turns per second over OpenSpiel's
OURS, THEIRS = 500, 20  # matches in a run


def run(quick: bool) -> Iterator[Row]:
    for ours, theirs in GAMES.items():
        yield from compared(load_game(ours), theirs, 3 if quick else 9)


def compared(game: Game, theirs: str, rounds: int, scale: float = 1.0) -> Iterator[Row]:
    """The rows of one game; without OpenSpiel ours alone."""
    ours, its = round(OURS * scale), round(THEIRS * scale)
    runners = [
        Runner("in one call a match", lambda: in_one_call(game, ours)),
        Runner("in one call, all turns listed", lambda: in_one_call(game, ours // 10, listing=True)),
        Runner("agents, turn by turn", lambda: turn_by_turn(game)),
    ]
    if peer.installed():
        runners.append(Runner("open_spiel", lambda: peer.random_matches(theirs, its)))
        runners.append(Runner("open_spiel's bots", lambda: peer.matches_of_bots(theirs, its)))
    best = race(runners, rounds)
    for name, run in best.items():
        yield Row(f"{game.name}: {name}", run.speed, f"{run.speed / 1e6:.3f} M turns/s")
    if "open_spiel" in best:
        ratio, of_bots = (
            best["in one call a match"].speed / best[name].speed for name in ("open_spiel", "open_spiel's bots")
        )
        yield at_least(f"{game.name}: ratio to open_spiel", ratio, f"{ratio:.1f}", LEAST, "")
        yield Row(f"{game.name}: ratio to open_spiel's bots", of_bots, f"{of_bots:.1f}")


def in_one_call(game: Game, matches: int, listing: bool = False) -> Run:
    """Matches that are each played by one call into machine code."""
    played = random_matches(game, matches, listing)
    next(played)  # compiles before the time is measured
    started = time.perf_counter()
    turns = sum(length for _, length in played)
    return Run(turns, time.perf_counter() - started)


def turn_by_turn(game: Game) -> Run:
    """A match in which agents decide turn by turn."""
    random = ALGORITHMS["random"]()  # type: ignore[no-untyped-call]
    started = time.perf_counter()
    match = play_match(game, [random] * game.seats)
    return Run(len(match.turns), time.perf_counter() - started)
