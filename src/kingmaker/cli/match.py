"""`kingmaker match`: agents against each other."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kingmaker.cli.parts import (
    NOTHING,
    AgentText,
    AsJson,
    Flag,
    GameText,
    Screen,
    Seed,
    find_agent,
    find_game,
    new_table,
    number,
    per_second,
    plain,
    print_json,
    rate,
)
from kingmaker.core.errors import BadParameter, KingmakerError

EVERY = 5.0  # seconds between two plain lines of progress
INTERRUPTED = 130


def match(
    game: GameText,
    /,
    *agents: AgentText,
    games: Annotated[int, Parameter(help="How many matches.")] = 100,
    seating: Annotated[
        Literal["all", "rotations", "fixed"], Parameter(help="Every order of the agents, each agent once first, or as given.")
    ] = "all",
    seed: Seed = 0,
    watch: Annotated[bool, Flag, Parameter(help="Show the board after each turn of the first match.")] = False,
    json: AsJson = False,
) -> int:
    """Let agents play matches against each other and count who wins.

    Every seating plays a start before the next start comes, so nobody is
    better off for its seat. The same seed gives the same matches, unless an
    agent has a budget of seconds. Ctrl-C, or an agent that fails, ends it early
    with the table so far.

    Example: kingmaker match light_bike "paranoid(depth=6)" greedy random --games 60
    """
    from kingmaker.arena.seating import arrangements, sized
    from kingmaker.arena.tally import Tally

    rules = find_game(game)
    players = [find_agent(text) for text in agents]
    sized(players, rules.seats)
    if games < 1:
        raise BadParameter(f"expected at least 1 match, got --games {games}")
    seatings = arrangements(len(players), rules.seats, seating)
    for player in players:
        player.fit(rules)
    tally, fault = Tally([plain(player) for player in players]), None
    try:
        complete = play_all(rules, players, tally, seating, games, seed, Screen(stderr=json), watch, quiet=json)
    except KingmakerError as failure:
        if not tally.matches:
            raise
        fault = failure
    if json:
        print_json(described(rules, tally, seed, seating, games))
    else:
        report(Screen(), rules, tally, len(seatings), games, seed, "an agent failed" if fault else "interrupted")
    if fault:
        raise fault
    return 0 if complete else INTERRUPTED


def play_all(
    game: Any, players: list[Any], tally: Any, seating: str, games: int, seed: int, screen: Screen, watch: bool, quiet: bool
) -> bool:
    """Play the schedule and count; False if somebody pressed Ctrl-C."""
    from kingmaker.arena.match import play_match
    from kingmaker.arena.seating import schedule

    try:
        with progress(screen, games, quiet) as advance:
            for nth, (start, chairs) in enumerate(schedule(len(players), game.seats, seating, games)):
                seated = [players[chair] for chair in chairs]
                watcher = watching(screen, game, [tally.agents[chair] for chair in chairs]) if watch and nth == 0 else None
                played = play_match(game, seated, start_seed(seed, start), watch=watcher)
                tally.add(chairs, played)
                if watcher:
                    screen.picture(game.show(end_of(game, played)))
                    screen.tell(f"payoffs {', '.join(map(number, played.payoffs))}", "bold")
                advance()
    except KeyboardInterrupt:
        return False
    return True


def start_seed(seed: int, start: int) -> int:
    """The seed of the start with this number, the same on every machine."""
    from kingmaker.core.rng import stream

    return int(stream(seed, "start", start).word) >> 11  # fits a JSON number exactly


def end_of(game: Any, played: Any) -> Any:
    """The last position of a match, by playing its turns again."""
    from kingmaker.arena.match import take

    state = game.new(played.seed)
    for turn in played.turns:
        take(game, state, turn)
    return state


def watching(screen: Screen, game: Any, names: list[str]) -> Any:
    """Shows the board before each turn, and the turn."""

    def watch(state: Any, turn: Any, _decisions: Any) -> None:
        screen.picture(game.show(state))
        for seat, move in turn:
            screen.tell(f"{f'seat {seat}, {names[seat]}' if seat >= 0 else 'the dice'}: {game.say(state, seat, move)}")
        screen.tell()

    return watch


@contextmanager
def progress(screen: Screen, games: int, quiet: bool) -> Iterator[Any]:
    """A bar in a terminal, elsewhere a plain line on stderr now and then."""
    if screen.is_terminal and not quiet:
        columns = (BarColumn(30), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"), TimeRemainingColumn())
        with Progress(*columns, console=screen, transient=True) as bar:
            task = bar.add_task("", total=games, pace="")
            began = time.perf_counter()

            def advance() -> None:
                bar.advance(task)
                bar.update(task, pace=f"{rate(bar.tasks[0].completed, time.perf_counter() - began)} matches/s, left")

            yield advance
        return
    yield Lines(games)


class Lines:
    """Progress for a file."""

    def __init__(self, games: int) -> None:
        self.games, self.done = games, 0
        self.began = self.said = time.perf_counter()
        self.screen = Screen(stderr=True)

    def __call__(self) -> None:
        self.done += 1
        now = time.perf_counter()
        if now - self.said >= EVERY and self.done < self.games:
            self.said = now
            left = (now - self.began) / self.done * (self.games - self.done)
            self.screen.tell(f"{self.done} of {self.games} matches, {rate(self.done, now - self.began)} a second, {left:.0f} s left")


def ordered(tally: Any) -> list[Any]:
    """The rows, the best first."""
    return sorted(tally.rows, key=lambda row: (-row.rate(row.wins), -row.rate(row.points)))


def described(game: Any, tally: Any, seed: int, seating: str, games: int) -> dict[str, Any]:
    """A tally as data."""
    return {
        "game": plain(game),
        "seed": seed,
        "seating": seating,
        "asked": games,
        "played": tally.matches,
        "unfinished": tally.unfinished,
        "agents": [
            {
                "agent": row.agent,
                "games": row.games,
                "wins": row.wins,
                "win_rate": row.rate(row.wins),
                "win_interval": row.win_interval,
                "shared": row.shared,
                "mean_payoff": row.rate(row.points),
                "moves": row.moves,
                "nodes": row.nodes,
                "seconds": row.seconds,
                "mean_depth": row.per_move(row.depths),
                "nodes_per_second": per_second(row.nodes, row.seconds),
            }
            for row in ordered(tally)
        ],
    }


def report(screen: Screen, game: Any, tally: Any, seatings: int, games: int, seed: int, why: str) -> None:
    """The table, and what it stands for."""
    screen.print(result_table(tally))
    starts = -(-tally.matches // seatings)
    played = f"{tally.matches} matches" if tally.matches == games else f"{tally.matches} of {games} matches ({why})"
    kinds = f"{starts} start{'s' * (starts != 1)}, {seatings} seating{'s' * (seatings != 1)}"
    screen.tell(f"{played} of {plain(game)}, seed {seed}: {kinds}")
    screen.tell("95 %: where the win rate lies; shared: % best together with others; ms: a move", "dim")
    if tally.matches % seatings and seatings > 1:
        screen.tell("the last start was not played by every seating; a multiple of the seatings is fairer", "dim")
    if tally.unfinished:
        screen.tell(f"{tally.unfinished} unfinished: the limit of turns was reached; they count as games without a winner")


def result_table(tally: Any) -> Table:
    table = new_table()
    table.add_column("agent", overflow="fold", ratio=1)
    for heading in ("games", "win %", "95 %", "shared", "payoff", "depth", "nodes/s", "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, row in enumerate(ordered(tally)):
        low, high = row.win_interval
        table.add_row(
            row.agent,
            str(row.games),
            f"{100 * row.rate(row.wins):.1f}",
            f"{100 * low:.0f}–{100 * high:.0f}" if row.games else NOTHING,
            f"{100 * row.rate(row.shared):.1f}",
            f"{row.rate(row.points):.3g}",
            f"{row.per_move(row.depths):.1f}" if row.nodes else NOTHING,
            rate(row.nodes, row.seconds),
            f"{1000 * row.per_move(row.seconds):.3g}",
            style="bold green" if place == 0 and row.wins else "",
        )
    return table
