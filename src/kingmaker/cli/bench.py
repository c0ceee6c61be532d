"""`kingmaker bench`: nodes per second, and the node count as signature of a search."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from kingmaker.cli.parts import (
    AsJson,
    Screen,
    amount,
    duration,
    find_agent,
    find_game,
    new_table,
    plain,
    print_json,
    rate,
    seated,
)
from kingmaker.cli.voice import quiet
from kingmaker.core.errors import BadParameter, KingmakerError, Mismatch

if TYPE_CHECKING:
    from kingmaker.core.agent import Agent

# assumed nodes per second, by which --seconds becomes a node limit; fixed, so that every machine counts the same nodes
SPEED = 20_000_000
RUNS = 3  # of which the fastest counts
LARGER = {  # games whose default would be searched in a millisecond
    "random_tree": "random_tree(height=16)",
    "sticks": "sticks(sticks=24)",
}


@dataclass(frozen=True)
class Measured:
    """One search on one game."""

    game: str
    agent: str
    depth: int
    nodes: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds


@dataclass(frozen=True)
class Left:
    """A pair of game and agent that was not measured, and why."""

    game: str
    agent: str
    reason: str


def bench(
    game: Annotated[str, Parameter(help="Only this game.")] = "",
    agent: Annotated[str, Parameter(help="Only this agent; a depth or a number of nodes in it stays.")] = "",
    /,
    *,
    seconds: Annotated[float, Parameter(help="About how long a search should take.")] = 0.2,
    json: AsJson = False,
) -> None:
    """Measure how fast the searches run.

    Every game with every search, from the start of seed 0. The depth follows
    from a node limit that is the same on every machine, so the node count is a
    signature: if it changes, the search has changed.

    Example: kingmaker bench light_bike "paranoid(depth=20)"
    """
    if not 0 < seconds < 3600:
        raise BadParameter(f"expected more than 0 and less than 3600 seconds, got --seconds {seconds:g}")
    pairs = list(paired(game, agent))
    found = list(measured(pairs, seconds, Screen(stderr=True), alone=bool(game and agent)))
    if json:
        print_json(
            [
                asdict(entry) | ({"nodes_per_second": entry.nodes_per_second} if isinstance(entry, Measured) else {})
                for entry in found
            ]
        )
    else:
        report(Screen(), found)


def paired(game: str, agent: str) -> Iterator[tuple[str, str]]:
    """The texts of every game and agent to measure."""
    from kingmaker.games import GAMES
    from kingmaker.search import ALGORITHMS

    for one in [game] if game else [LARGER.get(name, name) for name in GAMES]:
        for other in [agent] if agent else ALGORITHMS:
            yield one, other


def measured(pairs: list[tuple[str, str]], seconds: float, screen: Screen, alone: bool) -> Iterator[Measured | Left]:
    """Measure one pair after the other; a search that refuses its game raises an error only if it is the only one."""
    columns = (BarColumn(30), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal or quiet()) as bar:
        task = bar.add_task("", total=len(pairs))
        for game, agent in pairs:
            bar.update(task, description=f"{agent} on {game}")
            try:
                yield measure(game, agent, seconds)
            except KingmakerError as fault:
                if alone:
                    raise
                yield elsewhere(game, agent, seconds) or Left(game, agent, str(fault))
            bar.advance(task)


def elsewhere(game: str, agent: str, seconds: float) -> Measured | None:
    """Measure a search that refuses a game on the same game with two seats, or with another of its estimates."""
    for other_game, other_agent in variants(game, agent):
        try:
            return measure(other_game, other_agent, seconds)
        except KingmakerError:
            continue
    return None


def variants(game: str, agent: str) -> Iterator[tuple[str, str]]:
    name, _, settings = game.partition("(")
    yield f"{name}({f'seats=2, {settings}' if settings else 'seats=2)'}", agent
    try:
        rules = find_game(game)
    except KingmakerError:
        return
    if "(" not in agent:
        for estimate in rules.estimates[1:]:
            yield game, f"{agent}(estimate={estimate.name})"


def measure(game: str, agent: str, seconds: float) -> Measured:
    """Search the start of a game as deep as the node limit allows, several times; the fastest counts."""
    rules = find_game(game)
    if not rules.has_records:
        raise Mismatch(f"{plain(rules)} runs interpreted, for its states are not records; nothing is compiled")
    state = rules.new(0)
    state = seated(rules, find_agent("random"), state, 0)[0].state
    player = limited(find_agent(agent), rules, state, round(seconds * SPEED))
    player.prepare(rules)
    best, until = float("inf"), time.perf_counter() + seconds * RUNS
    for nth in range(1000):
        decision = player.decide(rules, state)
        best = min(best, decision.seconds)
        if nth + 1 >= RUNS and time.perf_counter() > until:
            break
    if not decision.nodes:
        raise Mismatch(f"{player.name} looks at no nodes")
    return Measured(plain(rules), agent, decision.depth, decision.nodes, best)


def limited(agent: "Agent", game: Any, state: Any, nodes: int) -> "Agent":
    """The agent with the depth that it finishes within so many nodes, or with so many nodes if it does not search by
    depth, unless it has a budget of its own.
    """
    from kingmaker.core.workspace import SHORTEST
    from kingmaker.search.parts.machinery.depth_first import DepthFirst
    from kingmaker.search.parts.machinery.sampling import Sampler

    if getattr(agent, "seconds", None) is not None:
        raise BadParameter(f"a budget of seconds has no steady node count; use depth or nodes in {agent}")
    if isinstance(agent, Sampler) and agent.playouts is None and agent.nodes is None:
        return replace(agent, nodes=max(1, nodes))
    if not isinstance(agent, DepthFirst) or agent.depth is not None or agent.nodes is not None:
        return agent
    deepest = max(1, SHORTEST - 2 - agent.quiet)  # a deeper search would be compiled for a larger workspace
    tried = replace(agent, depth=deepest, nodes=nodes).decide(game, state)
    return replace(agent, depth=max(1, tried.depth))


def report(screen: Screen, found: list[Measured | Left]) -> None:
    """Print the table, the signature of all searches, and the pairs that were left out."""
    table = new_table()
    for heading in ("game", "agent"):
        table.add_column(heading, overflow="fold")
    for heading in ("depth", "nodes", "time", "nodes/s"):
        table.add_column(heading, justify="right", no_wrap=True)
    rows = [entry for entry in found if isinstance(entry, Measured)]
    for row in rows:
        nodes = f"{row.nodes:,}".replace(",", " ")
        table.add_row(row.game, row.agent, str(row.depth), nodes, duration(row.seconds), rate(row.nodes, row.seconds))
    if rows:
        screen.table(table)
        total = sum(row.nodes for row in rows)
        screen.tell(f"signature {total}, {amount(total / sum(row.seconds for row in rows))} nodes/s over all")
    reasons: dict[tuple[str, str], list[str]] = {}
    for entry in found:
        if isinstance(entry, Left):
            reasons.setdefault((entry.game, entry.reason), []).append(entry.agent)
    for (game, reason), agents in reasons.items():
        screen.tell(f"left out: {game}, {', '.join(agents)}: {reason}", "dim")
