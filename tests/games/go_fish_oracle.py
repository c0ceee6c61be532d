"""What a seat can know at Go Fish, by Bayes' rule over all hands and pools, written from the rules alone.

A belief is the chance of every (hands, pool), each a tuple of numbers of cards by rank. It starts with all deals, and
every event that the seat sees keeps what fits.
"""

from itertools import product
from math import comb, prod


def deals(seats, ranks, cards):
    """All deals with their chances: hands of `cards` each, and the pool."""

    def hands(left, size, rank=0):
        if rank == ranks:
            if size == 0:
                yield ()
            return
        for count in range(min(left[rank], size) + 1):
            for rest in hands(left, size - count, rank + 1):
                yield (count, *rest)

    found = {((), (4,) * ranks): 1}
    for _ in range(seats):
        grown = {}
        for (held, left), weight in found.items():
            for hand in hands(left, cards):
                ways = prod(comb(left[rank], hand[rank]) for rank in range(ranks))
                rest = tuple(left[rank] - hand[rank] for rank in range(ranks))
                key = ((*held, hand), rest)
                grown[key] = grown.get(key, 0) + weight * ways
        found = grown
    return found


class Belief:
    """What one seat knows."""

    def __init__(self, me, seats, ranks, cards, mine, no_book=True):
        self.me, self.ranks = me, ranks
        self.chances = {
            (hands, pool): weight
            for (hands, pool), weight in deals(seats, ranks, cards).items()
            if hands[me] == mine and not (no_book and any(4 in hand for hand in hands))
        }

    def asked(self, seat, other, rank, given, book):
        """A seat asked another for a rank, was given so many cards, and laid down a book or not."""
        kept = {}
        for (hands, pool), weight in self.chances.items():
            if hands[seat][rank] and hands[other][rank] == given and (hands[seat][rank] + given == 4) == book:
                new = [list(hand) for hand in hands]
                new[other][rank], new[seat][rank] = 0, new[seat][rank] + given
                if book:
                    new[seat][rank] = 0
                key = (tuple(map(tuple, new)), pool)
                kept[key] = kept.get(key, 0) + weight
        self.chances = kept

    def drew(self, seat, rank, asked, book):
        """A seat drew a card: a rank that is known, or None; `book` is the rank that it laid down then, or None."""
        kept = {}
        for ((hands, pool), weight), drawn in product(self.chances.items(), range(self.ranks)):
            told = drawn if seat == self.me or drawn == asked else None
            laid = drawn if hands[seat][drawn] == 3 else None
            if pool[drawn] and told == rank and laid == book:
                new = [list(hand) for hand in hands]
                new[seat][drawn] = 0 if laid is not None else new[seat][drawn] + 1
                left = tuple(count - (each == drawn) for each, count in enumerate(pool))
                key = (tuple(map(tuple, new)), left)
                kept[key] = kept.get(key, 0) + weight * pool[drawn]
        self.chances = kept

    def shares(self):
        """The chance of every world."""
        total = sum(self.chances.values())
        return {world: weight / total for world, weight in self.chances.items()}
