"""Compiled and interpreted are one: the same lines give the same decision both ways.

Every search, every game and every value of a switch is tried compiled at least once, here or in a search's own tests,
most of them on entries that other tests compile too; the twin covers the rest, for it is what the oracles are compared
with elsewhere.
"""

import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.errors import KingmakerError, Mismatch
from kingmaker.core.rng import stream
from kingmaker.games import GAMES
from kingmaker.search import ALGORITHMS
from tests.samples import (
    BIKES,
    BIKES_DUEL,
    BINARY,
    DICE,
    DICE_DUEL,
    DUEL,
    OWN_GAMES,
    STICKS,
    STICKS_DUEL,
    SUM,
    TIES,
    TWIN,
    UNIFORM,
    WRITTEN,
    positions,
    same,
    trusted,
)

NIM = trusted(load_game(f"{OWN_GAMES / 'nim.py'}(seats=3)"))
NIM_DUEL = trusted(load_game(f"{OWN_GAMES / 'nim.py'}(seats=2, size=2)"))

PAIRS = [
    (UNIFORM, "ismcts(playouts=100, tree=12)"),
    (UNIFORM, "pimc(maxn(depth=4), deals=2)"),
    (UNIFORM, "mcts(playouts=150, tree=12)"),
    (DICE, "mcts(playouts=150, tree=12, policy=paranoid, history=3)"),
    (BIKES, "mcts(playouts=40, tree=12, policy=best_reply, playout=greedy, cut=5, reward=rank)"),
    (UNIFORM, "best_reply(depth=3)"),
    (UNIFORM, "multi_minimax(depth=4)"),
    (UNIFORM, "mp_mix(depth=3, td=5, to=5)"),
    (UNIFORM, "prom(types=['guess(function=1)'], odds=[1], depth=4)"),
    (UNIFORM, "om(type='guess(function=1)', depth=4)"),
    (UNIFORM, "soft_maxn(depth=4)"),
    (UNIFORM, "prob_maxn(depth=4)"),
    (UNIFORM, "max_prob(depth=4)"),
    (UNIFORM, "best_reply_plus(depth=4)"),
    (UNIFORM, "greedy"),
    (BIKES, "multi_minimax(depth=5, forward_pruning='same_heading')"),
    (BIKES, "offensive(depth=3, target=2)"),
    (load_game("series(sticks(sticks=4), hands=3)"), "maxn(depth=4)"),
    (load_game("abalone(seats=3, rounds=40)"), "maxn(depth=1)"),
    (load_game("chinese_checkers(seats=3, radius=2, rounds=12)"), "paranoid(depth=2)"),
    (load_game("backgammon(layout='hyper')"), "alpha_beta(depth=2, estimate='prospects')"),
    (load_game("bingo(seats=2)"), "maxn(depth=2)"),
    (load_game("chess"), "alpha_beta(depth=1, quiet=4, order=history, table=16)"),
    (load_game("hearts(open=True)"), "maxn(depth=1, quiet=3, estimate=sketch)"),
    (load_game("spades(open=True)"), "paranoid(depth=1, quiet=3, estimate=sketch)"),
    (load_game("risk(seats=3, map='two_continents', armies=4, limit=4)"), "maxn(depth=1)"),
    (load_game("go_fish(seats=2, ranks=3, cards=2)"), "maxn(depth=2, estimate='sets', one_world=true)"),
    (UNIFORM, "maxn(depth=4)"),
    (UNIFORM, "paranoid(depth=4)"),
    (UNIFORM, "maxn(depth=4, order='shuffled')"),
    (UNIFORM, "paranoid(depth=4, order='history')"),
    (UNIFORM, "maxn(nodes=60)"),
    (TIES, "maxn(depth=5, ties='least_others')"),
    (TIES, "maxn(depth=5, ties='random')"),
    (TIES, "maxn(depth=5, ties='average')"),
    (TIES, "paranoid(depth=5, prune=false)"),
    (SUM, "maxn(depth=5, prune='shallow')"),
    (SUM, "maxn(depth=5, prune='immediate+shallow+last_branch+speculative')"),
    (BINARY, "maxn(depth=4, prune='immediate')"),
    (DICE, "maxn(depth=4)"),
    (DICE, "paranoid(depth=4)"),
    (DICE_DUEL, "alpha_beta(depth=4, star=2)"),
    (DUEL, "minimax(depth=4)"),
    (DUEL, "alpha_beta(depth=5)"),
    (STICKS, "maxn(depth=9, table=6)"),
    (STICKS_DUEL, "alpha_beta(depth=9, table=6)"),
    (BIKES, "maxn(depth=3)"),
    (BIKES, "paranoid(depth=4, estimate='territory')"),
    (NIM, "maxn(depth=3)"),
    (BIKES, "decoupled_uct(playouts=60)"),
    (BIKES, "regret_matching(playouts=60, tree=5)"),
    (DUEL, "pvs(depth=4, order='given', table=10, aspiration=0.5)"),
]


