"""Search by sampling: playouts per second beside OpenSpiel's MCTS in C++ and in Python, what PIMC adds to the searches
that it asks for, and what a second thread gains.

All sides play random matches to their end from the start, with one rollout for every new node, a solver and one core.
The programs run in turn, and the fastest run of each counts. A turn of Chinese Checkers is one move for us and a chain
of hops for OpenSpiel, so playouts are compared, not moves.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench import peer
from bench.interleaved import Run, Runner, race
from bench.row import Row, at_least, at_most
from kingmaker import load_agent, load_game
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.decision import Decision
from kingmaker.core.game import Game
from kingmaker.core.rng import stream
from kingmaker.search.pimc import Pimc

GAMES = {"chinese_checkers(seats=3)": "chinese_checkers(players=3)", "chess": "chess"}  # ours: the same in OpenSpiel
OF_CPP, OF_PYTHON = 5.0, 50.0  # least playouts per second as a multiple of OpenSpiel's
OURS, THEIRS, IN_PYTHON = 3000, 200, 20  # playouts in a run
TRICKS = str(Path(__file__).parents[1] / "tests" / "own_games" / "tricks.py")
ASKED = {  # some milliseconds in every world: by an agent that is asked world by world, and by one for many worlds
    TRICKS: ("mcts(playouts=5000, tree=14, solver=false, playout=random, history=0)", 20),
    "hearts": ("maxn(depth=8, quiet=3)", 40),
}
MOST = 1.1  # PIMC over d deals may take at most so many times as long as d searches
GAIN = 1.8  # two threads do at least so many times as much as one


def run(quick: bool) -> Iterator[Row]:
    rounds = 3 if quick else 9
    for ours, theirs in GAMES.items():
        yield from compared(load_game(ours), theirs, rounds)
    for name, (search, deals) in ASKED.items():
        yield from asked_in_worlds(load_game(name), search, rounds, deals)
    yield side_by_side(load_game("chinese_checkers(seats=3)"), rounds)


def compared(game: Game, theirs: str, rounds: int, ours: int = OURS) -> Iterator[Row]:
    """The rows of one game; without OpenSpiel ours alone."""
    runners = [Runner("mcts", lambda: our_playouts(game, ours))]
    if theirs and peer.installed():
        runners.append(Runner("open_spiel in C++", lambda: their_playouts(theirs, THEIRS)))
        runners.append(Runner("open_spiel in Python", lambda: their_playouts(theirs, IN_PYTHON, python=True)))
    our_playouts(game, 1)  # compiles
    best = race(runners, rounds)
    for name, found in best.items():
        yield Row(f"{game.name}: {name}", found.speed, f"{found.speed:,.0f} playouts/s")
    for name, least in (("open_spiel in C++", OF_CPP), ("open_spiel in Python", OF_PYTHON)):
        if name in best:
            ratio = best["mcts"].speed / best[name].speed
            yield at_least(f"{game.name}: mcts to {name}", ratio, f"{ratio:.1f}", least, "")


def our_playouts(game: Game, playouts: int, threads: int = 1) -> Run:
    agent = load_agent(f"mcts(playouts={playouts}, tree=18, threads={threads}, playout=random, history=0)")
    agent.prepare(game)
    found = agent.decide(game, game.new())
    return Run(found.playouts, found.seconds)


def their_playouts(name: str, playouts: int, python: bool = False) -> Run:
    """One decision of OpenSpiel's MCTS bot."""
    import numpy as np
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    bot: Any
    if python:
        from open_spiel.python.algorithms import mcts

        chance = np.random.RandomState(1)
        rollouts = mcts.RandomRolloutEvaluator(1, chance)
        bot = mcts.MCTSBot(game, 2.0, playouts, rollouts, solve=True, random_state=chance)
    else:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, playouts, 1000, True, 1, False)
    started = time.perf_counter()
    bot.step(state)
    return Run(playouts, time.perf_counter() - started)


def asked_in_worlds(game: Game, asked: str, rounds: int, deals: int) -> Iterator[Row]:
    """PIMC beside the searches that it asks for, in processor time, and beside itself with two threads."""
    state, search, shown = game.new(1), load_agent(asked).changed(one_world=True), Shown()
    Pimc(shown, deals).decide(game, state, stream(1, "bench"))
    search.prepare(game)

    def alone() -> None:
        for world in shown.worlds:
            search.decide(game, world, ask=Ask(dealt=True))

    def polled(threads: int) -> Callable[[], object]:
        agent = load_agent(f"pimc({asked}, deals={deals}, threads={threads})")
        agent.prepare(game)
        return lambda: agent.decide(game, state, stream(1, "bench"))

    one, two = polled(1), polled(2)
    for work in (alone, one, two):
        work()
    best = race(
        [
            Runner("searches", lambda: timed(alone, time.process_time)),
            Runner("pimc", lambda: timed(one, time.process_time)),
            Runner("one thread", lambda: timed(one, time.perf_counter)),
            Runner("two threads", lambda: timed(two, time.perf_counter)),
        ],
        rounds,
    )
    cost = best["searches"].speed / best["pimc"].speed
    yield at_most(f"{game.name}: pimc over {deals} deals to {deals} searches", cost, f"{cost:.2f}", MOST, "")
    gain, each = best["two threads"].speed / best["one thread"].speed, 1000 / best["one thread"].speed / deals
    what = f"{game.name}: pimc over {deals} worlds of {each:.1f} ms, two threads to one"
    yield at_least(what, gain, f"{gain:.2f}", GAIN, "")


class Shown(Agent):
    """Keeps the worlds that it is shown, so that they can be searched without PIMC."""

    def __init__(self) -> None:
        object.__setattr__(self, "worlds", [])

    worlds: list[Any]

    def choose(self, game: Any, state: Any, rng: Any, ask: Ask) -> Decision:
        self.worlds.append(game.copy(state))
        return Decision(game.legal(state)[0], None, (), (), 0, 0, 0.0, "shown")


def timed(work: Callable[[], object], clock: Callable[[], float]) -> Run:
    started = clock()
    work()
    return Run(1, clock() - started)


def side_by_side(game: Game, rounds: int, playouts: int = OURS) -> Row:
    """Playouts per second of two trees against one."""
    best = race(
        [
            Runner("one", lambda: our_playouts(game, playouts)),
            Runner("two", lambda: our_playouts(game, 2 * playouts, threads=2)),
        ],
        rounds,
    )
    gain = best["two"].speed / best["one"].speed
    return at_least(f"{game.name}: mcts with two threads to one", gain, f"{gain:.2f}", GAIN, "")
