"""Agents of one's own: any class with `decide` in a file."""

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.experiment.code import code_parts
from kingmaker.arena.experiment.declaration import read_experiment
from kingmaker.arena.experiment.schedule import Schedule
from kingmaker.arena.table.deadline import TooLong, deadline
from kingmaker.arena.table.match import play_match
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadAgent, BadParameter, Mismatch, UnknownName
from tests.samples import STICKS

PLAIN = """
class First:
    def __init__(self, depth=None, words=("a", "b")):
        self.looks_ahead = depth

    def decide(self, game, state, rng):
        return game.legal(state)[0]
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Writes a file of one's own; the agent in it."""
    monkeypatch.chdir(tmp_path)

    def written(text=PLAIN, settings="", name="mine.py"):
        (tmp_path / name).write_text(text)
        return load_agent(f"{name}{settings}")

    return written


def decide(body, parameters="game, state, rng"):
    return f"class Mine:\n    def decide(self, {parameters}):\n        {body}\n"


def test_a_plain_class_decides_and_its_text_loads_back(own):
    agent = own(settings="(depth=3)")
    assert str(agent) == "mine.py(depth=3)"
    assert str(load_agent(str(agent))) == str(agent)
    assert str(load_agent("mine.py:First('x')")) == "mine.py:First(depth='x')"
    assert str(load_agent("mine.py")) == "mine.py()"
    decision = agent.decide(STICKS, STICKS.new())
    assert (decision.move, decision.line, decision.values, decision.stopped) == (1, (1,), None, "own")
    assert [entry.move for entry in decision.moves] == [1, 2, 3]


def test_it_plays_matches_and_may_return_a_decision_of_its_own(own):
    agent = own(
        "import kingmaker\n" + decide("return kingmaker.load_agent('maxn(depth=2)').decide(game, state)", "game, state")
    )
    match = play_match(STICKS, [agent, load_agent("random"), agent], seed=3)
    assert match.finished
    assert match.efforts[0].nodes > 0


def test_an_agent_that_inherits_from_one_of_ours_keeps_all_that_it_can(own):
    agent = own("from kingmaker.search.maxn import Maxn\nclass Mine(Maxn):\n    pass\n", "(depth=2)")
    assert str(agent) == "mine.py(depth=2)"
    seen = []
    decision = agent.decide(
        STICKS, STICKS.new(), ask=Ask(record=50, compiled=False, watch=lambda progress: seen.append(progress) or True)
    )
    assert decision.tree is not None
    assert [*dict.fromkeys(progress.depth for progress in seen)] == [0, 1, 2]
    assert agent.watches
    with pytest.raises(UnknownName, match="has no estimates, so none called 'x'"):
        agent.changed(estimate="x").fit(STICKS)


def test_a_decide_that_names_memory_learns_within_a_match_only(own):
    agent = own(
        "class Mine:\n"
        "    def memory(self, game, seat):\n        return []\n"
        "    def observe(self, memory, game, state, seat, move):\n        memory.append((seat, move))\n"
        "    def decide(self, game, state, ask, rng):\n        return game.legal(state)[len(ask.memory) % 2]\n"
    )
    turns = [play_match(STICKS, [agent] * 3, seed=1).turns for _ in range(2)]
    assert turns[0] == turns[1]
    assert [move for ((_, move),) in turns[0]][:3] == [1, 2, 1]


def test_an_agent_gets_a_copy_of_the_state(own):
    agent = own(decide("state.left = 1; return 1"))
    state = STICKS.new()
    agent.decide(STICKS, state)
    assert state.left == 9


FAULTS = [
    (decide("return 1 / 0"), r"mine.py\(\) failed in decide: ZeroDivisionError: division by zero in line 3 of mine.py"),
    (decide("raise SystemExit('bye')"), r"mine.py\(\) failed in decide: SystemExit: bye in line 3 of mine.py"),
    (
        decide("return game.after(state, 77)"),
        r"failed in decide: 77 is no legal move in sticks\(sticks=9\) at .* in line 3 of mine.py",
    ),
    (decide("return 7"), r"mine.py\(\) answered 7 from decide, expected one of the legal moves 1, 2, 3 at left=9"),
    (decide("return 'take one'"), r"answered 'take one' from decide, expected one of the legal moves 1, 2, 3"),
    (decide("return True"), r"answered True from decide"),
    (decide("return None"), r"answered None from decide"),
]


@pytest.mark.parametrize(("text", "sentence"), FAULTS, ids=[sentence for _, sentence in FAULTS])
def test_what_goes_wrong_in_decide_is_told_with_file_and_line(own, text, sentence):
    with pytest.raises(BadAgent, match=sentence):
        own(text).decide(STICKS, STICKS.new())


