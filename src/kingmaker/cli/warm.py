"""`kingmaker warm`: compile ahead."""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from kingmaker.cli.parts import Screen, find_agent, find_game
from kingmaker.cli.voice import quiet
from kingmaker.core.errors import KingmakerError, unknown

Pair = tuple[str, str]  # a game and an agent, as texts


def warm(*names: Annotated[str, Parameter(help="Games and agents, in any order; all if none is named.")]) -> int:
    """Compile ahead, on all cores, so that nobody waits later.

    Every agent is compiled for every game that it can play. An agent that is
    named without settings is compiled with and without a limit of depth. Write
    out other settings, because they are compiled separately.

    Example: kingmaker warm light_bike maxn "paranoid(depth=6, table=16)"
    """
    games, agents = sorted_out(names)
    first, rest = rounds(list(pairs(games, agents)))
    screen = Screen(stderr=True)
    done = refused = 0
    columns = (BarColumn(30), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    with (
        ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool,
        Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal or quiet()) as bar,
    ):
        task = bar.add_task("compiling", total=len(first) + len(rest))
        for part in (first, rest):
            for (game, agent), fault in zip(part, pool.map(compiled, part), strict=True):
                bar.update(task, advance=1, description=f"{agent} for {game}")
                done, refused = done + (not fault), refused + bool(fault)
                if fault and len(games) == len(agents) == 1:
                    raise KingmakerError(fault)
    left = f"; {refused} left out, because the agent cannot play the game" if refused else ""
    Screen().tell(f"compiled {done} pair{'s' * (done != 1)} of game and agent{left}")
    return 0


def sorted_out(names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The games and the agents among these names; all where none is named."""
    from kingmaker.core.notation import parse_call
    from kingmaker.games import GAMES, PLAYERS
    from kingmaker.search import ALGORITHMS

    games, agents = [], []
    for text in names:
        name = parse_call(text)[0]
        if name in GAMES or ".py" in name:
            find_game(text)
            games.append(text)
        elif name in ALGORITHMS or name in PLAYERS:
            find_agent(text)
            agents.append(text)
        else:
            raise unknown("game or agent", name, [*GAMES, *ALGORITHMS, *PLAYERS])
    return games or list(GAMES), agents or list(ALGORITHMS)


def pairs(games: list[str], agents: list[str]) -> Iterator[Pair]:
    for game in games:
        for agent in agents:
            yield game, agent
            if is_unlimited(agent):
                yield game, f"{agent}(depth=1)"


def is_unlimited(agent: str) -> bool:
    """Is this a search without settings that may be told how deep to look? Without a limit of depth it has another
    workspace, and so other code, than with one.
    """
    from kingmaker.search import ALGORITHMS

    depth = vars(ALGORITHMS[agent]).get("__dataclass_fields__", {}).get("depth") if agent in ALGORITHMS else None
    return depth is not None and depth.default is None


def rounds(whole: list[Pair]) -> tuple[list[Pair], list[Pair]]:
    """First one agent for every game, which compiles the rules for the others too; then the rest."""
    first = list({game: (game, agent) for game, agent in reversed(whole)}.values())
    return first, [pair for pair in whole if pair not in first]


def compiled(pair: Pair) -> str:
    """Compile one pair in this process, for decisions and for matches; returns why that is impossible, or an empty
    text.
    """
    from kingmaker.arena.table.referee import referee_of

    try:
        game = find_game(pair[0])
        find_agent(pair[1]).prepare(game)
        referee_of(game).hasten()
    except KingmakerError as fault:
        return str(fault)
    return ""
