"""Games of tricks for four seats: follow suit if you can, the highest card takes the trick and leads to the next.

A game that inherits from `TrickGame` says which suits may be played (`open_suits`), what a trick is worth (`taken`)
and, where bids or gifts come before the tricks, what these are. What everybody can conclude from the cards on the table
is in the state: `lacks` has a bit for each kind of cards that a seat is known to lack. The kinds are the four suits
and, where a single card has a rule of its own, that card.
"""

import numpy as np

from kingmaker.core.errors import IllegalMove
from kingmaker.core.game import OVER, Game
from kingmaker.core.rng import below
from kingmaker.games.parts.cards.cards import (
    CARDS,
    SUIT_NAMES,
    all_of,
    card_in,
    card_text,
    count_of,
    deal,
    full_suit,
    lowest_of,
    over_all,
)
from kingmaker.games.parts.cards.picture import picture_of
from kingmaker.games.parts.cards.position import fault_of, read_position, written
from kingmaker.games.parts.cards.redeal import deal_anew

SEATS = 4
ODD = 4  # the kind of the card that has a rule of its own
ALL_SUITS, NO_HEARTS = 0b1111, 0b0111


class TrickGame(Game):
    """Tricks of four cards, until all hands are empty."""

    seats = SEATS
    max_moves = 13
    trump = -1  # the suit that beats the others; -1: none
    odd = -1  # the card that is a kind of its own; -1: none
    wants_tricks = True  # is taking tricks the aim, or avoiding them?

    def fields(self):
        """The fields of a state that all games of tricks have."""
        return [
            ("hands", np.uint16, (SEATS, 4)),  # one bit for each rank, [seat, suit]
            ("lacks", np.uint8, (SEATS,)),  # one bit for each kind that the seat is known to lack
            ("trick", np.int8, (SEATS,)),  # the card that each seat laid to this trick, -1: none yet
            ("leader", np.int8),
            ("laid", np.int8),  # cards of this trick
            ("tricks", np.int8),  # finished tricks
            ("broken", np.int8),  # has a card of the suit been played that may not be led before?
        ]

    def begin(self, state, rng):
        """Deal, and clear the table."""
        deal(state.hands, self.ranks, rng)
        self.clear(state)

    def clear(self, state):
        for seat in range(SEATS):
            state.trick[seat] = -1
        state.laid = 0

    def before(self, state):
        """The seat that bids or gives before the first trick; OVER: nobody does any more."""
        return OVER

    def mover(self, state):
        seat = self.before(state)
        if seat != OVER:
            return seat
        return (state.leader + state.laid) % SEATS if state.tricks < self.ranks else OVER

    def kind(self, card):
        """The kind of a card: its suit, or ODD."""
        return ODD if card == self.odd else card // 13

    def kinds_of(self, suit):
        """The bits of all kinds in a suit."""
        return 1 << suit | (1 << ODD if suit == self.odd // 13 and self.odd >= 0 else 0)

    def led(self, state):
        """The suit that was led to this trick."""
        return state.trick[state.leader] // 13

    def word(self, state, seat, suit, open_suits):
        """The cards of one suit that the seat may play."""
        return state.hands[seat, suit] if open_suits >> suit & 1 else 0

    def choices(self, state, seat, out):
        """Write what the seat may choose before the first trick; return how many."""
        return 0

    def moves(self, state, seat, out):
        if self.before(state) != OVER:
            return self.choices(state, seat, out)
        count, open_suits = 0, self.open_suits(state, seat)
        for suit in range(4):
            word = self.word(state, seat, suit, open_suits)
            while word != 0:
                out[count] = 13 * suit + lowest_of(word)
                word &= word - 1
                count += 1
        return count

    def any_move(self, state, seat, rng, out):
        if self.before(state) != OVER:
            return out[below(rng, self.choices(state, seat, out))]
        open_suits, count = self.open_suits(state, seat), 0
        for suit in range(4):
            count += count_of(self.word(state, seat, suit, open_suits))
        number = below(rng, count)
        for suit in range(4):
            word = self.word(state, seat, suit, open_suits)
            if number < count_of(word):
                for _ in range(number):
                    word &= word - 1
                return 13 * suit + lowest_of(word)
            number -= count_of(word)
        return -1

    def lay(self, state, seat, card):
        """Lay a card to the trick; the fourth ends it."""
        suit = card // 13
        state.hands[seat, suit] &= ~(1 << card % 13)
        state.trick[seat] = card
        if state.laid > 0 and suit != self.led(state):
            state.lacks[seat] |= self.kinds_of(self.led(state))
        state.laid += 1
        if state.laid == SEATS:
            best = self.best(state)
            self.taken(state, best)
            state.leader = best
            state.tricks += 1
            self.clear(state)

    def beats(self, card, other):
        """Does a card beat another one that was laid before it?"""
        if card // 13 == other // 13:
            return card > other
        return card // 13 == self.trump

    def best(self, state):
        """The seat whose card is the best of this trick so far."""
        best = state.leader
        for ahead in range(1, state.laid):
            seat = (state.leader + ahead) % SEATS
            if self.beats(state.trick[seat], state.trick[best]):
                best = seat
        return best

    def quiet(self, state):
        return state.laid == 0

    def equivalent(self, state, seat, move):
        """The lowest card of the hand from which up to this one no card of another hand or of the trick lies between;
        a card with a rule of its own is equivalent to no other.
        """
        if self.before(state) != OVER or move == self.odd:
            return move
        suit, rank = move // 13, move % 13
        own = np.int64(state.hands[seat, suit])
        between = all_of(state.hands, suit) & ~own
        for each in range(SEATS):
            if state.trick[each] >= 0 and state.trick[each] // 13 == suit:
                between |= 1 << state.trick[each] % 13
        if self.odd >= 0 and suit == self.odd // 13:
            own &= ~(1 << self.odd % 13)
        run = over_all(own & ((2 << rank) - 1), between & ((1 << rank) - 1))
        return 13 * suit + lowest_of(run)

    def fixed(self, state, seat, holder, suit):
        """The cards of a suit that `seat` knows to be with `holder`, if they are still there."""
        return 0

    def redeal(self, state, seat, rng):
        deal_anew(self, state, seat, rng)
        self.redeal_choices(state, seat, rng)

    def redeal_choices(self, state, seat, rng):
        """Draw anew what the others chose in secret before the first trick."""
        return

    def choice_rank(self, state, seat, move):
        """The same as `trick_rank` before the first trick."""
        return 0

    def trick_rank(self, state, seat, move):
        """How high the card of a move is, from 0, or minus that and one less if the card does not follow the suit that
        was led; turned round where tricks are wanted. Asked by `weak_rational`, which plays the lowest; a game whose
        facts say `tricks` must have it.
        """
        if self.before(state) != OVER:
            return self.choice_rank(state, seat, move)
        rank = move % 13
        if self.wants_tricks:
            rank = 12 - rank
        follows = state.laid == 0 or move // 13 == self.led(state)
        return rank if follows else -1 - rank

    def admits(self, state):
        return not fault_of(self, state)

    def require_deck(self, ranks, fewest):
        self.full = full_suit(ranks) if isinstance(ranks, int) and fewest <= ranks <= 13 else 0
        self.require(self.full > 0, f"expected {fewest} to 13 ranks in a suit, got {ranks}")

    def show(self, state, seat=None):
        return picture_of(self, state, seat)

    def notation(self, state):
        return written(self, state)

    def position(self, text):
        return read_position(self, text)

    def say(self, state, seat, move):
        if not 0 <= move < CARDS:
            raise IllegalMove(f"{move} is no card of {self}; the cards are 0 to 51, 13 times the suit plus the rank")
        return card_text(move)

    def tell(self, state, seat, move, eyes):
        """A move in words; with the last card of a trick also who takes it, and what it is worth."""
        if seat != eyes and self.is_secret(state, seat):
            return "a choice that you may not see"
        if self.before(state) != OVER or state.laid < SEATS - 1:
            return self.say(state, seat, move)
        trick = [int(state.trick[(state.leader + ahead) % SEATS]) for ahead in range(SEATS - 1)]
        best = self.after(state, move).leader
        who = "you take" if best == eyes else f"seat {best} takes"
        cards = " ".join(map(card_text, [*trick, move]))
        return f"{card_text(move)}; {who} {cards}{self.worth([*trick, move])}"

    def worth(self, cards):
        """What a trick is worth, in words."""
        return ""

    def parse(self, state, seat, text):
        """The card that a person wrote; a card that breaks a rule is refused with that rule."""
        card = card_in(text)
        legal = self.legal(state, seat)
        if card < 0 or card in legal:
            return super().parse(state, seat, card_text(card) if card >= 0 else text)
        raise IllegalMove(f"{self.breach(state, seat, card)}; the moves are {', '.join(map(card_text, legal))}")

    def breach(self, state, seat, card):
        """The rule that a card breaks, in words."""
        if not 0 <= card < CARDS:
            return f"there is no card {card}"
        name = card_text(card)
        if not int(state.hands[seat, card // 13]) >> card % 13 & 1:
            return f"seat {seat} does not hold {name}"
        if state.laid > 0 and card // 13 != self.led(state) and state.hands[seat, self.led(state)]:
            return f"seat {seat} has {SUIT_NAMES[self.led(state)]} and must follow suit, so {name} would be a revoke"
        return self.own_breach(state, seat, card)
