"""Comparison: one position under all suitable algorithms with one budget, and where and why they disagree.

The algorithms see the same position and the same random numbers; they differ in what they assume about the other seats.
So where two choose different moves, each is asked what it thinks of the other's choice: its own value of both moves
tells whether its assumption makes the difference or only the way in which it breaks a tie.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

import numpy as np

from kingmaker.arena.table.table import AgentFault, Table
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask, Watch
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadParameter, KingmakerError, Mismatch
from kingmaker.core.game import OVER, Game
from kingmaker.core.rng import below, stream
from kingmaker.games import PLAYERS, players_of
from kingmaker.probe.random_walk import wandered
from kingmaker.search import ALGORITHMS

LIMITS = ("depth", "nodes", "playouts", "seconds")
ASKED_DEPTH = 4  # plies of a search that is asked in many worlds
WALKS = 1000  # random matches from which positions are drawn


@dataclass(frozen=True)
class Opinion:
    """What one agent makes of a position."""

    agent: Agent
    assumes: str  # what the algorithm takes the others for, or its idea
    decision: Decision | None  # None: it could not decide
    word: str = ""  # the move as people write it
    fault: str = ""  # why it could not decide

    @property
    def name(self) -> str:
        return str(self.agent).removesuffix("()")

    @property
    def short(self) -> str:
        """The name of the algorithm without settings; of one that is asked in many worlds, both names."""
        asked = getattr(self.agent, "agent", None)
        return f"{self.agent.name}({asked.name})" if isinstance(asked, Agent) else self.agent.name


@dataclass(frozen=True)
class Comparison:
    """The opinions of several agents on one position."""

    game: Game
    state: Any
    seat: int
    opinions: tuple[Opinion, ...]
    refused: dict[str, str] = field(default_factory=dict)  # algorithms that cannot play the game, and why

    @property
    def choices(self) -> dict[int, list[Opinion]]:
        """The moves that were chosen, each with those who chose it, the most popular first."""
        found: dict[int, list[Opinion]] = {}
        for opinion in self.opinions:
            if opinion.decision is not None:
                found.setdefault(opinion.decision.move, []).append(opinion)
        return dict(sorted(found.items(), key=lambda entry: -len(entry[1])))

    def why(self) -> list[str]:
        """A sentence for every agent that does not choose the most popular move: what makes it choose another."""
        if len(self.choices) < 2:
            return []
        popular, *others = self.choices
        return [self.reason(opinion, popular) for move in others for opinion in self.choices[move]]

    def reason(self, opinion: Opinion, popular: int) -> str:
        """Why an agent does not choose the most popular move, by its own values."""
        decision = opinion.decision
        assert decision is not None
        wanted, word = self.game.say(self.state, self.seat, popular), opinion.word
        mine, theirs = decision.value_of(decision.move), decision.value_of(popular)
        begin = f"{opinion.short} plays {word} and not {wanted}"
        if mine is None or theirs is None:
            return f"{begin}; it has no value for {'either' if mine is None else wanted}"
        idea = f"; its idea: {opinion.assumes}" if opinion.assumes else ""
        exact = next(entry.exact for entry in decision.moves if entry.move == popular)
        ours, rival = mine[self.seat], theirs[self.seat]
        if not exact:
            return f"{begin}: {word} is worth {ours:.4g} to seat {self.seat}, and {wanted} at most {rival:.4g}{idea}"
        if abs(ours - rival) <= 1e-9 * max(1.0, abs(ours)):
            return f"{begin}: to it both are worth {ours:.4g} to seat {self.seat}, so it breaks a tie in its own way"
        return f"{begin}: {word} is worth {ours:.4g} to seat {self.seat}, and {wanted} is worth {rival:.4g}{idea}"


def suitable(game: Game, names: Sequence[str] = (), **budget: Any) -> tuple[list[Agent], dict[str, str]]:
    """The algorithms that can play the game, each with the budget as far as it takes one, and why the others cannot.

    In a game with hidden information, a search that would take one world for the truth is asked in many worlds
    (`pimc`).
    """
    unknown_limits = set(budget) - set(LIMITS)
    if unknown_limits:
        raise BadParameter(f"expected limits of {', '.join(LIMITS)}, got '{sorted(unknown_limits)[0]}'")
    given = {name: value for name, value in budget.items() if value is not None} or {"seconds": 1.0}
    found, refused = [], {}
    for name, cls in {**ALGORITHMS, **{each: PLAYERS[each] for each in players_of(game.name)}}.items():
        if names and name not in names:
            continue
        try:
            found.append(fitted(game, cls, given))
        except KingmakerError as fault:
            refused[name] = str(fault)
    return found, refused


def fitted(game: Game, cls: Any, given: dict[str, Any]) -> Agent:
    """An agent of this class that can play the game with this budget, with another estimate or in many worlds where it
    needs that; the error of the plain one if there is none.
    """
    known = {each.name: each for each in fields(cls)}
    limits = {name: value for name, value in given.items() if name in known}
    if cls is ALGORITHMS["pimc"]:
        raise Mismatch("pimc asks another agent; where something is hidden, it asks each of the others in turn")
    if cls is ALGORITHMS["ismcts"] and not game.facts.hidden:
        raise Mismatch(f"nothing is hidden in {game}, so ismcts is mcts there")
    if set(known) & set(LIMITS) and not limits:
        takes = " or ".join(name for name in LIMITS if name in known)
        raise Mismatch(f"{cls.__name__} takes no limit of {', '.join(given)}; give it {takes}")
    if "agent" in known and known["agent"].default is MISSING:
        limits = {"agent": ALGORITHMS["maxn"](**given)}  # a player that asks a search
    for name, each in known.items():
        if each.default is each.default_factory is MISSING and name not in limits:
            raise Mismatch(f"{cls.__name__} cannot be made without {name}; name it with all its settings")
    try:
        plain: Agent = cls(**limits)
    except KingmakerError:
        plain = cls()  # greedy looks one ply ahead, whatever the budget
    try:
        plain.fit(game)
        return plain
    except KingmakerError as fault:
        for other in alternatives(game, cls, set(known), limits):
            try:
                other.fit(game)
                return other
            except KingmakerError:
                continue
        raise fault from None


def alternatives(game: Game, cls: Any, known: set[str], limits: dict[str, Any]) -> Iterator[Agent]:
    """The same algorithm with another estimate of the game, or asked in many worlds."""
    if "estimate" in known:
        for estimate in game.estimates[1:]:
            yield cls(**limits, estimate=str(estimate))
    if game.facts.hidden and "one_world" in known:
        shallow = cls(depth=limits.get("depth", ASKED_DEPTH)) if "depth" in known else cls(playouts=200)
        whole = {"seconds": limits["seconds"]} if "seconds" in limits else {"deals": 10}
        yield ALGORITHMS["pimc"](agent=shallow, **whole)  # type: ignore[call-arg]


def assumption(agent: Agent | type[Agent]) -> str:
    """What an algorithm assumes, or its idea, in its own words: the first sentence of its file."""
    module = inspect.getmodule(agent if isinstance(agent, type) else type(agent))
    line = " ".join(((inspect.getdoc(module) if module else "") or "").partition("\n\n")[0].split())
    return (line.partition(": ")[2] or line).partition(".")[0]


def opinions(
    game: Game, state: Any, agents: Sequence[Agent], seed: int = 0, watch: Watch | None = None, **wishes: Any
) -> Iterator[Opinion]:
    """The opinion of every agent, one after the other, as each is ready; `state` has a seat to move."""
    for agent in agents:
        try:
            table = Table(game, [agent] * game.seats, seed, state)
            decision = table.decide(table.mover, ask=Ask(watch=watch, **wishes))
        except AgentFault:
            raise
        except KingmakerError as fault:
            yield Opinion(agent, assumption(agent), None, fault=str(fault))
            continue
        word = game.say(state, int(game.mover(state)), decision.move)
        yield Opinion(agent, assumption(agent), decision, word)


def at_a_seat(game: Game, state: Any, seed: int = 0) -> Any:
    """The state after the dice were rolled until a seat is to move."""
    from kingmaker.search.random import Random

    table = Table(game, [Random()] * game.seats, seed, state)
    table.roll_on()
    if table.mover == OVER:
        raise Mismatch(f"the match of {game} is over at {game.notation(table.state)}; there is nothing to compare")
    return table.state


def compare(
    game: Game,
    state: Any = None,
    agents: Sequence[Agent] = (),
    *,
    seed: int = 0,
    seen: Callable[[Opinion], None] | None = None,
    **budget: Any,
) -> Comparison:
    """Ask all suitable algorithms, or the given agents, for their decision at one position, with one budget.

    The budget is given as `seconds`, `depth`, `nodes` or `playouts`; without any it is one second. `seen` is told of
    every opinion as soon as it is there.
    """
    state = at_a_seat(game, game.new(seed) if state is None else state, seed)
    chosen, refused = (list(agents), {}) if agents else suitable(game, **budget)
    found = []
    for opinion in opinions(game, state, chosen, seed):
        found.append(opinion)
        if seen:
            seen(opinion)
    return Comparison(game, state, int(game.mover(state)), tuple(found), refused)


def positions_from_play(game: Game, count: int, seed: int = 0) -> list[Any]:
    """Positions from random matches in which a seat has a choice."""
    rng, found = stream(seed, "comparison"), []
    for match in range(WALKS):
        states = wandered(game, game.new(seed + match), stream(seed + match, "walk"), compiled=False)
        open_states = [state for state in states if game.mover(state) >= 0 and len(game.legal(state)) > 1]
        for _ in range(min(2, len(open_states))):
            with np.errstate(over="ignore"):
                found.append(open_states[below(rng, len(open_states))])
            if len(found) == count:
                return found
    raise BadParameter(f"{WALKS} random matches of {game} have no {count} positions with a choice; ask for fewer")


def agreement(comparisons: Sequence[Comparison]) -> tuple[list[str], list[list[float]]]:
    """How often every two agents chose the same move, as a matrix, and the agents' names."""
    names = [opinion.name for opinion in comparisons[0].opinions]
    moves = [
        [None if each.decision is None else each.decision.move for each in comparison.opinions]
        for comparison in comparisons
    ]
    return names, [
        [share([(row[one], row[other]) for row in moves]) for other in range(len(names))] for one in range(len(names))
    ]


def share(pairs: list[tuple[int | None, int | None]]) -> float:
    """The share of equal pairs among those in which both decided; not a number if there are none."""
    both = [one == other for one, other in pairs if one is not None and other is not None]
    return sum(both) / len(both) if both else float("nan")
