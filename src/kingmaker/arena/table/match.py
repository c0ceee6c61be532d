"""One match: the table at which it is played turn by turn, and a match played out."""

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any

import numpy as np

from kingmaker.arena.table.deadline import TooLong
from kingmaker.arena.table.referee import referee_of
from kingmaker.core.agent import Agent
from kingmaker.core.ask import PLAIN, Ask
from kingmaker.core.decision import Decision
from kingmaker.core.door import admitted, own_move
from kingmaker.core.errors import BadGame, BadParameter, IllegalMove, KingmakerError
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.rng import stream
from kingmaker.core.turn import Turn, rolled, take
from kingmaker.stats.places import best_seats

MOST = 2**53  # nodes of one decision; the sum over any match then fits in 64 bits
TYPES = (int, int, int, float)  # the types of a move, nodes, depth and seconds
Watcher = Callable[
    [Any, Turn, dict[int, Decision]], None
]  # state before the turn, the turn, the decisions of the seats
Values = tuple[tuple[float, ...] | None, ...]  # what the seats of one turn thought of it


class AgentFault(KingmakerError):
    """An agent that crashed."""

    def __init__(self, seat: int, sentence: str) -> None:
        super().__init__(sentence)
        self.seat = seat


@dataclass(frozen=True)
class Effort:
    """What a seat spent in a match."""

    moves: int
    nodes: int
    depths: int  # sum over its moves
    seconds: float


