"""A recorded tree as the page shows it: ready examples, bounds of cuts, ties, odds, and what can be saved."""

import json
from functools import lru_cache
from xml.etree import ElementTree

import pytest

from kingmaker.core.errors import KingmakerError
from kingmaker.core.guard import interpret
from kingmaker.web.caps import Known
from kingmaker.web.grown import CUT, LINE, TIED, Grown, grown
from kingmaker.web.tree import EXAMPLES


class Interpreted(Known):
    """The same games, not compiled."""

    def game(self, text):
        game = super().game(text)
        interpret(game)
        return game


def grow(game, agent, seed=0):
    rules = Interpreted().game(game)
    return grown(Interpreted(), game, agent, rules.notation(rules.new(seed)) if seed else "", lambda _: True)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_ready_examples_grow(name):
    game, agent = EXAMPLES[name]
    found = grow(game.replace("height=6", "height=3"), agent)
    assert len(found.tree) > 4
    assert len(json.loads(found.document())["children"]) > 1
    rows = found.unfold()
    assert len(rows) == len(found.tree)
    ElementTree.fromstring(found.svg())
    json.dumps(rows, allow_nan=False)


def window_of(found, row, alpha, beta, bounds):
    """Alpha-beta over the recorded rows: the value of a row, and the bound that ended each row that was cut. A root
    move that the game lists before the one that was tried first is taken if it is as good, so its window is wider.
    """
    read, me, moves = found.reading, found.reading.me, found.tree.nodes["move"]
    children = found.below.get(row, [])
    if not children:
        return read.values[row][me]
    mine, best, dice = read.makers[children[0]] == me, None, read.movers[row] < 0
    for child in children:
        if dice:
            window_of(found, child, float("-inf"), float("inf"), bounds)
            continue
        equals = row == 0 and read.settings["order"] != "shuffled" and moves[child] < moves[children[0]]
        value = window_of(found, child, alpha - 1e-6 * equals, beta, bounds)
        best = value if best is None else (max if mine else min)(best, value)
        if mine:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            bounds[row] = beta if mine else alpha
            break
    return read.values[row][me] if dice else best


TWO = "random_tree(seats=2, kind=constant_sum, branching=3, height=5, values=6)"
THREE = "random_tree(seats=3, branching=3, height=4, values=9)"
DICE = "random_tree(seats=2, kind=constant_sum, branching=3, height=6, values=6, chance=3)"
BIKES = "light_bike(seats=3, width=4, height=4, starts='distinct')"
ORDERED = [
    *((TWO, f"alpha_beta(depth=5, order={order})") for order in ("given", "killer")),
    *((THREE, f"paranoid(depth=4{order})") for order in ("", ", order=given", ", order=shuffled", ", order=history")),
    *((DICE, f"alpha_beta(depth=4{order})") for order in ("", ", order=shuffled")),
    *((BIKES, f"best_reply(depth=4{order})") for order in ("", ", order=shuffled")),
    (THREE, "best_reply_plus(depth=4)"),
]


@pytest.mark.parametrize(("game", "agent"), ORDERED)
def test_the_bound_that_cut_a_node_is_the_one_of_alpha_beta_in_every_order(game, agent):
    found = grow(game, agent, 2)
    bounds = {}
    window_of(found, 0, float("-inf"), float("inf"), bounds)
    told = {row: sign for row, *_, flags, _, sign in found.unfold() if flags & CUT}
    assert len(told) > 2
    for row, sign in told.items():
        side = "≥" if found.reading.mine(row) else "≤"
        assert sign == f"{side} {bounds[row]:.4g}"
        assert "already, and" in found.reading.bound(row)[1]


@lru_cache(maxsize=64)
def whole_of(game, agent, seed):
    """The same search without pruning: its values by the way to each row, and how many rows lie below it."""
    found = grow(game, agent, seed)
    return {way: (found.reading.values[row], len(found.below.get(row, ()))) for row, way in ways(found).items()}


def ways(found):
    """For every row the moves that lead to it, with who made them; of two rows with the same way the first."""
    known = {0: ()}
    for row in range(1, len(found.tree)):
        step = (found.reading.makers[row], int(found.tree.nodes[row]["move"]))
        known[row] = (*known[found.parents[row]], step)
    return known


