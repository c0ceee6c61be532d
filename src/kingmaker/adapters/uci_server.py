"""Our searches as a chess engine for any program that speaks UCI, the Universal Chess Interface.

Lines are read while a search runs in a thread of its own. Every `go` is answered by one `bestmove`, even if the agent
fails; at the end of the input, as at `quit`, the search ends.

    S. Meyer-Kahlen. Description of the Universal Chess Interface. 2004.
"""

import math
import re
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from kingmaker.adapters.lines import LONGEST
from kingmaker.core.ask import Ask, Progress
from kingmaker.core.budget import NO_LIMIT
from kingmaker.core.errors import BadParameter, KingmakerError, Mismatch, unknown

FOREVER = 10**6  # seconds
DIGITS = 30  # digits of a number that are read; a longer number is beyond every limit anyway
COUNTS = ("depth", "nodes", "mate")
TIMES = ("movetime", "wtime", "btime", "winc", "binc")
NUMBERS = (*COUNTS, *TIMES, "movestogo")
FLAGS = ("infinite", "ponder")
OPTIONS = {"Table": "table", "Quiet": "quiet"}  # the word in UCI, the agent's setting
MARGIN = 0.05  # seconds that are left for sending lines to the other program and back
GRACE = 2.0  # seconds within which a search has to stop


class Conversation:
    """A conversation with another program: the position, the running search and the options."""

    def __init__(self, game: Any, agent: Any, say: Callable[[str], None]) -> None:
        self.game, self.agent = game, agent
        self.out, self.turn_to_speak = say, threading.Lock()
        self.agent.fit(self.game)
        self.state = self.game.new()
        self.thinking: Thinking | None = None

    def say(self, line: str) -> None:
        """Send one whole line, also when another thread is sending."""
        with self.turn_to_speak:
            self.out(" ".join(line.split()))

    def listen(self, lines: Iterable[str | None]) -> None:
        """Answer line by line until quit or until the input ends; a search that is running then ends too."""
        try:
            for line in lines:
                if line is None:
                    self.say(f"info string a line has more than {LONGEST} letters and is left out")
                    continue
                command, _, rest = line.strip().partition(" ")
                if command == "quit":
                    return
                try:
                    self.answer(command, rest.split())
                except KingmakerError as fault:
                    self.say(f"info string {fault}")
        finally:
            self.stop()

    def answer(self, command: str, words: list[str]) -> None:
        """Carry out one command; an unknown command is answered with an `info string`, because UCI wants engines to go
        on.
        """
        if command == "uci":
            self.introduce()
        elif command == "isready":
            try:
                self.warm()
            finally:
                self.say("readyok")
        elif command == "ucinewgame":
            self.state = self.game.new()
        elif command == "position":
            self.state = self.placed(words)
        elif command == "go":
            self.go(words)
        elif command == "stop":
            self.stop()
        elif command == "ponderhit":
            if self.thinking:
                self.thinking.go_on()
        elif command == "setoption":
            self.set_option(words)
        elif command not in ("", "debug", "register"):
            self.say(f"info string unknown command '{command[:100]}'")

    def warm(self) -> None:
        """Compile before the clock runs; UCI allows an engine to take its time here."""
        if not self.thinking or self.thinking.answered.is_set():
            budgeted(self.agent, {}, None, endless=True).prepare(self.game)

    def introduce(self) -> None:
        from kingmaker import __version__

        self.say(f"id name Kingmaker {__version__} {self.agent}")
        self.say("id author The Kingmaker developers")
        settings = self.agent.settings
        for word, field in OPTIONS.items():
            if self.offers(field):
                self.say(f"option name {word} type spin default {settings[field]} min 0 max {self.agent.most[field]}")
        if "estimate" in settings:
            names = self.estimates()
            self.say(
                f"option name Estimate type combo default {settings['estimate'] or names[0]} "
                f"{' '.join(f'var {name}' for name in names)}"
            )
        self.say("option name Ponder type check default false")
        self.say("uciok")

    def offers(self, field: str) -> bool:
        """Does the agent have this setting, and does it accept the setting's largest value in this game?"""
        try:
            self.agent.changed(**{field: self.agent.most[field]}).fit(self.game)
        except (KeyError, KingmakerError):
            return False
        return True

    def estimates(self) -> list[str]:
        """The estimates that the other program may choose: the game's, and the one that the agent was started with; it
        may not name a file.
        """
        own = self.agent.settings["estimate"]
        names = [estimate.name for estimate in self.game.estimates]
        return names if own in ("", *names) else [*names, own]

    def set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if name == "Estimate" and "estimate" in self.agent.settings:
            if value not in self.estimates():
                raise unknown("estimate", value, self.estimates(), str(self.game))
            self.take(estimate=value)
        elif name in OPTIONS and self.offers(OPTIONS[name]):
            if not re.fullmatch(r"[0-9]{1,9}", value):
                raise BadParameter(f"expected a whole number for option {name}, got '{value}'")
            self.take(**{OPTIONS[name]: int(value)})
        elif name != "Ponder":
            raise BadParameter(f"there is no option '{name}'")

    def take(self, **settings: Any) -> None:
        """Change settings of the agent; raises if the changed agent cannot play the game."""
        changed = self.agent.changed(**settings)
        changed.fit(self.game)
        self.agent = changed

    def placed(self, words: list[str]) -> Any:
        """The state after `startpos` or `fen …`, then `moves …`."""
        at = words.index("moves") if "moves" in words else len(words)
        what, moves = words[:at], words[at + 1 :]
        if what[:1] == ["startpos"]:
            state = self.game.new()
        elif what[:1] == ["fen"]:
            state = self.game.position(" ".join(what[1:]))
        else:
            raise BadParameter(f"expected startpos or fen after position, got '{' '.join(words)}'")
        for move in moves:
            state = self.game.after(state, self.game.parse(state, int(self.game.mover(state)), move))
        return state

    def go(self, words: list[str]) -> None:
        self.stop()
        limits, strange = read_limits(words)
        if strange:
            self.say(f"info string go does not know '{strange[0][:100]}', which is left out")
        if self.game.mover(self.state) < 0:
            self.say("bestmove (none)")
            raise Mismatch(f"there is no move in {self.game.notation(self.state)}; the game is over")
        self.thinking = Thinking(self, limits, "infinite" in words, "ponder" in words)

    def stop(self) -> None:
        if self.thinking:
            self.thinking.stop()
            self.thinking = None


