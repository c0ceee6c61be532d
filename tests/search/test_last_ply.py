"""The last ply at once finds what playing every move finds: nodes, moves, values and lines, to the last bit."""

from functools import cache

import pytest

from kingmaker import Ask, load_agent, load_game
from kingmaker.core.foresight import Foresight
from kingmaker.core.game import OVER
from kingmaker.core.rng import below, stream
from kingmaker.search.max_prob import MaxProb
from kingmaker.search.maxn import Maxn
from kingmaker.search.offensive import Offensive
from kingmaker.search.parts.opponents.win_chance import chance_to_win
from kingmaker.search.parts.opponents.win_probability import win_probability
from kingmaker.search.parts.switches.last_ply import EveryPly, LastBest, LastBestSet, LastMove, LastSet
from kingmaker.search.parts.switches.last_ply_by_vectors import LastBestByVectors, LastMoveByVectors
from tests.samples import TWIN, same
from tests.soundness.foreseeing import Choosing, Foreseeing, Selfish, Surprised
from tests.soundness.games import Pile

STAR = load_game("chinese_checkers(seats=3, radius=2, rounds=12)")
LAST_ROUNDS = load_game("chinese_checkers(seats=3, radius=2, rounds=3)")
HEXAGON = load_game("abalone(seats=3, rounds=40)")
HIDDEN = {name: getattr(Foresight, name) for name in ("begin", "after", "own_after", "interval_after", "best_after")}


def blind(game):
    """The same game with estimates that cannot foresee anything."""

    def without(estimate):
        kind = type(estimate)
        made = type(kind.__name__, (kind,), {**HIDDEN, "__module__": kind.__module__})()
        assert estimate.has_foresight
        assert not made.has_foresight
        return made

    kind = type(game)
    estimates = tuple(map(without, game.estimates))
    made = type(kind.__name__, (kind,), {"estimates": estimates, "__module__": kind.__module__})
    return made(**parameters(game))


def parameters(game):
    names = ("seats", "radius", "camp", "layout", "rounds", "sticks")
    return {name: getattr(game, name) for name in names if name in vars(game)}


@cache
def on_the_way(game, matches, every):
    """Positions of matches that are played to win, so that camps fill up and marbles fall, up to the last move."""
    agent, found = load_agent("greedy"), []
    for seed in range(matches):
        state, rng, age = game.new(seed), stream(seed, "match"), seed
        while game.mover(state) != OVER:
            if age % every == 0:
                found.append(game.copy(state))
            game.play(state, game.mover(state), agent.decide(game, state, rng, ask=TWIN).move)
            age += 1
    return found


def compare(game, text, states, ask):
    other, agent = blind(game), load_agent(text)
    for number, state in enumerate(states):
        one, two = (agent.decide(each, state, stream(number, "agent"), ask=ask) for each in (game, other))
        assert same(one, two), game.notation(state)
        assert one.movers == two.movers
        assert one.notes == two.notes


def near_the_end(game):
    """Positions on the way; at Abalone such that a marble more ends the match."""
    states = [game.copy(state) for state in on_the_way(game, *((6, 2) if game is STAR else (2, 5)))]
    if game is HEXAGON:
        for state in states:
            state.pushed[:] = 5, 5, 5
    return states


@pytest.mark.parametrize("game", [STAR, HEXAGON], ids=str)
def test_among_the_positions_are_some_that_a_move_ends_before_the_limit(game):
    ends = 0
    for state in near_the_end(game):
        children = [game.after(state, move) for move in game.legal(state)]
        ends += any(game.mover(child) == OVER and child.age < game.longest for child in children)
    assert ends >= 3


COMPILED = [
    (STAR, "maxn(depth=4)"),
    (STAR, "max_prob(depth=4)"),
    (HEXAGON, "maxn(depth=3)"),
    (HEXAGON, "max_prob(depth=3)"),
    (HEXAGON, "maxn(depth=3, estimate=standing)"),
    (HEXAGON, "max_prob(depth=3, estimate=standing)"),
    (STAR, "offensive(depth=4, ties=first)"),
    (HEXAGON, "offensive(depth=4)"),
    (HEXAGON, "offensive(depth=4, ties=first)"),
]
LARGE = 5  # of positions whose trees are large only every fifth is searched


@pytest.mark.parametrize(("game", "text"), COMPILED, ids=str)
def test_machine_code_finds_the_same(game, text):
    large = game is HEXAGON and "depth=4" in text
    compare(game, text, near_the_end(game)[:: LARGE if large else 1], Ask())


def test_every_kind_of_last_ply_is_tried_compiled():
    kinds = {LastBest, LastBestSet, LastMove, LastSet, LastBestByVectors, LastMoveByVectors}
    assert {last(load_agent(text), game) for game, text in COMPILED} == kinds


@pytest.mark.parametrize(
    "text",
    [
        "maxn(depth=2, order=history)",
        "maxn(depth=2, estimate=journey)",
        "maxn(depth=2, ties=random)",
        "maxn(nodes=150)",
        "max_prob(nodes=150, tolerance=0.05)",
        "max_prob(depth=2, order=shuffled, estimate=journey)",
        "max_prob(depth=2, estimate=journey, ties=split)",
        "offensive(depth=2)",
        "offensive(depth=3, ties=first)",
        "offensive(nodes=150)",
        "mp_mix(depth=2, td=1, to=1)",
        "greedy",
    ],
)
def test_the_twin_finds_the_same(text):
    compare(STAR, text, on_the_way(STAR, 2, 6), TWIN)
    compare(LAST_ROUNDS, text, on_the_way(LAST_ROUNDS, 1, 4), TWIN)


