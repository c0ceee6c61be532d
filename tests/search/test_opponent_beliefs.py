"""Learning in the match: what an opponent's moves teach of its kind."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.guard import interpret
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.parts.opponents.opponent_beliefs import Memory
from kingmaker.search.prob_maxn import ProbMaxn
from kingmaker.search.prom import Prom
from tests.samples import BIKES, DICE_DUEL, DUEL, TIES, TWIN, UNIFORM, positions
from tests.search import model_oracles

FOREIGN, NOISE = "guess(function=1)", "guess(function=5, error=1.0)"
FIRST, SECOND = "written(function='first')", "written(function='second')"


def leaf(first, second):
    return {"payoff": 0, "estimate": {"first": first, "second": second}}


# Seat 1 moves first, then seat 0, then seat 1; to the first type the second move of seat 1 is best, to the second type
# all others are.
LESSON = ExplicitTree(
    {
        "seat": 1,
        "moves": [
            {"seat": 0, "moves": [leaf(3, 1), leaf(3, 1)]},
            {"seat": 0, "moves": [leaf(1, 2)]},
            {"seat": 0, "moves": [leaf(5, 1)]},
        ],
    },
    seats=2,
)


def learned(agent, move, game=LESSON, seat=1):
    memory = agent.memory(game, 0)
    agent.observe(memory, game, game.new(), seat, move)
    return memory


def test_a_posterior_follows_bayes_by_hand():
    agent = Prom(types=(FIRST, SECOND), odds=(0.5, 0.5), learn=True, learn_depth=2, floor=0.05)
    assert learned(agent, 1).posterior[1] == pytest.approx([1 / 1.05, 0.05 / 1.05])  # chances 1 and 0
    assert learned(agent, 0).posterior[1] == pytest.approx([0.05 / 0.55, 0.5 / 0.55])  # chances 0 and 1/2
    assert learned(agent, 2).posterior[1] == pytest.approx([0.05 / 0.55, 0.5 / 0.55])


def test_without_a_floor_a_surprise_rules_a_type_out_and_no_type_at_all_changes_nothing():
    agent = Prom(types=(FIRST, SECOND), odds=(0.5, 0.5), learn=True, learn_depth=2, floor=0.0)
    memory = learned(agent, 1)
    assert memory.posterior[1].tolist() == [1, 0]
    agent.observe(memory, LESSON, LESSON.new(), 1, 0)
    assert memory.posterior[1].tolist() == [1, 0]
    assert memory.seen.tolist() == [0, 2]


def test_with_a_floor_a_type_comes_back_after_a_surprise():
    agent = Prom(types=(FIRST, SECOND), learn=True, learn_depth=2, floor=0.05)
    memory = learned(agent, 1)
    for _ in range(6):
        agent.observe(memory, LESSON, LESSON.new(), 1, 0)
    assert memory.posterior[1, 1] > 0.99


def test_however_long_a_match_no_possible_type_is_lost():
    agent = Prom(types=(FIRST, SECOND), learn=True, learn_depth=2, floor=0.05)
    memory = learned(agent, 1)
    for _ in range(400):
        agent.observe(memory, LESSON, LESSON.new(), 1, 1)
    assert memory.posterior[1, 1] == pytest.approx(1e-12)
    for _ in range(20):
        agent.observe(memory, LESSON, LESSON.new(), 1, 0)
    assert memory.posterior[1, 1] > 0.99


def test_a_type_without_a_chance_at_the_start_has_none_later():
    agent = Prom(types=(FIRST, SECOND), odds=(0, 1), learn=True, learn_depth=2)
    assert learned(agent, 1).posterior[1].tolist() == [0, 1]


def test_a_deeper_look_ahead_learns_something_else():
    shallow = Prom(types=(FIRST, SECOND), learn=True, learn_depth=1)
    assert learned(shallow, 1).posterior[1].tolist() == [
        0.5,
        0.5,
    ]  # nothing is written on the nodes one ply down: all moves are equal


@given(st.integers(0, 10**6), st.integers(0, 2), st.integers(1, 3))
def test_learning_follows_the_definition_on_random_trees(seed, move, depth):
    types, prior = (FOREIGN, NOISE, "own"), (0.5, 0.3, 0.2)
    for game, rule in ((DUEL, "paranoid"), (UNIFORM, "maxn")):
        agent = Prom(types=types, odds=prior, learn=True, depth=3, learn_depth=depth)
        state = game.new(seed)
        state.seat = 1
        memory = agent.memory(game, 0)
        agent.observe(memory, game, state, 1, move, compiled=False)
        estimates = [game.estimate(FOREIGN), game.estimate(NOISE), game.estimate()]
        weights = [model_oracles.type_weights(game, game.estimate(), rule, each, state, depth, 0) for each in estimates]
        wanted = model_oracles.bayes(prior, weights, move, 0.05)
        assert memory.posterior[1] == pytest.approx([float(p) for p in wanted])
        assert memory.posterior[0].tolist() == pytest.approx(list(prior))


@given(st.integers(0, 10**6), st.integers(0, 2))
def test_models_are_learned_as_types_are(seed, move):
    models, state = ("own", "lead", "spite", "hunt"), TIES.new(seed)
    state.seat = 2
    agent = ProbMaxn(models=models, learn=True, floor=0.1, depth=3)
    memory = agent.memory(TIES, 0)
    agent.observe(memory, TIES, state, 2, move, compiled=False)
    below = one_ply(TIES, state)
    weights = [
        model_oracles.uniform_over_best([model_oracles.MODEL_RULES[model](vector, 2, 0) for vector in below])
        for model in models
    ]
    assert memory.posterior[2] == pytest.approx([float(p) for p in model_oracles.bayes([0.25] * 4, weights, move, 0.1)])


def one_ply(game, state):
    return [
        model_oracles.leaf_vector(game, game.estimate(), after, 0, 0) for after in model_oracles.children(game, state)
    ]


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        (DUEL, Prom(types=("own", FOREIGN, NOISE), learn=True, depth=5, learn_depth=2)),
        (TIES, ProbMaxn(models=("own", "lead", "spite", "hunt"), learn=True, depth=4, learn_depth=2)),
    ],
)
def test_compiled_and_interpreted_learn_the_same(game, agent):
    for state in positions(game, count=6, seed=4):
        seat = game.mover(state)
        if seat != 0:
            one, other = agent.memory(game, 0), agent.memory(game, 0)
            agent.observe(one, game, state, seat, game.legal(state)[0], compiled=True)
            agent.observe(other, game, state, seat, game.legal(state)[0], compiled=False)
            assert one.posterior.tolist() == other.posterior.tolist()


def test_a_decision_rests_on_what_was_learned_and_shows_it():
    agent = Prom(types=("own", NOISE), learn=True, depth=3)
    sure = Prom(types=("own", NOISE), odds=(0.0, 1.0), depth=3)
    state = DUEL.new(6)
    memory = Memory(0, np.array([[0.5, 0.5], [0.0, 1.0]]), np.zeros(2, np.int64))
    found = agent.decide(DUEL, state, ask=Ask(memory=memory, compiled=False))
    assert (found.values, found.move) == (
        sure.decide(DUEL, state, ask=TWIN).values,
        sure.decide(DUEL, state, ask=TWIN).move,
    )
    assert found.notes["posterior"] == {1: {"own": 0.0, NOISE: 1.0}}
    assert found.values != agent.decide(DUEL, state, ask=TWIN).values


def posteriors(game, agents, seed):
    """What the agent on seat 0 believes at each of its moves in a match."""
    shown = []
    play_match(
        game,
        agents,
        seed,
        watch=lambda state, turn, decisions: shown.append(decisions[0].notes["posterior"]) if 0 in decisions else None,
    )
    return shown


def interpreted(game):
    """The same game, of which matches are played as plain Python."""
    again = load_game(str(game))
    interpret(again)
    return again


def test_over_a_match_the_right_type_gains():
    game = interpreted(DUEL)
    me = Prom(types=("own", NOISE), learn=True, depth=2)
    noisy, plain = load_agent(f"greedy(estimate='{NOISE}')"), load_agent("greedy")
    assert np.mean([posteriors(game, [me, noisy], seed)[-1][1][NOISE] for seed in range(30)]) > 0.7
    assert np.mean([posteriors(game, [me, plain], seed)[-1][1][NOISE] for seed in range(30)]) < 0.3


def test_the_first_decision_of_a_match_shows_the_prior():
    """Compiled, as a match is played by default."""
    me = Prom(types=("own", FOREIGN, NOISE), odds=(0.25, 0.25, 0.5), learn=True, depth=2)
    for seed in range(3):
        shown = posteriors(DUEL, [me, load_agent("greedy")], seed)
        assert shown[0] == {1: {"own": 0.25, FOREIGN: 0.25, NOISE: 0.5}}
        assert shown[1] != shown[0]


def test_matches_do_not_remember_each_other():
    me = Prom(types=("own", NOISE), learn=True, depth=2)
    game = interpreted(DUEL)
    one, other = (posteriors(game, [me, load_agent("greedy")], 5) for _ in range(2))
    assert one == other


class Notebook(Agent):
    """Plays the first legal move and writes down all it is told."""

    def choose(self, game, state, rng, ask):
        ask.memory.append(("asked", game.mover(state)))
        return load_agent("random").decide(game, state, rng)

    def memory(self, game, seat):
        BOOKS[seat] = []
        return BOOKS[seat]

    def observe(self, memory, game, state, seat, move):
        memory.append(("told", seat, int(game.mover(state)), move in game.legal(state)))


BOOKS = {}


def test_every_agent_is_told_every_move_of_the_others_and_none_of_its_own():
    match = play_match(UNIFORM, [Notebook(), load_agent("greedy"), Notebook()], seed=2)
    assert [turn[0][0] for turn in match.turns] == [0, 1, 2, 0, 1]
    assert BOOKS[0] == [("asked", 0), ("told", 1, 1, True), ("told", 2, 2, True), ("asked", 0), ("told", 1, 1, True)]
    assert BOOKS[2] == [
        ("told", 0, 0, True),
        ("told", 1, 1, True),
        ("asked", 2),
        ("told", 0, 0, True),
        ("told", 1, 1, True),
    ]


def test_nobody_is_told_of_the_dice():
    play_match(DICE_DUEL, [Notebook(), Notebook()], seed=2)
    assert {entry[0:2] for entry in BOOKS[0]} == {("asked", 0), ("told", 1)}


def test_in_a_simultaneous_game_each_move_is_told_as_its_mover_saw_it():
    play_match(BIKES, [Notebook(), Notebook(), Notebook()], seed=4)
    told = [entry for entry in BOOKS[1] if entry[0] == "told"]
    assert {entry[1] for entry in told} == {0, 2}
    assert all(seat == mover and legal for _, seat, mover, legal in told)


def test_learning_agents_play_a_simultaneous_game():
    agents = [
        load_agent(text)
        for text in (
            "prom(types=[room, territory], learn=true, depth=2, estimate=room)",
            "greedy",
            "prob_maxn(models=[own, hunt], learn=true, depth=2)",
        )
    ]
    shown = posteriors(interpreted(BIKES), agents, 3)
    assert set(shown[0]) == {1, 2}
    for beliefs in shown:
        for row in beliefs.values():
            assert sum(row.values()) == pytest.approx(1)


def test_where_the_searcher_is_out_nothing_is_learned():
    agent = Prom(
        types=("room", "territory"), learn=True, depth=2
    )  # its own estimate, survival, looks no further once it is out
    state = next(
        state for state in positions(BIKES, count=60, seed=9) if not BIKES.lives(state, 0) and BIKES.mover(state) > 0
    )
    memory, seat = agent.memory(BIKES, 0), BIKES.mover(state)
    agent.observe(memory, BIKES, state, seat, BIKES.legal(state)[0], compiled=False)
    assert memory.posterior.tolist() == agent.priors(BIKES).tolist()
    assert memory.seen[seat] == 1


def test_an_agent_that_does_not_learn_has_no_memory():
    for text in ("prom", "prob_maxn", "om", "maxn(depth=2)", "random"):
        agent = load_agent(text)
        assert agent.memory(DUEL, 0) is None
    assert load_agent("random").observe(None, DUEL, DUEL.new(), 0, 0) is None


def test_a_memory_of_something_else_is_refused():
    agent = Prom(types=("own", NOISE), learn=True, depth=2)
    for memory in (agent.memory(UNIFORM, 0), "diary"):
        with pytest.raises(
            BadParameter,
            match=r"this memory is none of prom.* in random_tree.*; make one with agent.memory\(game, seat\)",
        ):
            agent.decide(DUEL, DUEL.new(), ask=Ask(memory=memory))


def test_only_moves_of_opponents_to_move_are_observed():
    agent = Prom(types=("own", NOISE), learn=True, depth=2)
    for seat in (0, 1):
        with pytest.raises(
            BadParameter,
            match=f"expected a move of an opponent of seat 0 who is to move, got one of seat {seat} in random_tree",
        ):
            agent.observe(agent.memory(DUEL, 0), DUEL, DUEL.new(), seat, 0)
