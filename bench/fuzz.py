"""`python -m bench.fuzz`: fuzzing of all texts that a user may write; every wrong text must be answered with one
sentence.

A wrong name, position, move, experiment, tree, record or line of UCI must be refused by one KingmakerError; any other
exception, a hang, and a sentence of several lines are finds. A text that is accepted must be sound: a position that was
read is written and read again, a move that was read is legal. Texts are valid ones with a few letters, words or numbers
changed, and forms made from a grammar. The same seed gives the same texts; the tests try some of each kind, this
command as many as fit into its time.
"""

import json
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from cyclopts import App, Parameter

from kingmaker import load_agent, load_game
from kingmaker.adapters.uci_server import Conversation
from kingmaker.arena.experiment.declaration import read_experiment
from kingmaker.arena.results.transcript_files import read_records
from kingmaker.arena.results.transcripts import replayed
from kingmaker.core.door import OVER, admitted
from kingmaker.core.errors import KingmakerError
from kingmaker.games import GAMES
from kingmaker.search import ALGORITHMS

ROOT = Path(__file__).parents[1]
PATIENCE = 120  # seconds that a single text may take on the slowest machine; more is a hang
TOKENS = [
    *(
        "",
        " ",
        "\n",
        "\t",
        "\x00",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        "=",
        ":",
        ";",
        "/",
        "-",
        "'",
        '"',
        "\\",
        "#",
        "*",
        ".",
        "~",
        "|",
    ),
    *(
        "0",
        "1",
        "-1",
        "2",
        "7",
        "9",
        "64",
        "100",
        "255",
        "2000000000",
        "99999999999999999999",
        "9" * 5000,
        "1e400",
        "0x" + "f" * 5000,
    ),
    *("nan", "inf", "-inf", "true", "None", "null", "1.5", "0.0", "٣", "²", "é", "\ud800", "\u202e", "𝟘"),
    *(
        "seats",
        "depth",
        "nodes",
        "seconds",
        "estimate",
        "seat",
        "move",
        "payoff",
        "odds",
        "a",
        "x",
        "maxn",
        "sticks",
        "[[",
        "((",
        "moves",
    ),
    *("[" * 3000, "(" * 90, "-" * 3000, '{"moves": [' * 2000, "a." * 3000, "not " * 3000, " " * 5000),
]
TREE = (
    '{"seats": 2, "tree": {"moves": {"a": {"odds": [0.5, 0.5], "moves": [1, '
    '[2, 3, 4]]}, "b": {"payoff": [1, 2], "estimate": {"x": 1}}}}}'
)
WRITTEN = (
    "explicit_tree(tree={'moves': {'a': [(1, 2, 3), (3, 2, 1)], 'b': {'seat': 2, 'moves': [(0, 0, 1)]}}}, seats=3)"
)
RECORD = """[Kingmaker "0"]
[Game "{game}"]
[Seat 0 "random()"]
[Seat 1 "random()"]
[Seat 2 "maxn(depth=2)"]
[Match "3"]
[Hand "0"]
[Seed "4"]
[Start "/"]
[Payoffs "3.0 2.0 1.0"]
[Final "/a/1"]

1. 0:a {{1.0 2.0 3.0}}
2. 1:1
"""
UCI = """uci
setoption name Table value 3
isready
ucinewgame
position startpos moves e2e4 e7e5
go depth 1
position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30 moves a1a8
go movetime 1 nodes 5 wtime 10 btime 10 winc 1 movestogo 3
stop
quit
"""
POSITIONS = {
    "sticks": ["left=3 seat=1 winner=0"],
    "light_bike(seats=2, width=6, height=3)": ["6/##4/2#3 1,1;2,2 0 3 3", "6/##4/2#3 x1,1;2,2 1 3 2"],
    "light_bike(seats=2, width=4, height=3, walls=vanish)": [],
    "random_tree(chance=2)": [],
    "abalone": [],
    "chinese_checkers(seats=2, radius=2)": ["a/aa/7/6/5/6/7/bb/b 0 0"],
    "hearts(open=True, ranks=4)": ["A.K.Q./K.A..Q/..AK.A/QJ.Q.. - 3 -,-,-,- 0,0,0,2 1"],
    "spades(bids=True, nil=True, bags=True, ranks=4)": [],
    "chess": ["6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 4 30", "4k3/8/8/8/8/8/8/4K2R w K - 2 30 after e1e2 e8e7"],
    WRITTEN: ["/a", "/a/1"],
}


@dataclass(frozen=True)
class Find:
    """A text that was answered with anything but one sentence."""

    kind: str
    text: str
    fault: str


class Hang(BaseException):
    """A text that takes longer than PATIENCE."""


