"""One match, played out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.arena.deadline import TooLong
from kingmaker.arena.rules import Turn, rules_of, take
from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadParameter, IllegalMove, KingmakerError
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.rng import stream, unit

Watcher = Callable[[Any, Turn, dict[int, Decision]], None]  # state before the turn, the turn, the decisions of the seats
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


def best_seats(payoffs: Sequence[float]) -> tuple[int, ...]:
    best = max(payoffs)
    return tuple(seat for seat, payoff in enumerate(payoffs) if payoff == best)


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
    rules = rules_of(game)
    state = game.new(seed) if state is None else game.copy(state)
    dice = stream(seed, "dice")
    streams = [stream(seed, "seat", seat) for seat in range(game.seats)]
    memories = [agent.memory(game, seat) for seat, agent in enumerate(agents)]
    spent: list[list[Decision]] = [[] for _ in agents]
    turns: list[Turn] = []
    values: list[Values] = []
    with np.errstate(over="ignore"):
        while (mover := rules.mover(game, state)) != OVER and len(turns) < limit:
            decisions = {}
            if mover == CHANCE:
                turn: Turn = ((CHANCE, rolled(game, state, dice)),)
            else:
                acting = game.acting(state) if game.facts.simultaneous else (int(mover),)
                decisions = {seat: decided(game, agents[seat], state, seat, streams[seat], memories[seat]) for seat in acting}
                turn = tuple((seat, decision.move) for seat, decision in decisions.items())
            if watch:
                watch(state, turn, decisions)
            if keep_values:
                values.append(tuple(decisions[seat].values if seat in decisions else None for seat, _ in turn))
            for seat, decision in decisions.items():
                spent[seat].append(decision)
            tell(game, agents, memories, state, turn)
            rules.take(state, turn)
            turns.append(turn)
        finished = rules.mover(game, state) == OVER
        payoffs = rules.payoffs(state) if finished else (0.0,) * game.seats
    return Match(seed, payoffs, tuple(turns), tuple(map(effort, spent)), finished, tuple(values) if keep_values else None)


def decided(game: Game, agent: Agent, state: Any, seat: int, rng: Any, memory: Any = None) -> Decision:
    """One seat's decision; whatever goes wrong in it is that seat's fault."""
    rules = rules_of(game)
    try:
        view = rules.view(state, seat)
        decision = agent.decide(game, view, rng) if memory is None else agent.decide(game, view, rng, memory)
        if not rules.legal(view, seat, decision.move):
            raise IllegalMove(f"{agent} played {decision.move}, which is no legal move in {game} at {game.notation(view)}")
    except (KingmakerError, TooLong) as fault:
        fault.seat = seat  # type: ignore[union-attr]
        raise
    except Exception as fault:
        raise AgentFault(seat, f"{agent} on seat {seat} crashed: {type(fault).__name__}: {fault}") from fault
    return decision


def seen_by(game: Game, state: Any, seat: int) -> Any:
    """The state with `seat` to move: itself, or in a simultaneous game a copy in which it moves first."""
    return rules_of(game).view(state, seat)


def tell(game: Game, agents: Sequence[Agent], memories: Sequence[Any], state: Any, turn: Turn) -> None:
    """Let every agent that learns know the moves of the others."""
    for seat, memory in enumerate(memories):
        for other, move in turn:
            if memory is not None and other not in (seat, CHANCE):
                agents[seat].observe(memory, game, seen_by(game, state, other), other, move)


def rolled(game: Game, state: Any, rng: Any) -> int:
    """An outcome of the dice."""
    left = unit(rng)
    chances = game.chances(state)
    for outcome, odds in chances:
        left -= odds
        if left < 0:
            return outcome
    return chances[-1][0]


def effort(decisions: list[Decision]) -> Effort:
    return Effort(
        len(decisions),
        sum(decision.nodes for decision in decisions),
        sum(decision.depth for decision in decisions),
        sum(decision.seconds for decision in decisions),
    )


__all__ = ["AgentFault", "Effort", "Match", "Turn", "best_seats", "decided", "play_match", "rolled", "take"]
