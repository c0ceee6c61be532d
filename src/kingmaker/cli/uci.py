"""`kingmaker uci`: our searches as a chess engine, for any program that speaks the Universal Chess Interface.

S. Meyer-Kahlen. Description of the Universal Chess Interface. 2004.
"""

import dataclasses
import sys
import threading
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Annotated, Any

from cyclopts import Parameter

from kingmaker.core.errors import BadParameter, KingmakerError, Mismatch

USUAL = "alpha_beta(order=history, quiet=6, table=18, estimate=positional)"
FOREVER = 1e6  # seconds
NUMBERS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate")
OPTIONS = {"Table": ("table", 0, 24), "Quiet": ("quiet", 0, 64)}  # the word in UCI, the agent's field, least, most
MARGIN = 0.05  # seconds for the way to the other program and back


def uci(agent: Annotated[str, Parameter(help="The search that plays, without a budget: the other program sets it.")] = USUAL, /) -> None:
    """Speak UCI, so that chess programs can play against our searches.

    Reads commands from standard input until quit. Any search for two seats
    can play; budgets come from the other program's clock.

    Example: kingmaker uci "alpha_beta(order=history, quiet=6)"
    """
    Conversation(agent, lambda line: print(line, flush=True)).listen(sys.stdin)


class Conversation:
    """What is said on both sides: the position, the search that runs, and the options set."""

    def __init__(self, agent: str, say: Callable[[str], None]) -> None:
        from kingmaker.loading import load_agent, load_game

        self.game: Any = load_game("chess")
        self.agent: Any = load_agent(agent)
        self.say = say
        self.agent.fit(self.game)
        self.state = self.game.new()
        self.thinking: Thinking | None = None

    def listen(self, lines: Iterable[str]) -> None:
        """Answer line by line until quit; where the input ends, let a search with a limit finish."""
        for line in lines:
            command, _, rest = line.strip().partition(" ")
            if command == "quit":
                self.stop()
                return
            try:
                self.answer(command, rest.split())
            except KingmakerError as fault:
                self.say(f"info string {fault}")
        if self.thinking and self.thinking.endless:
            self.stop()
        self.wait()

    def answer(self, command: str, words: list[str]) -> None:
        """Do what one line asks for; lines that mean nothing are answered with a note, as UCI wants programs to go on."""
        if command == "uci":
            self.introduce()
        elif command == "isready":
            self.warm()
            self.say("readyok")
        elif command == "ucinewgame":
            self.state = self.game.new()
        elif command == "position":
            self.state = self.placed(words)
        elif command == "go":
            self.go(words)
        elif command == "stop":
            self.stop()
        elif command == "setoption":
            self.set_option(words)
        elif command not in ("", "debug", "register", "ponderhit"):
            self.say(f"info string unknown command '{command}'")

    def warm(self) -> None:
        """Compile before the clock runs; UCI lets a program take its time here."""
        if not self.thinking and hasattr(self.agent, "kernel"):
            dataclasses.replace(self.agent, depth=None, nodes=1, seconds=None).decide(self.game, self.game.new())

    def introduce(self) -> None:
        from kingmaker import __version__

        self.say(f"id name Kingmaker {__version__} {self.agent}")
        self.say("id author The Kingmaker developers")
        for word, (field, least, most) in OPTIONS.items():
            if hasattr(self.agent, field):
                self.say(f"option name {word} type spin default {getattr(self.agent, field)} min {least} max {most}")
        if hasattr(self.agent, "estimate"):
            names = [estimate.name for estimate in self.game.estimates]
            self.say(
                f"option name Estimate type combo default {self.agent.estimate or names[0]} {' '.join(f'var {name}' for name in names)}"
            )
        self.say("uciok")

    def set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if name == "Estimate" and hasattr(self.agent, "estimate"):
            self.game.estimate(value)
            self.agent = dataclasses.replace(self.agent, estimate=value)
        elif name in OPTIONS and hasattr(self.agent, OPTIONS[name][0]):
            if not value.isdecimal():
                raise BadParameter(f"expected a whole number for option {name}, got '{value}'")
            self.agent = dataclasses.replace(self.agent, **{OPTIONS[name][0]: int(value)})
        else:
            raise BadParameter(f"there is no option '{name}'")

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
            state = self.game.after(state, self.game.parse(state, state.seat, move))
        return state

    def go(self, words: list[str]) -> None:
        self.wait()
        limits = read_limits(words)
        if not self.game.legal(self.state):
            raise Mismatch(f"there is no move in {self.game.notation(self.state)}; the game is over")
        self.thinking = Thinking(self, limits, endless="infinite" in words)

    def stop(self) -> None:
        if self.thinking:
            self.thinking.stop()
            self.wait()

    def wait(self) -> None:
        if self.thinking:
            self.thinking.thread.join()
            self.thinking = None


