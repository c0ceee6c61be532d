"""The hash of the code covers what runs: kernels, switches, estimates, games, agents that ask others, and plain
Python.
"""

import json
import subprocess
import sys

import pytest

from kingmaker import Game, load_agent, load_game
from kingmaker.arena.experiment.closure import closure_hash
from kingmaker.arena.experiment.code import code_hash, code_parts, kept, own_modules, run_by, written
from kingmaker.arena.experiment.declaration import Experiment
from kingmaker.arena.experiment.schedule import Schedule, schedule_of
from kingmaker.core.budget import Budget
from kingmaker.core.compiling import waiting
from kingmaker.games.random_tree import Guess
from kingmaker.search import maxn, paranoid
from kingmaker.search.maxn import OwnTaste
from kingmaker.soundness import vouching

AGENTS = {
    "random": "random",
    "greedy": "greedy",
    "maxn": "maxn(depth=2)",
    "mp_mix": "mp_mix(depth=2)",
    "paranoid": "paranoid(depth=2)",
    "paranoid_2": "paranoid(depth=3)",
}
OWN = '''
from kingmaker import OVER, Game

BONUS = 1

class Table:
    """The state."""
    def __init__(self):
        self.left = 3
    def less(self):
        self.left -= 1

class Counting(Game):
    State, max_moves, seats = Table, 1, 2
    def __init__(self, seats=2):
        self.seats = seats
    def start(self, state, rng):
        pass
    def mover(self, state):
        return state.left % 2 if state.left else OVER
    def moves(self, state, seat, out):
        out[0] = 0  # the only one
        return 1
    def play(self, state, seat, move):
        state.less()
    def payoff(self, state, out):
        out[:] = BONUS
    def notation(self, state):
        return str(state.left)
    def position(self, text):
        state = Table()
        state.left = int(text)
        return state
'''


def parts_of(game="random_tree(seats=3)", agents=AGENTS):
    return code_parts(Schedule(Experiment(question="?", game=game, agents=agents)))


def changed(before, after):
    assert set(before) == set(after)
    return {name.removeprefix("agent ") for name in before if before[name] != after[name]}


def test_another_taste_changes_the_hash_of_every_agent_that_has_it(monkeypatch):
    before = parts_of()
    monkeypatch.setattr(OwnTaste, "compare", lambda self, game, work, ply, seat: -1)
    assert changed(before, parts_of()) == {"greedy", "maxn", "mp_mix"}


def test_another_estimate_changes_the_hash_of_the_game_and_of_the_agents_that_use_it(monkeypatch):
    before = parts_of()
    monkeypatch.setattr(Guess, "value", lambda self, game, state, out: None)
    assert changed(before, parts_of()) == {"game random_tree()", "greedy", "maxn", "mp_mix", "paranoid", "paranoid_2"}


@pytest.mark.parametrize(
    ("module", "name", "touched"),
    [
        (paranoid, "pact", {"paranoid", "paranoid_2", "mp_mix"}),
        (maxn, "maxn", {"maxn", "mp_mix"}),
    ],
)
def test_another_kernel_changes_the_hash_of_what_searches_with_it(monkeypatch, module, name, touched):
    before = parts_of()
    kernel = getattr(module, name)
    monkeypatch.setattr(kernel, "function", lambda *arguments: None)
    assert touched <= changed(before, parts_of())
    assert not {"random", "kingmaker"} & changed(before, parts_of())


def test_settings_and_nested_agents_count():
    parts = parts_of()
    assert len(set(parts.values())) == len(parts)
    asked = [type(thing).__name__ for thing in run_by(load_agent("mp_mix(depth=2)"), Schedule(SMALL).variants[0].game)]
    assert {"MpMix", "Paranoid", "Maxn", "Offensive", "Kernel", "Switches"} <= set(asked)


SMALL = Experiment(question="?", game="random_tree(seats=3)", agents=AGENTS)
TOLD = "import sys, json; from tests.arena.test_code import parts_of; print(json.dumps(parts_of()))"


