"""Why the rest of a node was cut, and which moves tie, read from the recorded tree.

A record has the values in the order of the search, so what was held above a node when it was cut can be read from the
children that the nodes above it had already searched. A bound is told only if the node's own value reaches it; where
none does, as at dice that were cut by Star1 or Star2, the node is told to be cut and no more.
"""

import math
from collections.abc import Sequence
from typing import Any

PACTS = ("alpha_beta", "best_reply", "best_reply_plus", "minimax", "paranoid", "pvs")  # one number is backed up
SELFISH = ("backward_induction", "max_prob", "maxn", "prob_maxn", "soft_maxn")  # each seat goes by its own number
CLOSE = 1e-9


class Reading:
    """What a recorded tree tells beside its values."""

    def __init__(self, game: Any, agent: str, nodes: Any, below: dict[int, list[int]]) -> None:
        self.facts, self.seats, self.agent, self.below = game.facts, game.seats, agent, below
        self.parents, self.movers = nodes["parent"].tolist(), nodes["seat"].tolist()
        self.makers, self.values = nodes["by"].tolist(), nodes["values"].tolist()
        self.cut = nodes["cut"].astype(bool).tolist()
        self.me = self.movers[0]
        self.bounded = list(self.cut)  # rows whose value may be a bound, because something at or below them was cut
        for row in range(len(self.parents) - 1, 0, -1):
            if self.bounded[row]:
                self.bounded[self.parents[row]] = True

    def ties(self, row: int) -> list[int]:
        """The children that are as good as the best for who decides here, if there are several; only children whose
        values are exact are counted.
        """
        seat, children = self.movers[row], self.below.get(row, [])
        if seat < 0 or self.agent not in (*PACTS, *SELFISH) or any(self.bounded[child] for child in children):
            return []
        key, worst = (self.me, seat != self.me) if self.agent in PACTS else (seat, False)
        worth = {child: self.values[child][key] for child in children}
        best = (min if worst else max)(worth.values(), default=0.0)
        found = [child for child, value in worth.items() if abs(value - best) <= CLOSE * max(1.0, abs(best))]
        return found if len(found) > 1 else []

    def bound(self, row: int) -> tuple[str, str]:
        """The bound that cut the rest of a row: as a sign and as a sentence; both are empty where none is known."""
        if not self.cut[row] or not self.below.get(row):
            return "", ""
        if self.agent in PACTS:
            return self.window(row)
        return self.sums(row) if self.agent == "maxn" else ("", "")

    def held(self, row: int, above: int, seat: int, best: Any = max) -> float | None:
        """What `above` had found for a seat before it came to its child `row`."""
        earlier = [self.values[child][seat] for child in self.below[above] if child < row]
        return best(earlier) if earlier else None

    def window(self, row: int) -> tuple[str, str]:
        """Alpha or beta: the root seat's side cuts at what the others hold above, the others at what it holds."""
        mine = self.makers[self.below[row][0]] == self.me
        child, found = row, []
        while self.parents[child] >= 0 and self.movers[self.parents[child]] >= 0:  # dice have windows of their own
            above = self.parents[child]
            if (self.makers[child] == self.me) != mine:
                found.append(self.held(child, above, self.me, min if mine else max))
            child = above
        known = [each for each in found if each is not None]
        if not known:
            return "", ""
        bound, value = (min if mine else max)(known), self.values[row][self.me]
        if (value < bound if mine else value > bound) and not math.isclose(value, bound):
            return "", ""
        sign = f"{'≥' if mine else '≤'} {bound:.4g}"
        who = "the others hold seat" if mine else "seat"
        has = f"{self.me} down to {bound:.4g}" if mine else f"{self.me} has {bound:.4g}"
        return sign, f"{who} {has} already, and {value:.4g} here is {'no less' if mine else 'no more'}"

    def sums(self, row: int) -> tuple[str, str]:
        """MaxN: who moves here holds all that there is, or holds it together with the movers above."""
        seat = self.movers[row]
        value, total = self.values[row][seat], self.facts.total
        if value >= self.facts.high:
            return f"= {value:.4g}", f"seat {seat} has {value:.4g} here, the most that there is"
        child, among, holding = row, [seat], [value]
        while self.parents[child] >= 0:
            above = self.parents[child]
            mover = self.movers[above]
            has = self.held(child, above, mover) if mover >= 0 else None
            if has is None or mover in among:
                return "", ""
            among.append(mover)
            holding.append(has)
            if sum(holding) >= total - (self.seats - len(among)) * self.facts.low - CLOSE:
                return told_sum(among, holding, total)
            child = above
        return "", ""


def told_sum(seats: Sequence[int], holding: Sequence[float], total: float) -> tuple[str, str]:
    parts = " + ".join(f"{value:.4g}" for value in holding)
    names = " and ".join(map(str, seats))
    return f"{parts} ≥ {total:.4g}", f"seats {names} hold {parts} already, and all together get at most {total:.4g}"
