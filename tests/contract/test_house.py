"""The house keeps itself: this reads the sources, and each failure says what to do."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from kingmaker.games import GAMES
from kingmaker.search import ALGORITHMS

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "src" / "kingmaker"
TESTS = ROOT / "tests"
FILES = sorted(HOUSE.rglob("*.py"))

MAY_IMPORT = {  # room -> the rooms of ours that it may import
    "core": {"core"},
    "games": {"core", "games"},
    "soundness": {"core", "soundness"},
    "search": {"core", "soundness", "search"},
    "stats": {"core", "stats"},
    "draw": {"core", "games", "draw"},
    "arena": {"core", "games", "soundness", "search", "stats", "draw", "arena", "loading"},
    "probe": {"core", "games", "soundness", "search", "stats", "draw", "arena", "loading", "probe"},
    "repeating": {"core", "games", "soundness", "search", "stats", "draw", "arena", "probe", "loading", "repeating"},
    "adapters": {"core", "adapters"},
    "papers": set(),
    "web": {
        "core",
        "games",
        "soundness",
        "search",
        "stats",
        "draw",
        "arena",
        "probe",
        "repeating",
        "adapters",
        "papers",
        "loading",
        "web",
    },
    "cli": {
        "core",
        "games",
        "soundness",
        "search",
        "stats",
        "draw",
        "arena",
        "probe",
        "repeating",
        "adapters",
        "papers",
        "loading",
        "web",
        "cli",
    },
    "loading": {"core", "games", "search", "adapters"},
    "__init__": set(),
    "__main__": {"cli"},
}
NUMBA_DOORS = {
    f"core/compiling/{name}.py"
    for name in (
        "bundle",
        "cache",
        "circles",
        "compiler",
        "entry",
        "folding",
        "linking",
        "lowering",
        "making",
        "native_scratch",
        "numba_methods",
        "numba_types",
        "quick",
        "registers",
        "shortcuts",
        "skipping",
        "steps",
        "unused",
    )
}
FORBIDDEN = re.compile(r"^(utils?|helpers?|managers?|base_.*|get_.*|.*_v\d+)$|Manager$|Helper$|Utils?$")


def inside(path):
    return path.relative_to(HOUSE).as_posix()


def room_of(path):
    first = path.relative_to(HOUSE).parts[0]
    return first.removesuffix(".py")


@cache
def parsed(path):
    return ast.parse(path.read_text(), filename=str(path))


def imports_of(path):
    """Full names of all that a file imports, late imports included."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{inside(path)} has a relative import; write it out in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=inside)
def test_rooms_import_only_what_they_may(path):
    room = room_of(path)
    assert room in MAY_IMPORT, (
        f"{inside(path)} is in a room that nobody knows; add '{room}' to MAY_IMPORT in {Path(__file__).name}"
    )
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] == "kingmaker" and len(parts) > 1:
            known = parts[1] in MAY_IMPORT
            assert not known or parts[1] in MAY_IMPORT[room], (
                f"{inside(path)} imports {name}, but {room} may import only "
                f"{', '.join(sorted(MAY_IMPORT[room])) or 'nothing of ours'}; "
                "move what both need to core or to parts"
            )


FLOORS = {  # a room of several floors -> its floors from the ground up; a floor imports those below it and itself
    "arena": ("table", "experiment", "results", "running", "tuning"),
}


@pytest.mark.parametrize(
    "path", [path for path in FILES if room_of(path) in FLOORS and path.name != "__init__.py"], ids=inside
)
def test_floors_import_only_what_is_below(path):
    room, floor = path.relative_to(HOUSE).parts[:2]
    floors = FLOORS[room]
    assert floor in floors, f"{inside(path)} stands on no floor of {room}; move it to one of {', '.join(floors)}"
    for name in imports_of(path):
        parts = name.split(".")
        if parts[:2] == ["kingmaker", room] and parts[2] in floors:
            below = floors[: floors.index(floor) + 1]
            assert parts[2] in below, (
                f"{inside(path)} imports {name}; {room}/{floor} may import only {', '.join(below)} of its room"
            )


@pytest.mark.parametrize(
    "path", [path for path in FILES if room_of(path) == "games" and path.parent.name == "games"], ids=inside
)
def test_a_game_imports_no_other_game(path):
    for name in imports_of(path):
        if name.startswith("kingmaker.games.") and path.name != "__init__.py":
            assert name.startswith("kingmaker.games.parts"), (
                f"{inside(path)} imports {name}; move what both need to games/parts"
            )


@pytest.mark.parametrize("path", FILES, ids=inside)
def test_numba_has_one_door(path):
    for name in imports_of(path):
        if name.split(".")[0] in ("numba", "llvmlite"):
            assert inside(path) in NUMBA_DOORS, (
                f"{inside(path)} imports {name}; only {' and '.join(sorted(NUMBA_DOORS))} may"
            )


@pytest.mark.parametrize("path", FILES, ids=inside)
def test_files_stay_short(path):
    name, room = inside(path), room_of(path)
    lines = len(path.read_text().splitlines())
    most = {"core": 150, "search": 200}.get(room, 400)
    assert lines <= most, (
        f"{name} has {lines} lines, at most {most} are wanted; move what two share to parts/ or split it by ideas"
    )