@dataclass(frozen=True)
class Match:
    """A finished match."""

    seed: int
    payoffs: tuple[float, ...]  # one number a seat
    turns: tuple[Turn, ...]
    efforts: tuple[Effort, ...]  # one a seat
    finished: bool  # False: the limit of turns was reached
    values: tuple[Values, ...] | None = None  # one a turn, if they were to be kept

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest payoff."""
        return best_seats(self.payoffs)


@dataclass(frozen=True)
class Snapshot:
    """All that a table can be set back to."""

    state: Any
    words: tuple[int, ...]  # of the random streams
    memories: list[Any]


class Table:
    """A match under way: the state, the streams of random numbers and what the agents have learned so far."""

    def __init__(self, game: Game, agents: Sequence[Agent], seed: int = 0, state: Any = None) -> None:
        self.game, self.agents, self.referee = game, agents, referee_of(game)
        if state is not None:
            admitted(game, state)
        self.state = game.new(seed) if state is None else game.copy(state)
        self.dice = stream(seed, "dice")
        self.streams = [stream(seed, "seat", seat) for seat in range(game.seats)]
        self.memories = [agent.memory(game, seat) for seat, agent in enumerate(agents)]

    @property
    def mover(self) -> int:
        """The seat to move, CHANCE or OVER."""
        return int(self.referee.mover(self.game, self.state))

    def acting(self) -> Sequence[int]:
        """The seats that choose a move now; none while the dice fall, or when the match is over."""
        mover = self.mover
        if mover in (CHANCE, OVER):
            return ()
        return tuple(map(int, self.game.acting(self.state))) if self.game.facts.simultaneous else (mover,)

    def turn(self, given: Mapping[int, int] | None = None) -> tuple[Turn, dict[int, Decision]]:
        """The next turn, not yet played, and the decisions behind it; seats in `given` make the move that stands
        there.
        """
        if self.mover == CHANCE:
            return ((CHANCE, rolled(self.game, self.state, self.dice)),), {}
        given = given or {}
        acting = self.acting()
        decisions = {
            seat: decided(self.game, self.agents[seat], self.state, seat, self.streams[seat], self.memories[seat])
            for seat in acting
            if seat not in given
        }
        return tuple((seat, given[seat] if seat in given else decisions[seat].move) for seat in acting), decisions

    def take(self, turn: Turn) -> None:
        """Let the agents learn from a turn, and play it."""
        tell(self.game, self.agents, self.memories, self.state, turn)
        self.referee.take(self.state, turn)

    def snapshot(self) -> Snapshot:
        words = tuple(int(rng.word) for rng in (self.dice, *self.streams))
        return Snapshot(self.game.copy(self.state), words, copy.deepcopy(self.memories))

    def set_back(self, past: Snapshot) -> None:
        """Be as at the time of the snapshot, which is used up; the dice will fall as they did."""
        self.state, self.memories = past.state, past.memories
        for rng, word in zip((self.dice, *self.streams), past.words, strict=True):
            rng.word = word


def play_match(
    game: Game,
    agents: Sequence[Agent],
    seed: int = 0,
    *,
    state: Any = None,
    limit: int = 10_000,
    watch: Watcher | None = None,
    keep_values: bool = False,
) -> Match:
    """Play from a start, or from a given state, to the end; all that is random follows from the seed."""
    if len(agents) != game.seats:
        raise BadParameter(f"expected {game.seats} agents for {game}, got {len(agents)}")
    table = Table(game, agents, seed, state)
    spent: list[list[Decision]] = [[] for _ in agents]
    turns: list[Turn] = []
    values: list[Values] = []
    with np.errstate(over="ignore"):
        while table.mover != OVER and len(turns) < limit:
            turn, decisions = table.turn()
            if watch:
                watch(table.state, turn, decisions)
            if keep_values:
                values.append(tuple(decisions[seat].values if seat in decisions else None for seat, _ in turn))
            for seat, decision in decisions.items():
                spent[seat].append(decision)
            table.take(turn)
            turns.append(turn)
        finished = table.mover == OVER
        payoffs = table.referee.payoffs(table.state) if finished else (0.0,) * game.seats
    if not all(map(math.isfinite, payoffs)):
        raise BadGame(f"{game} pays {' '.join(map(str, payoffs))}; payoffs must be finite numbers")
    return Match(
        seed, payoffs, tuple(turns), tuple(map(effort, spent)), finished, tuple(values) if keep_values else None
    )


def decided(game: Game, agent: Agent, state: Any, seat: int, rng: Any, memory: Any = None) -> Decision:
    """One seat's decision on a copy of the state; whatever goes wrong in it is that seat's fault."""
    referee = referee_of(game)
    try:
        agent.refuse_secrets(game)
        view = referee.view(state, seat)
        shown = game.copy(view)
        decision = agent.decide(game, shown, rng, PLAIN if memory is None else Ask(memory=memory))
        decision = storable(agent, decision, game.seats)
        if not referee.legal(view, seat, own_move(game, decision.move)):
            raise IllegalMove(
                f"{agent} played {decision.move}, which is no legal move in {game} at {game.notation(view)}"
            )
    except (KingmakerError, TooLong, KeyboardInterrupt) as fault:
        fault.seat = seat  # type: ignore[union-attr]
        raise
    except BaseException as fault:
        raise AgentFault(seat, f"{agent} on seat {seat} crashed: {told(fault)}") from fault
    return decision


def storable(agent: Agent, decision: Decision, seats: int) -> Decision:
    """The decision in Python's own numbers, which a store can keep; refuses what no store could."""
    values, spent = decision.values, (decision.nodes, decision.depth, decision.seconds)
    if values is not None and (len(values) != seats or not all(map(math.isfinite, values))):
        raise BadParameter(
            f"{agent} expects {' '.join(map(str, values))}; expected one finite number for each of {seats} seats"
        )
    if not (min(spent) >= 0 and max(spent) < MOST and math.isfinite(sum(spent))):
        raise BadParameter(
            f"{agent} tells of {spent[0]} nodes, depth {spent[1]} and {spent[2]} s; expected numbers from 0 to {MOST}"
        )
    if (type(decision.move), *map(type, spent)) == TYPES and (
        values is None or (type(values) is tuple and {*map(type, values)} == {float})
    ):
        return decision
    nodes, depth, seconds = int(spent[0]), int(spent[1]), float(spent[2])
    values = None if values is None else tuple(map(float, values))
    return replace(decision, move=int(index(decision.move)), values=values, nodes=nodes, depth=depth, seconds=seconds)


def told(fault: BaseException) -> str:
    """An exception in a few words, whatever it makes of itself."""
    try:
        said = str(fault)
    except Exception:
        said = "(no words)"
    return f"{type(fault).__name__}: {said}"


def seen_by(game: Game, state: Any, seat: int) -> Any:
    """The state with `seat` to move: itself, or in a simultaneous game a copy in which it moves first."""
    return referee_of(game).view(state, seat)


def tell(game: Game, agents: Sequence[Agent], memories: Sequence[Any], state: Any, turn: Turn) -> None:
    """Let every agent that learns know the moves of the others."""
    for seat, memory in enumerate(memories):
        for other, move in turn:
            if memory is not None and other not in (seat, CHANCE):
                agents[seat].observe(memory, game, game.copy(seen_by(game, state, other)), other, move)


def effort(decisions: list[Decision]) -> Effort:
    return Effort(
        len(decisions),
        sum(decision.nodes for decision in decisions),
        sum(decision.depth for decision in decisions),
        sum(decision.seconds for decision in decisions),
    )


__all__ = ["AgentFault", "Effort", "Match", "Table", "Turn", "decided", "play_match", "rolled", "take"]
