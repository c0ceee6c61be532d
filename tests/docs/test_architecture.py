"""The page about the architecture tells the truth: the picture is that of the imports, and the walks can be walked."""

import ast
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.contract.test_house import FLOORS, MAY_IMPORT

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ROOT / "src" / "kingmaker"
PAGE = (ROOT / "docs" / "architecture.md").read_text()
PICTURE = ROOT / "docs" / "architecture.svg"
DRAWN = runpy.run_path(str(ROOT / "docs" / "draw_rooms.py"))


def test_the_picture_is_that_of_the_imports():
    assert PICTURE.read_text() == DRAWN["drawing"](), (
        "docs/architecture.svg no longer shows what imports what; run make docs"
    )


def test_every_room_and_every_arrow_of_the_picture_can_be_read():
    """Names and numbers stand in the picture as text, and it needs nothing from elsewhere."""
    root = ElementTree.fromstring(PICTURE.read_text())
    told = [text for element in root.iter() if (text := (element.text or "").strip())]
    for room in DRAWN["ROOMS"]:
        for each in (room, *room.floors):
            assert each.name in told
            assert each.holds in told
    for (source, target), count in DRAWN["between_rooms"](HOUSE).items():
        assert f"{source} imports {target}: {count}" in told
    assert not re.findall(r"href|url\(|@import|@font-face", PICTURE.read_text())


def test_rooms_stand_in_an_order_in_which_all_they_may_import_is_below_them():
    order = [room.name for room in DRAWN["ROOMS"]]
    for room, allowed in MAY_IMPORT.items():
        for other in allowed - {room}:
            if room in order and other in order:
                assert order.index(room) < order.index(other), f"{room} may import {other}; move it up in ROOMS"
    for room in DRAWN["ROOMS"]:
        assert tuple(floor.name for floor in reversed(room.floors)) == FLOORS.get(room.name, ())


def small_house(folder, files):
    for name, text in files.items():
        path = folder / "kingmaker" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "kingmaker"


def test_late_imports_are_counted_and_a_file_counts_once(tmp_path):
    house = small_house(
        tmp_path,
        {
            "__init__.py": "",
            "core/__init__.py": "",
            "core/game.py": "",
            "games/__init__.py": "",
            "games/go.py": "from kingmaker.core.game import Game, OVER\nimport kingmaker.core.game\n",
            "games/chess.py": "def late():\n    from kingmaker import core\n    from kingmaker.core import game\n",
            "search/__init__.py": "import numpy\nfrom kingmaker import __version__\n",
        },
    )
    assert DRAWN["between_rooms"](house) == {("games", "core"): 3}
    assert DRAWN["file_counts"](house) == {("core", ""): 1, ("games", ""): 2}


def test_a_room_without_a_place_is_refused(tmp_path):
    house = small_house(
        tmp_path, {"__init__.py": "", "attic/box.py": "import kingmaker.core.game\n", "core/game.py": ""}
    )
    with pytest.raises(SystemExit, match="the room 'attic' has no place in the picture; add it to ROOMS"):
        DRAWN["drawing"](house)


def test_an_arrow_that_would_lead_up_is_refused(tmp_path):
    house = small_house(tmp_path, {"core/game.py": "import kingmaker.cli.run\n", "cli/run.py": ""})
    with pytest.raises(SystemExit, match="core imports cli, which stands above it in ROOMS; change their order"):
        DRAWN["drawing"](house)


def test_an_arrow_between_floors_that_would_lead_up_is_refused(tmp_path):
    house = small_house(
        tmp_path, {"arena/table/match.py": "import kingmaker.arena.running.run\n", "arena/running/run.py": ""}
    )
    with pytest.raises(SystemExit, match="arena/table imports arena/running, which stands above it"):
        DRAWN["drawing"](house)


def walks():
    """The walks of the page: heading to the list of (file, name)."""
    found = {}
    for part in PAGE.split("\n## ")[1:]:
        heading, _, text = part.partition("\n")
        found[heading] = re.findall(r"^\d+\. `([\w/]+\.py): ([\w.]+)`", text, re.MULTILINE)
        assert len(found[heading]) == len(re.findall(r"^\d+\. ", text, re.MULTILINE)), (
            f"expected every step of '{heading}' to begin with `file.py: name`"
        )
    return found


WALKS = walks()
STEPS = [(heading, *step) for heading, steps in WALKS.items() for step in steps]


def defined(path):
    """Every function and class of a file, methods as Class.method."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef))
    yield from (node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))


def test_the_page_has_its_three_walks():
    assert [*WALKS] == ["A decision", "A match of an experiment", "A user's file becomes machine code"]
    assert all(len(steps) > 20 for steps in WALKS.values())


@pytest.mark.parametrize(("walk", "file", "name"), STEPS, ids=[f"{file}:{name}" for _, file, name in STEPS])
def test_every_step_of_a_walk_exists(walk, file, name):
    assert (HOUSE / file).exists(), f"'{walk}' names {file}, which is gone; correct docs/architecture.md"
    assert name in defined(HOUSE / file), (
        f"'{walk}' names `{file}: {name}`, which is gone; correct docs/architecture.md"
    )


GAME = """
import numpy as np
from kingmaker import OVER, Game


class Pile(Game):
    State = np.dtype([("left", np.int16), ("seat", np.int8)], align=True)
    max_moves, seats = 2, 2

    def start(self, state, rng):
        state.left = 5

    def mover(self, state):
        return state.seat if state.left > 0 else OVER

    def moves(self, state, seat, out):
        out[0], out[1] = 1, 2
        return min(2, state.left)

    def play(self, state, seat, move):
        state.left -= move
        state.seat = 1 - seat

    def payoff(self, state, out):
        out[state.seat], out[1 - state.seat] = 0.0, 1.0
"""
EXPERIMENT = """
question = "Which way does a match go?"
game = "sticks(sticks=7)"
starts = 1
interpreted = true

[agents]
ahead = "maxn(depth=2)"
greedy = "greedy"
random = "random"
"""
COMMANDS = {
    "A decision": ["decide", "sticks(sticks=7)", "maxn(depth=4)", "--interpreted"],
    "A match of an experiment": ["run", "my_experiment.toml", "--workers", "1"],
    "A user's file becomes machine code": ["decide", "my_game.py", "maxn(depth=4)"],
}


@pytest.mark.parametrize("walk", COMMANDS)
def test_a_walk_goes_through_its_steps_in_their_order(walk, tmp_path):
    """The command is run on an empty cache; the steps are called for the first time one after the other."""
    (tmp_path / "my_game.py").write_text(GAME)
    (tmp_path / "my_experiment.toml").write_text(EXPERIMENT)
    paths = os.pathsep.join(filter(None, (str(ROOT), str(HOUSE.parent), os.environ.get("PYTHONPATH"))))
    ran = subprocess.run(
        [sys.executable, "-m", "tests.docs.walking", "called.json", *COMMANDS[walk]],
        cwd=tmp_path,
        env=os.environ | {"KINGMAKER_CACHE": str(tmp_path / "cache"), "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    called = [tuple(each) for each in json.loads((tmp_path / "called.json").read_text())]
    last, before = -1, "the start"
    for number, (file, name) in enumerate(WALKS[walk], 1):
        step = f"step {number} of '{walk}', `{file}: {name}`,"
        assert (file, name) in called, f"{step} is not called; correct docs/architecture.md"
        assert called.index((file, name)) > last, f"{step} is called before {before}; correct docs/architecture.md"
        last, before = called.index((file, name)), f"`{file}: {name}`"
