"""PIMC: votes and means over worlds, against worlds counted one by one; and its faults, on the lecture's roads."""

import math
import re
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadGame, BadParameter, Mismatch, UnknownName
from kingmaker.core.rng import stream
from kingmaker.search.parts.growing import pace
from kingmaker.search.parts.growing.poll import Poll
from kingmaker.search.parts.growing.worlds import Said
from kingmaker.search.pimc import Pimc
from tests import oracles
from tests.samples import OWN_GAMES, STICKS, TWIN, UNIFORM, trusted

KUHN, TRICKS = (trusted(load_game(str(OWN_GAMES / f"{name}.py"))) for name in ("kuhn", "tricks"))
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "algorithms" / "pimc.md").read_text()


def roads(death):
    """The game of the docs."""
    space = {"__name__": "docs"}
    exec(re.search(r"^```python\n(.*?)^game = ", PAGE, re.DOTALL | re.MULTILINE)[1], space)
    return space["Roads"](death)


def kuhn_worlds(state, seat):
    """Every deal that fits what a seat knows."""
    for order in permutations(card for card in range(4) if card != state.cards[seat]):
        world, rest = KUHN.copy(state), iter(order)
        for other in range(3):
            if other != seat:
                world.cards[other] = next(rest)
        yield world


def test_every_world_of_the_roads_says_b_and_so_does_pimc():
    """Spec 5.6: right only if death is worth more than -98."""
    for death, right in ((-1000.0, "A"), (-99.0, "A"), (-97.0, "B"), (0.0, "B")):
        game = roads(death)
        found = load_agent("pimc(maxn(depth=2), deals=9)").decide(game, game.new(), ask=TWIN)
        assert found.notes == {"deals": 9, "votes": {"A": 0, "B": 9}, "means": {"A": 1.0, "B": 100.0}}
        true = {"A": 1.0, "B": 50 + death / 2}
        assert max(true, key=true.get) == right
        knowing = 100 - max(true.values())
        assert knowing == 100 - max(1, 50 + death / 2)
        informed = load_agent("ismcts(playouts=1500, tree=8)").decide(game, game.new(), ask=TWIN)
        if abs(true["A"] - true["B"]) > 5:
            assert game.say(game.new(), 0, informed.move) == right


def test_means_and_votes_are_those_of_all_worlds():
    """Kuhn poker, the first seat: each of the six worlds solved exactly, and every deal is one of them."""
    for seed in (1, 4):
        state = KUHN.new(seed)
        solved = [oracles.maxn(KUHN, world, 12) for world in kuhn_worlds(state, 0)]
        values = {
            move: [float(oracles.maxn(KUHN, KUHN.after(world, move), 12)[0][0]) for world in kuhn_worlds(state, 0)]
            for move in (0, 1)
        }
        found = load_agent("pimc(maxn(depth=12), deals=90)").decide(KUHN, state, stream(3), TWIN)
        for move in (0, 1):
            share = sum(chosen == move for _, chosen in solved) / 6
            assert found.notes["votes"][str(move)] / 90 == pytest.approx(share, abs=4 * math.sqrt(0.25 / 90))
            error = 4 * np.std(values[move]) / math.sqrt(90) + 1e-9
            assert found.notes["means"][str(move)] == pytest.approx(np.mean(values[move]), abs=error)
        assert sum(found.notes["votes"].values()) == found.notes["deals"] == 90


def test_one_world_is_enough_where_nothing_is_hidden():
    state = UNIFORM.new(2)
    asked, alone = (
        load_agent(text).decide(UNIFORM, state, ask=TWIN) for text in ("pimc(maxn(depth=3))", "maxn(depth=3)")
    )
    assert (asked.move, asked.values, asked.moves, asked.nodes) == (alone.move, alone.values, alone.moves, alone.nodes)
    assert asked.notes["deals"] == 1


def said(move, values):
    """A vote for `move`, with the values of moves 1, 2 and 3 for the first seat."""
    return Said(move, np.array([(value, -value) for value in values], float), np.ones(3, bool), 1, 1, 0, 0)


def poll(*decisions, tie=0):
    made = Poll([1, 2, 3], 2, 0, tie)
    for each in decisions:
        made.count(each)
    return made


def test_votes_come_first_then_means_then_chance():
    for_two = poll(said(2, (9, 1, 0)), said(2, (9, 1, 0)), said(1, (9, 1, 0)))
    assert (for_two.best("vote"), for_two.best("mean")) == (1, 0)
    level = poll(said(1, (3, 4, 0)), said(2, (3, 4, 0)))
    assert level.best("vote") == 1
    open_tie = [poll(said(1, (3, 3, 0)), said(2, (3, 3, 0)), tie=tie).best("vote") for tie in range(6)]
    assert open_tie == [0, 1, 0, 1, 0, 1]
    assert poll(said(3, (3, 3, 3))).best("mean") == 2


def test_threads_change_nothing_but_the_time():
    state = TRICKS.new(4)
    one, two = (
        load_agent(f"pimc(maxn(depth=2), deals=6, threads={threads})").decide(TRICKS, state, stream(5), TWIN)
        for threads in (1, 2)
    )
    assert (one.move, one.moves, one.notes, one.nodes) == (two.move, two.moves, two.notes, two.nodes)
    assert two.bytes == 2 * one.bytes


