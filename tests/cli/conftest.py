"""Ways to run a command: in this process, or in one of its own."""

import os
import subprocess
import sys
from typing import NamedTuple

import pytest

from kingmaker.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs a command in this process; `typed` is what a person writes."""
    monkeypatch.setenv("COLUMNS", "80")

    def once(*argv, typed=""):
        if typed:
            lines = iter(typed.split("\n"))
            monkeypatch.setattr("builtins.input", lambda prompt: typed_line(prompt, lines))
        code = main(argv)
        return Ran(code, *capsys.readouterr())

    return once


def typed_line(prompt, lines):
    print(prompt, end="")
    for line in lines:
        return line
    raise EOFError


@pytest.fixture
def refused(run):
    """Runs a command that is refused: exit code 2, nothing on stdout, one line on stderr; that line without its
    head.
    """

    def once(*argv):
        ran = run(*argv)
        assert ran.code == 2
        assert ran.out == ""
        assert ran.err.startswith("kingmaker: ")
        assert ran.err.count("\n") == 1
        return ran.err.removeprefix("kingmaker: ").rstrip("\n")

    return once


@pytest.fixture
def started():
    """Starts `python -m kingmaker` in a process of its own, which ends with the test at the latest."""
    begun = []

    def once(*argv, environment=None, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
        command = [sys.executable, "-m", "kingmaker", *argv]
        begun.append(subprocess.Popen(command, env=os.environ | {"COLUMNS": "80"} | (environment or {}), **options))
        return begun[-1]

    yield once
    for process in begun:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe:
                pipe.close()
