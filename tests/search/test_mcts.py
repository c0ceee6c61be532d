"""Monte-Carlo tree search: what it proves, what it converges to, and what its settings change."""

import math

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.arena.table.table import Table
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, Mismatch, UnknownName
from kingmaker.core.guard import interpret
from kingmaker.core.rng import stream
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.mcts import Mcts
from kingmaker.search.parts.growing.keeping import Kept
from kingmaker.search.parts.growing.rewards import Rank, Score, Share
from tests import oracles, reply_oracles
from tests.samples import (
    BIKES,
    BINARY,
    DICE,
    DICE_DUEL,
    DUEL,
    OWN_GAMES,
    STICKS,
    SUM,
    TIES,
    TWIN,
    UNIFORM,
    WRITTEN,
    tree_at,
    trusted,
)

SMALL = {"tree": 12}
PLAIN = {"solver": False, "playout": "random", "history": 0.0}  # UCT and nothing else
HEIGHT = 5  # of the random trees


def decided(game, state, **settings):
    return Mcts(**SMALL | settings).decide(game, state, ask=TWIN)


@pytest.mark.parametrize("game", [UNIFORM, TIES, SUM, BINARY, DICE], ids=str)
def test_the_solver_proves_what_backward_induction_proves(game):
    """Whole trees: the same move, and the same vector for all seats, ties included."""
    for seed in range(3):
        state = tree_at(game, seed, ply=1 if game is DICE else 2)
        vector, move = oracles.maxn(game, state, HEIGHT)
        found = decided(game, state, playouts=3000)
        assert found.stopped == "solved"
        assert found.values == pytest.approx([float(value) for value in vector], abs=1e-9)
        assert found.move == move


@pytest.mark.parametrize("game", [UNIFORM, DICE, DICE_DUEL], ids=str)
def test_the_solver_proves_the_value_of_the_pact(game):
    for seed in range(3):
        state = tree_at(game, seed, ply=1 if game is DICE else 2)
        root = game.mover(state)
        vector, _ = oracles.paranoid(game, state, HEIGHT)
        found = decided(game, state, playouts=3000, policy="paranoid")
        assert found.stopped == "solved"
        assert found.values[root] == pytest.approx(float(vector[root]), abs=1e-9)


@pytest.mark.parametrize("game", [UNIFORM, DICE], ids=str)
def test_the_solver_proves_the_value_of_the_best_reply(game):
    for seed in range(3):
        state = tree_at(game, seed, ply=1 if game is DICE else 2)
        root = game.mover(state)
        wanted = reply_oracles.best_reply(game, state, HEIGHT)
        vector = wanted[0] if isinstance(wanted[0], tuple) else wanted
        found = decided(game, state, playouts=6000, policy="best_reply")
        assert found.stopped == "solved"
        assert found.values[root] == pytest.approx(float(vector[root]), abs=1e-9)


def test_a_win_is_proven_without_looking_at_everything():
    """Sticks with three left: taking all of them wins, and nothing else must be tried to know it."""
    game = load_game("sticks(seats=3, sticks=3)")
    found = decided(game, game.new(), playouts=1000)
    assert (found.stopped, found.move, found.values) == ("solved", 3, (1.0, 0.0, 0.0))
    assert found.playouts < 20
    assert found.notes == {"proven": "3"}
    assert all(entry.exact for entry in found.moves)  # means are no bounds


def test_means_converge_to_the_value_of_the_pact():
    """Plain UCT on trees of 27 leaves: after n playouts the value is wrong by at most sqrt(ln n / n) of the
    range of the payoffs. UCT's error falls faster, as ln n / n; this bound was also met at 1000, 10 000
    and 100 000 playouts.
    """
    for game in (UNIFORM, DUEL, DICE):
        for seed in range(3):
            state = tree_at(game, seed, 3 if game is DICE else 2)
            seat = game.mover(state)
            value = float(oracles.paranoid(game, state, HEIGHT)[0][seat])
            found = decided(game, state, playouts=500, policy="paranoid", **PLAIN)
            assert (found.stopped, found.playouts) == ("playouts", 500)
            assert abs(found.values[seat] - value) <= math.sqrt(math.log(500) / 500) * game.high


