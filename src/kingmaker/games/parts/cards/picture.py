"""The picture of a card table: the hands sorted by suit, the trick as it lies on the table, and the scores."""

from kingmaker.games.parts.cards.cards import RANKS, SIGNS, card_picture, held

WIDTH = 44  # columns for a hand


def picture_of(game, state, eyes):
    """The table as the seat `eyes` sees it from its place at the bottom; None: the referee, who sees all hands."""
    return "\n".join([*table(game, state, eyes or 0), "", *(row(game, state, seat, eyes) for seat in range(4))])


def row(game, state, seat, eyes):
    """A seat's hand and score in one line; a hidden hand is a number of cards."""
    open_hand = eyes is None or eyes == seat or not game.facts.hidden
    mark = ">" if game.mover(state) == seat else " "
    hand = hand_picture(state.hands[seat]) if open_hand else hidden_hand(game, state, seat)
    own = "*" if eyes == seat else " "
    return f"{mark} seat {seat}{own} {hand:<{WIDTH}} {game.score(state, seat)}"


def hand_picture(words):
    """A hand sorted by suit, from high to low."""
    suits = []
    for suit in range(4):
        ranks = "".join(RANKS[rank] for rank in range(12, -1, -1) if int(words[suit]) >> rank & 1)
        if ranks:
            suits.append(f"{SIGNS[suit]} {ranks}")
    return "  ".join(suits) or "no cards"


def hidden_hand(game, state, seat):
    """How many cards a seat holds, and which suits everybody knows it lacks."""
    count = held(state.hands, seat)
    missing = "".join(SIGNS[suit] for suit in range(4) if int(state.lacks[seat]) >> suit & 1)
    return f"{count} card{'' if count == 1 else 's'}{', no ' + missing if missing else ''}"


def table(game, state, bottom):
    """The cards of the trick in front of the seats that laid them, `bottom` nearest to us."""
    left, top, right = ((bottom + ahead) % 4 for ahead in (1, 2, 3))

    def card(seat):
        laid = int(state.trick[seat])
        return card_picture(laid) + ("*" if seat == state.leader else " ") if laid >= 0 else "·  "

    title = game.title(state)
    return [
        f"{title:<26}seat {top}",
        f"{'':<27}{card(top)}",
        f"{'':<14}seat {left}  {card(left)}       {card(right)} seat {right}",
        f"{'':<27}{card(bottom)}",
        f"{'':<26}seat {bottom}",
    ]
