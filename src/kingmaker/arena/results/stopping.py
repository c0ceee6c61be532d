"""Stop as soon as the answer is clear: a sequential test over blocks in the order of their numbers.

Rounds come back in any order, but are judged in the order of their numbers: a round counts when all rounds before it
are complete. So the test ends at the same round however many workers there are, and matches that were already played
beyond it are no part of the experiment.

Blocks are those of `tally.py`: all rounds from one start are one block; if there is only one start, every round is a
block, unless it is a copy of earlier matches.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from kingmaker.arena.experiment.declaration import Stop
from kingmaker.stats.sequential import Verdict, anytime, gsprt


@dataclass
class Round:
    """One match of every seating from one start: the tested agent's score, and how the matches went."""

    left: int  # matches that have not come back yet
    score: float = 0.0
    games: int = 0
    start: int = 0
    lines: dict[tuple[int, ...], Any] = field(default_factory=dict)  # by seating


class Stopping:
    """Where the test of one agent's mean block score stands."""

    def __init__(self, rule: Stop, agent: int, seats: int) -> None:
        self.rule, self.agent, self.seats = rule, agent, seats
        self.next = 0  # the first round that has not been judged
        self.early: dict[int, Round] = {}  # complete rounds that wait for a round before them
        # number of blocks, the sum of their mean scores, and the sum of the squares of these
        self.blocks, self.total, self.squares = 0, 0.0, 0.0
        self.start: int | None = None  # the only start so far
        self.sums = (0.0, 0)  # score and games of all rounds from the only start
        self.lucky = False  # rounds from the only start differ, so there is randomness
        self.lines: dict[tuple[int, ...], Any] = {}  # by seating: how the first match from the only start went
        self.copies: Counter[float] = Counter()  # mean scores of repeated rounds, which count only if rounds differ
        self.starts: dict[int, tuple[float, int]] = {}  # score and games by start, if there are several
        self.scores: list[float] | None = None  # mean scores of rounds from the only start; kept if set to a list
        self.verdict = self.judged()

    def add(self, number: int, round: Round) -> None:
        """Add a complete round; judge all rounds that are next in order."""
        self.early[number] = round
        while self.next in self.early and not self.decided:
            self.take(self.early.pop(self.next))
            self.next += 1

    def take(self, round: Round) -> None:
        """Judge the next round."""
        if not round.games:
            return
        if self.start is None:
            self.start = round.start
        if not self.starts and round.start != self.start:
            self.blocks, self.total, self.squares, self.copies = 0, 0.0, 0.0, Counter()
            self.merge(self.start, *self.sums)
        if self.starts:
            self.merge(round.start, round.score, round.games)
        else:
            self.sums = (self.sums[0] + round.score, self.sums[1] + round.games)
            mean = round.score / round.games
            if self.lucky or self.differs(round):
                for copy in self.copies.elements() if self.lucky else ():
                    self.put(copy)
                if self.lucky:
                    self.copies = Counter()
                self.put(mean)
            else:
                self.copies[mean] += 1
        self.verdict = self.judged()

    def merge(self, start: int, score: float, games: int) -> None:
        """Add to the block of a start."""
        before = self.starts.get(start, (0.0, 0))
        if before[1]:
            self.put(before[0] / before[1], -1)
        self.starts[start] = (before[0] + score, before[1] + games)
        self.put(self.starts[start][0] / self.starts[start][1])

    def put(self, mean: float, times: int = 1) -> None:
        """Count the mean score of a block, or take it back."""
        self.blocks, self.total, self.squares = (
            self.blocks + times,
            self.total + times * mean,
            self.squares + times * mean * mean,
        )
        if self.scores is not None and not self.starts:
            self.scores.append(mean)

    def differs(self, round: Round) -> bool:
        """Is there a match in the round that was not played before, or that went differently?"""
        before = [self.lines.get(seating) for seating in round.lines]
        self.lucky = any(old is not None and old != new for old, new in zip(before, round.lines.values(), strict=True))
        self.lines = round.lines | self.lines
        return self.lucky or any(old is None for old in before)

    def judged(self) -> Verdict:
        blocks, rule = self.blocks, self.rule
        mean = self.total / blocks if blocks else 0.0
        variance = max(0.0, self.squares / blocks - mean * mean) if blocks else 0.0
        counted = blocks if blocks >= rule.least else 0
        bounds = (rule.null, rule.alternative)
        return gsprt(
            mean, variance, counted, bounds, scale=rule.scale, seats=self.seats, alpha=rule.alpha, beta=rule.beta
        )

    @property
    def decided(self) -> bool:
        return self.verdict.answer != "open"

    def told(self) -> str:
        """The state of the sequential test in one sentence."""
        rule, verdict = self.rule, self.verdict
        answer = {
            "open": "open",
            "null": f"taken to be {rule.null:g}",
            "alternative": f"taken to be {rule.alternative:g}",
        }[verdict.answer]
        sentence = (
            f"sequential test of {rule.agent}, {rule.scale} {rule.null:g} or "
            f"{rule.alternative:g}: {answer} after {self.blocks} blocks "
            f"(log likelihood ratio {verdict.llr:+.2f}, bounds {verdict.low:+.2f} and {verdict.high:+.2f})"
        )
        scores = [score / games for score, games in self.starts.values()] or self.scores
        if scores:
            lows, highs = anytime(scores)
            sentence += (
                f"; its share is {self.total / self.blocks:.3f}, "
                f"95 % confidence sequence {lows[-1]:.3f} to {highs[-1]:.3f}, valid at any time of stopping"
            )
        return sentence
