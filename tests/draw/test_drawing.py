"""Drawings: every game has one, it is well-formed, stands alone, keeps secrets and has a spot for every move."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from kingmaker import load_game
from kingmaker.core.errors import BadGame, BadParameter, Mismatch
from kingmaker.core.rng import stream
from kingmaker.core.secrets import world_of
from kingmaker.draw.drawing import BOARDS, drawing, spots
from kingmaker.draw.paper import SEATS, SHADES
from kingmaker.games import GAMES
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.sticks import Sticks
from tests.samples import CHANCE, OVER, OWN_GAMES, WRITTEN, any_of

TEXTS = [
    "abalone(rounds=8)",
    "abalone(seats=3, rounds=6)",
    "backgammon",
    "bingo(seats=4)",
    "chess(opening=2)",
    "chinese_checkers(seats=3, radius=2, rounds=8)",
    "go_fish(seats=3, ranks=5)",
    "hearts(ranks=6)",
    "hearts(rules='parlour', ranks=5)",
    "light_bike(seats=4, width=7, height=5)",
    "light_bike(seats=3, width=6, height=6, walls='vanish')",
    "random_tree(chance=2)",
    "random_tree(seats=1, branching=40, height=2)",
    "risk(seats=3, limit=2)",
    "risk(seats=3, map='three_islands', armies=4, limit=3)",
    "risk(seats=2, map='duel', armies=3, limit=2)",
    "series(hearts(ranks=4), hands=2)",
    "spades(bids=True, nil=True, ranks=4)",
    "spades(open=True, ranks=4)",
    "sticks",
    "sticks(sticks=300)",
    f"{OWN_GAMES / 'nim.py'}(seats=4, size=5)",
    f"{OWN_GAMES / 'kuhn.py'}",
]
ALL = [load_game(text) for text in TEXTS] + [WRITTEN]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def name(game):
    return f"{game}".replace(" ", "")[:50]


def walk(game, seed, most=120):
    """The states of a random match, at most so many of them."""
    state, rng = game.new(seed), stream(seed, "drawing")
    with np.errstate(over="ignore"):
        for _ in range(most):
            yield game.copy(state)
            if game.mover(state) == OVER:
                return
            game.play(state, game.mover(state), any_of(game, state, rng))


def spots_in(svg):
    return re.findall(r'data-spot="([^"]*)"', svg)


def test_every_drawing_is_listed_and_belongs_to_a_game():
    """A game without one is drawn as a table of its fields."""
    room = Path(__file__).parents[2] / "src" / "kingmaker" / "draw"
    assert set(BOARDS) <= set(GAMES)
    assert set(BOARDS) == {path.stem for path in room.glob("*.py")} & set(GAMES)
    assert {game.name for game in ALL} >= set(BOARDS)


@pytest.mark.parametrize("game", ALL, ids=name)
def test_a_drawing_is_whole_and_needs_nothing_from_elsewhere(game):
    for state in list(walk(game, 1))[::7]:
        for seat in (None, *range(game.seats)):
            svg = drawing(game, state, seat)
            root = ElementTree.fromstring(svg)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert root.get("role") == "img"
            assert root.get("aria-label")
            assert not re.findall(r"href|url\(|@import|@font-face|<script|<image|nan|inf\b", svg)
            ids = [element.get("id") for element in root.iter() if element.get("id")]
            assert ids == [], "ids of two drawings on one page would collide"


@pytest.mark.parametrize("game", ALL, ids=name)
def test_everything_lies_on_the_paper(game):
    for state in list(walk(game, 2))[::9]:
        root = ElementTree.fromstring(drawing(game, state))
        _, _, width, height = (float(part) for part in root.get("viewBox").split())
        for element in root.iter():
            if element.tag.endswith("}text") or element.tag.endswith("}circle"):
                x = float(element.get("x") or element.get("cx"))
                y = float(element.get("y") or element.get("cy"))
                assert 0 <= x <= width, f"{element.attrib} lies beside {game}"
                assert 0 <= y <= height, f"{element.attrib} lies beside {game}"


@pytest.mark.parametrize("game", [game for game in ALL if game.facts.hidden], ids=name)
def test_a_drawing_for_a_seat_shows_only_what_the_seat_may_know(game):
    """Whatever the seat cannot know is dealt anew, and the drawing stays the same."""
    rng, differed = stream(3, "redeal"), 0
    for state in list(walk(game, 4))[::4]:
        for seat in range(game.seats):
            world = world_of(game, state, seat, rng)
            assert drawing(game, world, seat) == drawing(game, state, seat)
            differed += drawing(game, world) != drawing(game, state)
    assert differed, "the referee's drawing shows what is hidden, so it must differ somewhere"


@pytest.mark.parametrize("game", [game for game in ALL if game.name in BOARDS], ids=name)
def test_the_spots_of_a_move_are_in_the_drawing_and_tell_moves_apart(game):
    """Clicks lead to one move, or to few that differ in what no board shows, such as how many armies move."""
    most = {"chess": 4, "risk": 6, "backgammon": 2}.get(game.name, 1)
    found = 0
    for state in list(walk(game, 5))[::3]:
        seat = int(game.mover(state))
        if seat < 0:
            continue
        drawn = set(spots_in(drawing(game, state, seat)))
        meant = {}
        for move in game.legal(state):
            clicks = spots(game, state, seat, move)
            assert set(clicks) <= drawn, f"{game.say(state, seat, move)} names {clicks}"
            meant.setdefault(clicks, []).append(move)
        found += len(meant) - (() in meant)
        assert all(len(moves) <= most for clicks, moves in meant.items() if clicks)
    assert found


def test_a_spot_that_is_lit_is_a_button_for_those_who_cannot_see():
    game = load_game("chess")
    svg = drawing(game, game.new(), lit={"e2"}, chosen={"d2"})
    (lit,) = re.findall(r'<g class="k-spot k-lit"[^>]*>', svg)
    assert 'role="button"' in lit
    assert 'tabindex="0"' in lit
    assert 'aria-label="e2"' in lit
    assert svg.count('class="k-spot k-chosen"') == 1
    assert svg.count('role="button"') == 1


@pytest.mark.parametrize("game", ALL, ids=name)
def test_classes_cannot_be_taken_for_those_of_the_page_around(game):
    for words in re.findall(r'class="([^"]*)"', drawing(game, game.new(1))):
        assert all(word.startswith("k-") for word in words.split())


def contrast(one, other):
    """The contrast of two colours by the guidelines for web content (WCAG)."""

    def light(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [0, 1], ids=["light", "dark"])
def test_colours_can_be_read(dark):
    paper = SHADES["paper"][1 + dark]
    for ground in ("paper", "cell", "felt", "sea", "board"):
        assert contrast(SHADES["ink"][1 + dark], SHADES[ground][1 + dark]) >= 7
    assert contrast(SHADES["dim"][1 + dark], paper) >= 4.5
    for pair in SEATS:
        assert contrast(SHADES["on"][1 + dark], pair[dark]) >= 4.5
        assert contrast(paper, pair[dark]) >= 3


def test_a_theme_may_be_fixed():
    game = Sticks()
    auto, light, dark = (drawing(game, game.new(), theme=theme) for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme" in auto
    assert "prefers-color-scheme" not in light + dark
    assert SHADES["ink"][1] in light
    assert SHADES["ink"][2] in dark
    with pytest.raises(BadParameter, match="expected the theme auto, light, dark, got 'sepia'"):
        drawing(game, game.new(), theme="sepia")


def test_names_are_written_and_not_taken_for_tags():
    game = ExplicitTree({"moves": {"<b>&": [1, 2, 3], "c": [3, 2, 1]}})
    svg = drawing(game, game.new())
    assert "<b>" not in svg
    assert "&lt;b&gt;&amp;" in svg
    ElementTree.fromstring(svg)


def test_a_large_tree_is_drawn_from_where_the_match_stands():
    wide = [[[(1, 2, 3)] * 6] * 6] * 6
    game = ExplicitTree(wide)
    svg = drawing(game, game.after(game.new(), 2))
    assert "the tree below this node" in svg
    assert svg.count(">1 2 3<") == 36


def test_a_game_of_ones_own_brings_its_own_drawing(tmp_path):
    source = (OWN_GAMES / "nim.py").read_text()
    own = tmp_path / "nim.py"
    own.write_text(source + "\n    def drawing(self, state, seat):\n        return f'<svg>{seat}</svg>'\n")
    game = load_game(str(own))
    assert drawing(game, game.new(), 1) == "<svg>None</svg>"
    own.write_text(source + "\n    def drawing(self, state, seat):\n        return 7\n")
    game = load_game(str(own))
    with pytest.raises(BadGame, match=r"expected Nim\.drawing to return an SVG text, got int"):
        drawing(game, game.new())


def test_a_game_that_is_named_like_one_of_ours_is_not_drawn_as_ours(tmp_path):
    own = tmp_path / "chess.py"
    own.write_text((OWN_GAMES / "nim.py").read_text().replace("class Nim", "class Chess"))
    game = load_game(str(own))
    assert game.name == "chess"
    assert ">heaps<" in drawing(game, game.new())


def test_a_hidden_game_without_pictures_shows_a_seat_nothing(tmp_path):
    source = (OWN_GAMES / "kuhn.py").read_text()
    assert "def show" not in source or "def show(self, state, seat" in source
    own = tmp_path / "kuhn.py"
    own.write_text(re.sub(r"def (show|notation)\(", r"def other_\1(", source))
    game = load_game(str(own))
    assert "this game has no picture for a seat" in drawing(game, game.new(), 0)


def test_another_games_state_and_a_seat_that_is_not_there_are_refused():
    with pytest.raises(Mismatch, match="expected a state of sticks"):
        drawing(Sticks(), load_game("chess").new())
    with pytest.raises(BadParameter, match="expected a seat from 0 to 2, got 3"):
        drawing(Sticks(), Sticks().new(), 3)


def test_notebooks_show_drawings_and_tables():
    from kingmaker import load_agent
    from kingmaker.arena.table.match import play_match
    from kingmaker.arena.table.table import Table
    from kingmaker.core.guard import interpret
    from kingmaker.draw.words import root_table, strip

    game = Sticks(seats=2, sticks=5)
    interpret(game)
    agent = load_agent("paranoid(depth=4)")
    decision = agent.decide(game, game.new())
    assert drawing(game, game.new())._repr_svg_() == drawing(game, game.new())
    assert Table(game, [agent] * 2)._repr_svg_() == drawing(game, game.new())
    numbers = decision._repr_html_()
    assert f"plays {decision.move}: depth 4" in numbers
    assert numbers.count("<tr") == 1 + len(decision.moves)
    words = root_table(game, game.new(), decision)
    assert words.count("<tr") == 1 + len(decision.moves)
    assert words.index("font-weight:bold") < words.index(f"<td>{decision.move}</td>")
    assert "<td>≤ " in words or all(each.exact for each in decision.moves)
    assert "and 2 more" in root_table(game, game.new(), decision, most=1)
    match = play_match(game, [agent] * 2)
    assert f"{len(match.turns)} turns" in match._repr_html_()
    pictures = strip(game, match.turns, game.new(), boards=3)
    assert pictures._repr_html_().count("<svg ") == min(3, len(match.turns) + 1)
    assert "the end" in pictures


def test_chance_nodes_are_drawn_as_such():
    game = load_game("random_tree(chance=1)")
    assert game.mover(game.new()) == CHANCE
    assert "the dice are next" in drawing(game, game.new())


def test_the_room_imports_nothing_but_the_standard_library_and_numpy():
    room = Path(__file__).parents[2] / "src" / "kingmaker" / "draw"
    allowed = {"kingmaker", "numpy", "math", "re", "html", "functools", "typing", "collections", "dataclasses", "types"}
    for path in room.glob("*.py"):
        for found in re.findall(r"^\s*(?:from|import) (\w+)", path.read_text(), re.MULTILINE):
            assert found in allowed | {"importlib"}, f"{path.name} imports {found}"