PRUNED = [
    (TWO, "alpha_beta(depth=5)", "minimax(depth=5)"),
    (TWO, "pvs(depth=5)", "minimax(depth=5)"),
    (TWO, "pvs(depth=5, aspiration=1)", "minimax(depth=5)"),
    *((THREE, f"paranoid(depth=4, order={order})", "paranoid(depth=4, prune=false)") for order in ("killer", "given")),
    *((DICE, f"{name}(depth=4, star={star})", "minimax(depth=4)") for name in ("alpha_beta", "pvs") for star in (0, 1)),
    (BIKES, "best_reply(depth=3)", "best_reply(depth=3, prune=false)"),
    (BIKES, "multi_minimax(depth=3)", "multi_minimax(depth=3, prune=false)"),
    (BIKES, "multi_minimax(depth=4, rule=last)", "multi_minimax(depth=4, prune=false)"),
    (TWO, "om(depth=4)", "om(depth=4, prune=false)"),
]


@pytest.mark.parametrize(("game", "agent", "whole"), PRUNED)
def test_what_is_told_of_a_cut_is_true_of_the_whole_tree(game, agent, whole):
    """A row is told to be cut if and only if it has fewer children than in the whole tree, and its value there is on
    the told side of the bound.
    """
    cuts = 0
    for seed in (1, 2, 3):
        found, exact = grow(game, agent, seed), whole_of(game, whole, seed)
        for row, way in ways(found).items():
            values, count = exact[way]
            tried = len(found.below.get(row, ()))
            assert found.is_cut(row) == (tried < count), f"row {row} has {tried} of {count} children"
            if found.is_cut(row):
                assert is_true(found, row, values)
                cuts += 1
    assert cuts > 4


def is_true(found, row, values):
    """Is what is told of a cut true, if these are the values of the row?"""
    sign, reason = found.reading.bound(row)
    side, bound = sign.split()
    beyond = values[found.reading.me] - float(bound)
    assert bound in reason
    return {"≥": beyond >= -1e-3, "≤": beyond <= 1e-3, ">": beyond > -1e-3, "=": True}[side]


@pytest.mark.parametrize("name", ["alpha_beta", "paranoid", "pvs"])
def test_what_is_told_of_a_cut_by_star2_is_true_and_told_as_such(name):
    """What was only probed is not recorded, so rows may have fewer children than in the whole tree."""
    reasons = []
    for seed in (1, 2, 3):
        found, exact = grow(DICE, f"{name}(depth=4, star=2)", seed), whole_of(DICE, "minimax(depth=4)", seed)
        for row, way in ways(found).items():
            if found.is_cut(row):
                assert is_true(found, row, exact[way][0])
                reasons.append(found.reading.bound(row)[1])
    assert sum("end of the window that Star2 leaves below the dice" in each for each in reasons) > 2
    assert sum("already, and" in each for each in reasons) > 2


def test_cuts_by_several_types_of_opponents_are_told_in_words():
    found = grow(TWO, "prom(types=[own, 'paranoid:own'], depth=4)", 2)
    cut = [each for each in found.unfold() if each[5] & CUT]
    assert cut
    for row, *_, sign in cut:
        assert sign == ""
        told = "its later moves were cut: every type that the opponent may be has a move that is worse for seat"
        assert told in found.about(row)


@pytest.mark.parametrize("prune", ["shallow", "shallow+last_branch", "immediate+shallow"])
def test_what_is_told_of_a_cut_of_maxn_is_what_the_movers_held(prune):
    """With the moves in the game's own order, each told number is the best of the earlier moves in the whole tree."""
    game = "random_tree(seats=3, kind=constant_sum, branching=3, height=5, values=6)"
    told = 0
    for seed in (1, 2):
        found, exact = grow(game, f"maxn(depth=5, prune={prune})", seed), whole_of(game, "maxn(depth=5)", seed)
        way, read = ways(found), found.reading
        for row in range(len(found.tree)):
            if not found.is_cut(row):
                continue
            sign, reason = read.bound(row)
            assert sign, reason
            told += 1
            numbers = [float(each) for each in sign.partition("≥")[0].strip("= ").split(" + ")]
            at, child = row, None
            for number in numbers:
                earlier = [each for each in found.below[at] if child is None or each < child]
                assert max(exact[way[each]][0][read.movers[at]] for each in earlier) == pytest.approx(number, rel=1e-3)
                at, child = found.parents[at], at
    assert told > 4


