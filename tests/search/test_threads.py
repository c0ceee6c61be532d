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
from kingmaker.search.parts.machinery import side_by_side, young_brothers
from kingmaker.search.parts.machinery.divided import LEAST, MOST, Child, Node
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
    monkeypatch.setattr(side_by_side, "GAIN", 0)
    monkeypatch.setattr(young_brothers, "WORTH", 1)


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
    child = Child(np.array([0.5, 0.5, 0.5]), True, [], 1, 0)
    moves, wide, brothers = run.root.listed, (-np.inf, np.inf), run.brothers
    margin = ready.switches.rounding.margin(0.5)

    def window(mine, move, *known):
        node = Node(0, game.new(1), moves, 0, mine)
        node.begin(5, wide, ())
        node.results = dict.fromkeys(known, child)
        return brothers.narrowed(node, move)

    assert window(True, moves[1], moves[0]) == (0.5, np.inf)
    assert window(True, moves[0], moves[1])[0] < 0.5 - margin
    assert window(True, moves[0]) == wide
    assert window(False, moves[1], moves[0]) == (-np.inf, 0.5)
    assert window(False, moves[0], moves[1])[1] > 0.5 + margin
    assert run.seat == game.mover(game.new(1))


def test_below_the_root_only_the_order_of_the_search_decides_between_equal_moves():
    """An earlier move of the game's list need not be shown to be as good, which would take long."""
    root, below = (Node(ply, None, [4, 7], 0, True) for ply in (0, 1))
    root.begin(5, (), (7,))
    below.begin(4, (), (7,), 0, (root, 4))
    assert root.order == below.order == [7, 4]
    assert root.precedes(4, 7)
    assert not below.precedes(4, 7)
    assert below.precedes(7, 4)


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


@pytest.mark.parametrize(("text", "deep"), [("paranoid(depth=9, table=12)", False), ("paranoid(depth=9)", True)])
def test_where_one_root_move_takes_nearly_all_nodes_the_next_iterations_have_one_thread(monkeypatch, text, deep):
    monkeypatch.setattr(side_by_side, "GAIN", 100)
    monkeypatch.setattr(side_by_side, "AGAIN", 3)
    depths, nodes = [], {}
    iterate = side_by_side.SideBySide.iterate

    def noted(run, depth):
        depths.append(depth)
        iterate(run, depth)
        nodes.update(run.brothers.nodes)
        nodes[depth] = sum(run.shares)

    monkeypatch.setattr(side_by_side.SideBySide, "iterate", noted)
    one, two = both(load_game(BIKE), text, 1)
    assert (two.move, two.values[0], two.depth) == (one.move, one.values[0], one.depth)
    if deep:
        assert depths == list(range(2, 10))
    else:
        assert 1 < len(depths) < 6
        assert all(nodes[later - 1] >= 3 * nodes[first] for first, later in pairwise(depths))


def brothers_at(depth, nodes, text="paranoid(depth=9, threads=2)"):
    """A division that has begun an iteration of this depth, after iterations of so many nodes each."""
    game, agent = load_game(BIKE), load_agent(text)
    ready = agent.ready(game, TWIN)
    brothers = agent.run(ready, ready.workspace(game.new(1), stream(0, "agent"))).brothers
    brothers.nodes = dict(enumerate(nodes))
    brothers.begin(depth, -1)
    return brothers


def found(brothers, task, value, nodes=1):
    """Tell a division what a task has found."""
    node, move, _ = task
    brothers.found(node, move, Child(np.full(3, value), True, [], nodes, 0))


def test_the_brothers_of_a_first_move_wait_for_it_and_then_none_of_them_waits(monkeypatch):
    monkeypatch.setattr(young_brothers, "WORTH", 1000)
    brothers = brothers_at(3, [0, 1, 1])
    root = brothers.root
    first = brothers.task(root)
    assert (first[0], first[1]) == (root, root.order[0])
    assert brothers.task(root) is None
    found(brothers, first, 0.5)
    others = [brothers.task(root) for _ in root.order[1:]]
    assert [task[1] for task in others] == root.order[1:]
    assert all(task[2] == (0.5, np.inf) for task in others)
    for task in others:
        assert not root.over
        found(brothers, task, 0.4)
    assert root.over


