"""What is compiled of a game's rules for one search serves the next, in this process or another, and is never stale."""

import json
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.compiling import bundle as bundles
from kingmaker.core.compiling import waiting
from kingmaker.core.compiling.bundle import Bundle
from kingmaker.core.compiling.cache import cache_folder
from kingmaker.core.compiling.compiler import dispatcher_of
from kingmaker.core.compiling.entries import read_entry, write_entry
from kingmaker.core.compiling.waiting import Listener, explained
from kingmaker.core.kernel import kernel
from kingmaker.search import ALGORITHMS
from tests.core.test_compile import COIN, edit
from tests.samples import TWIN

DECIDE = """
import collections, json, sys
from kingmaker import load_agent, load_game
from kingmaker.core.guard import own_parts, vouch
from numba.core import event

class Compiled(event.Listener):
    def on_start(self, found):
        names.append(found.data["dispatcher"].py_func.__qualname__)
    def on_end(self, found):
        pass

names, told = [], []
event.register("numba:compile", Compiled())
for text, agents in json.loads(sys.argv[1]):
    game = load_game(text)
    vouch(game, own_parts((game, *game.estimates)))  # no examination, which has tests of its own
    for name in agents:
        agent = load_agent(name)
        found = agent.decide(game, game.new(1))
        told.append([name, found.move, found.values, found.nodes])
print(json.dumps([told, names]))
"""


def decided(cache, *asked):
    """The decisions of a new process, and which functions it compiled."""
    done = subprocess.run(
        [sys.executable, "-c", DECIDE, json.dumps(asked)],
        env={**os.environ, "KINGMAKER_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def twins(game, agents):
    """The same decisions, interpreted."""
    game, told = load_game(game), []
    for name in agents:
        found = load_agent(name).decide(game, game.new(1), ask=TWIN)
        told.append([name, found.move, list(found.values), found.nodes])
    return told


@pytest.fixture
def coin(tmp_path):
    file = tmp_path / "coin.py"
    file.write_text(COIN)
    return file


def rules_in(names):
    return [name for name in names if name.startswith(("Sticks.", "Winner.", "Coin.", "Bright.", "doubled"))]


@pytest.mark.parametrize("own", [False, True], ids=["methods", "methods that call functions"])
def test_another_search_compiles_the_rules_no_more(tmp_path, coin, own):
    game, cache = str(coin) if own else "sticks(sticks=5)", tmp_path / "cache"
    _, compiled = decided(cache, (game, ["maxn(depth=3)"]))
    assert rules_in(compiled)
    second, compiled = decided(cache, (game, ["paranoid(depth=3)"]))
    assert compiled
    assert rules_in(compiled) == []
    assert second == twins(game, ["paranoid(depth=3)"])


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        ("out[seat] = doubled", "out[seat] = 1.0 + doubled", 14.0),
        ("number * 2.0", "number * 3.0", 18.0),
        ("BONUS = 3.0", "BONUS = 4.0", 14.0),
        ("prize=5.0", "prize=6.0", 15.0),
    ],
    ids=["method", "helper", "constant", "parameter"],
)
def test_another_search_after_an_edit_has_the_new_rules(in_use, old, new, after):
    file, cache = in_use
    edit(file, old, new)
    [[_, _, values, _]], compiled = decided(cache, (str(file), ["paranoid(depth=9)"]))
    assert values[0] == after
    assert "Coin.payoff" in compiled


def fits(game, agent):
    try:
        load_agent(agent).fit(load_game(game))
    except ValueError:
        return False
    return True


def test_every_search_decides_the_same_from_a_full_cache_in_a_second_process(tmp_path):
    """The cache of the whole test run is used, for other tests need the same machine code."""
    bikes, sticks = "light_bike(seats=3, width=4, height=4, starts=distinct)", "sticks(seats=2, sticks=9)"
    asked = {bikes: [], sticks: []}
    searches = set(ALGORITHMS) - {"weak_rational"}  # which plays neither game
    for name in sorted(searches):
        tried = [
            (game, text)
            for game in (bikes, sticks)
            for text in (
                f"{name}(depth=3)",
                f"{name}(depth=3, estimate=room)",
                f"{name}(playouts=20, tree=12)",
                f"{name}(playouts=50)",
                name,
            )
        ]
        game, text = next(each for each in tried if fits(*each))
        asked[game].append(text)
    assert {text.partition("(")[0] for texts in asked.values() for text in texts} == searches
    cache = cache_folder() or tmp_path
    first, _ = decided(cache, *asked.items())
    assert decided(cache, *asked.items()) == [first, []]
    assert len({text for text, *_ in first}) == len(searches)


def only_bundle(folder):
    """The file of a game's rules: the one that holds a dictionary of functions."""
    [found] = [file for file in folder.iterdir() if isinstance(pickle.loads(read_entry(file)), dict)]
    return found, pickle.loads(read_entry(found))