def test_a_sum_that_cut_a_node_of_maxn_is_told():
    """Seat 1 holds 6 of 10 where seat 0 already has 5."""
    found = grow("explicit_tree(tree=[[[5, 3, 2], [5, 2, 3]], [[2, 6, 2], [1, 2, 7]]])", "maxn(depth=2, prune=shallow)")
    ((row, *_, sign),) = [each for each in found.unfold() if each[5] & CUT]
    assert sign == "6 + 5 ≥ 10"
    assert "seats 1 and 0 hold 6 + 5 already, and all together get at most 10" in found.about(row)
    assert "✂ 6 + 5 ≥ 10" in found.svg()


def test_the_most_that_there_is_cuts_a_node_of_maxn():
    found = grow("sticks(seats=3, sticks=7)", "maxn(depth=6, prune=immediate)")
    signs = {each[7] for each in found.unfold() if each[5] & CUT}
    assert signs == {"= 1"}


def test_a_node_that_crossed_its_bound_with_its_last_move_is_not_cut():
    """In the last branch 14 and 5 are no bound yet; 2 is one, but no move is left."""
    found = grow("explicit_tree(tree=[[3, 12, 8], [2, 4, 6], [14, 5, 2]], seats=2)", "alpha_beta(depth=2)")
    cut = {found.word(each[0]): each[7] for each in found.unfold() if each[5] & CUT}
    assert cut == {"1": "≤ 3"}


def test_a_cut_by_speculation_is_told_without_numbers_that_were_not_held():
    game = "random_tree(seats=3, kind=constant_sum, branching=3, height=5, values=6)"
    found = grow(game, "maxn(depth=5, prune=shallow+speculative)", 1)
    cut = [each for each in found.unfold() if each[5] & CUT]
    assert cut
    for row, *_, sign in cut:
        assert sign == ""
        assert "here, and with what the seats above hold that is all that there is" in found.about(row)


def test_ties_are_the_moves_that_are_equally_good_for_the_mover():
    found = grow("random_tree(seats=3, branching=3, height=4, values=3)", "maxn(depth=4, prune='none')")
    rows = {each[0]: each for each in found.unfold()}
    for row, below in found.below.items():
        seat = rows[row][2]
        best = max(rows[child][4][seat] for child in below)
        equal = [child for child in below if rows[child][4][seat] == best]
        assert [child for child in below if rows[child][5] & TIED] == (equal if len(equal) > 1 else [])
    assert sum(bool(each[5] & TIED) for each in rows.values()) > 4


def test_a_tie_is_only_told_where_values_are_exact():
    """The second branch is cut at 3, so that its 3 is a bound and no value."""
    found = grow("explicit_tree(tree=[[3, 4, 5], [3, 0, 1]], seats=2)", "alpha_beta(depth=2)")
    assert [each[7] for each in found.unfold() if each[5] & CUT] == ["≤ 3"]
    assert found.reading.ties(0) == []


def test_odds_visits_and_the_expected_line_are_told():
    game, agent = EXAMPLES["dice"]
    found = grow(game, agent)
    words = [each[3] for each in found.unfold()]
    assert "0: 50 %" in words
    assert "2: 25 %" in words
    assert [found.word(row) for row in found.line] == ["", "stay"]
    found = grow("sticks(seats=3, sticks=9)", "mcts(playouts=50)")
    visits = int(found.tree.nodes[0]["visits"])
    assert visits > 20
    assert found.unfold()[0][6] == visits
    assert f"{visits} of {visits} visits" in found.about(0)
    assert f" · {visits}×" in found.svg()
    assert found.graph().startswith("digraph tree {")
    assert f"{visits} visits" in found.graph()
    assert [row for row, *_, flags, _, _ in found.unfold() if flags & LINE] == sorted(found.line)


def test_not_too_much_is_opened_at_once(monkeypatch):
    found = grow("sticks(seats=3, sticks=9)", "maxn(depth=4)")
    monkeypatch.setitem(Grown.unfold.__globals__, "DRAWN", 10)
    assert len(found.unfold()) <= 10
    assert len(found.shown()) <= 10
    assert found.deeper() == []


def test_a_search_without_a_tree_is_refused():
    with pytest.raises(KingmakerError, match="random searches no tree that could be recorded; use maxn or paranoid"):
        grow("sticks", "random")
