"""`kingmaker impact`, against counts so slow that they are obvious."""

import json
import random

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import BadParameter
from kingmaker.core.game import CHANCE, OVER
from kingmaker.probe.impact import Counts, Probe, advice, measure, over_plans

TREE = "random_tree(seats=3, branching=3, height=5, values=3)"


def by_hand(game, estimate, state, seat):
    """Which seats `seat` can influence, by both rules, written from the definition."""

    def worth(view):
        out = np.zeros(game.seats)
        with np.errstate(over="ignore"):
            (estimate.final if game.mover(view) == OVER else estimate.measure)(game, view, out)
        return tuple(out)

    def mean(view):
        if game.mover(view) != CHANCE:
            return worth(view)
        odds = game.chances(view)
        return tuple(sum(p * worth(game.after(view, event))[each] for event, p in odds) for each in range(game.seats))

    views = [game.after(state, move) for move in game.legal(state)]
    now = worth(state)
    children = [mean(view) for view in views if game.mover(view) != OVER or estimate.measures_value]
    distinct = [len({round(child[each], 9) for child in children}) > 1 for each in range(game.seats)]
    reduces = [any(child[each] < now[each] - 1e-9 for child in children) for each in range(game.seats)]
    return {"distinct": distinct, "reduces": reduces}


@pytest.mark.parametrize(
    "text",
    [
        TREE,
        "light_bike(seats=3, width=5, height=5, starts=distinct)",
        "random_tree(seats=3, branching=2, height=6, values=2, kind=binary, chance=3)",
    ],
)
def test_both_rules_are_those_of_the_definition(text):
    game, rng = load_game(text), random.Random(7)
    game.__dict__["_interpreted"] = True
    met = 0
    for estimate in game.estimates:
        probe = Probe(game, estimate)
        for seed in range(4):
            state = game.new(seed)
            while game.mover(state) != OVER:
                if game.mover(state) == CHANCE:
                    state = game.after(state, rng.choice(game.chances(state))[0])
                    continue
                seat = game.mover(state)
                expected = by_hand(game, estimate, state, seat)
                assert probe.targets(state, seat) == expected
                met += any(expected["distinct"]) and not all(expected["distinct"])
                state = game.after(state, rng.choice(game.legal(state)))
    assert met  # some states are influential for one seat and not for another


def test_shares_are_counted_over_the_states_of_the_matches():
    game = load_game(TREE)
    game.__dict__["_interpreted"] = True
    estimate, agents = game.estimates[0], [load_agent("random")] * 3
    found = measure(game, estimate, agents, matches=5, seed=3)
    states = []
    for seed in range(3, 8):
        play_match(game, agents, seed, watch=lambda state, turn, _: states.append((game.copy(state), turn[0][0])))
    hits = [by_hand(game, estimate, state, seat)["distinct"] for state, seat in states]
    others = [[hit[other] for other in range(3) if other != seat] for hit, (_, seat) in zip(hits, states, strict=True)]
    assert found["distinct"].states.total == len(states)
    assert sum(found["distinct"].states.hits) == sum(map(any, others))
    assert sum(each.total for each in found["distinct"].pairs.values()) == 2 * len(states)
    assert sum(sum(each.hits) for each in found["distinct"].pairs.values()) == sum(map(sum, others))
    assert list(found["reduces"].phases) == ["first third", "second third", "last third"]
    low, high = found["distinct"].states.ends
    assert low < 1 == found["distinct"].states.share == high  # every state of this tree is influential


@pytest.mark.parametrize(("text", "phases"), [("bingo(seats=2)", ()), ("backgammon(layout='hyper')", ("race",))])
def test_nobody_can_touch_an_opponent_at_bingo_or_in_a_race(text, phases):
    game = load_game(text)
    game.__dict__["_interpreted"] = True
    found = measure(game, game.estimates[0], [load_agent("random")] * 2, matches=3)
    for impact in found.values():
        looked = [impact.phases[name] for name in phases] or [impact.states]
        assert all(counts.total > 0 == sum(counts.hits) for counts in looked)
    if phases:
        assert found["distinct"].phases["contact"].share > 0.2


def test_a_phase_that_is_never_met_has_no_share():
    assert Counts([0, 0], [0, 0]).share is None


def test_one_match_is_no_sample():
    game = load_game(TREE)
    with pytest.raises(BadParameter, match="expected at least 2 matches, for intervals are over matches, got 1"):
        measure(game, game.estimates[0], [load_agent("random")] * 3, matches=1)


