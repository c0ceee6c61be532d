"""Dice in the tree: depth counts the moves of seats, never dice; where dice fill the workspace a search stops."""

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.core.ask import Ask
from kingmaker.core.compiling import entry
from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.workspace import SHORTEST, plies_for
from kingmaker.games.random_tree import RandomTree
from kingmaker.search import ALGORITHMS
from kingmaker.search.parts.machinery import node
from kingmaker.search.parts.switches.transposition_table import Table
from tests.samples import DICE, DICE_DUEL, NOT_BY_DEPTH, TWIN, same, tree_at


class Idle(RandomTree):
    """A random tree in which after every move dice with a single face fall, so many times, and change nothing."""

    State = np.dtype([*RandomTree.State.descr, ("falls", np.int16)], align=True)

    def __init__(self, seats=3, branching=3, height=4, values=100, falls=0):
        super().__init__(seats, branching, height, values=values)
        self.falls = falls
        self.max_outcomes = 1

    def mover(self, state):
        return OVER if state.ply >= self.height else CHANCE if state.falls > 0 else state.seat

    def outcomes(self, state, out, odds):
        out[0], odds[0] = 0, 1.0
        return 1

    def play(self, state, seat, move):
        if seat == CHANCE:
            state.falls -= 1
        else:
            super().play(state, seat, move)
            state.falls = self.falls

    def quiet(self, state):
        return state.path % 3 != 0


class Loud(Idle):
    """The same, and beyond the horizon only two of the moves are looked at."""

    def noisy(self, state, seat, out):
        out[0], out[1] = 0, 2
        return 2

    def forced(self, state):
        return state.path % 5 == 0


STILL, ONCE, THRICE = (Idle(falls=falls) for falls in (0, 1, 3))
STILL_DUEL, THRICE_DUEL = (Idle(seats=2, falls=falls) for falls in (0, 3))
PRUNED = {"alpha_beta", "best_reply", "multi_minimax", "paranoid", "pvs"}  # these know the root seat's entry alone
MODELS = {"om": "type='guess(function=1)'", "prom": "types=[own, 'guess(function=1)'], odds=[0.5, 0.5]"}


def idle(name):
    """The agent's text and the games with and without idle dice that it can play."""
    games = [STILL_DUEL, THRICE_DUEL] if name in ("minimax", "alpha_beta", "pvs") else [STILL, THRICE, ONCE]
    return MODELS.get(name, ""), games


@pytest.mark.parametrize("text", ["maxn(depth=2, quiet=3)", "paranoid(depth=1, quiet=4)", "prom(depth=1, quiet=3)"])
def test_idle_dice_change_nothing_among_noisy_moves_either(text):
    still, rolling, differ = Loud(height=6), Loud(height=6, falls=2), 0
    for seed in range(8):
        expected = load_agent(text).decide(still, still.new(seed), ask=TWIN)
        found = load_agent(text).decide(rolling, rolling.new(seed), ask=TWIN)
        assert (found.move, found.stopped) == (expected.move, expected.stopped)
        assert found.values[0] == pytest.approx(expected.values[0])
        shallow = load_agent(text.partition(", quiet")[0] + ")").decide(still, still.new(seed), ask=TWIN)
        differ += shallow.values != expected.values
    assert differ  # the horizon was passed


@pytest.mark.parametrize("quiet", [0, 2])
@pytest.mark.parametrize("name", sorted(ALGORITHMS.keys() - NOT_BY_DEPTH - {"greedy", "best_reply_plus"}))
def test_dice_that_change_nothing_change_no_value_at_any_depth(name, quiet):
    """BRS+ asks whether the root seat is the very next, so dice in between do mean something to it."""
    more, (still, *rolling) = idle(name)
    for depth in (1, 2, 3, 5):
        agent = load_agent(f"{name}(depth={depth}, quiet={quiet}{', ' if more else ''}{more})")
        for seed in range(3):
            expected = agent.decide(still, still.new(seed), ask=TWIN)
            for game in rolling:
                found = agent.decide(game, game.new(seed), ask=TWIN)
                assert (found.move, found.depth, found.stopped) == (expected.move, expected.depth, expected.stopped)
                seats = [0] if name in PRUNED else range(game.seats)
                for one, other in zip([found, *found.moves], [expected, *expected.moves], strict=True):
                    if one is found or (one.exact and other.exact):
                        assert [one.values[seat] for seat in seats] == pytest.approx(
                            [other.values[seat] for seat in seats]
                        )


def test_the_law_would_notice_dice_that_take_a_ply(monkeypatch):
    monkeypatch.setattr(node.depth_below, "function", lambda game, seat, depth: depth - 1)
    differ = [
        load_agent("maxn(depth=3)").decide(ONCE, ONCE.new(seed), ask=TWIN).values
        != load_agent("maxn(depth=3)").decide(STILL, STILL.new(seed), ask=TWIN).values
        for seed in range(6)
    ]
    assert any(differ)


def test_greedy_looks_at_the_position_before_the_roll():
    """One move of its own, then the estimate, as in a 1-ply search at backgammon."""
    for seed in range(5):
        state = tree_at(DICE, seed, 1)
        found = load_agent("greedy").decide(DICE, state, ask=Ask(compiled=False, record=100))
        assert {int(DICE.mover(DICE.after(state, move))) for move in DICE.legal(state)} == {CHANCE}
        assert len(found.tree.nodes) == 1 + DICE.max_moves
        out = np.zeros(3)
        for each in found.moves:
            with np.errstate(over="ignore"):
                DICE.estimate().value(DICE, DICE.after(state, each.move), out)
            assert each.values == tuple(out)


