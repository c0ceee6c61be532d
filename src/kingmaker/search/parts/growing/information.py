"""A tree of information sets: what is told apart is what a seat can tell apart, not what is true.

An information set is found by its key. `redeal` gives the same world to a seat for the same luck from all positions
that look the same to it, so a world that is dealt with one fixed luck stands for everything that the seat knows, and
its hash is the key. Each information set has a list of the moves that were possible in some world, and each of these
knows how often it was possible, how often it was made and what it brought.
"""

import math

import numpy as np

from kingmaker.core.errors import Mismatch
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.kernel import Constant, kernel
from kingmaker.core.rng import GAMMA, RNG, below, mix
from kingmaker.search.parts.growing.spread import spread_fields
from kingmaker.search.parts.growing.tree import PLIES, UNTRIED
from kingmaker.search.parts.machinery.node import FAULT
from kingmaker.search.parts.switches.transposition_table import hasher_for

LUCK = np.uint64(0x5EED)  # the one luck with which a seat's world stands for its information set
ONE = np.uint64(1)


def information_fields(game, size):
    """The workspace fields of a tree with at most `size` moves in all its information sets."""
    places = [("key", np.uint64), ("first", np.int32)]  # key 0: empty; first: its newest move plus one, 0: none
    moves = [
        ("sums", np.float64, (game.seats,)),
        ("visits", np.int32),
        ("possible", np.int32),  # in how many playouts that came here
        ("move", np.int32),
        ("next", np.int32),  # the next move of the same information set plus one
    ]
    return [
        ("places", np.dtype(places, align=True), (size,)),
        ("choices", np.dtype(moves, align=True), (size,)),
        ("filled", np.int64, ()),  # information sets
        ("used", np.int64, ()),  # moves
        ("deepest", np.int64, ()),  # the most moves that a playout made in the tree
        ("home", np.int64, ()),  # the information set of the root
        ("luck", RNG, ()),
        ("path", np.int32, (PLIES,)),
        ("cut", np.int64, ()),
        ("exploration", np.float64, ()),
        ("epsilon", np.float64, ()),
        *spread_fields(game),
    ]


class Open(Constant):
    """Nothing is hidden: an information set is a position."""

    def __init__(self, hasher):
        self.hasher = hasher

    def deal(self, game, work):
        """Deal a world for the root seat on work.states[1]."""
        return

    def key(self, game, work, seat):
        """The key of all that `seat` knows at work.states[1]."""
        return self.hasher.key(game, work.states[1])


class Hidden(Open):
    """A seat knows what all worlds that it may be dealt have in common."""

    def deal(self, game, work):
        game.redeal(work.states[1], work.root, work.rng)

    def key(self, game, work, seat):
        work.states[2] = work.states[1]
        work.luck.word = LUCK
        game.redeal(work.states[2], seat, work.luck)
        return self.hasher.key(game, work.states[2])


class SingleObserver(Constant):
    """Everything is seen with the eyes of the root seat, as if the others knew no more than it does."""

    def eyes(self, work, seat):
        return work.root


class MultipleObservers(Constant):
    """Every seat decides by what it knows itself."""

    def eyes(self, work, seat):
        return seat


OBSERVERS = {"single": SingleObserver(), "multiple": MultipleObservers()}


def sight_for(agent, game):
    """How information sets of a game are told apart."""
    try:
        hasher = hasher_for(game)
    except Mismatch:
        raise Mismatch(
            f"{agent.name} cannot tell the positions of {game} apart; give it a method key(state), or use pimc"
        ) from None
    return Hidden(hasher) if game.facts.hidden else Open(hasher)


@kernel
def place_of(work, key):
    """Where the information set with this key is, or the empty place where it belongs."""
    last = len(work.places) - 1
    at = np.int64(key & np.uint64(last))
    while work.places[at].key != key and work.places[at].key != 0:
        at = at + 1 if at < last else 0
    return at


@kernel
def choice_of(game, work, place, move):
    """The entry of a move of an information set, made where it is new; -1 if there is no room."""
    at = work.places[place].first - 1
    while at >= 0:
        if work.choices[at].move == move:
            return at
        at = work.choices[at].next - 1
    if work.used >= len(work.choices):
        return -1
    at = work.used
    work.used += 1
    entry = work.choices[at]
    entry.move, entry.visits, entry.possible, entry.next = move, 0, 0, work.places[place].first
    for each in range(game.seats):
        entry.sums[each] = 0.0
    work.places[place].first = at + 1
    return at


@kernel
def choose_possible(game, work, place, seat, many):
    """The listed move with the highest upper confidence bound, which counts only the playouts in which the move was
    possible; -1 if there is no room for it.
    """
    start, best, high = below(work.rng, many), -1, 0.0
    for i in range(many):
        listed = start + i if start + i < many else start + i - many
        at = choice_of(game, work, place, work.moves[1, listed])
        if at < 0:
            return -1
        entry = work.choices[at]
        entry.possible += 1
        bound = UNTRIED
        if entry.visits > 0:
            bonus = math.sqrt(math.log(entry.possible) / entry.visits)
            bound = entry.sums[seat] / entry.visits + work.exploration * work.spread * bonus
        if best < 0 or bound > high:
            best, high = at, bound
    return best


@kernel
def walk(game, switches, work):
    """Deal a world and follow the tree in it as far as it reaches, and one information set further. Returns how many
    moves were made in the tree; they are on work.path, and work.states[1] is where they led.
    """
    work.states[1] = work.states[0]
    switches.sight.deal(game, work)
    ply = 0
    while ply < len(work.path) and work.nodes < work.limit:
        seat = game.mover(work.states[1])
        if seat == OVER:
            return ply
        if seat == CHANCE:
            game.play(work.states[1], CHANCE, game.roll(work.states[1], work.rng))
            work.nodes += 1
            continue
        many = game.moves(work.states[1], seat, work.moves[1])
        if not 0 < many <= game.max_moves:
            work.fault, work.most, work.stop = many, game.max_moves, FAULT
            return ply
        known = switches.sight.key(game, work, switches.observer.eyes(work, seat))
        key = mix(known + GAMMA * np.uint64(seat + 1)) | ONE
        place = place_of(work, key)
        fresh = work.places[place].key != key
        if fresh:
            if 4 * work.filled >= 3 * len(work.places):
                return ply
            work.places[place].key, work.places[place].first = key, 0
            work.filled += 1
        if ply == 0:
            work.home = place
        elif fresh:
            return ply
        at = choose_possible(game, work, place, seat, many)
        if at < 0:
            return ply
        game.play(work.states[1], seat, work.choices[at].move)
        work.nodes += 1
        work.path[ply] = at
        ply += 1
    return ply
