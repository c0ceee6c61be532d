"""OM search: PrOM search that is certain of one type."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, Mismatch, UnknownName
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.om import Om
from kingmaker.search.prom import Prom
from tests.samples import DUEL, TWIN, UNIFORM, check_twins, tree_at
from tests.search import model_oracles
from tests.search.test_prom import EXAMPLES, FINE_DICE_DUEL, FOREIGN, MANY_TIES, NOISE, THEIRS

seeds = st.integers(0, 10**6)


def follow_the_opponent(game, state, depth, own, theirs, root):
    """OM search where the opponent's best move is never tied: my value of the leaf that its own minimax move leads
    to.
    """
    if model_oracles.stops(game, own, state, depth, root):
        return model_oracles.leaf_vector(game, own, state, depth, root)
    below = model_oracles.children(game, state)
    if game.mover(state) == root:
        return max(
            (follow_the_opponent(game, after, depth - 1, own, theirs, root) for after in below),
            key=lambda vector: vector[root],
        )
    choice = min(
        below, key=lambda after: model_oracles.type_value(game, own, "paranoid", theirs, after, depth - 1, root)[root]
    )
    return follow_the_opponent(game, choice, depth - 1, own, theirs, root)


@pytest.mark.parametrize(("file", "value"), [("opponent_types", 7), ("opponent_ties", 6)])
def test_the_worked_example_has_its_values(file, value):
    game = load_game(f"explicit_tree(file='{EXAMPLES / file}.json')")
    assert Om(type=THEIRS, depth=3).decide(game, game.new()).values == (value, -value)


@given(seeds, st.integers(1, 4))
def test_it_follows_the_move_that_the_opponent_would_make(seed, depth):
    game = RandomTree(seats=2, branching=3, height=5, kind="constant_sum", values=1_000_000)
    state = tree_at(game, seed, ply=1)
    own, theirs = game.estimate(), game.estimate(NOISE)
    found = Om(type=NOISE, depth=depth).decide(game, state, ask=TWIN)
    assert found.values == tuple(map(float, follow_the_opponent(game, state, depth, own, theirs, game.mover(state))))


@settings(max_examples=10)
@given(seeds, st.sampled_from((FOREIGN, NOISE, "own")))
def test_it_is_prom_search_with_one_type(seed, kind):
    for game in (MANY_TIES, FINE_DICE_DUEL, UNIFORM):
        state = tree_at(game, seed, ply=1)
        for prune in (True, False):
            om = Om(type=kind, depth=3, prune=prune).decide(game, state, ask=TWIN)
            prom = Prom(types=(kind, "guess(function=9)"), odds=(1, 0), depth=3, prune=False).decide(
                game, state, ask=TWIN
            )
            assert (om.move, om.values, om.moves, om.line) == (prom.move, prom.values, prom.moves, prom.line)


@given(seeds, st.integers(1, 5))
def test_against_its_own_judgement_it_is_minimax(seed, depth):
    state = tree_at(DUEL, seed)
    om = Om(depth=depth).decide(DUEL, state, ask=TWIN)
    minimax = load_agent(f"minimax(depth={depth})").decide(DUEL, state, ask=TWIN)
    assert om.move == minimax.move
    assert [entry.values[0] for entry in om.moves] == [entry.values[0] for entry in minimax.moves]


def test_one_type_prunes_deeper_than_several():
    om = prom = 0
    for seed in range(30):
        om += Om(type=NOISE, depth=5).decide(DUEL, DUEL.new(seed)).nodes
        prom += Prom(types=("own", FOREIGN, NOISE), depth=5).decide(DUEL, DUEL.new(seed)).nodes
    assert om < prom


def test_compiled_and_interpreted_decide_the_same():
    check_twins(DUEL, f"om(type='{NOISE}', depth=5)")


def test_the_notes_name_the_type_of_every_opponent():
    notes = Om(type=FOREIGN, depth=2).decide(UNIFORM, UNIFORM.new(1), ask=TWIN).notes
    assert notes["posterior"] == {1: {FOREIGN: 1.0}, 2: {FOREIGN: 1.0}}
    assert set(notes) == {"posterior", "evaluations", "cuts", "pruning"}


def test_a_type_that_is_no_text_is_refused():
    with pytest.raises(BadParameter, match=r"expected a text for type, got \['guess'\] in om"):
        Om(type=["guess"])


def test_it_learns_nothing():
    assert Om(type=FOREIGN).memory(DUEL, 0) is None


@pytest.mark.parametrize(
    ("game", "wishes", "fault", "sentence"),
    [
        (DUEL, {"type": "gess"}, UnknownName, r"unknown estimate 'gess' in random_tree.*; did you mean guess"),
        (DUEL, {"type": ""}, BadParameter, r"expected an estimate in the type '' of om.*; 'own' is the searcher's"),
        (DUEL, {"table": 4}, Mismatch, r"a table holds no values of types, which om needs; use table=0"),
        (
            RandomTree(seats=1),
            {},
            Mismatch,
            r"om cannot play random_tree\(seats=1\): there is no opponent to model; use maxn",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_before_the_first_node(game, wishes, fault, sentence):
    with pytest.raises(fault, match=sentence):
        Om(**wishes).decide(game, game.new(1))
