"""Iterative deepening: the last finished iteration speaks, budgets are kept."""

import signal
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadGame, BadParameter, Mismatch, UnknownName
from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.guard import vouch
from kingmaker.games.sticks import Sticks
from kingmaker.search.maxn import Maxn
from kingmaker.search.minimax import Minimax
from kingmaker.search.paranoid import Paranoid
from kingmaker.search.parts.machinery.driving import in_a_thread
from tests import oracles
from tests.samples import BIKES, STICKS, TWIN, UNIFORM, tree_at


@pytest.mark.parametrize("agent", [Maxn, Paranoid])
def test_the_move_is_that_of_the_last_finished_iteration(agent):
    for nodes in range(2, 200, 9):
        state = tree_at(UNIFORM, nodes)
        limited = agent(nodes=nodes).decide(UNIFORM, state, ask=TWIN)
        if limited.depth:
            whole = agent(depth=limited.depth).decide(UNIFORM, state, ask=TWIN)
            assert (limited.move, limited.values, limited.line, limited.moves) == (
                whole.move,
                whole.values,
                whole.line,
                whole.moves,
            )


def test_an_unfinished_iteration_never_speaks():
    """Looking one ply deeper changes the move; a search that is stopped just before the end of that ply must not follow
    it.
    """
    changed = 0
    for seed in range(40):
        state = tree_at(UNIFORM, seed)
        shallow, deep = Maxn(depth=2).decide(UNIFORM, state), Maxn(depth=3).decide(UNIFORM, state)
        stopped = Maxn(nodes=deep.nodes - 1).decide(UNIFORM, state)
        assert (stopped.depth, stopped.move, stopped.values) == (2, shallow.move, shallow.values)
        changed += shallow.move != deep.move
    assert changed > 5


@pytest.mark.parametrize("compiled", [True, False])
def test_the_node_budget_is_never_exceeded(compiled):
    for nodes in (1, 2, 3, 4, 5, 17, 100, 178, 250):
        decision = Maxn(nodes=nodes).decide(UNIFORM, tree_at(UNIFORM, 1), ask=Ask(compiled=compiled))
        assert decision.nodes <= nodes
        assert decision.stopped in ("nodes", "solved")


@pytest.mark.parametrize("compiled", [True, False])
def test_an_iteration_that_needs_exactly_the_limit_is_finished(compiled):
    state = tree_at(UNIFORM, 1)
    for depth in (1, 2, 3):
        needed = oracles.deepened_nodes(UNIFORM, state, depth)
        exactly, one_less = (
            Maxn(nodes=nodes).decide(UNIFORM, state, ask=Ask(compiled=compiled)) for nodes in (needed, needed - 1)
        )
        assert (exactly.depth, exactly.nodes, exactly.stopped) == (depth, needed, "nodes")
        assert (one_less.depth, one_less.nodes, one_less.stopped) == (depth - 1, needed - 1, "nodes")


def test_the_node_budget_stops_inside_an_iteration():
    decision = Maxn(nodes=100).decide(UNIFORM, tree_at(UNIFORM, 1))
    assert decision.stopped == "nodes"
    assert decision.nodes == 100
    assert oracles.deepened_nodes(UNIFORM, tree_at(UNIFORM, 1), decision.depth) < 100


@pytest.mark.parametrize("nodes", [1, 2, 3])
@pytest.mark.parametrize("agent", [Maxn, Paranoid])
def test_a_search_that_cannot_finish_one_ply_plays_a_legal_move_and_says_so(agent, nodes):
    state = tree_at(UNIFORM, 1)
    decision = agent(nodes=nodes).decide(UNIFORM, state)
    assert decision.depth == 0
    assert decision.stopped == "nodes"
    assert decision.move in UNIFORM.legal(state)
    assert decision.line[0] == decision.move


def test_the_clock_stops_a_search():
    big = Sticks(3, 200)
    decision = Maxn(seconds=0.2).decide(big, big.new())
    assert decision.stopped == "seconds"
    assert decision.depth >= 1
    assert decision.move in big.legal(big.new())


def test_the_clock_stops_the_interpreted_twin():
    big = Sticks(3, 200)
    decision = Paranoid(seconds=0.2, prune=False).decide(big, big.new(), ask=TWIN)
    assert decision.stopped == "seconds"


@pytest.mark.parametrize("agent", [Maxn, Paranoid])
def test_a_solved_tree_says_so(agent):
    for left in (1, 4, 9):
        state = STICKS.position(f"left={left} seat=0 winner=0")
        decision = agent(depth=50).decide(STICKS, state, ask=TWIN)
        assert decision.stopped == "solved"
        assert oracles.solved_at(STICKS, state, decision.depth)
        assert not oracles.solved_at(STICKS, state, decision.depth - 1) or decision.depth == 1


def test_a_depth_budget_says_so():
    decision = Minimax(depth=3).decide(Sticks(2, 30), Sticks(2, 30).new(), ask=TWIN)
    assert (decision.stopped, decision.depth) == ("depth", 3)


