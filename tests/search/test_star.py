"""Star1 and Star2: pruning at chance nodes changes neither the value nor the move, and searches less."""

import random

import numpy as np
import pytest
from bench.stars import KINDS, looked_at, parts, tree

from kingmaker import load_agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.estimate import Estimate
from kingmaker.core.game import Facts
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.minimax import Minimax
from kingmaker.search.parts.switches.every_outcome import EveryOutcome
from kingmaker.search.parts.switches.star import Star
from tests import oracles
from tests.samples import DICE, DICE_DUEL, DUEL, TWIN, same, tree_at

STARS = pytest.mark.parametrize("star", [1, 2])
LONELY = RandomTree(seats=2, branching=3, height=5, kind="constant_sum", values=1001, chance=2)


def root_value(game, state, decision):
    return oracles.exact(decision.values[game.mover(state)])


def test_value_and_move_are_the_unpruned_ones_on_thousands_of_trees():
    plain, *pruned = (AlphaBeta(depth=4, star=star) for star in (0, 1, 2))
    for seed in range(2000):
        state = tree_at(DICE_DUEL, seed, 2 * (seed % 2))
        wanted = plain.decide(DICE_DUEL, state)
        for agent in pruned:
            found = agent.decide(DICE_DUEL, state)
            assert (round(found.values[0], 9), found.move) == (round(wanted.values[0], 9), wanted.move)
            assert round(sum(found.values), 9) == 4.0


@STARS
@pytest.mark.parametrize("depth", [2, 3, 5])
def test_value_and_move_are_the_oracles(star, depth):
    for seed in range(8):
        state = tree_at(DICE_DUEL, seed, 2 * (seed % 2))
        values, move = oracles.minimax(DICE_DUEL, state, depth)
        found = AlphaBeta(depth=depth, star=star).decide(DICE_DUEL, state, ask=TWIN)
        assert (root_value(DICE_DUEL, state, found), found.move) == (values[DICE_DUEL.mover(state)], move)


@STARS
@pytest.mark.parametrize("name", ["paranoid", "best_reply", "best_reply_plus"])
def test_searches_of_several_seats_find_the_same_as_without_it(name, star):
    nodes = np.zeros(2)
    for seed in range(10):
        state = tree_at(DICE, seed, seed % 2)
        plain = load_agent(f"{name}(depth=4)").decide(DICE, state, ask=TWIN)
        found = load_agent(f"{name}(depth=4, star={star})").decide(DICE, state, ask=TWIN)
        assert (root_value(DICE, state, found), found.move) == (root_value(DICE, state, plain), plain.move)
        nodes += plain.nodes, found.nodes
    assert nodes[1] < nodes[0] or star == 2  # in trees as low as these, probing costs more than it saves


@STARS
@pytest.mark.parametrize("more", ["table=10", "order=history, table=10", "quiet=2"])
def test_other_settings_go_with_it(star, more):
    for seed in range(8):
        state = tree_at(DICE_DUEL, seed)
        plain = load_agent(f"alpha_beta(depth=4, {more})").decide(DICE_DUEL, state, ask=TWIN)
        found = load_agent(f"alpha_beta(depth=4, star={star}, {more})").decide(DICE_DUEL, state, ask=TWIN)
        assert root_value(DICE_DUEL, state, found) == root_value(DICE_DUEL, state, plain)
        assert found.move == plain.move or "history" in more


@STARS
def test_a_recorded_search_is_the_same_search_and_no_probe_is_in_its_tree(star):
    for seed in range(5):
        state, agent = tree_at(DICE_DUEL, seed), AlphaBeta(depth=5, star=star, order="given")
        found = agent.decide(DICE_DUEL, state, ask=Ask(compiled=False, record=2000))
        assert same(found, agent.decide(DICE_DUEL, state, ask=TWIN))
        assert len(found.tree) <= 1 + 3 + 9 + 27 + 81 + 243
        for row in range(len(found.tree)):
            moves = [int(found.tree.nodes[child]["move"]) for child in found.tree.children(row)]
            assert moves == sorted({*moves})


def test_fewer_leaves_are_looked_at():
    """Max, chance, min, chance, max with three moves each, in random order: 243 leaves a tree."""
    agents = [Minimax(depth=5), *(AlphaBeta(depth=5, star=star, order="given") for star in range(3))]
    counts = np.zeros((len(agents), 2))
    for seed in range(8):
        for i, agent in enumerate(agents):
            counts[i] += looked_at(agent, LONELY, LONELY.new(seed))
    (every, _), (unpruned, _), (one, _), (two, different) = counts
    assert every == unpruned == 8 * 243  # alpha-beta alone cuts nothing between two chance nodes
    assert one < 0.9 * every
    assert two < 0.8 * every
    assert two < one
    assert two == different  # what a probe has looked at is not looked at again


