"""What every search does at a node: stop at a leaf, list the moves, enter a child, keep the best, average over chance.

A search leaves its result for `work.states[ply]` in `work.values[ply]` (one number a seat) and the moves expected from
there, with who makes them, in `work.lines[ply]`; a parent reads both at ply + 1.
"""

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.leaf import end, guess
from kingmaker.search.parts.machinery.line import word

FULL, FAULT = 1, 2  # why the kernel itself set work.stop: the node limit, a wrong number of moves


@kernel
def count(work, ply):
    """Count a node; if the node limit is already reached, tell the search to stop instead."""
    work.lengths[ply] = 0
    if work.nodes >= work.limit:
        work.stop = FULL
    else:
        work.nodes += 1


@kernel
def rolls(game, seat):
    """Is this a chance node? In a game without chance the compiler knows that it is not."""
    return game.max_outcomes > 0 and seat == CHANCE


@kernel
def depth_below(game, seat, depth):
    """The depth that is left below a node: depth counts the moves of seats, so a chance node does not reduce it."""
    return depth if rolls(game, seat) else depth - 1


@kernel
def cut_short(game, work, ply, mover):
    """Must the search stop here at any depth? It must where the game cannot list the chance outcomes, and at the last
    ply of the workspace, which only chance nodes can lead to, for they take plies but no depth.
    """
    full = game.max_outcomes > 0 and ply + 1 >= len(work.counts)
    return full or (mover == CHANCE and not game.can_list(work.states[ply]))


@kernel
def settled(game, estimate, switches, work, ply, depth):
    """Count the node and return whether it is a leaf. The vector of a leaf is in work.values[ply], unless the search
    was stopped.
    """
    if ply < 0:
        # never happens; it tells the compiler that no index by ply counts from the end, which makes it a tenth faster
        return True
    if switches.children.known(game, work, ply):
        return True
    count(work, ply)
    state = work.states[ply]
    mover = game.mover(state)
    if mover == OVER:
        end(game, estimate, state, work.values[ply])
        return True
    enough = estimate.enough(game, state, work.root)  # if so, a deeper search ends here too
    if enough or switches.horizon.reached(game, work, ply, depth) or cut_short(game, work, ply, mover):
        work.beyond |= not enough
        guess(game, estimate, state, work.values[ply])
        return True
    return work.stop != 0


@kernel
def listed(game, switches, work, ply, seat):
    """List the moves of work.states[ply] in the order to try them, or its chance outcomes with their shares; return how
    many there are.

    A game that lists none or too many is at fault: the search stops, and `drive` raises the error.
    """
    if rolls(game, seat):
        return rolled(game, work, ply)
    many = switches.horizon.moves(game, work, ply, seat) if seat >= 0 else 0
    most = switches.horizon.widest(game, work, ply)
    if not 0 < many <= most:
        work.fault, work.most, work.stop = many, most, FAULT
        return 0
    if not switches.horizon.ordered(work, ply):
        many = switches.forward_pruning.narrow(game, work, ply, seat, 0, many)
        switches.order.arrange(game, work, ply, seat, many)
        many = switches.equivalents.narrowed(game, work, ply, seat, many)
    work.counts[ply] = switches.children.narrowed(work, ply, many)
    return work.counts[ply]


@kernel
def rolled(game, work, ply):
    """List the chance outcomes and their shares: the probability of each, divided by the sum of the probabilities up to
    it.

    A running mean that moves by such a share towards each outcome in turn does not drift: the mean of equal values is
    that value, also where rounded odds, as six times 1/6, do not add up to 1.
    """
    many, total = game.outcomes(work.states[ply], work.moves[ply], work.odds[ply]), 0.0
    if not 0 < many <= game.max_outcomes:
        work.fault, work.most, work.stop = many, game.max_outcomes, FAULT
        return 0
    for i in range(many):
        total += work.odds[ply, i]
        work.odds[ply, i] = work.odds[ply, i] / total if total > 0.0 else 0.0
    for seat in range(game.seats):
        work.values[ply, seat] = 0.0
    work.counts[ply] = many
    return many


@kernel
def enter(game, switches, work, ply, seat, i):
    """Play the i-th listed move on a copy of the state, one ply down."""
    switches.children.entered(work, ply, i)
    work.states[ply + 1] = work.states[ply]
    if not switches.horizon.stands(work, ply, i):
        game.play(work.states[ply + 1], seat, work.moves[ply, i])
        switches.forward_pruning.noted(game, work, ply, seat, work.moves[ply, i])
    switches.record.opened(game, work, ply, seat, i)


@kernel
def leave(game, switches, work, ply, i, exact):
    """Note what was found of the i-th listed move, once its search is finished."""
    switches.record.closed(game, work, ply)
    if ply == 0:
        for seat in range(game.seats):
            work.root_values[i, seat] = work.values[1, seat]
        work.root_exact[i] = exact
        work.tried = i + 1


@kernel
def keep(game, work, ply, seat, i):
    """The i-th listed move, one of `seat`, is the best so far: take over its values and its line."""
    for each in range(game.seats):
        work.values[ply, each] = work.values[ply + 1, each]
    work.lines[ply, 0] = word(seat, work.moves[ply, i])
    length = work.lengths[ply + 1]
    for j in range(length):
        work.lines[ply, j + 1] = work.lines[ply + 1, j]
    work.lengths[ply] = length + 1


@kernel
def blend(game, work, ply, i):
    """Average the i-th chance outcome into the expected vector in work.values[ply]."""
    for seat in range(game.seats):
        work.values[ply, seat] += work.odds[ply, i] * (work.values[ply + 1, seat] - work.values[ply, seat])
