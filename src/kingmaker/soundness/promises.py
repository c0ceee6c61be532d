"""The promises of a game, each with the function that raises a Fault if it is broken.

*Hard* promises decide whether a search is right and whether machine code stays within its arrays; *soft* ones decide
whether people can read and write the game's moves and positions.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.game import OVER, Game
from kingmaker.core.guard import own_parts
from kingmaker.soundness.calls import answers, estimates_answer, guess_of, mover_of, payoff_of
from kingmaker.soundness.equivalence import holds_equivalents_alike
from kingmaker.soundness.fault import Fault, each, fault, frozen
from kingmaker.soundness.foresight import foresees_well
from kingmaker.soundness.purity import faults_in
from kingmaker.soundness.secrets import hides_something, keeps_secrets
from kingmaker.soundness.tour import toured
from kingmaker.soundness.trial import Trial
from kingmaker.soundness.units import measures_well
from kingmaker.soundness.walks import random_matches, same_again

CLOSE = 1e-9


@dataclass(frozen=True)
class Effort:
    """How much of a game is examined. It is counted, never timed, so that the same game is examined in the same way on
    every machine.
    """

    matches: int  # random matches, interpreted
    turns: int  # turns of all these matches together
    steps: int  # positions that guarded machine code visits


@dataclass(frozen=True)
class Promise:
    """One promise."""

    name: str
    keep: Callable[[], None]
    hard: bool = True


def promises(
    trial: Trial, effort: Effort, seed: int, sample: list[Any], estimates: tuple[Any, ...]
) -> Iterator[Promise]:
    """Every promise of a game and of estimates for it; the first fills the sample that the others look at."""
    game = trial.game

    def look(act: Callable[..., None], *more: Any) -> Callable[[], None]:
        return lambda: each(sample, lambda state: act(trial, state, *more))

    def play() -> None:
        trial.close = False
        sample.extend(random_matches(trial, effort.matches, seed, effort.turns))
        trial.close = True

    yield Promise(
        "the rules change nothing but the state, and use no dice or clock of their own",
        lambda: says_well(game, estimates),
    )
    yield Promise("random matches come to an end by legal moves", play)
    yield Promise("the same seed gives the same match", lambda: same_again(trial, seed))
    yield Promise("methods answer in full, the same each time, and leave the state alone", look(answers))
    yield Promise("estimates answer in full, the same each time", look(estimates_answer, estimates))
    yield Promise("payoffs and estimates stay within the facts", look(keeps_bounds, estimates))
    if game.facts.hidden:
        yield Promise("a seat's world tells what the seat knows and nothing else", look(keeps_secrets))
        yield Promise("something is hidden", lambda: hides_something(trial, sample))
    if estimates:
        yield Promise("estimates measure as they value, in their unit", look(measures_well, estimates))
    if any(estimate.has_foresight for estimate in estimates):
        yield Promise("estimates foresee what playing a move brings", look(foresees_well, estimates))
    if provides(game, "equivalent"):
        yield Promise("equivalent moves lead to the same values", look(holds_equivalents_alike, estimates))
    if game.compiles and any(own_parts((game, *estimates))):
        yield Promise(
            "guarded machine code finds the same and stays within its arrays",
            lambda: toured(trial, estimates, seed, effort.steps),
        )
    yield Promise("positions can be shown", look(shows), hard=False)
    if reads_positions(game):
        yield Promise("positions survive being written and read", look(rereads), hard=False)
    yield Promise("moves survive being said and parsed", look(says_moves), hard=False)


def says_well(game: Game, estimates: tuple[Any, ...]) -> None:
    """Refuse code that would make matches depend on more than their seed, found without running it."""
    for found in faults_in(game, estimates):
        raise found


def keeps_bounds(trial: Trial, state: Any, estimates: tuple[Any, ...]) -> None:
    game, facts = trial.game, trial.game.facts
    if mover_of(trial, state) == OVER:
        payoffs = payoff_of(trial, state)
        within(game, state, "payoff", payoffs, facts.low, facts.high, facts.total)
        if facts.constant_sum and abs(sum(payoffs) - facts.total) > CLOSE:
            raise fault(game, state, "payoff", f"expected a constant sum of {facts.total}, got {payoffs}")
        return
    for estimate in estimates:
        low, high = (facts.low, facts.high) if estimate.within_bounds else (-np.inf, np.inf)
        total = facts.total if estimate.within_total else np.inf
        within(game, state, "value", guess_of(trial, state, estimate), low, high, total, estimate)


def within(
    game: Game,
    state: Any,
    method: str,
    values: tuple[float, ...],
    low: float,
    high: float,
    total: float,
    owner: Any = None,
) -> None:
    if not np.isfinite(values).all():
        raise fault(game, state, method, f"expected finite numbers, got {values}", owner)
    if min(values) < low or max(values) > high:
        raise fault(game, state, method, f"expected values from {low} to {high}, got {values}", owner)
    if sum(values) > total + CLOSE:
        raise fault(game, state, method, f"expected a sum of at most {total}, got {values}", owner)


def reads_positions(game: Game) -> bool:
    """Does the game promise to read what it writes? An object state without methods for that does not."""
    return game.has_records or provides(game, "position")


def shows(trial: Trial, state: Any) -> None:
    before = frozen(state)
    for method in ("show", "notation"):
        text = trial.call(method, state, getattr(trial.game, method), state)
        if not isinstance(text, str):
            raise fault(trial.game, state, method, f"expected a text, got {text!r}")
        if frozen(state) != before:
            raise fault(trial.game, state, method, "expected it to leave the state as it is")


def rereads(trial: Trial, state: Any) -> None:
    game = trial.game
    text = trial.call("notation", state, game.notation, state)
    if "\n" in text:
        raise fault(game, state, "notation", "expected one line")
    read = trial.call("position", state, game.position, text)
    if frozen(read) != frozen(state):
        told = f"expected the state that was written as '{text}', got '{game.notation(read)}'"
        raise fault(game, state, "position", told)


def says_moves(trial: Trial, state: Any) -> None:
    game, mover = trial.game, trial.game.mover(state)
    if mover < 0:
        return
    for move in game.legal(state):
        word = trial.call("say", state, game.say, state, mover, move)
        read = trial.call("parse", state, game.parse, state, mover, word)
        if read != move:
            raise fault(game, state, "parse", f"expected '{word}' to be the move {move}, got {read}")


__all__ = ["Effort", "Fault", "Promise", "Trial", "promises"]
