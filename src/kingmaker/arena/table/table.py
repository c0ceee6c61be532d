"""The table: where a match is played, turn by turn, whether agents or people play.

It holds the state, the streams of random numbers, the agents' memories and the turns so far; a snapshot allows a turn
to be taken back.

No agent is given the state itself. Each gets a world: a copy in which its seat is to move and, in a game with hidden
information, everything that the seat cannot know was dealt anew. An agent that observes another seat's move is given
such a world too.
"""

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any

from kingmaker.arena.table.deadline import TooLong
from kingmaker.arena.table.referee import referee_of
from kingmaker.core.agent import Agent
from kingmaker.core.ask import PLAIN, Ask
from kingmaker.core.decision import Decision
from kingmaker.core.door import admitted, own_move
from kingmaker.core.errors import BadParameter, IllegalMove, KingmakerError, Mismatch
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.rng import stream
from kingmaker.core.secrets import picture, world_of, world_with
from kingmaker.core.turn import Turn, rolled

MOST = 2**53  # most nodes of one decision; their sum over any match then fits in 64 bits
TYPES = (int, int, int, float)  # of a move, nodes, depth and seconds


class AgentFault(KingmakerError):
    """An agent that crashed."""

    def __init__(self, seat: int, sentence: str) -> None:
        super().__init__(sentence)
        self.seat = seat


@dataclass(frozen=True)
class Snapshot:
    """Everything that is needed to set a table back to an earlier turn."""

    state: Any
    words: tuple[int, ...]  # the state of every random stream
    memories: list[Any]
    turns: int  # number of turns played by then


