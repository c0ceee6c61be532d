"""Positions of Go Fish as text, both ways, and what makes a position impossible.

A position is six words: the hands, the pool, the books, the turn, all cards that were dealt or drawn in the order of
time, and what all know of several of them.
"""

import re

import numpy as np

from kingmaker.core.errors import BadPosition
from kingmaker.games.parts.go_fish.hidden import ALL_RANKS, BY, CARDS, FROM, RANK, SUITS, TO, is_known
from kingmaker.games.parts.go_fish.index import note_all

NAMES = "23456789TJQKA"
CARD = re.compile(r"(\d)([2-9TJQKA])(!|-[2-9TJQKA]+)?")
TELLING = re.compile(r"([2-9TJQKA])([1-4]|\+)@(\d{1,2})-(\d{1,2})(?:\+(\d{1,2}))?")
TURN = re.compile(r"(\d)(\+?)([2-9TJQKA]?)")
WORDS = "hands, pool, books, turn, cards and tellings"


def written(game, state):
    """The position as one line."""
    hands = "/".join(ranks_of(game, state.hands[seat]) or "-" for seat in range(game.seats))
    turn = f"{state.seat}{'+' if state.draws else ''}{NAMES[state.asked - 1] if state.asked else ''}"
    rows = zip(by_place(state.owner), by_place(state.card), by_place(state.excluded))
    cards = ",".join(card_text(*row) for row, _ in zip(rows, range(state.filled)))
    told = ",".join(telling_text(state, at) for at in range(state.tellings))
    books = ",".join(map(str, state.books.tolist()))
    return f"{hands} {ranks_of(game, state.pool) or '-'} {books} {turn} {cards or '-'} {told or '-'}"


def ranks_of(game, counts):
    return "".join(NAMES[rank] * int(counts[rank]) for rank in range(game.ranks))


def by_place(words):
    """A number for each place, of which `words` have a binary digit each."""
    digits = np.array(words)[:, None] >> np.arange(CARDS) & 1
    return (digits << np.arange(len(words))[:, None]).sum(0).tolist()


def by_digit(numbers, words):
    """Write a number for each place into `words`, a binary digit into each."""
    for digit in range(len(words)):
        words[digit] = sum((number >> digit & 1) << place for place, number in enumerate(numbers))


def card_text(owner, card, excluded):
    """The owner and the rank, and what all know: `!` that it is this, or `-` and the ranks that it is not."""
    names = "".join(NAMES[rank] for rank in range(13) if excluded >> rank & 1)
    known = "!" if excluded == ALL_RANKS else f"-{names}" if names else ""
    return f"{owner - 1}{NAMES[card]}{known}"


def telling_text(state, at):
    """`K2@3-17`: two kings were among the cards 3 to 17 of the owner of card 17; `K+`: one at least; `+9` at the end:
    and one of them was before card 9.
    """
    code, first, last, by = state.told[at].tolist()
    count = code >> 4
    return f"{NAMES[code & 15]}{count or '+'}@{first}-{last}{f'+{by}' if count and by else ''}"


def read_position(game, text):
    """The state that `written` wrote as this text."""
    words = text.split()
    if len(words) != 6:
        raise BadPosition(f"expected {WORDS} in a position of {game}, got '{text}'")
    state, hands = game.blank(), words[0].split("/")
    if len(hands) != game.seats:
        raise BadPosition(f"expected {game.seats} hands with / between them in a position of {game}, got '{words[0]}'")
    for seat, hand in enumerate(hands):
        read_ranks(game, state.hands[seat], hand)
    read_ranks(game, state.pool, words[1])
    books = words[2].split(",")
    if len(books) != game.seats or not all(book.isascii() and book.isdigit() and len(book) < 3 for book in books):
        raise BadPosition(f"expected {game.seats} numbers of books in a position of {game}, got '{words[2]}'")
    state.books[:] = [int(book) for book in books]
    turn = TURN.fullmatch(words[3])
    if not turn or (turn[3] and not turn[2]):
        raise BadPosition(f"expected a seat, + if it draws, and the rank asked for, like 0+K, got '{words[3]}'")
    state.seat, state.draws = int(turn[1]), 1 if turn[2] else 0
    state.asked = NAMES.index(turn[3]) + 1 if turn[3] else 0
    read_cards(state, [] if words[4] == "-" else words[4].split(","))
    read_tellings(state, [] if words[5] == "-" else words[5].split(","))
    note_all(state)
    fault = fault_of(game, state)
    if fault:
        raise BadPosition(f"{fault} in the position '{text}' of {game}")
    return state


