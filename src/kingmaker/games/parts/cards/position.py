"""Positions of card tables as text, both ways, and what makes a table impossible.

A position is words: the four hands, the trick, the leader, what the seats are known to lack, and what the game adds.
A hand is its clubs, diamonds, spades and hearts with dots between them: `AK2.T9..Q`. The trick is the cards in the
order in which they were laid, or `-`.
"""

from kingmaker.core.errors import BadPosition
from kingmaker.games.parts.cards.cards import RANKS, SUIT_NAMES, SUITS, card_in, card_text, cards_of, held


def written(game, state):
    """The position as one line."""
    order = [(state.leader + ahead) % 4 for ahead in range(state.laid)]
    trick = ",".join(card_text(state.trick[seat]) for seat in order) or "-"
    words = [
        "/".join(hand_text(state.hands[seat]) for seat in range(4)),
        trick,
        str(state.leader),
        ",".join(lack_text(game, state.lacks[seat]) for seat in range(4)),
    ]
    return " ".join([*words, *game.own_words(state)])


def hand_text(words):
    return ".".join(
        "".join(RANKS[rank] for rank in range(12, -1, -1) if int(words[suit]) >> rank & 1) for suit in range(4)
    )


def lack_text(game, bits):
    """The suits that a seat is known to lack, as letters; `q` is the card that is a kind of its own."""
    kinds = SUITS.lower() + ("q" if game.odd >= 0 else "")
    return "".join(kind for number, kind in enumerate(kinds) if int(bits) >> number & 1) or "-"


def read_position(game, text):
    """The state that `written` wrote as this text."""
    words, more = text.split(), len(game.own_names)
    if len(words) != 4 + more:
        names = ", ".join(("hands", "trick", "leader", "lacks", *game.own_names))
        raise BadPosition(f"expected {names} in a position of {game}, got '{text}'")
    state = game.blank()
    game.clear(state)
    read_hands(game, state, words[0])
    state.leader = number(game, words[2], 3, "leader")
    read_trick(game, state, words[1])
    lacks = words[3].split(",")
    if len(lacks) != 4:
        raise BadPosition(f"expected what four seats lack in a position of {game}, got '{words[3]}'")
    kinds = SUITS.lower() + ("q" if game.odd >= 0 else "")
    for seat, letters in enumerate(lacks):
        if letters != "-" and (set(letters) - set(kinds) or not letters):
            raise BadPosition(f"expected suits like {kinds} or - that seat {seat} lacks, got '{letters}' in {game}")
        state.lacks[seat] = sum(1 << kinds.index(letter) for letter in set(letters) - {"-"})
    state.tricks = max(0, (4 * game.ranks - state.laid - sum(held(state.hands, seat) for seat in range(4))) // 4)
    game.read_own(state, words[4:])
    fault = fault_of(game, state)
    if fault:
        raise BadPosition(f"{fault} in the position '{text}' of {game}")
    return state


def number(game, text, most, what):
    """A whole number from 0 to `most`."""
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) <= most):
        raise BadPosition(f"expected 0 to {most} for the {what} in a position of {game}, got '{text}'")
    return int(text)


def numbers(game, text, most, what):
    """Four whole numbers from 0 to `most`, one for each seat."""
    parts = text.split(",")
    if len(parts) != 4:
        raise BadPosition(f"expected four numbers for the {what} in a position of {game}, got '{text}'")
    return [number(game, part, most, what) for part in parts]


def read_words(game, text, what="hand"):
    """A hand, or another set of cards, as one word for each suit."""
    suits = text.split(".")
    if len(suits) != 4:
        raise BadPosition(f"expected four suits with dots between them in a {what} of {game}, got '{text}'")
    words = [0, 0, 0, 0]
    for suit, ranks in enumerate(suits):
        for rank in ranks:
            card = card_in(rank + SUITS[suit])
            if card < 0 or not game.full >> card % 13 & 1:
                raise BadPosition(f"there is no card '{rank}' of {SUIT_NAMES[suit]} in {game}; the ranks are {RANKS}")
            if words[suit] >> card % 13 & 1:
                raise BadPosition(f"the card {card_text(card)} is twice in a {what} of {game}")
            words[suit] |= 1 << card % 13
    return words


def read_hands(game, state, text):
    hands = text.split("/")
    if len(hands) != 4:
        raise BadPosition(f"expected four hands with / between them in a position of {game}, got '{text}'")
    for seat, hand in enumerate(hands):
        state.hands[seat] = read_words(game, hand)


def read_trick(game, state, text):
    cards = [] if text == "-" else text.split(",")
    if len(cards) > 3:
        raise BadPosition(f"expected at most three cards in the trick of a position of {game}, got '{text}'")
    for ahead, word in enumerate(cards):
        card = card_in(word)
        if card < 0 or not game.full >> card % 13 & 1:
            raise BadPosition(
                f"'{word}' is no card in the trick of a position of {game}; write QS for a queen of spades"
            )
        state.trick[(state.leader + ahead) % 4] = card
    state.laid = len(cards)


def fault_of(game, state):
    """Why no match of the game can come to this state, in words; empty if one can."""
    leader, laid, tricks = int(state.leader), int(state.laid), int(state.tricks)
    if not (0 <= leader < 4 and 0 <= laid < 4 and 0 <= tricks <= game.ranks):
        return "the leader, the trick or the number of tricks is out of range"
    order, trick, lacks = [(leader + ahead) % 4 for ahead in range(4)], state.trick.tolist(), state.lacks.tolist()
    words, seen = state.hands.tolist(), set()
    hands = [cards_of(hand) for hand in words]
    for place, seat in enumerate(order):
        card = trick[seat]
        if (card >= 0) != (place < laid) or not -1 <= card < 52:
            return f"seat {seat} has laid card {card}, though {laid} cards lie in the trick"
        if any(word & ~game.full for word in words[seat]):
            return f"seat {seat} holds a card that is not in the deck"
        for each in [*hands[seat], *([card] if card >= 0 else [])]:
            if each in seen:
                return f"the card {card_text(each)} is there twice"
            seen.add(each)
    for place, seat in enumerate(order):
        wanted = game.ranks - tricks - (1 if place < laid else 0)
        if len(hands[seat]) != wanted:
            return f"seat {seat} holds {len(hands[seat])} cards instead of {wanted}; a card is missing or too many"
    if max(lacks) >= 32:
        return "a seat lacks a kind of cards that there is not"
    for seat in range(4):
        for card in hands[seat] if lacks[seat] else ():
            if lacks[seat] >> game.kind(card) & 1:
                return f"seat {seat} holds {card_text(card)}, though it is known to lack it"
    for seat in order[1:laid]:
        led, card = trick[leader] // 13, trick[seat]
        if card // 13 != led and game.kinds_of(led) & ~lacks[seat]:
            return (
                f"seat {seat} laid {card_text(card)} and is not known to lack {SUIT_NAMES[led]}, as if it had revoked"
            )
    gone = [card for card in range(52) if game.full >> card % 13 & 1 and card not in seen]
    return game.own_fault(state, gone)
