"""The last ply of a search in which a seat may look at what its move brings to another, as in Offensive.

There the vectors of all children are foreseen and compared. Where an estimate says that a move changes nothing for the
others, all children are alike for them, and the seat chooses by its own value.
"""

from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.node import keep
from kingmaker.search.parts.switches.last_ply import LastBest, LastMove, counted, look_at


class LastMoveByVectors(LastMove):
    """`LastMove` where the seat looks at its own value alone, else by vectors."""

    def known(self, game, estimate, switches, work, ply, depth, seat, room):
        if switches.taste.is_selfish(work, seat):
            return False
        compare_vectors(game, estimate, switches, work, ply, depth, seat, room)
        return True


class LastBestByVectors(LastBest):
    """`LastBest` where the seat looks at its own value alone, else by vectors."""

    best_known = LastBest.known

    def known(self, game, estimate, switches, work, ply, depth, seat, room):
        selfish = switches.taste.is_selfish(work, seat)
        if selfish or (estimate.changes_own_alone and switches.taste.sees_itself):
            if self.best_known(game, estimate, switches, work, ply, depth, seat, room):
                return True
            if selfish:
                return False
        compare_vectors(game, estimate, switches, work, ply, depth, seat, room)
        return True


@kernel
def compare_vectors(game, estimate, switches, work, ply, depth, seat, room):
    """Keep the best child of work.states[ply] by the taste and the tie rule of the search."""
    many, best, ties = counted(game, switches, work, ply, seat), 0, 0
    for i in range(many):
        look_at(game, estimate, work, ply, seat, i, room)
        order = switches.taste.compare(switches, work, ply, seat) if i > 0 else 1
        if order > 0:
            best, ties = i, 1
            keep(game, work, ply, seat, i)
        elif order == 0:
            ties += 1
            if switches.ties.tied(game, switches, work, ply, seat, i, ties):
                best = i
    if many > 0:
        switches.order.credit(work, ply, seat, best, depth)
