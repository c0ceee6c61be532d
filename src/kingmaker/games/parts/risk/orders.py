"""Orders: the moves of Risk as numbers, each a kind, two territories and how much of what there is to move."""

from kingmaker.core.kernel import kernel

PLACE, ROLL, FIGHT, STORM, STOP, OCCUPY, FORTIFY, END, MARCH, TRADE, KEEP = range(11)  # kinds
NONE, ONE, HALF, ALL = range(4)  # amounts


@kernel
def order(kind, source, target, amount):
    """The number of an order."""
    return kind | source << 4 | target << 10 | amount << 16


@kernel
def part(amount, whole):
    """How many armies an amount is."""
    if amount == ALL:
        return whole
    return whole // 2 if amount == HALF else min(1, whole)
