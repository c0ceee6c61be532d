"""The best moves by arrangement, found for all marbles at once.

A cell's *place* is its steps to the rim plus the number of own marbles that touch it. A line that moves along itself
takes a marble from its last cell to the cell in front, so the arrangement changes by the difference of their places; a
single marble leaves the cell that it touches, which is one less. The places of all cells are kept as four words, one
for each binary digit, so that a handful of machine instructions subtract for all marbles of a seat together.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.abalone.arrangement import INWARDS, LINES, change_along, change_sideways, front_of
from kingmaker.games.parts.grid import BIT, ONE, popcount
from kingmaker.games.parts.hexes import BOARD, CELLS, INSIDE, LEFT, NOTHING, RIGHT, ahead, behind, first

WAYS = 6  # directions
DIGITS = 4  # a place is at most 10
CHANGES = WAYS * (DIGITS + 1)
RIM = np.array(
    [sum((int(INWARDS[cell]) >> digit & 1) << cell for cell in range(CELLS)) for digit in range(3)], np.uint64
)
SIX = 6  # marbles pushed off win
MARBLE = 128  # what one pushed off is worth, where a step to the middle is worth 1
ENOUGH, WORST = 64, -64  # no move changes the arrangement by so much


@kernel
def added(one, two, three):
    """The sum of three binary digits of every cell: its lower and its higher digit."""
    either = one ^ two
    return either ^ three, one & two | either & three


@kernel
def places(own, out):
    """Write the binary digits of all cells' places."""
    low_0, high_0 = added(ahead(own, 0), ahead(own, 1), ahead(own, 2))
    low_1, high_1 = added(ahead(own, 3), ahead(own, 4), ahead(own, 5))
    twos, fours = added(high_0, high_1, low_0 & low_1)
    ones = low_0 ^ low_1
    out[0] = ones ^ RIM[0]
    out[1], carry = added(twos, RIM[1], ones & RIM[0])
    out[2], out[3] = added(fours, RIM[2], carry)


@kernel
def step_back(cells, way):
    """The cells moved one step against a direction; those that left the board must be masked by INSIDE[way]."""
    return cells << RIGHT[way] | cells >> LEFT[way]


@kernel
def advances(own, free, place, way, changes):
    """Write for the last marbles of all lines that can move in a direction onto a free cell how the arrangement
    changes: four binary digits, and a fifth that is 1 where the arrangement gets no worse. Returns the marbles that
    move alone, and the last marbles of all these lines.
    """
    mine = own & INSIDE[way]
    one = step_back(free, way) & mine
    two = step_back(one, way) & mine
    three = step_back(two, way) & mine
    carry = ~one
    for digit in range(DIGITS):
        front = step_back(place[digit] & free, way) & mine
        second = step_back(front, way) & mine
        third = step_back(second, way) & mine
        changes[WAYS * digit + way], carry = added(front | second | third, ~place[digit], carry)
    changes[WAYS * DIGITS + way] = carry
    return one, one | two | three


@kernel
def pushing(own, others, free, way):
    """The last marbles of all lines that can push in a direction."""
    pushable = behind(others & (behind(free, way) | ~INSIDE[way]), way)
    pair = behind(others & pushable, way)
    if own & (pushable | pair) == NOTHING:
        return NOTHING
    two = own & behind(own & pushable, way)
    return two | own & behind(two | own & behind(own & pair, way), way)


@kernel
def best_moves(game, state, seat, out):
    """List the moves after which the seat's own part of `Pushed` is highest, in the order of `moves`; returns how many
    these are, and how many moves there are in all. Lists none where a move may end the match or there is no move.
    """
    own, others = state.marbles[seat], game.others(state, seat)
    free = BOARD & ~(own | others)
    most, found, many = best_pushes(own, others, free, out)
    if most > ENOUGH and state.pushed[seat] + 1 >= SIX:
        return 0, 0
    place, changes, alone, last = scratch(DIGITS), scratch(CHANGES), scratch(WAYS), scratch(WAYS)
    places(own, place)
    for way in range(WAYS):
        one, last[way] = advances(own, free, place, way, changes)
        many += popcount(last[way])
        alone[way] = one & changes[WAYS * DIGITS + way]
    change = highest(changes, last)
    if change > most:
        most, found = change, 0
    if change == most:
        for way in range(WAYS):
            found = game.list_all(last[way], way << 6, out, found)
    for axis in range(3):
        pairs = own & behind(own, axis)
        threes = pairs & behind(pairs, axis)
        for way in range(WAYS):
            if way == axis or way == axis + 3:
                continue
            opened = behind(free, way)
            both = pairs & opened & behind(opened, axis)
            row = threes & both & behind(both, axis)
            many += popcount(both) + popcount(row)
            if most >= 0:  # one of the marbles at least must come to a better place
                better = alone[way] | behind(alone[way], axis)
                both &= better
                row &= better | behind(better, axis)
            most, found = best_sideways(own, both, way, 1 + axis, most, out, found)
            most, found = best_sideways(own, row, way, 4 + axis, most, out, found)
    return found, many


@kernel
def best_pushes(own, others, free, out):
    """List the best moves that push; returns how the best changes the value, how many are as good, and how many moves
    push.
    """
    most, found, many = WORST, 0, 0
    for way in range(WAYS):
        cells = pushing(own, others, free, way)
        many += popcount(cells)
        while cells != NOTHING:
            cell = first(cells)
            cells &= cells - ONE
            front = front_of(own, cell, way)
            off = others & (BIT[front] | BIT[LINES[front, way, 0]]) & ~INSIDE[way] != NOTHING
            change = change_along(own, cell, front) + (MARBLE if off else 0)
            if change > most:
                most, found = change, 0
            if change == most:
                out[found] = way << 6 | cell
                found += 1
    return most, found, many


@kernel
def highest(changes, last):
    """The highest change in any direction; only the marbles with that change are left in `last`."""
    change = 0
    for digit in range(DIGITS, -1, -1):
        some = NOTHING
        for way in range(WAYS):
            some |= last[way] & changes[WAYS * digit + way]
        if some != NOTHING:
            change += 1 << digit
            for way in range(WAYS):
                last[way] &= changes[WAYS * digit + way]
    left = NOTHING
    for way in range(WAYS):
        left |= last[way]
    return change - (1 << DIGITS) if left != NOTHING else WORST - 1


@kernel
def best_sideways(own, cells, way, kind, most, out, found):
    """Add the moves sideways of groups that begin with one of these cells; returns the highest change and how many
    moves have it.
    """
    while cells != NOTHING:
        cell = first(cells)
        cells &= cells - ONE
        change = change_sideways(own, cell, way, kind)
        if change > most:
            most, found = change, 0
        if change == most:
            out[found] = kind << 9 | way << 6 | cell
            found += 1
    return most, found
