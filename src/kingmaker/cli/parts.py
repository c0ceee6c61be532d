"""What several commands share: their options, the things that texts name, and how results reach the screen."""

import math
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kingmaker.core.errors import BadParameter, IllegalMove, KingmakerError

if TYPE_CHECKING:
    from kingmaker.core.agent import Agent
    from kingmaker.core.game import Game

GameText = Annotated[str, Parameter(help='A game: sticks, "light_bike(seats=4)", or your own file: "my_game.py(sticks=9)".')]
AgentText = Annotated[str, Parameter(help='An agent, an algorithm with its settings: greedy, "paranoid(depth=6)".')]
Seed = Annotated[int, Parameter(help="All that is random follows from it.")]
PositionText = Annotated[str, Parameter(help="Begin at this position, a line as decide prints it; else at a start.", show_default=False)]
MoveTexts = Annotated[
    str, Parameter(help='Play these moves first, one seat after the other, as people write them: "N,E,S".', show_default=False)
]
AsJson = Annotated[bool, Parameter(name="--json", negative=(), show_default=False, help="Print one JSON document and nothing else.")]
Flag = Parameter(negative=(), show_default=False)
NOTHING = "–"


class Screen(Console):
    """A terminal, or a file of 80 columns; texts are printed as they are."""

    def __init__(self, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def tell(self, text: str = "", style: str = "") -> None:
        """One sentence, wrapped at words."""
        self.print(Text(text, style=style))

    def prose(self, text: str) -> None:
        """Paragraphs, wrapped anew for this screen; indented ones stay as they are."""
        for nth, paragraph in enumerate(text.split("\n\n")):
            if nth:
                self.tell()
            if paragraph.startswith(" "):
                self.picture(paragraph)
            else:
                self.tell(" ".join(paragraph.split()))

    def picture(self, text: str) -> None:
        """Several lines that must not be wrapped."""
        self.print(Text(text), soft_wrap=True)


def new_table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)


def json_text(data: Any) -> str:
    """One document; numbers that JSON does not know are null."""
    import msgspec

    encoded = msgspec.json.encode(data, enc_hook=lambda value: value.tolist() if hasattr(value, "tolist") else str(value))
    return msgspec.json.format(encoded, indent=2).decode()


def print_json(data: Any) -> None:
    print(json_text(data))


def say_aside(sentence: str) -> None:
    """A remark beside the result, on stderr."""
    sys.stderr.write(f"kingmaker: {sentence}\n")


def find_game(text: str) -> "Game":
    """The game that a text names."""
    from kingmaker.loading import load_game

    return made(load_game, text)  # type: ignore[no-any-return]


def find_agent(text: str) -> "Agent":
    """The agent that a text names."""
    from kingmaker.loading import load_agent

    return made(load_agent, text)  # type: ignore[no-any-return]


def made(load: Any, text: str) -> Any:
    """Whatever a constructor makes of wrong parameters, it is told as a sentence."""
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


def roll_on(game: "Game", state: Any, seed: int) -> list[str]:
    """Let the dice fall until a seat is to move; what they showed."""
    from kingmaker.arena.match import rolled
    from kingmaker.core.game import CHANCE
    from kingmaker.core.rng import stream

    dice, shown = stream(seed, "dice"), []
    while game.mover(state) == CHANCE:
        outcome = rolled(game, state, dice)
        shown.append(game.say(state, CHANCE, outcome))
        game.play(state, CHANCE, outcome)
    return shown


def words_of(game: "Game", state: Any, line: Iterable[int]) -> list[str]:
    """A line of moves as people write them; it ends where the next move is not one of whoever is to move."""
    words = []
    for move in line:
        if move not in game.legal(state):
            break
        words.append(game.say(state, int(game.mover(state)), move))
        state = game.after(state, move)
    return words


def number(value: float | None) -> str:
    """A number for a table: whole, or with three decimals."""
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.0f}" if value == int(value) or abs(value) >= 100_000 else f"{value:.3f}"


def vector(values: Sequence[float] | None) -> str:
    """One number a seat."""
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
    """Write a file that is there whole or not at all."""
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
