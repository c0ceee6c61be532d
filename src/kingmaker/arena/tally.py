"""Counting what the agents reached."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kingmaker.arena.match import Match
from kingmaker.stats.intervals import wilson


@dataclass
class Row:
    """One agent's record."""

    agent: str
    games: int = 0  # seats it sat on
    wins: int = 0  # sole best
    shared: int = 0  # best together with others
    points: float = 0.0  # sum of payoffs
    moves: int = 0
    nodes: int = 0
    depths: int = 0
    seconds: float = 0.0

    @property
    def win_interval(self) -> tuple[float, float]:
        return wilson(self.wins, self.games)

    def rate(self, amount: float) -> float:
        """Per game."""
        return amount / self.games if self.games else 0.0

    def per_move(self, amount: float) -> float:
        return amount / self.moves if self.moves else 0.0


@dataclass
class Tally:
    """The records of all agents in a row of matches."""

    agents: Sequence[str]
    matches: int = 0
    unfinished: int = 0
    rows: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = [Row(agent) for agent in self.agents]

    def add(self, seating: Sequence[int], match: Match) -> None:
        """Count one match; seating[seat] is the agent's number."""
        self.matches += 1
        self.unfinished += not match.finished
        winners = match.winners if match.finished else ()
        for seat, number in enumerate(seating):
            row, effort = self.rows[number], match.efforts[seat]
            row.games += 1
            row.wins += winners == (seat,)
            row.shared += seat in winners and len(winners) > 1
            row.points += match.payoffs[seat]
            row.moves += effort.moves
            row.nodes += effort.nodes
            row.depths += effort.depths
            row.seconds += effort.seconds