MAKING = "class Mine:\n    def __init__(self):\n        {body}\n    def decide(self, game, state):\n        pass\n"
UNSOUND = [
    ("x = 1\n", r"there is no class that has a method decide\(self, game, state, rng\) in mine.py"),
    ("x = 1 / 0\n", r"cannot import 'mine.py': ZeroDivisionError: division by zero in line 1"),
    ("import sys\nsys.exit(3)\n", r"cannot import 'mine.py': SystemExit: 3 in line 2"),
    (
        PLAIN + PLAIN.replace("First", "Second"),
        r"expected one agent in mine.py, found First, Second; name one as mine.py:First",
    ),
    (
        decide("return 1", "game"),
        r"cannot call decide\(game\) of mine.py\(\): too many positional arguments; it may ask for rng",
    ),
    (
        decide("return 1", "game, state, hand"),
        r"missing a required argument: 'hand'; it may ask for rng, ask by name",
    ),
    (MAKING.format(body="self.x = {}['y']"), r"cannot make mine.py\(\): KeyError: 'y' in line 3 of mine.py"),
    (
        MAKING.format(body="len(3)"),
        r"cannot make mine.py\(\): TypeError: object of type 'int' has no len\(\) in line 3 of mine.py",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), UNSOUND, ids=[sentence for _, sentence in UNSOUND])
def test_files_without_a_sound_agent_are_refused(own, text, sentence):
    with pytest.raises(BadAgent, match=sentence):
        own(text)


def test_wrong_names_and_settings_are_refused(own, tmp_path):
    own()
    with pytest.raises(UnknownName, match=r"unknown parameter 'deep' in mine.py\(deep=3\); did you mean depth"):
        load_agent("mine.py(deep=3)")
    with pytest.raises(UnknownName, match=r"unknown agent class 'Frist' in mine.py; did you mean First\?"):
        load_agent("mine.py:Frist")
    with pytest.raises(BadAgent, match=r"there is no file 'nowhere.py'"):
        load_agent("nowhere.py")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(BadAgent, match=r"cannot read 'folder.py': .*directory"):
        load_agent("folder.py")
    with pytest.raises(BadParameter, match="expected at most 2 parameters, got 3"):
        load_agent("mine.py(1, 2, 3)")


def test_check_and_prepare_of_the_class_are_asked(own):
    agent = own(
        "class Mine:\n"
        "    def check(self, game):\n        if game.seats > 2: raise ValueError('two seats only')\n"
        "    def prepare(self, game): self.ready = True\n"
        "    def decide(self, game, state): return 1\n"
    )
    with pytest.raises(BadAgent, match=r"mine.py\(\) failed in check: ValueError: two seats only in line 3 of mine.py"):
        agent.fit(STICKS)
    agent.prepare(load_game("sticks(seats=2)"))
    assert agent.thing.ready


STUBBORN = """
class Mine:
    def decide(self, game, state):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass
"""


def test_the_deadline_of_a_match_is_not_swallowed(own):
    agent = own(STUBBORN)
    with pytest.raises(TooLong), deadline(0.2):
        agent.decide(STICKS, STICKS.new())


EXPERIMENT = """
question = "?"
game = "sticks(sticks=9)"
seating = "fixed"
[agents]
mine = "mine.py"
other = "mine.py(depth=2)"
random = "random"
[budget]
depth = 5
"""


def test_a_budget_of_an_experiment_reaches_the_settings_of_that_name(own, tmp_path):
    own()
    (tmp_path / "x.toml").write_text(EXPERIMENT)
    schedule = Schedule(read_experiment(tmp_path / "x.toml"))
    assert [str(agent) for agent in schedule.variants[0].agents] == ["mine.py(depth=5)", "mine.py(depth=2)", "random()"]
    assert schedule.variants[0].reproducible
    (tmp_path / "x.toml").write_text(EXPERIMENT.replace("depth = 5", "seconds = 0.5"))
    own(PLAIN.replace("depth=None", "seconds=None, depth=None"))
    assert not Schedule(read_experiment(tmp_path / "x.toml")).variants[0].reproducible


def test_an_edit_of_the_file_is_another_code(own, tmp_path):
    own()
    (tmp_path / "x.toml").write_text(EXPERIMENT)
    experiment = read_experiment(tmp_path / "x.toml")
    before = code_parts(Schedule(experiment))
    own(PLAIN.replace("[0]", "[1]"))
    after = code_parts(Schedule(experiment))
    assert {key for key in before if before[key] != after[key]} == {"agent mine", "agent other"}


def test_own_agents_are_told_apart(own):
    one, other = own(), own()
    assert one != other
    assert len({one, other}) == 2


def test_a_numpy_number_is_a_move(own):
    agent = own("import numpy as np\n" + decide("return np.int64(2)"))
    decision = agent.decide(STICKS, STICKS.new())
    assert type(decision.move) is int
    assert np.int64(2) == decision.move


def test_a_position_without_a_mover_is_refused(own):
    with pytest.raises(Mismatch, match="no seat is to move in sticks"):
        own().decide(STICKS, STICKS.position("left=0 seat=0 winner=1"))
