"""Every method is called several times: on copies of one position, with different values in the arrays to be filled.

A sound method gives the same answer each time. A method that leaves an entry unset shows what stood in the array
before, which in a search is a number of another position. A method that returns its answer instead of writing it, or
forgets to return it, is reported.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from kingmaker.core.chance import LARGEST, is_event
from kingmaker.core.compiling.fingerprint import fingerprint
from kingmaker.core.contract import provides
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.rng import stream
from kingmaker.core.wide_records import zeros
from kingmaker.soundness.fault import fault, frozen
from kingmaker.soundness.trial import Trial

FLOATS = (
    np.nan,
    np.nan,
    -7.5e300,
)  # what an array holds before it is filled: twice the same value, then another
NUMBERS = (-1_515_870_811, -1_515_870_811, 7)
SHOWN = 8  # how many moves of a position are played several times
DRAWN = 4  # how many chance events are drawn at a position
Rooms = tuple[tuple[int, Any], ...]  # size and dtype of the arrays that a method fills
Answer = tuple[Any, list[list[Any]]]  # what the method returned and what the arrays then held


def asked(
    trial: Trial, method: str, state: Any, act: Callable[..., Any], rooms: Rooms = (), owner: Any = None
) -> list[Answer]:
    """The answers of a method that must not change the state, one for each call; `act` takes a state and the arrays."""
    answers = []
    for nth in range(3) if trial.close else (0, 2) if rooms else (0,):
        view = trial.game.copy(state) if trial.close else state
        arrays = [zeros((size,), kind) for size, kind in rooms]
        for array in arrays:
            array.fill((FLOATS if array.dtype.kind == "f" else NUMBERS)[nth])
        returned = trial.call(method, state, act, view, *arrays, owner=owner)
        if trial.close and frozen(view) != frozen(state):
            raise fault(trial.game, state, method, "expected it to leave the state as it is", owner)
        answers.append((returned, [array.tolist() for array in arrays]))
    if trial.close and repr(answers[0]) != repr(answers[1]):
        told = f"expected the same answer for the same position, got {answers[0][0]} and {answers[1][0]}"
        raise fault(trial.game, state, method, told, owner)
    return answers


def counted(trial: Trial, method: str, state: Any, answers: list[Answer], most: int, limit: str) -> Any:
    """The entries that a method listed: as many as it returned, and each of them written."""
    count = answers[0][0]
    if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)):
        told = f"expected the number of entries that it wrote into out, got {count!r}; end it with return count"
        raise fault(trial.game, state, method, told)
    if not 0 <= count <= most:
        raise fault(trial.game, state, method, f"expected 0 to {limit} = {most} entries, got {count}")
    for one, other in zip(answers[0][1], answers[-1][1], strict=True):
        unset = [i for i in range(count) if repr(one[i]) != repr(other[i])]
        if unset:
            raise fault(
                trial.game, state, method, f"expected {count} entries to be written, but entry {unset[0]} was not"
            )
    return [array[:count] for array in answers[0][1]]


def filled(trial: Trial, method: str, state: Any, answers: list[Answer], owner: Any = None) -> list[list[float]]:
    """The rows that a method wrote, which must write an entry for every seat and return nothing."""
    returned = answers[0][0]
    if returned is not None:
        told = (
            "expected it to write into out and return nothing, got "
            f"{shown(returned)}; write out[seat] = … for every seat"
        )
        raise fault(trial.game, state, method, told, owner)
    for one, other in zip(answers[0][1], answers[-1][1], strict=True):
        unset = [f"out[{seat}]" for seat in range(len(one)) if repr(one[seat]) != repr(other[seat])]
        if unset:
            told = (
                "expected an entry for every seat, whatever stood in out before, "
                f"but it does not set {', '.join(unset)}; write 0.0 there"
            )
            raise fault(trial.game, state, method, told, owner)
    return answers[0][1]


def mover_of(trial: Trial, state: Any) -> int:
    """Who is to move: a seat, CHANCE or OVER."""
    game = trial.game
    mover = asked(trial, "mover", state, game.mover)[0][0]
    sound = isinstance(mover, (int, np.integer)) and (mover in (CHANCE, OVER) or 0 <= mover < game.seats)
    if not sound:
        way_out = "; end every way through it with return" if mover is None else ""
        raise fault(
            game, state, "mover", f"expected a seat from 0 to {game.seats - 1}, CHANCE or OVER, got {mover!r}{way_out}"
        )
    if mover == CHANCE and not game.facts.chance:
        raise fault(
            game,
            state,
            "mover",
            "it says CHANCE, but the facts say that there are no dice; write facts = Facts(chance=True)",
        )
    return int(mover)


def moves_of(trial: Trial, state: Any, seat: int) -> list[int]:
    """The moves of a seat."""
    game = trial.game
    answers = asked(trial, "moves", state, lambda view, out: game.moves(view, seat, out), ((game.max_moves, np.int32),))
    (legal,) = counted(trial, "moves", state, answers, game.max_moves, "max_moves")
    if not legal and game.mover(state) == seat:
        raise fault(
            game, state, "moves", f"expected at least one move for seat {seat}, got none; say OVER in mover instead"
        )
    if len(set(legal)) < len(legal):
        raise fault(game, state, "moves", f"expected each move once, got {legal}")
    return list(legal)


def chances_of(trial: Trial, state: Any) -> list[int]:
    """The outcomes of the dice."""
    game = trial.game
    rooms: Rooms = ((game.max_outcomes, np.int32), (game.max_outcomes, np.float64))
    answers = asked(trial, "outcomes", state, game.outcomes, rooms)
    outcomes, odds = counted(trial, "outcomes", state, answers, game.max_outcomes, "max_outcomes")
    if not outcomes or abs(sum(odds) - 1) > 1e-9 or min(odds) < 0:
        raise fault(game, state, "outcomes", f"expected probabilities with sum 1, got {odds}; divide each by their sum")
    return list(outcomes)


def events_of(trial: Trial, state: Any) -> list[int]:
    """The chance events: all that the game lists, or some that it draws where they cannot be listed."""
    game = trial.game
    listed = asked(trial, "can_list", state, game.can_list)[0][0]
    if not isinstance(listed, (bool, np.bool_)):
        raise fault(game, state, "can_list", f"expected True or False, got {listed!r}")
    outcomes = chances_of(trial, state) if listed else []
    if listed and not provides(game, "roll"):
        return outcomes
    drawn = [asked(trial, "roll", state, rolling(game, seed))[0][0] for seed in range(DRAWN)]
    for number in drawn:
        if listed and number not in outcomes:
            raise fault(game, state, "roll", f"expected one of the outcomes {outcomes[:SHOWN]}, got {number!r}")
        if not listed and not is_event(number):
            raise fault(game, state, "roll", f"expected a whole number from 0 to {LARGEST}, got {number!r}")
    return outcomes or drawn


def rolling(game: Game, seed: int) -> Callable[..., Any]:
    return lambda view: game.roll(view, stream(seed, "roll"))


def acting_of(trial: Trial, state: Any) -> list[int]:
    """The seats that choose a move now."""
    game = trial.game
    acting = asked(trial, "acting", state, game.acting)[0][0]
    if not isinstance(acting, (list, tuple)) or not all(isinstance(seat, (int, np.integer)) for seat in acting):
        told = f"expected a list of the seats that choose a move now, got {acting!r}"
        raise fault(
            game, state, "acting", f"{told}; return [{acting}]" if isinstance(acting, (int, np.integer)) else told
        )
    if not acting or not all(0 <= seat < game.seats for seat in acting) or len(set(acting)) < len(acting):
        raise fault(
            game,
            state,
            "acting",
            f"expected one or more seats from 0 to {game.seats - 1}, each once, got {list(acting)}",
        )
    if len(acting) > 1 and not game.facts.simultaneous:
        told = f"expected one seat, for the facts do not say that seats move at once, got {list(acting)}"
        raise fault(game, state, "acting", f"{told}; write facts = Facts(simultaneous=True)")
    return [int(seat) for seat in acting]


def payoff_of(trial: Trial, state: Any) -> tuple[float, ...]:
    """The final vector."""
    game = trial.game
    (values,) = filled(trial, "payoff", state, asked(trial, "payoff", state, game.payoff, ((game.seats, np.float64),)))
    return tuple(values)


def guess_of(trial: Trial, state: Any, estimate: Any) -> tuple[float, ...]:
    """What an estimate says."""
    game = trial.game
    answers = asked(
        trial, "value", state, lambda view, out: estimate.value(game, view, out), ((game.seats, np.float64),), estimate
    )
    (values,) = filled(trial, "value", state, answers, estimate)
    return tuple(values)


def measure_of(trial: Trial, state: Any, estimate: Any) -> tuple[float, ...]:
    """How an estimate says that the seats stand, in its unit."""
    game = trial.game
    act = measuring(game, estimate)
    answers = asked(trial, "measure", state, act, ((game.seats, np.float64),), estimate)
    (amounts,) = filled(trial, "measure", state, answers, estimate)
    return tuple(amounts)


def measuring(game: Game, estimate: Any) -> Callable[..., Any]:
    return lambda view, out: estimate.measure(game, view, out)


def interval_of(trial: Trial, state: Any, estimate: Any) -> None:
    """The low and high ends of an estimate."""
    game = trial.game
    rooms: Rooms = ((game.seats, np.float64),) * 2
    answers = asked(
        trial, "interval", state, lambda view, low, high: estimate.interval(game, view, low, high), rooms, estimate
    )
    low, high = filled(trial, "interval", state, answers, estimate)
    if any(one > other for one, other in zip(low, high, strict=True)):
        raise fault(game, state, "interval", f"expected low ends at or below high ends, got {low} and {high}", estimate)


def estimates_answer(trial: Trial, state: Any, estimates: Iterable[Any]) -> None:
    """Everything that a search may ask of an estimate."""
    game, over = trial.game, mover_of(trial, state) == OVER
    for estimate in estimates:
        final, against = type(estimate).final, type(estimate).against
        if over and final.__module__ != "kingmaker.core.estimate":
            answers = asked(
                trial,
                "final",
                state,
                lambda view, out, e=estimate: e.final(game, view, out),
                ((game.seats, np.float64),),
                estimate,
            )
            filled(trial, "final", state, answers, estimate)
        if over:
            continue
        guess_of(trial, state, estimate)
        if not estimate.measures_value:
            measure_of(trial, state, estimate)
        if estimate.has_intervals:
            interval_of(trial, state, estimate)
        if against.__module__ != "kingmaker.core.estimate":
            for opponent in (-1, (mover_of(trial, state) + 1) % game.seats):
                act = duel(game, estimate, max(0, mover_of(trial, state)), opponent)
                filled(
                    trial,
                    "against",
                    state,
                    asked(trial, "against", state, act, ((game.seats, np.float64),), estimate),
                    estimate,
                )


def duel(game: Game, estimate: Any, seat: int, opponent: int) -> Callable[..., Any]:
    return lambda view, out: estimate.against(game, view, seat, opponent, out)


def answers(trial: Trial, state: Any) -> None:
    """Ask every method of the game at a position, and play its moves."""
    game, mover = trial.game, mover_of(trial, state)
    if mover == OVER:
        payoff_of(trial, state)
        return
    moves = events_of(trial, state) if mover == CHANCE else moves_of(trial, state, mover)
    if mover != CHANCE:
        acting_of(trial, state)
        for method, act in optional(game, mover, moves):
            asked(trial, method, state, act)
        if provides(game, "any_move"):
            any_move(trial, state, mover, moves)
        if provides(game, "noisy"):
            noisy = asked(
                trial, "noisy", state, lambda view, out: game.noisy(view, mover, out), ((game.max_moves, np.int32),)
            )
            counted(trial, "noisy", state, noisy, game.max_moves, "max_moves")
    rules = fingerprint(game)
    for move in moves[:SHOWN]:
        played(trial, "play", state, lambda view, move=move: game.play(view, mover, move), f"{move} is played")
    if fingerprint(game) != rules:
        raise fault(
            game,
            state,
            "play",
            "expected it to change the state only, but it changed the game object or what its module holds",
        )
    if game.facts.simultaneous and mover != CHANCE:
        steps(trial, state)


def shown(value: Any) -> str:
    """A value as a short text."""
    if isinstance(value, np.void):
        return "a record"
    return repr(value) if len(repr(value)) <= 60 else f"a {type(value).__name__}"


def optional(game: Any, seat: int, moves: list[int]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods that only answer a question, where the game has them."""
    yield "quiet", game.quiet
    yield "active", lambda view: [game.active(view, each) for each in range(game.seats)]
    for method in ("key", "forced"):
        if provides(game, method):
            yield method, getattr(game, method)
    if provides(game, "continues"):
        yield "continues", lambda view: [game.continues(moves[0], move) for move in moves[:SHOWN]]


