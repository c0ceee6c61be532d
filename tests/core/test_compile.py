"""From plain Python to machine code: never stale, kept between processes, and complaints point at the user's own
line.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kingmaker
from kingmaker import load_agent, load_game
from kingmaker.core.ask import Ask
from kingmaker.core.compiling.cache import cache_folder
from kingmaker.core.errors import BadParameter, CannotCompile
from kingmaker.core.kernel import kernel
from kingmaker.games.sticks import Sticks
from kingmaker.search.maxn import Maxn
from tests.samples import BIKES

PACKAGE = Path(kingmaker.__file__).parent

COIN = """
import numpy as np
import kingmaker as km

BONUS = 3.0


def doubled(number):
    return number * 2.0


class Bright(km.Estimate):
    def value(self, game, state, out):
        for seat in range(game.seats):
            out[seat] = 7.0


class Coin(km.Game):
    State = np.dtype([("ply", np.int16)], align=True)
    max_moves = 2
    estimates = (Bright(),)

    def __init__(self, seats=2, height=3, prize=5.0):
        self.seats, self.height, self.prize = seats, height, prize

    def start(self, state, rng):
        return

    def mover(self, state):
        return km.OVER if state.ply == self.height else state.ply % self.seats

    def moves(self, state, seat, out):
        out[0] = 0
        out[1] = 1
        return 2

    def play(self, state, seat, move):
        state.ply += 1

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = doubled(self.prize) + BONUS
"""

RUN = """
import sys
from pathlib import Path
from kingmaker import load_agent, load_game
from kingmaker.core.guard import own_parts, vouch
game = load_game(sys.argv[1])
vouch(game, own_parts((game, *game.estimates)))  # no examination, which has tests of its own
agent = load_agent(sys.argv[2])
decision = agent.decide(game, game.new(1))
hits = agent.kernel.compiled.hits
print(decision.values[0], decision.nodes, hits)
"""


def run(game, agent, cache, path=PACKAGE.parent, warn="error"):
    """The first seat's value, the nodes and the cache hits of one decision in a new process; standard error beside
    them.
    """
    done = subprocess.run(
        [sys.executable, "-W", warn, "-c", RUN, str(game), agent],
        env={**os.environ, "KINGMAKER_CACHE": str(cache), "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    value, nodes, hits = done.stdout.split()
    return float(value), int(nodes), int(hits), done.stderr


def interpreted(game, agent):
    """The first seat's value and the nodes of the same decision, interpreted."""
    game = load_game(game)
    decision = load_agent(agent).decide(game, game.new(1), ask=Ask(compiled=False))
    return decision.values[0], decision.nodes


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


@pytest.fixture
def coin(tmp_path):
    file = tmp_path / "coin.py"
    file.write_text(COIN)
    return file


@pytest.mark.parametrize(
    ("old", "new", "agent", "before", "after"),
    [
        ("out[seat] = doubled", "out[seat] = 1.0 + doubled", "maxn(depth=9)", 13.0, 14.0),
        ("number * 2.0", "number * 3.0", "maxn(depth=9)", 13.0, 18.0),
        ("BONUS = 3.0", "BONUS = 4.0", "maxn(depth=9)", 13.0, 14.0),
        ("prize=5.0", "prize=6.0", "maxn(depth=9)", 13.0, 15.0),
        ("out[seat] = 7.0", "out[seat] = 8.0", "maxn(depth=1)", 7.0, 8.0),
    ],
    ids=["method", "helper", "constant", "parameter", "estimate"],
)
def test_an_edit_in_a_users_file_is_noticed(in_use, old, new, agent, before, after):
    file, cache = in_use
    assert run(file, agent, cache)[::2] == (before, 1)
    edit(file, old, new)
    assert run(file, agent, cache)[::2] == (after, 0)


