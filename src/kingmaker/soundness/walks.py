"""Random matches, played by the interpreted rules and examined on the way."""

import hashlib
from typing import Any

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.rng import below, stream
from kingmaker.core.turn import rolled, take
from kingmaker.soundness.calls import acting_of, events_of, mover_of, moves_of
from kingmaker.soundness.fault import Fault, fault, frozen
from kingmaker.soundness.trial import Trial

LONGEST = 5000  # the most turns of a random match
SAMPLE = 40  # how many positions are examined closely
AGAIN = 20  # how many turns of a match are played twice


def random_matches(trial: Trial, games: int, seed: int, turns: int) -> list[Any]:
    """Play up to so many matches and turns, and examine every turn; return some of the positions, among them ends of
    matches.
    """
    sample: list[Any] = []
    left = turns
    for number in range(games):
        rng = stream(seed, "check", number)
        state = begun(trial, number)
        for turn in range(LONGEST):
            if len(sample) < SAMPLE and (below(rng, 4) == 0 or turn == 0):
                sample.append(trial.game.copy(state))
            if mover_of(trial, state) == OVER:
                break
            if left == 0:
                return sample
            left -= 1
            step(trial, state, rng)
        else:
            raise fault(trial.game, state, "mover", f"expected the match to end within {LONGEST} turns")
        if number < SAMPLE // 4:
            sample.append(trial.game.copy(state))
    return sample


def begun(trial: Trial, seed: int) -> Any:
    """The first state of a match, which follows from the seed."""
    first, second = (trial.call("start", None, trial.game.new, seed) for _ in range(2))
    if frozen(first) != frozen(second):
        raise fault(
            trial.game,
            first,
            "start",
            f"expected the same state for the same rng, got {frozen(second)} the second time",
        )
    returned = trial.call("start", None, trial.game.start, trial.game.blank(), stream(seed, "start"))
    if returned is not None:
        raise fault(trial.game, None, "start", f"expected it to fill the state and return nothing, got {returned!r}")
    return first


def step(trial: Trial, state: Any, rng: Any) -> None:
    """Play one random turn and check it."""
    game, mover = trial.game, mover_of(trial, state)
    if mover == CHANCE:
        events_of(trial, state)
        outcome = trial.call("roll", state, rolled, game, state, rng)
        trial.call("play", game.copy(state), game.play, state, CHANCE, outcome)
        return
    turn = []
    for seat in acting_of(trial, state):
        view = state
        if game.facts.simultaneous:
            view = game.copy(state)
            trial.call("turn_to", state, game.turn_to, view, seat)
        legal = moves_of(trial, view, seat)
        turn.append((seat, legal[below(rng, len(legal))]))
    trial.call("step" if game.facts.simultaneous else "play", game.copy(state), take, game, state, tuple(turn))


def same_again(trial: Trial, seed: int) -> None:
    """The same seeds must give the same matches a second time."""
    close, trial.close = trial.close, False
    first, second = (digests(trial, seed) for _ in range(2))
    trial.close = close
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other:
            raise Fault(
                "the same seed gives another match the second time (start "
                f"{number}); something in the rules outlives a match"
            )


def digests(trial: Trial, seed: int) -> list[str]:
    """A hash of every position of some random matches."""
    found = []
    for number in range(4):
        rng, state, digest = stream(seed, "again", number), begun(trial, number), hashlib.sha256()
        for _ in range(AGAIN):
            digest.update(repr(frozen(state)).encode())
            if mover_of(trial, state) == OVER:
                break
            step(trial, state, rng)
        found.append(digest.hexdigest())
    return found