def defined(path):
    """Every name that a file defines: itself, its functions, classes and arguments."""
    yield path.stem
    for node in ast.walk(parsed(path)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
            if isinstance(node, ast.FunctionDef):
                yield from (argument.arg for argument in node.args.args + node.args.kwonlyargs)


@pytest.mark.parametrize("path", FILES, ids=inside)
def test_names_are_plain_words(path):
    for name in defined(path):
        assert not FORBIDDEN.search(name), f"'{name}' in {inside(path)} is no plain word; say what it is or does"


@pytest.mark.parametrize("path", FILES, ids=inside)
def test_every_file_opens_with_its_idea(path):
    text = ast.get_docstring(parsed(path))
    assert text, f"{inside(path)} has no docstring; open it with the idea in one breath"


@pytest.mark.parametrize("path", FILES, ids=inside)
def test_comments_hold_no_banners_and_no_plans(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.search(r"#\s*(TODO|FIXME|XXX|HACK)|#\s*[-=#*]{4,}", line)
        assert not found, f"{inside(path)}, line {number}: '{line.strip()}'; do it now or leave it out"


def listed_names(folder):
    return {path.stem for path in (HOUSE / folder).glob("*.py") if path.stem != "__init__"}


def test_every_game_file_is_listed_and_every_listed_game_has_a_file():
    missing, extra = listed_names("games") - set(GAMES), set(GAMES) - listed_names("games")
    assert not missing, f"{', '.join(sorted(missing))}: add to GAMES in games/__init__.py"
    assert not extra, f"{', '.join(sorted(extra))}: is in GAMES without a file of that name in games/"


def test_every_algorithm_file_is_listed_and_every_listed_algorithm_has_a_file():
    missing, extra = listed_names("search") - set(ALGORITHMS), set(ALGORITHMS) - listed_names("search")
    assert not missing, f"{', '.join(sorted(missing))}: add to ALGORITHMS in search/__init__.py"
    assert not extra, f"{', '.join(sorted(extra))}: is in ALGORITHMS without a file of that name in search/"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_one_name_in_every_room(name):
    camel = "".join(word.capitalize() for word in name.split("_"))
    assert GAMES[name].__name__ == camel, f"the class of {name} is {GAMES[name].__name__}; call it {camel}"
    assert (TESTS / "games" / f"test_{name}.py").exists(), f"{name} has no test; write tests/games/test_{name}.py"
    assert (ROOT / "docs" / "games" / f"{name}.md").exists(), f"{name} has no page; write docs/games/{name}.md"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_has_one_name_in_every_room(name):
    camel = "".join(word.capitalize() for word in name.split("_"))
    assert ALGORITHMS[name].__name__ == camel, f"the class of {name} is {ALGORITHMS[name].__name__}; call it {camel}"
    assert (TESTS / "search" / f"test_{name}.py").exists(), f"{name} has no test; write tests/search/test_{name}.py"
    assert (ROOT / "docs" / "algorithms" / f"{name}.md").exists(), (
        f"{name} has no page; write docs/algorithms/{name}.md"
    )


WINDOW = 12  # letters of a sentence that a test must quote


def error_classes():
    return {node.name for node in ast.walk(parsed(HOUSE / "core" / "errors.py")) if isinstance(node, ast.ClassDef)}


def sentences():
    """Every error sentence in the sources: where it stands, and its literal pieces."""
    errors = error_classes()
    for path in FILES:
        for node in ast.walk(parsed(path)):
            call = node.exc if isinstance(node, ast.Raise) else node
            if not isinstance(call, ast.Call) or not call.args:
                continue
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            where = f"{inside(path)}, line {call.lineno}"
            if isinstance(node, ast.Raise) and name in errors:
                yield where, pieces(call.args[0])
            elif isinstance(node, ast.Raise) and name == "unknown" and isinstance(call.args[0], ast.Constant):
                yield where, [f"unknown {call.args[0].value} "]
            elif name == "require" and len(call.args) == 2:
                yield where, pieces(call.args[1])


def pieces(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [part.value for part in node.values if isinstance(part, ast.Constant)]
    return []


SENTENCES = [(where, found) for where, found in sentences() if found]


def windows(found):
    """All stretches of WINDOW letters of a sentence; a shorter piece counts only where there is no longer one."""
    size = min(WINDOW, max(len(piece.strip()) for piece in found))
    return {piece[at : at + size] for piece in found for at in range(len(piece) - size + 1)}


@pytest.fixture(scope="module")
def sentences_with():
    """The sentences in which a stretch of letters stands, for each stretch."""
    found_in = {}
    for _, found in SENTENCES:
        for part in windows(found):
            found_in.setdefault(part, set()).add(tuple(found))
    return found_in


@pytest.fixture(scope="module")
def quoted():
    """The text of all tests but this one, without the backslashes of patterns."""
    texts = [path.read_text() for path in sorted(TESTS.rglob("*.py")) if path != Path(__file__)]
    return "\n".join(texts).replace("\\", "")


@pytest.mark.parametrize(("where", "found"), SENTENCES, ids=[where for where, _ in SENTENCES])
def test_every_refusal_has_been_seen_by_a_test(where, found, quoted, sentences_with):
    """A test must quote words that only this sentence has; where it shares all of them with others, any of its
    words.
    """
    own = {part for part in windows(found) if len(sentences_with[part]) == 1} or windows(found)
    assert any(part in quoted for part in own), (
        f"{where}: no test matches the sentence {'…'.join(found)!r}; write one that raises it"
    )


@pytest.mark.parametrize(("where", "found"), SENTENCES, ids=[where for where, _ in SENTENCES])
def test_refusals_are_written_in_the_manner_of_the_house(where, found):
    assert not found[-1].endswith("."), f"{where}: an error has no full stop; take it off"
    first = found[0].lstrip()
    assert not first[:1].isupper(), f"{where}: an error begins in lower case, not with {first[:20]!r}"
