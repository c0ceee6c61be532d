"""Moves in algebraic notation (Nf3, exd6, O-O, e8=Q+), written and read, and the rule that an illegal move breaks.

S. Edwards. Portable Game Notation Specification and Implementation Guide, section 8.2.3. 1994.
"""

import re

from kingmaker.core.errors import IllegalMove
from kingmaker.games.parts.chess.board import (
    BETWEEN,
    BISHOP,
    KING,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    LAST_RANKS,
    MATE,
    PAWN,
    PAWN_STEPS,
    ROOK,
    SLANTED,
    STRAIGHT,
    attackers,
    kind_at,
)
from kingmaker.games.parts.chess.fen import LETTERS, NAMES, SEATS, move_name, square_from, square_name
from kingmaker.games.parts.grid import BIT

COORDINATES = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrqNBRQ]?)")
ALGEBRAIC = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([NBRQnbrq]))?")
CASTLING = re.compile(r"[Oo0]-[Oo0](-[Oo0])?")


def san(game, state, move):
    """A legal move in algebraic notation."""
    start, to = move & 63, (move >> 6) & 63
    kind = kind_at(state, start)
    if kind == KING and abs(to - start) == 2:
        text = "O-O" if to > start else "O-O-O"
    elif kind == PAWN:
        text = ("" if start & 7 == to & 7 else f"{square_name(start)[0]}x") + square_name(to)
        text += f"={LETTERS[move >> 12].upper()}" if move >> 12 else ""
    else:
        capture = "x" if (state.sides[0] | state.sides[1]) & BIT[to] else ""
        text = LETTERS[kind].upper() + origin(game, state, kind, start, to) + capture + square_name(to)
    after = game.copy(state)
    game.play(after, state.seat, move)
    return text + ("" if not after.check else "#" if after.over == MATE else "+")


def origin(game, state, kind, start, to):
    """The part of the start square that tells the piece from others of its kind that can go there: nothing, file, rank
    or both.
    """
    name = square_name(start)
    if not reach(kind, to) & state.pieces[kind] & state.sides[state.seat] & ~BIT[start]:
        return ""
    others = {
        move & 63 for move in game.legal(state) if (move >> 6) & 63 == to and kind_at(state, move & 63) == kind
    } - {start}
    if not others:
        return ""
    if all(other & 7 != start & 7 for other in others):
        return name[0]
    return name[1] if all(other >> 3 != start >> 3 for other in others) else name


def read_move(game, state, text):
    """The legal move behind algebraic notation or coordinates; an illegal move is refused with the rule that it breaks.

    Letters may be large or small if only one move can be meant: bxc3 is a pawn's move, Bxc3 a bishop's, BXC3 the one of
    the two that is legal.
    """
    plain = text.strip().rstrip("+#!?")
    legal = set(game.legal(state))
    readings = [meant(state, plain)]
    if not legal.intersection(readings[0]):
        small = plain.lower()
        readings += [meant(state, small), meant(state, small[:1].upper() + small[1:])]
    found = sorted({move for reading in readings for move in reading} & legal)
    if len(found) == 1:
        return found[0]
    if found:
        raise IllegalMove(f"'{text}' can be {', '.join(move_name(move) for move in found)}; say which")
    wrong = next((reading for reading in readings if reading), [])
    if len(wrong) == 1:
        raise IllegalMove(f"'{text}' is illegal: {fault(state, wrong[0])}")
    match = ALGEBRAIC.fullmatch(plain)
    if not match:
        raise IllegalMove(f"cannot read '{text}' as a chess move; write it like Nf3, exd5, O-O, e8=Q or g1f3")
    kind = NAMES[LETTERS.index(match.group(1).lower() or "p")]
    raise IllegalMove(
        f"no {kind} of {SEATS[state.seat]} can go to {match.group(4)}{the_check(state)}, as '{text}' asks for"
    )


