"""Opponent impact: how often can a seat harm another?

A state is *influential* for the seat to move and another seat, its target, if the choice of move matters to the target
as an estimate sees it. The source states two rules, which differ; both are counted here.

- `reduces`, its definition 5.1: some move makes the target's value lower than it is now.
- `distinct`, the rule of its experiments: the moves lead to at least two different values of the target.

A seat's value is how it stands in the estimate's own unit (`measure`), not its share of the payoffs: with constant
sum every step forward of one seat would lower the share of the others. Opponent impact is the share of influential
states among the states met in play: counted per state (is there a target at all?) and per pair of seats. Where it is 0,
as in Bingo, no search can do anything to an opponent, and MP-Mix cannot be better than MaxN; the higher it is, the more
MP-Mix may gain.

Where moves are small steps of a turn, as at Risk, an agent that plans whole turns is measured over its plans. Where
hands are hidden, the state is the true one; or it counts as influential if it is so in one of several worlds that the
seat must hold possible (`worlds`), for the source reasons like this at Go Fish: one can always ask.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kingmaker.arena.table.match import play_match
from kingmaker.arena.table.referee import referee_of
from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadParameter, CannotCompile
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.kernel import kernel
from kingmaker.core.rng import stream
from kingmaker.core.rounding import measure_rounding
from kingmaker.core.secrets import world_of
from kingmaker.core.workspace import workspace
from kingmaker.search.parts.machinery.leaf import end, measured
from kingmaker.soundness.vouching import vouched
from kingmaker.stats.blocks import interval

RULES = ("distinct", "reduces")
PARTS = ("first third", "second third", "last third")  # of a match, counted in turns


@kernel
def stands(game: Any, estimate: Any, work: Any, ply: int, ends: bool) -> bool:
    """Leave in work.values[ply] how the seats stand in work.states[ply]; false if they do not stand anywhere, because
    the match is over.
    """
    if game.mover(work.states[ply]) != OVER:
        measured(game, estimate, work.states[ply], work.values[ply])
    elif ends:
        end(game, estimate, work.states[ply], work.values[ply])
    else:
        return False
    return True


@kernel
def averaged(game: Any, estimate: Any, work: Any, ends: bool) -> bool:
    """The same for work.states[1], and where chance follows, the mean over its outcomes if they can be listed.

    The running mean moves by the share of each outcome towards it, so that the mean of equal values is that value.
    """
    chance = game.max_outcomes > 0 and game.mover(work.states[1]) == CHANCE
    if not chance or not game.can_list(work.states[1]):
        return bool(stands(game, estimate, work, 1, ends))
    count, total = game.outcomes(work.states[1], work.moves[1], work.odds[1]), 0.0
    for i in range(count):
        work.states[2] = work.states[1]
        game.play(work.states[2], CHANCE, work.moves[1, i])
        if not stands(game, estimate, work, 2, ends):
            return False
        total += work.odds[1, i]
        for each in range(game.seats):
            before = work.values[1, each] if i else 0.0
            work.values[1, each] = before + work.odds[1, i] / total * (work.values[2, each] - before)
    return True


@kernel
def influence(game: Any, estimate: Any, rounding: Any, work: Any, seat: int, ends: bool) -> None:
    """Note for every other seat what the moves of `seat` in work.states[0] do to it as the estimate measures: in
    work.lowest and work.highest the ends of what they lead to, and in work.values[0] where it stands now.

    A move that is followed by chance leads to the mean over what chance may do, if that can be listed. Only an estimate
    that measures in payoffs (`ends`) has a measure of positions in which the match is over; for the others the moves
    that end it, or may end it, are left out.
    """
    measured(game, estimate, work.states[0], work.values[0])
    count = game.moves(work.states[0], seat, work.moves[0])
    for each in range(game.seats):
        work.lowest[each], work.highest[each] = np.inf, -np.inf
    for i in range(count):
        work.states[1] = work.states[0]
        game.play(work.states[1], seat, work.moves[0, i])
        if not averaged(game, estimate, work, ends):
            continue
        for each in range(game.seats):
            work.lowest[each] = min(work.lowest[each], work.values[1, each])
            work.highest[each] = max(work.highest[each], work.values[1, each])
    for each in range(game.seats):
        work.distinct[each] = rounding.above(work.highest[each], work.lowest[each])
        work.reduces[each] = rounding.below(work.lowest[each], work.values[0, each])


class Probe:
    """Asks one estimate of one game which seats the mover of a state can influence."""

    def __init__(self, game: Game, estimate: Estimate) -> None:
        compiled = game.compiles
        if compiled:
            try:
                vouched(game, (estimate,))
            except CannotCompile:
                compiled = False
        self.game, self.estimate, self.rounding = game, estimate, measure_rounding(game, estimate)
        ends = [(name, np.float64, (game.seats,)) for name in ("lowest", "highest")]
        self.work = workspace(game, 3, [*ends, *((rule, np.int8, (game.seats,)) for rule in RULES)], compiled)
        self.ask: Any = influence.compiled if compiled else influence

    def targets(self, state: Any, seat: int) -> dict[str, list[bool]]:
        """For each rule: can `seat` influence each seat in this state?"""
        self.work.states[0] = state
        with np.errstate(over="ignore"):
            self.ask(self.game, self.estimate, self.rounding, self.work.record, seat, self.estimate.measures_value)
        return {rule: [bool(each) for each in getattr(self.work, rule)] for rule in RULES}


@dataclass
class Counts:
    """Influential states among those looked at, match by match; matches are the independent observations."""

    hits: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)

    def begin(self) -> None:
        self.hits.append(0)
        self.seen.append(0)

    def add(self, hit: bool) -> None:
        self.hits[-1] += hit
        self.seen[-1] += 1

    @property
    def total(self) -> int:
        return sum(self.seen)

    @property
    def share(self) -> float | None:
        return sum(self.hits) / self.total if self.total else None

    @property
    def ends(self) -> tuple[float, float]:
        """The 95 % confidence interval over matches."""
        return interval(self.hits, self.seen)


@dataclass
class Impact:
    """What was counted by one rule."""

    states: Counts = field(default_factory=Counts)  # is there any target?
    phases: dict[str, Counts] = field(default_factory=dict)
    pairs: dict[tuple[int, int], Counts] = field(default_factory=dict)  # by the seat that moves and its target
    players: dict[str, Counts] = field(default_factory=dict)  # by who plays, if several do one after the other


def over_plans(game: Game, agent: Agent) -> tuple[Game, Agent]:
    """For an agent that plans whole turns: the game of its plans, and who chooses among them."""
    tree = getattr(agent, "tree", None)
    return (tree(game), agent.agent) if callable(tree) and hasattr(agent, "agent") else (game, agent)


def measure(
    game: Game,
    estimate: Estimate,
    agents: Sequence[Agent],
    matches: int = 100,
    seed: int = 0,
    told: Callable[[], Any] = lambda: None,
    worlds: int = 0,
) -> dict[str, Impact]:
    """The opponent impact of a game as an estimate sees it, over the states that these agents meet, by rule.

    `told` is called after every match. `worlds` is how many deals that fit what the mover has seen are looked at; 0 is
    the true state.
    """
    if matches < 2:
        raise BadParameter(f"expected at least 2 matches, for intervals are over matches, got {matches}")
    if worlds < 0 or (worlds and not game.facts.hidden):
        way = "leave --worlds out" if worlds > 0 else "use 0 for the true state"
        raise BadParameter(f"expected worlds only where something is hidden, got {worlds} at {game}; {way}")
    probe, found = Probe(game, estimate), {rule: Impact() for rule in RULES}
    for number in range(matches):
        looked = met(game, probe, agents, seed + number, worlds)
        for rule, impact in found.items():
            begin(impact)
            for place, (seat, phase, others, targets) in enumerate(looked):
                hits = [targets[rule][other] for other in others]
                impact.states.add(any(hits))
                counts_of(impact.phases, phase or PARTS[3 * place // len(looked)]).add(any(hits))
                for other, hit in zip(others, hits, strict=True):
                    counts_of(impact.pairs, (seat, other)).add(hit)
        told()
    return found


def measure_each(
    game: Game,
    estimate: Estimate,
    players: dict[str, Agent],
    matches: int = 100,
    seed: int = 0,
    told: Callable[[], Any] = lambda: None,
    worlds: int = 0,
) -> dict[str, Impact]:
    """The same for several players, each of which plays so many matches of its own on all seats: for every player, and
    for all of them together.
    """
    found = {rule: Impact() for rule in RULES}
    for place, (name, player) in enumerate(players.items()):
        first = seed + place * matches
        for rule, impact in measure(game, estimate, [player] * game.seats, matches, first, told, worlds).items():
            whole = found[rule]
            whole.players[name] = impact.states
            add(whole.states, impact.states)
            for phase, counts in impact.phases.items():
                add(whole.phases.setdefault(phase, Counts()), counts)
            for pair, counts in impact.pairs.items():
                add(whole.pairs.setdefault(pair, Counts()), counts)
    return found


def add(whole: Counts, part: Counts) -> None:
    """Add the matches of a part."""
    whole.hits.extend(part.hits)
    whole.seen.extend(part.seen)


def begin(impact: Impact) -> None:
    """Begin to count a new match."""
    for counts in (impact.states, *impact.phases.values(), *impact.pairs.values()):
        counts.begin()


def counts_of(group: dict[Any, Counts], key: Any) -> Counts:
    """The counts of a phase or a pair of seats, which begin when it is first met."""
    if key not in group:
        group[key] = Counts([0], [0])
    return group[key]


Look = tuple[int, str, list[int], dict[str, list[bool]]]  # the mover, the phase, the other seats, the targets by rule


def met(game: Game, probe: Probe, agents: Sequence[Agent], seed: int, worlds: int = 0) -> list[Look]:
    """What was asked in every state of one match in which a seat moves."""
    looked: list[Look] = []
    referee, rng = referee_of(game), stream(seed, "impact")

    def look(state: Any, turn: Any, _decisions: Any) -> None:
        phase = game.phase(state)
        for seat, _ in turn:
            others = [each for each in range(game.seats) if each != seat and game.active(state, each)]
            if seat != CHANCE and others:
                view = referee.view(state, seat)
                views = [world_of(game, view, seat, rng, referee.redealt) for _ in range(worlds)] or [view]
                looked.append((seat, phase, others, in_some([probe.targets(each, seat) for each in views])))

    play_match(game, agents, seed, watch=look)
    return looked


def in_some(found: list[dict[str, list[bool]]]) -> dict[str, list[bool]]:
    """Which seats can be influenced in at least one of several worlds, by rule."""
    return {rule: [any(hits) for hits in zip(*(each[rule] for each in found), strict=True)] for rule in RULES}


def advice(share: float, seats: int = 3) -> str:
    """What an opponent impact means for the choice of a search."""
    if seats == 2:
        return (
            "with two seats of opposite interests MaxN, Paranoid and Offensive choose alike; MP-Mix cannot gain here."
        )
    if share < 0.05:
        return "hardly any move touches an opponent; MP-Mix cannot gain over MaxN here."
    if share < 0.5:
        return (
            "some moves touch an opponent; MP-Mix may gain a little over MaxN, so try thresholds with kingmaker tune."
        )
    return "most moves touch an opponent; MP-Mix may pay here, so find its thresholds with kingmaker tune."


__all__ = ["PARTS", "RULES", "Counts", "Impact", "Probe", "advice", "measure", "measure_each", "over_plans"]