def spoilt(rng: random.Random, text: str, others: list[str]) -> str:
    """A text with a few letters, words or numbers changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at, till = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        till = min(till, at + rng.choice((0, 1, 1, 2, 5, 20)))
        way = rng.randrange(7)
        if way < 3:
            text = text[:at] + rng.choice(TOKENS) + text[till:]
        elif way == 3:
            text = text[:at] + text[till:]
        elif way == 4:
            text = text[:till] + text[at:till] * rng.choice((1, 2, 30)) + text[till:]
        elif way == 5 and any(sign.isdigit() for sign in text):
            at = rng.choice([place for place, sign in enumerate(text) if sign.isdigit()])
            text = text[:at] + rng.choice(TOKENS) + text[at + 1 :]
        else:
            other = rng.choice(others)
            text = text[:at] + other[rng.randrange(len(other) + 1) :]
    return text


def form(rng: random.Random, deep: int = 0) -> str:
    """A value as it may stand in `name(param=value)`, from a grammar."""
    kinds = (
        ("token", "number", "word", "text", "list", "tuple", "dict", "call")
        if deep < 4
        else ("token", "number", "word")
    )
    kind = rng.choice(kinds)
    if kind == "token":
        return rng.choice(TOKENS)
    if kind == "number":
        return str(rng.choice((rng.randrange(-3, 70), rng.random() * 10, 10 ** rng.randrange(30))))
    if kind == "word":
        return rng.choice(
            (*GAMES, *ALGORITHMS, "territory", "guess(error=0.5)", "own", "first", "random", "shallow+immediate")
        )
    if kind == "text":
        return repr(rng.choice(TOKENS))
    items = [form(rng, deep + 1) for _ in range(rng.randrange(4))]
    if kind == "dict":
        return (
            "{"
            + ", ".join(f"{rng.choice(('moves', 'seat', 'odds', 'payoff', 'interval'))!r}: {item}" for item in items)
            + "}"
        )
    if kind == "call":
        return f"{rng.choice((*GAMES, *ALGORITHMS))}({', '.join(items)})"
    return f"[{', '.join(items)}]" if kind == "list" else f"({', '.join(items)},)"


def named(rng: random.Random, names: dict[str, Any]) -> str:
    """One of the names with some of its own parameters, and values from the grammar."""
    import inspect

    name = rng.choice(list(names))
    known = list(inspect.signature(names[name]).parameters) or ["x"]
    given = [f"{rng.choice(known)}={form(rng)}" for _ in range(rng.randrange(3))]
    return f"{name}({', '.join(given)})"


def games(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    seeds = [*POSITIONS, *GAMES]
    text = named(rng, dict(GAMES)) if rng.random() < 0.5 else spoilt(rng, rng.choice(seeds), seeds)

    def attempt() -> None:
        game = load_game(text)
        admitted(game, game.new(1))

    return text, attempt


def agents(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    seeds = [
        *(
            "maxn(depth=3, ties='average', prune=shallow+immediate)",
            "mp_mix(td=0.1, to=inf, strict=true)",
            "max_prob(tolerance=1e-9)",
        ),
        *(
            "prom(types=[own, 'maxn:own'], odds=[0.5, 0.5], learn=true)",
            "paranoid(seconds=0.5, table=4, quiet=2)",
            "uci(command='x')",
        ),
    ]
    text = named(rng, dict(ALGORITHMS)) if rng.random() < 0.5 else spoilt(rng, rng.choice(seeds), seeds)
    game = ready("sticks(seats=2, sticks=3)")
    return text, lambda: load_agent(text).fit(game)


def estimates(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    seeds = [
        "guess(function=1, error=0.5, leaves=2)",
        "standing(pushed=3, middle=-2)",
        "territory",
        "written(function='x')",
    ]
    name = rng.choice(("random_tree", "abalone", "light_bike", WRITTEN))
    text = spoilt(rng, rng.choice(seeds), seeds)
    return text, lambda: ready(name).estimate(text)


def positions(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    name = rng.choice(list(POSITIONS))
    game = ready(name)
    seeds = [*POSITIONS[name], game.notation(game.new(rng.randrange(9))), game.notation(walked(rng, game))]
    text = spoilt(rng, rng.choice(seeds), seeds)

    def attempt() -> None:
        state = game.position(text)
        admitted(game, state)
        again = game.position(game.notation(state))
        assert game.notation(again) == game.notation(state), f"{game.notation(again)} is not {game.notation(state)}"
        assert game.legal(again) == game.legal(state)
        game.show(state)

    return f"{name}: {text}", attempt


def moves(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    name = rng.choice(list(POSITIONS))
    game = ready(name)
    state = walked(rng, game)
    seat = max(0, game.mover(state))
    seeds = [game.say(state, seat, move) for move in game.legal(state, seat)] or ["a1-b2"]
    text = spoilt(rng, rng.choice(seeds), seeds)

    def attempt() -> None:
        move = game.parse(state, seat, text)
        assert move in game.legal(state, seat), f"{move} is not legal"

    return f"{name} at {game.notation(state)}: {text}", attempt


def trees(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    seeds = [TREE, *(file.read_text() for file in sorted((ROOT / "examples").glob("*.json")))]
    text = spoilt(rng, rng.choice(seeds), seeds) if rng.random() < 0.7 else form(rng).replace("'", '"')

    def attempt() -> None:
        with file_with(text, ".json") as path:
            game = load_game(f"explicit_tree(file='{path}')")
            admitted(game, game.new())

    return text, attempt


def experiments(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    seeds = [file.read_text() for file in sorted((ROOT / "examples" / "experiments").glob("*.toml"))]
    text = spoilt(rng, rng.choice(seeds), seeds)

    def attempt() -> None:
        with file_with(text, ".toml") as path:
            read_experiment(path)

    return text, attempt


def records(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    written = RECORD.format(game=WRITTEN)
    with file_with(written, ".txt") as path:
        line = next(iter(read_records(path))).as_line()
    seeds = [written, line]
    text = spoilt(rng, rng.choice(seeds), seeds)

    def attempt() -> None:
        with file_with(text, ".txt") as path:
            for record in read_records(path):
                list(replayed(record))

    return text, attempt


def uci(rng: random.Random) -> tuple[str, Callable[[], Any]]:
    lines = UCI.splitlines(keepends=True)
    text = spoilt(rng, "".join(rng.sample(lines, rng.randrange(1, len(lines)))), lines)
    game = ready("chess")
    return text, lambda: Conversation(game, load_agent("random"), lambda line: None).listen(
        text.splitlines(keepends=True)
    )


KINDS = {make.__name__: make for make in (games, agents, estimates, positions, moves, trees, experiments, records, uci)}
READY: dict[str, Any] = {}


def ready(name: str) -> Any:
    """The game of this name, loaded once."""
    if name not in READY:
        READY[name] = load_game(name)
    return READY[name]


def walked(rng: random.Random, game: Any) -> Any:
    """A state of a random match."""
    state = game.new(rng.randrange(9))
    for _ in range(rng.randrange(8)):
        if game.mover(state) != OVER:
            state = game.after(state, rng.choice(game.legal(state)))
    return state


@contextmanager
def file_with(text: str, ending: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"text{ending}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        yield path


def answered(kind: str, text: str, attempt: Callable[[], Any]) -> Find | None:
    """Try a text; returns a find if the answer is anything but one sentence."""

    def ring(*_: Any) -> None:
        raise Hang(f"no answer within {PATIENCE} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    try:
        with warnings.catch_warnings(), np.errstate(over="ignore"):
            warnings.simplefilter("error")
            attempt()
    except KingmakerError as fault:
        return (
            Find(kind, text, f"several lines: {fault}") if "\n" in str(fault) and not set(text) & {"\n", "\\"} else None
        )
    except (Exception, Hang) as fault:
        return Find(kind, text, "".join(traceback.format_exception(fault)[-6:]))
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return None


def finds(kind: str, count: int, seed: int = 0) -> list[Find]:
    """The finds among `count` texts of one kind."""
    found = []
    for number in range(count):
        text, attempt = KINDS[kind](random.Random(f"{kind} {seed} {number}"))
        find = answered(kind, text, attempt)
        if find:
            found.append(find)
    return found


app = App(name="fuzz", help_format="plaintext", result_action="return_value")


@app.default
def main(
    *,
    minutes: Annotated[float, Parameter(help="How long to go on.")] = 10.0,
    seed: Annotated[int, Parameter(help="Another seed gives other texts.")] = 0,
    only: Annotated[str, Parameter(help=f"One kind of text: {', '.join(KINDS)}.")] = "",
) -> int:
    """Change texts at random until the time is over. The exit code is 1 if one of them was answered with anything but
    one sentence.
    """
    until, number, found = time.monotonic() + 60 * minutes, 0, []
    kinds = [only] if only else list(KINDS)
    while number == 0 or time.monotonic() < until:
        for kind in kinds:
            for find in finds(kind, 50, seed=1_000_000 * seed + number):
                found.append(find)
                print(json.dumps({"kind": find.kind, "text": find.text}), f"\n{find.fault}", flush=True)
        number += 1
    print(f"{number * 50 * len(kinds)} texts, {len(found)} finds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(app())