def test_where_a_value_is_to_be_shown_all_replies_of_the_others_are_searched_at_once(monkeypatch):
    monkeypatch.setattr(young_brothers, "WORTH", 1000)
    brothers = brothers_at(8, [0, *[5000] * 7])
    first, path = brothers.task(brothers.root), []
    above = first[0]
    while above:  # first moves only lead to the first task
        path.append(above)
        assert above.expects == 0
        above = above.above[0] if above.above else None
    assert len(path) == 8
    assert brothers.task(brothers.root) is None
    reply = path[-2]  # the node of an opponent after the first root move
    assert not reply.mine
    assert not reply.needs_all
    reply.results[reply.order[0]] = Child(np.full(3, 0.5), True, [], 5000, 0)
    reply.open.clear()
    reply.last[reply.order[1]] = Child(np.full(3, 0.5), True, [], 5000, 0)
    begun = brothers.task(brothers.root)[0]
    assert begun.above == (reply, reply.order[1])
    assert (begun.mine, begun.expects, begun.needs_all) == (False, LEAST, True)
    second = brothers.task(brothers.root)
    assert second[0] is begun
    assert second[1] == begun.order[1]


def test_a_value_outside_the_window_ends_a_node_and_makes_the_tasks_below_needless(monkeypatch):
    brothers = brothers_at(2, [0, 1])
    root = brothers.root
    below = Node(1, None, [1, 2, 3], 1, False)
    root.open[root.order[0]] = root.below[root.order[0]] = below
    below.begin(1, (0.3, np.inf), (), MOST, (root, root.order[0]))
    tasks = [brothers.task(below)]
    found(brothers, tasks[0], 0.5)
    tasks += [brothers.task(below), brothers.task(below)]
    assert not young_brothers.needless(tasks[1][0])
    found(brothers, tasks[2], 0.2)
    assert young_brothers.needless(tasks[1][0])
    result = root.results[root.order[0]]
    assert (result.values[0], result.exact, result.nodes, result.reply) == (0.2, False, 3, 3)


def test_a_move_is_divided_if_the_iteration_before_found_much_below_it(monkeypatch):
    monkeypatch.setattr(young_brothers, "WORTH", 1000)
    brothers = brothers_at(4, [0, 1, 10, 100])
    root = brothers.root
    assert brothers.task(root)[0] is root
    root.last[root.order[0]] = Child(np.full(3, 0.5), True, [], 99, 0)
    brothers.begin(4, -1)
    assert brothers.task(root)[0] is root
    root.last[root.order[0]] = Child(np.full(3, 0.5), True, [], 100, 0)
    brothers.begin(4, -1)
    assert brothers.task(root)[0].above == (root, root.order[0])


def test_a_thread_whose_result_is_not_needed_is_stopped_and_goes_on():
    """Tasks are cut while they are searched, now and then, and the results stay those of one thread."""
    stopped = []

    class Noting(side_by_side.SideBySide):
        def leave(self, i, child):
            stopped.append(bool(self.teams[i].stop))
            super().leave(i, child)

    game = load_game("random_tree(seats=2, branching=4, height=9, kind=constant_sum)")
    for seed in range(6):
        agent = load_agent("alpha_beta(depth=9, threads=3)")
        one = agent.changed(threads=1).decide(game, game.new(seed))
        ready = agent.ready(game)
        work = ready.workspace(game.new(seed), stream(0, "agent"))
        ready.warm(work)
        run = Noting(ready, work, 9, 3)
        for once in run.rounds():
            once()
        two = run.found()
        assert (two.line[0], two.values[0]) == (one.move, one.values[0])
        assert not work.stop
        assert not any(team.stop for team in run.teams)
    assert any(stopped)
