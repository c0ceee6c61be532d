"""PIMC: deal what is hidden again and again, search each world as if it were true, and take the move chosen most often.

Perfect-information Monte Carlo makes a player of hidden games out of any search. In every world the search sees all
cards, so it believes that it will know later what it does not know now (strategy fusion), and that the others know it
too (non-locality). Where these faults matter little, as in many trick games, it is hard to beat.

    M. Ginsberg. GIB: Imperfect Information in a Computationally Challenging Game. JAIR 14, 2001.
    I. Frank, D. Basin. Search in Games with Incomplete Information. Artificial Intelligence 100, 1998.
    J. Long, N. Sturtevant, M. Buro, T. Furtak. Understanding the Success of Perfect Information Monte Carlo Sampling in
    Game Tree Search. AAAI 2010.

In a game without hidden information there is one world, which is searched once.
"""

import time
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.ask import PLAIN
from kingmaker.core.errors import BadParameter, KingmakerError, unknown
from kingmaker.core.parameters import shown
from kingmaker.core.rng import GAMMA, draw, mix
from kingmaker.core.secrets import luck
from kingmaker.search.maxn import Maxn
from kingmaker.search.parts.growing.many_worlds import search_worlds
from kingmaker.search.parts.growing.pace import Pace, in_turn
from kingmaker.search.parts.growing.poll import RULES, Poll
from kingmaker.search.parts.growing.worlds import worlds_for

MOST_DEALS, SHALLOW = 1_000_000, Maxn(depth=4)


@dataclass(frozen=True)
class Pimc(Agent):
    """An agent that is asked in many worlds; the move with the most votes is played."""

    agent: Agent = SHALLOW  # who is asked in every world
    deals: int = 40  # worlds to search
    by: str = "vote"  # vote: the move chosen most often; mean: the best mean value
    threads: int = 1  # search so many worlds side by side
    seconds: float | None = None  # begin no world that would end after so long, by the mean of those before

    def __post_init__(self):
        super().__post_init__()
        if not isinstance(self.agent, Agent):
            raise BadParameter(f"expected an agent to be asked, got {shown(self.agent)}; write pimc(maxn(depth=4))")
        if not 1 <= self.deals <= MOST_DEALS:
            raise BadParameter(
                f"expected 1 to {MOST_DEALS} deals, got {self.deals} in {self}; use deals=1 to search a single world"
            )
        if not 1 <= self.threads <= 64:
            raise BadParameter(f"expected 1 to 64 threads, got {self.threads} in {self}; use threads=1 for none")
        if self.seconds is not None and not 0 < self.seconds <= 10**9:
            raise BadParameter(
                f"expected more than 0 seconds for all deals, got {self.seconds} in {self}; leave them out for no limit"
            )
        if self.by not in RULES:
            raise unknown("rule", self.by, RULES, str(self))

    @property
    def watches(self):
        return True

    @cached_property
    def asked(self):
        """The agent as it is asked: it may take a world for the truth, and for means it must not prune at the root."""
        settings = self.agent.settings
        wanted = {"one_world": True} if "one_world" in settings else {}
        if self.by == "mean" and settings.get("prune") is True:
            wanted["prune"] = False
        return self.agent.changed(**wanted) if wanted else self.agent

    def check(self, game):
        try:
            self.asked.fit(game)
        except KingmakerError as fault:
            raise type(fault)(f"pimc cannot ask {self.agent}: {fault}") from None

    def meet(self, game, ask):
        super().meet(game, ask)
        try:
            self.asked.meet(game, replace(ask, memory=None))
        except KingmakerError as fault:
            raise type(fault)(f"pimc cannot ask {self.agent}: {fault}") from None

    def prepare(self, game):
        self.fit(game)
        state, deals = game.new(0), self.deals if game.facts.hidden else 1
        worlds_for(self.asked, game, state, [0], np.zeros((deals, 2), np.uint64), PLAIN).prepare()

    def runs(self, game):
        return [self.asked, search_worlds]

    def choose(self, game, state, rng, ask):
        """Ask in every world and count."""
        own, seat, legal = luck(rng), int(game.mover(state)), game.legal(state)
        with np.errstate(over="ignore"):
            poll = Poll(legal, game.seats, seat, int(draw(own)))
            words = parted(own, self.deals if game.facts.hidden else 1)
        wishes = replace(ask, memory=None, watch=None, record=0, dealt=True)
        worlds = worlds_for(self.asked, game, state, legal, words, wishes)
        if self.threads > 1 or self.seconds is not None:
            worlds.prepare()
        making, started, why = worlds.making, time.perf_counter(), ""
        for said in in_turn(worlds, Pace(len(words), worlds.together, self.threads, self.seconds)):
            poll.count(said)
            if ask.watch and not ask.watch(poll.progress(self.by, time.perf_counter() - started)):
                why = "asked"
                break
        why = why or ("deals" if poll.deals == len(words) else "seconds")
        names = {move: game.say(state, seat, move) for move in legal}
        seconds = time.perf_counter() - started - (worlds.making - making)
        return poll.decision(self.by, seconds, why, self.threads, names)


def parted(rng, deals):
    """[deal, 2]: the first words of two new streams for every deal, each made from one number of another stream."""
    drawn = rng.word + GAMMA * np.arange(1, 2 * deals + 1, dtype=np.uint64)
    return mix(mix(drawn)).reshape(deals, 2)
