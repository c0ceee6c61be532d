"""Playouts of growing trees: how they choose their moves, where they are cut, and in what unit their rewards lie."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, UnknownName
from kingmaker.core.rng import stream
from kingmaker.search.ismcts import Ismcts
from kingmaker.search.maxn import Maxn
from kingmaker.search.mcts import Mcts
from kingmaker.search.parts.growing.playing import GreedyMoves
from kingmaker.search.parts.growing.rewards import Score
from kingmaker.search.parts.growing.spread import begin_spread, weigh
from kingmaker.search.parts.machinery import sampling
from tests import oracles
from tests.samples import BIKES, SUM, TWIN, UNIFORM, positions, same, tree_at

STEPS = load_game("chinese_checkers(seats=3, radius=2)")
NIM = "sticks(seats=3, sticks=12)"  # has no estimate
SMALL = {"tree": 12}


def decided(game, state, **settings):
    return Mcts(**SMALL | settings).decide(game, state, stream(5), TWIN)


def test_without_an_estimate_playouts_are_random_and_go_to_the_end():
    game = load_game(NIM)
    usual, random = (decided(game, game.new(), playouts=150, solver=False, playout=p) for p in ("auto", "random"))
    assert same(usual, random)
    assert [sum(entry.values) for entry in usual.moves] == pytest.approx([1.0] * 3)


def test_with_an_estimate_playouts_are_greedy_and_cut_after_three_turns_of_every_seat():
    state = STEPS.new()
    usual = decided(STEPS, state, playouts=30)
    assert same(usual, decided(STEPS, state, playouts=30, playout="greedy", cut=9))
    assert not same(usual, decided(STEPS, state, playouts=30, playout="greedy", cut=6))
    assert not same(usual, decided(STEPS, state, playouts=30, playout="random", cut=9))


def test_random_playouts_go_to_the_end_unless_they_are_cut():
    """A match at this board has at most 15 turns."""
    game = load_game("chinese_checkers(seats=3, radius=2, rounds=5)")
    whole = decided(game, game.new(), playouts=5, playout="random", solver=False)
    assert whole.nodes == 5 * 15
    assert decided(game, game.new(), playouts=5, playout="random", cut=4, solver=False).nodes == 5 * 5


def test_greedy_playouts_choose_alike_with_foresight_and_without():
    agent = Mcts(playouts=1, epsilon=0.3, **SMALL)
    ready = agent.ready(STEPS, TWIN)
    for seed, state in enumerate(positions(STEPS, count=12, seed=3)):
        moves = []
        for foresees in (False, True):
            work = ready.workspace(state, stream(seed))
            work.states[1], work.epsilon = state, 0.3
            seat = STEPS.mover(state)
            with np.errstate(over="ignore"):
                moves.append([GreedyMoves(foresees).move(STEPS, ready.estimate, work, seat) for _ in range(4)])
        assert moves[0] == moves[1]


def test_the_estimate_of_a_game_of_constant_sum_is_shifted_until_it_adds_up():
    """Three seats share one point; the estimates 0.5, 0.4 and 0.3 add up to 1.2, a fifth too much."""
    out = np.zeros(3)
    Score(STEPS.facts, 3).write(STEPS, np.array([0.5, 0.4, 0.3]), out)
    assert out == pytest.approx([0.5 - 0.2 / 3, 0.4 - 0.2 / 3, 0.3 - 0.2 / 3])
    Score(SUM.facts, 3).write(SUM, np.array([SUM.high, 0.0, 0.0]), out)
    assert out == pytest.approx([1.0, 0.0, 0.0])


def test_a_value_does_not_rise_only_because_playouts_are_longer():
    """All seats come nearer to their camps, so without the shift every value would rise with the length of playouts."""
    values = [decided(STEPS, STEPS.new(), playouts=40, cut=cut, solver=False).values for cut in (0, 6, 12)]
    assert [sum(each) for each in values] == pytest.approx([1.0, 1.0, 1.0])


def test_the_spread_is_the_largest_standard_deviation_so_far():
    agent = Mcts(**SMALL)
    work = agent.ready(UNIFORM, TWIN).workspace(tree_at(UNIFORM, 1), stream(1))
    rng = np.random.default_rng(2)
    rewards = np.vstack([rng.random((20, 3)), np.full((60, 3), 0.5)])
    work.cut = 5
    begin_spread(work)
    largest = 0.0
    for count, each in enumerate(rewards, 1):
        work.values[0] = each
        weigh(UNIFORM, work)
        largest = max(largest, np.sqrt(rewards[:count].var(axis=0).mean()))
        assert work.spread == pytest.approx(largest)
    assert largest > 1.5 * np.sqrt(rewards.var(axis=0).mean())


def test_where_playouts_are_not_cut_the_bonus_is_measured_in_the_whole_range_of_rewards():
    agent = Mcts(playouts=50, playout="random", **SMALL)
    ready = agent.ready(BIKES, TWIN)
    work = ready.workspace(BIKES.new(1), stream(1))
    agent.fill(work, BIKES, None)
    for once in agent.run(ready, work).rounds():
        once()
    assert (work.spread, work.weighed) == (1.0, 0)


@pytest.mark.parametrize("sampler", [Mcts, Ismcts])
def test_playouts_by_a_search_make_the_moves_that_it_chooses(sampler):
    """One ply of MaxN is what greedy playouts do, where no two moves are equal."""
    state = tree_at(UNIFORM, 1)
    for estimate in ("", "guess(error=0)"):
        shared = {"playouts": 40, "epsilon": 0.0, "estimate": estimate, **SMALL}
        greedy = sampler(playout="greedy", **shared).decide(UNIFORM, state, stream(3), TWIN)
        by_search = sampler(playout=Maxn(depth=1, estimate=estimate), **shared).decide(UNIFORM, state, stream(3), TWIN)
        assert greedy.moves == by_search.moves


def test_a_deep_search_in_playouts_plays_them_perfectly():
    """To the end of the tree, a playout brings the value of MaxN, which an oracle knows."""
    state = tree_at(UNIFORM, 6, ply=1)
    found = decided(UNIFORM, state, playouts=3, playout=Maxn(depth=5), epsilon=0.0, cut=99, solver=False)
    for entry in found.moves:
        after = UNIFORM.after(state, entry.move)
        assert entry.values == pytest.approx([float(value) for value in oracles.maxn(UNIFORM, after, 5)[0]])


def test_a_search_in_playouts_is_written_as_it_is_anywhere_and_compiled():
    agent = load_agent("mcts(playouts=40, tree=12, playout=maxn(depth=2), epsilon=0.2)")
    assert agent.playout == Maxn(depth=2)
    assert load_agent(str(agent)) == agent
    state = tree_at(UNIFORM, 3)
    assert same(agent.decide(UNIFORM, state), agent.decide(UNIFORM, state, ask=Ask(compiled=False)))


def test_a_search_in_playouts_keeps_to_the_budget_of_nodes():
    for nodes in (150, 200, 300):
        found = decided(UNIFORM, tree_at(UNIFORM, 3), nodes=nodes, playout=Maxn(depth=3), solver=False)
        assert (found.stopped, found.nodes) == ("nodes", nodes)


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        (
            "mcts(playout=random())",
            BadParameter,
            "only a position and a depth, which random.* does not, in .*; use maxn",
        ),
        ("mcts(playout=mp_mix(depth=1))", BadParameter, "playouts can ask a search that needs only a position and a"),
        (
            "mcts(playout=maxn())",
            BadParameter,
            r"needs a depth and no other budget, got maxn.* playout=maxn\(depth=1\)",
        ),
        (
            "mcts(playout=maxn(depth=2, nodes=9))",
            BadParameter,
            "a search in playouts needs a depth and no other budget",
        ),
        ("mcts(playout=maxn(depth=2, table=9))", BadParameter, "has no table and no threads of its own, got maxn"),
        ("ismcts(playout=maxn(depth=2, threads=2))", BadParameter, "in ismcts.*; use table=0 and threads=1"),
        ("mcts(playout=7)", BadParameter, "expected a text or a search for playout, got 7 in mcts"),
        ("mcts(playout=maxn)", UnknownName, "unknown playout 'maxn' in mcts"),
        ("mcts(playout=maxm(depth=1))", UnknownName, "unknown agent 'maxm'"),
    ],
)
def test_searches_that_playouts_cannot_ask_are_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        load_agent(text)


@pytest.mark.parametrize(
    ("watched", "threaded", "sizes"),
    [
        (True, True, [256, 512, 1024, 1024, 1024, 1024, 1024, 112]),  # a tenth of a second each
        (False, True, [6000]),  # a thread can be stopped at any time
        (False, False, [256, 5744]),  # after a moment the round gets a thread
    ],
)
def test_rounds_of_playouts_grow_until_they_take_a_tenth_of_a_second(monkeypatch, watched, threaded, sizes):
    """With a clock on which a playout takes a tenth of a millisecond, a thousand playouts are long enough."""
    now, done, found = [0.0], [0], []
    monkeypatch.setattr(sampling.time, "perf_counter", lambda: now[0])
    run = SimpleNamespace(watched=watched, threaded=threaded)
    for size in sampling.batches(run, lambda: 6000 - done[0]):
        found.append(size)
        done[0] += size
        now[0] += size * 1e-4
    assert found == sizes


def test_outside_the_main_thread_all_playouts_are_one_round():
    """Worlds that are searched side by side would wait for each other between rounds."""
    found = []

    def rounds():
        for size in sampling.batches(SimpleNamespace(watched=False, threaded=False), lambda: 6000 - sum(found)):
            found.append(size)

    thread = threading.Thread(target=rounds)
    thread.start()
    thread.join()
    assert found == [6000]


def test_a_second_of_playouts_that_nobody_watches_starts_one_thread(monkeypatch):
    """A thread waits for a core, so on a busy machine many of them would make the search late."""
    started = []
    begin = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda thread: (started.append(thread), begin(thread))[1])
    found = Mcts(playouts=40_000, seconds=60, solver=False, playout="random", **SMALL).decide(
        UNIFORM, tree_at(UNIFORM, 2)
    )
    assert found.playouts == 40_000
    assert len(started) == 1


def test_what_is_found_is_looked_up_once_where_nobody_watches(monkeypatch):
    looked = []
    found = Mcts.found
    monkeypatch.setattr(Mcts, "found", lambda agent, *given: (looked.append(1), found(agent, *given))[1])
    decided(UNIFORM, tree_at(UNIFORM, 2), playouts=300, solver=False, cut=0)
    assert len(looked) == 1
    Mcts(playouts=300, solver=False, cut=0, **SMALL).decide(
        UNIFORM, tree_at(UNIFORM, 2), ask=Ask(compiled=False, watch=lambda progress: True)
    )
    assert len(looked) == 3  # after rounds of 256 and of 44 playouts


def test_a_proof_by_any_of_several_trees_ends_them_all():
    """The second tree has little left to prove; without its word the first would go on for all its playouts."""
    game = load_game("sticks(seats=2, sticks=30)")
    agent = Mcts(playouts=10**9, threads=2, solver=True, **SMALL)
    ready = agent.ready(game, TWIN)
    work = ready.workspace(game.new(), stream(1))
    agent.fill(work, game, None)
    run = agent.run(ready, work)
    near = load_game("sticks(seats=2, sticks=3)").new()
    run.works[1].states[0] = near
    next(iter(run.rounds()))()
    assert run.solved()
    assert not agent.is_solved(work)
