"""The transposition table: sooner, never different."""

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.core.errors import Mismatch
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.core.rng import stream
from kingmaker.games.random_tree import RandomTree
from kingmaker.games.sticks import Sticks
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.maxn import Maxn
from kingmaker.search.minimax import Minimax
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.parts.switches.transposition_table import hasher_for
from tests.samples import BIKES, DICE, STICKS, STICKS_DUEL, TWIN, WRITTEN, positions

FAMILIES = [
    (STICKS, Maxn, {}),
    (STICKS, Maxn, {"ties": "least_others"}),
    (STICKS, Maxn, {"prune": "immediate+shallow"}),
    (STICKS, Paranoid, {}),
    (STICKS, Paranoid, {"prune": False}),
    (STICKS_DUEL, AlphaBeta, {}),
    (STICKS_DUEL, Minimax, {}),
    (BIKES, Maxn, {"estimate": "room"}),
    (BIKES, Paranoid, {"estimate": "territory"}),
    (DICE, Maxn, {}),
    (DICE, Paranoid, {}),
]


@pytest.mark.parametrize(("game", "agent", "settings"), FAMILIES)
@pytest.mark.parametrize("bits", [1, 4, 12])
def test_a_table_changes_neither_value_nor_move(game, agent, settings, bits):
    """Interpreted; the twins of test_twins.py carry it over to machine code. A small table is one where entries are
    often replaced.
    """
    for state in positions(game, count=4, seed=3):
        root = game.mover(state)
        for depth in (2, 4):
            without = agent(depth=depth, **settings).decide(game, state, ask=TWIN)
            with_table = agent(depth=depth, table=bits, **settings).decide(game, state, ask=TWIN)
            assert with_table.values[root] == without.values[root]
            assert with_table.move == without.move
            assert with_table.depth == without.depth
            assert with_table.nodes <= without.nodes


@pytest.mark.parametrize("order", ["history", "shuffled"])
@pytest.mark.parametrize(
    ("game", "text"),
    [
        (STICKS, "paranoid(depth=6, {})"),
        (STICKS_DUEL, "alpha_beta(depth=6, {})"),
        (BIKES, "best_reply(depth=4, estimate=room, {})"),
        (BIKES, "multi_minimax(depth=5, estimate=room, {})"),
        (BIKES, "multi_minimax(depth=5, rule=last, {})"),
    ],
)
def test_in_any_order_of_moves_a_table_changes_neither_value_nor_move(game, text, order):
    for number, state in enumerate(positions(game, count=12, seed=6)):
        without, with_table = (
            load_agent(text.format(f"order={order}, table={bits}")).decide(game, state, stream(number), ask=TWIN)
            for bits in (0, 8)
        )
        root = game.mover(state)
        assert (with_table.move, with_table.values[root]) == (without.move, without.values[root])


def test_with_a_table_the_next_decision_draws_the_same_numbers():
    streams = [stream(5), stream(5)]
    for bits, rng in zip((0, 8), streams):
        load_agent(f"paranoid(depth=5, order=shuffled, table={bits})").decide(STICKS, STICKS.new(), rng, ask=TWIN)
    assert streams[0].word == streams[1].word != stream(5).word


def test_a_table_leaves_offensive_as_it_is_where_it_takes_the_first_of_equals():
    for state in positions(STICKS, count=10, seed=2):
        target = (int(STICKS.mover(state)) + 1) % 3
        without, with_table = (
            load_agent(f"offensive(depth=5, target={target}, ties=first, table={bits})").decide(STICKS, state, ask=TWIN)
            for bits in (0, 8)
        )
        assert (with_table.move, with_table.values) == (without.move, without.values)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "offensive(depth=2, target=1, table=4)",
            "a table would repeat the same random tie-breaks in offensive.*; use table=0 or ties='first'",
        ),
        (
            "mp_mix(depth=2, table=4)",
            "a table would repeat the same random tie-breaks in offensive.*; use table=0 or ties='first'",
        ),
        (
            "maxn(depth=2, order=history, table=4)",
            "what maxn finds depends on the order of moves, so with order='history' "
            "a table would change it in .*; use table=0 or order=",
        ),
        (
            "best_reply_plus(depth=2, order=shuffled, table=4)",
            "with order='shuffled' a table would change it in best_reply_plus",
        ),
        (
            "multi_minimax(depth=2, rule=published, table=4)",
            "the published rule plays by bounds, which a table changes, in .*; use table=0 or rule='first'",
        ),
    ],
)
def test_where_a_table_would_change_the_result_it_is_refused(text, sentence):
    with pytest.raises(Mismatch, match=sentence):
        load_agent(text).fit(BIKES)


