"""The C reference is the same search as ours with moves tried as they are listed: equal nodes, moves and values, or its
speed would mean nothing.
"""

import shutil
import subprocess

import pytest
from bench.c_reference import NoCompiler, build
from bench.position import Position

from kingmaker.games.light_bike import LightBike
from kingmaker.search.best_reply import BestReply
from kingmaker.search.maxn import Maxn
from kingmaker.search.multi_minimax import MultiMinimax
from kingmaker.search.paranoid import Paranoid
from tests.samples import TWIN

SEARCHES = {"maxn": Maxn, "paranoid": Paranoid, "best_reply": BestReply, "multi_minimax": MultiMinimax}
POSITIONS = {
    "corners": Position("0,0;0,11;11,0"),
    "open field": Position("2,3;6,8;9,2"),
    "one cell for two": Position("0,5;0,5;11,6"),
    "one cell for all": Position("5,0;5,0;5,0"),
    "moves played": Position("0,0;0,11;11,0", "SWNEWESW"),
    "one is out": Position("0,0;0,1;1,0", "NES"),
}


@pytest.fixture(scope="module")
def references(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    return {bare: build(folder, seats=3, bare=bare) for bare in (False, True)}


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("position", POSITIONS.values(), ids=list(POSITIONS))
def test_c_and_kingmaker_find_the_same(references, name, position):
    game = LightBike(seats=3, starts="distinct")
    for depth in (1, 4, 9):
        ours = SEARCHES[name](depth=depth, order="given").decide(game, position.state(game))
        for reference in references.values():
            theirs = reference.search(name, depth, position)
            assert (theirs.nodes, theirs.move, theirs.values) == (ours.nodes, ours.move, ours.values)


OTHER_TABLES = {
    "two in the corners": Position("0,0;4,5"),
    "two in one cell": Position("2,2;2,2"),
    "two, moves played": Position("0,0;4,5", "SNENEWSW"),
    "four in the corners": Position("0,0;0,5;4,0;4,5"),
    "four, moves played": Position("0,0;0,5;4,0;4,5", "SWNNEWNNES"),
    "four, one is out": Position("0,0;0,1;1,0;3,3", "NESWS"),
    "four, two are out": Position("0,0;0,0;0,1;1,0", "NNES"),
}


@pytest.fixture(scope="module")
def small_boards(tmp_path_factory):
    return {seats: build(tmp_path_factory.mktemp("small"), seats, 6, 5) for seats in (2, 4)}


@pytest.mark.parametrize("position", OTHER_TABLES.values(), ids=list(OTHER_TABLES))
@pytest.mark.parametrize("name", SEARCHES)
def test_c_and_kingmaker_agree_on_other_tables_and_boards(small_boards, name, position):
    game = LightBike(seats=position.seats, width=6, height=5)
    reference = small_boards[position.seats]
    for depth in (1, 3, 8, 13 if position.seats == 2 else 10):
        ours = SEARCHES[name](depth=depth, order="given").decide(game, position.state(game))
        theirs = reference.search(name, depth, position, repeats=2)
        assert (theirs.nodes, theirs.move, theirs.values) == (ours.nodes, ours.move, ours.values)


def test_c_and_the_interpreted_twin_find_the_same(references):
    game, position = LightBike(seats=3, starts="distinct"), POSITIONS["open field"]
    for name, search in SEARCHES.items():
        ours = search(depth=4, order="given").decide(game, position.state(game), ask=TWIN)
        theirs = references[False].search(name, 4, position)
        assert (theirs.nodes, theirs.move, theirs.values) == (ours.nodes, ours.move, ours.values)


def test_the_reference_refuses_what_is_no_position(references):
    for arguments in (
        ["maxn", "3", "1", "0,0;0,11"],
        ["maxn", "3", "1", "0,0;0,12;5,5"],
        ["minimax", "3", "1", "0,0;0,11;11,0"],
    ):
        asked = subprocess.run([references[False].binary, *arguments], check=False, capture_output=True, text=True)
        assert asked.returncode == 2
        assert asked.stderr.startswith("usage:")


def test_without_gcc_the_reference_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(NoCompiler, match="gcc is not there to build the C reference; install it"):
        build(tmp_path, seats=3)