@pytest.mark.parametrize("text", ["maxn(depth=2, estimate=standing)", "max_prob(depth=2, tolerance=0)"])
def test_the_twin_finds_the_same_at_abalone(text):
    compare(HEXAGON, text, near_the_end(HEXAGON)[::12], TWIN)


@pytest.mark.parametrize("nodes", range(1, 60, 7))
def test_a_budget_of_nodes_ends_at_the_same_node(nodes):
    compare(STAR, f"maxn(nodes={nodes})", on_the_way(STAR, 1, 12), TWIN)


@pytest.mark.parametrize("kind", [Foreseeing, Choosing, Surprised])
@pytest.mark.parametrize(
    "text",
    [
        "maxn(depth=4)",
        "maxn(depth=4, ties=random)",
        "max_prob(depth=5)",
        "max_prob(depth=3, ties=split)",
        "max_prob(depth=3, tolerance=0.1)",
    ],
)
def test_an_estimate_of_one_s_own_foresees_at_every_kind_of_ending(kind, text):
    agent = load_agent(text)
    for sticks in range(1, 12):
        game, other = Pile(sticks=sticks), Pile(sticks=sticks)
        game.estimates = (kind(),)
        other.estimates = (type(kind.__name__, (kind,), HIDDEN)(),)
        one, two = (agent.decide(each, each.new(), stream(sticks, "agent"), ask=TWIN) for each in (game, other))
        assert same(one, two)


def test_a_search_believes_what_is_foreseen():
    lying, honest = Pile(sticks=9), Pile(sticks=9)
    lying.estimates, honest.estimates = (Selfish(),), (Foreseeing(),)
    found = [load_agent("maxn(depth=2)").decide(game, game.new(), ask=TWIN) for game in (lying, honest)]
    assert found[0].nodes == found[1].nodes
    assert found[0].values != found[1].values


def test_a_shuffled_order_takes_any_of_the_best_moves_that_the_estimate_finds():
    state = on_the_way(STAR, 1, 12)[1]
    lines = [
        load_agent("maxn(depth=2, order=shuffled)").decide(STAR, state, stream(seed, "agent"), ask=TWIN)
        for seed in range(40)
    ]
    assert len({each.line for each in lines}) > 1
    assert len({each.values for each in lines}) >= 1
    assert {each.nodes for each in lines} == {lines[0].nodes}


def last(agent, game=STAR, record=0):
    return type(agent.switches(game, game.estimate(agent.estimate), record).last)


def test_only_a_plain_last_ply_is_searched_at_once():
    for agent in (Maxn(), Maxn(order="shuffled")):
        assert last(agent) is LastBest
    for agent in (Maxn(estimate="journey"), Maxn(ties="random"), Maxn(order="history")):
        assert last(agent) is LastMove
    for agent in (Offensive(ties="first"), Offensive(order="shuffled")):
        assert last(agent) is LastBestByVectors
    assert last(Offensive()) is LastMoveByVectors
    assert last(MaxProb()) is LastBestSet
    for agent in (MaxProb(estimate="journey"), MaxProb(order="history")):
        assert last(agent) is LastSet
    for agent in (Maxn(ties="average"), Maxn(ties="least_others"), Maxn(table=8), Maxn(quiet=2), MaxProb(table=8)):
        assert last(agent) is EveryPly
    assert last(Maxn(prune="shallow", estimate="journey")) is EveryPly
    assert last(Maxn(), record=100) is EveryPly
    assert last(Maxn(), game=load_game("light_bike(width=4, height=4)")) is EveryPly


@pytest.mark.parametrize("ties", ["shared", "split"])
def test_the_chance_of_one_seat_is_that_of_all(wrapping, ties):
    rng = stream(5, "intervals")
    for _ in range(300):
        seats = 2 + below(rng, 4)
        low = [below(rng, 17) / 16 for _ in range(seats)]
        for high in ([1.0] * seats, [max(low)] * seats, [value + below(rng, 17) / 16 for value in low]):
            ends = [max(pair) for pair in zip(low, high)]
            whole = win_probability(low, ends, ties)
            assert [chance_to_win(low, ends, seats, ties == "split", seat) for seat in range(seats)] == whole.tolist()


def test_who_plays_against_another_asks_for_the_best_moves_where_no_move_touches_others(monkeypatch):
    """At depth 4 the root seat moves at the last ply; at Chinese Checkers a step changes nothing for the others."""
    played = []
    for name in ("after", "best_after"):
        asked = getattr(type(STAR.estimates[0]), name)
        monkeypatch.setattr(
            type(STAR.estimates[0]), name, lambda *given, name=name, asked=asked: played.append(name) or asked(*given)
        )
    game = load_game("chinese_checkers(seats=3, radius=2, rounds=12)")
    found = load_agent("offensive(depth=4, ties=first)").decide(game, game.new(), ask=TWIN)
    assert found.nodes > 1000
    assert played.count("best_after") == played.count("after") > 0
