"""Explicit trees: a game tree written down, node by node, as nested Python lists or in a JSON file.

For worked examples and counter-examples. A state is the node where the match stands: a Python object, not a record, so
searches run interpreted.

A node is either a leaf, the payoffs as a list of numbers (with two seats a single number x stands for x, -x), or a list
of child nodes with the seats moving in turn, or a dictionary with any of: `moves` (child nodes as a list, or by name),
`seat` (who moves), `odds` (a chance node), `payoff`, `estimate` (a vector, or several by name), `interval` (low and
high end for each seat).

With two seats a list of two numbers may mean a leaf or a node with two leaves. It is read as a node if all other leaves
of the tree are written as single numbers. Otherwise it is refused, because a guess would often be wrong.
"""

import json
import math

import numpy as np

from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove, unknown
from kingmaker.core.estimate import Estimate
from kingmaker.core.files import text_of
from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.parameters import LARGEST, shown

KEYS = ("moves", "seat", "odds", "payoff", "estimate", "interval")
FILE_KEYS = ("tree", "seats", "about", "source")  # of a JSON file; the last two are for its readers
ESCAPES = (("~", "~0"), ("/", "~1"))  # in names of moves, as JSON pointers write them
MOST_SEATS = 16


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
    """The estimate and the interval that are written at a node; without an estimate every seat has an equal share, and
    without an interval anything may happen.

    `function` picks one of several estimates by name.
    """

    has_intervals = True

    def __init__(self, function=""):
        self.function = function

    def value(self, game, state, out):
        guess = state.node.estimates.get(self.function)
        out[:] = game.fair_share if guess is None else guess

    def final(self, game, state, out):
        """The payoff, or the named estimate if the leaf has it: opponent types may value leaves in their own way."""
        named = state.node.estimates.get(self.function) if self.function else None
        out[:] = named if named is not None else state.node.payoff

    def widest_edge(self, game):
        """The largest difference between two seats' estimates at any node that is not a leaf."""
        written = (node.estimates.get(self.function) for node in walk(game.root) if node.children)
        return max((float(guess.max() - guess.min()) for guess in written if guess is not None), default=0.0)

    def interval(self, game, state, low, high):
        """The interval as it is written; without one the payoff at a leaf, and elsewhere the game's bounds."""
        if state.node.interval is not None:
            low[:], high[:] = state.node.interval
        elif state.node.payoff is not None:
            low[:] = high[:] = state.node.payoff
        else:
            low[:], high[:] = game.facts.low, game.facts.high


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
        if tree is None and not file:
            raise BadParameter("expected a tree or a file, got neither; write explicit_tree(file='tree.json')")
        try:
            data = self.unwrapped(read_json(file) if file else tree)
            self.seats = self.seats or count_seats(data)
            self.require(0 < self.seats <= MOST_SEATS, f"expected 1 to {MOST_SEATS} seats, got {self.seats}")
            self.single = self.seats == 2 and written_singly(data)
            self.root = self.read(data, 0, ())
            every = list(walk(self.root))
        except RecursionError:
            raise BadParameter(
                "the tree is nested deeper than Python can follow; expected a few hundred plies at most"
            ) from None
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

    def unwrapped(self, data):
        """The tree itself, if it is given under the key `tree` with the number of seats beside it."""
        if not isinstance(data, dict) or "tree" not in data:
            return data
        for key in data:
            if key not in FILE_KEYS:
                raise unknown("key", str(key), FILE_KEYS, "the tree")
        self.seats = data.get("seats", self.seats)
        if not is_whole(self.seats):
            raise BadParameter(f"expected a whole number for seats beside the tree, got {shown(self.seats)}")
        return data["tree"]

    def read(self, data, ply, path):
        """A node and all below it, from lists and dictionaries."""
        where = "/".join(map(str, path)) or "the root"
        if is_payoff(data, self.seats):
            return Node((), (), OVER, None, self.vector(data, where), {}, None)
        if self.seats == 2 and is_pair(data) and not self.single:
            raise BadParameter(
                f"{shown(data)} at {where} may be a leaf or a node with two leaves; "
                f'write {{"payoff": {shown(data)}}} for a leaf, {{"moves": {shown(data)}}} for a node'
            )
        data = {"moves": data} if isinstance(data, list) else data
        if not isinstance(data, dict) or set(data) - set(KEYS) or not isinstance(data.get("moves", []), (list, dict)):
            raise BadParameter(
                f"expected a leaf of {self.seats} numbers, a list of nodes or "
                f"a dictionary with {', '.join(KEYS)} at {where}, "
                f"got {shown(data)}"
            )
        moves = data.get("moves", [])
        names = tuple(moves) if isinstance(moves, dict) else tuple(map(str, range(len(moves))))
        for name in names:
            if not isinstance(name, str) or not name.isprintable() or name != name.strip() or not name:
                raise BadParameter(
                    "expected a name of printed letters without space at its "
                    f"ends for a move at {where}, got {shown(name)}"
                )
        below = list(moves.values()) if isinstance(moves, dict) else moves
        turn = data.get("seat", ply % self.seats)
        if not is_whole(turn) or not 0 <= turn < self.seats:
            raise BadParameter(f"expected a seat from 0 to {self.seats - 1} at {where}, got {shown(turn)}")
        odds = data.get("odds")
        if odds is not None and not are_odds(odds, len(below)):
            raise BadParameter(
                f"expected {len(below)} probabilities with sum 1 at {where}, got {shown(odds)}; give every outcome one "
                "and divide each by their sum"
            )
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
        values = [data, -data] if is_number(data) and self.seats == 2 else data
        if not isinstance(values, (list, tuple)) or len(values) != self.seats or not all(map(is_number, values)):
            raise BadParameter(f"expected {self.seats} numbers at {where}, got {shown(data)}")
        return np.array(values, np.float64)

    def guesses(self, data, where):
        named = data if isinstance(data, dict) else {"": data}
        return {name: self.vector(values, where) for name, values in named.items()}

    def ends(self, data, where):
        if data is None:
            return None
        if not isinstance(data, (list, tuple)) or len(data) != self.seats or not all(map(is_range, data)):
            raise BadParameter(
                f"expected a low and a high end for each of {self.seats} seats at {where}, got {shown(data)}"
            )
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
        if not 0 <= move < len(state.node.names):
            raise IllegalMove(
                f"{move} is no move at {self.notation(state)} of {self}; "
                f"there are {len(state.node.names)}, counted from 0"
            )
        return state.node.names[move]

    def admits(self, state):
        """Does the place lie in this tree and no other?"""
        node = self.root
        for move in state.path:
            if not 0 <= move < len(node.children):
                return False
            node = node.children[move]
        return node is state.node

    def notation(self, state):
        """The names of the moves from the root, each after a `/`, which inside a name is `~1`; the root is `/`."""
        node, words = self.root, []
        for move in state.path:
            words.append(node.names[move])
            node = node.children[move]
        return "/" + "/".join(map(escaped, words))

    def position(self, text):
        state = self.new()
        for word in text.strip().removeprefix("/").split("/") if text.strip() not in ("", "/") else ():
            name = plain(word)
            if name not in state.node.names:
                raise BadPosition(f"'{name}' is no move at {self.notation(state)} of {self}")
            self.play(state, state.node.seat, state.node.names.index(name))
        return state