@pytest.mark.parametrize(("game", "text"), PAIRS, ids=[f"{game.name}-{text}" for game, text in PAIRS])
def test_compiled_and_interpreted_decide_the_same(game, text):
    agent = load_agent(text)
    states = [
        state for state in positions(game, count=6, seed=11) if agent.name != "offensive" or game.mover(state) == 0
    ]
    for number, state in enumerate(states[:3]):
        if number == 1:
            agent.prepare(game)  # until then machine code may be the one that is made quickly, now it is at full speed
        compiled = agent.decide(game, state, stream(number, "twin"), ask=Ask(compiled=True))
        interpreted = agent.decide(game, state, stream(number, "twin"), ask=TWIN)
        assert same(compiled, interpreted), f"{game.notation(state)}: {compiled} is not {interpreted}"


def test_a_twin_draws_the_same_random_numbers():
    agent, one, other = load_agent("maxn(depth=4, order='shuffled')"), stream(3, "twin"), stream(3, "twin")
    state = UNIFORM.new(5)
    agent.decide(UNIFORM, state, one, ask=Ask(compiled=True))
    agent.decide(UNIFORM, state, other, ask=TWIN)
    assert one.word == other.word != stream(3, "twin").word


def test_every_search_is_tried_compiled():
    assert {text.partition("(")[0] for _, text in PAIRS} >= set(ALGORITHMS) - {
        "random",
        "weak_rational",
        "backward_induction",
    }


def test_every_game_of_records_is_tried_compiled():
    assert {game.name for game, _ in PAIRS} >= set(GAMES) - {WRITTEN.name}


SMALL = [UNIFORM, SUM, DICE, DUEL, STICKS, STICKS_DUEL, BIKES, BIKES_DUEL, WRITTEN, NIM, NIM_DUEL]
SHALLOW = [
    "alpha_beta(depth=2)",
    "backward_induction",
    "best_reply(depth=2)",
    "best_reply_plus(depth=2)",
    "decoupled_uct(playouts=20)",
    "greedy",
    "ismcts(playouts=20, tree=12)",
    "max_prob(depth=2)",
    "maxn(depth=2)",
    "mcts(playouts=20, tree=12)",
    "minimax(depth=2)",
    "mp_mix(depth=2, td=0, to=0)",
    "multi_minimax(depth=2)",
    "offensive(depth=2, target=1)",
    "om(type='guess(function=1)', depth=2)",
    "paranoid(depth=2)",
    "pimc(maxn(depth=2), deals=3)",
    "prob_maxn(depth=2)",
    "prom(types=['guess(function=1)'], odds=[1], depth=2)",
    "pvs(depth=2)",
    "random",
    "regret_matching(playouts=20, tree=5)",
    "soft_maxn(depth=2)",
    "weak_rational",
]


@pytest.mark.parametrize("game", SMALL, ids=[f"{game.name}-{game.seats}" for game in SMALL])
@pytest.mark.parametrize("text", SHALLOW)
def test_every_search_plays_every_game_or_names_a_way_out(game, text):
    agent = load_agent(text)
    for state in positions(game, count=2, seed=5):
        if agent.name in ("minimax", "alpha_beta", "pvs") and game.seats != 2:
            with pytest.raises(
                Mismatch,
                match=rf"{agent.name} cannot play .* with {game.seats} seats, only with 2; use paranoid or maxn",
            ):
                agent.decide(game, state, ask=TWIN)
            continue
        decision, refusal = None, ""
        try:
            decision = agent.decide(game, state, ask=TWIN)
        except KingmakerError as fault:
            refusal = str(fault)
        assert decision is not None or "; " in refusal, refusal
        if decision is not None:
            assert decision.move in game.legal(state)
            assert decision.line[0] == decision.move
            assert [entry.move for entry in decision.moves] == game.legal(state)


def test_the_list_of_searches_tried_on_every_game_is_complete():
    assert {text.partition("(")[0] for text in SHALLOW} == set(ALGORITHMS)


def test_a_game_of_objects_is_not_compiled():
    with pytest.raises(Mismatch, match="cannot be compiled, for its states are not records; run it interpreted"):
        load_agent("maxn(depth=2)").decide(WRITTEN, WRITTEN.new(), ask=Ask(compiled=True))


@pytest.mark.parametrize("text", SHALLOW)
def test_nothing_is_decided_when_the_match_is_over(text):
    state = STICKS_DUEL.position("left=0 seat=1 winner=0")
    unfit = text.startswith(
        ("best_reply(", "multi_minimax", "om", "prom", "decoupled_uct", "regret_matching")
    )  # they refuse the game before they look at the position
    with pytest.raises(
        KingmakerError,
        match=r"no legal move; use|no estimates|one after the other; use"
        if unfit
        else r"no seat is to move in .* nothing to decide",
    ):
        load_agent(text).decide(STICKS_DUEL, state)
