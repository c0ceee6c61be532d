"""The frame around every command: help, start-up, Ctrl-C, closed pipes, warnings."""

import inspect
import os
import pty
import signal
import subprocess
import sys
import threading
import time
import warnings
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

from kingmaker import __version__
from kingmaker.cli import COMMANDS, main, patience

BIKES = "light_bike(seats=3)"
SHORT = 60  # seconds that a process may take to end at all


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(run, name):
    ran = run(name, "--help")
    assert ran.code == 0
    assert "Example: kingmaker " + name in ran.out
    assert all(len(line) <= 80 for line in ran.out.splitlines())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_the_command_says_of_itself(name):
    function = getattr(import_module(f"kingmaker.cli.{name}"), name)
    assert inspect.getdoc(function).partition("\n")[0] == COMMANDS[name]


def test_without_a_command_the_help_is_shown(run):
    assert run().out == run("--help").out
    assert all(name in run("--help").out for name in COMMANDS)


def test_the_version_is_the_package_s(run):
    assert run("--version").out.strip() == __version__


def test_help_imports_nothing_heavy():
    line = "import sys; from kingmaker.cli import main; main(['--help']); print(*sys.modules)"
    loaded = (
        subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
        .stdout.splitlines()[-1]
        .split()
    )
    assert "cyclopts" in loaded
    assert not {"numba", "numpy", "scipy", "kingmaker.games", "kingmaker.search"} & set(loaded)


def test_python_dash_m_runs_the_same_commands(started):
    process = started("decide", "sticks", "maxn(depth=0)")
    out, err = process.communicate(timeout=SHORT)
    assert (process.returncode, out) == (2, "")
    assert (
        err == "kingmaker: expected a budget of at least 1 for depth, got 0 in maxn(depth=0); "
        "leave it out to search for one second\n"
    )


def worked(process):
    """The seconds of a processor that a process has used; on a busy machine they pass more slowly than time."""
    times = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def interrupted(process, after):
    while worked(process) < after:
        assert process.poll() is None, "it ended before it could be interrupted"
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=SHORT)


@pytest.mark.parametrize(
    "command",
    [
        ("decide", BIKES, "maxn(depth=60)"),
        ("decide", BIKES, "maxn(depth=60)", "--interpreted"),
        ("perft", BIKES, "--depth", "60"),
    ],
    ids=" ".join,
)
def test_ctrl_c_ends_a_long_search_without_a_word(started, command):
    process = started(*command)
    out, err = interrupted(process, after=3.0)
    assert (process.returncode, out, err) == (130, "", "")


def test_ctrl_c_waits_until_numba_has_compiled(monkeypatch):
    seen = []

    def compiling():
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)
        seen.append("done")

    numba_s = FunctionType(
        compiling.__code__, {"__name__": "numba.core", "signal": signal}, closure=compiling.__closure__
    )

    def searching(tokens):
        numba_s()
        time.sleep(SHORT)

    monkeypatch.setattr("kingmaker.cli.application", lambda argv: searching)
    assert main(["decide"]) == 130
    assert seen == ["done"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_compiling_ends_as_at_any_other_time(started, tmp_path):
    process = started("decide", BIKES, "maxn(depth=60)", environment={"KINGMAKER_CACHE": str(tmp_path)})
    out, err = interrupted(process, after=1.5)
    assert (process.returncode, out, err) == (130, "", "")


def pressed():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(SHORT)


def test_ctrl_c_of_a_command_that_has_ended_ends_nobody_else(monkeypatch):
    left = []
    monkeypatch.setattr(patience, "leave", lambda: left.append(True))
    monkeypatch.setattr(patience, "LATEST", 0.05)
    monkeypatch.setattr(patience, "fragile", lambda frame: threading.current_thread() is not threading.main_thread())
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt), patience.patient():
        pressed()
    for thread in set(threading.enumerate()) - before:
        thread.join(SHORT)
    assert not left


