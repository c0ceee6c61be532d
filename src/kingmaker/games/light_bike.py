"""Light Bike: everybody drives at once, every cell driven over becomes a wall, the last rider wins.

All riders choose one of four neighbouring cells; a rider who leaves the board, enters a wall or meets another rider in
the same cell is out. In the search tree the riders move one after the other (`play`), in the match all at once
(`step`). A rider with no free neighbouring cell has one move, which ends its ride and is not counted in `age`.

    N. Perez, B. J. Oommen. Multi-Minimax: A New AI Paradigm for Simultaneously-Played Multi-Player Games. 2019.

The board is one machine word for each row, with a border of walls, so that a state is about fifty bytes.
"""

import numpy as np

from kingmaker.core.errors import BadPosition, IllegalMove
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import below, shuffle
from kingmaker.games.parts.grid import BIT, NOTHING, ONE, row_word
from kingmaker.games.parts.light_bike.estimates import Room, Survival, Territory
from kingmaker.games.parts.rows import cells_of

DOWN = np.array([-1, 0, 1, 0])
RIGHT = np.array([0, 1, 0, -1])
WAYS = "NESW"


class Staying(Constant):
    """The walls of riders who are out stay."""

    def fields(self, word, seats, height):
        return []

    def built(self, state, seat, row, column):
        return

    def fell(self, game, state):
        return


class Vanishing(Constant):
    """The walls of riders who are out vanish."""

    def fields(self, word, seats, height):
        return [("trails", word, (seats, height + 2))]

    def built(self, state, seat, row, column):
        state.trails[seat, row] |= BIT[column]

    def fell(self, game, state):
        for row in range(1, game.height + 1):
            state.walls[row] = BIT[0] | BIT[game.width + 1]
            for other in range(game.seats):
                if game.lives(state, other):
                    state.walls[row] |= state.trails[other, row]