def read_ranks(game, counts, text):
    """Count the cards of a hand or of the pool."""
    for name in text if text != "-" else "":
        rank = NAMES.find(name)
        if not 0 <= rank < game.ranks:
            raise BadPosition(f"there is no card '{name}' in {game}; the ranks are {NAMES[: game.ranks]}")
        counts[rank] = min(counts[rank] + 1, 100)


def read_cards(state, texts):
    if len(texts) > CARDS:
        raise BadPosition(f"expected at most {CARDS} cards dealt and drawn, got {len(texts)}")
    owners, ranks, exclusions = [], [], []
    for place, text in enumerate(texts):
        found = CARD.fullmatch(text)
        if not found:
            raise BadPosition(f"'{text}' is no card; write 0K for a king of seat 0, 0K! if all know it, 0K-7 for no 7")
        rank, known = NAMES.index(found[2]), found[3] or ""
        excluded = ALL_RANKS if known == "!" else sum(1 << NAMES.index(name) for name in set(known[1:]))
        if excluded == ALL_RANKS and known != "!":
            raise BadPosition(f"card {place} of seat {found[1]} is a {NAMES[rank]}, though all know that it is not")
        owners.append((int(found[1]) + 1) % 8)
        ranks.append(rank)
        exclusions.append(ALL_RANKS if is_known(excluded) and not excluded >> rank & 1 else excluded)
    by_digit(owners, state.owner)
    by_digit(ranks, state.card)
    by_digit(exclusions, state.excluded)
    state.filled = len(texts)


def read_tellings(state, texts):
    if len(texts) > CARDS:
        raise BadPosition(f"expected at most {CARDS} tellings, got {len(texts)}")
    for at, text in enumerate(texts):
        found = TELLING.fullmatch(text)
        if not found:
            raise BadPosition(f"'{text}' is no telling; write K2@3-17 for two kings among the cards 3 to 17")
        count = 0 if found[2] == "+" else int(found[2])
        by = int(found[5] or 0) if count else int(found[4]) + 1
        state.told[at] = (NAMES.index(found[1]) | count << 4, int(found[3]), int(found[4]), by)
    state.tellings = len(texts)


def fault_of(game, state):
    """Why no match of the game can come to this state, in words; empty if one can."""
    if not (0 <= state.seat < game.seats and state.draws in (0, 1) and 0 <= state.asked <= game.ranks):
        return "the seat to move or the rank asked for is out of range"
    if not (0 <= state.filled <= SUITS * game.ranks and 0 <= state.tellings <= CARDS):
        return f"more cards or tellings than there are, {state.filled} and {state.tellings},"
    return (
        counting_fault(game, state)
        or knowing_fault(game, state)
        or noting_fault(game, state)
        or turn_fault(game, state)
    )