def test_ctrl_c_that_is_ignored_stays_ignored(run, monkeypatch):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        monkeypatch.setattr("kingmaker.cli.application", lambda argv: lambda tokens: signal.raise_signal(signal.SIGINT))
        assert run("games").code == 0
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_inside_generated_code_is_no_different():
    line = (
        "import kingmaker.cli as k; k.application = lambda argv: lambda "
        "typed: exec('raise KeyboardInterrupt'); exit(k.main([]))"
    )
    ran = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_ctrl_c_in_a_terminal_leaves_the_cursor_and_the_table(started):
    theirs, ours = pty.openpty()
    process = started("match", "sticks", "maxn(seconds=0.01)", "random", "--games", "5000", stdout=ours, stderr=ours)
    os.close(ours)
    seen = b""
    while seen.count(b"/5000") < 5:  # the bar moves
        seen += os.read(theirs, 4096)
    process.send_signal(signal.SIGINT)
    seen += rest(theirs)
    assert process.wait(timeout=SHORT) == 130
    assert seen.rindex(b"\x1b[?25h") > seen.rindex(b"\x1b[?25l")
    assert b"of 5000 matches (interrupted)" in seen
    assert b"Traceback" not in seen


def rest(terminal):
    read = b""
    try:
        while part := os.read(terminal, 4096):
            read += part
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    return read


def test_a_reader_that_stops_reading_is_no_fault(started):
    process = started("tree", "sticks", "maxn(depth=6)")
    assert process.stdout.readline() == "{\n"
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=SHORT)
    assert (process.returncode, err) == (0, "")


def test_a_terminal_without_the_letters_still_shows_the_table(started):
    process = started("games", environment={"PYTHONIOENCODING": "ascii"})
    out, err = process.communicate(timeout=SHORT)
    assert (process.returncode, err) == (0, "")
    assert "light_bike" in out


def test_a_cache_that_cannot_be_written_is_told_once_and_everything_works(started):
    process = started(
        "match",
        "sticks",
        "maxn(depth=2)",
        "paranoid(depth=2)",
        "--games",
        "6",
        environment={"KINGMAKER_CACHE": "/dev/null/x"},
    )
    out, err = process.communicate(timeout=2 * SHORT)
    assert process.returncode == 0
    assert "6 matches of sticks" in out
    told = [line for line in err.splitlines() if " matches, " not in line]
    assert len(told) == 1
    assert told[0].startswith("kingmaker: cannot write compiled code to /dev/null/x")


def test_warnings_are_plain_lines(run, monkeypatch):
    def warned():
        warnings.warn("the weather\nturns", UserWarning, stacklevel=1)

    monkeypatch.setattr("kingmaker.cli.application", lambda argv: lambda tokens: warned())
    warnings.simplefilter("always")
    ran = run("games")
    assert (ran.code, ran.err) == (0, "kingmaker: the weather turns\n")


def test_a_fault_of_ours_is_not_hidden(run, monkeypatch):
    def broken(tokens):
        raise LookupError(int("3"))

    monkeypatch.setattr("kingmaker.cli.sentences.is_theirs", lambda file: False)
    monkeypatch.setattr("kingmaker.cli.application", lambda argv: broken)
    with pytest.raises(LookupError):
        run("games")


def test_too_little_memory_is_a_sentence(refused, monkeypatch):
    def greedy(tokens):
        raise MemoryError("unable to allocate 12 GiB")

    monkeypatch.setattr("kingmaker.cli.application", lambda argv: greedy)
    assert refused("games") == "not enough memory: unable to allocate 12 GiB"


AT_THE_END = """
import atexit, gc, os, sys
os.environ.pop("OPENBLAS_NUM_THREADS", "")
seen = lambda: print(gc.get_freeze_count() > 1000, "OPENBLAS_NUM_THREADS" in os.environ)
atexit.register(seen)  # the first to be registered is the last to be called
sys.argv[1:] = ["--version"]
from kingmaker.cli import main
main({argument})
"""


@pytest.mark.parametrize(("argument", "ours"), [("", "True"), ("sys.argv[1:]", "False")])
def test_only_a_process_of_our_own_does_without_threads_for_matrices_and_a_last_search_for_garbage(argument, ours):
    line = AT_THE_END.format(argument=argument)
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == ([__version__, ours, ours], "")
