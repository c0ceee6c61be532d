"""Cards: four suits of thirteen ranks, numbered 13 * suit + rank; a hand is one word of thirteen bits for each suit.

A short deck leaves out the lowest ranks of every suit, so that the ace is always rank 12.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import shuffle
from kingmaker.core.scratch import scratch

CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
SUITS, SIGNS, RANKS = "CDSH", "♣♦♠♥", "23456789TJQKA"
SUIT_NAMES = ("clubs", "diamonds", "spades", "hearts")
QUEEN, KING, ACE = 10, 11, 12
CARDS = 52
WORDS = 1 << 13
BITS = np.array([word.bit_count() for word in range(WORDS)], np.int8)  # how many cards are in a word
LOWEST = np.array([(word & -word).bit_length() - 1 for word in range(WORDS)], np.int8)  # the lowest rank, -1: none
HIGHEST = np.array([word.bit_length() - 1 for word in range(WORDS)], np.int8)  # the highest rank, -1: none
MIDDLE = 6  # the rank with as many above it as below
RANKS_ABOVE = np.array(  # the sum of all ranks in a word, each counted from the middle rank
    [sum(rank - MIDDLE for rank in range(13) if word >> rank & 1) for word in range(WORDS)], np.int8
)


def card_text(card):
    """A card as people write it: QS is the queen of spades."""
    return f"{RANKS[card % 13]}{SUITS[card // 13]}"


def card_picture(card):
    """A card with the sign of its suit."""
    return f"{RANKS[card % 13]}{SIGNS[card // 13]}"


def card_in(text):
    """The card that a text names, in capital or small letters or with the sign of the suit; -1: none."""
    word = text.strip().upper().replace("10", "T")
    for sign, suit in zip(SIGNS, SUITS):
        word = word.replace(sign, suit)
    if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
        return -1
    return 13 * SUITS.index(word[1]) + RANKS.index(word[0])


def cards_of(words):
    """The cards of a hand, a word for each suit, from the lowest club to the highest heart."""
    words = words.tolist() if hasattr(words, "tolist") else words
    return [13 * suit + rank for suit in range(4) if words[suit] for rank in range(13) if words[suit] >> rank & 1]


def full_suit(ranks):
    """The word of a whole suit in a deck of so many ranks."""
    return (WORDS - 1) & ~((1 << (13 - ranks)) - 1)


@kernel
def count_of(word):
    """How many cards of a suit are in a word."""
    return np.int64(BITS[word])


@kernel
def lowest_of(word):
    """The lowest rank in a word, -1 if it is empty."""
    return np.int64(LOWEST[word])


@kernel
def highest_of(word):
    """The highest rank in a word, -1 if it is empty."""
    return np.int64(HIGHEST[word])


@kernel
def ranks_above(word):
    """By how many ranks the cards in a word lie above the middle rank, all together."""
    return np.int64(RANKS_ABOVE[word])


@kernel
def all_of(hands, suit):
    """The cards of a suit in all hands."""
    return np.int64(hands[0, suit] | hands[1, suit] | hands[2, suit] | hands[3, suit])


@kernel
def over_all(own, others):
    """The cards in a word that are higher than every card in another."""
    return own & ~((1 << highest_of(others) + 1) - 1)


@kernel
def under_all(own, others):
    """The cards in a word that are lower than every card in another, none if that is empty."""
    return own & ((others & -others) - 1) if others != 0 else 0


@kernel
def standing_of(own, others):
    """In how many pairs of a card in one word and a card in another the first is higher, less those where it is
    lower.
    """
    score, size = 0, count_of(others)
    while own != 0:
        score += 2 * count_of(others & ((1 << lowest_of(own)) - 1)) - size
        own &= own - 1
    return score


@kernel
def held(hands, seat):
    """How many cards a seat holds."""
    return count_of(hands[seat, 0]) + count_of(hands[seat, 1]) + count_of(hands[seat, 2]) + count_of(hands[seat, 3])


@kernel
def deal(hands, ranks, rng):
    """Deal a whole deck of so many ranks to four empty hands."""
    deck, lowest = scratch(CARDS), 13 - ranks
    for i in range(4 * ranks):
        deck[i] = 13 * (i // ranks) + lowest + i % ranks
    shuffle(rng, deck, 4 * ranks)
    for i in range(4 * ranks):
        card = np.int64(deck[i])
        hands[i % 4, card // 13] |= 1 << card % 13
