"""`kingmaker match`: agents against each other."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal, NamedTuple

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kingmaker.cli.parts import (
    NOTHING,
    AgentText,
    AsJson,
    Flag,
    GameText,
    Interpreted,
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
    ready,
    show_labelled,
)
from kingmaker.cli.voice import quiet
from kingmaker.core.errors import BadParameter, KingmakerError

EVERY = 5.0  # seconds between two plain lines of progress
INTERRUPTED = 130


def match(
    game: GameText,
    /,
    *agents: AgentText,
    games: Annotated[int, Parameter(help="How many matches.")] = 100,
    seating: Annotated[
        Literal["all", "rotations", "fixed"],
        Parameter(help="Every order of the agents, each agent once first, or as given."),
    ] = "all",
    opening: Annotated[
        int, Parameter(help="Random moves that are played first, the same for every seating of a start.")
    ] = 0,
    seed: Seed = 0,
    interpreted: Interpreted = False,
    watch: Annotated[bool, Flag, Parameter(help="Show the board after each turn of the first match.")] = False,
    json: AsJson = False,
) -> int:
    """Let agents play matches against each other and count who wins.

    Every seating is played from a start before the next start, so no agent has
    an advantage from its seat. The same seed gives the same matches, unless an
    agent has a budget of seconds. After Ctrl-C, or if an agent fails, the table
    of the matches so far is printed.

    Example: kingmaker match light_bike "paranoid(depth=6)" greedy random --games 60
    """
    from kingmaker.arena.results.tally import Tally
    from kingmaker.arena.table.seating import arrangements, sized

    rules = ready(find_game(game), interpreted)
    players = [find_agent(text) for text in agents]
    sized(players, rules.seats)
    if games < 1:
        raise BadParameter(f"expected at least 1 match, got --games {games}")
    if opening < 0:
        raise BadParameter(f"expected at least 0 random moves, got --opening {opening}")
    seatings = arrangements(len(players), rules.seats, seating)
    for player in players:
        player.fit(rules)
    names, tally, fault = [plain(player) for player in players], Tally(len(players), rules.seats), None
    asked = Asked(rules, players, names, seating, len(seatings), games, opening, seed)
    try:
        complete = play_all(asked, tally, Screen(stderr=json), watch, bar=not json)
    except KingmakerError as failure:
        if not tally.matches:
            raise
        fault = failure
    if json:
        print_json(described(asked, tally))
    else:
        report(Screen(), asked, tally, "an agent failed" if fault else "interrupted")
    if fault:
        raise fault
    return 0 if complete else INTERRUPTED


class Asked(NamedTuple):
    """What is to be played."""

    game: Any
    players: list[Any]
    names: list[str]
    seating: str
    seatings: int  # per start
    games: int
    opening: int
    seed: int

    @property
    def way_out(self) -> str:
        """How to ask for matches that differ."""
        return f"--opening {2 * self.opening or 4}"


def play_all(asked: Asked, tally: Any, screen: Screen, watch: bool, bar: bool) -> bool:
    """Play the schedule and count; returns False after Ctrl-C."""
    from kingmaker.arena.table.match import play_match
    from kingmaker.arena.table.seating import schedule

    game = asked.game
    try:
        for player in asked.players:
            player.prepare(game)  # before the time of the matches is measured
        with progress(screen, asked.games, bar) as advance:
            for nth, (start, chairs) in enumerate(schedule(len(asked.players), game.seats, asked.seating, asked.games)):
                seated = [asked.players[chair] for chair in chairs]
                watcher = (
                    watching(screen, game, [asked.names[chair] for chair in chairs]) if watch and nth == 0 else None
                )
                state = first_state(asked, start)
                played = play_match(game, seated, start_seed(asked.seed, start), state=state, watch=watcher)
                count(tally, game, state, start, chairs, played)
                if watcher:
                    screen.picture(game.show(end_of(game, state, played)))
                    screen.tell(f"payoffs {', '.join(map(number, played.payoffs))}", "bold")
                advance()
    except KeyboardInterrupt:
        return False
    return True


def first_state(asked: Asked, start: int) -> Any:
    """The position that the start of this number begins with."""
    from kingmaker.arena.table.opening import opened

    seed = start_seed(asked.seed, start)
    state = asked.game.new(seed)
    return opened(asked.game, state, asked.opening, seed) if asked.opening else state


def count(tally: Any, game: Any, state: Any, start: int, chairs: tuple[int, ...], played: Any) -> None:
    """Count a match that began at this state."""
    from kingmaker.arena.results.tally import number_of
    from kingmaker.arena.table.opening import notation_of

    if not played.finished:
        tally.add_unfinished()
        return
    match = (chairs, played.payoffs)
    tally.add(match, start=number_of(notation_of(game, state)), round=start, line=number_of(repr(played.turns)))
    tally.spend(match, [(effort.moves, effort.nodes, effort.depths, effort.seconds) for effort in played.efforts])


def start_seed(seed: int, start: int) -> int:
    """The seed of the start with this number, the same on every machine."""
    from kingmaker.core.rng import stream

    return int(stream(seed, "start", start).word) >> 11  # fits a JSON number exactly


def end_of(game: Any, state: Any, played: Any) -> Any:
    """The last position of a match that began at this state, by playing its turns again."""
    from kingmaker.arena.table.match import take

    state = game.copy(state)
    for turn in played.turns:
        take(game, state, turn)
    return state


def watching(screen: Screen, game: Any, names: list[str]) -> Any:
    """A watcher that prints the board before each turn, and the turn."""

    def watch(state: Any, turn: Any, _decisions: Any) -> None:
        screen.picture(game.show(state))
        for seat, move in turn:
            screen.tell(f"{f'seat {seat}, {names[seat]}' if seat >= 0 else 'the dice'}: {game.say(state, seat, move)}")
        screen.tell()

    return watch


@contextmanager
def progress(screen: Screen, games: int, bar: bool) -> Iterator[Any]:
    """A progress bar in a terminal, elsewhere a plain line on stderr from time to time."""
    if quiet():
        yield lambda: None
        return
    if screen.is_terminal and bar:
        columns = (
            BarColumn(30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}", markup=False),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=screen, transient=True) as shown:
            task = shown.add_task("", total=games, pace="")
            began = time.perf_counter()

            def advance() -> None:
                shown.advance(task)
                shown.update(
                    task, pace=f"{rate(shown.tasks[0].completed, time.perf_counter() - began)} matches/s, left"
                )

            yield advance
        return
    yield Lines(games)


class Lines:
    """Progress as plain lines, for a file."""

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
            self.screen.tell(
                f"{self.done} of {self.games} matches, {rate(self.done, now - self.began)} a second, {left:.0f} s left"
            )


def ordered(asked: Asked, tally: Any) -> list[tuple[str, Any, Any]]:
    """Name, result and what was spent of every agent, the best first."""
    table = tally.table()
    rows = zip(asked.names, table.rows(table.ratings()), map(Spent._make, tally.spent), strict=True)
    return sorted(rows, key=lambda row: (-row[1].win_rate, -row[2].mean_payoff))


class Spent(NamedTuple):
    """What an agent spent in all finished matches."""

    moves: float
    nodes: float
    depths: float
    points: float  # sum of payoffs
    games: float
    seconds: float

    @property
    def mean_payoff(self) -> float:
        return self.points / self.games if self.games else 0.0

    @property
    def seconds_a_move(self) -> float:
        return self.seconds / self.moves if self.moves else 0.0


def described(asked: Asked, tally: Any) -> dict[str, Any]:
    """A tally as data."""
    return {
        "game": plain(asked.game),
        "seed": asked.seed,
        "seating": asked.seating,
        "opening": asked.opening,
        "asked": asked.games,
        "played": tally.matches,
        "unfinished": tally.unfinished,
        "different": tally.different,
        "blocks": tally.blocks,
        "method": tally.method,
        "missing": tally.missing(asked.way_out),
        "agents": [
            {
                "agent": name,
                "games": row.games,
                "wins": row.wins,
                "win_rate": row.win_rate,
                "win_interval": row.win_interval,
                "shared": row.shared,
                "share": row.share,
                "share_interval": row.share_interval,
                "elo": row.elo,
                "elo_error": row.elo_error,
                "elo_bound": row.elo_bound,
                "mean_payoff": spent.mean_payoff,
                "moves": row.moves,
                "nodes": round(spent.nodes),
                "seconds": spent.seconds,
                "mean_depth": row.depth,
                "nodes_per_second": per_second(round(spent.nodes), spent.seconds),
            }
            for name, row, spent in ordered(asked, tally)
        ],
    }


def report(screen: Screen, asked: Asked, tally: Any, why: str) -> None:
    """Print the table, and how many matches it is computed from."""
    show_labelled(screen, asked.names, lambda shown: result_table(asked, tally, shown))
    starts, games, seatings = -(-tally.matches // asked.seatings), asked.games, asked.seatings
    played = f"{tally.matches} matches" if tally.matches == games else f"{tally.matches} of {games} matches ({why})"
    kinds = f"{starts} start{'s' * (starts != 1)}, {seatings} seating{'s' * (seatings != 1)}"
    screen.tell(f"{played} of {plain(asked.game)}, seed {asked.seed}: {kinds}")
    missing = tally.missing(asked.way_out)
    if missing:
        screen.tell(missing, "yellow")
    screen.remark(
        f"95 %: confidence interval of the win rate {tally.method}; "
        "shared: % of games won together with others; ms: per move"
    )
    if tally.matches % seatings and seatings > 1:
        screen.remark(f"the last start was not played by every seating; a multiple of {seatings} games is fairer")
    if tally.unfinished:
        screen.tell(f"{tally.unfinished} unfinished: the limit of turns was reached; they count as no games")


def result_table(asked: Asked, tally: Any, shown: dict[str, str]) -> Table:
    table = new_table()
    table.add_column("agent", overflow="fold")
    for heading in ("games", "win %", "95 %", "shared", "payoff", "depth", "nodes/s", "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, (name, row, spent) in enumerate(ordered(asked, tally)):
        low, high = row.win_interval
        table.add_row(
            shown[name],
            str(row.games),
            f"{100 * row.win_rate:.1f}",
            f"{100 * low:.0f}–{100 * high:.0f}" if row.games else NOTHING,
            f"{100 * (row.ties_rate - row.win_rate):.1f}",
            f"{spent.mean_payoff:.3g}",
            f"{row.depth:.1f}" if spent.nodes else NOTHING,
            rate(round(spent.nodes), spent.seconds),
            f"{1000 * spent.seconds_a_move:.3g}",
            style="bold green" if place == 0 and row.wins else "",
        )
    return table
