"""`kingmaker draw`."""

from xml.etree import ElementTree

from kingmaker import load_game
from kingmaker.draw.drawing import drawing


def test_a_position_is_written_as_a_file(run, tmp_path):
    target = tmp_path / "board.svg"
    ran = run("draw", "sticks", "--position", "left=4 seat=1 winner=0", "-o", str(target), "--theme", "dark")
    game = load_game("sticks")
    assert ran.code == 0
    assert f"a position of sticks is drawn in {target}" in ran.out
    assert target.read_text() == drawing(game, game.position("left=4 seat=1 winner=0"), theme="dark") + "\n"


def test_without_a_file_the_picture_is_printed_as_it_is(run):
    ran = run("draw", "hearts(ranks=5)", "--seat", "2", "--seed", "3")
    game = load_game("hearts(ranks=5)")
    assert ran.out == drawing(game, game.new(3), 2) + "\n"
    assert ran.out != drawing(game, game.new(3)) + "\n"
    ElementTree.fromstring(ran.out)


def test_moves_are_played_first(run):
    game = load_game("chess")
    after = game.after(game.new(), game.parse(game.new(), 0, "e4"))
    assert run("draw", "chess", "--moves", "e4").out == drawing(game, after) + "\n"


def test_what_cannot_be_drawn_is_refused(run, tmp_path):
    ran = run("draw", "sticks", "--seat", "3")
    assert (ran.code, ran.err) == (2, "kingmaker: expected a seat from 0 to 2 to draw for, got --seat 3\n")
    ran = run("draw", "sticks", "-o", str(tmp_path / "nowhere" / "board.svg"))
    assert "there is no folder" in ran.err
    assert "for the picture 'board.svg'" in ran.err