def test_means_converge_to_the_value_of_maxn_where_no_seat_is_nearly_indifferent():
    """A seat that hardly cares which of two moves it makes mixes them for a long time, and others may care much. So the
    bound is claimed for trees in which every best move is better than the next by a twentieth of the range.
    """
    clear = [seed for seed in range(60) if margin(tree_at(UNIFORM, seed, 2)) >= UNIFORM.high / 20]
    assert len(clear) >= 3
    for seed in clear[:8]:
        state = tree_at(UNIFORM, seed, 2)
        value = float(oracles.maxn(UNIFORM, state, HEIGHT)[0][0])
        found = Mcts(playouts=20_000, **PLAIN, **SMALL).decide(UNIFORM, state)
        assert abs(found.values[0] - value) <= math.sqrt(math.log(20_000) / 20_000) * UNIFORM.high


def margin(state):
    """The least difference for its mover between the best and the second best move of any node, by backward
    induction.
    """
    seat = UNIFORM.mover(state)
    if seat < 0:
        return math.inf
    children = [UNIFORM.after(state, move) for move in range(3)]
    second, best = sorted(float(oracles.maxn(UNIFORM, each, HEIGHT)[0][seat]) for each in children)[1:]
    return min(best - second, *map(margin, children))


def test_the_written_tree_of_the_spec_is_solved():
    """Offensive's example: MaxN takes c = (6, 4, 0), the pact takes a."""
    state = WRITTEN.new()
    assert decided(WRITTEN, state, playouts=200).values == (6.0, 4.0, 0.0)
    assert decided(WRITTEN, state, playouts=200, policy="paranoid").move == 0


def test_a_chance_node_is_worth_its_expectation():
    """The lecture's 8, 24 and -12 with odds 1/2, 1/3 and 1/6: ten, proven, and sampled within its standard error."""
    dice = {"odds": [1 / 2, 1 / 3, 1 / 6], "moves": [[8], [24], [-12]]}
    game = ExplicitTree({"seat": 0, "moves": [dice, [9]]}, seats=1)
    found = decided(game, game.new(), playouts=500)
    assert (found.move, found.stopped) == (0, "solved")
    assert found.values == pytest.approx((10.0,), abs=1e-9)
    sampled = decided(game, game.new(), playouts=4000, solver=False, playout="random")
    deviation = math.sqrt(8**2 / 2 + 24**2 / 3 + 12**2 / 6 - 100)
    assert abs(sampled.value_of(0)[0] - 10) < 4 * deviation / math.sqrt(2000)


def test_rewards_are_what_they_say():
    values, out = np.array([3.0, 1.0, 3.0, 0.0]), np.zeros(4)

    def written(reward):
        reward.write(BINARY, values, out)
        return out.tolist()

    assert written(Share()) == [0.5, 0.0, 0.5, 0.0]
    assert written(Rank(4)) == pytest.approx([2.5 / 3, 1 / 3, 2.5 / 3, 0.0])
    score = Score(load_game("random_tree(values=5)").facts, 4)
    assert written(score) == [0.75, 0.25, 0.75, 0.0]
    assert score.shown(np.array([0.75])) == [3.0]


def test_the_reward_decides_what_is_played():
    """A sure second place against a coin for the win: the share of the win prefers the coin, the rank the place."""
    coin = {"odds": [0.5, 0.5], "moves": [(5, 1, 1), (0, 1, 1)]}
    game = ExplicitTree({"moves": [coin, (3, 4, 2)], "seat": 0}, seats=3)
    moves = {
        reward: decided(game, game.new(), playouts=300, reward=reward).move for reward in ("share", "rank", "score")
    }
    assert moves == {"share": 0, "rank": 0, "score": 1}
    assert decided(game, game.new(), playouts=300, reward="share").values == (0.5, 0.25, 0.25)