def any_move(trial: Trial, state: Any, seat: int, moves: list[int]) -> None:
    """The move that `any_move` draws must be a legal one."""
    game = trial.game
    rooms: Rooms = ((game.max_moves, np.int32),)
    chosen = asked(trial, "any_move", state, lambda view, out: game.any_move(view, seat, stream(0, "any"), out), rooms)[
        0
    ][0]
    if chosen not in moves:
        raise fault(game, state, "any_move", f"expected one of the moves {moves[:SHOWN]}, got {chosen!r}")


def played(trial: Trial, method: str, state: Any, act: Callable[..., Any], doing: str) -> None:
    """Call a method that changes the state: it must do so the same way each time, change only its copy, and return
    nothing.
    """
    game, results = trial.game, set()
    before = frozen(state)
    for _ in range(2):
        copy = game.copy(state)
        returned = trial.call(method, state, act, copy)
        if returned is not None:
            raise fault(
                game, state, method, f"expected it to change the state and return nothing, got {shown(returned)}"
            )
        results.add(frozen(copy))
        if frozen(state) != before:
            raise fault(
                game,
                state,
                "copy",
                f"expected a copy to be independent, but when {doing} on it the original changed too",
            )
    if len(results) > 1:
        raise fault(game, state, method, f"expected the same state whenever {doing}, got two different ones")


def steps(trial: Trial, state: Any) -> None:
    """Check `step`, the turn that all seats play at once, and `turn_to` for each of them."""
    game, joint = trial.game, np.full(trial.game.seats, -1, np.int32)
    for seat in acting_of(trial, state):
        view = game.copy(state)
        trial.call("turn_to", state, game.turn_to, view, seat)
        joint[seat] = moves_of(trial, view, seat)[0]
        played(trial, "turn_to", state, lambda copy, seat=seat: game.turn_to(copy, seat), f"it is seat {seat}'s turn")
    played(trial, "step", state, lambda copy: game.step(copy, joint.copy()), f"{joint.tolist()} is played")
