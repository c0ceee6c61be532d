"""Any chess engine that speaks UCI, the Universal Chess Interface, as an agent.

The engine runs in a process of its own and is sent lines of text. It gets the position together with the moves that a
draw by repetition depends on, so it knows as much as our searches. If an engine cannot be started, hangs, dies or plays
an illegal move, the error is one sentence that names this agent.

    S. Meyer-Kahlen. Description of the Universal Chess Interface. 2004.
"""

import atexit
import hashlib
import os
import queue
import re
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kingmaker.adapters.lines import lines_of
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.budget import Budget
from kingmaker.core.decision import Decision, RootMove
from kingmaker.core.errors import BadParameter, KingmakerError, Mismatch

USUAL = 0.1  # seconds per move for an engine without a budget
QUOTED = 100  # characters of an engine's line that an error quotes
WAITING = 1000  # unread lines of an engine that are kept


class EngineFailure(KingmakerError):
    """An engine that does not start or does not answer as it should; the sentence names it."""


@dataclass(frozen=True, kw_only=True)
class Uci(Agent):
    """A chess engine, given by the command that starts it; without a budget it has a tenth of a second per move.

    `options` are the engine's own options, written like `Skill Level=3; Threads=1`; `patience` is how many seconds the
    engine may be late before it is taken to hang.
    """

    command: str = "stockfish"
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    options: str = ""
    patience: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            Budget(self.depth, self.nodes, self.seconds)
        except KingmakerError as fault:
            raise type(fault)(f"{fault} in {self}") from None
        if not words(self.command):
            raise BadParameter(f"expected the command that starts an engine, got {self.command!r} in uci")
        for part in split_options(self.options):
            if "=" not in part:
                raise BadParameter(f"expected engine options like 'Skill Level=3; Threads=1', got '{part}' in {self}")
        if not 0 < self.patience < 1e6:
            raise BadParameter(f"expected a patience of more than 0 seconds, got {self.patience!r} in {self}")

    @property
    def budget(self) -> Budget:
        given = Budget(self.depth, self.nodes, self.seconds)
        return Budget(seconds=USUAL) if given == Budget() else given

    def runs(self, game: Any) -> list[Any]:
        """Hashes of the files that the command names, the program among them."""
        files = [shutil.which(word) or word for word in words(self.command)]
        return [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files if Path(file).is_file()]

    def check(self, game: Any) -> None:
        if not hasattr(game, "uci_position"):
            raise Mismatch(f"{self} cannot play {game}, only chess; use one of our own searches")

    def choose(self, game: Any, state: Any, rng: Any, ask: Ask) -> Decision:
        """Ask the engine."""
        self.check(game)
        legal = game.legal(state)
        started = time.perf_counter()
        engine = running(self)
        with engine.lock, engine.kept_in_step():
            answer, info = engine.best(game.uci_position(state), self.limits(), self.seconds or USUAL)
        try:
            move = game.parse(state, game.mover(state), answer)
        except KingmakerError as fault:
            raise engine.failed(f"answered 'bestmove {answer}' at {game.notation(state)}, but {fault}") from None
        entries = tuple(RootMove(each, None, False) for each in legal)
        nodes, depth = number(info, "nodes"), number(info, "depth")
        notes = {"info": info} if info else {}
        return Decision(move, None, entries, (move,), nodes, depth, time.perf_counter() - started, "engine", notes)

    def limits(self) -> str:
        """The budget as the arguments of UCI's `go`."""
        parts = [
            f"{name} {value}" for name, value in (("depth", self.depth), ("nodes", self.nodes)) if value is not None
        ]
        if self.seconds is not None or not parts:
            parts.append(f"movetime {max(1, round(1000 * (self.seconds or USUAL)))}")
        return " ".join(parts)


