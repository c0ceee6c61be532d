"""The turns of a backgammon roll: which checkers may be moved, each way to use the dice once for each position.

A turn is the set of points that checkers leave, five bits a point: with a double up to four of them, otherwise the
point that the larger die leaves, then the point that the smaller die leaves; 0 is a die that is not used. The order in
which the checkers move makes no difference to the result, for a checker that passes through a point hits there as one
that stays does. Points are counted from the seat's own side: 1 to 24, 25 is the bar, 0 is off the board.
"""

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch_floats

BAR, HOME = 25, 6
POINTS = 26  # with the bar and what is off the board
FIVE = 31  # five bits


@kernel
def read_board(state, seat, mine):
    """Copy the seat's checkers into `mine` and return a word with one bit for each point on which it may land."""
    free = 0
    for point in range(POINTS):
        mine[point] = state.checkers[seat, point]
        if 1 <= point < BAR and state.checkers[1 - seat, BAR - point] < 2:
            free |= 1 << point
    return free


@kernel
def highest_of(mine):
    """The highest point that holds a checker, the bar being the highest of all; 0 if all are off."""
    for point in range(BAR, 0, -1):
        if mine[point] > 0.0:
            return point
    return 0


@kernel
def can_leave(mine, free, highest, point, die):
    """May a checker leave the point with this die? On the bar it must enter first; it is borne off only when all
    checkers are at home, and by a larger die than needed only from the highest point.
    """
    if mine[point] == 0.0 or (highest == BAR and point != BAR):
        return False
    goal = point - die
    if goal > 0:
        return (free >> goal) & 1 == 1
    return highest <= HOME and (goal == 0 or point == highest)


@kernel
def shift(mine, point, die, count):
    """Move `count` checkers, 1.0 or -1.0 to take the move back."""
    mine[point] -= count
    mine[max(point - die, 0)] += count


@kernel
def list_turns(state, seat, out):
    """Write all turns of the seat for the dice in `state`, at least the empty one; return how many."""
    mine = scratch_floats(POINTS)
    free = read_board(state, seat, mine)
    large, small = state.dice[0], state.dice[1]
    if large == small:
        for length in range(4, 0, -1):
            count = equal_dice(mine, free, large, length, out)
            if count > 0:
                return count
    else:
        count = both_dice(state, seat, mine, free, large, small, out)
        if count > 0:
            return count
        count = one_die(mine, free, large, 0, out)
        if count > 0:
            return count
        count = one_die(mine, free, small, 5, out)
        if count > 0:
            return count
    out[0] = 0
    return 1


@kernel
def one_die(mine, free, die, shifted, out):
    """Write all turns that use one die only."""
    count, highest = 0, highest_of(mine)
    for point in range(highest, 0, -1):
        if can_leave(mine, free, highest, point, die):
            out[count] = point << shifted
            count += 1
    return count


@kernel
def both_dice(state, seat, mine, free, large, small, out):
    """Write all turns that use two different dice, each resulting position once.

    A turn is a pair of points, one for each die. All pairs lead to different positions, except that one checker may
    make both moves in either order, and that two checkers may be borne off by either die.
    """
    count, top = 0, highest_of(mine)
    for first in range(top, 0, -1):
        if can_leave(mine, free, top, first, large):
            shift(mine, first, large, 1.0)
            highest = highest_of(mine)
            for second in range(highest, 0, -1):
                if can_leave(mine, free, highest, second, small):
                    out[count] = first | second << 5
                    count += 1
            shift(mine, first, large, -1.0)
    for second in range(top, 0, -1):
        if can_leave(mine, free, top, second, small):
            shift(mine, second, small, 1.0)
            highest = highest_of(mine)
            for first in range(highest, 0, -1):
                if can_leave(mine, free, highest, first, large):
                    shift(mine, second, small, -1.0)
                    known = follows(mine, free, top, first, second, large, small)
                    shift(mine, second, small, 1.0)
                    if not known:
                        out[count] = first | second << 5
                        count += 1
            shift(mine, second, small, -1.0)
    return without_twins(state, seat, out, count, large, small)


@kernel
def follows(mine, free, top, first, second, large, small):
    """May the larger die leave `first`, and the smaller one then leave `second`?"""
    if not can_leave(mine, free, top, first, large):
        return False
    shift(mine, first, large, 1.0)
    found = can_leave(mine, free, highest_of(mine), second, small)
    shift(mine, first, large, -1.0)
    return found


@kernel
def without_twins(state, seat, out, count, large, small):
    """Take out the pairs whose position another pair leads to; that other pair is never taken out itself."""
    kept = 0
    for at in range(count):
        first, second = out[at] & FIVE, out[at] >> 5
        twin = 0
        if first == second - small and not hits_one(state, seat, second - small, second - large):
            twin = second | (second - large) << 5  # the same checker, the larger die first
        elif first < second <= small:
            twin = second | first << 5  # both checkers are borne off by either die
        double = False
        if twin > 0:
            for other in range(count):
                double = double or out[other] == twin
        if not double:
            out[kept] = out[at]
            kept += 1
    return kept


@kernel
def hits_one(state, seat, one, other):
    """Is there a blot of the other seat on one of two points?"""
    for point in (one, other):
        if point > 0 and state.checkers[1 - seat, BAR - point] == 1:
            return True
    return False


@kernel
def equal_dice(mine, free, die, length, out):
    """Write all turns of exactly `length` moves with the same die, the points from the highest down.

    Every such turn can be played in this order, and two sets of points never lead to the same position.
    """
    path = scratch_floats(5)
    count, depth, point = 0, 0, BAR
    while True:
        highest = highest_of(mine)
        while point > 0 and not can_leave(mine, free, highest, point, die):
            point -= 1
        if point > 0 and depth < length:
            path[depth] = point
            shift(mine, point, die, 1.0)
            depth += 1
            if depth < length:
                continue
            turn = 0
            for step in range(length):
                turn |= int(path[step]) << (5 * step)
            out[count] = turn
            count += 1
        if depth == 0:
            return count
        depth -= 1
        point = int(path[depth])
        shift(mine, point, die, -1.0)
        point -= 1
