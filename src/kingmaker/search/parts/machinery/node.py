"""What every search does at a node: stop, list, enter a child, keep the best, blend the dice.

A search leaves its result for `work.states[ply]` in `work.values[ply]` (one number a seat) and the moves expected from
there, with who makes them, in `work.lines[ply]`; a parent reads both at ply + 1.
"""

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel
from kingmaker.search.parts.machinery.leaf import end, guess
from kingmaker.search.parts.machinery.line import word

FULL, FAULT = 1, 2  # why work.stop was set inside: the node limit, a wrong number of moves


@kernel
def count(work, ply):
    """Count a node; one that is beyond the limit is not counted, and the search is to stop."""
    work.lengths[ply] = 0
    if work.nodes >= work.limit:
        work.stop = FULL
    else:
        work.nodes += 1


@kernel
def rolls(game, seat):
    """Are the dice to move? In a game without any the compiler knows that they are not."""
    return game.max_outcomes > 0 and seat == CHANCE


@kernel
def depth_below(game, seat, depth):
    """The depth that is left below a node: depth counts the moves of seats, so the dice hand it on as it is."""
    return depth if rolls(game, seat) else depth - 1


@kernel
def cut_short(game, work, ply, mover):
    """Must the search stop here at any depth? So it is where nobody can list what chance may bring, and at the last ply
    of the workspace, which only dice can lead to, for they take plies and no depth.
    """
    full = game.max_outcomes > 0 and ply + 1 >= len(work.counts)
    return full or (mover == CHANCE and not game.can_list(work.states[ply]))


@kernel
def settled(game, estimate, switches, work, ply, depth):
    """Count the node; say whether the search goes no deeper. Then its vector is in work.values[ply], unless the search
    was stopped.
    """
    if ply < 0:
        # never so; it tells the compiler that no index by ply counts from the end, which is worth a tenth of the speed
        return True
    count(work, ply)
    state = work.states[ply]
    mover = game.mover(state)
    if mover == OVER:
        end(game, estimate, state, work.values[ply])
        return True
    enough = estimate.enough(game, state, work.root)  # then a deeper search ends here too
    if enough or switches.horizon.reached(game, work, ply, depth) or cut_short(game, work, ply, mover):
        work.beyond |= not enough
        guess(game, estimate, state, work.values[ply])
        return True
    return work.stop != 0


@kernel
def listed(game, switches, work, ply, seat):
    """List the moves of work.states[ply] in the order to try them, or its chance outcomes with their shares; say how
    many.

    A game that lists none or too many is at fault: the search stops and its shell says so.
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
        switches.order.arrange(work, ply, seat, many)
    work.counts[ply] = many
    return many


@kernel
def rolled(game, work, ply):
    """List the chance outcomes and their shares: what each weighs among itself and those before it.

    A mean that moves by such a share towards each outcome in turn does not drift: the mean of equal values is that
    value, also where rounded odds, as six times 1/6, do not add up to 1.
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
    """Let the i-th chance outcome count for the expectation."""
    for seat in range(game.seats):
        work.values[ply, seat] += work.odds[ply, i] * (work.values[ply + 1, seat] - work.values[ply, seat])
