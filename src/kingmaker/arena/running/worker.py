"""What a worker does: play matches by their numbers and hand back a row for each, whatever happens."""

import json
import os
import platform
import random
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec

from kingmaker.arena.experiment.code import code_hash
from kingmaker.arena.experiment.schedule import Outline, Schedule, Task, schedule_of
from kingmaker.arena.results.result import FAILED, FINISHED, UNFINISHED, Result
from kingmaker.arena.results.tally import number_of
from kingmaker.arena.table.deadline import TooLong, deadline
from kingmaker.arena.table.match import Match, play_match
from kingmaker.arena.table.opening import notation_of, opened
from kingmaker.arena.table.referee import referee_of
from kingmaker.arena.table.table import told
from kingmaker.core.errors import BadGame, KingmakerError
from kingmaker.core.game import Game
from kingmaker.soundness.vouching import trust

MOST_HANDS = 10_000
MOST_WORDS = 2_000  # longest error text that is stored, in characters
Mark = Callable[[int | None, bool], None]  # called with the match that is under way, and whether it has begun


class Played(msgspec.Struct, frozen=True):
    """What a worker hands back."""

    results: list[Result]
    code: str  # the hash of what it runs


def unmarked(number: int | None, began: bool) -> None:
    """A mark that notes nothing."""


def play_numbers(text: str, numbers: list[int], mark: Mark = unmarked) -> Played:
    """Play these matches of the experiment; an exception in a match becomes a failed result. `mark` is called when a
    match is prepared and when it begins.
    """
    try:
        schedule, code = schedule_of(text), code_hash(text)
    except Exception:
        raise
    except BaseException as fault:  # otherwise the worker would end without a message
        raise BadGame(f"cannot make the experiment's games and agents: {told(fault)}") from fault
    results = [play_task(schedule, schedule.task(number), mark) for number in numbers]
    mark(None, False)
    return Played(results, code)


def play_task(schedule: Schedule, task: Task, mark: Mark = unmarked) -> Result:
    """Play one match and return its result."""
    began = time.perf_counter()
    common: dict[str, Any] = {
        "number": task.number,
        "variant": task.variant,
        "block": task.block,
        "seating": task.seating,
        "seed": task.seed,
    }
    limit = schedule.experiment.limits.seconds
    try:
        mark(task.number, False)
        ready(schedule, task.variant)
        mark(task.number, True)
        began = time.perf_counter()
        with deadline(limit):
            match = play_numbered(schedule, task)
            start = start_text(schedule, task)
    except TooLong as fault:
        seat = getattr(fault, "seat", None)
        late = "the match" if seat is None else f"'{name_of(schedule, task, seat)}' on seat {seat}"
        return failed(common, f"{late} did not come to an end within the match's limit of {limit:g} s", seat, began)
    except BaseException as fault:  # workers ignore Ctrl-C, so this is never a user's request to stop
        return failed(
            common,
            str(fault) if isinstance(fault, KingmakerError) else told(fault),
            getattr(fault, "seat", None),
            began,
        )
    turns = (match.turns,)
    return Result(
        **common,
        status=FINISHED if match.finished else UNFINISHED,
        payoffs=match.payoffs,
        moves=tuple(effort.moves for effort in match.efforts),
        nodes=tuple(effort.nodes for effort in match.efforts),
        depths=tuple(effort.depths for effort in match.efforts),
        hands=turns,
        line=number_of(json.dumps(turns, separators=(",", ":"))),
        starts=(start,),
        ends=(match.payoffs if match.finished else None,),
        values=(match.values,) if schedule.experiment.values else None,
        seconds=tuple(effort.seconds for effort in match.efforts),
        wall=time.perf_counter() - began,
        worker=worker_name(),
    )


def failed(common: dict[str, Any], fault: str, culprit: int | None, began: float) -> Result:
    said = fault[:MOST_WORDS].encode("utf-8", "replace").decode()  # SQLite stores only valid UTF-8
    return Result(
        **common, status=FAILED, fault=said, culprit=culprit, wall=time.perf_counter() - began, worker=worker_name()
    )


def play_numbered(schedule: Schedule, task: Task) -> Match:
    """The match of a task; all seatings of a block have the same random numbers for the dice."""
    experiment, variant = schedule.experiment, schedule.variants[task.variant]
    return play_match(
        variant.game,
        [variant.agents[number] for number in task.seating],
        task.seed,
        state=start_state(schedule, task, variant.game),
        luck=schedule.luck_seed(task.block),
        limit=experiment.limits.turns,
        keep_values=experiment.values,
    )


def start_state(schedule: Outline, task: Task, game: Game) -> Any:
    """The position that a match begins with, after the opening."""
    positions, moves = schedule.experiment.positions, schedule.experiment.opening
    start = game.position(positions[task.start]) if positions else game.new(schedule.start_seed(task.start))
    return opened(game, start, moves, schedule.opening_seed(task.start)) if moves else start


def start_text(schedule: Schedule, task: Task) -> str:
    """The position that a match begins with as text; empty if the game has no notation for its positions."""
    game = schedule.variants[task.variant].game
    return notation_of(game, start_state(schedule, task, game))


@lru_cache(maxsize=256)
def ready(schedule: Schedule, variant: int) -> None:
    """Compile everything that matches of this setting need, before the time of a match is measured."""
    chosen = schedule.variants[variant]
    trust(chosen.game)  # no examination first: a match with an error is stored as failed, and the others are played
    referee_of(chosen.game).hasten()
    order = list(chosen.agents)  # workers of one machine share compiled code, so each compiles in another order
    random.Random(os.getpid()).shuffle(order)
    for agent in order:
        agent.prepare(chosen.game)


def name_of(schedule: Schedule, task: Task, seat: int) -> str:
    return schedule.variants[task.variant].names[task.seating[seat]]


def worker_name() -> str:
    return f"{platform.node()}:{os.getpid()}"
