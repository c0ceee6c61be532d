"""Cards on a table: faces with suits of our own, backs for what nobody may see, the trick in the middle."""

from typing import Any

from kingmaker.draw.paper import Paper
from kingmaker.draw.parts import banner, disc, turn_of
from kingmaker.games.parts.cards.cards import RANKS, card_text, cards_of, held

WIDE, TALL = 46.0, 64.0
SUITS = (  # clubs, diamonds, spades, hearts, each in a square of 20
    "M10 1.5a4 4 0 0 0-3.4 6.1a4 4 0 1 0 2.4 6.3q0 2.6-2 4.6h6q-2-2-2-4.6a4 4 0 1 0 2.4-6.3a4 4 0 0 0-3.4-6.1z",
    "M10 1l6.500 9-6.500 9-6.500-9z",
    "M10 1q2 4 6 7.5a4 4 0 0 1-5 5.9q0 2.6 2 4.6h-6q2-2 2-4.6a4 4 0 0 1-5-5.9q4-3.5 6-7.5z",
    "M10 18.5q-8-6.5-8-11.5a4.2 4.2 0 0 1 8-2a4.2 4.2 0 0 1 8 2q0 5-8 11.5z",
)
ORDER = (3, 2, 1, 0)  # suits in a hand from the left: hearts, spades, diamonds, clubs


def face(paper: Paper, card: int, x: float, y: float, scale: float = 1.0, laid: bool = False) -> None:
    """A card, its upper left corner at (x, y); suits of -1 are left out."""
    suit, rank = card // 13, card % 13
    colour = "red" if suit in (1, 3) else "black"
    paper.open(transform=f"translate({x:.1f} {y:.1f}) scale({scale:.3f})")
    paper.add("rect", "card edge", width=WIDE, height=TALL, rx=5, stroke_width=1)
    word = RANKS[rank].replace("T", "10")
    paper.write(word, 10, 12, 14, colour, font_weight=700, letter_spacing=-1)
    if card >= 0:
        paper.add("path", colour, d=SUITS[suit], transform="translate(3.500 19.500) scale(.65)")
        paper.add("path", colour, d=SUITS[suit], transform="translate(19 32) scale(1.2)")
    else:
        paper.write(word, 28, 42, 22, colour, font_weight=700)
    paper.close()


def back(paper: Paper, x: float, y: float, scale: float = 1.0) -> None:
    """The back of a card."""
    paper.open(transform=f"translate({x:.1f} {y:.1f}) scale({scale:.3f})")
    paper.add("rect", "back edge", width=WIDE, height=TALL, rx=5, stroke_width=1)
    paper.add("rect", "weave", x=5, y=5, width=WIDE - 10, height=TALL - 10, rx=3, fill="none", stroke_width=1.2)
    paper.add("path", "weave", d="M5 32L23 5L41 32L23 59z", fill="none", stroke_width=1)
    paper.close()


def sorted_hand(words: Any) -> list[int]:
    """The cards of a hand as people hold them: suit by suit, high cards first."""
    return sorted(cards_of(words), key=lambda card: (ORDER.index(card // 13), -(card % 13)))


def draw_table(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    """A table of four, the seat that looks at the bottom."""
    paper.size(640, 604, f"{game.name}: {turn_of(game, state)}")
    banner(paper, game, state, game.title(state))
    paper.add("rect", "felt rim", x=12, y=44, width=616, height=548, rx=36, stroke_width=2)
    bottom = seat or 0
    for ahead in range(4):
        each = (bottom + ahead) % 4
        hand(paper, game, state, each, ahead, seat is None or seat == each or not game.facts.hidden)
        trick(paper, game, state, each, ahead)


def hand(paper: Paper, game: Any, state: Any, seat: int, ahead: int, is_open: bool) -> None:
    """A seat's cards in a row at its side of the table, with its name and score."""
    cards = sorted_hand(state.hands[seat]) if is_open else [-1] * int(held(state.hands, seat))
    across = ahead in (0, 2)
    scale = 1.3 if ahead == 0 else 0.85
    step = min(WIDE * scale + 4, (524 if ahead == 0 else 330) / max(1, len(cards)))
    length = step * max(0, len(cards) - 1) + (WIDE if across else TALL) * scale
    x, y = ((320 - length / 2, 496), (26, 310 - length / 2), (320 - length / 2, 58), (575, 310 - length / 2))[ahead]
    for place, card in enumerate(cards):
        left, top = (x + step * place, y) if across else (x, y + step * place)
        if is_open:
            face(paper, card, left, top, scale)
            last = place == len(cards) - 1
            wide = WIDE * scale if last or not across else step
            tall = TALL * scale if last or across else step
            paper.spot(
                card_text(card), "rect", card_text(card), x=left + 1, y=top + 1, width=wide - 2, height=tall - 2, rx=4
            )
        else:
            back(paper, left, top, scale)
    name(paper, game, state, seat, ahead)


def name(paper: Paper, game: Any, state: Any, seat: int, ahead: int) -> None:
    """A seat's number and score, in front of its cards."""
    said = " ".join(game.score(state, seat).split())
    width = 52 + 8.6 * len(said)
    x, y = ((320, 470), (76 + width / 2, 210), (320, 136), (564 - width / 2, 210))[ahead]
    paper.add("rect", "cell rim", x=x - width / 2, y=y - 15, width=width, height=30, rx=15)
    if game.mover(state) == seat:
        ring(paper, x - width / 2, y - 15, width, 30, 15)
    disc(paper, seat, x - width / 2 + 17, y, 11)
    paper.write(said, x - width / 2 + 34, y, 16, "ink", "start")


def trick(paper: Paper, game: Any, state: Any, seat: int, ahead: int) -> None:
    """The card that a seat has laid, in front of it; the card that was led has a mark."""
    card = int(state.trick[seat])
    dx, dy = ((0, 62), (-84, 0), (0, -62), (84, 0))[ahead]
    x, y = 320 + dx - 0.6 * WIDE, 304 + dy - 0.6 * TALL
    if card < 0:
        paper.add(
            "rect", "rim", x=x, y=y, width=1.2 * WIDE, height=1.2 * TALL, rx=6, fill="none", stroke_dasharray="4 4"
        )
        return
    face(paper, card, x, y, 1.2)
    if seat == state.leader:
        ring(paper, x - 2, y - 2, 1.2 * WIDE + 4, 1.2 * TALL + 4, 7)


def ring(paper: Paper, x: float, y: float, width: float, height: float, corner: float) -> None:
    """A mark around something."""
    looks: dict[str, Any] = {"fill": "none", "stroke": "#e8a200", "stroke_width": 2.3}
    paper.add("rect", x=x, y=y, width=width, height=height, rx=corner, **looks)


def card_spot(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """The card to click; a bid is no card."""
    return (card_text(move),) if int(state.hands[seat, move // 13]) >> move % 13 & 1 else ()
