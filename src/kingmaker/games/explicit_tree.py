"""Explicit trees: a game tree written down, node by node, as nested Python lists or in a JSON file.

For worked examples and counter-examples. A state is the node where the match stands: a Python object, not a record, so searches
run interpreted.

A node is either a leaf, the payoffs as a list of numbers (with two seats a single number x stands for x, -x), or a list of
child nodes with the seats moving in turn, or a dictionary with any of: `moves` (child nodes as a list, or by name), `seat` (who
moves), `odds` (a chance node), `payoff`, `estimate` (a vector, or several by name), `interval` (low and high end a seat).
"""

import json

import numpy as np

from kingmaker.core.errors import BadParameter, BadPosition, unknown
from kingmaker.core.estimate import Estimate
from kingmaker.core.files import text_of
from kingmaker.core.game import CHANCE, OVER, Facts, Game

KEYS = ("moves", "seat", "odds", "payoff", "estimate", "interval")


class Place:
    """Where in the tree a match stands: the indices of the moves that led there."""

    def __init__(self):
        self.path = ()
        self.node = None

    def __eq__(self, other):
        return isinstance(other, Place) and self.path == other.path

    def __hash__(self):
        return hash(self.path)


class Written(Estimate):
    """The estimate, and the interval, that a node carries; without them it is worth the same to every seat, and anything may happen.

    `function` picks one of several by name.
    """

    has_intervals = True

    def __init__(self, function=""):
        self.function = function

    def value(self, game, state, out):
        guess = state.node.estimates.get(self.function)
        out[:] = game.fair_share if guess is None else guess

    def final(self, game, state, out):
        """Types of opponents may value a leaf in their own way: a leaf with the named estimate has that value."""
        named = state.node.estimates.get(self.function) if self.function else None
        out[:] = named if named is not None else state.node.payoff

    def interval(self, game, state, low, high):
        low[:], high[:] = (game.facts.low, game.facts.high) if state.node.interval is None else state.node.interval


class Node:
    """One node, read and checked."""

    def __init__(self, names, children, seat, odds, payoff, estimates, interval):
        self.names, self.children, self.seat, self.odds = names, children, seat, odds
        self.payoff, self.estimates, self.interval = payoff, estimates, interval


