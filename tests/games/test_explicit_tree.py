"""Trees that are written down."""

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove, UnknownName
from kingmaker.games.explicit_tree import ExplicitTree

NAMED = {"moves": {"a": [(5, 3, 2), (7, 2, 1)], "b": {"seat": 2, "moves": [(3, 5, 2), (6, 4, 0)]}}}


def test_lists_are_nodes_and_the_seats_take_turns():
    game = ExplicitTree([[[(1, 2, 3)], (0, 0, 0)], (4, 5, 6)])
    state = game.new()
    assert game.seats == 3
    assert [game.mover(state), game.mover(game.after(state, 0)), game.mover(game.after(state, 0, 0))] == [0, 1, 2]
    assert game.payoffs(game.after(state, 0, 0, 0)) == (1.0, 2.0, 3.0)
    assert game.payoffs(game.after(state, 1)) == (4.0, 5.0, 6.0)


def test_one_number_stands_for_two_seats():
    game = ExplicitTree([[3, -2], 1])
    assert game.seats == 2
    assert game.payoffs(game.after(game.new(), 0, 1)) == (-2.0, 2.0)
    assert game.facts.constant_sum
    assert (game.facts.low, game.facts.high, game.facts.total) == (-3.0, 3.0, 0.0)


def test_two_seats_pay_in_tuples_or_dictionaries():
    game = ExplicitTree([(3, 1), {"payoff": [2, 2]}], seats=2)
    assert [game.payoffs(game.after(game.new(), move)) for move in (0, 1)] == [(3.0, 1.0), (2.0, 2.0)]


def test_moves_have_names_and_nodes_say_who_moves():
    game = ExplicitTree(NAMED, seats=3)
    state = game.after(game.new(), 1)
    assert [game.say(game.new(), 0, move) for move in (0, 1)] == ["a", "b"]
    assert game.parse(game.new(), 0, "B") == 1
    assert game.mover(state) == 2
    assert game.notation(game.after(state, 1)) == "/b/1"
    assert game.notation(game.new()) == "/"
    assert game.position("/b/1") == game.after(state, 1)
    assert hash(game.position("/b/1")) == hash(game.after(state, 1))
    assert game.position("/") == game.new()


def test_after_the_dice_the_turn_goes_on_where_it_was():
    game = ExplicitTree([{"odds": [0.25, 0.75], "moves": [[(1, 0), (0, 1)], [(2, 0)]]}], seats=2)
    rolled = game.after(game.new(), 0)
    assert game.mover(rolled) == -1
    assert game.chances(rolled) == [(0, 0.25), (1, 0.75)]
    assert game.mover(game.after(rolled, 0)) == 1
    assert game.facts.chance
    assert game.max_outcomes == 2


