"""The page about agents and estimates of one's own: its files are written as it says, and its commands are run."""

import json
import re
import shlex
from pathlib import Path

import pytest

from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import open_store
from kingmaker.cli import main

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "adding_an_agent.md").read_text()
FILES = re.findall(r"^```(?:python|toml)\n# (\S+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = re.findall(r"^kingmaker .*$", PAGE, re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES:
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_has_its_three_files_and_all_its_commands():
    assert [name for name, _ in FILES] == ["my_agent.py", "my_tournament.toml", "my_estimate.py"]
    assert [command.split()[1] for command in COMMANDS] == ["match", "decide", "run", "decide", "match", "decide"]
    agent = dict(FILES)["my_agent.py"]
    assert len(agent.strip().splitlines()) <= 20


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(command, folder, capsys):
    assert main(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out


def test_an_agent_of_one_s_own_is_a_row_in_a_tournament(folder, capsys):
    """Two worker processes load the file by its name; the rows are those that one worker plays."""
    for workers, name in (("2", "two.db"), ("1", "one.db")):
        assert main(["run", "my_tournament.toml", "--workers", workers, "--store", name]) == 0, capsys.readouterr().err
    tables = []
    for name in ("two.db", "one.db"):
        with open_store(folder / name) as store:
            assert {row.agent: row.games for row in standings(store).table} == {
                "playouts": 12,
                "maxn": 12,
                "random": 12,
            }
            tables.append(list(store.rows("match, payoffs, seating, status")))
    assert tables[0] == tables[1]
    assert {row[3] for row in tables[1]} == {"finished"}
    capsys.readouterr()
    assert (
        main(["match", "sticks(sticks=9)", "my_agent.py(count=3)", "maxn(depth=4)", "random", "--games", "6", "--json"])
        == 0
    )
    rows = json.loads(capsys.readouterr().out)["agents"]
    assert "my_agent.py(count=3)" in [row["agent"] for row in rows]
