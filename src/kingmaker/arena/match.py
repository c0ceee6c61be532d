"""One match, played out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadParameter, IllegalMove
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.rng import stream, unit

Turn = tuple[tuple[int, int], ...]  # the (seat, move) pairs of one turn: one pair, or several that happen at once
Watcher = Callable[[Any, Turn, dict[int, Decision]], None]  # state before the turn, the turn, the decisions of the seats


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

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest payoff."""
        best = max(self.payoffs)
        return tuple(seat for seat, payoff in enumerate(self.payoffs) if payoff == best)


def play_match(
    game: Game, agents: Sequence[Agent], seed: int = 0, *, state: Any = None, limit: int = 10_000, watch: Watcher | None = None
) -> Match:
    """Play from a start, or from a given state, to the end; all that is random follows from the seed."""
    if len(agents) != game.seats:
        raise BadParameter(f"expected {game.seats} agents for {game}, got {len(agents)}")
    state = game.new(seed) if state is None else game.copy(state)
    dice = stream(seed, "dice")
    streams = [stream(seed, "seat", seat) for seat in range(game.seats)]
    memories = [agent.memory(game, seat) for seat, agent in enumerate(agents)]
    spent: list[list[Decision]] = [[] for _ in agents]
    turns: list[Turn] = []
    with np.errstate(over="ignore"):
        while game.mover(state) != OVER and len(turns) < limit:
            decisions = {}
            if game.mover(state) == CHANCE:
                turn: Turn = ((CHANCE, rolled(game, state, dice)),)
            else:
                decisions = {seat: decided(game, agents[seat], state, seat, streams[seat], memories[seat]) for seat in game.acting(state)}
                turn = tuple((seat, decision.move) for seat, decision in decisions.items())
            if watch:
                watch(state, turn, decisions)
            for seat, decision in decisions.items():
                spent[seat].append(decision)
            tell(game, agents, memories, state, turn)
            take(game, state, turn)
            turns.append(turn)
        finished = game.mover(state) == OVER
        payoffs = game.payoffs(state) if finished else (0.0,) * game.seats
    return Match(seed, payoffs, tuple(turns), tuple(map(effort, spent)), finished)


def decided(game: Game, agent: Agent, state: Any, seat: int, rng: Any, memory: Any = None) -> Decision:
    """One seat's decision; in a simultaneous game from a copy in which it moves first."""
    view = seen_by(game, state, seat)
    decision = agent.decide(game, view, rng) if memory is None else agent.decide(game, view, rng, memory)
    if decision.move not in game.legal(view, seat):
        raise IllegalMove(f"{agent} played {decision.move}, which is no legal move in {game} at {game.notation(view)}")
    return decision


def seen_by(game: Game, state: Any, seat: int) -> Any:
    """The state with `seat` to move: itself, or in a simultaneous game a copy in which it moves first."""
    if not game.facts.simultaneous:
        return state
    view = game.copy(state)
    game.turn_to(view, seat)
    return view


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


def take(game: Game, state: Any, turn: Turn) -> None:
    """Play a turn on the state."""
    if game.facts.simultaneous and turn[0][0] != CHANCE:
        joint = np.full(game.seats, -1, np.int32)
        for seat, move in turn:
            joint[seat] = move
        game.step(state, joint)
    else:
        ((seat, move),) = turn
        game.play(state, seat, move)


def effort(decisions: list[Decision]) -> Effort:
    return Effort(
        len(decisions),
        sum(decision.nodes for decision in decisions),
        sum(decision.depth for decision in decisions),
        sum(decision.seconds for decision in decisions),
    )
