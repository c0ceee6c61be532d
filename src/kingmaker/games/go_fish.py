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
from kingmaker.core.rng import below, shuffle
from kingmaker.games.parts.go_fish.bits import nth, popcount
from kingmaker.games.parts.go_fish.dealing import deal_anew
from kingmaker.games.parts.go_fish.hidden import (
    CARDS,
    OWNER_DIGITS,
    RANK_DIGITS,
    RANKS,
    SUITS,
    add_slot,
    held_exactly,
    holds_one,
    show,
)
from kingmaker.games.parts.go_fish.texts import NAMES, fault_of, read_position, written


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
                ("owner", np.int64, (OWNER_DIGITS,)),  # of every card dealt or drawn: a bit each, in the order of time
                ("card", np.int64, (RANK_DIGITS,)),  # its rank
                ("excluded", np.int64, (RANKS,)),  # what all know that it is not
                ("held", np.uint16, (seats,)),  # ranks that a seat holds, a bit each
                ("seen", np.uint16, (seats,)),  # ranks of which all know that it holds a card
                ("heard", np.uint16, (seats,)),  # ranks of which `told` speaks
                ("told", np.int8, (CARDS, 4)),  # what all know of several cards
                ("hands", np.int8, (seats, RANKS)),  # cards of each rank
                ("pool", np.int8, (RANKS,)),
                ("books", np.int8, (seats,)),
                ("filled", np.int8),  # number of cards that were dealt or drawn
                ("tellings", np.int8),  # number of entries of `told`
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

    def take(self, state, seat, rank, asked):
        """A card goes from the pool to a seat. If `asked` is not 0, all know that its rank is not `asked` minus one."""
        if asked > 0:
            state.excluded[asked - 1] |= 1 << state.filled
        state.pool[rank] -= 1
        add_slot(state, seat, rank)

    def open_match(self, state):
        """Lay down the books that were dealt, and see who begins."""
        for seat in range(self.seats):
            for rank in range(self.ranks):
                self.lay_down(state, seat, rank)
        self.settle(state)

    def lay_down(self, state, seat, rank):
        """Lay down a book, if the seat has four of the rank."""
        if state.hands[seat, rank] == SUITS:
            held_exactly(state, seat, rank)
            state.hands[seat, rank] = 0
            state.held[seat] &= ~(1 << rank)
            state.books[seat] += 1

    def size(self, state, seat):
        """How many cards a seat holds."""
        count = 0
        for rank in range(self.ranks):
            count += state.hands[seat, rank]
        return count

    def pool_size(self, state):
        return SUITS * self.ranks - state.filled

    def open_books(self, state):
        """How many books nobody has laid down yet."""
        count = self.ranks
        for seat in range(self.seats):
            count -= state.books[seat]
        return count

    def has_target(self, state, seat):
        """Has some other seat a card?"""
        for other in range(self.seats):
            if other != seat and state.held[other]:
                return True
        return False

    def settle(self, state):
        """Find out who acts next: a seat without cards draws; one that has nobody to ask, or cannot draw, is passed
        over.
        """
        state.draws, state.asked = 0, 0
        for _ in range(self.seats):
            if state.held[state.seat]:
                if self.has_target(state, state.seat):
                    return
            elif self.pool_size(state) > 0:
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
            if other != seat and state.held[other]:
                for rank in range(self.ranks):
                    if state.held[seat] >> rank & 1:
                        out[count] = other * RANKS + rank
                        count += 1
        return count

    def any_move(self, state, seat, rng, out):
        """One of `moves`, each as likely as any other, without listing them."""
        targets, ranks, last = 0, popcount(state.held[seat]), 0
        for other in range(self.seats):
            targets += 1 if other != seat and state.held[other] else 0
        place = below(rng, targets * ranks)
        for other in range(self.seats):
            if other != seat and state.held[other]:
                last = other
                if place < ranks:
                    break
                place -= ranks
        return last * RANKS + nth(state.held[seat], place)

    def outcomes(self, state, out, odds):
        count, size = 0, self.pool_size(state)
        for rank in range(self.ranks):
            if state.pool[rank] > 0:
                out[count], odds[count] = rank, state.pool[rank] / size
                count += 1
        return count

    def roll(self, state, rng):
        """A card of the pool, each as likely as any other."""
        place = below(rng, self.pool_size(state))
        for rank in range(self.ranks - 1):
            place -= state.pool[rank]
            if place < 0:
                return rank
        return self.ranks - 1

    def play(self, state, seat, move):
        if seat == CHANCE:
            self.draw(state, state.seat, move)
        else:
            self.ask(state, seat, move // RANKS, move % RANKS)

    def ask(self, state, seat, other, rank):
        count = state.hands[other, rank]
        holds_one(state, seat, rank)
        held_exactly(state, other, rank)
        if count > 0:
            state.hands[other, rank] = 0
            state.held[other] &= ~(1 << rank)
            state.hands[seat, rank] += count
            self.lay_down(state, seat, rank)
            self.settle(state)
        elif self.pool_size(state) > 0:
            state.draws, state.asked = 1, rank + 1
        else:
            state.seat = (seat + 1) % self.seats
            self.settle(state)

    def draw(self, state, seat, rank):
        asked = state.asked
        if rank == asked - 1 or state.hands[seat, rank] == SUITS - 1:
            self.take(state, seat, rank, 0)
            show(state, seat, rank)  # by itself or in a book
        else:
            self.take(state, seat, rank, asked)
        self.lay_down(state, seat, rank)
        if asked > 0 and rank != asked - 1:
            state.seat = (seat + 1) % self.seats
        self.settle(state)

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = state.books[seat]

    def redeal(self, state, seat, rng):
        deal_anew(self, state, seat, rng)

    def active(self, state, seat):
        return state.held[seat] > 0 or self.pool_size(state) > 0

    def admits(self, state):
        return not fault_of(self, state)

    def notation(self, state):
        return written(self, state)

    def position(self, text):
        return read_position(self, text)

    def say(self, state, seat, move):
        return NAMES[move] if seat == CHANCE else f"{move // RANKS}:{NAMES[move % RANKS]}"

    def is_secret(self, state, seat):
        return seat == CHANCE  # a card that is drawn

    def tell(self, state, seat, move, eyes):
        """An ask with its answer, or a draw, in words."""
        if seat == CHANCE:
            who, rank = int(state.seat), move
            shown = who == eyes or rank == state.asked - 1
            card = f"a {NAMES[rank]}" if shown else "a card"
            words = f"you fish {card}" if who == eyes else f"seat {who} fishes {card}{' and shows it' if shown else ''}"
        else:
            who, (other, rank) = seat, divmod(move, RANKS)
            given = int(state.hands[other, rank])
            fish = "is told to go fish" if self.pool_size(state) else "gets none, and the pool is empty"
            words = f"asks {'you' if other == eyes else f'seat {other}'} for {NAMES[rank]} and "
            words += f"gets {given}" if given else fish
        after = self.copy(state)
        self.play(after, seat, move)
        laid = after.books[who] > state.books[who]
        return words + (f", which makes a book of {NAMES[rank]}" if laid else "")

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