def test_a_function_whose_parts_are_gone_is_compiled_anew(tmp_path):
    game = "random_tree(height=3)"
    decided(tmp_path / "cache", (game, ["maxn(depth=3)"]))
    file, whole = only_bundle(tmp_path / "cache")
    parts = {key for data in whole.values() for key in pickle.loads(data)[2]}
    assert parts
    write_entry(file, pickle.dumps({key: data for key, data in whole.items() if key not in parts}))
    assert decided(tmp_path / "cache", (game, ["paranoid(depth=3)"]))[0] == twins(game, ["paranoid(depth=3)"])


class Context:
    """What a bundle asks of numba's target."""

    def codegen(self):
        return self

    def magic_tuple(self):
        return ("a processor",)


def test_two_processes_that_save_at_once_lose_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path / "cache"))
    one, other = Bundle(["game"], "", Context()), Bundle(["game"], "", Context())
    assert one.kept == other.kept == {}
    one.fresh["a"], other.fresh["b"] = b"first", b"second"
    one.__exit__()
    other.__exit__()
    assert Bundle(["game"], "", Context()).kept == {"a": b"first", "b": b"second"}
    assert Bundle(["another game"], "", Context()).kept == {}


def test_a_bundle_that_grows_too_large_begins_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(bundles, "LARGEST", 10)
    for key in "ab":
        grown = Bundle(["game"], "", Context())
        grown.fresh[key] = b"sixsix"
        grown.__exit__()
    assert Bundle(["game"], "", Context()).kept == {"b": b"sixsix"}


TABLE = """
BIG = np.arange(300_000) + 0.5


class Coin(km.Game):"""


def test_code_that_points_into_a_process_is_not_kept(coin, tmp_path):
    """numba puts the address of a large array into the code, which means nothing to another process."""
    edit(coin, "\n\nclass Coin(km.Game):", TABLE)
    edit(coin, "+ BONUS", "+ BONUS + BIG[seat]")
    for _ in range(2):
        [[_, _, values, _]], compiled = decided(tmp_path / "cache", (str(coin), ["maxn(depth=9)"]))
        assert values == [13.5, 14.5]
        assert "Coin.payoff" in compiled


def doubled(number):
    return 2 * number


@kernel
def both(row):
    return doubled(row[0]) + doubled(7)


def test_one_version_serves_whole_numbers_of_every_width(tmp_path, monkeypatch):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path / "cache"))
    for kind in (np.int8, np.uint8, np.int32):
        assert both.compiled(np.array([100], kind)) == 214
    assert len(dispatcher_of(doubled).overloads) == 1


def even(number, out):
    if number == 0:
        return 1
    out[0] += 1
    return odd(number - 1, out)


def odd(number, out):
    if number == 0:
        return 0
    return even(number - 1, out)


@kernel
def is_even(number, out):
    return even(number, out) + 10 * odd(number, out)


CIRCLE = """
import numpy as np
from tests.core.test_bundle import is_even
found = [int(is_even.compiled(number, np.zeros(1, np.int64))) for number in range(6)]
print(found, is_even.compiled.dispatcher._cache.hits)
"""


def test_functions_that_call_each_other_in_a_circle_run_from_the_cache_too(tmp_path):
    for hits in (0, 1):
        environment = {**os.environ, "KINGMAKER_CACHE": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-c", CIRCLE], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (0, f"{[1, 10, 1, 10, 1, 10]} {hits}\n"), done.stderr


def test_who_waits_long_is_told_and_nobody_else(monkeypatch):
    told, heard = [], threading.Event()
    monkeypatch.setattr(Listener, "tell", lambda sentence: (told.append(sentence), heard.set()))
    monkeypatch.setattr(waiting, "LONG", 3600)
    with explained("a short one"):
        pass
    assert told == []
    monkeypatch.setattr(waiting, "LONG", 0)
    with explained("maxn for chess()"):
        assert heard.wait(60)
    assert told == ["compiling maxn for chess(); this happens once"]


NAMES = """
import numpy as np
from numba import typeof
from numba.core.funcdesc import default_mangler
from kingmaker.core.compiling import linking
for width in range({before}):
    typeof(np.zeros(1, [("x", np.int8, width + 1)])[0])
print(default_mangler("f", [typeof(np.zeros(1, [("seat", np.int8), ("left", np.int16)])[0])]))
"""


def test_names_of_functions_that_take_records_are_the_same_in_every_process():
    """Entries of one file may come from several processes, and their code is put together by these names."""
    scripts = [[sys.executable, "-c", NAMES.format(before=before)] for before in (0, 7)]
    first, second = (subprocess.run(script, capture_output=True, text=True, check=True).stdout for script in scripts)
    assert first == second
    assert "Record" in first