class ExplicitTree(Game):
    """A game tree as it is written down."""

    State = Place

    def __init__(self, tree=None, file="", seats=0):
        self.tree, self.file, self.seats = tree, file, seats
        data = read_json(file) if file else tree
        if data is None:
            raise BadParameter("expected a tree or a file, got neither; write explicit_tree(file='tree.json')")
        if isinstance(data, dict) and "tree" in data:
            self.seats = data.get("seats", seats)
            data = data["tree"]
        self.seats = self.seats or count_seats(data)
        self.root = self.read(data, 0, ())
        every = list(walk(self.root))
        leaves = [node.payoff for node in every if node.payoff is not None]
        guesses = [guess for node in every for guess in node.estimates.values()]
        sums = {float(sum(leaf)) for leaf in leaves}
        self.max_moves = max([len(node.children) for node in every] + [1])
        self.max_outcomes = max([len(node.odds) for node in every if node.odds] + [0])
        self.facts = Facts(
            chance=self.max_outcomes > 0,
            low=float(min(map(min, leaves))),
            high=float(max(map(max, leaves))),
            total=float(max(sums)),
            constant_sum=len(sums) == 1,
        )
        self.fair_share = self.facts.total / self.seats
        written = Written()
        written.within_bounds = all(self.facts.low <= min(guess) and max(guess) <= self.facts.high for guess in guesses)
        written.within_total = all(sum(guess) <= self.facts.total for guess in guesses)
        self.estimates = (written,)
        self.functions = {name for node in every for name in node.estimates}

    def read(self, data, ply, path):
        """A node and all below it, from lists and dictionaries."""
        where = "/".join(map(str, path)) or "the root"
        if is_payoff(data, self.seats):
            return Node((), (), OVER, None, self.vector(data, where), {}, None)
        data = {"moves": data} if isinstance(data, list) else data
        if not isinstance(data, dict) or set(data) - set(KEYS):
            raise BadParameter(
                f"expected a leaf of {self.seats} numbers, a list of nodes or a dictionary with {', '.join(KEYS)} at {where}, got {data!r}"
            )
        moves = data.get("moves", [])
        names = tuple(moves) if isinstance(moves, dict) else tuple(map(str, range(len(moves))))
        below = list(moves.values()) if isinstance(moves, dict) else moves
        turn = data.get("seat", ply % self.seats)
        if not isinstance(turn, int) or not 0 <= turn < self.seats:
            raise BadParameter(f"expected a seat from 0 to {self.seats - 1} at {where}, got {turn!r}")
        odds = data.get("odds")
        if odds is not None and (len(odds) != len(below) or min(odds) < 0 or abs(sum(odds) - 1) > 1e-9):
            raise BadParameter(f"expected {len(below)} probabilities with sum 1 at {where}, got {odds}")
        if not below and "payoff" not in data:
            raise BadParameter(f"the node at {where} has neither moves nor a payoff")
        later = ply if odds is not None else turn + 1
        return Node(
            names,
            tuple(self.read(node, later, (*path, name)) for node, name in zip(below, names, strict=True)),
            OVER if not below else CHANCE if odds is not None else turn,
            odds,
            None if below else self.vector(data["payoff"], where),
            self.guesses(data.get("estimate", {}), where),
            self.ends(data.get("interval"), where),
        )

    def vector(self, data, where):
        values = [data, -data] if isinstance(data, (int, float)) and self.seats == 2 else data
        if not isinstance(values, (list, tuple)) or len(values) != self.seats or not all(map(is_number, values)):
            raise BadParameter(f"expected {self.seats} numbers at {where}, got {data!r}")
        return np.array(values, np.float64)

    def guesses(self, data, where):
        named = data if isinstance(data, dict) else {"": data}
        return {name: self.vector(values, where) for name, values in named.items()}

    def ends(self, data, where):
        if data is None:
            return None
        if len(data) != self.seats or any(len(pair) != 2 or pair[0] > pair[1] for pair in data):
            raise BadParameter(f"expected a low and a high end for each of {self.seats} seats at {where}, got {data}")
        return np.array(data, np.float64).T

    def estimate(self, text=""):
        found = super().estimate(text)
        if found.function and found.function not in self.functions:
            raise unknown("estimate function", found.function, self.functions, str(self))
        return found

    def start(self, state, rng):
        state.node = self.root

    def mover(self, state):
        return state.node.seat

    def moves(self, state, seat, out):
        out[: len(state.node.children)] = range(len(state.node.children))
        return len(state.node.children)

    def outcomes(self, state, out, odds):
        odds[: len(state.node.odds)] = state.node.odds
        return self.moves(state, CHANCE, out)

    def play(self, state, seat, move):
        state.path = (*state.path, int(move))
        state.node = state.node.children[move]

    def payoff(self, state, out):
        out[:] = state.node.payoff

    def copy(self, state):
        place = Place()
        place.path, place.node = state.path, state.node
        return place

    def say(self, state, seat, move):
        return state.node.names[move]

    def notation(self, state):
        """The names of the moves from the root, `/` between them; the root is `/`."""
        node, words = self.root, []
        for move in state.path:
            words.append(node.names[move])
            node = node.children[move]
        return "/" + "/".join(words)

    def position(self, text):
        state = self.new()
        for word in text.strip().strip("/").split("/") if text.strip().strip("/") else ():
            if word not in state.node.names:
                raise BadPosition(f"'{word}' is no move at {self.notation(state)} of {self}")
            self.play(state, state.node.seat, state.node.names.index(word))
        return state


def is_number(data):
    return isinstance(data, (int, float)) and not isinstance(data, bool)


def is_payoff(data, seats):
    """Is this a leaf: a list of as many numbers as seats, or one number where two seats share it?"""
    if is_number(data):
        return True
    return (
        isinstance(data, (list, tuple)) and len(data) == seats and all(map(is_number, data)) and not (seats == 2 and isinstance(data, list))
    )


def count_seats(data):
    """How many seats a tree has: the length of its first leaf; a tree of single numbers has two."""
    leaf = data
    try:
        while not is_number(leaf):
            leaf = leaf.get("payoff", leaf.get("moves")) if isinstance(leaf, dict) else leaf
            leaf = list(leaf.values()) if isinstance(leaf, dict) else leaf
            if leaf and all(map(is_number, leaf)) and len(leaf) > 1:
                return len(leaf)
            leaf = leaf[0]
    except (KeyError, IndexError, TypeError, AttributeError):
        raise BadParameter(f"cannot tell the number of seats from {data!r}; give seats=…") from None
    return 2


def walk(node):
    yield node
    for below in node.children:
        yield from walk(below)


def read_json(file):
    try:
        return json.loads(text_of(file, BadParameter))
    except json.JSONDecodeError as fault:
        raise BadParameter(f"'{file}' is no JSON: {fault.msg} in line {fault.lineno}") from None
