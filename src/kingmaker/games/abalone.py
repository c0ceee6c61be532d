"""Abalone: push six of the others' marbles off the board.

A seat moves one, two or three of its marbles that lie in a line, one cell: along the line, or sideways onto empty
cells. Along the line two push one and three push one or two marbles of other colours, mixed or not, if behind them is
an empty cell or the edge. A seat that cannot move passes. After `rounds` moves of every seat the match ends, and the
point is shared by those who pushed off the most.

The marbles of a seat are the bits of one machine word, and rotating the word moves all of them one step, so a state is
24 or 32 bytes.
"""

import numpy as np

from kingmaker.core.errors import BadPosition, IllegalMove
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.abalone.best_moves import SIX, WAYS
from kingmaker.games.parts.abalone.estimates import Pushed, Standing
from kingmaker.games.parts.grid import BIT, ONE
from kingmaker.games.parts.hexes import BOARD, INSIDE, NAMES, NOTHING, NUMBERS, ROWS, ahead, behind, first, lowest, runs
from kingmaker.games.parts.rows import cells_of
from kingmaker.games.parts.turn_text import read_turn

LAYOUTS = {  # seats, and rows from the top; a moves first
    "belgian": (2, "aa1bb/aaabbb/1aa1bb1/8/9/8/1bb1aa1/bbbaaa/bb1aa"),
    "standard": (2, "bbbbb/bbbbbb/2bbb2/8/9/8/2aaa2/aaaaaa/aaaaa"),
    "german": (2, "5/aa2bb/aaa1bbb/1aa2bb1/9/1bb2aa1/bbb1aaa/bb2aa/5"),
    "edges": (3, "bb1cc/bb2cc/bb3cc/bb4cc/bb5cc/b6c/7/aaaaaa/aaaaa"),
}
USUAL = {2: "belgian", 3: "edges"}
MARBLES = {2: 14, 3: 11}
TOUCHING = {2: 29, 3: 21}  # pairs of neighbours that so many marbles can form at most
LETTERS = "abc"
DIGITS = [*"0123456"]  # how marbles pushed off are counted
PASS = 7 << 9  # other moves: cell, way << 6, kind << 9; kind 0 along the line, 1 to 3 a pair sideways, 4 to 6 three