def test_playouts_can_be_cut_and_are_then_worth_the_estimate():
    """Cut at once at the leaves of the tree, a single playout of each move is worth its estimate."""
    state = tree_at(UNIFORM, 1)
    found = decided(UNIFORM, state, playouts=3, cut=0, solver=False)
    for entry in found.moves:
        out = np.zeros(3)
        with np.errstate(over="ignore"):
            UNIFORM.estimates[0].value(UNIFORM, UNIFORM.after(state, entry.move), out)
        assert entry.values == pytest.approx(out.tolist())
    assert found.nodes == 3
    assert decided(UNIFORM, state, playouts=3, cut=2, solver=False, playout="random").nodes == 9


def test_greedy_playouts_follow_the_estimate():
    """With epsilon 0 every move below the first is the one that the estimate likes best for its mover."""
    state = tree_at(UNIFORM, 1)
    found = decided(UNIFORM, state, playouts=3, playout="greedy", epsilon=0.0, solver=False, estimate="guess(error=0)")
    for entry in found.moves:
        after = UNIFORM.after(state, entry.move)
        while UNIFORM.mover(after) >= 0:
            seat = UNIFORM.mover(after)
            after = max((UNIFORM.after(after, move) for move in range(3)), key=lambda each: liked(each, seat))
        assert entry.values == pytest.approx(UNIFORM.payoffs(after))
    assert found.nodes > 3 * HEIGHT


def liked(state, seat):
    out = np.zeros(3)
    with np.errstate(over="ignore"):
        UNIFORM.estimate("guess(error=0)").value(UNIFORM, state, out)
    return out[seat]


def test_progressive_history_changes_what_is_tried_and_not_what_is_proven():
    state = tree_at(UNIFORM, 4)
    plain, past = (decided(UNIFORM, state, playouts=100, history=weight, solver=False) for weight in (0.0, 5.0))
    assert plain.moves != past.moves
    assert decided(UNIFORM, state, playouts=5000, history=5.0).values == pytest.approx(
        [float(value) for value in oracles.maxn(UNIFORM, state, HEIGHT)[0]]
    )


def test_a_full_tree_grows_no_further_and_the_search_goes_on():
    game = load_game("sticks(seats=3, sticks=15)")
    found = Mcts(playouts=400, tree=4, keep=False).decide(game, game.new(), ask=TWIN)
    assert (found.playouts, found.stopped) == (400, "playouts")
    assert found.bytes < 400_000


def test_the_bytes_of_a_tree_are_stated_and_bounded():
    game = load_game("sticks(seats=3, sticks=15)")
    small, large = (decided(game, game.new(), playouts=1, tree=tree).bytes for tree in (10, 14))
    a_node = 3 * 8 + 4 * 4 + 8  # sums, four numbers, seat and proof filled up to eight bytes
    assert large - small == (2**14 - 2**10) * a_node
    assert decided(game, game.new(), playouts=2, tree=10, threads=2).bytes == 2 * small


def test_budgets_end_the_search_and_are_kept():
    state = BIKES.new(1)
    found = decided(BIKES, state, nodes=300)
    assert found.nodes <= 300
    assert found.stopped == "nodes"
    assert found.playouts > 3
    found = decided(BIKES, state, seconds=0.05)
    assert found.stopped == "seconds"
    assert found.playouts > 0
    assert decided(BIKES, state, playouts=77).playouts == 77


def test_the_most_chosen_move_is_played_and_begins_the_line():
    found = decided(UNIFORM, tree_at(UNIFORM, 2), playouts=200, solver=False)
    assert found.line[0] == found.move
    assert found.movers == (0, 1, 2, 0, 1)[: len(found.line)]
    assert found.depth == len(found.line)


