"""Backgammon as people write it: turns like `24/18 13/11*`, rolls, positions in one line, a board in text."""

import re
from collections import Counter

from kingmaker.core.errors import BadPosition
from kingmaker.core.game import OVER
from kingmaker.core.notation import meant
from kingmaker.games.parts.backgammon.turns import BAR, FIVE

SIGNS = "XO"  # of seat 0 and seat 1
ROWS = 5  # of checkers on one point; more are written as a number
LEFT, RIGHT = (range(13, 19), range(12, 6, -1)), (range(19, 25), range(6, 0, -1))  # points as seat 0 counts
OPENING, TO_ROLL = "-", "-"


def name(point):
    """A point as it is written."""
    return {0: "off", BAR: "bar"}.get(point, str(point))


def number(text):
    """The point that a text names; None if it names none."""
    if text in ("off", "bar"):
        return 0 if text == "off" else BAR
    return int(text) if re.fullmatch(r"[1-9]|1\d|2[0-4]", text) else None


def say_roll(game, state, event):
    """A roll, the larger die first; in the opening roll the die of seat 0, then that of seat 1."""
    large = next(die for die in range(6, 0, -1) if event % 21 >= die * (die - 1) // 2)
    small = event % 21 - large * (large - 1) // 2 + 1
    if state.seat >= 0:
        return f"{large}{small}"
    return f"{large}-{small}" if event < 21 else f"{small}-{large}"


def paths_of(state, move):
    """The ways that checkers go, each a list of points; moves of one checker are joined."""
    paths = []
    steps = [(move >> 5 * step & FIVE, state.dice[min(step, 1)]) for step in range(4)]
    for point, die in sorted((step for step in steps if step[0]), reverse=True):
        path = next((path for path in paths if path[-1] == point), None)
        if path is None:
            paths.append(path := [point])
        path.append(max(point - die, 0))
    return paths


def say_turn(state, seat, move):
    """A turn: points left and reached, `*` where a blot is hit, `(2)` for the same way twice, `pass` for no move."""
    words = Counter(word(state, seat, path) for path in paths_of(state, move))
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in words.items()) or "pass"


def word(state, seat, path):
    """One checker's way; a point in between is named only if it hits there."""
    stars = [point > 0 and state.checkers[1 - seat, BAR - point] == 1 for point in path]
    shown = [
        name(point) + "*" * (star and at > 0)
        for at, (point, star) in enumerate(zip(path, stars))
        if star or at in (0, len(path) - 1)
    ]
    return "/".join(shown)


def change(text):
    """How a written turn changes the number of checkers on every point; None if it cannot be read."""
    found = Counter()
    for each in text.lower().replace("*", "").split():
        way = re.fullmatch(r"([\w/]+?)(?:\((\d)\))?", each)
        points = [number(point) for point in way[1].split("/")] if way else []
        if len(points) < 2 or None in points:
            return None
        found[points[0]] -= int(way[2] or 1)
        found[points[-1]] += int(way[2] or 1)
    return {point: count for point, count in found.items() if count}


def turn_meant(game, state, seat, text):
    """The legal turn that a person wrote, in any order of words, joined or not, with or without stars."""
    said = {say_turn(state, seat, move): move for move in game.legal(state, seat)}
    wanted = None if text.strip().lower() in said else change(text)
    alike = [each for each in said if wanted and change(each) == wanted]
    return meant(said, alike[0] if len(alike) == 1 else text)


def picture(game, state):
    """The board as seat 0 sees it, its points numbered; X are the checkers of seat 0, O those of seat 1."""
    lines = [numbers(0), frame()]
    lines += [row_of(state, 0, row) for row in range(ROWS)]
    lines += [f"|{'':18}|   |{'':18}|"]
    lines += [row_of(state, 1, row) for row in reversed(range(ROWS))]
    lines += [frame(), numbers(1)]
    if game.mover(state) == OVER:
        return "\n".join([*lines, "the match is over"])
    to_move = "the opening roll is to come" if state.seat < 0 else f"{SIGNS[state.seat]} is to roll"
    large, small = state.dice.tolist()
    return "\n".join([*lines, f"{SIGNS[state.seat]} is to move with {large} and {small}" if large else to_move])


