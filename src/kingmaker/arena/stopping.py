"""Stop as soon as the answer is clear: a sequential test over blocks in the order of their numbers.

Blocks come back in any order, but are judged in one: a block counts when all before it have come. So the test ends at the same block
however many workers there are, and what was already played beyond it is no part of the experiment.
"""

import numpy as np

from kingmaker.arena.experiment import Stop
from kingmaker.stats.sequential import Verdict, anytime, gsprt


class Stopping:
    """Where the test of one agent's mean block score stands."""

    def __init__(self, rule: Stop, agent: int, seats: int) -> None:
        self.rule, self.agent, self.seats = rule, agent, seats
        self.next = 0  # the first block that has not been judged
        self.early: dict[int, float | None] = {}  # blocks that came before their turn
        self.blocks, self.total, self.squares = 0, 0.0, 0.0  # of those judged in which the agent played
        self.scores: list[float] | None = None  # each of them, if somebody sets this to a list
        self.verdict = self.judged()

    def add(self, block: int, scores: np.ndarray, games: np.ndarray) -> None:
        """A block is complete; scores and games are those of every agent."""
        played = games[self.agent] > 0
        self.early[block] = float(scores[self.agent] / games[self.agent]) if played else None
        while self.next in self.early and not self.decided:
            score = self.early.pop(self.next)
            self.next += 1
            if score is not None:
                self.count(score)

    def count(self, score: float) -> None:
        self.blocks, self.total, self.squares = self.blocks + 1, self.total + score, self.squares + score * score
        self.verdict = self.judged()
        if self.scores is not None:
            self.scores.append(score)

    def judged(self) -> Verdict:
        blocks, rule = self.blocks, self.rule
        mean = self.total / blocks if blocks else 0.0
        variance = max(0.0, self.squares / blocks - mean * mean) if blocks else 0.0
        counted = blocks if blocks >= rule.least else 0
        bounds = (rule.null, rule.alternative)
        return gsprt(mean, variance, counted, bounds, scale=rule.scale, seats=self.seats, alpha=rule.alpha, beta=rule.beta)

    @property
    def decided(self) -> bool:
        return self.verdict.answer != "open"

    def told(self) -> str:
        """The state of the test in one sentence."""
        rule, verdict = self.rule, self.verdict
        answer = {"open": "open", "null": f"taken to be {rule.null:g}", "alternative": f"taken to be {rule.alternative:g}"}[verdict.answer]
        sentence = (
            f"sequential test of {rule.agent}, {rule.scale} {rule.null:g} or {rule.alternative:g}: {answer} after {self.blocks} blocks "
            f"(log likelihood ratio {verdict.llr:+.2f}, bounds {verdict.low:+.2f} and {verdict.high:+.2f})"
        )
        if self.scores:
            lows, highs = anytime(self.scores)
            sentence += f"; its share is {self.total / self.blocks:.3f}, {lows[-1]:.3f} to {highs[-1]:.3f} whenever one stops"
        return sentence
