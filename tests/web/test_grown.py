"""A recorded tree as the page shows it: ready examples, bounds of cuts, ties, odds, and what can be saved."""

import json
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
    """Alpha-beta over the recorded rows: the value of a row, and the bound that ended each row that was cut."""
    read, me = found.reading, found.reading.me
    children = found.below.get(row, [])
    if not children:
        return read.values[row][me]
    mine, best = read.movers[row] == me, None
    for child in children:
        value = window_of(found, child, alpha, beta, bounds)
        best = value if best is None else (max if mine else min)(best, value)
        if mine:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            bounds[row] = beta if mine else alpha
            break
    return best


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_bound_that_cut_a_node_is_the_one_of_alpha_beta(seed):
    found = grow(
        "random_tree(seats=2, kind=constant_sum, branching=3, height=5, values=6)",
        "paranoid(depth=5, order=given)",
        seed,
    )
    bounds = {}
    window_of(found, 0, float("-inf"), float("inf"), bounds)
    told = {row: sign for row, *_, flags, _, sign in found.unfold() if flags & CUT}
    assert told
    for row, sign in told.items():
        side = "≥" if found.reading.movers[row] == 0 else "≤"
        assert sign == f"{side} {bounds[row]:.4g}"
        assert f"{bounds[row]:.4g}" in found.reading.bound(row)[1]


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
