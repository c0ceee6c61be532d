"""The transposition table: positions that come up again are not searched again.

An entry holds the whole value vector. It answers only for the same remaining depth, so a table never changes the move
or its value, only how soon they are found; where the value depends on the order of moves or on random tie-breaks a
table is refused. The key is made from every field of the state, the seat to move among them; games may give a faster
`key(state)`, and searches add whatever else the value depends on. Root seat, target and tie rule need not be in the
key: a table lives for one decision and is never shared.
"""

import numpy as np

from kingmaker.core.contract import provides
from kingmaker.core.errors import Mismatch
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import GAMMA, mix
from kingmaker.search.parts.machinery.line import move_of

UNKNOWN, EXACT, AT_LEAST, AT_MOST = 0, 1, 2, 3


class NoTable(Constant):
    """Every position is searched as if it were new."""

    def fields(self, game, plies):
        return []

    def known(self, game, switches, work, ply, depth, mark, seat, alpha, beta):
        return False

    def store(self, game, work, ply, depth, kind):
        return


class Table(Constant):
    """A table of 2**bits entries; of two positions with the same index the later one is kept."""

    def __init__(self, bits, hasher):
        self.size = 2**bits
        self.hasher = hasher

    def fields(self, game, plies):
        entry = [
            ("key", np.uint64),
            ("depth", np.int16),
            ("kind", np.int8),
            ("beyond", np.int8),
            ("first", np.int64),  # the first move of the line and who makes it
            ("values", np.float64, (game.seats,)),
        ]
        return [
            ("table", np.dtype(entry, align=True), (self.size,)),
            ("keys", np.uint64, (plies,)),
            ("outside", np.int16, (plies,)),  # work.beyond as it was before this ply was entered
        ]

    def known(self, game, switches, work, ply, depth, mark, seat, alpha, beta):
        """Is the value of work.states[ply] known, exactly or well enough for the window of `seat`? Then it is in
        work.values[ply].

        `mark` tells apart visits of one state that mean different things to the algorithm: whose turn it is to reply,
        say.
        """
        key = switches.forward_pruning.salted(game, work, ply, self.hasher.key(game, work.states[ply]))
        key = mix(key + np.uint64(mark) + self.way(game, ply))
        work.keys[ply] = key
        entry = work.table[np.int64(key & np.uint64(self.size - 1))]
        value = entry.values[seat]
        fits = ply > 0 and entry.kind != UNKNOWN and entry.key == key and entry.depth == depth
        if not fits or (entry.kind == AT_LEAST and value < beta) or (entry.kind == AT_MOST and value > alpha):
            same = entry.kind != UNKNOWN and entry.key == key
            switches.order.hint(work, ply, move_of(entry.first) if same else -1)
            work.outside[ply], work.beyond = work.beyond, 0
            return False
        work.beyond |= entry.beyond
        for each in range(game.seats):
            work.values[ply, each] = entry.values[each]
        work.lines[ply, 0] = entry.first
        work.lengths[ply] = 1
        return True

    def way(self, game, ply):
        """In a game with chance an entry is valid only at the same ply: chance nodes take plies of the workspace, and
        the plies that are left limit how deep the search below can go.
        """
        return np.uint64(ply) * GAMMA if game.max_outcomes > 0 else np.uint64(0)

    def store(self, game, work, ply, depth, kind):
        """Store what was found of work.states[ply], unless its kind is UNKNOWN."""
        if kind != UNKNOWN:
            key = work.keys[ply]
            entry = work.table[np.int64(key & np.uint64(self.size - 1))]
            entry.key, entry.depth, entry.kind, entry.beyond = key, depth, kind, work.beyond
            entry.first = work.lines[ply, 0]
            for each in range(game.seats):
                entry.values[each] = work.values[ply, each]
        work.beyond |= work.outside[ply]


class OwnKey(Constant):
    """The key that the game makes itself."""

    def key(self, game, state):
        return game.key(state)


def hasher_for(game):
    """How to make keys for a game: its own way, or one written from the fields of its record."""
    if provides(game, "key"):
        return OwnKey()
    if not game.has_records:
        raise Mismatch(f"{game} has no keys for a transposition table; give it a method key(state) or use table=0")
    lines = ["def key(self, game, state):", "    word = GAMMA"]
    for name in game.State.names:
        kind = game.State[name]
        if kind.base.kind not in "iub":
            raise Mismatch(
                f"the field '{name}' of {game} is no whole number; give the game a method key(state) or use table=0"
            )
        loop, index = "", ""
        for axis, length in enumerate(kind.shape):
            lines.append(f"{loop}    for i{axis} in range({length}):")
            loop += "    "
            index += f"[i{axis}]"
        lines.append(f"{loop}    word = mix(word ^ np.uint64(np.int64(state.{name}{index}))) + GAMMA")
    lines.append("    return word")
    space = {"np": np, "mix": mix, "GAMMA": GAMMA}
    exec("\n".join(lines), space)
    return type("FieldKey", (Constant,), {"key": space["key"], "__module__": __name__})()
