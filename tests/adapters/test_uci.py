"""Engines on a seat: small programs that play, hang, die or talk nonsense."""

import sys
import time

import pytest

from kingmaker import load_agent, load_game
from kingmaker.adapters.uci import ENGINES, EngineFailure, Uci, close_all
from kingmaker.arena.match import play_match
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.games.parts.chess_fen import move_name

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
        from kingmaker.games.parts.chess_fen import move_name
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
        ("while True: print('noise', flush=True)", "did not answer 'uci' with 'uciok' within 3 seconds, its last line was 'noise'"),
        ("import time\ntime.sleep(60)", "did not answer 'uci' with 'uciok' within 3 seconds"),
        (GREETING + "input()\nprint('bestmove', flush=True)\ninput()", "answered 'bestmove' without a move"),
        (GREETING + "input()\nprint('bestmove e2e5', flush=True)\ninput()", "but 'e2e5' is illegal: a pawn does not go from e2 to e5"),
        (GREETING + "input()\nprint('bestmove (none)', flush=True)\ninput()", "answered 'bestmove (none)' at rnbqkbnr/"),
        (GREETING + "input()\nimport time\ntime.sleep(60)", "did not answer 'go movetime 100' with 'bestmove' within 3.1 seconds"),
        (GREETING + "import os\nos.close(1)\nimport time\ntime.sleep(60)", "closed its output after"),
    ],
)
def test_a_broken_engine_is_a_failure_of_that_agent(engine, program, sentence):
    agent = engine(program, patience=3)
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
    with pytest.raises(EngineFailure, match=r"cannot start 'no_such_engine' for .*: No such file or directory; is the engine installed"):
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


def test_an_engine_is_named_like_any_other_agent():
    from kingmaker import load_agent

    assert str(load_agent("uci(command='somebody', depth=3)")) == "uci(command='somebody', depth=3)"