def test_threads_grow_trees_of_their_own_and_add_them_up():
    state = tree_at(UNIFORM, 2)
    one, two = (decided(UNIFORM, state, playouts=201, threads=threads, solver=False) for threads in (1, 2))
    assert two.playouts == 201
    assert two.moves != one.moves
    again = decided(UNIFORM, state, playouts=201, threads=2, solver=False)
    assert (again.move, again.moves, again.nodes) == (two.move, two.moves, two.nodes)
    solved = decided(UNIFORM, state, playouts=5000, threads=2)
    assert solved.stopped == "solved"
    assert solved.values == pytest.approx([float(value) for value in oracles.maxn(UNIFORM, state, HEIGHT)[0]])
    limited = decided(UNIFORM, state, nodes=400, threads=2, solver=False)
    assert limited.stopped == "nodes"
    assert limited.nodes <= 400


def test_a_tree_is_kept_from_move_to_move():
    """The second decision begins with what the first found below the moves that were made."""
    game, agent = STICKS, Mcts(playouts=300, solver=False, **SMALL)
    kept, rng = agent.memory(game, 0), stream(1)
    state = game.new()
    first = agent.decide(game, state, rng, Ask(memory=kept, compiled=False))
    for move in (first.move, 1, 2):
        if game.mover(state) != 0:
            agent.observe(kept, game, state, game.mover(state), move)
        state = game.after(state, move)
    node = kept.reached(game, 0, kept.state, kept.moves, state)
    visits = int(kept.tree["visits"][node])
    assert visits > 5
    work = agent.ready(game, TWIN).workspace(state, stream(2))
    agent.fill(work, game, kept)
    assert int(work.tree[0].visits) == visits
    assert int(sum(work.visits)) in (visits - 1, visits)
    assert Kept().tree is None


def test_dice_are_found_again_in_a_kept_tree():
    game, agent = DICE, Mcts(playouts=600, solver=False, **SMALL)
    kept, state = agent.memory(game, 0), tree_at(DICE, 1)
    first = agent.decide(game, state, stream(1), Ask(memory=kept, compiled=False))
    state = game.after(state, first.move)
    agent.observe(kept, game, state, 1, 2)
    state = game.after(game.after(state, 2), 1)  # the dice show 1
    node = kept.reached(game, 0, kept.state, kept.moves, state)
    assert node > 0
    assert int(kept.tree["move"][node]) == 1
    other = tree_at(DICE, 2, ply=3)
    assert kept.reached(game, 0, kept.state, kept.moves, other) == -1


def test_a_kept_proof_is_played_without_any_playout():
    agent = Mcts(playouts=3000, **SMALL)
    kept, state = agent.memory(STICKS, 0), STICKS.new()
    first = agent.decide(STICKS, state, stream(1), Ask(memory=kept, compiled=False))
    assert first.stopped == "solved"
    table = Table(STICKS, [agent] * 3, 0)
    for move in first.line[:3]:
        if STICKS.mover(state) != 0:
            agent.observe(kept, STICKS, state, STICKS.mover(state), move)
        state = STICKS.after(state, move)
    again = agent.decide(STICKS, state, stream(2), Ask(memory=kept, compiled=False))
    assert again.values == first.values
    assert again.playouts <= 20
    assert table.memories[0] is not None


@pytest.fixture
def plain_sticks():
    """Sticks for two, run as plain Python."""
    game = load_game("sticks(seats=2, sticks=10)")
    interpret(game)
    return game


def test_a_match_with_kept_trees_can_be_taken_back(plain_sticks):
    table = Table(plain_sticks, [load_agent("mcts(playouts=60, tree=8)")] * 2, 3)
    past = table.snapshot()
    first = table.turn()[0]
    table.take(first)
    table.take(table.turn()[0])
    again = table.snapshot()
    table.take(table.turn()[0])
    assert again.memories[0].tree is not None
    table.set_back(past)
    assert table.turn()[0] == first