class Thinking:
    """One search in a thread of its own, which reports its progress and can be stopped."""

    def __init__(self, conversation: Conversation, limits: dict[str, int], endless: bool, pondering: bool) -> None:
        self.game, self.state, self.say = (
            conversation.game,
            conversation.game.copy(conversation.state),
            conversation.say,
        )
        self.seat, self.agent, self.limits = int(self.game.mover(self.state)), conversation.agent, limits
        self.endless, self.pondering = endless, pondering
        self.seconds = None if endless else seconds_for(limits, self.seat)
        self.deepest = limits.get("depth", 0) or 2 * limits.get("mate", 0)
        self.asked: float | None = None  # when the search was asked to stop
        self.told = 0  # the depth of the last iteration that was printed
        self.speaking, self.answered, self.released = threading.Lock(), threading.Event(), threading.Event()
        self.prepared = threading.Event()  # set when everything is compiled; compiling cannot be interrupted
        if not (endless or pondering):
            self.released.set()  # after `go infinite` and `go ponder` UCI allows no move before stop or ponderhit
        self.started = time.perf_counter()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        """Search and answer; end quietly if the other program has closed the connection."""
        try:
            self.search()
        except BrokenPipeError:
            self.prepared.set()
            self.answered.set()

    def search(self) -> None:
        """Search, and answer when UCI allows it, even if the agent raises an exception."""
        try:
            seconds = None if self.pondering else self.seconds
            agent = budgeted(self.agent, self.limits, seconds, self.endless or self.pondering)
            agent.prepare(self.game)
            self.prepared.set()
            decision = agent.decide(self.game, self.game.copy(self.state), ask=Ask(watch=self.watch))
            self.released.wait()
            self.move(decision.move, decision.line)
        except BrokenPipeError:
            raise
        except Exception as fault:
            self.prepared.set()
            self.released.wait()
            self.give_up(str(fault) if isinstance(fault, KingmakerError) else f"{type(fault).__name__}: {fault}")

    def move(self, move: int, line: tuple[int, ...] = ()) -> None:
        """Send the one answer, with the reply that the principal variation expects, on which the other program may let
        us ponder.
        """
        replies = self.game.legal(self.game.after(self.state, move)) if line[:1] == (move,) else []
        reply = "".join(f" ponder {self.game.uci_move(each)}" for each in line[1:2] if each in replies)
        with self.speaking:
            if not self.answered.is_set():
                self.say(f"bestmove {self.game.uci_move(move)}{reply}")
                self.answered.set()

    def give_up(self, why: str) -> None:
        """Answer with the first legal move in place of an agent that gives no answer."""
        if not self.answered.is_set():
            self.say(f"info string {why}; the first legal move is played instead")
            self.move(self.game.legal(self.state)[0])

    def watch(self, progress: Progress) -> bool:
        """Send what an iteration found. The search goes on unless this was the last iteration that is wanted, or the
        search was asked to stop and has a move, or has had enough time to find one.
        """
        if progress.depth > self.told and not self.answered.is_set():
            self.say(self.information(progress))
            self.told = progress.depth
        if self.answered.is_set() or (self.deepest and progress.depth >= self.deepest):
            return False
        return self.asked is None or (not progress.depth and time.perf_counter() - self.asked < GRACE)

    def information(self, progress: Progress) -> str:
        assert progress.values  # an iteration is finished
        seconds, value = time.perf_counter() - self.started, progress.values[self.seat]
        score = self.game.uci_score(self.state, value) if math.isfinite(value) else "cp 0"
        speed = f"nodes {progress.nodes} nps {round(progress.nodes / max(seconds, 1e-3))} time {round(1000 * seconds)}"
        line = " ".join(map(self.game.uci_move, progress.line))
        return f"info depth {progress.depth} score {score} {speed} pv {line}"

    def stop(self) -> None:
        """End the search after its first finished iteration, or without one after GRACE seconds; always answer."""
        if self.asked is None:
            self.asked = time.perf_counter()
        self.released.set()
        self.prepared.wait()
        if not self.answered.wait(2 * GRACE):
            self.give_up(f"{self.agent} did not stop when it was asked to")

    def go_on(self) -> None:
        """Handle `ponderhit`: the move that was pondered on was played, so the clock runs and an answer may come."""
        if self.pondering and not self.endless:
            self.pondering = False
            if self.seconds is not None:
                clock = threading.Timer(self.seconds, self.stop)
                clock.daemon = True
                clock.start()
            self.released.set()


