"""Go Fish: ask the others for ranks that you hold, fish in the pool, collect books of four; the most books win.

A seat asks another for all its cards of a rank, of which it must hold one itself. If it gets any, it asks again. If
not, it draws a card from the pool; if that is of the rank asked for, which it shows, it asks again too, else the next
seat is to move. Four cards of a rank are laid down at once as a book. A seat without cards draws one at its turn.

Hands are hidden. What everybody can tell about them is kept in the state (`parts/go_fish/hidden.py`), so that `redeal`
knows of all asks, answers and books, and of when cards were drawn. Suits do not matter, so a hand is a number of cards
for each rank.
"""

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.rng import shuffle
from kingmaker.games.parts.go_fish.hidden import (
    CARDS,
    RANKS,
    SUITS,
    add_slot,
    bound,
    broken,
    deal_anew,
    held_exactly,
    no_book,
)

NAMES = "23456789TJQKA"


class Books(Estimate):
    """The books that a seat has laid down; the intervals run from them to all books that are still open."""

    unit = "book"
    within_total = True
    has_intervals = True

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = state.books[seat]

    def interval(self, game, state, low, high):
        left = game.ranks
        for seat in range(game.seats):
            left -= state.books[seat]
        for seat in range(game.seats):
            low[seat] = state.books[seat]
            high[seat] = low[seat] + left

    def widest_edge(self, game):
        """One seat has all books but one, another none."""
        return game.ranks - 1.0


class Sets(Books):
    """The books of a seat, and of every open book a share by the square of the cards that it holds of the rank."""

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = state.books[seat]
        for rank in range(game.ranks):
            squares = 0.0
            for seat in range(game.seats):
                squares += state.hands[seat, rank] * state.hands[seat, rank]
            for seat in range(game.seats):
                if squares > 0.0:
                    out[seat] += state.hands[seat, rank] * state.hands[seat, rank] / (squares + state.pool[rank])

    def widest_edge(self, game):
        """One seat has everything."""
        return float(game.ranks)