def meant(state, text):
    """The moves, legal or not, that a text may stand for."""
    if castling := CASTLING.fullmatch(text):
        king = 4 + 56 * state.seat
        return [king | (king - 2 if castling.group(1) else king + 2) << 6]
    if coordinates := COORDINATES.fullmatch(text):
        start, to, promoted = coordinates.groups()
        starts = [start]
    elif match := ALGEBRAIC.fullmatch(text):
        letter, file, rank, to, promoted = match.groups()
        if not letter and file == to[0]:
            return []  # a pawn's file is written only for a capture
        movers = state.sides[state.seat] & state.pieces[LETTERS.index(letter.lower()) if letter else PAWN]
        squares = (f"{f}{r}" for f in file or ("abcdefgh" if letter else to[0]) for r in rank or "12345678")
        starts = [square for square in squares if movers & BIT[square_from(square)]]
    else:
        return []
    promotion = LETTERS.index(promoted.lower()) if promoted else 0
    return [square_from(start) | square_from(to) << 6 | promotion << 12 for start in starts]


def the_check(state):
    return f" while {SEATS[state.seat]} is in check" if state.check else ""


def fault(state, move):
    """The rule that an illegal move breaks, as half a sentence."""
    start, to, promotion = move & 63, (move >> 6) & 63, move >> 12
    seat = state.seat
    us, taken = state.sides[seat], state.sides[0] | state.sides[1]
    here, there = square_name(start), square_name(to)
    if state.over:
        return "the game is over"
    if not us & BIT[start]:
        return (
            f"there is no piece on {here}" if not taken & BIT[start] else f"the piece on {here} is {SEATS[1 - seat]}'s"
        )
    kind = kind_at(state, start)
    name = NAMES[kind]
    if kind == KING and abs(to - start) == 2 and start == 4 + 56 * seat:
        return castling_fault(state, start, to)
    if us & BIT[to]:
        return f"{there} holds a piece of the same side"
    if promotion and kind != PAWN:
        return f"a {name} cannot be promoted"
    if kind == PAWN and pawn_fault(state, start, to):
        return pawn_fault(state, start, to)
    if kind != PAWN and not reach(kind, start) & BIT[to]:
        return f"a {name} does not go from {here} to {there}"
    if BETWEEN[start * 64 + to] & taken:
        return f"the way from {here} to {there} is blocked"
    if kind == PAWN and LAST_RANKS & BIT[to] and not promotion:
        return "a pawn on the last rank must become a knight, bishop, rook or queen"
    if promotion and not LAST_RANKS & BIT[to]:
        return "a pawn is promoted only on the last rank"
    if kind == KING:
        return f"{there} is attacked"
    return (
        f"{SEATS[seat]} is in check and this does not end it"
        if state.check
        else f"the {name} on {here} may not leave its king open to check"
    )


def reach(kind, start):
    """Where a piece could go on an empty board."""
    if kind in (KNIGHT, KING):
        return (KNIGHT_STEPS if kind == KNIGHT else KING_STEPS)[start]
    return STRAIGHT[start] if kind == ROOK else SLANTED[start] if kind == BISHOP else STRAIGHT[start] | SLANTED[start]


def pawn_fault(state, start, to):
    """What is wrong with a pawn's move; empty if nothing."""
    seat, way = state.seat, 8 - 16 * state.seat
    if PAWN_STEPS[seat * 64 + start] & BIT[to]:
        captures = state.sides[1 - seat] & BIT[to] or to == state.passing
        return "" if captures else f"there is nothing to capture on {square_name(to)}"
    if to == start + way or (to == start + 2 * way and start >> 3 == (1, 6)[seat]):
        blocked = (state.sides[0] | state.sides[1]) & BIT[to]
        return f"a pawn cannot go straight to {square_name(to)}, which is occupied" if blocked else ""
    return f"a pawn does not go from {square_name(start)} to {square_name(to)}"


def castling_fault(state, start, to):
    seat, short = state.seat, to > start
    taken = state.sides[0] | state.sides[1]
    if not state.rights >> (2 * seat + (0 if short else 1)) & 1:
        return f"{SEATS[seat]} has lost the right to castle {'short' if short else 'long'}"
    if BETWEEN[start * 64 + (start + 3 if short else start - 4)] & taken:
        return "there is a piece between king and rook"
    if state.check:
        return "the king may not castle out of check"
    crossed = [square_name(s) for s in ((start + to) // 2, to) if attackers(state, s, seat, taken)]
    return f"the king may not castle across {crossed[0]}, which is attacked"
