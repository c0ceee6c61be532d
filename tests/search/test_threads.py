"""Several threads for one decision find what one thread finds."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.rng import stream
from kingmaker.search.parts.machinery import divided, side_by_side
from kingmaker.search.parts.machinery.divided import Shares
from tests.samples import BIKES, TWIN

BIKE = "light_bike(seats=3, width=6, height=6, starts=distinct)"
TREE = "random_tree(seats=3, branching=3, height=5, values=3)"
SAME = [
    "maxn(depth=4)",
    "maxn(depth=4, ties=average)",
    "maxn(depth=4, ties=least_others)",
    "max_prob(depth=4)",
    "offensive(depth=4, ties=first)",
    "prob_maxn(depth=4)",
    "prom(depth=4)",
    "om(depth=4)",
    "paranoid(depth=4, prune=False)",
]
WINDOWED = [
    "paranoid(depth=5)",
    "paranoid(depth=5, order=given)",
    "paranoid(depth=5, order=history)",
    "paranoid(depth=5, table=12)",
    "best_reply_plus(depth=5)",
    "mp_mix(depth=4, td=0.1, to=0.2)",
]


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """Threads are used however small an iteration is, and down to the last plies."""
    monkeypatch.setattr(side_by_side, "FEWEST", 1)
    monkeypatch.setattr(side_by_side, "WORTH", 1)
    monkeypatch.setattr(divided, "GAIN", 0)


def both(game, text, seed, threads=2, ask=TWIN):
    agent = load_agent(text)
    state = game.new(seed)
    return agent.decide(game, state, None, ask), agent.changed(threads=threads).decide(game, state, None, ask)


def lasting(decision):
    """What does not depend on the clock, nor on the memory that a search takes."""
    return replace(decision, seconds=0.0, bytes=0)


@pytest.mark.parametrize("text", SAME)
def test_unpruned_searches_return_the_same_decision_bit_for_bit(text):
    for seed in range(5):
        one, two = both(load_game(TREE), text, seed, 2 + seed % 3)
        assert lasting(two) == lasting(one), seed


@pytest.mark.parametrize("text", WINDOWED)
def test_alpha_beta_plays_the_same_move_for_the_same_value(text):
    for seed in range(8):
        one, two = both(load_game(TREE), text, seed, 2 + seed % 3)
        assert (two.move, two.values[0], two.depth) == (one.move, one.values[0], one.depth), seed
        if load_agent(text).order == "given":  # else the leaf may be another one of equal value
            assert (two.values, two.line) == (one.values, one.line)


def test_a_bound_is_never_called_exact():
    for seed in range(8):
        game = load_game(TREE)
        two = load_agent("paranoid(depth=5, threads=3)").decide(game, game.new(seed), None, TWIN)
        whole = load_agent("paranoid(depth=5, prune=False)").decide(game, game.new(seed), None, TWIN)
        for found, true in zip(two.moves, whole.moves, strict=True):
            assert found.values[0] == true.values[0] if found.exact else found.values[0] >= true.values[0]


@pytest.mark.parametrize(
    "text", ["multi_minimax(depth=5)", "multi_minimax(depth=5, rule=last)", "best_reply(depth=5, order=given)"]
)
def test_so_do_the_searches_that_let_seats_act_out_of_turn(text):
    for seed in range(4):
        one, two = both(load_game(BIKE), text, seed)
        assert (two.move, two.values, two.line, two.depth) == (one.move, one.values, one.line, one.depth), seed


def test_machine_code_runs_in_threads_too():
    game = load_game(str(BIKES))
    for text in ("maxn(depth=7)", "paranoid(depth=9, order=given)"):
        one, two = both(game, text, 1, 2, Ask())
        assert (two.move, two.values, two.line) == (one.move, one.values, one.line)
        assert two.nodes == one.nodes or "paranoid" in text


def test_a_recorded_tree_is_searched_by_one_thread():
    game = load_game(TREE)
    ask = replace(TWIN, record=10_000)
    one, two = both(game, "maxn(depth=4)", 3, 2, ask)
    for name in one.tree.nodes.dtype.names:
        np.testing.assert_array_equal(one.tree.nodes[name], two.tree.nodes[name])
    assert lasting(replace(two, tree=None)) == lasting(replace(one, tree=None))


def test_time_stops_all_threads():
    game = load_game("chinese_checkers(seats=3, radius=2, rounds=12)")
    found = load_agent("maxn(seconds=0.3, threads=2)").decide(game, game.new(1))
    assert found.stopped == "seconds"
    assert found.depth >= 1
    assert found.seconds < 30


def test_a_fault_in_one_thread_is_told():
    game = load_game(TREE)
    agent = load_agent("maxn(depth=4, threads=2)")
    broken = game.new(1)

    def told(_progress):
        raise RuntimeError("the watcher fell asleep")

    with pytest.raises(RuntimeError, match="the watcher fell asleep"):
        agent.decide(game, broken, None, replace(TWIN, watch=told))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("maxn(threads=0)", "expected 1 to 64 threads, got 0"),
        (
            "maxn(nodes=100, threads=2)",
            "threads cannot share a limit of nodes in maxn(nodes=100, threads=2); use depth or seconds, or threads=1",
        ),
        ("maxn(order=history, threads=2)", "use order='given' or threads=1"),
        ("paranoid(order=shuffled, threads=2)", "what paranoid plays depends on the order of moves"),
        ("maxn(ties=random, threads=2)", "threads would draw other random tie-breaks in maxn"),
        ("offensive(threads=2)", "threads would draw other random tie-breaks in offensive"),
        ("multi_minimax(rule=published, threads=2)", "the published rule plays by bounds, which threads change"),
        ("pvs(threads=2)", "so that threads cannot search them side by side, in pvs(threads=2); use alpha_beta"),
        ("soft_maxn(threads=2)", "threads pass on one vector a move, but soft_maxn needs sets"),
    ],
)
def test_what_threads_would_change_is_refused(text, told):
    with pytest.raises(BadParameter, match=re.escape(told)):
        load_agent(text)


def test_ties_with_a_later_move_leave_the_window_open():
    """A thread that knows the value of a later move must not miss that an earlier one is as good."""
    game = load_game(TREE)
    agent = load_agent("paranoid(depth=5, threads=2)")
    ready = agent.ready(game, TWIN)
    run = agent.run(ready, ready.workspace(game.new(1), stream(0, "agent")))
    child = side_by_side.Child(np.array([0.5, 0.0, 0.0]), True, [], 1, 0)
    child.values[:] = 0.5
    moves, wide = run.legal, (-np.inf, np.inf)
    mine, theirs = (side_by_side.Node(0, 5, wide, moves, moves, whose, ()) for whose in (True, False))
    margin = ready.switches.rounding.margin(0.5)
    assert run.narrowed(mine, moves[1], {moves[0]: child}) == (0.5, np.inf)
    assert run.narrowed(mine, moves[0], {moves[1]: child})[0] < 0.5 - margin
    assert run.narrowed(mine, moves[0], {}) == wide
    assert run.narrowed(theirs, moves[1], {moves[0]: child}) == (-np.inf, 0.5)
    assert run.narrowed(theirs, moves[0], {moves[1]: child})[1] > 0.5 + margin
    assert run.seat == game.mover(game.new(1))


def test_of_equal_root_moves_the_one_that_the_game_lists_first_is_found_by_threads_too():
    """The move that leads the order is searched first, but an earlier one that is as good is played."""
    for seed in range(8):
        game, text = load_game("random_tree(seats=2, branching=3, height=5, kind=constant_sum, values=3)"), "alpha_beta"
        one = load_agent(f"{text}(depth=5, order=given)").decide(game, game.new(seed), None, TWIN)
        two = load_agent(f"{text}(depth=5, threads=2)").decide(game, game.new(seed), None, TWIN)
        assert (two.move, two.values) == (one.move, one.values)


def test_a_move_that_was_cut_in_its_thread_stays_a_bound():
    game = load_game(TREE)
    agent = load_agent("paranoid(depth=2, threads=2)")
    ready = agent.ready(game, TWIN)
    run = agent.run(ready, ready.workspace(game.new(1), stream(0, "agent")))
    for once in run.rounds():
        once()
    assert run.found().root_exact[0]  # the first move is searched with an open window
    run.exact = {int(run.found().moves[0]): False}
    assert not run.found().root_exact[0]


def test_shares_tell_how_many_nodes_are_searched_one_after_the_other():
    shares = Shares()
    shares.add([30, 10, 20], threads=2)
    assert (shares.whole, shares.longest) == (60, 30)
    shares.add([90, 10], threads=2)
    assert (shares.whole, shares.longest) == (160, 120)
    shares.add([], threads=2)
    assert (shares.whole, shares.longest) == (160, 120)


@pytest.mark.parametrize("gain", [0, 100])
def test_where_one_move_takes_nearly_all_nodes_the_next_iterations_have_one_thread(monkeypatch, gain):
    monkeypatch.setattr(divided, "GAIN", gain)
    monkeypatch.setattr(side_by_side, "AGAIN", 3)
    depths, nodes = [], {}
    iterate = side_by_side.SideBySide.iterate

    def noted(run, depth):
        depths.append(depth)
        iterate(run, depth)
        nodes.update(run.nodes)
        nodes[depth] = run.shares.whole

    monkeypatch.setattr(side_by_side.SideBySide, "iterate", noted)
    one, two = both(load_game(BIKE), "paranoid(depth=9)", 1)
    assert (two.move, two.values[0], two.depth) == (one.move, one.values[0], one.depth)
    if gain == 0:
        assert depths == list(range(2, 10))
    else:
        assert 1 < len(depths) < 6
        assert all(nodes[later - 1] >= 3 * nodes[first] for first, later in pairwise(depths))
