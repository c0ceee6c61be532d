"""A tour through a game by guarded machine code: far more positions than Python can look at in the same time.

Random walks visit positions; at each of them every method that a search might call is called, and every move is tried.
Nothing is compared on the way: the guards notice every read or write outside an array, and the position where it
happened is then examined by the interpreted rules.
"""

import threading
import time
from typing import Any

from kingmaker.core.contract import provides
from kingmaker.core.foresight import ROOM, SEATS
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.rng import below, stream
from kingmaker.core.scratch import scratch_floats
from kingmaker.core.workspace import workspace
from kingmaker.soundness.fault import fault, frozen
from kingmaker.soundness.tracing import named
from kingmaker.soundness.trial import LONGEST, Trial

BEFORE, NOW, NEXT, TRIED, VIEW = range(5)  # the places of the states that a tour keeps
TWIN = 100  # how many positions the interpreted twin visits too


class Nothing(Constant):
    """The end of a chain of visits."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        return


class Chain(Constant):
    """One visit after the other, for machine code cannot hold a list of objects of different types."""

    def __init__(self, first: Any, rest: Any) -> None:
        self.first, self.rest = first, rest

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        self.first.visit(game, work, seat)
        self.rest.visit(game, work, seat)


class Guess(Constant):
    """Asks an estimate."""

    def __init__(self, estimate: Any) -> None:
        self.estimate = estimate

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        self.estimate.value(game, work.states[NOW], work.values[NOW])
        self.estimate.enough(game, work.states[NOW], max(seat, 0))


class Measure(Constant):
    """Asks an estimate that has a unit of its own."""

    def __init__(self, estimate: Any) -> None:
        self.estimate = estimate

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        self.estimate.measure(game, work.states[NOW], work.values[NOW])


class Foresee(Constant):
    """Asks an estimate what every move will bring."""

    def __init__(self, estimate: Any) -> None:
        self.estimate = estimate

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        room = scratch_floats(ROOM)
        if seat >= 0 and self.estimate.begin(game, work.states[NOW], seat, room):
            for i in range(game.moves(work.states[NOW], seat, work.moves[VIEW])):
                move = work.moves[VIEW, i]
                self.estimate.after(game, work.states[NOW], seat, move, room, work.values[NOW])
                self.estimate.own_after(game, work.states[NOW], seat, move, room)
                self.estimate.interval_after(
                    game, work.states[NOW], seat, move, room, work.values[NOW], work.values[NEXT]
                )
            self.estimate.best_after(game, work.states[NOW], seat, room, work.moves[VIEW])


class Questions(Constant):
    """Asks what every game can answer."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        game.quiet(work.states[NOW])
        for each in range(game.seats):
            game.active(work.states[NOW], each)


class Draw(Constant):
    """Asks for any move."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        if seat >= 0:
            game.any_move(work.states[NOW], seat, work.rng, work.moves[VIEW])


class Roll(Constant):
    """Asks for a chance event."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        if seat == CHANCE:
            game.roll(work.states[NOW], work.rng)


class Key(Constant):
    """Asks for the key of a transposition table."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        game.key(work.states[NOW])


class Noisy(Constant):
    """Asks for the moves that are not quiet."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        if seat >= 0:
            game.noisy(work.states[NOW], seat, work.moves[VIEW])


