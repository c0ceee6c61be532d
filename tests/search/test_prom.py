"""PrOM search against its definition, its laws and its worked example."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import models
from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch, UnknownName
from kingmaker.core.guard import interpret
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.prom import Prom
from tests.samples import BIKES, DICE, DUEL, TIES, TWIN, UNIFORM, check_twins, positions, tree_at
from tests.search import model_oracles

EXAMPLES = Path(__file__).parents[2] / "examples"
THEIRS = "written(function='theirs')"
FOREIGN, NOISE, OTHER = "guess(function=1)", "guess(function=5, error=1.0)", "guess(function=2, error=0.75)"
SETS = [("own",), (FOREIGN,), ("own", NOISE), (NOISE, FOREIGN, "own"), (FOREIGN, OTHER, NOISE)]
FINE_DICE_DUEL = RandomTree(seats=2, branching=2, height=6, kind="constant_sum", values=1_000_000, chance=3)
FINE = RandomTree(seats=3, branching=3, height=5, values=1_000_000)
MANY_TIES = RandomTree(seats=2, branching=3, height=5, kind="constant_sum", values=2)

seeds = st.integers(0, 10**6)


@st.composite
def types_with_odds(draw, sets=SETS):
    """A set of types with a distribution over them, zeros included."""
    types = draw(st.sampled_from(sets))
    shares = draw(st.lists(st.integers(0, 4), min_size=len(types), max_size=len(types)).filter(any))
    return types, tuple(share / sum(shares) for share in shares)


def decide(agent, game, state, **more):
    return agent.decide(game, state, ask=replace(TWIN, **more))


def defined(game, state, depth, types, odds):
    """What the definition says of a state; the default rule of the types is filled in."""
    rule = "paranoid" if game.seats == 2 else "maxn"
    own = game.estimate()
    pairs = []
    for text in types:
        given_rule, _, name = text.rpartition(":")
        pairs.append((given_rule or rule, own if name == "own" else game.estimate(name)))
    rows = odds if isinstance(odds[0], tuple) else [odds] * game.seats
    return model_oracles.prom(game, state, depth, own, pairs, rows)


def agrees(decision, game, state, depth, types, odds):
    """Are value and move those of the definition? Moves that differ by rounding alone are equal."""
    me = game.mover(state)
    value, _ = defined(game, state, depth, types, odds)
    assert decision.values == pytest.approx([float(entry) for entry in value], abs=1e-9)
    for entry in decision.moves:
        assert entry.exact
        assert entry.values[me] <= decision.values[me] + 1e-12
    assert decision.value_of(decision.move) == decision.values
    assert next(entry.move for entry in decision.moves if entry.values[me] == decision.values[me]) == decision.move


@pytest.mark.parametrize(
    ("file", "odds", "value"),
    [
        ("opponent_types", (1, 0), 5),
        ("opponent_types", (0, 1), 7),
        ("opponent_types", (0.5, 0.5), 5.5),
        ("opponent_ties", (0, 1), 6),
        ("opponent_ties", (1, 0), 2),
    ],
)
def test_the_worked_example_has_its_values(file, odds, value):
    game = load_game(f"explicit_tree(file='{EXAMPLES / file}.json')")
    for prune in (True, False):
        decision = Prom(types=("own", THEIRS), odds=odds, depth=3, prune=prune).decide(game, game.new())
        assert decision.values == (value, -value)


def test_each_root_move_of_the_worked_example_has_its_value():
    game = load_game(f"explicit_tree(file='{EXAMPLES / 'opponent_types'}.json')")
    decision = Prom(types=("own", THEIRS), odds=(0.5, 0.5), depth=2).decide(game, game.new(), ask=Ask(record=20))
    assert [entry.values[0] for entry in decision.moves] == [5.5, 5]
    assert decision.line == (0, 0)
    assert decision.tree.complete
    nested = decision.tree.nested(game, game.new())
    assert [(child["move"], child["values"][0]) for child in nested["children"]] == [("left", 5.5), ("right", 5.0)]
    assert decision.notes["posterior"] == {1: {"own": 0.5, THEIRS: 0.5}}


@given(seeds, types_with_odds(), st.integers(1, 4))
def test_two_seats_follow_the_definition(seed, mixture, depth):
    types, odds = mixture
    for game in (DUEL, MANY_TIES):
        state = tree_at(game, seed, ply=1)
        agrees(decide(Prom(types=types, odds=odds, depth=depth), game, state), game, state, depth, types, odds)


def same_when_pruned(game, state, compiled=False, **wishes):
    pruned = Prom(**wishes).decide(game, state, ask=Ask(compiled=compiled))
    whole = Prom(**wishes, prune=False).decide(game, state, ask=Ask(compiled=compiled))
    assert (pruned.move, pruned.values, pruned.moves, pruned.line) == (
        whole.move,
        whole.values,
        whole.moves,
        whole.line,
    )
    assert pruned.nodes <= whole.nodes
    assert whole.notes["cuts"] == 0


@settings(max_examples=15)
@given(seeds, types_with_odds())
def test_pruning_never_changes_value_move_or_line(seed, mixture):
    types, odds = mixture
    for game in (DUEL, MANY_TIES, FINE_DICE_DUEL):
        same_when_pruned(game, tree_at(game, seed, ply=1), types=types, odds=odds, depth=4)


@pytest.mark.parametrize(
    ("types", "odds"),
    [((NOISE,), (1.0,)), (("own", FOREIGN, NOISE), (0.25, 0.5, 0.25)), (("own", FOREIGN, NOISE), (0.0, 0.0, 1.0))],
)
def test_pruning_never_changes_anything_in_many_trees(types, odds):
    for seed in range(300):
        same_when_pruned(DUEL, DUEL.new(seed), compiled=True, types=types, odds=odds, depth=5)
        same_when_pruned(DUEL, DUEL.new(seed), compiled=True, types=types, odds=odds, depth=4)


def leaf(mine, first, second=0):
    return {"payoff": mine, "estimate": {"first": first, "second": second}}


def node(seat, *moves, **more):
    return {"seat": seat, "moves": list(moves), **more}


def test_with_several_types_a_bound_holds_for_the_next_move_only():
    first, second = "written(function='first')", "written(function='second')"
    tempting = node(
        0, leaf(0, 5, 5), leaf(1000, 5, 5)
    )  # behind a node that one type enters, though both have better above
    tree = ExplicitTree(node(0, node(1, leaf(0, 0, 0), node(0, node(1, leaf(0, -1, 10), tempting)))), seats=2)
    for prune in (True, False):
        found = Prom(types=(first, second), odds=(0.5, 0.5), depth=5, prune=prune).decide(tree, tree.new())
        assert found.values == (250, -250)


def test_a_bound_does_not_reach_through_the_dice():
    tempting, dull = node(0, leaf(0, 5), leaf(100, 6)), node(0, leaf(0, -20), leaf(0, -20))
    tree = ExplicitTree(node(0, node(1, leaf(0, 0), {"odds": [0.5, 0.5], "moves": [tempting, dull]})), seats=2)
    for prune in (True, False):
        found = Prom(types=("written(function='first')",), depth=4, prune=prune).decide(tree, tree.new())
        assert found.values == (50, -50)


def test_pruning_saves_nodes_and_says_so():
    saved = 0
    for seed in range(20):
        pruned = decide(Prom(types=("own", FOREIGN), depth=4), DUEL, tree_at(DUEL, seed))
        whole = decide(Prom(types=("own", FOREIGN), depth=4, prune=False), DUEL, tree_at(DUEL, seed))
        assert (pruned.notes["cuts"] > 0) == (pruned.nodes < whole.nodes)
        assert (pruned.notes["pruning"], whole.notes["pruning"]) == ("beta", "none")
        saved += whole.nodes - pruned.nodes
    assert saved > 0


@settings(max_examples=25)
@given(seeds, types_with_odds(), st.integers(1, 4))
def test_it_never_promises_less_than_minimax(seed, mixture, depth):
    types, odds = mixture
    for game in (DUEL, FINE_DICE_DUEL):
        state = tree_at(game, seed)
        me = game.mover(state)
        found = decide(Prom(types=types, odds=odds, depth=depth), game, state)
        assert found.values[me] >= decide(load_agent(f"minimax(depth={depth})"), game, state).values[me] - 1e-9


@given(seeds, st.integers(1, 4), st.booleans())
def test_certain_of_its_own_type_it_is_minimax(seed, depth, prune):
    for game in (DUEL, MANY_TIES, FINE_DICE_DUEL):
        state = tree_at(game, seed)
        me = game.mover(state)
        found = decide(Prom(types=(FOREIGN, "own"), odds=(0, 1), depth=depth, prune=prune), game, state)
        minimax = decide(load_agent(f"minimax(depth={depth})"), game, state)
        assert found.move == minimax.move
        assert [entry.values[me] for entry in found.moves] == [entry.values[me] for entry in minimax.moves]


@given(seeds, types_with_odds(), st.integers(1, 4))
def test_dice_are_averaged_in_every_look_ahead(seed, mixture, depth):
    types, odds = mixture
    state = tree_at(FINE_DICE_DUEL, seed)
    agrees(
        decide(Prom(types=types, odds=odds, depth=depth), FINE_DICE_DUEL, state),
        FINE_DICE_DUEL,
        state,
        depth,
        types,
        odds,
    )


N_SETS = [("own",), ("own", FOREIGN), ("paranoid:own", FOREIGN, f"paranoid:{NOISE}"), (f"maxn:{NOISE}", "paranoid:own")]


@settings(max_examples=20)
@given(seeds, types_with_odds(N_SETS), st.integers(1, 4))
def test_three_seats_follow_the_definition(seed, mixture, depth):
    types, odds = mixture
    for game in (UNIFORM, TIES, DICE):
        state = tree_at(game, seed, ply=1)
        agrees(decide(Prom(types=types, odds=odds, depth=depth), game, state), game, state, depth, types, odds)


@settings(max_examples=20)
@given(seeds, types_with_odds([("paranoid:own",), ("paranoid:own", f"paranoid:{NOISE}"), (f"paranoid:{FOREIGN}",)]))
def test_pruning_never_changes_anything_with_three_paranoid_seats(seed, mixture):
    types, odds = mixture
    same_when_pruned(TIES, tree_at(TIES, seed), types=types, odds=odds, depth=4)


@given(seeds)
def test_seats_may_have_odds_of_their_own(seed):
    types, odds = ("own", FOREIGN), ((1.0, 0.0), (0.25, 0.75), (0.0, 1.0))
    state = tree_at(UNIFORM, seed)
    found = decide(Prom(types=types, odds=odds, depth=3), UNIFORM, state)
    agrees(found, UNIFORM, state, 3, types, odds)
    assert found.notes["posterior"] == {1: {"own": 0.25, FOREIGN: 0.75}, 2: {"own": 0.0, FOREIGN: 1.0}}


@settings(max_examples=20)
@given(seeds)
def test_pruning_respects_every_seats_own_odds(seed):
    types, odds = ("paranoid:own", f"paranoid:{NOISE}"), ((0.5, 0.5), (1.0, 0.0), (0.0, 1.0))
    same_when_pruned(TIES, tree_at(TIES, seed), types=types, odds=odds, depth=4)


def test_without_ties_the_own_type_is_maxn_or_paranoid():
    for seed in range(10):
        state = tree_at(FINE, seed)
        for rule in ("maxn", "paranoid"):
            found = decide(Prom(types=(f"{rule}:own",), depth=4), FINE, state)
            known = decide(load_agent(f"{rule}(depth=4)"), FINE, state)
            assert (found.move, found.values[0], found.line) == (known.move, known.values[0], known.line)


def test_a_type_by_maxn_turns_pruning_off_and_the_notes_say_so():
    notes = decide(Prom(types=("maxn:own", NOISE), depth=3), DUEL, DUEL.new(1)).notes
    assert notes["pruning"] == "none"
    assert notes["cuts"] == 0


def test_evaluations_are_counted_and_shared_estimates_asked_once():
    leaves = 3 + 3**2
    for types, asked in (
        (("own",), 1),
        ((FOREIGN,), 2),
        (("own", FOREIGN, f"maxn:{FOREIGN}"), 2),
        (("own", FOREIGN, NOISE), 3),
    ):
        found = decide(Prom(types=types, depth=2, prune=False), DUEL, DUEL.new(1))
        assert found.notes["evaluations"] == asked * leaves
    found = decide(Prom(types=(FOREIGN, "guess"), estimate=FOREIGN, depth=2, prune=False), DUEL, DUEL.new(1))
    assert found.notes["evaluations"] == 2 * leaves


def test_a_budget_of_nodes_never_plays_an_unfinished_iteration():
    agent, shallow = Prom(types=("own", FOREIGN), nodes=40, prune=False), Prom(types=("own", FOREIGN), depth=2)
    for seed in range(10):
        found, finished = decide(agent, DUEL, DUEL.new(seed)), decide(shallow, DUEL, DUEL.new(seed))
        assert (found.depth, found.stopped) == (2, "nodes")
        assert (found.move, found.values) == (finished.move, finished.values)


def test_cut_nodes_are_marked_in_the_recorded_tree():
    for seed in range(10):
        found = decide(Prom(types=("own", FOREIGN), depth=3), DUEL, DUEL.new(seed), record=10_000)
        whole = decide(Prom(types=("own", FOREIGN), depth=3, prune=False), DUEL, DUEL.new(seed), record=10_000)
        cut = int(found.tree.nodes["cut"].sum())
        assert (cut > 0) == (len(found.tree) < len(whole.tree))
        assert tuple(found.tree.nodes[0]["values"]) == found.values


TWINS = [
    (DUEL, f"prom(types=[own, '{FOREIGN}', '{NOISE}'], odds=[0.5, 0.25, 0.25], depth=5)"),
    (DUEL, f"prom(types=['{NOISE}'], depth=5)"),
    (DICE, f"prom(types=[own, 'paranoid:{FOREIGN}'], odds=[0.75, 0.25], depth=4)"),
    (BIKES, "prom(types=['maxn:room', 'paranoid:territory', own], depth=4, order='shuffled')"),
]


@pytest.mark.parametrize(("game", "text"), TWINS, ids=[f"{game.name}-{text}" for game, text in TWINS])
def test_compiled_and_interpreted_decide_the_same(game, text):
    check_twins(game, text)


def test_odds_compile_nothing_anew():
    state = DUEL.new(2)
    Prom(types=("own", FOREIGN, NOISE), depth=5).decide(DUEL, state)
    compiled = Prom.kernel.compiled.versions
    Prom(types=("own", FOREIGN, NOISE), odds=(0.25, 0.5, 0.25), depth=5).decide(DUEL, state)
    assert Prom.kernel.compiled.versions == compiled


def test_kernels_allocate_nothing():
    from numba.core.runtime import _nrt_python, rtsys

    # games of its own: where a match has made moves quick to list, that call wraps an array
    agents = [
        (load_game(str(DUEL)), Prom(types=("own", FOREIGN, NOISE), depth=5)),
        (load_game(str(TIES)), load_agent("prob_maxn(models=[own, lead, spite, hunt], depth=5)")),
    ]
    for game, agent in agents:
        agent.decide(game, game.new(2))
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for game, agent in agents:
        agent.decide(game, game.new(2))
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after == before


def plain_tree(**parameters):
    """A random tree that is searched interpreted, for evaluations are counted here and no time is."""
    game = RandomTree(**parameters)
    interpret(game)
    return game


def test_with_three_types_it_costs_about_one_alpha_beta_and_two_om_searches(monkeypatch):
    monkeypatch.setattr(models, "RandomTree", plain_tree)
    for cost in models.costs(branching=3, depths=(3, 4), trees=6):
        assert cost.alpha_beta < cost.om < cost.prom <= cost.unpruned
        assert 0.5 < cost.ratio < 1.5


def test_an_agent_and_its_text_are_one():
    agent = Prom(types=["own", FOREIGN], odds=[0.25, 0.75], depth=3)
    assert load_agent(str(agent)) == agent
    assert load_agent(f"prom(types={FOREIGN}, depth=3)").types == (FOREIGN,)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"types": ()}, r"expected at least one type in prom\(types=\(\)\)"),
        ({"types": ("own", "own")}, r"expected different types, got 'own' more than once in prom"),
        (
            {"types": ("own", FOREIGN), "odds": (0.7, 0.4)},
            r"expected 2 probabilities with sum 1 for odds, got \(0.7, 0.4\) in prom",
        ),
        (
            {"types": ("own", FOREIGN), "odds": (1.5, -0.5)},
            r"expected 2 probabilities with sum 1 for odds, got \(1.5, -0.5\)",
        ),
        ({"types": ("own", FOREIGN), "odds": (1.0,)}, r"expected 2 probabilities with sum 1 for odds, got \(1.0,\)"),
        ({"types": ("own",), "odds": (float("nan"),)}, r"expected 1 probabilities with sum 1 for odds, got \(nan,\)"),
        ({"odds": ((1.0,), 1.0)}, r"expected 1 probabilities with sum 1 for odds, got 1.0"),
        ({"types": (7,)}, r"expected a text or a list of them for types, got \(7,\) in prom"),
        ({"prune": "yes"}, r"expected true or false for prune, got 'yes' in prom"),
        ({"learn": 1}, r"expected true or false for learn, got 1 in prom"),
        ({"floor": 1.5}, r"expected a floor from 0 to 1, got 1.5 in prom"),
        ({"depth": 2, "learn_depth": 3}, r"expected a learn_depth from 1 to 2, got 3 in prom"),
        ({"learn_depth": 0}, r"expected a learn_depth from 1 to 120, got 0 in prom"),
    ],
)
def test_bad_settings_are_refused_with_a_sentence(wishes, sentence):
    with pytest.raises(BadParameter, match=sentence):
        Prom(**wishes)


@pytest.mark.parametrize(
    ("game", "wishes", "fault", "sentence"),
    [
        (DUEL, {"types": ("gess",)}, UnknownName, r"unknown estimate 'gess' in random_tree.*; did you mean guess"),
        (
            DUEL,
            {"types": ("maxm:guess",)},
            UnknownName,
            r"unknown rule 'maxm' in prom.*; did you mean maxn, paranoid\?",
        ),
        (
            DUEL,
            {"types": ("maxn:",)},
            BadParameter,
            r"expected an estimate in the type 'maxn:' of prom.*; 'own' is the searcher's",
        ),
        (DUEL, {"table": 8}, Mismatch, r"a table holds no values of types, which prom needs; use table=0"),
        (
            UNIFORM,
            {"types": ("own", "guess"), "odds": ((1.0, 0.0), (0.0, 1.0))},
            BadParameter,
            r"expected one row of odds or one for each of 3 seats, got 2 in prom",
        ),
        (
            RandomTree(seats=1),
            {},
            Mismatch,
            r"prom cannot play random_tree\(seats=1\): there is no opponent to model; use maxn",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_before_the_first_node(game, wishes, fault, sentence):
    with pytest.raises(fault, match=sentence):
        Prom(**wishes).decide(game, game.new(1))


def test_the_values_of_a_node_are_finite_numbers_for_every_seat():
    for state in positions(BIKES, count=5, seed=8):
        found = decide(Prom(types=("room", "territory"), depth=3, estimate="room"), BIKES, state)
        assert all(np.isfinite(entry.values).all() and len(entry.values) == 3 for entry in found.moves)
