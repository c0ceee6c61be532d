"""Opponent types: an estimate and a rule by which that type looks ahead.

A type is written `rule:estimate`. By the rule `paranoid` it believes that the searching seat maximises, and everybody
else minimises, the searching seat's entry of its estimate: with two seats plain minimax. By the rule `maxn` it believes
that everybody maximises its own entry. Without a rule it is paranoid where there are two seats and maxn where there are
more; the estimate `own` is the searcher's.
"""

import re

import numpy as np

from kingmaker.core.errors import BadParameter, unknown
from kingmaker.core.kernel import Constant
from kingmaker.core.rounding import rounding_for
from kingmaker.search.parts.machinery.leaf import end, guess

RULES = ("paranoid", "maxn")
OWN = "own"
AFRESH, COPY_OWN = -2, -1  # where a type's leaf values come from, if not from the row of an earlier type


class NoMore(Constant):
    """The end of the chain of types."""

    def look(self, game, state, over, own, out):
        return


class Type(Constant):
    """One type and, behind it, the next: a chain, for compiled code cannot pick a type by a number."""

    def __init__(self, row, estimate, source, rest):
        self.row, self.estimate, self.source, self.rest = row, estimate, source, rest

    def look(self, game, state, over, own, out):
        """Write what each type thinks of a leaf, out[type, seat]; an estimate that several share is asked once."""
        if self.source == AFRESH:
            if over:
                end(game, self.estimate, state, out[self.row])
            else:
                guess(game, self.estimate, state, out[self.row])
        for seat in range(game.seats):
            if self.source == COPY_OWN:
                out[self.row, seat] = own[seat]
            elif self.source >= 0:
                out[self.row, seat] = out[self.source, seat]
        self.rest.look(game, state, over, own, out)


class Types(Constant):
    """All types of the opponents."""

    def __init__(self, game, own, texts, agent):
        parts = [split(text, game, agent) for text in texts]
        estimates = [own if name in (OWN, agent.estimate) else game.estimate(name) for _, name in parts]
        self.rounding = rounding_for(game, own, *estimates)
        self.paranoid = np.array([rule == "paranoid" for rule, _ in parts])
        sources = []
        for row, (_, name) in enumerate(parts):
            alike = (k for k in range(row) if estimates[k] is estimates[row] or parts[k][1] == name)
            sources.append(COPY_OWN if estimates[row] is own else next(alike, AFRESH))
        self.asked = 1 + sources.count(AFRESH)  # estimates at a leaf, the searcher's among them
        self.chain = NoMore()
        for row in reversed(range(len(estimates))):
            self.chain = Type(row, estimates[row], sources[row], self.chain)

    def fields(self, game, plies):
        kinds = len(self.paranoid)
        return [
            ("looks", np.float64, (plies, kinds, game.seats)),  # the vector that each type's own look-ahead comes to
            ("bounds", np.float64, (plies, kinds)),  # the least value that each type has already found above
            ("cuts", np.int64, ()),
        ]


def split(text, game, agent):
    """The rule and the name of the estimate in a type's text."""
    rule, name = re.fullmatch(r"\s*(?:(\w+)\s*:)?\s*(.*?)\s*", text, re.DOTALL).groups()
    rule = rule or ("paranoid" if game.seats == 2 else "maxn")
    if rule not in RULES:
        raise unknown("rule", rule, RULES, str(agent))
    if not name:
        raise BadParameter(f"expected an estimate in the type '{text}' of {agent}; '{OWN}' is the searcher's")
    return rule, name
