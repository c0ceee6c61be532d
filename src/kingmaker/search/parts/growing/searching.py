"""Playouts by a search: every move below the tree is chosen by a shallow search of its mover.

Such playouts are better and fewer. The search is any depth-first one that needs nothing but a position and a depth; it
runs inside the kernel of the sampler, in a workspace that lies inside the sampler's own, so nothing is allocated.

    J. Nijssen, M. Winands. Playout Search for Monte-Carlo Tree Search in Multi-Player Games. ACG 2011.

Differs from the paper: the search may have any depth, and it tries all moves.
"""

from functools import lru_cache
from types import FunctionType

import numpy as np

from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.rng import draw, unit
from kingmaker.core.workspace import ObjectWorkspace, run_fields
from kingmaker.search.parts.machinery.depth_first import DepthFirst
from kingmaker.search.parts.machinery.line import move_of


@kernel
def asked(game, estimate, switches, work, ply, depth):
    """Stands for the kernel of the search, which `moves_by` puts in its place."""


class SearchMoves(Constant):
    """The move that a search chooses; with probability `work.epsilon` a random move."""

    def __init__(self, ready):
        self.estimate, self.switches, self.depth = ready.estimate, ready.switches, ready.agent.depth
        self.arguments = ready.arguments

    def move(self, game, estimate, work, seat):
        if work.epsilon > 0.0 and unit(work.rng) < work.epsilon:
            return game.any_move(work.states[1], seat, work.rng, work.moves[1])
        inner = work.inner
        inner.states[0] = work.states[1]
        inner.root, inner.nodes, inner.limit, inner.stop = seat, 0, work.limit - work.nodes, 0
        inner.rng.word = draw(work.rng)
        asked(game, self.estimate, self.switches, inner, 0, self.depth, *self.arguments)
        work.nodes += inner.nodes
        if inner.stop != 0:
            work.fault, work.most, work.stop = inner.fault, inner.most, inner.stop
            return 0
        return move_of(inner.lines[0, 0])


@lru_cache(maxsize=64)
def moves_by(search):
    """The class of playouts that call the kernel of a search: a compiled method can call only what its globals name."""
    move = SearchMoves.move
    space = {**move.__globals__, "asked": search}
    made = FunctionType(move.__code__, space, move.__name__, move.__defaults__, move.__closure__)
    made.__qualname__ = move.__qualname__
    return type("SearchMoves", (SearchMoves,), {"move": made, "__module__": __name__})


def check_search(agent):
    """Refuse a search that cannot be asked in a playout."""
    search = agent.playout
    own = ("run", "fill", "choose")  # what a search that does more before or between its rounds defines itself
    if not isinstance(search, DepthFirst) or any(getattr(type(search), n) is not getattr(DepthFirst, n) for n in own):
        raise BadParameter(
            f"playouts can ask a search that needs only a position and a depth, which {search} does not, in {agent}; "
            "use maxn, paranoid or best_reply"
        )
    if not search.depth or search.nodes is not None or search.seconds is not None:
        raise BadParameter(
            f"a search in playouts needs a depth and no other budget, got {search} in {agent}; write "
            f"playout={search.name}(depth=1)"
        )
    if search.table or search.threads > 1:
        raise BadParameter(
            f"a search in playouts has no table and no threads of its own, got {search} in {agent}; use table=0 and "
            "threads=1"
        )


def ready_search(agent, game, compiled):
    """The search of playouts made ready for a game."""
    return agent.playout.changed(one_world=True).ready(game, Ask(compiled=compiled))


def search_fields(agent, game):
    """The workspace of the search, as a field of the sampler's."""
    search = agent.playout
    ready = ready_search(agent, game, False)
    fields, plies, width = search.room(game, ready.switches)
    states = [("states", game.State, (plies,))] if game.has_records else []
    return [("inner", np.dtype([*run_fields(game, plies, width), *fields, *states], align=True), ())]


def begin_search(agent, game, work):
    """The interpreted twin's workspace of the search is an object, which may hold states of any kind."""
    if isinstance(work, ObjectWorkspace):
        work.inner = ready_search(agent, game, False).fresh()