class Engine:
    """A running engine, and a thread that reads its output."""

    def __init__(self, agent: Uci) -> None:
        self.agent, self.lock = agent, threading.Lock()
        self.said: queue.Queue[str | None] = queue.Queue(WAITING)
        self.closed = False
        try:
            self.process = subprocess.Popen(
                words(agent.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as fault:
            raise EngineFailure(
                f"cannot start '{agent.command}' for {agent}: {fault.strerror}; is the engine installed?"
            ) from None
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        with self.kept_in_step():
            self.greet()

    def greet(self) -> None:
        """Start the UCI conversation and set the options, so that the engine is ready for its first move."""
        self.ask("uci", "uciok", self.agent.patience)
        for part in split_options(self.agent.options):
            name, _, value = part.partition("=")
            self.tell(f"setoption name {name.strip()} value {value.strip()}")
        self.tell("ucinewgame")
        self.ask("isready", "readyok", self.agent.patience)

    def read(self) -> None:
        assert self.process.stdout
        for line in lines_of(self.process.stdout):
            self.note(line or "")
        self.note(None)

    def note(self, line: str | None) -> None:
        """Put a line in the queue; if the queue is full, wait, so that the engine has to wait too."""
        while not self.closed:
            try:
                return self.said.put(line, timeout=0.1)
            except queue.Full:
                continue
        return None

    def tell(self, line: str) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise self.died(line) from None

    def ask(self, line: str, answer: str, seconds: float) -> list[str]:
        """Send a line and wait for the reply that begins with `answer`; returns the lines up to this reply."""
        self.tell(line)
        deadline = time.perf_counter() + seconds
        heard: list[str] = []
        while not (heard and heard[-1].split(maxsplit=1)[:1] == [answer]):
            try:
                said = self.said.get(timeout=max(0.0, deadline - time.perf_counter()))
            except queue.Empty:
                last = f", its last line was '{heard[-1][:QUOTED]}'" if heard else ""
                raise self.failed(f"did not answer '{line}' with '{answer}' within {seconds:g} seconds{last}") from None
            if said is None:
                raise self.died(line)
            heard.append(said)
            heard = heard[-50:]
        return heard

    def best(self, position: str, limits: str, seconds: float) -> tuple[str, str]:
        """The engine's move in coordinates, and its last `info` line with a score."""
        self.tell(f"position {position}")
        heard = self.ask(f"go {limits}", "bestmove", seconds + self.agent.patience)
        parts = heard[-1].split()
        if len(parts) < 2:
            raise self.failed("answered 'bestmove' without a move")
        return parts[1], next((line for line in reversed(heard) if line.startswith("info") and " score " in line), "")

    def died(self, line: str) -> EngineFailure:
        try:
            code = self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return self.failed(f"closed its output after '{line}'")
        return self.failed(f"ended with exit code {code} after '{line}'")

    @contextmanager
    def kept_in_step(self) -> Iterator[None]:
        """Close the engine if waiting for its reply is interrupted, by a match's deadline or Ctrl-C: the unread output
        would be taken for the next reply.
        """
        try:
            yield
        except BaseException:
            self.dismiss()
            raise

    def failed(self, what: str) -> EngineFailure:
        """End the engine; returns its failure as a sentence."""
        self.dismiss()
        return EngineFailure(f"{self.agent} {what}")

    def dismiss(self) -> None:
        """End the engine, so that the next match starts a new one."""
        ENGINES.pop((os.getpid(), self.agent), None)
        self.close()

    def close(self) -> None:
        """End the engine, first by `quit`, then by force, and close the pipes to it."""
        assert self.process.stdin
        assert self.process.stdout
        if self.closed:
            return
        self.closed = True
        with suppress(OSError):
            self.process.stdin.write(b"quit\n")
        with suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join(timeout=1.0)
        with suppress(OSError):
            self.process.stdout.close()


ENGINES: dict[
    tuple[int, Uci], Engine
] = {}  # for each of our processes and each agent one engine, kept from move to move
STARTING = threading.Lock()


def running(agent: Uci) -> Engine:
    """The agent's engine, started when it is first needed."""
    key = (os.getpid(), agent)
    with STARTING:
        if key not in ENGINES:
            ENGINES[key] = Engine(agent)
        return ENGINES[key]


@atexit.register
def close_all() -> None:
    """End all engines that this process has started."""
    for (process, _), engine in list(ENGINES.items()):
        if process == os.getpid():
            engine.close()


def words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def split_options(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def number(info: str, name: str) -> int:
    """The number after a name in an engine's `info` line; 0 if there is none."""
    parts = info.split()
    value = parts[parts.index(name) + 1] if name in parts[:-1] else "0"
    return int(value) if re.fullmatch("[0-9]{1,18}", value) else 0