def test_two_processes_give_the_same_hashes():
    told = [
        subprocess.run(
            [sys.executable, "-c", TOLD], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert json.loads(told[0]) == json.loads(told[1]) == parts_of()


EDITS = [
    ("BONUS = 1", "BONUS = 2"),
    ("self.left -= 1", "self.left -= 2"),
    ("self.left = 3", "self.left = 4"),
    ("return str(state.left)", "return f'{state.left}'"),
]


def test_plain_python_of_a_game_counts_and_a_comment_does_not(tmp_path):
    def parts(text):
        (tmp_path / "counting.py").write_text(text)
        return parts_of(str(tmp_path / "counting.py"), {"one": "random", "two": "random"})

    before = parts(OWN)
    assert not changed(before, parts(OWN.replace("# the only one", "# no choice\n")))
    for old, new in EDITS:
        assert changed(before, parts(OWN.replace(old, new))) == {"game counting()"}, new


def test_the_file_behind_an_explicit_tree_counts(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text("[[1, 0, 0], [0, 1, 0]]")
    game = f"explicit_tree(file='{path}')"
    before = parts_of(game, {"one": "maxn(depth=2)"})
    path.write_text("[[1, 0, 0], [0, 0, 1]]")
    assert changed(before, parts_of(game, {"one": "maxn(depth=2)"})) == {f"game explicit_tree(file='{path}', seats=3)"}
    path.write_text("[[1, 0, 0], [0, 2, 0]]")  # larger payoffs, by whose size a search tells equal values
    assert changed(before, parts_of(game, {"one": "maxn(depth=2)"})) == {
        f"game explicit_tree(file='{path}', seats=3)",
        "one",
    }


def test_a_file_is_the_same_code_wherever_it_lies_and_another_after_an_edit(tmp_path, monkeypatch):
    """A process that has run the experiment in one folder hashes and plays the files of the next one, under the same
    names.
    """
    text = Experiment(question="?", game="counting.py", agents={"one": "random", "two": "random"}).as_text()

    def hash_in(folder, source):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "counting.py").write_text(source)
        monkeypatch.chdir(tmp_path / folder)
        return code_hash(text)

    first = hash_in("first", OWN)
    assert hash_in("second", OWN) == first
    assert hash_in("third", OWN.replace("BONUS = 1", "BONUS = 2")) != first
    assert hash_in("second", OWN.replace("BONUS = 1", "BONUS = 20")) not in (
        first,
        code_hash(text.replace("counting.py", "../first/counting.py")),
    )
    assert hash_in("second", OWN) == first


def test_an_edited_tree_is_another_schedule(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = Experiment(question="?", game="explicit_tree(file='tree.json')", agents={"one": "random"}).as_text()
    depths = []
    for tree in ("[[1, 0, 0], [0, 1, 0]]", "[[[1, 0, 0]], [0, 0, 1]]"):
        (tmp_path / "tree.json").write_text(tree)
        depths.append(schedule_of(text).variants[0].game)
    assert depths[0] is not depths[1]


def test_what_was_examined_before_does_not_count(monkeypatch):
    before = closure_hash(*run_by(load_agent("maxn(depth=2)"), load_game("sticks")))
    monkeypatch.setitem(vouching.VERDICTS, "a game that this process has examined", True)
    assert closure_hash(*run_by(load_agent("maxn(depth=2)"), load_game("sticks"))) == before


def test_a_deep_tree_comes_to_an_end(tmp_path):
    deep = "[1, 0, 0]"
    for _ in range(150):
        deep = f"[{deep}]"
    (tmp_path / "deep.json").write_text(deep)
    assert parts_of(f"explicit_tree(file='{tmp_path / 'deep.json'}', seats=3)", {"one": "random"})


SOURCE = """
import functools
from kingmaker import load_agent

@functools.lru_cache
def cached(x):
    return x + {a}

def by_keyword(x, *, y={b}):
    return x + y

class Own:
    __slots__ = ("kept",)
    def __init__(self):
        self.kept = {c}
    def decide(self, game, state, rng=None):
        import helper
        return cached(by_keyword(helper.FIRST)) + self.kept + functools.partial(by_keyword, 1)()
    @functools.cached_property
    def later(self):
        return {d}
    def __eq__(self, other):
        return {e}
"""


def test_whatever_a_class_with_decide_refers_to_counts(tmp_path, monkeypatch):
    def own(first=1, **numbers):
        space = {"__name__": "elsewhere"}
        exec(compile(SOURCE.format(**(dict.fromkeys("abcde", 1) | numbers)), "own.py", "exec"), space)
        sys.modules["helper"].FIRST = first
        return closure_hash(space["Own"]())

    (tmp_path / "helper.py").write_text("FIRST = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("helper")
    monkeypatch.setitem(sys.modules, "helper", sys.modules["helper"])
    hashes = [own(), own(2), *(own(**{name: 2}) for name in "abcde")]
    assert own() == hashes[0]
    assert len(set(hashes)) == len(hashes)


def test_an_agent_that_makes_others_by_their_texts_depends_on_all_of_them(monkeypatch):
    def ask(game):
        return load_agent("maxn(depth=2)").decide(game, game.new())

    before = closure_hash(ask)
    monkeypatch.setattr(OwnTaste, "compare", lambda self, game, work, ply, seat: -1)
    assert closure_hash(ask) != before


def test_common_code_counts_with_its_defaults(monkeypatch):
    before = written([sys.modules["kingmaker.core.game"]])
    monkeypatch.setattr(Game, "max_outcomes", 1)
    assert written([sys.modules["kingmaker.core.game"]]) != before


def test_an_engine_is_the_file_that_is_started(tmp_path):
    engine = tmp_path / "engine"
    hashes = []
    for text in ("first", "second"):
        engine.write_text(text)
        hashes.append(closure_hash(*run_by(load_agent(f"uci(command='{engine}')"), None)))
    assert hashes[0] != hashes[1]


def test_playing_leaves_no_trace_in_the_hash():
    from kingmaker.arena.running.worker import play_numbers

    text = Experiment(
        question="?", game="sticks(sticks=7)", agents={"a": "mp_mix(depth=1)", "b": "random", "c": "greedy"}
    ).as_text()
    before = code_hash(text)
    play_numbers(text, [0])
    kept.cache_clear()
    assert code_hash(text) == before


def test_who_listens_while_it_compiles_is_no_part_of_the_code(monkeypatch):
    """The coordinator at a terminal tells of compilations, its workers do not; both run the same code."""
    before = written(own_modules())
    monkeypatch.setattr(waiting.Listener, "tell", lambda what: None)
    monkeypatch.setattr(Budget, "tell", lambda what: None, raising=False)
    assert written(own_modules()) == before