def test_a_file_is_a_tree(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(json.dumps({"seats": 3, "tree": [[[1, 2, 3], [3, 2, 1]], [0, 0, 9]]}))
    game = load_game(f"explicit_tree(file='{path}')")
    assert game.seats == 3
    assert load_agent("maxn(depth=3)").decide(game, game.new()).values == (1.0, 2.0, 3.0)
    path.write_text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    duel = load_game(f"explicit_tree(file='{path}', seats=2)")
    assert load_agent("minimax(depth=3)").decide(duel, duel.new()).values == (3.0, -3.0)


def test_estimates_may_have_names_and_leaves_may_be_valued_by_them():
    tree = {
        "moves": [{"moves": [{"payoff": [1, 2], "estimate": {"odd": [7, 8]}}], "estimate": {"": [3, 4], "odd": [5, 6]}}]
    }
    game, out = ExplicitTree(tree, seats=2), np.zeros(2)
    node = game.after(game.new(), 0)
    for text, guess, final in (("", (3, 4), (1, 2)), ("written(function='odd')", (5, 6), (7, 8))):
        estimate = game.estimate(text)
        estimate.value(game, node, out)
        assert tuple(out) == guess
        estimate.final(game, game.after(node, 0), out)
        assert tuple(out) == final
    game.estimate().value(game, game.new(), out)
    assert tuple(out) == (1.5, 1.5)  # nothing is written: an equal share of the highest sum


def test_estimates_that_leave_the_bounds_say_so():
    inside = ExplicitTree([{"moves": [(1, 2, 3)], "estimate": [2, 2, 2]}, (3, 2, 1)], seats=3)
    above = ExplicitTree([{"moves": [(1, 2, 3)], "estimate": [9, 9, 9]}, (3, 2, 1)], seats=3)
    assert (inside.estimate().within_bounds, inside.estimate().within_total) == (True, True)
    assert (above.estimate().within_bounds, above.estimate().within_total) == (False, False)


def test_intervals_are_written_or_as_wide_as_the_game():
    game = ExplicitTree([{"moves": [(0, 5)], "interval": [[4, 6], [3, 5]]}, (8, 1)], seats=2)
    low, high = np.zeros(2), np.zeros(2)
    game.estimate().interval(game, game.after(game.new(), 0), low, high)
    assert (tuple(low), tuple(high)) == ((4, 3), (6, 5))
    game.estimate().interval(game, game.new(), low, high)
    assert (tuple(low), tuple(high)) == ((0, 0), (8, 8))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, r"expected a tree or a file, got neither; write explicit_tree\(file='tree.json'\)"),
        (
            {"tree": ["x"], "seats": 3},
            "expected a leaf of 3 numbers, a list of nodes or a dictionary with moves, seat, .* at 0, got 'x'",
        ),
        ({"tree": [{"mvoes": []}], "seats": 3}, "a list of nodes or a dictionary with"),
        ({"tree": {"seat": 5, "moves": [(1, 2)]}, "seats": 2}, "expected a seat from 0 to 1 at the root, got 5"),
        (
            {"tree": {"odds": [0.5], "moves": [1, 2]}, "seats": 2},
            r"expected 2 probabilities with sum 1 at the root, got \[0.5\]; give every outcome one and divide each by",
        ),
        ({"tree": {"odds": [0.5, 0.6], "moves": [1, 2]}, "seats": 2}, "expected 2 probabilities with sum 1"),
        ({"tree": [{"seat": 0}], "seats": 2}, "the node at 0 has neither moves nor a payoff"),
        ({"tree": [{"payoff": [1, 2, 3]}], "seats": 2}, r"expected 2 numbers at 0, got \[1, 2, 3\]"),
        (
            {"tree": [{"moves": [1], "interval": [[1, 2]]}], "seats": 2},
            "expected a low and a high end for each of 2 seats at 0",
        ),
        ({"tree": [{"moves": [1], "interval": [[2, 1], [0, 1]]}], "seats": 2}, "expected a low and a high end"),
        ({"tree": "x"}, "cannot tell the number of seats from 'x'; give seats=…"),
        (
            {"tree": "x", "seats": 2},
            "expected a leaf of 2 numbers, a list of nodes or a dictionary .* at the root, got 'x'",
        ),
        ({"tree": ["xy", ["z"]]}, "cannot tell the number of seats from"),
        ({"tree": {"moves": 3}, "seats": 2}, "a list of nodes or a dictionary with"),
        ({"tree": {"moves": {"a": 1, "": 2}}}, "expected a name of printed letters .* for a move at the root, got ''"),
        (
            {"tree": {"moves": {1: 2}}},
            "expected a name of printed letters without space at its ends for a move at the root, got 1",
        ),
        ({"tree": {"moves": {" a": 2}}}, "expected a name of printed letters"),
        ({"tree": {"moves": {"a\nb": 2}}}, "expected a name of printed letters"),
        ({"tree": {"seat": True, "moves": [1]}}, "expected a seat from 0 to 1 at the root, got True"),
        ({"tree": {"odds": 3, "moves": [1, 2]}}, "expected 2 probabilities with sum 1 at the root, got 3"),
        ({"tree": {"odds": [float("nan"), 1], "moves": [1, 2]}}, "expected 2 probabilities with sum 1 at the root"),
        ({"tree": {"odds": [], "payoff": 1}}, "expected 0 probabilities with sum 1 at the root"),
        ({"tree": [(1, float("nan"), 2)], "seats": 3}, "expected a leaf of 3 numbers"),
        ({"tree": [(1, float("inf"), 2)], "seats": 3}, "expected a leaf of 3 numbers"),
        ({"tree": [{"payoff": [1, 10**400]}], "seats": 2}, "expected 2 numbers at 0, got"),
        ({"tree": [{"payoff": [1, True]}], "seats": 2}, "expected 2 numbers at 0, got"),
        ({"tree": [{"moves": [1], "interval": 3}], "seats": 2}, "expected a low and a high end"),
        ({"tree": [{"moves": [1], "interval": [[1, "x"], [0, 1]]}], "seats": 2}, "expected a low and a high end"),
        ({"tree": {"tree": [1], "seats": "two"}}, "expected a whole number for seats beside the tree, got 'two'"),
        ({"tree": [1, 2], "seats": -1}, "expected 1 to 16 seats, got -1"),
        ({"tree": [1, 2], "seats": 17}, "expected 1 to 16 seats, got 17"),
        ({"tree": []}, r"cannot tell the number of seats from \[\]; give seats=…"),
        ({"file": "nowhere.json"}, "there is no file 'nowhere.json'"),
    ],
)
def test_nonsense_is_refused(arguments, sentence):
    with pytest.raises(BadParameter, match=sentence):
        ExplicitTree(**arguments)


def nested(deep):
    tree = (1, 2, 3)
    for _ in range(deep):
        tree = [tree]
    return tree


def test_a_tree_without_end_is_refused():
    with pytest.raises(
        BadParameter, match="the tree is nested deeper than Python can follow; expected a few hundred plies at most"
    ):
        ExplicitTree(nested(100_000), seats=3)
    assert ExplicitTree(nested(200), seats=3).max_moves == 1


