"""Engines on a seat: small programs that play, hang, die or talk nonsense."""

import json
import re
import sys
import time

import pytest

from kingmaker import load_agent, load_game
from kingmaker.adapters.uci import ENGINES, EngineFailure, Uci, close_all, number
from kingmaker.arena.experiment.declaration import read_experiment, timed
from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import open_store
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.table.deadline import TooLong, deadline
from kingmaker.arena.table.match import play_match
from kingmaker.cli import main
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.games.parts.chess.fen import move_name

GAME = load_game("chess")
POLITE = """
import sys
from kingmaker import load_game
game = load_game("chess")
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("Some banner without meaning")
        print("uciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "setoption":
        print("info string set", *words[1:], flush=True)
    elif words[0] == "position":
        at = words.index("moves") if "moves" in words else len(words)
        state = game.position(" ".join(words[2:at]))
        for move in words[at + 1 :]:
            state = game.after(state, game.parse(state, state.seat, move))
    elif words[0] == "go":
        from kingmaker.games.parts.chess.fen import move_name
        print(f"info depth 3 nodes 77 score cp 1 string {line.strip()} length {state.length}")
        print("bestmove", move_name(game.legal(state)[0]), flush=True)
    elif words[0] == "quit":
        break
"""
GREETING = "print('uciok', flush=True)\ninput()\ninput()\ninput()\nprint('readyok', flush=True)\n"


@pytest.fixture
def engine(tmp_path):
    """Write a program; the agent that starts it."""

    def written(program, **settings):
        path = tmp_path / "engine.py"
        path.write_text(program)
        return Uci(command=f"{sys.executable} {path}", **settings)

    yield written
    close_all()
    ENGINES.clear()


def test_an_engine_plays_a_whole_match_and_stays_running(engine):
    agent = engine(POLITE, nodes=10)
    match = play_match(GAME, [agent, load_agent("random")], seed=3)
    assert match.finished
    assert len(ENGINES) == 1
    assert match.efforts[0].nodes == 77 * match.efforts[0].moves


def test_an_engine_is_told_budget_options_and_the_moves_before(engine):
    state = GAME.new()
    for move in ("Nf3", "Nf6", "Ng1"):
        state = GAME.after(state, GAME.parse(state, state.seat, move))
    decision = engine(POLITE, depth=4, seconds=0.25, options="Skill Level=3; Threads=1").decide(GAME, state)
    assert decision.move in GAME.legal(state)
    assert (decision.nodes, decision.depth) == (77, 3)
    assert decision.notes["info"].endswith("string go depth 4 movetime 250 length 3")
    assert engine(POLITE).limits() == "movetime 100"


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("", "ended with exit code 0 after"),
        ("import sys; sys.exit(3)", "ended with exit code 3 after"),
        (
            "import time\nprint('hello', flush=True)\ntime.sleep(60)",
            "did not answer 'uci' with 'uciok' within 3 seconds, its last line was 'hello'",
        ),
        (
            "while True: print('noise', flush=True)",
            "did not answer 'uci' with 'uciok' within 3 seconds, its last line was 'noise'",
        ),
        ("import time\ntime.sleep(60)", "did not answer 'uci' with 'uciok' within 3 seconds"),
        (
            "import sys\nwhile True: sys.stdout.write('no newline ')",
            "did not answer 'uci' with 'uciok' within 3 seconds",
        ),
        (GREETING + "input()\nprint('bestmove', flush=True)\ninput()", "answered 'bestmove' without a move"),
        (
            GREETING + "input()\nprint('bestmove e2e5', flush=True)\ninput()",
            "but 'e2e5' is illegal: a pawn does not go from e2 to e5",
        ),
        (
            GREETING + "input()\nprint('bestmove (none)', flush=True)\ninput()",
            "answered 'bestmove (none)' at rnbqkbnr/",
        ),
        (
            GREETING + "input()\nimport time\ntime.sleep(60)",
            "did not answer 'go movetime 100' with 'bestmove' within 3.1 seconds",
        ),
        (GREETING + "import os\nos.close(1)\nimport time\ntime.sleep(60)", "closed its output after"),
    ],
)
def test_a_broken_engine_is_a_failure_of_that_agent(engine, program, sentence):
    agent = engine(program, patience=3 if "within" in sentence else 60)
    started = time.perf_counter()
    with pytest.raises(EngineFailure) as caught:
        agent.decide(GAME, GAME.new())
    assert str(caught.value).startswith("uci(command=")
    assert sentence in str(caught.value)
    assert time.perf_counter() - started < 50, "the sleeper was waited for"
    assert not ENGINES


def test_an_engine_that_died_between_moves_is_told_and_then_started_anew(engine):
    agent = engine(POLITE)
    agent.decide(GAME, GAME.new())
    running = next(iter(ENGINES.values()))
    running.process.kill()
    running.process.wait()
    with pytest.raises(EngineFailure, match="ended with exit code -9 after"):
        agent.decide(GAME, GAME.new())
    assert move_name(agent.decide(GAME, GAME.new()).move)


def test_an_engine_that_is_not_there_is_named():
    with pytest.raises(
        EngineFailure, match=r"cannot start 'no_such_engine' for .*: No such file or directory; is the engine installed"
    ):
        Uci(command="no_such_engine").decide(GAME, GAME.new())


