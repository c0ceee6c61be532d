"""Why the rest of a node was cut, and which moves tie, told from the recorded tree.

A search with a window of one number records the bound that cut a node. Who holds that bound is read from the children
that the nodes above it had searched before; where nobody does, the bound comes from the window of dice above the node
or from one of principal-variation search. MaxN records no bound: what the movers held is read in the same way.
"""

import math
from collections.abc import Sequence
from typing import Any

PACTS = ("alpha_beta", "best_reply", "best_reply_plus", "minimax", "multi_minimax", "paranoid", "pvs")
SELFISH = ("backward_induction", "max_prob", "maxn", "prob_maxn", "soft_maxn")  # each seat goes by its own number
CLOSE = 1e-9
UNKNOWN = "the record does not tell by which bound"


def equal(one: float, other: float) -> bool:
    """Are two values the same, up to the rounding that a search allows for?"""
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)


class Reading:
    """What a recorded tree tells beside its values. In searches of the list PACTS the root seat plays against one side
    of others, and one number is backed up.
    """

    def __init__(self, game: Any, agent: Any, nodes: Any, below: dict[int, list[int]]) -> None:
        self.facts, self.seats, self.below = game.facts, game.seats, below
        self.agent, self.settings = agent.name, agent.settings
        self.parents, self.movers = nodes["parent"].tolist(), nodes["seat"].tolist()
        self.makers, self.values = nodes["by"].tolist(), nodes["values"].tolist()
        self.cut, self.bounds = nodes["cut"].astype(bool).tolist(), nodes["bound"].tolist()
        self.me = self.movers[0]
        self.star = int(self.settings.get("star") or 0)
        # with a table or Star2 a value may be a bound that was found elsewhere
        self.remembers = bool(self.settings.get("table")) or self.star > 1
        self.bounded = list(self.cut)  # rows whose value may be a bound, because something at or below them was cut
        for row in range(len(self.parents) - 1, 0, -1):
            if self.bounded[row]:
                self.bounded[self.parents[row]] = True

    def ties(self, row: int) -> list[int]:
        """The children that are as good as the best for who decides here, if there are several; only children whose
        values are exact are counted.
        """
        seat, children = self.movers[row], self.below.get(row, [])
        if seat < 0 or self.agent not in (*PACTS, *SELFISH) or self.remembers:
            return []
        if any(self.bounded[child] for child in children):
            return []
        key, worst = (self.me, not self.mine(row)) if self.agent in PACTS else (seat, False)
        worth = {child: self.values[child][key] for child in children}
        best = (min if worst else max)(worth.values(), default=0.0)
        found = [child for child, value in worth.items() if abs(value - best) <= CLOSE * max(1.0, abs(best))]
        return found if len(found) > 1 else []

    def mine(self, row: int) -> bool:
        """Does the root seat move at a row that was searched? In some searches others move out of turn."""
        return any(self.makers[child] == self.me for child in self.below.get(row, ())[:1])

    def bound(self, row: int) -> tuple[str, str]:
        """The bound that cut the rest of a row: as a sign, empty where none is known, and as a sentence."""
        if not self.cut[row]:
            return "", ""
        if self.agent == "maxn":
            return self.sums(row) if self.below.get(row) else ("", UNKNOWN)
        bound = self.bounds[row]
        if self.agent in PACTS and not math.isnan(bound):
            return self.window(row, bound)
        if self.agent not in ("om", "prom"):
            return "", UNKNOWN
        if math.isnan(bound):
            return "", f"every type that the opponent may be has a move that is worse for seat {self.me} already"
        told = f"by its own estimate the opponent holds seat {self.me} down to {bound:.4g} already, which is less"
        return f"> {bound:.4g}", told

    def held(self, row: int, above: int, seat: int, best: Any = max) -> float | None:
        """What `above` had found for a seat before it came to its child `row`."""
        earlier = [self.values[child][seat] for child in self.below[above] if child < row]
        return best(earlier) if earlier else None

    def holding(self, row: int, high: bool) -> float | None:
        """What the others (if `high`) or the root seat hold at the nodes above a row, up to the next dice."""
        child, found = row, list[float | None]()
        while self.parents[child] >= 0 and self.movers[self.parents[child]] >= 0:
            above = self.parents[child]
            if self.mine(above) != high:
                found.append(self.held(child, above, self.me, min if high else max))
            child = above
        known = [each for each in found if each is not None]
        return (min if high else max)(known) if known else None

    def window(self, row: int, bound: float) -> tuple[str, str]:
        """Alpha or beta: the root seat's side is cut at what the others hold above, the others at what it holds."""
        value = self.values[row][self.me]
        exactly = value == bound and self.movers[row] < 0  # dice may be cut at either end
        for high in (False, True) if exactly else (value > bound or (value == bound and self.mine(row)),):
            sign, no = ("≥", "no less") if high else ("≤", "no more")
            held = self.holding(row, high)
            if held is not None and equal(held, bound):
                who = f"the others hold seat {self.me} down to" if high else f"seat {self.me} has"
                return f"{sign} {bound:.4g}", f"{who} {bound:.4g} already, and {value:.4g} here is {no}"
        if exactly:
            return f"= {bound:.4g}", f"{value:.4g} here is an end of {self.frame(row)}"
        end = "high" if high else "low"
        return f"{sign} {bound:.4g}", f"{value:.4g} here is {no} than {bound:.4g}, the {end} end of {self.frame(row)}"

    def frame(self, row: int) -> str:
        """The window whose end is a bound that nobody holds."""
        if self.star and self.below_dice(row):
            return f"the window that Star{self.star} leaves below the dice"
        if self.agent == "pvs":
            return "the narrow window in which it is only compared"
        return "its window"

    def below_dice(self, row: int) -> bool:
        while row > 0:
            row = self.parents[row]
            if self.movers[row] < 0:
                return True
        return False

    def sums(self, row: int) -> tuple[str, str]:
        """MaxN: who moves here holds all that there is, or holds it together with the movers above."""
        seat = self.movers[row]
        value, total = self.values[row][seat], self.facts.total
        if "immediate" in str(self.settings.get("prune")) and value >= self.facts.high:
            return f"= {value:.4g}", f"seat {seat} has {value:.4g} here, the most that there is"
        if "speculative" in str(self.settings.get("prune")):  # what was passed over is recorded, but not held
            return "", f"seat {seat} has {value:.4g} here, and with what the seats above hold that is all that there is"
        child, among, holding = row, [seat], [value]
        while self.parents[child] >= 0:
            above = self.parents[child]
            mover = self.movers[above]
            has = self.held(child, above, mover) if mover >= 0 else None
            if has is None or mover in among:
                break
            among.append(mover)
            holding.append(has)
            if sum(holding) >= total - (self.seats - len(among)) * self.facts.low - CLOSE:
                return told_sum(among, holding, total)
            child = above
        return "", UNKNOWN


def told_sum(seats: Sequence[int], holding: Sequence[float], total: float) -> tuple[str, str]:
    parts = " + ".join(f"{value:.4g}" for value in holding)
    names = " and ".join(map(str, seats))
    return f"{parts} ≥ {total:.4g}", f"seats {names} hold {parts} already, and all together get at most {total:.4g}"