def test_mp_mix_has_a_table_where_it_takes_the_first_of_equals():
    load_agent("mp_mix(depth=2, table=4, ties=first)").decide(BIKES, BIKES.new(1), ask=TWIN)


def test_a_table_saves_nodes_where_positions_come_again():
    big = Sticks(3, 14)
    assert (
        Maxn(depth=8, table=12).decide(big, big.new(), ask=TWIN).nodes
        < 0.5 * Maxn(depth=8).decide(big, big.new()).nodes
    )


class Standstill(Game):
    """Nobody can do anything but pass: one position, again and again, and no match ends."""

    State = np.dtype([("over", np.int16)], align=True)
    seats, max_moves = 1, 1
    facts = Facts(low=0.0, high=1.0)

    def start(self, state, rng):
        return

    def mover(self, state):
        return OVER if state.over else 0

    def moves(self, state, seat, out):
        out[0] = 0
        return 1

    def play(self, state, seat, move):
        return

    def payoff(self, state, out):
        out[0] = 0.0


def test_a_table_never_calls_an_endless_game_solved():
    game = Standstill()
    without = Maxn(depth=8).decide(game, game.new(), ask=TWIN)
    with_table = Maxn(depth=8, table=6).decide(game, game.new(), ask=TWIN)
    assert (without.stopped, without.depth) == ("depth", 8)
    assert (with_table.stopped, with_table.depth) == ("depth", 8)


@pytest.mark.parametrize("game", [STICKS, BIKES, DICE], ids=lambda game: game.name)
def test_different_states_have_different_keys(game):
    hasher, seen = hasher_for(game), {}
    with np.errstate(over="ignore"):
        for state in positions(game, count=400, seed=9):
            text = game.notation(state)
            assert seen.setdefault(int(hasher.key(game, state)), text) == text
            assert int(hasher.key(game, state)) == int(hasher.key(game, game.position(text)))
    assert len(seen) == len(set(seen.values())) > 10


def test_every_field_is_in_the_key():
    hasher, state = hasher_for(BIKES), BIKES.new(3)
    with np.errstate(over="ignore"):
        before = hasher.key(BIKES, state)
        for name in BIKES.State.names:
            other = BIKES.copy(state)
            if BIKES.State[name].shape:
                other[name][-1] = other[name][-1] + 1
            else:
                other[name] = other[name] + 1
            assert hasher.key(BIKES, other) != before, name


class Keyed(RandomTree):
    """A random tree that makes its own key."""

    def key(self, state):
        return state.path


def test_a_game_may_make_its_own_key():
    game = Keyed(height=4)
    with np.errstate(over="ignore"):
        assert hasher_for(game).key(game, game.new(3)) == game.new(3).path
    assert (
        Maxn(depth=3, table=6).decide(game, game.new(3), ask=TWIN).values
        == Maxn(depth=3).decide(game, game.new(3), ask=TWIN).values
    )


class Floating(Sticks):
    """A game with a fraction in its state."""

    State = np.dtype([("left", np.int16), ("seat", np.int8), ("winner", np.int8), ("share", np.float64)], align=True)


def test_a_game_without_keys_is_refused():
    with pytest.raises(
        Mismatch, match=r"has no keys for a transposition table; give it a method key\(state\) or use table=0"
    ):
        Maxn(depth=2, table=4).decide(WRITTEN, WRITTEN.new())
    with pytest.raises(
        Mismatch,
        match=r"the field 'share' of floating.* is no whole number; give the game a method key\(state\) or use table=0",
    ):
        Maxn(depth=2, table=4).decide(Floating(), Floating().new())