class Views(Constant):
    """Lets every seat move first, as in a simultaneous game."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        for each in range(game.seats):
            if seat >= 0 and game.active(work.states[NOW], each):
                work.states[VIEW] = work.states[NOW]
                game.turn_to(work.states[VIEW], each)
                game.mover(work.states[VIEW])


class Worlds(Constant):
    """Deals anew what each seat cannot know, in a game with hidden information."""

    def visit(self, game, work, seat):  # type: ignore[no-untyped-def]
        for each in range(game.seats):
            work.states[VIEW] = work.states[NOW]
            game.redeal(work.states[VIEW], each, work.rng)


def visits(game: Game, estimates: tuple[Any, ...]) -> Constant:
    """The chain of all visits that apply to this game and these estimates."""
    asked: list[Constant] = [Questions(), *map(Guess, estimates)]
    asked += [Measure(estimate) for estimate in estimates if not estimate.measures_value]
    asked += [Foresee(estimate) for estimate in estimates if estimate.has_foresight and game.seats <= SEATS]
    asked += [Draw()] if provides(game, "any_move") else []
    asked += [Roll()] if provides(game, "roll") else []
    asked += [Key()] if provides(game, "key") else []
    asked += [Noisy()] if provides(game, "noisy") else []
    asked += [Views()] if game.facts.simultaneous else []
    asked += [Worlds()] if game.facts.hidden else []
    chain: Constant = Nothing()
    for each in reversed(asked):
        chain = Chain(each, chain)
    return chain


@kernel
def tour(game, visited, work, steps):  # type: ignore[no-untyped-def]
    """Walk on from the state NOW, for so many positions or until the match is over; say how many are left."""
    while steps > 0 and work.stop == 0:
        steps -= 1
        work.nodes += 1
        state = work.states[NOW]
        seat = game.mover(state)
        if seat == OVER:
            game.payoff(state, work.values[NOW])
            return steps
        visited.visit(game, work, seat)
        if seat == CHANCE and not game.can_list(state):
            work.moves[NOW, 0], count = game.roll(state, work.rng), 1
        elif seat == CHANCE:
            count = game.outcomes(state, work.moves[NOW], work.odds[NOW])
        else:
            count = game.moves(state, seat, work.moves[NOW])
        if count < 1:
            work.fault = 1
            return 0
        for i in range(count):
            work.states[TRIED] = state
            game.play(work.states[TRIED], seat, work.moves[NOW, i])
            if game.mover(work.states[TRIED]) == OVER:
                game.payoff(work.states[TRIED], work.values[TRIED])
        work.states[NEXT] = state
        game.play(work.states[NEXT], seat, work.moves[NOW, below(work.rng, count)])
        work.states[BEFORE] = state
        work.states[NOW] = work.states[NEXT]
    return 0


def toured(trial: Trial, estimates: tuple[Any, ...], seed: int, steps: int) -> None:
    """Let machine code look at so many positions of random matches; the guards must find nothing, and the first
    positions must be the same as those of the interpreted twin.
    """
    game, visited = trial.game, visits(trial.game, estimates)
    work, twin = (workspace(game, VIEW + 1, (), compiled) for compiled in (True, False))
    run = tour.compiled.direct(
        game, visited, placed_at(work, game.new(0), stream(seed, "tour")).record, 1, guarded=True
    )
    left, match = min(TWIN, steps), 0
    while left > 0:
        placed_at(work, game.new(match), stream(seed, "tour", match))
        placed_at(twin, game.new(match), stream(seed, "tour", match))
        after = walked(trial, visited, twin, left)
        watched(trial, estimates, run, visited, work, left)
        compare(game, work, twin)
        left, match = after, match + 1
    left = steps
    while left > 0:
        placed_at(work, game.new(match), stream(seed, "tour", match))
        left, match = watched(trial, estimates, run, visited, work, left), match + 1


def walked(trial: Trial, visited: Constant, twin: Any, steps: int) -> int:
    """The same tour interpreted, one position after the other; how many steps are left when the match is over."""
    over = False
    while steps > 0 and not over:
        over = trial.game.mover(twin.states[NOW]) == OVER
        trial.call("play", twin.states[NOW], tour, trial.game, visited, twin, 1)
        steps -= 1
    return steps


def placed_at(work: Any, state: Any, rng: Any) -> Any:
    """The workspace with a state to begin at."""
    work.nodes = 0
    for place in range(VIEW + 1):
        work.states[place] = state
    work.rng.word = rng.word
    return work


def compare(game: Game, work: Any, twin: Any) -> None:
    """Machine code and the interpreted twin must have reached the same states."""
    for place in (BEFORE, NOW):
        if frozen(work.states[place]) != frozen(twin.states[place]):
            told = (
                f"compiled it leads to {game.notation(work.states[place])}, "
                f"interpreted to {game.notation(twin.states[place])}"
            )
            raise fault(game, twin.states[BEFORE], "play", told)
    if int(work.nodes) != int(twin.nodes):
        told = f"compiled the match goes on for {int(work.nodes)} plies, interpreted for {int(twin.nodes)}"
        raise fault(game, twin.states[NOW], "mover", told)


def watched(trial: Trial, estimates: tuple[Any, ...], run: Any, visited: Constant, work: Any, steps: int) -> int:
    """Run machine code in a thread, for it may never return; if it fails, the interpreted rules show the fault."""
    came: list[Any] = []

    def go() -> None:
        try:
            came.append(run(trial.game, visited, work.record, steps))
        except Exception as problem:
            came.append(problem)

    thread = threading.Thread(target=go, daemon=True)
    thread.start()
    nodes, since = -1, time.process_time()
    try:
        while thread.is_alive():
            thread.join(0.5)
            if int(work.nodes) != nodes:
                nodes, since = int(work.nodes), time.process_time()
            elif time.process_time() - since > LONGEST:
                break
    finally:
        work.stop = 1
    work.stop = 0 if came else 1
    if came and isinstance(came[0], int) and not work.fault:
        return came[0]
    problem = came[0] if came else TimeoutError("a method that does not come back")
    raise named(trial.game, work.states, estimates, problem)