class Table:
    """A match under way."""

    def __init__(
        self, game: Game, agents: Sequence[Agent], seed: int = 0, state: Any = None, luck: int | None = None
    ) -> None:
        """All random numbers follow from `seed`; those of the dice from `luck` if it is given, so that several matches
        can have the same dice.
        """
        self.game, self.agents, self.referee = game, agents, referee_of(game)
        if state is not None:
            admitted(game, state)
        self.state = game.new(seed) if state is None else game.copy(state)
        self.dice = stream(seed if luck is None else luck, "dice")
        self.streams = [stream(seed, "seat", seat) for seat in range(game.seats)]
        self.deals = [stream(seed, "world", seat) for seat in range(game.seats)]
        self.memories = [agent.memory(game, seat) for seat, agent in enumerate(agents)]
        self.observes = [type(agent).observe is not Agent.observe for agent in agents]
        self.turns: list[Turn] = []

    @property
    def mover(self) -> int:
        """The seat to move, CHANCE or OVER."""
        return int(self.referee.mover(self.game, self.state))

    def acting(self) -> Sequence[int]:
        """The seats that choose a move now; none while the dice fall, or when the match is over."""
        mover = self.mover
        if mover in (CHANCE, OVER):
            return ()
        return tuple(map(int, self.game.acting(self.state))) if self.game.facts.simultaneous else (mover,)

    def world(self, seat: int) -> Any:
        """What a seat decides on: a copy of the state with the seat to move and what it cannot know dealt anew."""
        view = self.referee.view(self.state, seat)
        return world_of(self.game, view, seat, self.deals[seat], self.referee.redealt)

    def picture(self, seat: int | None = None) -> str:
        """The state as text: as one seat may see it, or all of it if no seat is given."""
        return picture(self.game, self.state, seat)

    def _repr_svg_(self) -> str:
        from kingmaker.draw.drawing import drawing

        return str(drawing(self.game, self.state))

    def decide(self, seat: int, agent: Agent | None = None, rng: Any = None, ask: Ask = PLAIN) -> Decision:
        """The decision of a seat's agent, or of another agent for that seat; an exception in it names the seat."""
        agent, game = agent or self.agents[seat], self.game
        if self.mover < 0:
            raise Mismatch(f"no seat is to move in {game} at {game.notation(self.state)}; there is nothing to decide")
        try:
            agent.refuse_secrets(game)
            wishes = replace(ask, memory=self.memories[seat], dealt=True)
            decision = agent.decide(game, self.world(seat), self.streams[seat] if rng is None else rng, wishes)
            decision = storable(agent, decision, game.seats)
            view = self.referee.view(self.state, seat)
            if not self.referee.legal(view, seat, own_move(game, decision.move)):
                raise IllegalMove(
                    f"{agent} played {decision.move}, which is no legal move in {game} at {game.notation(view)}"
                )
        except (KingmakerError, TooLong, KeyboardInterrupt) as fault:
            fault.seat = seat  # type: ignore[union-attr]
            raise
        except BaseException as fault:
            raise AgentFault(seat, f"{agent} on seat {seat} crashed: {told(fault)}") from fault
        return decision

    def turn(self, given: Mapping[int, int] | None = None) -> tuple[Turn, dict[int, Decision]]:
        """The next turn, not yet played, and the decisions behind it; seats in `given` make the move that is given."""
        if self.mover == CHANCE:
            return ((CHANCE, rolled(self.game, self.state, self.dice)),), {}
        given = given or {}
        acting = self.acting()
        decisions = {seat: self.decide(seat) for seat in acting if seat not in given}
        return tuple((seat, given[seat] if seat in given else decisions[seat].move) for seat in acting), decisions

    def take(self, turn: Turn) -> None:
        """Let the agents learn from a turn, and play it."""
        self.tell(turn)
        self.referee.take(self.state, turn)
        self.turns.append(turn)

    def roll_on(self) -> list[str]:
        """Play chance events until a seat is to move; returns those that everybody may see, as the game says them."""
        shown = []
        while self.mover == CHANCE:
            turn, _ = self.turn()
            if not self.game.is_secret(self.state, CHANCE):
                shown.append(self.game.say(self.state, *turn[0]))
            self.take(turn)
        return shown

    def tell(self, turn: Turn) -> None:
        """Let every agent that learns know the moves of the others, as far as its seat may know them. An agent whose
        memory is for its own moves alone observes nothing.
        """
        for seat, memory in enumerate(self.memories):
            for other, move in turn if self.observes[seat] else ():
                if memory is None or other in (seat, CHANCE) or self.game.is_secret(self.state, other):
                    continue
                view = self.referee.view(self.state, other)
                world = world_with(self.game, view, seat, other, move, self.deals[seat], self.referee.redealt)
                if world is not None:
                    self.agents[seat].observe(memory, self.game, world, other, move)

    def snapshot(self) -> Snapshot:
        words = tuple(int(rng.word) for rng in (self.dice, *self.streams, *self.deals))
        return Snapshot(self.game.copy(self.state), words, copy.deepcopy(self.memories), len(self.turns))

    def set_back(self, past: Snapshot) -> None:
        """Return to the time of the snapshot, which must not be used again; the same random numbers will follow."""
        self.state, self.memories = past.state, past.memories
        del self.turns[past.turns :]
        for rng, word in zip((self.dice, *self.streams, *self.deals), past.words, strict=True):
            rng.word = word


def storable(agent: Agent, decision: Decision, seats: int) -> Decision:
    """The decision in plain Python numbers, which a store can keep; refuses numbers that a store cannot keep."""
    values, spent = decision.values, (decision.nodes, decision.depth, decision.seconds)
    if values is not None and (len(values) != seats or not all(map(math.isfinite, values))):
        raise BadParameter(
            f"{agent} expects {' '.join(map(str, values))}; expected one finite number for each of {seats} seats"
        )
    if not (min(spent) >= 0 and max(spent) < MOST and math.isfinite(sum(spent))):
        raise BadParameter(
            f"{agent} tells of {spent[0]} nodes, depth {spent[1]} and {spent[2]} s; expected numbers from 0 to {MOST}"
        )
    if (type(decision.move), *map(type, spent)) == TYPES and (
        values is None or (type(values) is tuple and {*map(type, values)} == {float})
    ):
        return decision
    nodes, depth, seconds = int(spent[0]), int(spent[1]), float(spent[2])
    values = None if values is None else tuple(map(float, values))
    return replace(decision, move=int(index(decision.move)), values=values, nodes=nodes, depth=depth, seconds=seconds)


def told(fault: BaseException) -> str:
    """The type and the message of an exception; works even if the exception cannot be turned into text."""
    try:
        said = str(fault)
    except Exception:
        said = "(no words)"
    return f"{type(fault).__name__}: {said}"
