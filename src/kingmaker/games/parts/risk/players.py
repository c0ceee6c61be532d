"""Players of Risk alone: three scripts, and a search over plans.

`angry`, `yakool` and `evil_pixie` are stand-ins for the players of the same names in Lux, written from a description of
what those do. `plans` lets any search choose among plans and carries the plan out with real dice, order by order.
"""

import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision, RootMove
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.kernel import Kernel, kernel
from kingmaker.core.legal_moves import room
from kingmaker.core.notation import parameters_of
from kingmaker.core.rng import stream
from kingmaker.core.wide_records import record
from kingmaker.games.parts.risk import pixie, scripts, yakool
from kingmaker.games.parts.risk.orders import ALL, END, MARCH, NONE, OCCUPY, PLACE, STOP, STORM, order
from kingmaker.games.parts.risk.paths import length_of, next_on, source_of
from kingmaker.games.parts.risk.plans import RiskPlans
from kingmaker.games.risk import DEPLOYING, FORTIFYING, OCCUPYING, PLACING, TRADING, Risk


class Player(Agent):
    """An agent that plays Risk and nothing else."""

    def check(self, game):
        if type(game) is not Risk:
            raise Mismatch(f"{self.name} plays risk alone, got {game}; use random, or a search")

    def meet(self, game, ask):
        self.check(game)


@dataclass(frozen=True, kw_only=True)
class Scripted(Player):
    """A player that follows a script."""

    script: ClassVar[Kernel]

    def memory(self, game, seat):
        self.check(game)
        return record(scripts.NOTES)

    def prepare(self, game):
        self.fit(game)
        compiled_script(self.script, game)

    def runs(self, game):
        return [self.script]

    def choose(self, game, state, rng, ask):
        started = time.perf_counter()
        if state.phase == TRADING:
            return decided(game.legal(state)[0], started, "script")
        notes = record(scripts.NOTES) if ask.memory is None else ask.memory
        compiled = game.compiles if ask.compiled is None else ask.compiled
        run = compiled_script(self.script, game) if compiled else self.script
        with np.errstate(over="ignore"):
            move = int(run(game, state, notes, rng))
        return decided(move, started, "script")


@lru_cache(maxsize=64)
def compiled_script(script, game):
    """A script as machine code for a game."""
    return script.compiled.direct(game, game.new(), record(scripts.NOTES), stream(0, "script"))


def decided(move, started, why):
    """A decision without values."""
    return Decision(move, None, (RootMove(move, None, False),), (move,), 0, 0, time.perf_counter() - started, why)


@dataclass(frozen=True, kw_only=True)
class Angry(Scripted):
    """Everything where most foes are, and attack whoever is weaker."""

    script = scripts.angry


@dataclass(frozen=True, kw_only=True)
class Yakool(Scripted):
    """Hold one continent, grow from it, and break the continents of a seat that becomes dangerous."""

    script = yakool.yakool


@dataclass(frozen=True, kw_only=True)
class EvilPixie(Scripted):
    """Take the continents that are nearly one's own, guard their borders, hunt the weak."""

    script = pixie.evil_pixie


@dataclass
class Course:
    """What a planner remembers: its turn, the plans made in it, and the territories that the present one leads over."""

    turn: tuple[int, int] = (-1, -1)
    made: int = 0
    path: list[int] = field(default_factory=list)
    begun: bool = False