def counting_fault(game, state):
    """Why the cards cannot be where they are."""
    hands, pool, filled = state.hands.tolist(), state.pool.tolist(), int(state.filled)
    cards, owners = by_place(state.card)[:filled], by_place(state.owner)[:filled]
    words = [*state.card.tolist(), *state.owner.tolist(), *state.excluded.tolist()]
    if any(rank >= game.ranks for rank in cards) or any(word >> filled for word in words):
        return f"a card that is not in the deck, or more than {filled} cards"
    if any(not 1 <= owner <= game.seats for owner in owners):
        return f"a card was dealt to a seat that is not there; the seats are 0 to {game.seats - 1}"
    for seat, hand in enumerate(hands):
        for rank, count in enumerate(hand):
            if count >= SUITS:
                return f"seat {seat} holds {count} cards of rank {NAMES[rank]}, which are a book and must be laid down"
            if count < 0 or (count and rank >= game.ranks):
                return f"seat {seat} holds cards that are not in the deck"
    gone = 0
    for rank in range(game.ranks):
        left, count = SUITS - cards.count(rank), sum(hand[rank] for hand in hands)
        if pool[rank] != left:
            return f"the pool has {pool[rank]} cards of rank {NAMES[rank]} instead of the {left} that nobody was dealt"
        if count + left not in ((SUITS, 0) if left == 0 else (SUITS,)):
            return f"{count + left} cards of rank {NAMES[rank]} are there instead of 4; a card is missing or too many"
        gone += count + left == 0
    if sum(state.books.tolist()) != gone or min(state.books.tolist()) < 0 or any(pool[game.ranks :]):
        return f"the seats have {sum(state.books.tolist())} books, but {gone} ranks are gone"
    return ""


def knowing_fault(game, state):
    """Why what all know cannot be true."""
    owners, cards, words = by_place(state.owner), by_place(state.card), by_place(state.excluded)
    for place, (owner, card, word) in enumerate(zip(owners[: state.filled], cards, words)):
        if word >> card & 1 and word != ALL_RANKS:
            return f"card {place} of seat {owner - 1} is a {NAMES[card]}, though all know that it is not"
        if word >> game.ranks and word != ALL_RANKS:
            return f"card {place} of seat {owner - 1} is known not to be of a rank that is not in the deck"
        if is_known(word) and word != ALL_RANKS:
            return f"card {place} of seat {owner - 1} can only be a {NAMES[card]}, but is not marked as known"
    told = state.told.tolist()
    if any(map(any, told[state.tellings :])):
        return f"there are more than {state.tellings} tellings"
    for telling in told[: state.tellings]:
        rank, count, first, last = telling[RANK] & 15, telling[RANK] >> 4, telling[FROM], telling[TO]
        if not (rank < game.ranks and 0 <= count <= SUITS and 0 <= first <= last < state.filled):
            return f"a telling is about cards {first} to {last}, but {state.filled} were dealt or drawn"
        if not 0 <= telling[BY] <= last + 1 or (not count and telling[BY] != last + 1):
            return f"a telling about cards {first} to {last} speaks of card {telling[BY]}"
        seat, its = owners[last] - 1, (owners[last], rank)
        found = [
            place
            for place in range(first, last + 1)
            if (owners[place], cards[place]) == its and not words[place] >> rank & 1
        ]
        if count and len(found) != count:
            return (
                f"seat {seat} got {len(found)} cards of rank {NAMES[rank]} as cards {first} to {last}, "
                f"but its answers and books tell of {count}"
            )
        if telling[BY] and not any(place < telling[BY] for place in found):
            return f"seat {seat} asked for {NAMES[rank]} without a card of that rank before card {telling[BY]}"
    return ""


def noting_fault(game, state):
    """Why a field that follows from the others does not."""
    noted = game.copy(state)
    note_all(noted)
    for name in ("held", "seen", "heard"):
        if noted[name].tolist() != state[name].tolist():
            return f"the ranks {name}, {state[name].tolist()}, do not follow from cards and tellings"
    return ""


def turn_fault(game, state):
    """Why it cannot be the turn of the seat."""
    seat, cards = int(state.seat), game.size(state, state.seat)
    if game.open_books(state) == 0:
        return ""
    if not state.draws:
        return (
            "" if cards and game.has_target(state, seat) else f"seat {seat} is to ask without cards or anybody to ask"
        )
    if game.pool_size(state) == 0:
        return f"seat {seat} is to draw from an empty pool"
    if state.asked and not state.hands[seat, state.asked - 1]:
        return f"seat {seat} has asked for {NAMES[state.asked - 1]} without a card of that rank"
    return f"seat {seat} has cards and draws without having asked" if cards and not state.asked else ""