@pytest.mark.parametrize(
    "tree", [[5, 3], [[5, 3], [1, 2]], [[5, 3], (1, 2)], {"moves": {"a": [5, 3], "b": {"payoff": [1, 2]}}}]
)
def test_two_numbers_that_may_be_a_leaf_or_a_node_are_refused(tree):
    with pytest.raises(
        BadParameter,
        match=r"\[5, 3\] at .* may be a leaf or a node with two leaves; "
        r'write \{"payoff": \[5, 3\]\} for a leaf, \{"moves": \[5, 3\]\} for a node',
    ):
        ExplicitTree(tree, seats=2)


def test_two_numbers_are_two_leaves_where_all_leaves_are_single_numbers():
    game = ExplicitTree([[5, 3], [1, 2, 4]])
    assert game.payoffs(game.after(game.new(), 0, 1)) == (3.0, -3.0)
    assert ExplicitTree({"moves": [5, 3]}, seats=2).max_moves == 2
    assert game.payoffs(game.after(game.new(), 1, 2)) == (4.0, -4.0)


def test_unknown_words_beside_a_tree_are_refused():
    with pytest.raises(UnknownName, match=r"unknown key 'seets' in the tree; did you mean seats"):
        ExplicitTree({"tree": [1, 2], "seets": 3})


@given(names=st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=5, unique=True))
@example(names=["A", "a"])
@example(names=["a/b", "a", "b", "~1", "~0", "/"])
def test_names_are_read_back_or_refused(names):
    try:
        game = ExplicitTree({"moves": {name: {"moves": {name: (1, 2, 3)}} for name in names}}, seats=3)
    except BadParameter:
        assert any(not name.isprintable() or name != name.strip() for name in names)
        return
    state = game.new()
    for move, name in enumerate(names):
        assert game.parse(state, 0, game.say(state, 0, move)) == move
        there = game.after(state, move, 0)
        assert game.position(game.notation(there)) == there
        assert game.say(state, 0, move) == name


def test_a_name_in_other_letters_must_be_clear():
    game = ExplicitTree({"moves": {"Ab": (1, 2, 3), "aB": (3, 2, 1), "c": (0, 0, 0)}}, seats=3)
    assert [game.parse(game.new(), 0, text) for text in ("Ab", "aB", "C")] == [0, 1, 2]
    with pytest.raises(IllegalMove, match="'ab' may be Ab or aB; write the move in the same letters"):
        game.parse(game.new(), 0, "ab")


def test_files_that_cannot_be_read_are_refused(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text("[1,\n oops]")
    with pytest.raises(BadParameter, match=r"bad.json' is no JSON: .* in line 2"):
        ExplicitTree(file=str(bad))
    bad.write_text('"x"')
    with pytest.raises(BadParameter, match="cannot tell the number of seats from 'x'; give seats=…"):
        ExplicitTree(file=str(bad))
    bad.write_text('{"moves": {"a": 1, "a": 2}}')
    with pytest.raises(
        BadParameter, match="expected each name once in an object of a tree, got 'a' again; rename one of them"
    ):
        ExplicitTree(file=str(bad))
    bad.write_text("[" + "9" * 5000 + "]")
    with pytest.raises(BadParameter, match=r"cannot read '.*bad.json': Exceeds the limit"):
        ExplicitTree(file=str(bad))
    bad.write_text("[" * 100_000)
    with pytest.raises(BadParameter, match="the tree is nested deeper than Python can follow"):
        ExplicitTree(file=str(bad))
    with pytest.raises(BadParameter, match=r"cannot read '.*': "):
        ExplicitTree(file=str(tmp_path))
    bad.write_bytes(b"\xff\xfe\x80")
    with pytest.raises(BadParameter, match=r"cannot read '.*bad.json': "):
        ExplicitTree(file=str(bad))


def test_wrong_names_are_refused():
    game = ExplicitTree({"moves": [{"moves": [(1, 2)], "estimate": {"odd": [5, 6]}}]}, seats=2)
    with pytest.raises(UnknownName, match=r"unknown estimate function 'od' in .*; did you mean odd"):
        game.estimate("written(function='od')")
    with pytest.raises(UnknownName, match="unknown estimate 'writen'"):
        game.estimate("writen")
    with pytest.raises(BadPosition, match="'x' is no move at / of explicit_tree"):
        game.position("/x")


def test_the_widest_edge_is_the_widest_that_is_written():
    tree = {
        "moves": [
            {"moves": [(1, 2), (2, 1)], "estimate": {"": [3, 5], "odd": [0, 9]}},
            {"payoff": [0, 8], "estimate": [0, 8]},
        ],
        "estimate": [1, 2],
    }
    game = ExplicitTree(tree, seats=2)
    assert game.estimate().widest_edge(game) == 2
    assert game.estimate("written(function='odd')").widest_edge(game) == 9
    bare = ExplicitTree([(1, 2, 3), (3, 2, 1)])
    assert bare.estimate().widest_edge(bare) == 0
