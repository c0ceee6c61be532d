"""`kingmaker completion`."""

import subprocess

import pytest

from kingmaker.cli import COMMANDS


@pytest.fixture
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("BASH_VERSION", "ZSH_VERSION", "FISH_VERSION", "ZSH", "ZSH_CUSTOM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def completed(home, *words):
    """What bash offers for the last of these words, in a shell that has read its start-up file."""
    line = " ".join(f"'{word}'" for word in words)
    script = (
        f'. "{home}/.bashrc"; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _kingmaker; echo "${{COMPREPLY[@]}}"'
    )
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()


def test_one_command_installs_completion_and_a_second_time_changes_nothing(run, home):
    first = run("completion", "--shell", "bash")
    assert (first.code, first.err) == (0, "")
    assert first.out.startswith(f"written to {home}")
    before = (home / ".bashrc").read_text()
    assert run("completion", "--shell", "bash").code == 0
    assert (home / ".bashrc").read_text() == before
    assert set(completed(home, "kingmaker", "")) >= set(COMMANDS)
    assert completed(home, "kingmaker", "match", "sticks", "--se") == ["--seating", "--seed"]
    assert completed(home, "kingmaker", "match", "sticks", "--seating", "r") == ["rotations"]
    assert completed(home, "kingmaker", "perft", "sticks", "--qu") == ["--quiet"]


def test_the_script_can_be_seen_instead(run, home):
    for shell in ("bash", "zsh", "fish"):
        script = run("completion", "--shell", shell, "--show").out
        assert all(name in script for name in COMMANDS)
    assert not list(home.iterdir())


def test_a_shell_that_nobody_knows_is_asked_for(refused, home, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/none")
    monkeypatch.setattr("subprocess.run", lambda *given, **options: subprocess.CompletedProcess(given, 1, "", ""))
    assert refused("completion") == "cannot tell which shell this is; name it, as in --shell bash"


def test_a_home_that_cannot_be_written_is_told(refused, home, monkeypatch):
    (home / "file").touch()
    monkeypatch.setenv("HOME", str(home / "file"))
    told = refused("completion", "--shell", "bash")
    assert told.startswith(f"cannot write the file '{home / 'file'}")
    assert told.endswith("; see it with --show")