def test_a_comment_is_no_edit(in_use):
    file, cache = in_use
    files = sorted(cache.iterdir())
    file.write_text(file.read_text() + "\n# nothing new\n")
    assert run(file, "maxn(depth=2)", cache)[2] > 0
    assert sorted(cache.iterdir()) == files


@pytest.fixture
def house(tmp_path):
    """A copy of the package to be edited."""
    shutil.copytree(PACKAGE, tmp_path / "house" / "kingmaker", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "house"


def test_an_edit_in_a_game_of_the_package_is_noticed(house, tmp_path):
    cache = tmp_path / "cache"
    assert run("sticks(sticks=4)", "maxn(depth=9)", cache, house)[0] == 0.0
    edit(
        house / "kingmaker/games/sticks.py",
        "1.0 if seat == state.winner else 0.0",
        "0.0 if seat == state.winner else 1.0",
    )
    assert run("sticks(sticks=4)", "maxn(depth=9)", cache, house)[0] == 1.0


def test_an_edit_in_the_parts_of_the_search_is_noticed(house, tmp_path):
    """Another file than the kernel's: counting every node twice."""
    cache = tmp_path / "cache"
    nodes = run("sticks(sticks=4)", "maxn(depth=2)", cache, house)[1]
    edit(house / "kingmaker/search/parts/machinery/node.py", "work.nodes += 1", "work.nodes += 2")
    assert run("sticks(sticks=4)", "maxn(depth=2)", cache, house)[1] == 2 * nodes


def test_a_second_process_finds_the_machine_code(decided_once):
    first, cache = decided_once
    files = sorted(cache.iterdir())
    second = run("sticks(sticks=5)", "paranoid(depth=3)", cache)
    assert first[:2] == second[:2]
    assert (first[2], second[2]) == (0, 1)
    assert sorted(cache.iterdir()) == files
    assert all(file.suffix == ".code" for file in files)


def test_a_cache_file_cut_short_is_written_anew(decided_once):
    first, cache = decided_once
    for file in cache.iterdir():
        file.write_bytes(file.read_bytes()[:100])
    assert run("sticks(sticks=5)", "paranoid(depth=3)", cache)[:3] == first
    assert run("sticks(sticks=5)", "paranoid(depth=3)", cache)[2] == 1


def test_a_cache_that_cannot_be_written_costs_time_and_one_warning(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    value, nodes, hits, told = run("sticks(sticks=5)", "paranoid(depth=3)", blocked / "cache", warn="default")
    assert hits == 0
    assert (value, nodes) == interpreted("sticks(sticks=5)", "paranoid(depth=3)")
    assert told.count("cannot write compiled code to") == 1
    assert "set KINGMAKER_CACHE to a folder that can be written" in told


def test_the_oldest_entries_go_when_there_are_too_many(tmp_path, monkeypatch):
    from kingmaker.core.compiling import cache

    monkeypatch.setattr(cache, "MOST_FILES", 8)
    for age in range(9):
        file = tmp_path / f"{age}.code"
        file.write_bytes(b"")
        os.utime(file, (1000 + age, 1000 + age))
    (tmp_path / "else.txt").write_text("not ours")
    cache.forget_oldest(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [*(f"{age}.code" for age in range(2, 9)), "else.txt"]


def test_the_cache_folder_is_chosen_by_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("KINGMAKER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "kingmaker"


def test_plain_helpers_of_a_users_game_compile_and_parameters_make_new_code(coin):
    agent = load_agent("maxn(depth=9)")
    for prize in (5.0, 1.5):
        game = load_game(f"{coin}(prize={prize})")
        for compiled in (True, False):
            assert agent.decide(game, game.new(), ask=Ask(compiled=compiled)).values == (2 * prize + 3.0,) * 2


def test_a_game_in_use_cannot_change():
    game = Sticks(3, 6)
    Maxn(depth=2).decide(game, game.new(), ask=Ask(compiled=True))
    with pytest.raises(BadParameter, match="Sticks is in use and cannot change 'sticks'; make a new one"):
        game.sticks = 7
    assert game.sticks == 6


class Texting(Sticks):
    """A game that puts a text where a number belongs."""

    def play(self, state, seat, move):
        state.winner = str(seat)


class Calling(Sticks):
    """A game that calls what does not exist."""

    def play(self, state, seat, move):
        state.left -= nowhere_defined(move)  # noqa: F821


class Lacking(Sticks):
    """A game that asks itself for what it has not."""

    def payoff(self, state, out):
        out[0] = self.nothing


class Fieldless(Sticks):
    """A game that asks for a field its state has not."""

    def payoff(self, state, out):
        out[0] = state.turn


class Holding(Sticks):
    """A game whose rules look into a dictionary."""

    def __init__(self, seats, sticks):
        super().__init__(seats, sticks)
        self.prizes = dict.fromkeys(range(seats), 1.0)

    def payoff(self, state, out):
        out[0] = self.prizes[0]


class Gathering(Sticks):
    """A game that makes a set."""

    def payoff(self, state, out):
        out[0] = len({seat % 2 for seat in range(self.seats)})


class Noting(Sticks):
    """A game that changes itself."""

    def payoff(self, state, out):
        self.last = state.left


class Optional(Sticks):
    """A game with a parameter that is not given."""

    def __init__(self, seats, sticks, bonus=None):
        super().__init__(seats, sticks)
        self.bonus = bonus

    def payoff(self, state, out):
        out[0] = 1.0 if self.bonus is None else 2.0


@kernel
def ended(game, state, out):
    game.play(state, 0, 1)
    game.payoff(state, out)


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (Texting, r"play, .*test_compile\.py, line \d+ `state.winner = str"),
        (
            Calling,
            r"play, .*test_compile\.py, line \d+ `state.left -= nowhere.*the name 'nowhere_defined' is not defined",
        ),
        (Lacking, r"payoff, .*test_compile\.py, line \d+ `out.0. = self.nothing"),
        (Fieldless, r"payoff, .*test_compile\.py, line \d+ `out.0. = state.turn"),
        (
            Holding,
            r"payoff, .*line \d+ `out.0. = self.prizes.0.`: 'prizes' is a dict, "
            r"which machine code cannot hold; make it a tuple or",
        ),
        (
            Gathering,
            r"payoff, .*line \d+ `out.0. = len.*`: there is no machine code "
            r"for a set written with braces; fill an array in a loop",
        ),
        (
            Noting,
            r"payoff, .*line \d+ `self.last = state.left`: it changes 'last' of "
            r"an object that must not change; keep it in the state",
        ),
    ],
)
def test_what_cannot_be_compiled_is_told_with_the_users_method_and_line(cls, said):
    game = cls(3, 5)
    with pytest.raises(CannotCompile, match=rf"cannot compile {said}") as found:
        ended.compiled.direct(game, game.new(), np.zeros(3))
    assert "\n" not in str(found.value)


def test_a_parameter_may_be_none():
    game, out = Optional(3, 5), np.zeros(3)
    ended.compiled(game, game.new(), out)
    assert out[0] == 1.0


def test_a_second_process_finds_the_machine_code_of_a_users_game(in_use):
    """The file lies in a folder that Python does not search for modules, as a user's own file does."""
    file, cache = in_use
    assert run(file, "maxn(depth=2)", cache)[:3] == (*interpreted(str(file), "maxn(depth=2)"), 1)


@pytest.mark.parametrize("agent", ["multi_minimax(depth=3)", "best_reply_plus(depth=3)"])
def test_a_kernel_that_calls_itself_with_plain_numbers_loads_from_the_cache(agent, tmp_path):
    """numba's versions for literal arguments left cached code that crashed the next process. The cache of the whole
    test run is used.
    """
    cache = cache_folder() or tmp_path
    first, second = (run(str(BIKES), agent, cache) for _ in range(2))
    assert second[:3] == (*first[:2], 1)