def escaped(name):
    """The name of a move inside a position."""
    for sign, written in ESCAPES:
        name = name.replace(sign, written)
    return name


def plain(word):
    """The name that was escaped."""
    for sign, written in reversed(ESCAPES):
        word = word.replace(written, sign)
    return word


def is_whole(data):
    return isinstance(data, int) and not isinstance(data, bool)


def is_number(data):
    """Is this a finite number, not too large for floating point?"""
    return (is_whole(data) and abs(data) <= LARGEST) or (isinstance(data, float) and math.isfinite(data))


def is_pair(data):
    return isinstance(data, list) and len(data) == 2 and all(map(is_number, data))


def is_range(data):
    return isinstance(data, (list, tuple)) and len(data) == 2 and all(map(is_number, data)) and data[0] <= data[1]


def are_odds(data, count):
    if not isinstance(data, (list, tuple)) or len(data) != count or not all(map(is_number, data)):
        return False
    return min(data, default=0) >= 0 and abs(math.fsum(data) - 1) <= 1e-9


def is_payoff(data, seats):
    """Is this a leaf: a list of as many numbers as there are seats, or a single number?"""
    if is_number(data):
        return True
    return (
        isinstance(data, (list, tuple))
        and len(data) == seats
        and all(map(is_number, data))
        and not (seats == 2 and isinstance(data, list))
    )


def children(data):
    """The data that may be child nodes of this one."""
    moves = data.get("moves", []) if isinstance(data, dict) else data
    return list(moves.values()) if isinstance(moves, dict) else moves if isinstance(moves, list) else []


def written_singly(data):
    """In a tree for two seats: is at least one leaf a single number, and is none clearly a vector?"""
    kinds = set(leaf_forms(data))
    return kinds == {"single"}


def leaf_forms(data):
    """How each leaf of a tree for two seats is written, single or vector; lists of two numbers may be either and are
    left out.
    """
    if is_number(data):
        yield "single"
    elif isinstance(data, tuple):
        yield "vector"
    elif isinstance(data, dict) and "payoff" in data:
        yield "single" if is_number(data["payoff"]) else "vector"
    elif not is_pair(data):
        for child in children(data):
            yield from leaf_forms(child)


def count_seats(data):
    """How many seats a tree has: the length of its first leaf; a tree of single numbers has two."""
    todo = [data]
    while todo:
        node = todo.pop()
        leaf = node["payoff"] if isinstance(node, dict) and "payoff" in node else node
        if is_number(leaf):
            return 2
        if isinstance(leaf, (list, tuple)) and len(leaf) > 1 and all(map(is_number, leaf)):
            return len(leaf)
        todo += reversed(children(node))
    raise BadParameter(f"cannot tell the number of seats from {shown(data)}; give seats=…")


def walk(node):
    yield node
    for below in node.children:
        yield from walk(below)


def read_json(file):
    try:
        return json.loads(text_of(file, BadParameter), object_pairs_hook=each_key_once)
    except json.JSONDecodeError as fault:
        raise BadParameter(f"'{file}' is no JSON: {fault.msg} in line {fault.lineno}") from None
    except BadParameter:
        raise
    except ValueError as fault:  # a number of thousands of digits
        raise BadParameter(f"cannot read '{file}': {fault}") from None


def each_key_once(pairs):
    """A JSON object as a dictionary; refuses a key that occurs twice, because a move would be lost without notice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadParameter(
            f"expected each name once in an object of a tree, got {shown(twice)} again; rename one of them"
        )
    return found