class GoFish(Game):
    """Ask, fish, collect books."""

    estimates = (Books(), Sets())

    def __init__(self, seats=3, ranks=13, cards=0):
        self.seats, self.ranks = seats, ranks
        self.cards = cards  # dealt to each seat; 0: seven with two seats, else five
        self.require(isinstance(seats, int) and 2 <= seats <= 6, f"expected 2 to 6 seats at go fish, got {seats}")
        self.require(isinstance(ranks, int) and 2 <= ranks <= RANKS, f"expected 2 to 13 ranks, got {ranks}")
        self.dealt = cards or (7 if seats == 2 else 5)
        most = SUITS * ranks // seats
        self.require(
            isinstance(cards, int) and cards >= 0 and self.dealt <= most,
            f"expected at most {most} cards for each seat, got {self.dealt}; give `cards` a number",
        )
        self.facts = Facts(
            seats=(2, 6), chance=True, hidden=True, low=0.0, high=float(ranks), total=float(ranks), constant_sum=True
        )
        self.max_moves, self.max_outcomes = (seats - 1) * ranks, ranks
        self.State = np.dtype(
            [
                ("hands", np.int8, (seats, RANKS)),  # cards of each rank
                ("net", np.int8, (seats, RANKS)),  # cards that others gave, minus those given away or laid down
                ("card", np.int8, (CARDS,)),  # the rank of every card that was dealt or drawn, in the order of time
                ("owner", np.int8, (CARDS,)),  # to whom, plus one; 0: not yet
                ("only", np.int8, (CARDS,)),  # rank plus one: all know it; minus rank minus one: it is another
                ("bounds", np.int8, (CARDS, RANKS)),  # how many cards of a rank an owner had by then
                ("filled", np.int8),  # number of cards that were dealt or drawn
                ("pool", np.int8, (RANKS,)),
                ("books", np.int8, (seats,)),
                ("seat", np.int8),
                ("draws", np.int8),  # 1: the seat draws a card now
                ("asked", np.int8),  # the rank asked for in vain before the draw, plus one; 0: none
            ],
            align=True,
        )

    def start(self, state, rng):
        deck = np.arange(SUITS * self.ranks)
        shuffle(rng, deck, SUITS * self.ranks)
        for rank in range(self.ranks):
            state.pool[rank] = SUITS
        for place in range(self.seats * self.dealt):
            self.take(state, place // self.dealt, deck[place] // SUITS, 0)
        self.open_match(state)

    def take(self, state, seat, rank, only):
        """A card goes from the pool to a seat."""
        state.pool[rank] -= 1
        add_slot(state, seat, rank, only)

    def open_match(self, state):
        """Lay down the books that were dealt, and see who begins."""
        for seat in range(self.seats):
            for rank in range(self.ranks):
                self.lay_down(state, seat, rank)
            no_book(state, seat, self.ranks)
        self.settle(state)

    def lay_down(self, state, seat, rank):
        """Lay down a book, if the seat has four of the rank."""
        if state.hands[seat, rank] == SUITS:
            held_exactly(state, seat, rank, SUITS)
            state.hands[seat, rank] = 0
            state.net[seat, rank] -= SUITS
            state.books[seat] += 1

    def size(self, state, seat):
        """How many cards a seat holds."""
        count = 0
        for rank in range(self.ranks):
            count += state.hands[seat, rank]
        return count

    def pool_size(self, state):
        count = 0
        for rank in range(self.ranks):
            count += state.pool[rank]
        return count

    def open_books(self, state):
        """How many books nobody has laid down yet."""
        count = self.ranks
        for seat in range(self.seats):
            count -= state.books[seat]
        return count

    def has_target(self, state, seat):
        """Has some other seat a card?"""
        for other in range(self.seats):
            if other != seat and self.size(state, other) > 0:
                return True
        return False

    def settle(self, state):
        """Find out who acts next: a seat without cards draws; one that has nobody to ask, or cannot draw, is passed
        over.
        """
        state.draws, state.asked = 0, 0
        for _ in range(self.seats):
            cards = self.size(state, state.seat)
            if cards > 0 and self.has_target(state, state.seat):
                return
            if cards == 0 and self.pool_size(state) > 0:
                state.draws = 1
                return
            state.seat = (state.seat + 1) % self.seats

    def mover(self, state):
        if self.open_books(state) == 0:
            return OVER
        return CHANCE if state.draws else state.seat

    def moves(self, state, seat, out):
        count = 0
        for other in range(self.seats):
            if other != seat and self.size(state, other) > 0:
                for rank in range(self.ranks):
                    if state.hands[seat, rank] > 0:
                        out[count] = other * RANKS + rank
                        count += 1
        return count

    def outcomes(self, state, out, odds):
        count, size = 0, self.pool_size(state)
        for rank in range(self.ranks):
            if state.pool[rank] > 0:
                out[count], odds[count] = rank, state.pool[rank] / size
                count += 1
        return count

    def play(self, state, seat, move):
        if seat == CHANCE:
            self.draw(state, state.seat, move)
        else:
            self.ask(state, seat, move // RANKS, move % RANKS)

    def ask(self, state, seat, other, rank):
        count = state.hands[other, rank]
        bound(state, seat, rank, 1 - state.net[seat, rank], SUITS)
        held_exactly(state, other, rank, count)
        if count > 0:
            state.hands[other, rank] = 0
            state.net[other, rank] -= count
            state.hands[seat, rank] += count
            state.net[seat, rank] += count
            self.lay_down(state, seat, rank)
            no_book(state, seat, self.ranks)
            self.settle(state)
        elif self.pool_size(state) > 0:
            state.draws, state.asked = 1, rank + 1
        else:
            state.seat = (seat + 1) % self.seats
            self.settle(state)

    def draw(self, state, seat, rank):
        asked = state.asked - 1
        self.take(state, seat, rank, rank + 1 if rank == asked else -asked - 1)
        self.lay_down(state, seat, rank)
        no_book(state, seat, self.ranks)
        if asked >= 0 and rank != asked:
            state.seat = (seat + 1) % self.seats
        self.settle(state)

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = state.books[seat]

    def redeal(self, state, seat, rng):
        deal_anew(self, state, seat, rng)

    def active(self, state, seat):
        return self.size(state, seat) > 0 or self.pool_size(state) > 0

    def admits(self, state):
        """The cards dealt and drawn make up hands, books and pool, nobody holds a book, and all bounds are kept."""
        owner, filled = state.owner.tolist(), state.filled
        if not (0 <= state.seat < self.seats and state.draws in (0, 1) and 0 <= state.asked <= self.ranks):
            return False
        if not 0 <= filled <= SUITS * self.ranks or any(not 1 <= each <= self.seats for each in owner[:filled]):
            return False
        if any(owner[filled:]) or any(not 0 <= rank < self.ranks for rank in state.card.tolist()):
            return False
        pool, hands = [SUITS] * self.ranks, state.net[:, : self.ranks].tolist()
        for place in range(filled):
            pool[state.card[place]] -= 1
            hands[owner[place] - 1][state.card[place]] += 1
        return (
            state.pool[: self.ranks].tolist() == pool
            and state.hands[:, : self.ranks].tolist() == hands
            and min(*pool, *map(min, hands), *state.books.tolist()) >= 0
            and max(map(max, hands)) < SUITS
            and sum(map(sum, hands)) + sum(pool) + SUITS * sum(state.books.tolist()) == SUITS * self.ranks
            and all(
                broken(state.owner, state.only, state.card, state.bounds, filled, seat, rank) == 0
                for seat in range(self.seats)
                for rank in range(self.ranks)
            )
        )

    def say(self, state, seat, move):
        return NAMES[move] if seat == CHANCE else f"{move // RANKS}:{NAMES[move % RANKS]}"

    def show(self, state, seat=None):
        """Hands, books and the pool; a hidden card is `?`."""
        lines = [
            f"seat {each}: {self.hand(state, each, seat) or 'no cards'}  ({state.books[each]} books)"
            for each in range(self.seats)
        ]
        pool = "pool: " + (self.cards_of(state.pool) if seat is None else f"{self.pool_size(state)} cards")
        if self.mover(state) == OVER:
            return "\n".join([*lines, pool, "the match is over"])
        return "\n".join([*lines, pool, f"seat {state.seat} {'draws' if state.draws else 'is to ask'}"])

    def hand(self, state, seat, eyes):
        return self.cards_of(state.hands[seat]) if eyes in (None, seat) else " ".join("?" * self.size(state, seat))

    def cards_of(self, counts):
        return " ".join(NAMES[rank] * counts[rank] for rank in range(self.ranks) if counts[rank])