class Thinking:
    """One search in a thread of its own, told of its iterations and stopped through the watch on its workspace."""

    def __init__(self, conversation: Conversation, limits: dict[str, int], endless: bool) -> None:
        self.game, self.state, self.say = conversation.game, conversation.game.copy(conversation.state), conversation.say
        self.endless = endless
        self.deepest = limits.get("depth", 0) or 2 * limits.get("mate", 0)
        self.agent = budgeted(conversation.agent, limits, int(self.state.seat), endless)
        self.asked, self.started = False, time.perf_counter()
        self.work: Any = None
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        try:
            watching = {"watch": self.watch} if hasattr(self.agent, "kernel") else {}
            move = self.agent.decide(self.game, self.state, **watching).move
            while self.endless and not self.asked:
                time.sleep(0.001)  # UCI: after `go infinite` no move before stop
        except KingmakerError as fault:
            self.say(f"info string {fault}")
            move = self.game.legal(self.state)[0]
        self.say(f"bestmove {coordinates(move)}")

    def watch(self, work: Any, iteration: Any) -> None:
        """Keep the workspace at hand, print what an iteration found, and stop when somebody asked or it was the last one."""
        from kingmaker.search.parts.deepen import ASKED

        if iteration is None:
            return
        self.say(self.information(work, iteration))
        if self.asked or iteration.depth == self.deepest:
            work.stop = ASKED
        self.work = work

    def information(self, work: Any, iteration: Any) -> str:
        from kingmaker.games.parts.chess_estimates import score_text

        seconds = time.perf_counter() - self.started
        score = score_text(float(iteration.values[int(self.state.seat)]), int(self.state.ply))
        speed = f"nodes {int(work.nodes)} nps {round(int(work.nodes) / max(seconds, 1e-3))} time {round(1000 * seconds)}"
        return f"info depth {iteration.depth} score {score} {speed} pv {' '.join(map(coordinates, iteration.line))}"

    def stop(self) -> None:
        """End the search as soon as it has one finished iteration."""
        from kingmaker.search.parts.deepen import ASKED

        self.asked = True
        if self.work is not None:
            self.work.stop = ASKED


def read_limits(words: list[str]) -> dict[str, int]:
    """The numbers after go."""
    limits: dict[str, int] = {}
    for name, value in pairwise(words):
        if name in NUMBERS:
            if not value.lstrip("-").isdecimal():
                raise BadParameter(f"expected a whole number for {name} after go, got '{value}'")
            limits[name] = int(value)
    return limits


def budgeted(agent: Any, limits: dict[str, int], seat: int, endless: bool) -> Any:
    """The agent with what it may spend on this move; without any limit it keeps its own budget.

    A limit of depth is kept by the watch, so that the workspace is always the same and nothing is compiled in the middle of a game.
    """
    if not hasattr(agent, "seconds") or not (limits or endless):
        return agent
    seconds = seconds_for(limits, seat)
    return dataclasses.replace(agent, depth=None, nodes=limits.get("nodes"), seconds=FOREVER if seconds is None else seconds)


def seconds_for(limits: dict[str, int], seat: int) -> float | None:
    """The time for one move: what is asked for, or a share of the clock and most of the increment, never more than half of the clock."""
    if "movetime" in limits:
        return max(limits["movetime"] / 1000 - MARGIN, 0.01)
    clock, more = ("wtime", "winc") if seat == 0 else ("btime", "binc")
    if clock not in limits:
        return None
    left = limits[clock] / 1000
    share = left / min(limits.get("movestogo", 30) + 1, 30) + 0.8 * limits.get(more, 0) / 1000
    return max(min(share, left / 2) - MARGIN, 0.01)


def coordinates(move: int) -> str:
    from kingmaker.games.parts.chess_fen import move_name

    return move_name(move)