class Abalone(Game):
    """Push marbles, stay together, keep to the middle."""

    estimates = (Pushed(), Standing())

    def __init__(self, seats=2, layout="", rounds=200):
        self.seats, self.layout, self.rounds = seats, layout, rounds
        self.require(seats in USUAL, f"expected 2 or 3 seats, got {seats}")
        fitting = [name for name, (number, _) in LAYOUTS.items() if number == seats]
        self.require(
            layout in ("", *fitting), f"expected for {seats} seats the layout {' or '.join(fitting)}, got '{layout}'"
        )
        self.require(isinstance(rounds, int) and 1 <= rounds <= 1000, f"expected 1 to 1000 rounds, got {rounds}")
        self.facts = Facts(seats=(2, 3), out_of_turn=True, low=0.0, high=1.0, total=1.0, constant_sum=True)
        self.marbles = MARBLES[seats]
        self.touching = TOUCHING[seats]
        # a marble is the end of at most six lines; each pair, and each row of three, moves sideways in four ways
        self.max_moves = 6 * self.marbles + 8 * self.touching
        self.longest = rounds * seats
        self.State = np.dtype(
            [
                ("marbles", np.uint64, (seats,)),  # bit n: a marble on the cell with the number n
                ("pushed", np.int8, (seats,)),  # marbles of others that the seat pushed off
                ("seat", np.int8),
                ("over", np.int8),
                ("age", np.int16),  # moves since the start
            ],
            align=True,
        )

    def start(self, state, rng):
        self.read_board(state, LAYOUTS[self.layout or USUAL[self.seats]][1])

    def mover(self, state):
        return state.seat if state.over == 0 else OVER

    def others(self, state, seat):
        """The marbles that are not the seat's own."""
        cells = NOTHING
        for other in range(self.seats):
            if other != seat:
                cells |= state.marbles[other]
        return cells

    def moves(self, state, seat, out):
        """Pushes first, then moves along a line, then sideways."""
        own, others = state.marbles[seat], self.others(state, seat)
        free, opened = BOARD & ~(own | others), scratch(WAYS)
        count = 0
        for way in range(WAYS):
            opened[way] = behind(free, way)
            one = behind(others & (opened[way] | ~INSIDE[way]), way)  # cells in front of which a marble can be pushed
            pair = behind(others & one, way)
            if own & (one | pair) != NOTHING:
                two = own & behind(own & one, way)
                three = own & behind(two | (own & behind(own & pair, way)), way)
                count = self.list_all(two | three, way << 6, out, count)
        for way in range(WAYS):
            one = own & opened[way]
            two = own & behind(one, way)
            count = self.list_all(one | two | (own & behind(two, way)), way << 6, out, count)
        for axis in range(3):
            count = self.sideways(own, opened, axis, out, count)
        if count == 0:
            out[0] = PASS
            count = 1
        return count

    def sideways(self, own, opened, axis, out, count):
        pairs = own & behind(own, axis)
        threes = pairs & behind(pairs, axis)
        for way in range(WAYS):
            if way != axis and way != axis + 3:
                both = pairs & opened[way] & behind(opened[way], axis)
                count = self.list_all(both, way << 6 | (1 + axis) << 9, out, count)
                if threes & both != NOTHING:
                    count = self.list_all(threes & both & behind(both, axis), way << 6 | (4 + axis) << 9, out, count)
        return count

    def list_all(self, cells, code, out, count):
        """List a move for each cell of a set."""
        while cells != NOTHING:
            out[count] = code | first(cells)
            count += 1
            cells &= cells - ONE
        return count

    def play(self, state, seat, move):
        cell, way, kind = BIT[move & 63], move >> 6 & 7, move >> 9
        if kind == 0:
            self.advance(state, seat, cell, way)
        elif move != PASS:
            group = self.group(cell, kind)
            state.marbles[seat] = state.marbles[seat] & ~group | ahead(group, way)
        state.age += 1
        state.seat = seat + 1 if seat + 1 < self.seats else 0
        if state.pushed[seat] >= SIX or state.age >= self.longest:
            state.over = 1

    def group(self, cell, kind):
        """The two or three marbles that move sideways."""
        axis = kind - 1 if kind < 4 else kind - 4
        second = ahead(cell, axis)
        return cell | second | ahead(second, axis) if kind >= 4 else cell | second

    def advance(self, state, seat, cell, way):
        """Move the line that begins with a cell, and the marbles that it pushes."""
        own = state.marbles[seat] & ~cell
        front = ahead(cell, way)
        while front & own != NOTHING:
            front = ahead(front, way)
        state.marbles[seat] = own | front
        line, others = NOTHING, self.others(state, seat)
        while front & others != NOTHING:
            line |= front
            front = ahead(front, way)
        if line != NOTHING:
            for other in range(self.seats):
                if other != seat:
                    moved = state.marbles[other] & line
                    state.marbles[other] = state.marbles[other] & ~line | ahead(moved, way)
            if front == NOTHING:
                state.pushed[seat] += 1

    def admits(self, state):
        """No seat has more marbles than at the start, and no two marbles lie on one cell."""
        taken, board, pushed = 0, int(BOARD), state.pushed.tolist()
        for cells in state.marbles.tolist():
            if cells.bit_count() > self.marbles or cells & taken or cells & ~board:
                return False
            taken |= cells
        ended = max(pushed) >= SIX or state.age >= self.longest
        return (
            0 <= state.seat < self.seats
            and min(pushed) >= 0
            and max(pushed) <= SIX
            and 0 <= state.age <= self.longest
            and state.over == ended
        )

    def turn_to(self, state, seat):
        state.seat = seat

    def payoff(self, state, out):
        """One point: to the seat that pushed off six, or shared by the seats that pushed off the most."""
        most, sharing = 0, 0
        for seat in range(self.seats):
            most = max(most, state.pushed[seat])
        for seat in range(self.seats):
            if state.pushed[seat] == most:
                sharing += 1
        for seat in range(self.seats):
            out[seat] = 1.0 / sharing if state.pushed[seat] == most else 0.0

    def sign(self, state, cell):
        """The letter of the seat whose marble lies on a cell."""
        return next((LETTERS[seat] for seat in range(self.seats) if state.marbles[seat] & BIT[cell]), ".")

    def show(self, state):
        """Marbles are A, B, C; to the left the letters of the rows, below the numbers of the diagonals."""
        lines = []
        for row, cells in enumerate(ROWS):
            signs = " ".join(self.sign(state, cell).upper() for cell in cells)
            number = f" {int(NAMES[cells[-1]][1]) + 1}" if row > 4 else ""
            lines.append(f"{' ' * abs(4 - row)}{NAMES[cells[0]][0]} {signs}{number}")
        pushed = ", ".join(f"{LETTERS[seat].upper()} {state.pushed[seat]}" for seat in range(self.seats))
        return "\n".join([*lines, "       1 2 3 4 5", f"pushed off: {pushed}"])

    def say(self, state, seat, move):
        """Along the line: old and new cell of the last marble; sideways: both ends, and the new cell of the first."""
        if move == PASS:
            return "pass"
        cell, way, kind = move & 63, move >> 6 & 7, move >> 9
        if not 0 <= kind < 7 or way > 5 or cell not in NAMES:
            raise IllegalMove(f"{move} is no move of {self}; ask legal() for the moves")
        words = [cell]
        if kind:
            words.append(step(step(cell, (kind - 1) % 3), (kind - 1) % 3) if kind >= 4 else step(cell, (kind - 1) % 3))
        words.append(step(cell, way))
        if None in words:
            raise IllegalMove(f"{move} leads off the board of {self}; ask legal() for the moves")
        return "-".join(NAMES[number] for number in words)

    def parse(self, state, seat, text):
        words = text.strip().upper().split("-")
        legal = self.legal(state, seat)
        if words == ["PASS"]:
            if PASS not in legal:
                raise IllegalMove(f"'{text}' is no legal move here; a seat passes only when it cannot move")
            return PASS
        for name in words:
            if name not in NUMBERS:
                raise IllegalMove(f"there is no cell '{name}' in '{text}'; cells are A1 to I9")
        if len(words) not in (2, 3):
            raise IllegalMove(f"expected a move like A1-B2 or A1-A3-B1, got '{text}'")
        cells = [NUMBERS[name] for name in words]
        for name, cell in zip(words[:-1], cells):
            if self.sign(state, cell) != LETTERS[seat]:
                raise IllegalMove(f"'{text}' moves a marble from {name}, where seat {seat} has none")
        move = along(cells, text) if len(cells) == 2 else across(cells, text)
        if move not in legal:
            raise IllegalMove(f"'{text}' {self.hindrance(state, seat, move)}")
        return move

    def hindrance(self, state, seat, move):
        """Which rule a move of the right form breaks."""
        cell, way, kind = move & 63, move >> 6 & 7, move >> 9
        if kind:
            middle = step(cell, (kind - 1) % 3)
            if kind >= 4 and self.sign(state, middle) != LETTERS[seat]:
                return f"moves sideways, but {NAMES[middle]} between is no marble of seat {seat}"
            return "moves sideways, which needs empty cells on the board"
        lengths = []
        for own in (True, False):
            lengths.append(0)
            while (
                cell is not None and self.sign(state, cell) != "." and (self.sign(state, cell) == LETTERS[seat]) == own
            ):
                lengths[-1] += 1
                cell = step(cell, way)
        if lengths[0] > 3:
            return f"moves {lengths[0]} marbles; at most three move at once"
        if lengths[1] == 0:
            return "pushes a marble of one's own off the board"
        if lengths[1] >= lengths[0]:
            return f"pushes {lengths[1]} with {lengths[0]}; the line that pushes must be longer"
        return "pushes against a marble of one's own"

    def notation(self, state):
        """Rows from the top, letters the marbles and digits empty cells; marbles pushed off by each seat; seat; age."""
        rows = "/".join(runs(self.sign(state, cell) for cell in cells) for cells in ROWS)
        return f"{rows} {','.join(str(count) for count in state.pushed)} {state.seat} {state.age}"

    def position(self, text):
        parts = text.split()
        if len(parts) != 4:
            raise BadPosition(f"expected board, marbles pushed off, seat and age in a position of {self}, got '{text}'")
        state = self.blank()
        self.read_board(state, parts[0])
        read_turn(self, state, parts[2:])
        pushed = [int(part) if part in DIGITS else -1 for part in parts[1].split(",")]
        if len(pushed) != self.seats or not all(0 <= count <= SIX for count in pushed) or pushed.count(SIX) > 1:
            raise BadPosition(
                f"expected {self.seats} numbers from 0 to 6, 6 once at most, in a position of {self}, got '{parts[1]}'"
            )
        self.check_missing(state, pushed)
        state.pushed, state.over = pushed, max(pushed) >= SIX or state.age == self.longest
        return state

    def read_board(self, state, text):
        rows = text.lower().split("/")
        if len(rows) != len(ROWS):
            raise BadPosition(f"expected {len(ROWS)} rows in a position of {self}, got {len(rows)}")
        for row, cells in zip(rows, ROWS):
            signs = cells_of(row, len(cells))
            if len(signs) != len(cells) or set(signs) - {".", *LETTERS[: self.seats]}:
                raise BadPosition(
                    f"expected {len(cells)} cells in row {NAMES[cells[0]][0]} of a position of {self}, got '{row}'"
                )
            for sign, cell in zip(signs, cells):
                if sign != ".":
                    state.marbles[LETTERS.index(sign)] |= BIT[cell]

    def check_missing(self, state, pushed):
        """Refuse numbers of marbles that no match can lead to."""
        missing = [self.marbles - int(cells).bit_count() for cells in state.marbles]
        for seat in range(self.seats):
            if missing[seat] < 0:
                raise BadPosition(
                    f"seat {seat} has {self.marbles - missing[seat]} marbles in a "
                    f"position of {self}; nobody has over {self.marbles}"
                )
        if sum(missing) != sum(pushed):
            raise BadPosition(
                f"{sum(missing)} marbles are missing, but {sum(pushed)} were pushed off in a position of {self}"
            )
        for seat in range(self.seats):
            if missing[seat] + pushed[seat] > sum(pushed):
                raise BadPosition(
                    f"seat {seat} misses {missing[seat]} marbles, more than "
                    f"the others pushed off, in a position of {self}"
                )


def step(cell, way):
    """The neighbour of a cell, None beyond the edge."""
    beyond = NOTHING if cell is None else ahead(BIT[cell], way)
    return int(lowest(beyond)) if beyond else None


def along(cells, text):
    """The move of a line from its last marble's old and new cell."""
    for way in range(6):
        if step(cells[0], way) == cells[1]:
            return way << 6 | cells[0]
    raise IllegalMove(f"'{text}' leads to no neighbouring cell; marbles move one cell")


def across(cells, text):
    """The move sideways from the two ends of a line and the first one's new cell."""
    first, last, goal = cells
    for axis in range(6):
        second = step(first, axis)
        if second is None or last not in (second, step(second, axis)):
            continue
        base, longer = (first, last != second) if axis < 3 else (last, last != second)
        for way in range(6):
            if step(first, way) == goal and way % 3 != axis % 3:
                return way << 6 | (1 + axis % 3 + 3 * longer) << 9 | base
        raise IllegalMove(f"'{text}' does not move sideways; name the new cell of {NAMES[first]} beside the line")
    raise IllegalMove(f"{NAMES[first]} and {NAMES[last]} in '{text}' are not the ends of a line of two or three")
