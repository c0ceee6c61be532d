"""Rewards: what a finished playout counts for each seat, from 0 to 1.

UCT weighs means against the number of visits, and that balance depends on the size of the rewards. So every reward lies
between 0 and 1; `shown` leads back to numbers that people know.
"""

import math

from kingmaker.core.errors import Mismatch, unknown
from kingmaker.core.kernel import Constant

REWARDS = ("score", "share", "rank")


class Score(Constant):
    """The payoff itself, or the estimate where a playout was cut, brought to 0 to 1 by the bounds of the facts."""

    def __init__(self, facts, seats):
        self.low, self.width = facts.low, facts.high - facts.low if facts.high > facts.low else 1.0
        # if one seat has the highest payoff, do all others have the lowest?
        self.takes_all = facts.constant_sum and facts.total == facts.high + (seats - 1) * facts.low
        self.constant, self.total = facts.constant_sum, facts.total

    def write(self, game, values, out):
        shift = 0.0
        if self.constant:
            shift = self.total
            for seat in range(game.seats):
                shift -= values[seat]
            shift /= game.seats
        for seat in range(game.seats):
            out[seat] = min(1.0, max(0.0, (values[seat] + shift - self.low) / self.width))

    def shown(self, rewards):
        return self.low + self.width * rewards


class Share(Constant):
    """The share of the win: 1 for the only winner, 1/k for each of k winners, 0 for all others."""

    takes_all = True

    def write(self, game, values, out):
        best, winners = values[0], 0
        for seat in range(game.seats):
            best = max(best, values[seat])
        for seat in range(game.seats):
            winners += 1 if values[seat] == best else 0
        for seat in range(game.seats):
            out[seat] = 1.0 / winners if values[seat] == best else 0.0

    def shown(self, rewards):
        return rewards


class Rank(Constant):
    """The share of the opponents that end below the seat; one that ends level counts half."""

    def __init__(self, seats):
        self.takes_all = seats <= 2

    def write(self, game, values, out):
        for seat in range(game.seats):
            out[seat] = 0.0 if game.seats > 1 else 1.0
            for other in range(game.seats):
                if other != seat and values[other] <= values[seat]:
                    out[seat] += (0.5 if values[other] == values[seat] else 1.0) / (game.seats - 1)

    def shown(self, rewards):
        return rewards


def reward_for(agent, game):
    """The reward that an agent's setting names."""
    if agent.reward not in REWARDS:
        raise unknown("reward", agent.reward, REWARDS, str(agent))
    if agent.reward == "share":
        return Share()
    if agent.reward == "rank":
        return Rank(game.seats)
    if not math.isfinite(game.facts.high - game.facts.low):
        raise Mismatch(
            f"the facts of {game} state no bounds of the payoffs, so {agent.name} cannot weigh scores; "
            "state low and high, or use reward='share' or reward='rank'"
        )
    return Score(game.facts, game.seats)