def test_probes_save_more_where_moves_of_a_node_are_worth_about_the_same():
    """Max, chance, min with eight moves each: of independent values a probe tells little, of summed ones much."""
    (_, probed), (plain, summed) = (
        np.mean([parts(tree(random.Random(seed), 8, 3, kind), 512) for seed in range(5)], axis=0) for kind in KINDS
    )
    assert probed > 0.8
    assert 0.7 < plain < 0.9
    assert summed < 0.65


def test_the_law_would_notice_a_window_that_is_too_narrow(monkeypatch):
    plain = Star.reach

    def narrow(self, work, ply, i, alpha, beta):
        lowest, highest = plain(self, work, ply, i, alpha, beta)
        return lowest + 1.0, highest

    monkeypatch.setattr(Star, "reach", narrow)
    states = [tree_at(DICE_DUEL, seed) for seed in range(10)]
    agents = AlphaBeta(depth=4), AlphaBeta(depth=4, star=1, quiet=1)
    decided = [[agent.decide(DICE_DUEL, state, ask=TWIN) for agent in agents] for state in states]
    assert any(plain.move != found.move or plain.values != found.values for plain, found in decided)


@STARS
def test_a_worked_example_an_outcome_that_settles_the_mean_ends_it(star):
    """The first move is worth 10. Of the second, after the first outcome at most ½ · (-12) + ½ · 24 = 6 is left."""
    fair = {"odds": [1 / 2, 1 / 3, 1 / 6], "moves": [8, 24, -12]}
    poor = {"odds": [1 / 2, 1 / 2], "moves": [-12, 24]}
    game = ExplicitTree([fair, poor], seats=2)
    plain = AlphaBeta(depth=1).decide(game, game.new())
    found = AlphaBeta(depth=2, star=star).decide(game, game.new(), ask=Ask(record=50, compiled=False))
    assert plain.stopped == "depth"
    assert found.values == (pytest.approx(10), pytest.approx(-10))
    assert found.move == 0
    assert not found.moves[1].exact
    assert found.moves[1].values == (pytest.approx(6), pytest.approx(-6))
    assert len(found.tree) == (1 + 2 + 3 + 1 if star == 1 else 1 + 2 + 3)


@STARS
def test_an_outcome_that_cannot_happen_does_no_harm(star):
    tree = [
        {"odds": [0, 1 / 2, 1 / 2, 0], "moves": [[99, 98, 97], [3, 4, 5], [5, 6, 7], [-99, -98, -97]]},
        [[3, 3, 3], [3, 3, 3]],
    ]
    game = ExplicitTree(tree, seats=2)
    for agent in (Minimax(depth=4), AlphaBeta(depth=4, star=star)):
        found = agent.decide(game, game.new())
        assert (found.move, found.values) == (0, (4.0, -4.0))


@STARS
def test_a_game_without_chance_is_searched_as_without_it(star):
    agent = AlphaBeta(depth=4, star=star)
    assert type(agent.ready(DUEL).switches.star) is EveryOutcome
    for seed in range(3):
        state = tree_at(DUEL, seed)
        assert same(agent.decide(DUEL, state, ask=TWIN), AlphaBeta(depth=4).decide(DUEL, state, ask=TWIN))


class Endless(RandomTree):
    """A random tree whose payoffs nobody has bounded."""

    def __init__(self):
        super().__init__(seats=2, branching=2, height=3, chance=2)
        self.facts = Facts(seats=(2, 2), chance=True, out_of_turn=True)


class Beyond(Estimate):
    """An estimate that leaves the bounds of the payoffs."""

    within_bounds = False

    def value(self, game, state, out):
        out[:] = 1e6


class Wide(RandomTree):
    """A random tree with an estimate that leaves its bounds."""

    estimates = (Beyond(),)

    def __init__(self):
        super().__init__(seats=2, branching=2, height=3, chance=2)


@STARS
def test_unknown_bounds_are_refused(star):
    game = Endless()
    told = rf"star={star} needs a lowest and a highest payoff, .* do not state; give them low and high or use star=0"
    with pytest.raises(Mismatch, match=told):
        AlphaBeta(depth=2, star=star).decide(game, game.new(), ask=TWIN)


@STARS
def test_an_estimate_that_leaves_the_bounds_is_refused(star):
    game = Wide()
    told = rf"star={star} needs values within the bounds of the payoffs, which beyond.* use another estimate or star=0"
    with pytest.raises(Mismatch, match=told):
        AlphaBeta(depth=2, star=star).decide(game, game.new(), ask=TWIN)


def test_it_needs_alpha_beta():
    with pytest.raises(Mismatch, match=r"star=1 needs the window of alpha-beta in .*; use prune=true or star=0"):
        load_agent("paranoid(depth=2, prune=false, star=1)").decide(DICE, DICE.new(1), ask=TWIN)


def test_there_is_no_star_3():
    with pytest.raises(BadParameter, match=r"expected a whole number from 0 to 2 for star, got 3"):
        AlphaBeta(star=3)
