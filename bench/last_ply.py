"""What foresight at the last ply saves: estimates that compute the value after a move without playing it, compared with
the same estimates without foresight. Measured are decisions at depth 4 in the middle of matches with three seats, and a
whole match at depth 4.

The positions are those of recorded matches. Both ways must find the same with the same number of nodes. Both list moves
in the same way, so the ratio does not contain what a faster listing of moves saves.
"""

import time
from collections.abc import Iterator
from typing import Any

from bench.interleaved import Run, Runner, race
from bench.row import Row, at_least, at_most
from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.foresight import Foresight

POSITIONS = {  # of matches of maxn, paranoid and max_prob, each with depth=2, seed 7
    "chinese_checkers": (
        "1/aa/3/4/4a2c1cc2/2b2aa5/2c5a2/1a1b6/c3a3b/c8a/2c2bb4/c3c4b1b/1c3a3bbb1/4/3/2/1 1 40",
        "1/2/1a1/a3/4b2cccc2/2bc1a1c4/2c5a2/3b4a1/ac2a1b1b/9a/1b2b6/c1a8b/1c3a3b1b1/4/3/2/1 0 60",
        "1/2/3/4/2bb2c1ccc2/2bc2b1c3/7cac1/3a4a1/a1a1a3b/5a3a/1b2b6/1ca8b/1c3a3b1b1/4/3/2/1 0 81",
        "1/2/3/1bc1/2bbb1c1ccc2/2b5cc2/9c1/10/ab2a2a1/2a6a/1ba1b6/2a3c4b/1c3a2a2b1/a3/3/2/1 2 101",
    ),
    "abalone(seats=3)": (
        "5/4b1/1a1cbb1/1aaccbb1/2acbcb2/3ccc2/2aaa2/2aaa1/5 3,2,3 0 150",
        "5/6/2a1bb1/1aaccbb1/2acbcbb1/2cccc2/2aaa2/2aaa1/5 3,2,3 0 225",
    ),
}
SEARCHES = {"maxn(depth=4)": 1.2, "max_prob(depth=4)": 2.0}  # each with the least ratio of speeds
MATCH, LONGEST = ("max_prob(depth=4)", "maxn(depth=4)", "paranoid(depth=4)"), 15.0
HIDDEN = {name: getattr(Foresight, name) for name in ("begin", "after", "own_after", "interval_after", "best_after")}


def run(quick: bool) -> Iterator[Row]:
    for text, positions in POSITIONS.items():
        for search, least in SEARCHES.items():
            yield from compared(text, search, positions[:1] if quick else positions, least, 2 if quick else 5)
    if not quick:
        yield whole_match("chinese_checkers")


def without_foresight(game: Any) -> Any:
    """The same game with estimates that have no foresight."""
    kind, parts = type(game), [type(estimate) for estimate in game.estimates]
    blind = tuple(type(part.__name__, (part,), {**HIDDEN, "__module__": part.__module__})() for part in parts)
    made = type(kind.__name__, (kind,), {"estimates": blind, "__module__": kind.__module__})
    return made(seats=game.seats)


def compared(text: str, search: str, positions: tuple[str, ...], least: float, rounds: int) -> Iterator[Row]:
    """The nodes per second of both ways, over all positions together."""
    game, agent = load_game(text), load_agent(search)
    games = {"foreseen": game, "played": without_foresight(game)}
    states = [game.position(position) for position in positions]
    for each in games.values():
        agent.prepare(each)
    found = {name: [agent.decide(each, state) for state in states] for name, each in games.items()}
    facts = [[(one.nodes, one.move, one.values, one.line) for one in each] for each in found.values()]
    if facts[0] != facts[1]:
        raise AssertionError(f"{search} at {text} found {facts[0]} with foresight, but {facts[1]} without")

    def timed(each: Any) -> Run:
        decisions = [agent.decide(each, state) for state in states]
        return Run(sum(one.nodes for one in decisions), sum(one.seconds for one in decisions))

    best = race([Runner(name, lambda each=each: timed(each)) for name, each in games.items()], rounds)  # type: ignore[misc]
    what = f"{text}, {search}: middle game"
    for name, fastest in best.items():
        yield Row(f"{what}, last ply {name}", fastest.speed, f"{fastest.speed / 1e6:.3g} M nodes/s")
    ratio = best["foreseen"].speed / best["played"].speed
    yield at_least(f"{what}: foreseen to played", ratio, f"{ratio:.2f}", least, "")


def whole_match(text: str) -> Row:
    game, agents = load_game(text), [load_agent(search) for search in MATCH]
    for agent in agents:
        agent.prepare(game)
    began = time.perf_counter()
    play_match(game, agents, 7)
    seconds = time.perf_counter() - began
    return at_most(f"{text}: a match of {', '.join(MATCH)}", seconds, f"{seconds:.1f} s", LONGEST, " s")