@dataclass(frozen=True)
class Plans(Player):
    """A search over plans: `plans(maxn(depth=3))` looks three turns ahead.

    `plans` paths of conquest with the highest bids are tried at every node, beside holding; in play up to `again` plans
    are made in one turn, the later ones with no new armies. A plan is given up before a battle whose chance of success
    is less than `nerve`.
    """

    agent: Agent
    plans: int = 2
    again: int = 2
    nerve: float = 0.5

    def __post_init__(self):
        super().__post_init__()
        if not 1 <= self.again <= 100:
            raise BadParameter(f"expected 1 to 100 plans in a turn, got again={self.again} in {self}")

    def check(self, game):
        super().check(game)
        self.agent.fit(self.tree(game))

    def meet(self, game, ask):
        Player.check(self, game)  # the search meets its game itself when it plans

    def tree(self, game):
        """The game of plans over the states of the match."""
        Player.check(self, game)
        return tree_of(game, self.plans, self.nerve)

    def prepare(self, game):
        hasten(self.tree(game)).make_full()
        self.agent.prepare(self.tree(game))

    def runs(self, game):
        return [self.agent, *self.agent.runs(self.tree(game)), self.tree(game)]

    @property
    def watches(self):
        return self.agent.watches

    @property
    def budget(self):
        return getattr(self.agent, "budget", None)

    def memory(self, game, seat):
        return Course()

    def choose(self, game, state, rng, ask):
        course, started = Course() if ask.memory is None else ask.memory, time.perf_counter()
        if course.turn != (state.round, state.seat):
            course.turn, course.made, course.path = (state.round, state.seat), 0, []
        if state.phase == TRADING:
            return decided(game.legal(state)[0], started, "no search")
        if state.phase == DEPLOYING:
            return decided(order(PLACE, self.tree(game).haven(state, state.seat), 0, ALL), started, "no search")
        if state.phase == OCCUPYING:
            return decided(order(OCCUPY, 0, 0, ALL), started, "no search")
        if state.phase == FORTIFYING:
            return decided(order(MARCH if game.fortify_steps == 2 else END, 0, 0, NONE), started, "no search")
        move = self.next_on_course(game, state, course)
        if move >= 0:
            return decided(move, started, "no search")
        if course.made >= self.again:
            return decided(order(STOP, 0, 0, NONE), started, "no search")
        return self.planned(game, state, rng, ask, course)

    def planned(self, game, state, rng, ask, course):
        """Search for a plan and begin it."""
        tree = self.tree(game)
        if game.compiles and ask.compiled is not False:
            hasten(tree)
        found = self.agent.decide(tree, state, rng, replace(ask, memory=None))
        t, plan = source_of(found.move), found.move
        course.path, course.begun = [t], False
        for step in range(length_of(plan)):
            t = int(next_on(tree, plan, step, t))
            course.path.append(t)
        course.made = course.made + 1 if length_of(plan) else self.again
        move = self.next_on_course(game, state, course)
        move = order(STOP, 0, 0, NONE) if move < 0 else move
        notes = {"plan": tree.say(state, state.seat, plan), **found.notes}
        entry = RootMove(move, found.values, found.values is not None)
        return replace(found, move=move, moves=(entry,), line=(move,), movers=(), notes=notes)

    def next_on_course(self, game, state, course):
        """The next order of the present plan, or -1 if there is none."""
        if not course.path:
            return -1
        head = course.path[0]
        if state.phase == PLACING:
            return order(PLACE, head, 0, ALL)
        if len(course.path) > 1 and state.owner[head] == state.seat and state.armies[head] > 1:
            target = course.path[1]
            if not course.begun or self.tree(game).dares(state.armies[head] - 1, state.armies[target]):
                course.begun, course.path = True, course.path[1:]
                return order(STORM, head, target, NONE)
        course.path = []
        return -1


@lru_cache(maxsize=16)
def tree_of(game: Any, plans: int, nerve: float) -> RiskPlans:
    """The game of plans of a game of Risk, made once."""
    return RiskPlans(**parameters_of(game), plans=plans, nerve=nerve)


@kernel
def listed(game, state, seat, out):
    """Write the seat's plans into `out` and return their number."""
    return game.moves(state, seat, out)


@lru_cache(maxsize=16)
def hasten(tree):
    """Let plans be listed by machine code, for the search asks for those of every position it is given; returns it."""
    lister = listed.compiled.two_speeds(tree, tree.new(), 0, room(tree), full=False)
    tree.hasten(lister=lister)
    return lister