def test_wrong_settings_are_refused():
    with pytest.raises(BadParameter, match="expected the command that starts an engine, got '' in uci"):
        Uci(command="")
    with pytest.raises(BadParameter, match="expected engine options like 'Skill Level=3; Threads=1', got 'Threads'"):
        Uci(options="Threads")
    with pytest.raises(BadParameter, match="expected a patience of more than 0 seconds, got 0"):
        Uci(patience=0)
    with pytest.raises(BadParameter, match=r"expected a budget of at least 1 for depth, got 0 in uci\(depth=0\)"):
        Uci(depth=0)


def test_an_engine_plays_chess_only_and_only_where_there_is_a_move(engine):
    with pytest.raises(Mismatch, match=r"cannot play sticks\(\), only chess; use one of our own searches"):
        engine(POLITE).decide(load_game("sticks"), load_game("sticks").new())
    with pytest.raises(Mismatch, match=r"no seat is to move in .*; there is nothing to decide"):
        engine(POLITE).decide(GAME, GAME.position("k7/8/8/8/8/8/8/K7 w - - 0 1"))


def test_figures_of_any_length_in_what_an_engine_says_are_no_fault():
    assert number("info depth 3 nodes 77", "nodes") == 77
    assert number(f"info depth {'9' * 5000}", "depth") == 0
    assert number("info depth", "depth") == 0


def test_an_engine_without_a_budget_is_not_reproducible():
    assert Uci().budget.seconds == 0.1
    assert timed(Uci())
    assert not timed(Uci(depth=3))


def test_an_engine_is_named_like_any_other_agent():
    from kingmaker import load_agent

    assert str(load_agent("uci(command='somebody', depth=3)")) == "uci(command='somebody', depth=3)"


FAULTS = {
    "hangs": ("time.sleep(3600)", "did not answer 'go depth 1' with 'bestmove' within 5.1 seconds"),
    "dies": ("sys.exit(3)", "ended with exit code 3 after 'go depth 1'"),
    "talks nonsense": ("print('bestmove e9e9', flush=True)", "answered 'bestmove e9e9' at"),
    "outlasts the match": ("time.sleep(3600)", "did not come to an end within the match's limit of 3 s"),
}
EXPERIMENT = """
question = "What becomes of an engine that fails?"
game = "chess(opening=4)"
starts = 1
[agents]
engine = "uci(command='{command}', depth=1, patience={patience})"
random = "random"
[limits]
seconds = {limit}
"""


def failing(path, fault, after):
    """Write a program that answers so many times and then fails; how to start it."""
    counted = f'words[0] == "go":\n        answers += 1\n        if answers > {after}:\n            {fault}\n'
    path.write_text("import time\nanswers = 0\n" + POLITE.replace('words[0] == "go":\n', counted))
    return f"{sys.executable} {path}"


@pytest.mark.parametrize("kind", FAULTS)
def test_an_experiment_records_a_broken_engine_as_that_agent_s_failure(tmp_path, kind):
    fault, sentence = FAULTS[kind]
    patience, limit = (60, 3) if kind == "outlasts the match" else (5, 60)
    file = tmp_path / "engine.toml"
    file.write_text(
        EXPERIMENT.format(command=failing(tmp_path / "engine.py", fault, after=2), patience=patience, limit=limit)
    )
    running = run_experiment(read_experiment(file), tmp_path / "s.db", workers=1)
    assert (running.done, running.failed) == (2, 2)
    with open_store(tmp_path / "s.db") as store:
        for status, told, culprit, seating in store.rows("status, fault, culprit, seating"):
            assert status == "failed"
            assert culprit == json.loads(seating).index(0)
            assert sentence in told
        assert {row.agent: row.faults for row in standings(store).table} == {"engine": 2, "random": 0}


def test_an_answer_that_nobody_waited_for_is_not_taken_for_the_next(engine):
    """A match's deadline cuts in while the engine thinks; the next match asks a fresh one."""
    slow = POLITE.replace(
        '    elif words[0] == "go":\n', '    elif words[0] == "go":\n        import time\n        time.sleep(1.0)\n'
    )
    agent = engine(slow, depth=1)
    with pytest.raises(TooLong), deadline(0.5):
        agent.decide(GAME, GAME.new())
    assert not ENGINES
    state = GAME.position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert agent.decide(GAME, state).move in GAME.legal(state)


@pytest.mark.parametrize("as_json", [False, True])
def test_matches_before_an_engine_failed_are_told_and_then_the_failure(tmp_path, capsys, as_json):
    """Each match asks the engine at least once; it has answers for some matches and dies in a later one."""
    command = failing(tmp_path / "engine.py", "sys.exit(3)", after=400)
    arguments = [
        "match",
        "chess",
        f"uci(command='{command}', depth=1)",
        "random",
        "--games",
        "40",
        *(["--json"] if as_json else []),
    ]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert re.search(
        r'"played": [1-9]' if as_json else r"^\d+ of 40 matches \(an agent failed\) of chess", out, re.MULTILINE
    )
    *progress, last = err.splitlines()  # on a busy machine there are lines of progress before it
    assert re.fullmatch(r"kingmaker: uci\(command=.*ended with exit code 3 after 'go depth 1'", last)
    assert all(" of 40 matches, " in line for line in progress)
    assert not ENGINES


def test_an_engine_that_fails_at_once_is_told_in_one_line(capsys):
    assert main(["match", "chess", "uci(command='no_such_engine')", "random", "--games", "4"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("kingmaker: cannot start 'no_such_engine' for uci(")
    assert err.count("\n") == 1