def test_it_beats_random_play_at_sticks(plain_sticks):
    agents = [load_agent("mcts(playouts=60, tree=8)"), load_agent("random")]
    wins = sum(play_match(plain_sticks, agents, seed=seed).payoffs[0] for seed in range(20))
    assert wins >= 17  # with even chances the probability is 0.001


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("mcts(policy=banana)", UnknownName, "unknown policy 'banana' in mcts"),
        ("mcts(playout=slow)", UnknownName, "unknown playout 'slow' in mcts"),
        (
            "mcts(playouts=0)",
            BadParameter,
            "expected a budget of at least 1 for playouts, got 0 in mcts.*; leave it out to search for one",
        ),
        ("mcts(cut=-2)", BadParameter, r"expected a cut after 0 turns or more, got -2 in .*; or use cut=none"),
        ("mcts(epsilon=1.5)", BadParameter, "expected 0 to 1 for epsilon, got 1.5 in mcts"),
        ("mcts(tree=40)", BadParameter, "expected 4 to 26 for tree, got 40 in mcts"),
        ("mcts(threads=0)", BadParameter, "expected 1 to 64 for threads, got 0 in mcts"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        load_agent(text)


def test_games_that_do_not_fit_are_refused_with_a_way_out():
    state = STICKS.new()
    with pytest.raises(UnknownName, match=r"unknown reward 'gold' in mcts\(reward='gold'\); did you mean"):
        load_agent("mcts(reward=gold)").decide(STICKS, state)
    with pytest.raises(Mismatch, match="a seat out of turn has no legal move; use"):
        load_agent("mcts(policy=best_reply)").decide(STICKS, state)
    with pytest.raises(BadParameter, match=r"nodes=2 end .* before its first playout is finished in .*; give it more"):
        load_agent("mcts(nodes=2, tree=8)").decide(STICKS, state, ask=TWIN)
    wide = load_game("random_tree(branching=20)")
    with pytest.raises(Mismatch, match=r"tree=4 has room for 16 nodes in .*, fewer than .* may have moves; use tree=5"):
        load_agent("mcts(tree=4)").decide(wide, wide.new(), ask=TWIN)
    with pytest.raises(BadParameter, match="this memory is none of mcts"):
        load_agent("mcts()").decide(STICKS, state, ask=Ask(memory=[], compiled=False))


def test_payoffs_without_bounds_need_another_reward(tmp_path):
    text = (OWN_GAMES / "nim.py").read_text()
    start = text.index("facts = ")
    end = text.index("\n", start)
    (tmp_path / "endless.py").write_text(f"{text[:start]}facts = km.Facts(seats=(2, 4)){text[end:]}")
    game = load_game(str(tmp_path / "endless.py"))
    with pytest.raises(
        Mismatch, match="state no bounds of the payoffs, so mcts cannot weigh scores; state low and high"
    ):
        load_agent("mcts(playouts=9)").decide(game, game.new(), ask=TWIN)
    assert load_agent("mcts(playouts=9, reward=share)").decide(game, game.new(), ask=TWIN).playouts == 9


def test_a_tree_larger_than_the_memory_of_a_decision_is_refused():
    with pytest.raises(Mismatch, match=r"mcts\(tree=26\) needs 3.0 GB .* use a smaller depth, table, tree or record"):
        load_agent("mcts(tree=26)").fit(STICKS)


def test_a_clock_that_ends_before_the_first_playout_leaves_a_legal_move():
    """Without the solver, which may end the whole search before the clock is looked at."""
    found = decided(STICKS, STICKS.new(), seconds=1e-9, solver=False)
    assert found.stopped == "seconds"
    assert found.move in STICKS.legal(STICKS.new())


def test_playouts_go_on_through_a_deal_that_cannot_be_listed():
    """Two rounds of open cards: the tree ends before the second deal, and the playouts roll it."""
    game = trusted(load_game(str(OWN_GAMES / "deals.py")))
    with np.errstate(over="ignore"):
        state = game.after(game.new(), 5)
    found = decided(game, state, playouts=400, solver=False)
    assert (found.stopped, found.playouts) == ("playouts", 400)
    assert sum(found.values) == pytest.approx(2.0)
