"""Bingo: numbers are called by chance, everybody marks a card; the first complete line wins.

Nobody decides anything: after every call each seat in turn has the one move of marking its card. So no seat can do
anything for or against another, and the impact on the opponents is zero at every state. All cards are open.
"""

import re

import numpy as np

from kingmaker.core.errors import BadPosition
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.rng import shuffle
from kingmaker.games.parts.present_to_ceiling import Rising

SIDE, CELLS, NUMBERS, COLUMN = 5, 25, 75, 15  # numbers 1 to 15 stand in the first column, and so on
FREE = 12  # the cell in the middle, which counts as marked
LETTERS = "BINGO"
ROWS = [[SIDE * row + column for column in range(SIDE)] for row in range(SIDE)]
COLUMNS = [[SIDE * row + column for row in range(SIDE)] for column in range(SIDE)]
SLANTS = [[6 * step for step in range(SIDE)], [4 * step + 4 for step in range(SIDE)]]
GOALS = {"line": ROWS + COLUMNS + SLANTS, "card": [list(range(CELLS))]}


class Missing(Rising):
    """How close the best line of a seat is to being complete: 1 minus the share of its cells that is still missing.

    It measures the missing cells in marks, as a negative number. The intervals run from the present value to 1.
    """

    unit = "mark"

    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 1.0 - game.missing(state, seat) / game.longest

    def measure(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = -1.0 * game.missing(state, seat)

    def widest_edge(self, game):
        """One seat lacks everything but the free cell, another has one cell to go."""
        return game.longest - 1.0


class Bingo(Game):
    """Mark what is called, complete a line first."""

    max_moves, max_outcomes = 1, NUMBERS
    estimates: tuple[Estimate, ...] = (Missing(),)

    def __init__(self, seats=3, goal="line"):
        self.seats, self.goal = seats, goal
        self.require(isinstance(seats, int) and 2 <= seats <= 10, f"expected 2 to 10 seats at bingo, got {seats}")
        self.require(goal in GOALS, f"expected goal 'line' or 'card', got '{goal}'")
        self.facts = Facts(seats=(2, 10), chance=True, low=0.0, high=1.0, total=1.0, constant_sum=True)
        self.lines = np.array(GOALS[goal])  # [line, place]: cell
        self.longest = self.lines.shape[1]
        self.State = np.dtype(
            [
                ("cards", np.int8, (seats, CELLS)),  # the number in every cell, row by row; 0 in the free cell
                ("marked", np.int8, (seats, CELLS)),
                ("called", np.int8, (NUMBERS + 1,)),  # 1 for every number that was called
                ("last", np.int8),  # the number that was called last; 0: none yet
                ("turn", np.int8),  # the seat to mark; if all have marked, the number of seats
            ],
            align=True,
        )

    def start(self, state, rng):
        for seat in range(self.seats):
            for column in range(SIDE):
                numbers = np.arange(1, COLUMN + 1)
                shuffle(rng, numbers, COLUMN)
                for row in range(SIDE):
                    state.cards[seat, SIDE * row + column] = COLUMN * column + numbers[row]
            state.cards[seat, FREE] = 0
            state.marked[seat, FREE] = 1
        state.turn = self.seats

    def missing(self, state, seat):
        """How many cells the seat's best line lacks."""
        fewest = self.longest
        for line in range(self.lines.shape[0]):
            lacking = 0
            for place in range(self.longest):
                lacking += 1 - state.marked[seat, self.lines[line, place]]
            fewest = min(fewest, lacking)
        return fewest

    def mover(self, state):
        if state.turn < self.seats:
            return state.turn
        for seat in range(self.seats):
            if self.missing(state, seat) == 0:
                return OVER
        return CHANCE

    def moves(self, state, seat, out):
        out[0] = 0
        return 1

    def outcomes(self, state, out, odds):
        count = 0
        for number in range(1, NUMBERS + 1):
            if state.called[number] == 0:
                out[count] = number
                count += 1
        for event in range(count):
            odds[event] = 1.0 / count
        return count

    def play(self, state, seat, move):
        if seat == CHANCE:
            state.called[move] = 1
            state.last, state.turn = move, 0
            return
        for cell in range(CELLS):
            if state.cards[seat, cell] == state.last:
                state.marked[seat, cell] = 1
        state.turn += 1

    def payoff(self, state, out):
        """The point is shared by all who completed a line with the same number."""
        winners = 0
        for seat in range(self.seats):
            out[seat] = 1.0 if self.missing(state, seat) == 0 else 0.0
            winners += out[seat]
        for seat in range(self.seats):
            out[seat] /= winners

    def marks_of(self, state, seat):
        """Which cells a seat must have marked by now, from the numbers called."""
        waits = state.turn <= seat  # has not yet marked the last number
        cells = state.cards[seat].tolist()
        return [
            int(cell == FREE or (state.called[number] == 1 and not (waits and number == state.last)))
            for cell, number in enumerate(cells)
        ]

    def admits(self, state):
        """Cards hold what belongs on them, marks are what was called, and nobody had won before the last call."""
        called = state.called.tolist()
        if not (0 <= state.turn <= self.seats and 0 <= state.last <= NUMBERS and set(called) <= {0, 1}):
            return False
        if called[0] or called[state.last] != (state.last > 0) or (sum(called) > 0) != (state.last > 0):
            return False
        if state.turn < self.seats and not state.last:
            return False
        return all(
            not fault_of(state.cards[seat].tolist()) and state.marked[seat].tolist() == self.marks_of(state, seat)
            for seat in range(self.seats)
        )

    def say(self, state, seat, move):
        return f"{LETTERS[(move - 1) // COLUMN]}{move}" if seat == CHANCE else "mark"

    def show(self, state):
        """All cards, three side by side; marked numbers stand in brackets."""
        rows = []
        for first in range(0, self.seats, 3):
            group = range(first, min(first + 3, self.seats))
            rows.append("   ".join(f"seat {seat}".ljust(20) for seat in group).rstrip())
            rows += [
                "   ".join("".join(self.cell(state, seat, cell) for cell in row) for seat in group).rstrip()
                for row in ROWS
            ]
        called = " ".join(str(number) for number in range(1, NUMBERS + 1) if state.called[number]) or "nothing yet"
        lines = [called[at : at + 60] for at in range(0, len(called), 60)]
        return "\n".join([*rows, "called: " + "\n        ".join(lines), f"the last one: {state.last or 'none'}"])

    def cell(self, state, seat, cell):
        number = "**" if cell == FREE else str(state.cards[seat, cell])
        return f"[{number:>2}]" if state.marked[seat, cell] else f" {number:>2} "

    def notation(self, state):
        """The cards row by row, the numbers called, the last of them, and the seat to mark."""
        cards = ";".join(",".join(map(str, card)) for card in state.cards.tolist())
        called = ",".join(str(number) for number in range(1, NUMBERS + 1) if state.called[number]) or "-"
        return f"{cards} {called} {state.last} {state.turn}"

    def position(self, text):
        parts = text.split()
        if len(parts) != 4 or not re.fullmatch(r"[\d,;]+ (-|[\d,]+) \d+ \d+", text.strip()):
            raise BadPosition(f"expected 'CARD;CARD;… CALLED LAST TURN' in a position of {self}, got '{text}'")
        state, cards = self.blank(), [card.split(",") for card in parts[0].split(";")]
        if len(cards) != self.seats:
            raise BadPosition(f"expected {self.seats} cards in a position of {self}, got {len(cards)}")
        for seat, card in enumerate(cards):
            numbers = [int(number or -1) for number in card]
            if fault := fault_of(numbers):
                raise BadPosition(f"{fault} on the card of seat {seat} in a position of {self}")
            state.cards[seat] = numbers
        called = [] if parts[1] == "-" else [int(number or 0) for number in parts[1].split(",")]
        last, turn = int(parts[2]), int(parts[3])
        if not all(1 <= number <= NUMBERS for number in called) or len(set(called)) < len(called):
            raise BadPosition(f"expected different numbers from 1 to 75 that were called in a position of {self}")
        if last not in (called or [0]) or turn > self.seats or (turn < self.seats and not called):
            raise BadPosition(f"the last number {last} or the turn {turn} does not fit a position of {self}")
        state.called[called] = 1
        state.last, state.turn = last, turn
        for seat in range(self.seats):
            state.marked[seat] = self.marks_of(state, seat)
        return state


def fault_of(card):
    """What is wrong with the numbers of a card; nothing if it is in order."""
    if len(card) != CELLS:
        return f"expected {CELLS} numbers, got {len(card)}"
    if card[FREE]:
        return f"expected 0 in the free cell, got {card[FREE]}"
    if len(set(card)) < CELLS:
        return "expected every number once, got one twice"
    for cell, number in enumerate(card):
        low = COLUMN * (cell % SIDE)
        if cell != FREE and not low < number <= low + COLUMN:
            return f"expected {low + 1} to {low + COLUMN} in column {LETTERS[cell % SIDE]}, got {number}"
    return ""
