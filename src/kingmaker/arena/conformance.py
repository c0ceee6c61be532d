"""Does a game keep its contract? The kit behind `kingmaker check`.

Random matches are played interpreted, with every method looked at on the way; then the same matches and a few searches run compiled, and
both must agree to the last bit. A fault is told with the method, the position and what was expected.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.arena.match import rolled, take
from kingmaker.arena.wandering import wandered
from kingmaker.core.errors import CannotCompile, KingmakerError
from kingmaker.core.estimate import Estimate
from kingmaker.core.fingerprint import fingerprint
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.record import zeros
from kingmaker.core.rng import below, stream
from kingmaker.loading import line_of, load_agent, load_game

LONGEST = 5000  # turns of a random match
SAMPLE = 40  # positions looked at closely
CLOSE = 1e-9


class Fault(Exception):
    """What a game does wrong."""


@dataclass(frozen=True)
class Check:
    """One promise and whether it is kept."""

    name: str
    passed: bool
    detail: str = ""


@dataclass
class Report:
    """All promises of a game."""

    game: str
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)


def examine(text: str, *, games: int = 200, seed: int = 0, progress: Callable[[str], None] | None = None) -> Report:
    """Load a game and try all its promises; the report lists each."""
    game = load_game(text)
    report = Report(str(game))
    sample: list[Any] = []
    for name, promise in promises(game, games, seed, sample):
        if progress:
            progress(name)
        try:
            with np.errstate(over="ignore"):
                promise()
        except Exception as problem:
            report.checks.append(Check(name, False, told(problem, game)))
            if len(report.checks) == 1:
                return report  # nothing else can be tried on a game that cannot be played
        else:
            report.checks.append(Check(name, True))
    return report


def told(problem: Exception, game: Game) -> str:
    """A fault in a sentence; an error inside the user's own code with its line."""
    if isinstance(problem, (Fault, KingmakerError)):
        return str(problem)
    file = Path(type(game).moves.__code__.co_filename)
    return f"{type(problem).__name__}: {problem}{line_of(problem, file)} of {file.name}"


def told_where(game: Game, state: Any, act: Callable[..., Any], *arguments: Any) -> Any:
    """Do something with a state; if it fails, say in which method and at which position."""
    before = game.copy(state)
    try:
        return act(*arguments)
    except Fault:
        raise
    except Exception as problem:
        theirs = [frame.name for frame in traceback.extract_tb(problem.__traceback__) if frame.name in vars(type(game))]
        raise fault(game, before, theirs[-1] if theirs else "moves", told(problem, game)) from problem