def test_a_decision_takes_one_number_of_the_stream_however_many_worlds_it_deals():
    one, two = stream(3), stream(3)
    for rng, deals in ((one, 2), (two, 7)):
        load_agent(f"pimc(random, deals={deals})").decide(KUHN, KUHN.new(1), rng, TWIN)
    assert one.word == two.word


def test_means_are_taken_without_pruning():
    agent = load_agent("pimc(paranoid(depth=3), by=mean)")
    assert agent.asked.prune is False
    assert load_agent("pimc(paranoid(depth=3))").asked.prune is True
    found = load_agent("pimc(paranoid(depth=6), deals=3, by=mean)").decide(TRICKS, TRICKS.new(4), ask=TWIN)
    assert all(entry.exact for entry in found.moves)


def test_whoever_watches_may_stop_it_and_so_may_the_clock():
    seen = []

    def watch(progress):
        seen.append(progress.nodes)
        return len(seen) < 3

    found = load_agent("pimc(maxn(depth=2), deals=50)").decide(KUHN, KUHN.new(1), ask=Ask(watch=watch, compiled=False))
    assert (found.stopped, found.notes["deals"], len(seen)) == ("asked", 3, 3)
    found = load_agent("pimc(maxn(depth=2), deals=100000, seconds=0.05)").decide(KUHN, KUHN.new(1), ask=TWIN)
    assert found.stopped == "seconds"
    assert 0 < found.notes["deals"] < 100000


def test_its_text_leads_back_to_it():
    agent = load_agent("pimc(mp_mix(td=25, to=inf, depth=6), deals=20)")
    assert load_agent(str(agent)) == agent
    assert agent.agent == load_agent("mp_mix(td=25, to=inf, depth=6)")
    assert Pimc() == load_agent("pimc")


class Slow(Agent):
    """Takes 0.3 seconds for a world, on the clock of the test."""

    clock = [0.0]

    def choose(self, game, state, rng, ask):
        self.clock[0] += 0.3
        return Decision(game.legal(state)[0], None, (), (), 1, 1, 0.0, "depth")


def test_no_world_is_begun_that_would_end_too_late(monkeypatch):
    monkeypatch.setattr(pace.time, "perf_counter", lambda: Slow.clock[0])
    for seconds, worlds in ((1.0, 3), (0.1, 1), (0.61, 2), (50.0, 9)):
        began = Slow.clock[0]
        found = Pimc(Slow(), deals=9, seconds=seconds).decide(KUHN, KUHN.new(1), ask=TWIN)
        assert found.notes["deals"] == worlds
        assert found.stopped == ("deals" if worlds == 9 else "seconds")
        assert worlds == 1 or Slow.clock[0] - began <= seconds


def test_the_notes_round_means_to_four_digits():
    notes = (
        poll(said(1, (1, 0.123456, -2)), said(1, (2, 0.2, 1e6 / 3)), said(2, (2, 0, 0)))
        .decision("vote", 0.0, "deals", 1, {1: "a", 2: "b", 3: "c"})
        .notes
    )
    assert notes["means"] == {"a": 1.667, "b": 0.1078, "c": 111100.0}


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        (
            "pimc(maxn(depth=2), deals=0)",
            BadParameter,
            r"expected 1 to 1000000 deals, got 0 in pimc\(.*; use deals=1 to search a single world",
        ),
        (
            "pimc(maxn(depth=2), threads=0)",
            BadParameter,
            "expected 1 to 64 threads, got 0 in pimc.*; use threads=1 for none",
        ),
        (
            "pimc(maxn(depth=2), seconds=0)",
            BadParameter,
            "expected more than 0 seconds for all deals, got 0 .*; leave them out for no limit",
        ),
        ("pimc(3)", BadParameter, r"expected an agent to be asked, got 3; write pimc\(maxn\(depth=4\)\)"),
        ("pimc(banana)", UnknownName, "unknown agent 'banana'"),
        ("pimc(by=luck)", UnknownName, "unknown rule 'luck' in pimc"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        load_agent(text)


def test_an_agent_that_cannot_play_is_refused_with_a_way_out(tmp_path):
    for act in (lambda agent: agent.fit(KUHN), lambda agent: agent.decide(KUHN, KUHN.new(1))):
        with pytest.raises(
            Mismatch, match=r"pimc cannot ask alpha_beta\(depth=2\): .* with 3 seats, only with 2; use paranoid or maxn"
        ):
            act(load_agent("pimc(alpha_beta(depth=2))"))
    with pytest.raises(Mismatch, match=r"pimc cannot ask best_reply.*; use"):
        load_agent("pimc(best_reply(depth=2))").decide(STICKS, STICKS.new())
    text = (OWN_GAMES / "kuhn.py").read_text()
    (tmp_path / "bare.py").write_text(text.replace("def redeal(", "def deal_again("))
    with pytest.raises(
        BadGame, match=r"lacks the method redeal.*; write one, or play a game without hidden information"
    ):
        load_agent("pimc").fit(load_game(str(tmp_path / "bare.py")))
