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
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadParameter, CannotCompile, KingmakerError, unknown
from kingmaker.core.parameters import shown
from kingmaker.core.rng import RNG, draw, mix, stream
from kingmaker.core.secrets import luck, redealt, world_of
from kingmaker.core.wide_records import record
from kingmaker.search.maxn import Maxn
from kingmaker.search.parts.growing.poll import RULES, Poll

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
            raise BadParameter(f"expected 1 to {MOST_DEALS} deals, got {self.deals} in {self}")
        if not 1 <= self.threads <= 64:
            raise BadParameter(f"expected 1 to 64 threads, got {self.threads} in {self}")
        if self.seconds is not None and not 0 < self.seconds <= 10**9:
            raise BadParameter(f"expected more than 0 seconds for all deals, got {self.seconds} in {self}")
        if self.by not in RULES:
            raise unknown("rule", self.by, RULES, str(self))

    @property
    def watches(self):
        return True

    @property
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
        self.asked.prepare(game)

    def runs(self, game):
        return [self.asked]

    def choose(self, game, state, rng, ask):
        """Ask in every world and count."""
        started, own, seat = time.perf_counter(), luck(rng), int(game.mover(state))
        wishes = replace(ask, memory=None, watch=None, record=0, dealt=True)
        deals = self.deals if game.facts.hidden else 1
        agent, deal = self.asked, dealer(game, ask) if deals > 1 else redealt
        with np.errstate(over="ignore"):
            poll = Poll(game.legal(state), seat, int(draw(own)))
        streams = ((parted(own), parted(own)) for _ in range(deals))

        def decision(streams):
            return agent.decide(game, world_of(game, state, seat, streams[0], deal), streams[1], wishes)

        def in_time():
            """Would one more world end in time, if worlds take as long as those before?"""
            spent, before = time.perf_counter() - started, 1 if self.threads == 1 else 2  # it waits for another
            return self.seconds is None or spent + before * self.threads * spent / poll.deals <= self.seconds

        for decided in in_turn(decision, streams, self.threads, in_time):
            poll.count(decided)
            if ask.watch and not ask.watch(poll.progress(self.by, time.perf_counter() - started)):
                why = "asked"
                break
        else:
            why = "deals" if poll.deals == deals else "seconds"
        names = {move: game.say(state, seat, move) for move in poll.legal}
        return poll.decision(self.by, time.perf_counter() - started, why, self.threads, names)


def parted(rng):
    """A new stream for one deal or one search, made from one number of another."""
    made = record(RNG)
    with np.errstate(over="ignore"):
        made.word = mix(draw(rng))
    return made


def dealer(game, ask):
    """How worlds are dealt: by machine code where that is possible."""
    if ask.compiled is False or not game.compiles:
        return redealt
    try:
        return redealt.compiled.direct(game, game.new(0), 0, stream(0, "world"))
    except CannotCompile:
        return redealt


def in_turn(decision, streams, threads, more):
    """The decisions in the order of the deals, as long as `more` wants another; the first prepares what the threads
    share. A thread has the next deal waiting, so that none is idle while the first in turn takes long.
    """
    yield decision(next(streams))
    if threads == 1:
        for given in streams:
            if not more():
                return
            yield decision(given)
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            begun = deque()
            for given in streams:
                if not more():
                    break
                begun.append(pool.submit(decision, given))
                if len(begun) == 2 * threads:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
