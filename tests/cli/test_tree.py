"""`kingmaker tree`."""

import json
import re

import pytest

STICKS = "sticks(seats=3, sticks=7)"


def nodes(node):
    yield node
    for child in node.get("children", ()):
        yield from nodes(child)


def test_json_holds_the_whole_last_iteration(run):
    ran = run("tree", "sticks(sticks=15)", "maxn(depth=3)")
    document = json.loads(ran.out)
    assert ran.err == ""
    assert document["complete"] is True
    found = list(nodes(document["tree"]))
    assert len(found) == 1 + 3 + 9 + 27
    assert document["tree"]["values"] == document["values"]
    assert [child["move"] for child in document["tree"]["children"]] == ["1", "2", "3"]


def test_the_chosen_line_is_marked_all_the_way_down(run):
    document = json.loads(run("tree", STICKS, "maxn(depth=3)").out)
    node, line = document["tree"], []
    while chosen := [child for child in node.get("children", ()) if child.get("chosen")]:
        (node,) = chosen
        line.append(node["move"])
    assert line == document["line"]


def test_a_tree_that_grew_by_playouts_is_written_down_with_its_visits(run):
    agent = "mcts(playouts=60, tree=8, solver=false)"
    document = json.loads(run("tree", STICKS, agent, "--interpreted").out)
    assert document["tree"]["visits"] == 60
    assert sum(child["visits"] for child in document["tree"]["children"]) == 60
    text = run("tree", STICKS, agent, "--interpreted", "--format", "dot").out
    assert text.count(" visits") == len(list(nodes(document["tree"])))


def test_dot_has_a_colour_a_seat_dashes_where_cut_and_a_bold_line(run):
    document = json.loads(run("tree", STICKS, "paranoid(depth=4)").out)
    text = run("tree", STICKS, "paranoid(depth=4)", "--format", "dot").out
    found = list(nodes(document["tree"]))
    assert text.startswith("digraph tree {")
    assert text.endswith("}\n")
    assert len(re.findall(r"^  n\d+ \[", text, re.MULTILINE)) == len(found)
    assert text.count(" -> ") == len(found) - 1
    assert text.count("dashed") == sum(node.get("cut", False) for node in found) > 0
    assert len(re.findall(r"-> .*penwidth=3", text)) == len(document["line"])
    assert {"#a6cee3", "#fdbf6f", "#b2df8a"} <= set(re.findall(r'fillcolor="(#\w+)"', text))


def test_dot_quotes_what_would_break_it(run, tmp_path):
    file = tmp_path / "written.json"
    file.write_text(json.dumps({"tree": {"moves": {'say "hi"': [1, 0, 0], "back\\slash": [0, 1, 0]}}, "seats": 3}))
    text = run("tree", f"explicit_tree(file='{file}')", "maxn(depth=2)", "--format", "dot").out
    assert r'[label="say \"hi\"", penwidth=3];' in text
    assert r'[label="back\\slash"];' in text


def test_a_depth_limit_says_where_there_is_more(run):
    document = json.loads(run("tree", STICKS, "maxn(depth=3)", "--depth-limit", "1").out)
    assert len(list(nodes(document["tree"]))) == 4
    assert all(child["more"] for child in document["tree"]["children"])
    assert "…" in run("tree", STICKS, "maxn(depth=3)", "--depth-limit", "0", "--format", "dot").out


def test_a_record_that_is_too_small_is_told(run):
    ran = run("tree", STICKS, "maxn(depth=3)", "--most", "10")
    assert json.loads(ran.out)["complete"] is False
    assert len(list(nodes(json.loads(ran.out)["tree"]))) == 10
    assert ran.err == "kingmaker: only the first 10 nodes of the tree were recorded; ask for more with --most\n"


def test_dice_are_diamonds(run):
    text = run("tree", "random_tree(seats=2, chance=2)", "maxn(depth=2)", "--format", "dot").out
    assert "diamond" in text


def test_a_file_is_written_whole_and_can_be_read_by_others(run, tmp_path):
    file = tmp_path / "tree.json"
    ran = run("tree", STICKS, "maxn(depth=2)", "--output", str(file))
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert json.loads(file.read_text())["agent"] == "maxn(depth=2)"
    (tmp_path / "other").write_text("")
    assert file.stat().st_mode == (tmp_path / "other").stat().st_mode
    assert {path.name for path in tmp_path.iterdir()} == {"tree.json", "other"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("sticks", "maxn(depth=0)"), "expected a budget of at least 1 for depth"),
        (("sticks", "random"), "random searches no tree"),
        (("sticks", "maxn(depth=2)", "--moves", "9"), "'9' is no legal move here"),
    ],
)
def test_bad_input_leaves_an_old_file_as_it_was(refused, tmp_path, arguments, sentence):
    file = tmp_path / "tree.json"
    file.write_text("old")
    assert refused("tree", *arguments, "--output", str(file)).startswith(sentence)
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_place_that_cannot_be_written_is_named(refused, tmp_path):
    missing = tmp_path / "nowhere" / "tree.json"
    assert refused("tree", "sticks", "maxn(depth=2)", "--output", str(missing)) == (
        f"there is no folder '{missing.parent}' for the file 'tree.json'"
    )
    assert (
        refused("tree", "sticks", "maxn(depth=2)", "--output", str(tmp_path))
        == f"cannot write the file '{tmp_path}': Is a directory"
    )
    assert list(tmp_path.iterdir()) == []