def test_without_a_budget_a_search_has_a_second():
    assert load_agent("maxn").budget.seconds == 1.0
    assert load_agent("maxn(depth=3)").budget.seconds is None
    assert load_agent("maxn(depth=3)").budget.reproducible
    assert not load_agent("maxn(seconds=3)").budget.reproducible


def test_a_position_is_left_as_it_was():
    state = BIKES.new(2)
    before = BIKES.notation(state)
    Maxn(depth=3).decide(BIKES, state)
    assert BIKES.notation(state) == before


def test_settings_out_of_range_are_refused_with_the_agent():
    with pytest.raises(BadParameter, match=r"expected a budget of at least 1 for depth, got 0 in maxn\(depth=0\)"):
        load_agent("maxn(depth=0)")
    with pytest.raises(BadParameter, match=r"expected a whole number from 0 to 22 for table, got 40 in"):
        load_agent("maxn(depth=2, table=40)")
    with pytest.raises(BadParameter, match=r"expected a whole number from 0 to 1000 for quiet, got -1 in"):
        load_agent("maxn(depth=2, quiet=-1)")
    with pytest.raises(UnknownName, match=r"unknown order 'shufled' in .*; did you mean shuffled"):
        load_agent("maxn(depth=2, order='shufled')")


class Broken(Game):
    """A game that is wrong in one place, two plies below the root."""

    State = np.dtype([("ply", np.int16)], align=True)
    seats, max_moves = 2, 2
    facts = Facts(low=0.0, high=1.0)

    def __init__(self, fault="none", faces=0):
        self.fault, self.faces = fault, faces
        self.max_outcomes = faces
        self.listed = {"none": 0, "many": 3, "dice": 1}[fault]

    def start(self, state, rng):
        return

    def mover(self, state):
        return CHANCE if self.listed == 1 and state.ply == 2 else state.ply % 2

    def moves(self, state, seat, out):
        out[0] = 0
        out[1] = 1
        return self.listed if state.ply == 2 else 2

    def play(self, state, seat, move):
        state.ply += 1

    def payoff(self, state, out):
        out[:] = 0.5


@pytest.mark.parametrize("compiled", [True, False])
def test_a_position_without_moves_is_a_fault_of_the_game(compiled):
    """Machine code notices it too, where somebody has vouched for the game."""
    game = Broken("none")
    vouch(game, [game])
    with pytest.raises(BadGame, match="a position has 0 moves or outcomes, expected 1 to 2"):
        Maxn(depth=4).decide(game, game.new(), ask=Ask(compiled=compiled))


def test_a_position_with_too_many_moves_is_a_fault_of_the_game():
    with pytest.raises(BadGame, match="a position has 3 moves or outcomes, expected 1 to 2"):
        Maxn(depth=4).decide(Broken("many"), Broken("many").new(), ask=TWIN)


def test_the_sentence_counts_moves_also_where_dice_have_more_faces():
    game = Broken("none", faces=6)
    with pytest.raises(BadGame, match="a position has 0 moves or outcomes, expected 1 to 2"):
        Maxn(depth=4).decide(game, game.new(), ask=TWIN)


def test_dice_without_outcomes_are_a_fault_of_the_game():
    """Else a chance node with nothing below it would quietly be worth 0 to everybody."""
    game = Broken("dice", faces=6)
    with pytest.raises(BadGame, match="outcomes"):
        Maxn(depth=4).decide(game, game.new(), ask=TWIN)


class Broad(Game):
    """One decision among very many moves, as a plan in a war game may be."""

    State = np.dtype([("over", np.int8)])
    seats, max_moves = 6, 100_000

    def start(self, state, rng):
        pass

    def mover(self, state):
        return OVER if state.over else 0

    def moves(self, state, seat, out):
        out[0] = 0
        return 1

    def play(self, state, seat, move):
        state.over = 1

    def payoff(self, state, out):
        out[0] = 1.0


def test_memory_follows_need_and_is_told():
    """Where a ply takes much memory there are no more plies than the depth asks for."""
    game = Broad()
    small, wide = (load_agent(f"max_prob(depth={depth})").ready(game, TWIN).bytes for depth in (2, 40))
    assert small < 60e6
    assert wide > 200e6
    found = load_agent("maxn(depth=2)").decide(game, game.new(), ask=TWIN)
    assert found.bytes == load_agent("maxn(depth=2)").ready(game, TWIN).bytes > 0


def test_more_memory_than_can_be_had_is_refused():
    game = Broad()
    with pytest.raises(
        Mismatch, match=r"needs \d+\.\d GB of memory for one decision in broad\(\), and at most 2 GB can"
    ):
        load_agent("max_prob(depth=1000)").decide(game, game.new(), ask=TWIN)
    with pytest.raises(Mismatch, match="use a smaller depth, table, tree or record"):
        load_agent("maxn(depth=2)").decide(game, game.new(), ask=replace(TWIN, record=10**9))


def test_after_ctrl_c_nothing_goes_on_in_the_background():
    work, ended = SimpleNamespace(stop=0), threading.Event()

    def once():
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        while not work.stop:
            time.sleep(0.001)
        ended.set()

    try:
        with pytest.raises(KeyboardInterrupt):
            in_a_thread(once, work, None)
        assert ended.is_set()
    finally:
        work.stop = 1