def promises(game: Game, games: int, seed: int, sample: list[Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each promise as a sentence, and the function that raises if it is broken."""
    yield f"{games} random matches come to an end by legal moves", lambda: random_matches(game, games, seed, sample)
    yield "listing moves, estimating and printing leave the state alone", lambda: each(sample, lambda state: looks_only(game, state))
    yield "playing touches nothing but the state, and copies are independent", lambda: each(sample, lambda state: plays_alone(game, state))
    yield "payoffs and estimates stay within the facts", lambda: each(sample, lambda state: keeps_bounds(game, state))
    for estimate in (each for each in game.estimates if each.has_intervals):
        yield f"the estimate {estimate} is win-distinguishing", lambda estimate=estimate: wins_apart(game, estimate, sample)  # type: ignore[misc]
    yield "positions survive being written and read", lambda: each(sample, lambda state: rereads(game, state))
    yield "moves survive being said and parsed", lambda: each(sample, lambda state: says_moves(game, state))
    if game.has_records:
        yield "compiled rules play the same matches as interpreted ones", lambda: same_matches(game, seed)
        yield "compiled searches find the same as interpreted ones", lambda: each(sample[:8], lambda state: same_search(game, state))


def each(sample: list[Any], look: Callable[[Any], None]) -> None:
    for state in sample:
        look(state)


def fault(game: Game, state: Any, method: str, sentence: str) -> Fault:
    """A fault with the method and the position."""
    try:
        where = game.notation(state)
    except Exception:  # the game under test may be broken just there; its fault is told all the same
        where = repr(state)
    return Fault(f"{method} at {where}: {sentence}")


def frozen(game: Game, state: Any) -> Any:
    """A value that is equal for equal states; the padding between fields does not count."""
    if game.has_records:
        return tuple(np.asarray(state[name]).tobytes() for name in state.dtype.names)
    return repr(vars(state) if hasattr(state, "__dict__") else state)


def random_matches(game: Game, games: int, seed: int, sample: list[Any]) -> None:
    """Play; keep some positions, among them ends of matches."""
    for number in range(games):
        rng = stream(seed, "check", number)
        state = game.new(number)
        for turn in range(LONGEST):
            if len(sample) < SAMPLE and (below(rng, 4) == 0 or turn == 0):
                sample.append(game.copy(state))
            mover = told_where(game, state, game.mover, state)
            if mover == OVER:
                break
            told_where(game, state, step, game, state, mover, rng)
        else:
            raise fault(game, state, "mover", f"expected the match to end within {LONGEST} turns")
        if number < SAMPLE // 4:
            sample.append(game.copy(state))


def step(game: Game, state: Any, mover: int, rng: Any) -> None:
    """One random turn, looked at closely."""
    if not (mover == CHANCE or 0 <= mover < game.seats):
        raise fault(game, state, "mover", f"expected a seat from 0 to {game.seats - 1}, CHANCE or OVER, got {mover}")
    if mover == CHANCE:
        chances = game.chances(state)
        if not chances or abs(sum(odds for _, odds in chances) - 1) > CLOSE or min(odds for _, odds in chances) < 0:
            raise fault(game, state, "outcomes", f"expected probabilities with sum 1, got {[odds for _, odds in chances]}")
        game.play(state, CHANCE, rolled(game, state, rng))
        return
    turn = []
    for seat in game.acting(state):
        legal = game.legal(state, seat)
        if not legal:
            raise fault(game, state, "moves", f"expected at least one move for seat {seat}, got none; say OVER in mover instead")
        if len(set(legal)) < len(legal):
            raise fault(game, state, "moves", f"expected each move once, got {legal}")
        turn.append((seat, legal[below(rng, len(legal))]))
    take(game, state, tuple(turn))


def looks_only(game: Game, state: Any) -> None:
    before = frozen(game, state)
    for method, look in looks(game, state):
        look()
        if frozen(game, state) != before:
            raise fault(game, state, method, "expected it to leave the state as it is")


def looks(game: Game, state: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "mover", lambda: game.mover(state)
    yield "show", lambda: game.show(state)
    if game.mover(state) == OVER:
        yield "payoff", lambda: game.payoffs(state)
        return
    yield "quiet", lambda: game.quiet(state)
    yield "moves", lambda: game.legal(state)
    for estimate in game.estimates:
        yield f"{estimate.name}.value", lambda estimate=estimate: guessed(game, estimate, state)  # type: ignore[misc]


def guessed(game: Game, estimate: Any, state: Any) -> np.ndarray:
    out = zeros((game.seats,), np.float64)
    estimate.value(game, state, out)
    return out


def plays_alone(game: Game, state: Any) -> None:
    mover = game.mover(state)
    if mover == OVER:
        return
    before, rules = frozen(game, state), fingerprint(game)
    for move in game.legal(state):
        results = set()
        for _ in range(2):
            copy = game.copy(state)
            game.play(copy, mover, move)
            results.add(frozen(game, copy))
        if frozen(game, state) != before:
            raise fault(game, state, "copy", f"expected a copy to be independent, but playing {move} on it changed the original")
        if len(results) > 1:
            raise fault(game, state, "play", f"expected the same state whenever {move} is played, got two different ones")
        if fingerprint(game) != rules:
            raise fault(game, state, "play", f"expected {move} to change the state only, but it changed the game object")


def keeps_bounds(game: Game, state: Any) -> None:
    facts = game.facts
    if game.mover(state) == OVER:
        payoffs = game.payoffs(state)
        within(game, state, "payoff", payoffs, facts.low, facts.high, facts.total)
        if facts.constant_sum and abs(sum(payoffs) - facts.total) > CLOSE:
            raise fault(game, state, "payoff", f"expected a constant sum of {facts.total}, got {payoffs}")
        return
    for estimate in game.estimates:
        values = tuple(float(value) for value in guessed(game, estimate, state))
        low, high = (facts.low, facts.high) if estimate.within_bounds else (-np.inf, np.inf)
        within(game, state, f"{estimate.name}.value", values, low, high, facts.total if estimate.within_total else np.inf)
        if estimate.has_intervals:
            check_interval(game, estimate, state)


def within(game: Game, state: Any, method: str, values: tuple[float, ...], low: float, high: float, total: float) -> None:
    if not np.isfinite(values).all():
        raise fault(game, state, method, f"expected finite numbers, got {values}")
    if min(values) < low or max(values) > high:
        raise fault(game, state, method, f"expected values from {low} to {high}, got {values}")
    if sum(values) > total + CLOSE:
        raise fault(game, state, method, f"expected a sum of at most {total}, got {values}")


def check_interval(game: Game, estimate: Any, state: Any) -> None:
    low, high = zeros((game.seats,), np.float64), zeros((game.seats,), np.float64)
    estimate.interval(game, state, low, high)
    if not (np.asarray(low) <= np.asarray(high)).all():
        raise fault(game, state, f"{estimate.name}.interval", f"expected low ends at or below high ends, got {low} and {high}")


def wins_apart(game: Game, estimate: Estimate, sample: list[Any]) -> None:
    broken = win_distinguishing(game, estimate, sample)
    if broken is not None:
        raise broken


def win_distinguishing(game: Game, estimate: Estimate, states: Iterable[Any]) -> Fault | None:
    """The fault at the first final state where the estimate is not highest for the winners and them alone; None if there is none.

    Winning chances rest on it: Max-Prob takes the seat that will end with the highest estimate for the winner. Looked at is the estimate's
    value at the end, or its `final` where it has one of its own.
    """
    own = type(estimate).final is not Estimate.final
    method = f"{estimate.name}.{'final' if own else 'value'}"
    for state in states:
        if game.mover(state) != OVER:
            continue
        values, payoffs = zeros((game.seats,), np.float64), game.payoffs(state)
        try:
            (estimate.final if own else estimate.value)(game, state, values)
        except Exception as problem:
            return fault(game, state, method, told(problem, game))
        winners = [seat for seat in range(game.seats) if payoffs[seat] == max(payoffs)]
        if winners != [seat for seat in range(game.seats) if values[seat] >= max(values) - CLOSE]:
            shown = tuple(float(value) for value in values)
            return fault(game, state, method, f"expected the highest value for the seats {winners}, which win, and no other, got {shown}")
    return None


def rereads(game: Game, state: Any) -> None:
    text = game.notation(state)
    if "\n" in text:
        raise fault(game, state, "notation", "expected one line")
    if frozen(game, game.position(text)) != frozen(game, state):
        raise fault(game, state, "position", f"expected the state that was written as '{text}', got '{game.notation(game.position(text))}'")


def says_moves(game: Game, state: Any) -> None:
    mover = game.mover(state)
    if mover < 0:
        return
    for move in game.legal(state):
        word = game.say(state, mover, move)
        if game.parse(state, mover, word) != move:
            raise fault(game, state, "parse", f"expected '{word}' to be the move {move}, got {game.parse(state, mover, word)}")


def same_matches(game: Game, seed: int) -> None:
    """The same random walks, compiled and interpreted: every state must be the same to the last byte."""
    for number in range(20):
        state = game.new(number)
        machine = wandered(game, state, stream(seed, "wander", number), compiled=True)
        twin = wandered(game, state, stream(seed, "wander", number), compiled=False)
        for ply, (one, other) in enumerate(zip(machine, twin, strict=False)):
            if frozen(game, one) != frozen(game, other):
                before = twin[max(0, ply - 1)]
                raise fault(game, before, "play", f"compiled it leads to {game.notation(one)}, interpreted to {game.notation(other)}")
        if len(machine) != len(twin):
            raise fault(game, twin[-1], "mover", f"compiled the match goes on for {len(machine)} plies, interpreted for {len(twin)}")


def same_search(game: Game, state: Any) -> None:
    if game.mover(state) < 0:
        return
    for estimate in game.estimates or (None,):
        text = f"maxn(depth=2, estimate='{estimate}')" if estimate else "maxn(depth=2)"
        agent: Any = load_agent(text)
        try:
            machine = agent.decide(game, state, compiled=True)
        except CannotCompile as problem:
            raise Fault(str(problem)) from problem
        twin = agent.decide(game, state, compiled=False)
        if (machine.move, machine.moves, machine.nodes) != (twin.move, twin.moves, twin.nodes):
            raise fault(
                game,
                state,
                f"{agent}",
                f"compiled it finds {machine.move} worth {machine.values} in {machine.nodes} nodes, "
                f"interpreted {twin.move} worth {twin.values} in {twin.nodes}",
            )
