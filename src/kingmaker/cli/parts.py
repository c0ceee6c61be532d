"""What several commands share: their options, games and agents from texts, and how results are printed."""

import itertools
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from kingmaker.cli.voice import quiet, say_aside
from kingmaker.core.errors import BadParameter, CannotCompile, IllegalMove, KingmakerError
from kingmaker.core.plain_text import CONTROLS, safe

if TYPE_CHECKING:
    from kingmaker.arena.table.table import Table as ArenaTable
    from kingmaker.core.agent import Agent
    from kingmaker.core.game import Game

GameText = Annotated[
    str, Parameter(help='A game: sticks, "light_bike(seats=4)", or your own file: "my_game.py(sticks=9)".')
]
AgentText = Annotated[
    str, Parameter(help='An agent: greedy, "paranoid(depth=6)", or your own file: "my_agent.py(depth=3)".')
]
Seed = Annotated[int, Parameter(help="The seed of all random numbers.")]
PositionText = Annotated[
    str, Parameter(help="Begin at this position, a line as decide prints it, not at a start.", show_default=False)
]
MoveTexts = Annotated[
    str,
    Parameter(
        help='Play these moves first, one seat after the other, as people write them: "N,E,S".', show_default=False
    ),
]
AsJson = Annotated[
    bool, Parameter(name="--json", negative=(), show_default=False, help="Print one JSON document and nothing else.")
]
Flag = Parameter(negative=(), show_default=False)
Interpreted = Annotated[
    bool, Flag, Parameter(help="Run everything as plain Python, not compiled: slower, but the same result.")
]
NOTHING = "–"
LENGTHS = (40, 28, 22, 16)  # letters of a label, from a wide screen to a narrow one


class Screen(Console):
    """A terminal or a file; texts are printed unchanged, except that control characters are written out.

    In a file no sentence is wrapped and no table is narrowed: lines are as long as they need to be.
    """

    def __init__(self, stderr: bool = False, **options: Any) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False, **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
        """Make everything safe that is printed: tables, progress bars and sentences all pass through here in pieces."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(safe(piece.text), piece.style)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(
            safe(text), **options
        )  # made safe before its width is measured, so that columns stay aligned

    def tell(self, text: str = "", style: str = "") -> None:
        """Print one sentence: in a terminal wrapped at words, in a file on one line."""
        self.print(Text(safe(text), style=style), soft_wrap=not self.is_terminal)

    def remark(self, text: str) -> None:
        """Print a sentence that explains the result; --quiet leaves it out."""
        if not quiet():
            self.tell(text, "dim")

    def prose(self, text: str) -> None:
        """Print paragraphs, wrapped for this screen; indented paragraphs stay as they are."""
        for nth, paragraph in enumerate(text.split("\n\n")):
            if nth:
                self.tell()
            if paragraph.startswith(" "):
                self.picture(paragraph)
            else:
                self.print(Text(safe(" ".join(paragraph.split()))))

    def picture(self, text: str) -> None:
        """Print lines that must not be wrapped: boards, positions, rows of numbers."""
        self.print(Text(safe(text)), soft_wrap=True)

    def table(self, table: Table) -> None:
        """Print a table; in a file every row is on one line."""
        usual = self.width
        if not self.is_terminal:
            self.width = max(usual, widest(self, table))
        self.print(table)
        self.width = usual


def show_labelled(screen: Screen, texts: Iterable[str], *tables: Callable[[dict[str, str]], Table]) -> None:
    """Print the first of these tables that fits the screen, with labels for long texts and a legend under it."""
    from kingmaker.arena.results.labels import labels, legend

    texts = list(texts)
    for table_of, most in itertools.product(tables, LENGTHS):
        shown = labels(texts, most)
        table = table_of(shown)
        if not screen.is_terminal or widest(screen, table) <= screen.width:
            break
    screen.table(table)
    for label, text in legend(shown):
        screen.picture(f"{label} is {text}")


def widest(screen: Console, table: Table) -> int:
    """The width that a table needs so that nothing in it is wrapped."""
    return Measurement.get(screen, screen.options.update(max_width=1_000_000), table).maximum


def new_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)


def json_text(data: Any) -> str:
    """One JSON document; numbers that JSON does not have, such as infinity, become null."""
    import msgspec

    encoded = msgspec.json.encode(
        data, enc_hook=lambda value: value.tolist() if hasattr(value, "tolist") else str(value)
    )
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", msgspec.json.format(encoded, indent=2).decode())


def print_json(data: Any) -> None:
    print(json_text(data))


def find_game(text: str) -> "Game":
    """The game that a text names."""
    from kingmaker.loading import load_game

    return made(load_game, text)  # type: ignore[no-any-return]


def ready(game: "Game", interpreted: bool) -> "Game":
    """A game that is ready to be used: interpreted if that is asked for, and examined if it is a game of one's own."""
    from kingmaker.core.guard import interpret, is_own

    if interpreted:
        interpret(game)
    if is_own(game):
        from kingmaker.soundness.vouching import vouched

        with examinations_told(), suppress(CannotCompile):  # a command that needs machine code raises this itself
            vouched(game)
    return game


