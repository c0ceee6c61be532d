"""Tables of searches: what is counted for each row, and what follows from it."""

import json
import math

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.experiment.declaration import BadExperiment
from kingmaker.arena.table.match import play_match
from kingmaker.core.errors import BadParameter
from kingmaker.core.guard import interpret
from kingmaker.repeating import sampling
from kingmaker.repeating.samples import Found, Sample, Samples, read_samples
from kingmaker.repeating.sampling import observe, sample, stored

TREE = "random_tree(seats=2, branching=3, height=4, kind=constant_sum, values=50)"


def samples(measure="evaluations", starts=4, sums=None, **rows):
    return Samples(
        question="?", measure=measure, game=TREE, starts=starts, seed=3, interpreted=True, rows=rows, sums=sums or {}
    )


def leaves_of_alpha_beta(game, estimate, state, depth):
    """Leaves that fail-soft alpha-beta looks at, in the game's own order of moves, written from the definition."""

    def search(state, left, alpha, beta):
        if left == 0:
            out = np.zeros(2)
            with np.errstate(over="ignore"):
                estimate.value(game, state, out)
            return float(out[0]), 1
        mine, looked = game.mover(state) == 0, 0
        best = -math.inf if mine else math.inf
        for move in game.legal(state):
            value, leaves = search(game.after(state, move), left - 1, alpha, beta)
            looked += leaves
            if mine:
                best, alpha = max(best, value), max(alpha, value)
            else:
                best, beta = min(best, value), min(beta, value)
            if alpha >= beta:
                break
        return best, looked

    return search(state, depth, -math.inf, math.inf)[1]


def test_evaluations_of_alpha_beta_are_the_leaves_that_it_looks_at():
    table = samples(a=Sample(agent="alpha_beta(depth=3, order=given)"))
    game = load_game(TREE)
    interpret(game)
    for start in range(4):
        expected = leaves_of_alpha_beta(game, game.estimates[0], game.new(3 + start), 3)
        assert observe(table, "a", start) == (expected, 1.0)


def test_evaluations_of_unpruned_prom_are_all_leaves_for_all_types():
    table = samples(p=Sample(agent="prom(types=[own, 'guess(function=1)'], prune=false, depth=3)"))
    assert observe(table, "p", 0) == (2 * 3**3, 1.0)


def test_a_search_of_one_ply_is_refused():
    with pytest.raises(BadParameter, match="expected a search of at least depth 2 to count its evaluations"):
        observe(samples(a=Sample(agent="alpha_beta(depth=1)")), "a", 0)


def test_a_tree_that_is_too_large_to_record_is_refused(monkeypatch):
    monkeypatch.setattr(sampling, "RECORD", 5)
    with pytest.raises(BadParameter, match="has more than 5 nodes; count at a smaller depth"):
        observe(samples(a=Sample(agent="alpha_beta(depth=3)")), "a", 0)


def test_a_payoff_is_that_of_the_match():
    table = samples("payoff", a=Sample(agent="greedy", against="random"))
    game = load_game(TREE)
    interpret(game)
    played = [play_match(game, [load_agent("greedy"), load_agent("random")], 3 + start) for start in range(3)]
    assert [observe(table, "a", start)[0] for start in range(3)] == [match.payoffs[0] for match in played]


def test_impact_is_counted_in_the_phase_that_is_named():
    table = samples(
        "impact",
        tree=Sample(agent="random"),
        third=Sample(agent="random", phase="first third"),
        never=Sample(agent="random", phase="no such phase"),
    )
    hits, states = observe(table, "tree", 0)
    assert states == 2 * 4
    assert 0 < hits <= states
    assert observe(table, "third", 0)[1] == 2 * 2
    assert observe(table, "never", 0) == (0.0, 0.0)


def test_means_have_intervals_over_starts_and_sums_add_rows():
    pairs = {"a": [(1.0, 1.0), (3.0, 1.0), (5.0, 1.0)], "b": [(2.0, 1.0), (4.0, 1.0), (6.5, 1.0)]}
    rows = {"a": Sample(agent="random"), "b": Sample(agent="random")}
    found = Found(samples(sums={"both": ["a", "b", "b"]}, **rows), pairs)
    mean, low, high = found.value("a")
    assert mean == 3.0
    assert (low, high) == pytest.approx((3 - 4.968, 3 + 4.968), abs=1e-3)  # t of 2 degrees times 2 / sqrt(3)
    assert found.value("both")[0] == pytest.approx(3 + 2 * 12.5 / 3)
    assert found.clearly("b", "a", 0.05) == 1  # start by start b is always ahead, though the intervals overlap
    assert found.clearly("a", "b", 0.05) == -1
    assert found.clearly("a", "b", 0.001) == 0


def test_shares_of_different_games_are_compared_by_their_errors():
    rows = {"a": Sample(agent="random"), "b": Sample(agent="random", game="sticks")}
    wide = {"a": [(5.0, 10.0), (6.0, 10.0)], "b": [(4.0, 10.0), (5.0, 10.0)]}
    clear = {"a": [(90.0, 100.0), (91.0, 100.0)] * 9, "b": [(10.0, 100.0), (11.0, 100.0)] * 9}
    assert Found(samples("impact", **rows), wide).clearly("a", "b", 0.05) == 0
    assert Found(samples("impact", **rows), clear).clearly("a", "b", 0.05) == 1
    assert Found(samples("impact", **rows), clear).clearly("b", "a", 0.05) == -1


def test_samples_are_kept_and_only_new_starts_are_taken(tmp_path, monkeypatch):
    table, path = samples("payoff", a=Sample(agent="greedy", against="random")), tmp_path / "a.json"
    first = sample(table, path, 2)
    asked = []
    real = sampling.observe
    monkeypatch.setattr(sampling, "observe", lambda *args: asked.append(args[2]) or real(*args))
    longer = sample(table, path, 4)
    assert asked == [2, 3]
    assert longer.pairs["a"][:2] == first.pairs["a"]
    assert stored(table, path).pairs == longer.pairs
    assert stored(table, tmp_path / "nothing.json") is None


def test_samples_that_do_not_fit_are_refused(tmp_path):
    table, path = samples("payoff", a=Sample(agent="greedy", against="random")), tmp_path / "a.json"
    path.write_text("no samples")
    with pytest.raises(BadParameter, match="cannot be read as samples; move it away and take them again"):
        stored(table, path)
    path.write_text(json.dumps({"identity": "other", "pairs": {}}))
    with pytest.raises(BadParameter, match="holds samples of another table; name another folder with --results"):
        stored(table, path)
    path.write_text('question = "?"\nmeasure = "luck"\n[rows]\n')
    with pytest.raises(BadExperiment, match=r"invalid enum value 'luck' at measure in a.json"):
        read_samples(path)
