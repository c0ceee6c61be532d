"""One match played out at a table, and what is known of it afterwards."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.arena.table.table import AgentFault, Table
from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadGame, BadParameter
from kingmaker.core.game import OVER, Game
from kingmaker.core.turn import Turn, take
from kingmaker.stats.places import best_seats

# called with the state before a turn, the turn, and the decisions of the seats
Watcher = Callable[[Any, Turn, dict[int, Decision]], None]
BOLD = ' style="font-weight:bold"'
Values = tuple[tuple[float, ...] | None, ...]  # the value vector of every decision of one turn


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

    def _repr_html_(self) -> str:
        """The result as a table for notebooks; the boards are drawn by `strip` in `kingmaker.draw.words`."""
        rows = "".join(
            f"<tr{BOLD if seat in self.winners else ''}><td>{seat}</td><td>{self.payoffs[seat]:g}</td>"
            f"<td>{spent.moves}</td><td>{spent.nodes}</td><td>{spent.seconds:.2f}</td></tr>"
            for seat, spent in enumerate(self.efforts)
        )
        ended = f"{len(self.turns)} turns" if self.finished else f"stopped after {len(self.turns)} turns"
        heads = "".join(f"<th>{head}</th>" for head in ("seat", "payoff", "moves", "nodes", "seconds"))
        return f"<table><caption>{ended}</caption><tr>{heads}</tr>{rows}</table>"


def play_match(
    game: Game,
    agents: Sequence[Agent],
    seed: int = 0,
    *,
    state: Any = None,
    luck: int | None = None,
    limit: int = 10_000,
    watch: Watcher | None = None,
    keep_values: bool = False,
) -> Match:
    """Play a match to the end, from the game's start or from a given state. All random numbers follow from the seed;
    those of the dice from `luck` if it is given.
    """
    if len(agents) != game.seats:
        raise BadParameter(f"expected {game.seats} agents for {game}, got {len(agents)}")
    table = Table(game, agents, seed, state, luck)
    spent: list[list[Decision]] = [[] for _ in agents]
    values: list[Values] = []
    with np.errstate(over="ignore"):
        while table.mover != OVER and len(table.turns) < limit:
            turn, decisions = table.turn()
            if watch:
                watch(table.state, turn, decisions)
            if keep_values:
                values.append(tuple(decisions[seat].values if seat in decisions else None for seat, _ in turn))
            for seat, decision in decisions.items():
                spent[seat].append(decision)
            table.take(turn)
        finished = table.mover == OVER
        payoffs = table.referee.payoffs(table.state) if finished else (0.0,) * game.seats
    if not all(map(math.isfinite, payoffs)):
        raise BadGame(f"{game} pays {' '.join(map(str, payoffs))}; payoffs must be finite numbers")
    return Match(
        seed, payoffs, tuple(table.turns), tuple(map(effort, spent)), finished, tuple(values) if keep_values else None
    )


def effort(decisions: list[Decision]) -> Effort:
    return Effort(
        len(decisions),
        sum(decision.nodes for decision in decisions),
        sum(decision.depth for decision in decisions),
        sum(decision.seconds for decision in decisions),
    )


__all__ = ["AgentFault", "Effort", "Match", "Turn", "play_match", "take"]
