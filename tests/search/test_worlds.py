"""Searches of many worlds in one call: the same as world by world, in portions that suit the clock."""

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.budget import NO_LIMIT
from kingmaker.core.errors import BadGame, CannotCompile
from kingmaker.core.rng import RNG, stream
from kingmaker.core.wide_records import zeros
from kingmaker.search.parts.growing import pace, worlds
from kingmaker.search.parts.growing.pace import Pace, in_turn
from kingmaker.search.parts.growing.worlds import OneByOne, Together, machine_code, search_worlds, worlds_for
from kingmaker.search.parts.machinery.asking import asking
from kingmaker.search.parts.machinery.driving import LATE
from kingmaker.search.parts.machinery.node import FAULT
from kingmaker.search.pimc import parted
from tests.samples import OWN_GAMES, STICKS, trusted

KUHN, TRICKS = (trusted(load_game(str(OWN_GAMES / f"{name}.py"))) for name in ("kuhn", "tricks"))


def words(count):
    with np.errstate(over="ignore"):
        return parted(stream(7), count)


def one_by_one(agent, game, state, count, compiled):
    wishes = Ask(dealt=True, compiled=compiled)
    return OneByOne(agent, game, state, game.legal(state), words(count), wishes).search(0, count)


def same_words(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert (one.move, one.nodes, one.depth) == (other.move, other.nodes, other.depth)
        np.testing.assert_array_equal(one.values, other.values)
        assert (one.exact == other.exact)[~np.isnan(one.values[:, 0])].all()


@pytest.mark.parametrize(
    "text",
    [
        "maxn(depth=4)",
        "maxn(depth=3, ties=random)",
        "paranoid(depth=5, order=history)",
        "alpha_beta(depth=2, table=6)",
        "maxn(nodes=60)",
        "maxn(nodes=3)",
        "paranoid(nodes=40, depth=9)",
    ],
)
def test_the_lines_of_the_kernel_find_what_the_search_finds_world_by_world(text):
    """Interpreted: every world, every move, values, nodes and depth; at the end of a match the depth is not reached,
    and with three nodes no iteration is finished.
    """
    game = trusted(load_game(f"{OWN_GAMES / 'kuhn.py'}(seats=2)")) if "alpha" in text else TRICKS
    agent, count = load_agent(text).changed(one_world=True), 4
    for state in (game.new(3), game.after(game.new(1), *(game.legal(game.new(1))[:1]))):
        ready, legal = agent.ready(game, Ask(compiled=False)), game.legal(state)
        streams = zeros((count, 2), RNG)
        streams["word"] = words(count)
        told, exact = zeros((count, 3), np.int64), zeros((count, len(legal)), np.int8)
        values = np.full((count, len(legal), game.seats), np.nan)
        works = [ready.fresh() for _ in range(count)]
        for work in works:
            work.limit = agent.nodes or NO_LIMIT
        asked = asking(type(agent).kernel)
        given = (ready.arguments, agent.deepest, state, works, streams, legal, told, values, exact)
        with np.errstate(over="ignore"):
            search_worlds(game, ready.estimate, ready.switches, asked, *given)
        found = [worlds.Said(told[i, 0], values[i], exact[i] != 0, told[i, 1], told[i, 2], 0, 0) for i in range(count)]
        same_words(found, one_by_one(agent, game, state, count, False))


def together(count, text="maxn(depth=4)"):
    state = KUHN.new(2)
    wishes = Ask(dealt=True)
    return worlds_for(load_agent(text).changed(one_world=True), KUHN, state, KUHN.legal(state), words(count), wishes)


def test_machine_code_finds_the_same_in_whatever_portions():
    asked = together(9)
    assert isinstance(asked, Together)
    wanted = one_by_one(asked.agent, KUHN, KUHN.new(2), 9, None)
    same_words(asked.search(0, 9), wanted)
    same_words([*asked.search(0, 2), *asked.search(2, 3), *asked.search(3, 9)], wanted)
    for threads in (1, 2):
        same_words(list(in_turn(asked, Pace(9, 4, threads, None))), wanted)


@pytest.mark.parametrize(
    "text", ["maxn(seconds=9, depth=3)", "maxn(seconds=9, nodes=50)", "mcts(playouts=5)", "random"]
)
def test_what_needs_more_than_a_position_and_what_can_be_counted_is_asked_world_by_world(text):
    agent, state = load_agent(text), KUHN.new(2)
    agent = agent.changed(one_world=True) if text != "random" else agent
    assert type(worlds_for(agent, KUHN, state, KUHN.legal(state), words(3), Ask(dealt=True))) is OneByOne
    plain = Ask(dealt=True, compiled=False)
    shallow = load_agent("maxn(depth=2, one_world=True)")
    assert type(worlds_for(shallow, KUHN, state, KUHN.legal(state), words(3), plain)) is OneByOne
    assert type(worlds_for(shallow, KUHN, state, KUHN.legal(state), words(1), Ask(dealt=True))) is OneByOne


def test_machine_code_keeps_to_a_limit_of_nodes():
    asked = together(9, "maxn(nodes=7, depth=4)")
    assert isinstance(asked, Together)
    found = asked.search(0, 9)
    assert {said.nodes for said in found} == {7}
    same_words(found, one_by_one(asked.agent, KUHN, KUHN.new(2), 9, None))


class QuickAtFirst:
    """Stands for machine code of two speeds: the real one, which notes the limits of nodes that it is given."""

    def __init__(self, run):
        self.run, self.full, self.limits = run, False, []

    def __call__(self, *given):
        self.limits.append((self.full, int(given[7]["limit"].max())))
        self.run(*given)

    def make_full(self):
        self.full = True


def quick_at_first(count, text="maxn(depth=4)"):
    asked = together(count, text)
    asked.run = QuickAtFirst(asked.run)
    return asked


def test_small_worlds_are_searched_by_code_that_was_made_quickly():
    asked = quick_at_first(9)
    same_words(asked.search(0, 9), one_by_one(asked.agent, KUHN, KUHN.new(2), 9, None))
    assert asked.run.limits == [(False, worlds.FEW)]


@pytest.mark.parametrize(("text", "limit"), [("maxn(depth=4)", NO_LIMIT), ("maxn(nodes=9, depth=4)", 9)])
def test_a_larger_world_is_begun_again_at_full_speed_and_finds_the_same(monkeypatch, text, limit):
    monkeypatch.setattr(worlds, "FEW", 7)
    asked = quick_at_first(9, text)
    same_words(asked.search(0, 9), one_by_one(asked.agent, KUHN, KUHN.new(2), 9, None))
    assert asked.run.limits == [(False, 7), (True, limit)]


def test_a_limit_of_few_nodes_is_no_reason_to_begin_again():
    asked = quick_at_first(9, "maxn(nodes=7, depth=4)")
    assert {said.nodes for said in asked.search(0, 9)} == {7}
    assert asked.run.limits == [(False, 7)]


def test_worlds_that_were_stopped_from_outside_are_not_begun_again(monkeypatch):
    monkeypatch.setattr(worlds, "FEW", 7)
    asked = quick_at_first(9)
    run = asked.run.run

    def stopped(*given):
        run(*given)
        given[7]["stop"][0] = LATE

    asked.run.run = stopped
    asked.search(0, 9)
    assert asked.run.limits == [(False, 7)]


def test_threads_and_a_clock_have_full_speed_at_once(monkeypatch):
    made = []
    monkeypatch.setattr(worlds, "machine_code", lambda ready: (made.append(machine_code(ready)), made[-1])[1])
    for settings in ("threads=2", "seconds=5"):
        load_agent(f"pimc(maxn(depth=4), deals=3, {settings})").decide(KUHN, KUHN.new(2))
        assert made.pop()[0].full


def test_rules_that_cannot_be_compiled_are_asked_world_by_world(monkeypatch):
    def cannot(ready):
        raise CannotCompile("redeal cannot be compiled")

    monkeypatch.setattr(worlds, "machine_code", cannot)
    assert type(together(3)) is OneByOne


def test_a_game_that_lists_a_wrong_number_of_moves_is_named():
    asked = together(3)

    def stops(*given):
        given[7]["stop"][1], given[7]["fault"][1], given[7]["most"][1] = FAULT, 7, 2

    stops.full, asked.run = True, stops
    with pytest.raises(BadGame, match="a position has 7 moves or outcomes, expected 1 to 2"):
        asked.search(0, 3)


def test_a_search_of_worlds_can_be_stopped_from_outside():
    asked = together(3)
    seen = []

    def stops(*given):
        asked.halt(3)
        seen.extend(given[7]["stop"].tolist())
        assert (given[7]["limit"] == NO_LIMIT).all()

    stops.full, asked.run = True, stops
    asked.search(0, 3)
    assert seen == [3, 3, 3]
    assert asked.under_way == {}


class Clockwork:
    """Worlds that take so many seconds each on the clock of the test."""

    can_halt = False

    def __init__(self, now, each):
        self.now, self.each, self.portions = now, each, []

    def search(self, first, last):
        self.now[0] += self.each * (last - first)
        self.portions.append(last - first)
        return list(range(first, last))


@pytest.mark.parametrize(
    ("each", "seconds", "portions"),
    [
        (0.001, None, [1, 20, 20, 9]),  # a fiftieth of a second each
        (0.0001, None, [1, 30, 19]),  # not more than fit into the memory of a call
        (0.1, None, [1] * 50),
        (0.001, 0.0305, [1, 20, 9]),  # no world ends after the time
        (0.1, 0.35, [1, 1, 1]),
        (0.1, 0.05, [1]),  # the first is always searched
    ],
)
def test_portions_grow_until_they_take_a_fiftieth_of_a_second(monkeypatch, each, seconds, portions):
    now = [0.0]
    monkeypatch.setattr(pace.time, "perf_counter", lambda: now[0])
    asked = Clockwork(now, each)
    said = list(in_turn(asked, Pace(50, 30, 1, seconds)))
    assert asked.portions == portions
    assert said == list(range(sum(portions)))


def test_threads_share_what_is_left_in_portions_that_shrink(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(pace.time, "perf_counter", lambda: now[0])
    plan = Pace(100, 1000, 2, None)
    assert [plan.next() for _ in range(3)] == [1, 1, 1]  # nothing is known yet
    plan.begun, plan.ended, now[0] = 4, 1, 0.0001
    assert plan.next() == 96 // 4
    plan.begun = 98
    assert plan.next() == 1
    plan.begun = 100
    assert plan.next() == 0


def test_sticks_hides_nothing_and_is_searched_once():
    found = load_agent("pimc(maxn(depth=2), deals=5)").decide(STICKS, STICKS.new(), ask=Ask(compiled=False))
    assert found.notes["deals"] == 1


def test_preparing_compiles_what_a_decision_will_run(monkeypatch):
    agent, made = load_agent("pimc(maxn(depth=4), deals=3)"), []
    monkeypatch.setattr(worlds, "machine_code", lambda ready: (made.append(ready.agent), machine_code(ready))[1])
    agent.prepare(KUHN)
    assert made == [agent.asked]
    assert search_worlds in agent.runs(KUHN)
