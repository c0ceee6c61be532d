"""Does a game keep its contract? These are the tests behind `kingmaker check`.

The promises of `kingmaker.soundness` are tested more thoroughly than on first use. Then matches and a few searches run
compiled at full speed and interpreted, and both must agree to the last bit. A game that keeps all promises gets a
certificate, with which it runs at full speed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from kingmaker.core.ask import Ask
from kingmaker.core.contract import provides
from kingmaker.core.errors import CannotCompile, KingmakerError, Mismatch
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import OVER, Game
from kingmaker.core.guard import interpret, is_own, own_parts, vouch
from kingmaker.core.rng import stream
from kingmaker.core.wide_records import zeros
from kingmaker.loading import load_agent, load_game
from kingmaker.probe.fairness import deals_evenly, nobody_peeks, rolls_as_listed
from kingmaker.probe.random_walk import wandered
from kingmaker.search.parts.opponents.leader import standing
from kingmaker.soundness.fault import Fault, each, fault, frozen, raised_in
from kingmaker.soundness.promises import Effort, Promise, promises
from kingmaker.soundness.trial import Trial
from kingmaker.soundness.vouching import certificate, keep
from kingmaker.stats.places import best_seats

CLOSE = 1e-9
STEPS = 50_000  # positions that guarded machine code visits
MOST_TURNS = 1_000_000


@dataclass(frozen=True)
class Check:
    """One promise and whether it is kept."""

    name: str
    passed: bool
    detail: str = ""
    hard: bool = True  # does a search depend on it?


@dataclass
class Report:
    """All promises of a game."""

    game: str
    checks: list[Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)


def examine(
    text: str,
    *,
    games: int = 200,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
    interpreted: bool = False,
) -> Report:
    """Load a game and try all its promises; the report lists each."""
    game = load_game(text)
    if interpreted:
        interpret(game)
    report = Report(str(game))
    sample: list[Any] = []
    with Trial(game) as trial:
        for promise in promises(trial, Effort(games, MOST_TURNS, STEPS), seed, sample, tuple(game.estimates)):
            tried(report, game, promise, progress)
            if not sample and promise.hard and len(report.checks) > 1:
                return report  # no match could be played, so there are no positions to test anything else on
        hard = all(check.passed or not check.hard for check in report.checks)
        for promise in higher_promises(game, seed, sample, hard):
            tried(report, game, promise, progress)
    if report.passed and is_own(game) and game.compiles:
        keep(certificate(game, parts_of(game)))
    return report


def tried(report: Report, game: Game, promise: Promise, progress: Callable[[str], None] | None) -> None:
    """Test one promise and add the result to the report."""
    if progress:
        progress(promise.name)
    detail = ""
    try:
        with np.errstate(over="ignore"):
            promise.keep()
    except KingmakerError as problem:
        detail = str(problem)
    except Exception as problem:
        detail = str(raised_in(game, None, "moves", problem))
    report.checks.append(Check(promise.name, not detail, detail, promise.hard))


def higher_promises(game: Game, seed: int, sample: list[Any], sound: bool) -> Iterator[Promise]:
    """The promises that depend on the others; machine code without guards is run only if those are kept."""
    for estimate in (known for known in game.estimates if known.has_intervals):
        title = f"the estimate {estimate} is win-distinguishing"
        yield Promise(title, partial(wins_apart, game, estimate, sample))
    if game.compiles and sound:
        vouch(game, parts_of(game))
        yield Promise("compiled rules play the same matches as interpreted ones", lambda: same_matches(game, seed))
        yield Promise(
            "compiled searches find the same as interpreted ones",
            lambda: each(sample[:8], lambda state: same_search(game, state)),
        )
        if not all(estimate.measures_value for estimate in game.estimates):
            yield Promise(
                "compiled estimates measure the same as interpreted ones",
                lambda: each(sample[:8], lambda state: same_measure(game, state)),
            )
    if game.max_outcomes and provides(game, "roll"):
        yield Promise(
            "roll draws the listed outcomes as often as their probabilities say", lambda: rolls_as_listed(game, sample)
        )
    if game.facts.hidden:
        yield Promise("every world that a seat may be in is as likely as any other", lambda: deals_evenly(game, sample))
        yield Promise("no agent can tell apart what its seat cannot", lambda: nobody_peeks(game, sample))
        yield Promise(
            "no search takes a random world for the truth unless told to",
            lambda: each(sample[:8], lambda state: refused(game, state)),
        )


def parts_of(game: Game) -> tuple[Any, ...]:
    """The objects of the user's own classes in a game: the game itself, its estimates and their parts."""
    return tuple(own_parts((game, *game.estimates)))


