"""What every search does at a node: stop, list, enter a child, keep the best, blend the dice.

A search leaves its result for `work.states[ply]` in `work.values[ply]` (one number a seat) and the moves expected from there in
`work.lines[ply]`; a parent reads both at ply + 1.
"""

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import kernel

FULL, FAULT = 1, 2  # why work.stop was set inside: the node limit, a wrong number of moves


@kernel
def count(work, ply):
    """Count a node; at the limit the search is to stop."""
    work.nodes += 1
    work.lengths[ply] = 0
    if work.nodes >= work.limit:
        work.stop = FULL


@kernel
def settled(game, estimate, policy, work, ply, depth):
    """Count the node; say whether the search goes no deeper. Then its vector is in work.values[ply], unless the search was stopped."""
    if ply < 0:
        return True  # never so; it tells the compiler that no index by ply counts from the end, which is worth a tenth of the speed
    count(work, ply)
    state = work.states[ply]
    if game.mover(state) == OVER:
        estimate.final(game, state, work.values[ply])
        return True
    enough = estimate.enough(game, state, work.root)  # then a deeper search ends here too
    if enough or policy.horizon.reached(game, work, ply, depth):
        work.beyond |= not enough
        estimate.value(game, state, work.values[ply])
        return True
    return work.stop != 0


@kernel
def listed(game, policy, work, ply, seat):
    """List the moves of work.states[ply] in the order to try them, or its chance outcomes with their odds; say how many.

    A game that lists none or too many is at fault: the search stops and its shell says so.
    """
    if seat == CHANCE:
        most, many = game.max_outcomes, game.outcomes(work.states[ply], work.moves[ply], work.odds[ply])
        for each in range(game.seats):
            work.values[ply, each] = 0.0
    else:
        most, many = game.max_moves, policy.horizon.moves(game, work, ply, seat)
    if not 0 < many <= most:
        work.fault, work.most, work.stop = many, most, FAULT
        return 0
    if seat != CHANCE and not policy.horizon.ordered(work, ply):
        many = policy.narrowing.narrow(game, work, ply, seat, 0, many)
        policy.order.arrange(work, ply, seat, many)
    work.counts[ply] = many
    return many


@kernel
def enter(game, policy, work, ply, seat, i):
    """Play the i-th listed move on a copy of the state, one ply down."""
    work.states[ply + 1] = work.states[ply]
    if not policy.horizon.stands(work, ply, i):
        game.play(work.states[ply + 1], seat, work.moves[ply, i])
        policy.narrowing.noted(game, work, ply, seat, work.moves[ply, i])
    policy.record.opened(game, work, ply, seat, i)


@kernel
def leave(game, policy, work, ply, i, exact):
    """Note what was found of the i-th listed move, once its search is finished."""
    policy.record.closed(game, work, ply)
    if ply == 0:
        for seat in range(game.seats):
            work.root_values[i, seat] = work.values[1, seat]
        work.root_exact[i] = exact
        work.tried = i + 1


@kernel
def keep(game, work, ply, i):
    """The i-th listed move is the best so far: take over its values and its line."""
    for seat in range(game.seats):
        work.values[ply, seat] = work.values[ply + 1, seat]
    work.lines[ply, 0] = work.moves[ply, i]
    length = work.lengths[ply + 1]
    for j in range(length):
        work.lines[ply, j + 1] = work.lines[ply + 1, j]
    work.lengths[ply] = length + 1


@kernel
def blend(game, work, ply, i):
    """Add the i-th chance outcome to the expectation."""
    for seat in range(game.seats):
        work.values[ply, seat] += work.odds[ply, i] * work.values[ply + 1, seat]