def numbers(half):
    """The numbers above or below the board."""
    left, right = ("".join(f"{point:>3}" for point in side[half]) for side in (LEFT, RIGHT))
    return f" {left}     {right}"


def frame():
    return f"+{'-' * 18}+---+{'-' * 18}+"


def row_of(state, half, row):
    """One row of checkers, counted from the edge of the board, with those on the bar and borne off."""
    left, right = ("".join(f"{sign(state, point, row):>3}" for point in side[half]) for side in (LEFT, RIGHT))
    seat = 1 - half  # the upper half of the bar holds seat 1's checkers, which enter there
    bar = heap(state.checkers[seat, BAR], ROWS - 1 - row, SIGNS[seat])
    off = state.checkers[seat, 0]
    return f"|{left}|{bar:^3}|{right}|" + (f"  {SIGNS[seat]} off {off}" if off and row == 0 else "")


def sign(state, point, row):
    """What stands in one row of a point as seat 0 counts."""
    seat = 0 if state.checkers[0, point] else 1
    return heap(state.checkers[seat, point if seat == 0 else BAR - point], row, SIGNS[seat]) or "."


def heap(count, row, letter):
    """One of several checkers on top of each other: the last row tells the number if there are more."""
    if row == ROWS - 1 and count > ROWS:
        return str(count)
    return letter if row < count else ""


def write_position(state):
    """The checkers of seat 0 and of seat 1 as each counts, the dice or `-`, the seat or `-` before the opening roll."""
    sides = [
        ",".join(f"{name(point)}:{row[point]}" for point in range(BAR, -1, -1) if row[point])
        for row in state.checkers.tolist()
    ]
    large, small = state.dice.tolist()
    return (
        f"{sides[0]} {sides[1]} {f'{large}{small}' if large else TO_ROLL} {OPENING if state.seat < 0 else state.seat}"
    )


def read_position(game, text):
    """The state that a position's text describes; each rule that it breaks has its own sentence."""
    parts = text.split()
    if len(parts) != 4:
        raise BadPosition(
            f"expected the checkers of both seats, dice and seat in a position of {game}, got '{text}'; "
            f"the first is {write_position(game.new())}"
        )
    state = game.blank()
    for seat in range(2):
        read_side(game, state.checkers[seat], seat, parts[seat])
    for point in range(1, BAR):
        if state.checkers[0, point] and state.checkers[1, BAR - point]:
            raise BadPosition(f"both seats have checkers on point {point} of seat 0 in a position of {game}")
    if state.checkers[0, 0] == state.checkers[1, 0] == game.checkers:
        raise BadPosition(f"both seats have borne off all checkers in a position of {game}")
    read_dice(game, state, parts[2])
    if parts[3] not in ("0", "1", OPENING):
        raise BadPosition(
            f"expected seat 0, 1 or '-' before the opening roll in a position of {game}, got '{parts[3]}'"
        )
    state.seat = -1 if parts[3] == OPENING else int(parts[3])
    if state.seat < 0 and state.dice[0]:
        raise BadPosition(f"nobody has begun, but the dice are rolled in a position of {game}; name the seat to move")
    return state


def read_side(game, row, seat, text):
    """Read `24:2,13:5`: points with the number of checkers on them."""
    for each in text.split(","):
        point, _, count = each.partition(":")
        at = number(point)
        if at is None or not re.fullmatch(r"\d{1,2}", count):
            raise BadPosition(f"expected a point with its checkers like 13:5 in a position of {game}, got '{each}'")
        if row[at]:
            raise BadPosition(f"expected every point once in a position of {game}, got {point} again for seat {seat}")
        row[at] = int(count)
    if row.sum() != game.checkers:
        raise BadPosition(f"expected {game.checkers} checkers of seat {seat} in a position of {game}, got {row.sum()}")


def read_dice(game, state, text):
    """Read `31`, the larger die first or last, or `-` before the roll."""
    if text == TO_ROLL:
        return
    if not re.fullmatch("[1-6][1-6]", text):
        raise BadPosition(f"expected two dice from 1 to 6 like 31, or '-', in a position of {game}, got '{text}'")
    state.dice[:] = sorted(map(int, text), reverse=True)