def wins_apart(game: Game, estimate: Estimate, sample: list[Any]) -> None:
    broken = win_distinguishing(game, estimate, sample)
    if broken is not None:
        raise broken


def win_distinguishing(game: Game, estimate: Estimate, states: Iterable[Any]) -> Fault | None:
    """The fault at the first final state in which the highest estimates are not exactly those of the winners; None if
    there is no such state.

    Max-Prob computes winning probabilities from this property: it takes the seat that ends with the highest estimate
    for the winner. Tested are the estimate's `final`, or `value` if it has no `final` of its own, and both ends of its
    interval: a `final` that repeats the payoff is always right, but the interval of the same estimate may be wrong.
    """
    own = type(estimate).final is not Estimate.final
    for state in states:
        if game.mover(state) != OVER:
            continue
        payoffs = game.payoffs(state)
        winners = list(best_seats(payoffs))
        values, low, high = (zeros((game.seats,), np.float64) for _ in range(3))
        method = "final" if own else "value"
        try:
            getattr(estimate, method)(game, state, values)
            if estimate.has_intervals:
                method = "interval"
                estimate.interval(game, state, low, high)
        except Exception as problem:
            return raised_in(game, state, method, problem, estimate)
        looked = [("final" if own else "value", values)] + [
            ("interval", each) for each in (low, high) if estimate.has_intervals
        ]
        for method, found in looked:
            if winners != [seat for seat in range(game.seats) if found[seat] >= max(found) - CLOSE]:
                shown = tuple(float(value) for value in found)
                sentence = f"expected the highest value for the seats {winners}, which win, and no other, got {shown}"
                return fault(game, state, method, sentence, estimate)
    return None


def same_matches(game: Game, seed: int) -> None:
    """The same random walks, compiled and interpreted: every state must be the same to the last byte."""
    for number in range(20):
        state = game.new(number)
        machine = wandered(game, state, stream(seed, "wander", number), compiled=True)
        twin = wandered(game, state, stream(seed, "wander", number), compiled=False)
        for ply, (one, other) in enumerate(zip(machine, twin, strict=False)):
            if frozen(one) != frozen(other):
                before = twin[max(0, ply - 1)]
                raise fault(
                    game,
                    before,
                    "play",
                    f"compiled it leads to {game.notation(one)}, interpreted to {game.notation(other)}",
                )
        if len(machine) != len(twin):
            raise fault(
                game,
                twin[-1],
                "mover",
                f"compiled the match goes on for {len(machine)} plies, interpreted for {len(twin)}",
            )


def same_measure(game: Game, state: Any) -> None:
    """Compare what an estimate measures compiled and interpreted, called in the way in which MP-Mix calls it."""
    if game.mover(state) == OVER:
        return
    for estimate in (known for known in game.estimates if not known.measures_value):
        machine, twin = (standing(game, str(estimate), state, compiled) for compiled in (True, False))
        if machine != twin:
            raise fault(game, state, "measure", f"compiled it measures {machine}, interpreted {twin}", estimate)


def refused(game: Game, state: Any) -> None:
    """Check that a search refuses a game with hidden information unless it was told to take a random world for the
    truth.
    """
    agent = load_agent("maxn(depth=2)")
    if game.mover(state) < 0:
        return
    try:
        agent.decide(game, state, ask=Ask(compiled=False))
    except Mismatch:
        return
    raise fault(game, state, "facts", f"expected hidden=True to be heeded, but {agent} took a world for the truth")


def same_search(game: Game, state: Any) -> None:
    if game.mover(state) < 0:
        return
    for estimate in game.estimates or (None,):
        settings = ["depth=2", *([f"estimate='{estimate}'"] if estimate else [])]
        text = f"maxn({', '.join([*settings, *(['one_world=True'] if game.facts.hidden else [])])})"
        agent: Any = load_agent(text)
        try:
            machine = agent.decide(game, state, ask=Ask(compiled=True))
        except CannotCompile as problem:
            raise Fault(str(problem)) from problem
        twin = agent.decide(game, state, ask=Ask(compiled=False))
        if (machine.move, machine.moves, machine.nodes) != (twin.move, twin.moves, twin.nodes):
            raise fault(
                game,
                state,
                f"{agent}",
                f"compiled it finds {machine.move} worth {machine.values} in {machine.nodes} nodes, "
                f"interpreted {twin.move} worth {twin.values} in {twin.nodes}",
            )
