"""Chinese Checkers: bring all pawns across the star into the camp opposite.

A pawn steps to a free neighbouring cell, or hops over a neighbouring pawn of any colour onto the free cell behind it,
and may hop on from there any number of times. A move is the pawn's first and last cell, not its path. A seat that
cannot move passes.

Two rules keep matches finite and fair. *Camp*: a seat has won when no cell of its destination camp is free and most of
the pawns there are its own, so no seat can block another by leaving a pawn behind; `camp="one"` asks for a single own
pawn, `camp="all"` turns the rule off. *Limit*: after `rounds` moves of every seat the match ends, and the point is
shared by the seats with the fewest steps still to go.
"""

import numpy as np

from kingmaker.core.errors import BadPosition, IllegalMove
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.core.rng import below
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.chinese_checkers.estimates import Distance, Journey, journeys
from kingmaker.games.parts.chinese_checkers.hopping import REACHED, list_all, reach
from kingmaker.games.parts.chinese_checkers.quarters import COUNT, Quarters
from kingmaker.games.parts.chinese_checkers.star import CAMPS, Star
from kingmaker.games.parts.grid import BIT, ONE
from kingmaker.games.parts.hexes import NOTHING, first, lowest, runs, size
from kingmaker.games.parts.rows import cells_of
from kingmaker.games.parts.turn_text import read_turn

LETTERS = "abcdef"
TRIES = 200  # random tries for a first step or hop, before all moves are listed
PASS = 0  # other moves: cell << 7 | goal