def test_the_reported_depth_is_in_moves_of_seats():
    """Two moves, dice, a move, dice, and so on: five moves solve a tree of height seven with two rolls in it."""
    game = RandomTree(seats=3, branching=2, height=7, chance=3)
    found = load_agent("maxn(depth=20)").decide(game, game.new(1), ask=TWIN)
    assert (found.depth, found.stopped) == (5, "solved")


def test_games_with_dice_get_room_for_a_roll_before_every_move():
    assert plies_for(SHORTEST - 2) == SHORTEST
    assert plies_for(SHORTEST - 2, dice=True) == 2 * SHORTEST
    assert plies_for(SHORTEST // 2 - 1, dice=True) == SHORTEST
    assert plies_for(120) == 128
    assert plies_for(120, dice=True) == 256


LONG = Idle(height=3, falls=200)  # more falls in a row than the smallest workspace has plies
LONG_DUEL = Idle(seats=2, height=3, falls=200)


@pytest.mark.parametrize("name", sorted(ALGORITHMS.keys() - NOT_BY_DEPTH - {"greedy"}))
def test_dice_that_fill_the_workspace_end_the_line_with_the_estimate(name):
    more, _ = idle(name)
    game = LONG_DUEL if name in ("minimax", "alpha_beta", "pvs") else LONG
    agent = load_agent(f"{name}(depth=2{', ' if more else ''}{more})")
    found = agent.decide(game, game.new(1), ask=Ask(compiled=False, record=10_000))
    assert found.stopped == "depth"  # a deeper search might find more
    assert deepest(found.tree) == SHORTEST - 1
    if name in ("maxn", "paranoid", "minimax", "alpha_beta", "offensive", "mp_mix", "prob_maxn", "pvs"):
        out = np.zeros(game.seats)
        with np.errstate(over="ignore"):
            game.estimate().value(game, game.after(game.new(1), found.move), out)
        assert found.values == pytest.approx(tuple(out))


def deepest(tree):
    """The ply of the lowest recorded node."""
    plies = [0]
    for row in tree.nodes[1:]:
        plies.append(plies[row["parent"]] + 1)
    return max(plies)


class Detour(Game):
    """Two seats move twice each; the one move of each makes a die with one face fall once, the other one often.

    Seat 0 wants the end and seat 1 the estimate. After the short way seat 1 cannot fill the workspace alone, after the
    long way it can; both lead to the same position.
    """

    State = np.dtype([("ply", np.int16), ("falls", np.int16)], align=True)
    facts = Facts(low=0.0, high=100.0, chance=True)
    seats, max_moves, max_outcomes = 2, 2, 1
    often = 25

    def start(self, state, rng):
        return

    def mover(self, state):
        return CHANCE if state.falls > 0 else OVER if state.ply == 4 else state.ply % 2

    def moves(self, state, seat, out):
        out[0], out[1] = 0, 1
        return 2

    def outcomes(self, state, out, odds):
        out[0], odds[0] = 0, 1.0
        return 1

    def play(self, state, seat, move):
        if seat == CHANCE:
            state.falls -= 1
        else:
            state.falls = self.often if move == 1 else 1
            state.ply += 1

    def payoff(self, state, out):
        out[0], out[1] = 60.0, 3.0


@pytest.mark.parametrize("text", ["maxn(depth=5", "paranoid(depth=5", "minimax(depth=5", "max_prob(depth=5"])
def test_a_table_changes_nothing_where_dice_fill_the_workspace(text, monkeypatch):
    """One position is met with little and with much room left; what was found with more room is no answer there."""
    game = Detour()
    assert [each.values[0] for each in load_agent("maxn(depth=5)").decide(game, game.new(), ask=TWIN).moves] == [
        60.0,
        50.0,
    ]
    plain, tabled = (load_agent(f"{text}{more})").decide(game, game.new(), ask=TWIN) for more in ("", ", table=12"))
    assert (tabled.move, tabled.values, tabled.stopped) == (plain.move, plain.values, plain.stopped)
    assert tabled.moves == plain.moves
    monkeypatch.setattr(Table, "way", lambda self, game, ply: np.uint64(0))
    wrong = load_agent(f"{text}, table=13)").decide(game, game.new(), ask=TWIN)
    assert wrong.moves != plain.moves  # the example does tell both apart


@pytest.mark.parametrize("text", ["maxn(depth=5)", "paranoid(depth=5, table=8)"])
def test_machine_code_stops_at_the_last_ply_too(text, monkeypatch):
    """Guarded, it would raise where it wrote one state too far."""
    game = Detour()
    twin = load_agent(text).decide(game, game.new(), ask=TWIN)
    monkeypatch.setattr(entry, "is_guarded", lambda arguments: True)
    machine = load_agent(text).decide(game, game.new(), ask=Ask(compiled=True))
    assert same(machine, twin)
    assert machine.stopped == "depth"


@pytest.mark.parametrize("game", [DICE, DICE_DUEL], ids=str)
def test_a_table_still_answers_in_games_with_dice(game):
    """Two searches that differ by their table alone visit the same tree where no position comes twice."""
    for text in ("maxn(depth=3", "paranoid(depth=3"):
        plain, tabled = (
            load_agent(f"{text}{more})").decide(game, game.new(3), ask=TWIN) for more in ("", ", table=10")
        )
        assert (tabled.move, tabled.values) == (plain.move, plain.values)