def read_limits(words: list[str]) -> tuple[dict[str, int], list[str]]:
    """The numbers after `go`, each limited to a sensible range, and the words that are unknown."""
    limits: dict[str, int] = {}
    strange, rest = [], iter(words)
    for name in rest:
        if name in NUMBERS:
            value = next(rest, "")
            if not re.fullmatch("-?[0-9]+", value):
                raise BadParameter(f"expected a whole number for {name} after go, got '{value[:100]}'")
            limits[name] = int(value[:DIGITS])
        elif name not in FLAGS:
            strange.append(name)
    for name in limits.keys() & set(COUNTS):
        limits[name] = min(max(limits[name], 1), NO_LIMIT)
    for name in limits.keys() & set(TIMES):
        limits[name] = min(max(limits[name], 0), 1000 * FOREVER)
    return limits, strange


def budgeted(agent: Any, limits: dict[str, int], seconds: float | None, endless: bool) -> Any:
    """The agent with the budget of this move; without any limit it keeps its own budget.

    If the search can be watched, a limit of depth is enforced by `Thinking.watch`, so that the workspace is always the
    same and nothing is compiled in the middle of a game.
    """
    if not (limits or endless):
        return agent
    given = {"depth": limits.get("depth"), "nodes": limits.get("nodes"), "seconds": seconds}
    if agent.watches:
        given |= {"depth": agent.defaults.get("depth"), "seconds": FOREVER if seconds is None else seconds}
    else:
        given = {name: value for name, value in given.items() if value is not None}
    return agent.changed(**{name: value for name, value in given.items() if name in agent.settings})


def seconds_for(limits: dict[str, int], seat: int) -> float | None:
    """The seconds for one move: what was asked for, or a part of the clock and most of the increment, but never more
    than half of the clock.
    """
    if "movetime" in limits:
        return max(limits["movetime"] / 1000 - MARGIN, 0.01)
    clock, more = ("wtime", "winc") if seat == 0 else ("btime", "binc")
    if clock not in limits:
        return None
    left, moves = limits[clock] / 1000, limits.get("movestogo", 0)
    share = left / (min(moves + 1, 30) if moves > 0 else 30) + 0.8 * limits.get(more, 0) / 1000
    return max(min(share, left / 2) - MARGIN, 0.01)