class ChineseCheckers(Game):
    """Step, hop, and be the first to arrive."""

    estimates = (Distance(), Journey())

    def __init__(self, seats=3, radius=4, camp="most", rounds=200):
        self.seats, self.radius, self.camp, self.rounds = seats, radius, camp, rounds
        self.require(seats in CAMPS, f"expected 2, 3, 4 or 6 seats, got {seats}")
        self.require(radius in (2, 3, 4), f"expected a radius of 2, 3 or 4, got {radius}")
        self.require(camp in ("most", "one", "all"), f"expected camp 'most', 'one' or 'all', got '{camp}'")
        self.require(isinstance(rounds, int) and 1 <= rounds <= 1000, f"expected 1 to 1000 rounds, got {rounds}")
        self.facts = Facts(seats=(2, 6), out_of_turn=True, low=0.0, high=1.0, total=1.0, constant_sum=True)
        self.star = star = Star(radius)
        self.pawns = radius * (radius + 1) // 2
        self.enough = {"most": self.pawns // 2 + 1, "one": 1, "all": self.pawns}[camp]
        self.longest = rounds * seats
        self.max_moves = self.pawns * star.widest_reach()
        self.cells = len(star.cells)
        self.board, self.next, self.near = star.words(range(len(star.cells))), star.next, star.near
        self.quarters = Quarters(star)
        goals = [(home + 3) % 6 for home in CAMPS[seats]]
        self.goals = np.array([star.words(star.camps[goal]) for goal in goals])
        # [seat, cell]: steps to the destination camp
        self.away = np.array([star.to_camp(goal) for goal in goals], np.int16)
        self.closer = np.array(
            [[star.words(np.flatnonzero(row < away)) for away in range(row.max() + 1)] for row in self.away]
        )
        self.closer_by_hops = np.array([self.quarters.of_sets(sets) for sets in self.closer])
        self.owner = np.full(len(star.cells), -1, np.int8)  # whose destination camp a cell belongs to
        for seat, goal in enumerate(goals):
            self.owner[star.camps[goal]] = seat
        self.scale = 2 ** (radius + 3)  # more than the steps of all pawns together
        self.way = int(self.away[0, star.camps[CAMPS[seats][0]]].sum())  # steps of all pawns from home to the camp
        self.toil = journeys(star, goals)
        self.State = np.dtype(
            [
                ("pawns", np.uint64, (seats, 2)),  # for each seat a set of cells in two words
                ("taken", np.uint64, (COUNT,)),  # the cells of all pawns, as a word for each quarter of the board
                ("far", np.int16, (seats,)),  # steps that the pawns have still to go
                ("age", np.int16),  # moves since the start
                ("seat", np.int8),
                ("winner", np.int8),  # one more than the seat that has arrived; 0 if none has
                ("over", np.int8),
            ],
            align=True,
        )

    def start(self, state, rng):
        for seat, home in enumerate(CAMPS[self.seats]):
            state.pawns[seat] = self.star.words(self.star.camps[home])
            state.far[seat] = self.away[seat, self.star.camps[home]].sum()
        state.taken = self.quarters.of_sets(state.pawns).sum(axis=0)

    def mover(self, state):
        return state.seat if state.over == 0 else OVER

    def moves(self, state, seat, out):
        """Moves towards the destination camp first."""
        reached = scratch(REACHED)
        reach(self, state, seat, reached)
        count = 0
        for closer in range(1, -1, -1):
            pawn = 0
            for word in range(2):
                left = state.pawns[seat, word]
                while left != NOTHING:
                    cell = word << 6 | first(left)
                    left &= left - ONE
                    nearer = self.closer[seat, self.away[seat, cell]]
                    for half in range(2):
                        goals = reached[pawn + half]
                        goals &= nearer[half] if closer else ~nearer[half]
                        count = list_all(cell, half, goals, out, count)
                    pawn += 2
        if count == 0:
            out[0] = PASS
            count = 1
        return count

    def any_move(self, state, seat, rng, out):
        """A random move without listing all moves: a first step or hop, each equally likely, then at every landing a
        further hop or stopping, each equally likely.
        """
        taken, hopped = scratch(2), scratch(2)
        for word in range(2):
            taken[word] = hopped[word] = NOTHING
            for other in range(self.seats):
                taken[word] |= state.pawns[other, word]
        for _ in range(TRIES):
            chance = below(rng, 6 * self.pawns)
            cell, way = self.pawn(state, seat, chance // 6), chance % 6
            here = self.next[cell, way]
            if here < self.cells and taken[here >> 6] & BIT[here & 63] == NOTHING:
                return cell << 7 | here
            here = self.hop(cell, way, taken, hopped)
            if here != cell:
                return cell << 7 | self.hop_on(cell, here, rng, taken, hopped)
        return out[below(rng, self.moves(state, seat, out))]

    def pawn(self, state, seat, number):
        """The cell of a seat's pawn with this number, counted in the order of cells."""
        left, word = state.pawns[seat, 0], 0
        first = size(left)
        if number >= first:
            left, word = state.pawns[seat, 1], 1
            number -= first
        for _ in range(number):
            left &= left - ONE
        return word << 6 | lowest(left)

    def hop(self, cell, way, taken, hopped):
        """Where a hop lands, or the cell itself if there is no hop to a new cell."""
        over = self.next[cell, way]
        if taken[over >> 6] & BIT[over & 63] == NOTHING:
            return cell
        beyond = self.next[over, way]
        if beyond >= self.cells or (taken[beyond >> 6] | hopped[beyond >> 6]) & BIT[beyond & 63] != NOTHING:
            return cell
        return beyond

    def hop_on(self, cell, here, rng, taken, hopped):
        """Hop on at random from the first landing; returns where the pawn stops. Its first cell counts as empty, but it
        does not go back there.
        """
        taken[cell >> 6] ^= BIT[cell & 63]
        hopped[cell >> 6] |= BIT[cell & 63]
        while True:
            hopped[here >> 6] |= BIT[here & 63]
            count = 0
            for way in range(6):
                count += self.hop(here, way, taken, hopped) != here
            chosen = below(rng, count + 1) if count > 0 else 0
            if chosen == count:
                return here
            for way in range(6):
                landing = self.hop(here, way, taken, hopped)
                if landing != here:
                    if chosen == 0:
                        break
                    chosen -= 1
            here = landing

    def play(self, state, seat, move):
        if move != PASS:
            cell, goal = move >> 7, move & 127
            state.pawns[seat, cell >> 6] ^= BIT[cell & 63]
            state.pawns[seat, goal >> 6] |= BIT[goal & 63]
            state.taken[self.quarters.of[cell]] ^= self.quarters.bit[cell]
            state.taken[self.quarters.of[goal]] |= self.quarters.bit[goal]
            state.far[seat] += self.away[seat, goal] - self.away[seat, cell]
            owner = self.owner[goal]
            if owner >= 0 and self.arrived(state, owner):
                state.winner = owner + 1
        state.age += 1
        state.seat = seat + 1 if seat + 1 < self.seats else 0
        if state.winner > 0 or state.age >= self.longest:
            state.over = 1

    def arrived(self, state, seat):
        """Is the seat's destination camp full, with enough of its own pawns?"""
        own = 0
        for half in range(2):
            free = self.goals[seat, half]
            for other in range(self.seats):
                free &= ~state.pawns[other, half]
            if free != NOTHING:
                return False
            own += size(state.pawns[seat, half] & self.goals[seat, half])
        return own >= self.enough

    def admits(self, state):
        """Every seat has all its pawns, no two pawns share a cell, and the steps to go are possible."""
        taken, board = 0, 2**self.cells - 1
        for pawns in state.pawns.tolist():
            cells = pawns[0] | pawns[1] << 64
            if cells.bit_count() != self.pawns or cells & taken or cells & ~board:
                return False
            taken |= cells
        ended = state.winner > 0 or state.age >= self.longest
        return (
            0 <= state.seat < self.seats
            and 0 <= state.winner <= self.seats
            and 0 <= state.age <= self.longest
            and state.over == ended
            and all(0 <= far < self.scale for far in state.far.tolist())
            and state.taken.tolist() == self.quarters.of_sets(state.pawns).sum(axis=0).tolist()
        )

    def turn_to(self, state, seat):
        state.seat = seat

    def payoff(self, state, out):
        """One point: to the seat that has arrived, or shared by the seats with the fewest steps to go."""
        least, sharing = state.far[0], 0
        for seat in range(self.seats):
            least = min(least, state.far[seat])
        for seat in range(self.seats):
            if state.far[seat] == least:
                sharing += 1
        for seat in range(self.seats):
            if state.winner > 0:
                out[seat] = 1.0 if seat == state.winner - 1 else 0.0
            else:
                out[seat] = 1.0 / sharing if state.far[seat] == least else 0.0

    def sign(self, state, cell):
        """The letter of the seat whose pawn stands on a cell."""
        return next((LETTERS[seat] for seat in range(self.seats) if state.pawns[seat, cell >> 6] & BIT[cell & 63]), ".")

    def show(self, state):
        """Pawns are A, B, …; a row has its letter before it and the number of its last cell behind it.

        Cells are counted from the left. Above the upper wide row and below the lower one stand the last digits of the
        numbers.
        """
        lines = []
        ruler = "  " + " ".join(str(number % 10) for number in range(1, max(map(len, self.star.rows)) + 1))
        for row, cells in enumerate(self.star.rows):
            x, y = self.star.cells[cells[0]]
            indent = 2 * x - y + 3 * self.radius
            signs = " ".join(self.sign(state, cell).upper() for cell in cells)
            line = f"{chr(ord('a') + row)} {' ' * indent}{signs}  {len(cells)}"
            lines += [line] if indent else [ruler, line] if row < len(self.star.rows) // 2 else [line, ruler]
        return "\n".join(lines)

    def say(self, state, seat, move):
        """The first and the last cell: `d1-e5`."""
        if not 0 <= move >> 7 < self.cells or move & 127 >= self.cells:
            raise IllegalMove(
                f"{move} is no move of {self}; a move is 128 times the number "
                "of a cell plus that of another, or 0 to pass"
            )
        return "pass" if move == PASS else f"{self.star.names[move >> 7]}-{self.star.names[move & 127]}"

    def parse(self, state, seat, text):
        words = text.strip().lower().split("-")
        legal = self.legal(state, seat)
        if words == ["pass"]:
            if PASS not in legal:
                raise IllegalMove(f"'{text}' is no legal move here; a seat passes only when it cannot move")
            return PASS
        if len(words) != 2:
            raise IllegalMove(
                f"expected a pawn and where it ends, like {self.say(state, seat, legal[0])}, got '{text}'"
            )
        for name in words:
            if name not in self.star.names:
                raise IllegalMove(f"there is no cell '{name}' in '{text}'; cells are a1 to {self.star.names[-1]}")
        cell, goal = (self.star.names.index(name) for name in words)
        if self.sign(state, cell) != LETTERS[seat]:
            raise IllegalMove(f"'{text}' moves a pawn from {words[0]}, where seat {seat} has none")
        if cell != goal and self.sign(state, goal) != ".":
            raise IllegalMove(f"'{text}' ends on {words[1]}, which is taken; a pawn ends on a free cell")
        if cell << 7 | goal not in legal:
            raise IllegalMove(f"neither a step nor a chain of hops leads from {words[0]} to {words[1]} in '{text}'")
        return cell << 7 | goal

    def notation(self, state):
        """Rows from the top, letters the pawns and numbers runs of empty cells; seat; age."""
        rows = "/".join(runs(self.sign(state, cell) for cell in cells) for cells in self.star.rows)
        return f"{rows} {state.seat} {state.age}"

    def position(self, text):
        parts = text.split()
        if len(parts) != 3:
            raise BadPosition(f"expected board, seat and age in a position of {self}, got '{text}'")
        state = self.blank()
        self.read_board(state, parts[0])
        read_turn(self, state, parts[1:])
        arrived = [each for each in range(self.seats) if self.arrived(state, each)]
        if len(arrived) > 1:
            raise BadPosition(
                f"the seats {arrived} have all arrived, but the first ends the match, in a position of {self}"
            )
        state.winner = arrived[0] + 1 if arrived else 0
        state.over = bool(arrived) or state.age == self.longest
        return state

    def read_board(self, state, text):
        rows = text.lower().split("/")
        if len(rows) != len(self.star.rows):
            raise BadPosition(f"expected {len(self.star.rows)} rows in a position of {self}, got {len(rows)}")
        for row, (line, cells) in enumerate(zip(rows, self.star.rows)):
            signs = cells_of(line, len(cells))
            if len(signs) != len(cells) or set(signs) - {".", *LETTERS[: self.seats]}:
                raise BadPosition(
                    f"expected {len(cells)} cells in row {chr(ord('a') + row)} of a position of {self}, got '{line}'"
                )
            for sign, cell in zip(signs, cells):
                if sign != ".":
                    seat = LETTERS.index(sign)
                    state.pawns[seat, cell >> 6] |= BIT[cell & 63]
                    state.far[seat] += self.away[seat, cell]
        for seat in range(self.seats):
            pawns = sum(int(cells).bit_count() for cells in state.pawns[seat])
            if pawns != self.pawns:
                raise BadPosition(f"expected {self.pawns} pawns of seat {seat} in a position of {self}, got {pawns}")
        state.taken = self.quarters.of_sets(state.pawns).sum(axis=0)
