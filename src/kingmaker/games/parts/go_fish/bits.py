"""Sets of up to 63 numbers as words: a bit for each. Plain whole numbers that never overflow, also when interpreted."""

from kingmaker.core.kernel import kernel

FIVES, THREES = 0x5555555555555555, 0x3333333333333333
FIFTEENS, ONES, BYTE = 0x0F0F0F0F0F0F0F0F, 0x0101010101010101, 255


@kernel
def popcount(word):
    """How many numbers a set has: a single machine instruction."""
    word = word - (word >> 1 & FIVES)
    word = (word & THREES) + (word >> 2 & THREES)
    word = word + (word >> 4) & FIFTEENS
    return word * ONES >> 56 & BYTE


@kernel
def first(word):
    """The lowest number in a set that is not empty."""
    return popcount(~word & word - 1)


@kernel
def last(word):
    """The highest number in a set that is not empty."""
    for shift in (1, 2, 4, 8, 16, 32):
        word |= word >> shift
    return popcount(word) - 1


@kernel
def nth(word, count):
    """The number in a set that has `count` below it there."""
    for _ in range(count):
        word &= word - 1
    return first(word)
