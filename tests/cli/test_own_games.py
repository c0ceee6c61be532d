"""Games of one's own on the command line: examined by themselves, played interpreted on request, and stopped with a
sentence.
"""

import signal
import threading

import pytest

from tests.samples import OWN_GAMES
from tests.soundness import games

FILE = games.__file__
HERE = "left=9 seat=0 winner=0 taken=0,1,0"  # play does not come back
LONG = 120  # seconds that no test takes


def own(cls, settings=""):
    return f"{FILE}:{cls.__name__}{settings}"


@pytest.mark.parametrize(
    "command",
    [
        ("decide", own(games.Objects), "maxn(depth=3)"),
        ("match", own(games.Objects), "maxn(depth=2)", "random", "random", "--games", "6"),
        ("tree", own(games.Objects), "maxn(depth=2)"),
        ("perft", own(games.Objects), "--depth", "3"),
        ("check", own(games.Objects), "--games", "5"),
        ("decide", own(games.Game), "random", "--interpreted"),
    ],
    ids=lambda command: command[0],
)
def test_object_states_need_no_texts(run, command):
    ran = run(*command)
    assert (ran.code, ran.err) == (0, "")


def test_a_person_plays_a_game_of_objects(run):
    ran = run("play", own(games.Objects, "(seats=2, sticks=9)"), "--against", "maxn(depth=1)", typed="1\nquit")
    assert ran.code == 0
    assert "left=9 seat=0 winner=0 past=[]" in ran.out
    assert "the match stands at left=" in ran.out
    assert "--position" not in ran.out


@pytest.mark.parametrize(
    "command",
    [
        ("decide", own(games.Remembering), "maxn(depth=2)"),
        ("match", own(games.Remembering), "random", "random", "random"),
        ("play", own(games.Remembering)),
        ("perft", own(games.Remembering), "--depth", "2"),
        ("decide", own(games.Remembering), "maxn(depth=2)", "--interpreted"),
    ],
    ids=lambda command: f"{command[0]}{command[-1]}",
)
def test_a_faulty_game_is_stopped_before_anything_rests_on_it(refused, command):
    assert (
        "`SEEN.append(move)`): expected it to change the state only, but "
        "it changes SEEN; keep what must last in the state" in refused(*command)
    )


UNCOMPILED = """
from tests.soundness.games import Pile, take

class Told(Pile):
    def play(self, state, seat, move):
        take(self, state, seat, move)
        state.taken[0] = len({each % 2 for each in range(move)})
"""


@pytest.fixture
def told(tmp_path):
    file = tmp_path / "told.py"
    file.write_text(UNCOMPILED)
    return str(file)


def test_what_cannot_be_compiled_is_told_and_then_runs_interpreted(run, refused, told):
    """The sentence advises it, so every command can do it."""
    assert "there is no machine code for a set written with braces" in refused("decide", told, "maxn(depth=2)")
    for command in (
        ("decide", told, "maxn(depth=2)"),
        ("match", told, "maxn(depth=1)", "mp_mix(depth=1)", "greedy", "--games", "6"),
        ("tree", told, "maxn(depth=2)"),
        ("perft", told, "--depth", "2"),
        ("check", told, "--games", "5"),
    ):
        ran = run(*command, "--interpreted")
        assert (ran.code, ran.err) == (0, ""), ran.out
    assert run("play", told, "--interpreted", "--against", "greedy", typed="1\n1\n1\n1\n1").code == 0


def test_an_experiment_runs_interpreted(run, told, tmp_path):
    file = tmp_path / "told.toml"
    lines = [
        f'question = "?"\ngame = "{told}"',
        "interpreted = true",
        '[agents]\na = "maxn(depth=1)"\nb = "random"\nc = "greedy"\n',
    ]
    file.write_text("\n".join(lines))
    assert run("run", str(file), "--workers", "1").code == 0
    file.write_text("\n".join(lines).replace("interpreted = true", ""))
    ran = run("run", str(file), "--workers", "1", "--store", str(tmp_path / "other.db"))
    assert ran.code == 2
    assert "there is no machine code for a set" in ran.err


def test_check_names_the_loop_without_end(run, monkeypatch):
    monkeypatch.setattr("kingmaker.soundness.trial.LONGEST", 0.5)
    ran = run("check", own(games.Endless))
    assert ran.code == 2
    assert "while state.left == 2:`; look for a loop without end" in " ".join(ran.out.split())


def test_check_gives_the_certificate(run, monkeypatch, tmp_path):
    from kingmaker.soundness import vouching

    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path))
    monkeypatch.setattr(vouching, "VERDICTS", {})
    game = f"{OWN_GAMES / 'nim.py'}(size=2)"
    assert run("check", game, "--games", "5").code == 0
    monkeypatch.setattr(vouching, "examined", lambda *_: pytest.fail("it was examined again"))
    assert run("decide", game, "maxn(depth=2)").code == 0


@pytest.mark.parametrize("agent", ["maxn(depth=9)", "maxn(seconds=100)"])
def test_ctrl_c_ends_machine_code_that_does_not_come_back(started, agent):
    """The first line of the examination says that it is at work; the loop comes when it is through."""
    process = started("decide", own(games.Trap), agent, "--position", HERE, stderr=None)
    waited = threading.Event()
    waited.wait(12)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=LONG) == 130
