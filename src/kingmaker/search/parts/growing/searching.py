"""Playouts by a search: every move below the tree is chosen by a shallow search of its mover.

Such playouts are better and fewer. The search is any depth-first one that needs nothing but a position and a depth; it
runs inside the kernel of the sampler, in a workspace that lies inside the sampler's own, so nothing is allocated.

    J. Nijssen, M. Winands. Playout Search for Monte-Carlo Tree Search in Multi-Player Games. ACG 2011.

Differs from the paper: the search may have any depth, and it tries all moves.
"""

import numpy as np

from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import draw, unit
from kingmaker.core.workspace import ObjectWorkspace, run_fields
from kingmaker.search.parts.machinery.asking import asking, needs_only_a_position
from kingmaker.search.parts.machinery.line import move_of


class SearchMoves(Constant):
    """The move that a search chooses; with probability `work.epsilon` a random move."""

    def __init__(self, ready):
        self.asked, self.estimate, self.switches = asking(type(ready.agent).kernel), ready.estimate, ready.switches
        self.depth, self.arguments = ready.agent.depth, ready.arguments

    def move(self, game, estimate, work, seat):
        if work.epsilon > 0.0 and unit(work.rng) < work.epsilon:
            return game.any_move(work.states[1], seat, work.rng, work.moves[1])
        inner = work.inner
        inner.states[0] = work.states[1]
        inner.root, inner.nodes, inner.limit, inner.stop = seat, 0, work.limit - work.nodes, 0
        inner.rng.word = draw(work.rng)
        self.asked.search(game, self.estimate, self.switches, inner, self.depth, self.arguments)
        work.nodes += inner.nodes
        if inner.stop != 0:
            work.fault, work.most, work.stop = inner.fault, inner.most, inner.stop
            return 0
        return move_of(inner.lines[0, 0])


def check_search(agent):
    """Refuse a search that cannot be asked in a playout."""
    search = agent.playout
    if not needs_only_a_position(search):
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
