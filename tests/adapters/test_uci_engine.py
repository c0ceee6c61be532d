"""`kingmaker uci` as a process of its own: python-chess plays against it, and it ends when nobody is there any more."""

import itertools
import signal
import subprocess
import sys

import chess
import chess.engine
import pytest

from kingmaker.adapters.lines import LONGEST

PATIENCE = 300  # seconds before a test gives up; every wait ends by what it waits for
ALPHA_BETA = "alpha_beta(order=history, quiet=4, table=12)"
COMMAND = [sys.executable, "-m", "kingmaker", "uci"]


@pytest.mark.parametrize("agent", [ALPHA_BETA, "offensive", "mp_mix(td=0.1, to=0.1)"])
def test_python_chess_plays_against_it(agent):
    """Every kind of limit, a search that only `stop` ends, and pondering."""
    with chess.engine.SimpleEngine.popen_uci([*COMMAND, agent], timeout=PATIENCE) as engine:
        engine.ping()
        board = chess.Board()
        for limit in (
            chess.engine.Limit(depth=1),
            chess.engine.Limit(nodes=300),
            chess.engine.Limit(time=0.05),
            chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1),
        ):
            played = engine.play(board, limit, info=chess.engine.INFO_ALL)
            assert played.move in board.legal_moves
            board.push(played.move)
        with engine.analysis(board) as analysis:
            for info in itertools.islice(analysis, 50):
                if info.get("depth", 0) >= 2:
                    break
            analysis.stop()
            assert analysis.wait().move in board.legal_moves
        played = engine.play(board, chess.engine.Limit(white_clock=2, black_clock=2), ponder=True)
        board.push(played.move)
        if played.ponder:
            board.push(played.ponder)
        assert engine.play(board, chess.engine.Limit(depth=1)).move in board.legal_moves
        engine.quit()


@pytest.fixture
def engine():
    """A running engine that has said `readyok`."""
    process = subprocess.Popen(
        [*COMMAND, ALPHA_BETA], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    told(process, "isready", "readyok")
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def told(process, line, answer):
    """Say a line and read until the answer comes; the test run's own limit ends a wait for nothing."""
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    for said in process.stdout:
        if said.startswith(answer):
            return said
    pytest.fail(f"no {answer} after {line}: {process.stderr.read()}")


@pytest.mark.parametrize("limit", ["depth 100", "infinite", "nodes 4000000000000000000", "movetime 900000000"])
def test_no_orphan_searches_on_when_the_input_ends(engine, limit):
    told(engine, f"go {limit}", "info depth")
    out, err = engine.communicate(timeout=PATIENCE)
    assert engine.returncode == 0
    assert out.count("bestmove") == 1
    assert err == ""


def test_an_interrupt_ends_it_while_it_searches(engine):
    told(engine, "go infinite", "info depth")
    engine.send_signal(signal.SIGINT)
    engine.wait(timeout=PATIENCE)  # its input stays open, for at the end of input it would stop with 0
    _, err = engine.communicate()
    assert engine.returncode == 130
    assert "Traceback" not in err


def test_a_line_without_end_is_left_out(engine):
    for _ in range(40):
        engine.stdin.write("x" * LONGEST)
    assert told(engine, "", "info string").startswith(f"info string a line has more than {LONGEST} letters")
    told(engine, "isready", "readyok")
    _, err = engine.communicate("quit\n", timeout=PATIENCE)
    assert (engine.returncode, err) == (0, "")


def test_an_agent_that_cannot_play_chess_is_refused_at_once():
    refused = subprocess.run(
        [*COMMAND, "best_reply"], input="uci\n", capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert refused.returncode == 2
    assert refused.stderr.startswith("kingmaker: best_reply cannot play chess")
    assert refused.stdout == ""