def examinations_told() -> Any:
    """Tell a user at a terminal when a game of one's own is being examined."""
    from kingmaker.soundness.vouching import told_to

    return told_to(say_aside if sys.stderr.isatty() and not quiet() else None)


def find_agent(text: str) -> "Agent":
    """The agent that a text names."""
    from kingmaker.loading import load_agent

    return made(load_agent, text)  # type: ignore[no-any-return]


def opponent(game: "Game") -> str:
    """The agent that a person meets where none is named: one that may play the game, at most about a second a move."""
    from kingmaker.games import players_of

    if game.facts.hidden:
        return "pimc(maxn(depth=4, quiet=3, seconds=0.05), deals=20, by=mean)"
    return "plans(maxn(depth=2))" if "plans" in players_of(game.name) else "maxn"


def made(load: Any, text: str) -> Any:
    """What a text names; any error that a constructor raises becomes a sentence."""
    try:
        return load(text)
    except (KingmakerError, MemoryError):
        raise
    except Exception as fault:
        raise BadParameter(f"cannot make {text}: {fault}") from fault


def plain(thing: object) -> str:
    """The text form of a game or an agent, without empty brackets."""
    return str(thing).removesuffix("()")


def opened(game: "Game", position: str, moves: str, seed: int) -> Any:
    """The state to begin with: a start, or a position, and then some moves."""
    from kingmaker.core.game import OVER

    state = game.position(position) if position else game.new(seed)
    for word in moves.split(",") if moves.strip() else ():
        if game.mover(state) == OVER:
            raise IllegalMove(f"the match is over before the move '{word.strip()}' in '{moves}'")
        state = game.after(state, game.parse(state, int(game.mover(state)), word.strip()))
    return state


def seated(game: "Game", agent: "Agent", state: Any, seed: int) -> tuple["ArenaTable", list[str]]:
    """A table with the agent on every seat, where the dice were rolled until a seat is to move, and what was rolled."""
    from kingmaker.arena.table.table import Table

    agent.fit(game)
    table = Table(game, [agent] * game.seats, seed, state)
    return table, table.roll_on()


def words_of(game: "Game", state: Any, line: Iterable[int], movers: Sequence[int] = ()) -> list[str]:
    """A line of moves as people write them, each made by its mover, or by the seat to move if no movers are given; the
    line ends before the first move that is not legal.

    A move out of turn is written with its seat: `2:N`.
    """
    import numpy as np

    from kingmaker.core.game import OVER
    from kingmaker.core.legal_moves import is_legal

    words, state = [], game.copy(state)
    for nth, move in enumerate(line):
        turn = int(game.mover(state))
        seat = movers[nth] if movers else turn
        if turn == OVER or not is_legal(game, state, seat, move):
            break
        words.append(game.say(state, seat, move) if seat == turn else f"{seat}:{game.say(state, seat, move)}")
        with np.errstate(over="ignore"):
            game.play(state, seat, move)
    return words


def side_by_side(moves: Sequence[str]) -> str:
    """Moves in one line: separated by spaces, or by commas if a move itself holds spaces."""
    return (", " if any(" " in move for move in moves) else " ").join(moves)


def number(value: float | None) -> str:
    """A number for a table: whole, or with three decimals."""
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.0f}" if value == int(value) or abs(value) >= 100_000 else f"{value:.3f}"


def vector(values: Sequence[float] | None) -> str:
    """One number per seat."""
    return NOTHING if values is None else "  ".join(map(number, values))


def amount(value: float) -> str:
    """A large number in three figures: 950, 12.3 k, 4.56 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


def rate(count: float, seconds: float) -> str:
    return amount(count / seconds) if count and seconds else NOTHING


def duration(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def per_second(count: float, seconds: float) -> float | None:
    return count / seconds if seconds else None


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is either complete or not there at all."""
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except OSError as fault:
        raise BadParameter(f"cannot write the file '{path}': {fault.strerror}") from None
    finally:
        if name:
            Path(name).unlink(missing_ok=True)