class LightBike(Game):
    """Drive, leave walls, outlive the others."""

    max_moves = 4
    estimates = (Survival(), Room(), Territory())
    for_people = {"starts": "distinct"}

    def __init__(self, seats=3, width=12, height=12, starts="shared", walls="stay"):
        self.seats, self.width, self.height, self.starts, self.walls = seats, width, height, starts, walls
        self.require(isinstance(seats, int) and 2 <= seats <= 8, f"expected 2 to 8 seats, got {seats}")
        self.require(
            2 <= width <= 62 and 2 <= height <= 62, f"expected a board of 2 to 62 cells a side, got {width} x {height}"
        )
        self.require(starts in ("shared", "distinct"), f"expected starts 'shared' or 'distinct', got '{starts}'")
        apart = len(set(self.places()))
        enough = starts == "shared" or seats <= apart
        self.require(
            enough, f"expected at most {apart} seats with distinct starts on a board of {width} x {height}, got {seats}"
        )
        self.require(walls in ("stay", "vanish"), f"expected walls 'stay' or 'vanish', got '{walls}'")
        self.facts = Facts(
            seats=(2, 8), simultaneous=True, out_of_turn=True, low=0.0, high=1.0, total=1.0, constant_sum=True
        )
        self.wall_rule = Vanishing() if walls == "vanish" else Staying()
        word = row_word(width + 2)
        self.State = np.dtype(
            [
                ("walls", word, (height + 2,)),  # bit c of row r: the cell is taken; a border all around
                ("rows", np.int8, (seats,)),
                ("columns", np.int8, (seats,)),
                ("alive", np.uint8),  # one bit for each seat
                ("last", np.uint8),  # the riders alive; if nobody is left, those who fell last, together
                ("left", np.int8),  # riders alive
                ("seat", np.int8),  # next to move in the tree
                ("age", np.int16),  # cells entered since the start
                *self.wall_rule.fields(word, seats, height),
            ],
            align=True,
        )
        self.longest = width * height + seats

    def places(self):
        """The eight starts: the corners and the middles of the sides, which on the smallest boards are corners
        again.
        """
        bottom, right = self.height, self.width
        return [
            (1, 1), (1, (right + 1) // 2), (1, right), ((bottom + 1) // 2, right),
            (bottom, right), (bottom, right // 2 + 1), (bottom, 1), (bottom // 2 + 1, 1),
        ]  # fmt: skip

    def start(self, state, rng):
        order, places = np.arange(8), self.places()
        if self.starts == "distinct":
            places = list(dict.fromkeys(places))
            shuffle(rng, order[: len(places)], len(places))
        else:
            for seat in range(self.seats):
                order[seat] = below(rng, 8)
        self.fence(state)
        for seat in range(self.seats):
            row, column = places[order[seat]]
            self.occupy(state, seat, row, column)
        state.alive = state.last = 2**self.seats - 1
        state.left = self.seats

    def fence(self, state):
        """Walls all around the board."""
        state.walls[:] = BIT[0] | BIT[self.width + 1]
        state.walls[0] = state.walls[self.height + 1] = 2 ** (self.width + 2) - 1

    def occupy(self, state, seat, row, column):
        state.rows[seat] = row
        state.columns[seat] = column
        state.walls[np.uint64(row)] |= ONE << np.uint64(column)
        self.wall_rule.built(state, seat, row, column)

    def mover(self, state):
        return state.seat if state.left > 1 else OVER

    def free(self, state, row, column):
        # unsigned, so that no index is taken as negative and counts from the end
        return (state.walls[np.uint64(row)] >> np.uint64(column)) & ONE == NOTHING

    def lives(self, state, seat):
        return (state.alive >> seat) & 1 == 1

    def moves(self, state, seat, out):
        count = 0
        for way in range(4):
            if self.free(state, state.rows[seat] + DOWN[way], state.columns[seat] + RIGHT[way]):
                out[count] = way
                count += 1
        if count == 0:
            out[0] = 0
            count = 1
        return count

    def stuck(self, state, seat):
        """Has the rider no free neighbouring cell?"""
        for way in range(4):
            if self.free(state, state.rows[seat] + DOWN[way], state.columns[seat] + RIGHT[way]):
                return False
        return True

    def play(self, state, seat, move):
        row, column = state.rows[seat] + DOWN[move], state.columns[seat] + RIGHT[move]
        if self.free(state, row, column):
            self.occupy(state, seat, row, column)
            state.age += 1
        else:
            self.fall(state, seat)
            state.last = state.alive
        self.turn_to(state, seat + 1)

    def fall(self, state, seat):
        """Take a rider out of the match, unless it is out already."""
        if self.lives(state, seat):
            state.alive ^= 1 << seat
            state.left -= 1
            self.wall_rule.fell(self, state)

    def turn_to(self, state, seat):
        """Let the first living rider from `seat` on be the next to move."""
        for ahead in range(self.seats):
            next_seat = seat + ahead
            if next_seat >= self.seats:
                next_seat -= self.seats
            if self.lives(state, next_seat):
                state.seat = next_seat
                return

    def acting(self, state):
        return [seat for seat in range(self.seats) if self.lives(state, seat)] if state.left > 1 else []

    def step(self, state, joint):
        """All riders enter a cell at once; a rider who meets a wall or another rider there is out."""
        before = state.alive
        falls = 0
        for seat in range(self.seats):
            if self.lives(state, seat) and self.crashes(state, seat, joint):
                falls |= 1 << seat
        for seat in range(self.seats):
            if (before >> seat) & 1 and not (falls >> seat) & 1:
                self.occupy(state, seat, state.rows[seat] + DOWN[joint[seat]], state.columns[seat] + RIGHT[joint[seat]])
                state.age += 1
        for seat in range(self.seats):
            if (falls >> seat) & 1:
                self.fall(state, seat)
        state.last = state.alive if state.left else before
        self.turn_to(state, 0)

    def crashes(self, state, seat, joint):
        """Is the cell that the rider enters taken, or entered by another one too?"""
        row, column = state.rows[seat] + DOWN[joint[seat]], state.columns[seat] + RIGHT[joint[seat]]
        if not self.free(state, row, column):
            return True
        for other in range(self.seats):
            if other != seat and self.lives(state, other) and self.enters(state, other, joint[other], row, column):
                return True
        return False

    def enters(self, state, seat, move, row, column):
        return state.rows[seat] + DOWN[move] == row and state.columns[seat] + RIGHT[move] == column

    def payoff(self, state, out):
        """One point for the last rider, shared by those who fell last if they fell together."""
        sharing = 0
        for seat in range(self.seats):
            sharing += (state.last >> seat) & 1
        for seat in range(self.seats):
            out[seat] = ((state.last >> seat) & 1) / sharing

    def active(self, state, seat):
        return self.lives(state, seat)

    def admits(self, state):
        """All riders are on the board, inside its border of walls, and as many are alive as `left` counts."""
        alive, border = state.alive, 1 | 1 << (self.width + 1)
        heads = zip(state.rows.tolist(), state.columns.tolist())
        return (
            all(1 <= row <= self.height and 1 <= column <= self.width for row, column in heads)
            and alive < 2**self.seats
            and state.left == alive.bit_count()
            and (state.last == alive if alive else 0 < state.last < 2**self.seats)
            and 0 <= state.seat < self.seats
            and (state.left < 2 or self.lives(state, state.seat))
            and 0 <= state.age <= self.longest
            and self.enclosed(state.walls.tolist(), border)
        )

    def enclosed(self, walls, border):
        """Is there a wall around the board? Nothing else keeps riders on it."""
        full = 2 ** (self.width + 2) - 1
        return walls[0] == walls[-1] == full and all(row & border == border for row in walls)

    def continues(self, previous, move):
        return previous == move

    def say(self, state, seat, move):
        if not 0 <= move < len(WAYS):
            raise IllegalMove(f"{move} is no move of {self}; the moves are 0 to 3 for N, E, S, W")
        return WAYS[move]

    def show(self, state):
        """Walls are #, riders A, B, …, those who are out a, b, …; riders on one cell stand side by side."""
        rows = [
            ["#" if not self.free(state, r, c) else "." for c in range(1, self.width + 1)]
            for r in range(1, self.height + 1)
        ]
        for seat in range(self.seats):
            row, column = state.rows[seat] - 1, state.columns[seat] - 1
            rows[row][column] = rows[row][column].strip("#.") + chr(ord("A" if self.lives(state, seat) else "a") + seat)
        wide = max(len(cell) for row in rows for cell in row)
        return "\n".join(" ".join(cell.ljust(wide) for cell in row).rstrip() for row in rows)

    def notation(self, state):
        """Rows from the top, `#` a wall and numbers free cells; heads as row,column, dead ones marked x; seat; age; who
        fell last.
        """
        if self.walls == "vanish":
            return super().notation(state)
        heads = ";".join(
            f"{'' if self.lives(state, s) else 'x'}{state.rows[s] - 1},{state.columns[s] - 1}"
            for s in range(self.seats)
        )
        return (
            f"{'/'.join(self.row_text(state, row) for row in range(1, self.height + 1))} "
            f"{heads} {state.seat} {state.age} {state.last}"
        )

    def row_text(self, state, row):
        cells = "".join("." if self.free(state, row, column) else "#" for column in range(1, self.width + 1))
        runs = cells.replace("#", " # ").split()
        return "".join(run if run == "#" else str(len(run)) for run in runs)

    def position(self, text):
        if self.walls == "vanish":
            return super().position(text)
        parts = text.split()
        if len(parts) != 5:
            raise BadPosition(f"expected board, heads, seat, age and last riders in a position of {self}, got '{text}'")
        state = self.blank()
        self.fence(state)
        self.read_rows(state, parts[0].split("/"))
        self.read_heads(state, parts[1].split(";"))
        try:
            state.seat, state.age, state.last = (int(part) for part in parts[2:])
        except (ValueError, OverflowError):
            raise BadPosition(
                f"expected three numbers at the end of a position of {self}, got '{' '.join(parts[2:])}'"
            ) from None
        if not 0 <= state.seat < self.seats or (state.left > 1 and not self.lives(state, state.seat)):
            raise BadPosition(f"seat {state.seat} is not alive and cannot be next in a position of {self}")
        if not self.admits(state):
            raise BadPosition(
                f"the last riders {state.last} or the age {state.age} do not fit the heads in a position of {self}"
            )
        return state

    def read_rows(self, state, rows):
        if len(rows) != self.height:
            raise BadPosition(f"expected {self.height} rows in a position of {self}, got {len(rows)}")
        for row, text in enumerate(rows, 1):
            cells = cells_of(text, self.width)
            if len(cells) != self.width or set(cells) - {".", "#"}:
                raise BadPosition(f"expected {self.width} cells in row {row} of a position of {self}, got '{text}'")
            for column, cell in enumerate(cells, 1):
                if cell == "#":
                    state.walls[row] |= BIT[column]

    def read_heads(self, state, heads):
        if len(heads) != self.seats:
            raise BadPosition(f"expected {self.seats} heads in a position of {self}, got {len(heads)}")
        for seat, text in enumerate(heads):
            try:
                row, column = (int(number) + 1 for number in text.removeprefix("x").split(","))
            except ValueError:
                raise BadPosition(f"expected a head like 0,11 in a position of {self}, got '{text}'") from None
            if not (1 <= row <= self.height and 1 <= column <= self.width) or self.free(state, row, column):
                raise BadPosition(f"the head {text} stands on no wall of a position of {self}")
            state.rows[seat], state.columns[seat] = row, column
            if not text.startswith("x"):
                state.alive |= 1 << seat
                state.left += 1