def test_the_command_prints_shares_and_a_sentence_of_advice(run):
    code, out, _ = run("impact", TREE, "--matches", "4", "--interpreted", "--pairs")
    assert code == 0
    assert "all states" in out
    assert "0 on 2" in out
    assert out.rstrip().endswith("with kingmaker tune.")


def test_json_holds_every_estimate_rule_phase_and_pair(run):
    out = json.loads(run("impact", TREE, "--matches", "3", "--interpreted", "--json").out)
    assert out["matches"] == 3
    for by_rule in out["estimates"].values():
        assert set(by_rule) == {"distinct", "reduces"}
        assert set(by_rule["distinct"]) == {"states", "players", "phases", "pairs"}
        assert 0 <= by_rule["distinct"]["states"]["low"] <= by_rule["distinct"]["states"]["share"]


def test_a_game_without_an_estimate_is_refused(refused):
    assert "has no estimate, so nothing tells how a seat stands; name one with --estimate" in refused(
        "impact", "sticks"
    )


def test_advice_follows_the_share():
    assert "cannot gain" in advice(0.0)
    assert "a little" in advice(0.35)
    assert "may pay" in advice(0.85)


def test_a_planner_is_measured_over_its_plans():
    """An order of Risk alone touches nobody before the dice fall; a plan with its battles does."""
    game, planner = load_game("risk(seats=3, map=three_islands)"), load_agent("plans(greedy)")
    plans, chooser = over_plans(game, planner)
    assert str(chooser) == "greedy()"
    assert over_plans(game, chooser) == (game, chooser)
    plans.__dict__["_interpreted"] = True
    found = measure(plans, plans.estimate("worth"), [load_agent("random")] * 3, matches=2)["reduces"]
    assert found.states.share > 0.5


def test_the_report_shows_ours_and_the_printed_value(tmp_path, run, refused):
    path = tmp_path / "impact.html"
    command = ("impact", "bingo(seats=2)", "--matches", "2", "--interpreted")
    out = run(*command, "--report", str(path)).out
    assert "The source printed 0.00 for this game." in out
    page = path.read_text()
    assert page.count("<svg") == 1
    assert "the source printed 0.00" in page
    run("impact", TREE, "--matches", "2", "--interpreted", "--report", str(path))
    assert "the source printed" not in path.read_text()
    assert "cannot write the plot to" in refused(*command, "--report", str(tmp_path / "no" / "x.html"))


def test_every_depth_of_a_range_plays_matches_of_its_own(run, refused):
    command = ("impact", TREE, "--agent", "maxn(depth=1..3)", "--matches", "4", "--interpreted")
    out = json.loads(run(*command, "--json").out)
    for by_rule in out["estimates"].values():
        for counts in by_rule.values():
            assert list(counts["players"]) == ["depth 1", "depth 2", "depth 3"]
            assert sum(each["states"] for each in counts["players"].values()) == counts["states"]["states"]
            assert sum(each["states"] for each in counts["phases"].values()) == counts["states"]["states"]
    alone = ("impact", TREE, "--agent", "maxn(depth=2)", "--matches", "4", "--seed", "4", "--interpreted", "--json")
    second = json.loads(run(*alone).out)["estimates"]["guess"]["reduces"]["states"]
    assert out["estimates"]["guess"]["reduces"]["players"]["depth 2"] == second
    assert "depth 3" in run(*command).out
    assert "expected ranges of at most 100 whole numbers in all, got maxn(depth=1..101)" in refused(
        "impact", TREE, "--agent", "maxn(depth=1..101)"
    )


def test_in_some_world_one_can_always_ask_at_go_fish(refused):
    """The source calls every state of Go Fish influential, for one can ask; the cards may be elsewhere in truth."""
    game = load_game("go_fish(ranks=4, cards=3)")
    game.__dict__["_interpreted"] = True
    agents = [load_agent("random")] * 3
    shares = [measure(game, game.estimate("sets"), agents, 4, 1, worlds=each)["reduces"].states for each in (0, 12)]
    assert shares[0].total == shares[1].total
    assert shares[0].share < shares[1].share
    assert "expected worlds only where something is hidden, got 3 at" in refused(
        "impact", "bingo(seats=2)", "--worlds", "3", "--interpreted"
    )


def test_with_two_seats_there_is_nothing_to_mix():
    assert "with two seats" in advice(0.9, 2)
