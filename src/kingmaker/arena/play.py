"""What a worker does: play matches by their numbers and hand back a row for each, whatever happens."""

import os
import platform
import random
import time
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from kingmaker.arena.code import code_hash
from kingmaker.arena.deadline import TooLong, deadline
from kingmaker.arena.match import Match, play_match
from kingmaker.arena.rules import rules_of
from kingmaker.arena.schedule import Schedule, Task, schedule_of
from kingmaker.core.errors import KingmakerError

FINISHED, UNFINISHED, FAILED = "finished", "unfinished", "failed"
MOST_HANDS = 10_000


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One match as it is stored."""

    number: int
    variant: int
    block: int
    seating: tuple[int, ...]
    seed: int
    status: str
    payoffs: tuple[float, ...] = ()
    moves: tuple[int, ...] = ()  # one number a seat, as the next two
    nodes: tuple[int, ...] = ()
    depths: tuple[int, ...] = ()  # sum over its moves
    fault: str = ""
    culprit: int | None = None  # the seat that failed, if it is known
    hands: tuple[Any, ...] = ()  # turns of each hand
    values: tuple[Any, ...] | None = None
    seconds: tuple[float, ...] = ()
    wall: float = 0.0
    worker: str = ""


class Played(msgspec.Struct, frozen=True):
    """What a worker hands back."""

    results: list[Result]
    code: str  # the hash of what it runs


def play_numbers(text: str, numbers: list[int]) -> Played:
    """Play these matches of the experiment; never raises for what a match does."""
    schedule = schedule_of(text)
    return Played([play_task(schedule, schedule.task(number)) for number in numbers], code_hash(text))


def play_task(schedule: Schedule, task: Task) -> Result:
    """Play one match and tell what came of it."""
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
        ready(schedule, task.variant)
        began = time.perf_counter()
        with deadline(limit):
            hands = play_hands(schedule, task)
    except TooLong as fault:
        seat = getattr(fault, "seat", None)
        late = "the match" if seat is None else f"'{name_of(schedule, task, seat)}' on seat {seat}"
        return failed(common, f"{late} did not come to an end within the match's limit of {limit:g} s", seat, began)
    except Exception as fault:
        said = str(fault) if isinstance(fault, KingmakerError) else f"{type(fault).__name__}: {fault}"
        return failed(common, said, getattr(fault, "seat", None), began)
    efforts = [[hand.efforts[seat] for hand in hands] for seat in range(len(task.seating))]
    return Result(
        **common,
        status=FINISHED if all(hand.finished for hand in hands) else UNFINISHED,
        payoffs=tuple(float(sum(hand.payoffs[seat] for hand in hands)) for seat in range(len(task.seating))),
        moves=tuple(sum(effort.moves for effort in mine) for mine in efforts),
        nodes=tuple(sum(effort.nodes for effort in mine) for mine in efforts),
        depths=tuple(sum(effort.depths for effort in mine) for mine in efforts),
        hands=tuple(hand.turns for hand in hands),
        values=tuple(hand.values for hand in hands) if schedule.experiment.values else None,
        seconds=tuple(sum(effort.seconds for effort in mine) for mine in efforts),
        wall=time.perf_counter() - began,
        worker=worker_name(),
    )


def failed(common: dict[str, Any], fault: str, culprit: int | None, began: float) -> Result:
    return Result(**common, status=FAILED, fault=fault, culprit=culprit, wall=time.perf_counter() - began, worker=worker_name())


def play_hands(schedule: Schedule, task: Task) -> list[Match]:
    """The hands of one match: as many as asked for, or until somebody has the points."""
    experiment, variant = schedule.experiment, schedule.variants[task.variant]
    agents = [variant.agents[number] for number in task.seating]
    totals = np.zeros(len(agents))
    hands: list[Match] = []
    most = experiment.hands or (1 if experiment.points is None else MOST_HANDS)
    while len(hands) < most and (experiment.points is None or np.abs(totals).max() < experiment.points):
        state = start_state(schedule, task, len(hands))
        hands.append(
            play_match(
                variant.game, agents, task.seed + len(hands), state=state, limit=experiment.limits.turns, keep_values=experiment.values
            )
        )
        totals += hands[-1].payoffs
        if not hands[-1].finished:
            break
    return hands


def start_state(schedule: Schedule, task: Task, hand: int) -> Any:
    """The position that a hand begins with."""
    game, positions = schedule.variants[task.variant].game, schedule.experiment.positions
    if positions:
        return game.position(positions[task.block % len(positions)])
    return game.new(schedule.start_seed(task.block, hand))


@lru_cache(maxsize=256)
def ready(schedule: Schedule, variant: int) -> None:
    """Have all machine code at hand before any clock runs."""
    chosen = schedule.variants[variant]
    rules_of(chosen.game)
    order = list(chosen.agents)
    random.Random(os.getpid()).shuffle(order)  # workers of one machine share what they compile, so each begins with another
    for agent in order:
        agent.prepare(chosen.game)


def name_of(schedule: Schedule, task: Task, seat: int) -> str:
    return schedule.variants[task.variant].names[task.seating[seat]]


def worker_name() -> str:
    return f"{platform.node()}:{os.getpid()}"
