"""Every example in the README and the docs runs."""

import json
import re
import shlex
from pathlib import Path

import pytest
from cyclopts.exceptions import MissingArgumentError

from kingmaker import load_agent, load_game
from kingmaker.arena.tuning.ranges import filled_in, ranges_in
from kingmaker.cli import application, main

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(kind):
    for page in PAGES:
        for number, block in enumerate(
            re.findall(rf"^```{kind}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
        ):
            yield pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")


@pytest.mark.parametrize("block", list(blocks("console")))
def test_the_commands_of_the_docs_run(block, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    for line in block.splitlines():
        command = shlex.split(line.removeprefix("$ "))
        assert line.startswith("$ kingmaker "), f"expected only commands in a console block, got {line!r}"
        code = main(command[1:])
        printed = capsys.readouterr()
        assert code == 0, f"{line}: {printed.err}"
        assert printed.out, line


@pytest.mark.parametrize("block", list(blocks("python")))
def test_the_python_of_the_docs_runs(block, capsys):
    exec(compile(block, "docs", "exec"), {"__name__": "docs"})


def written_commands():
    """Every command that a page mentions, in a block of any kind or within a sentence."""
    for page in PAGES:
        text = page.read_text()
        for found in re.finditer(r"^(?:    |\$ )?(kingmaker .+)$|`(kingmaker [^`\n]+)`", text, re.MULTILINE):
            line = text[: found.start()].count("\n") + 1
            yield pytest.param(found[1] or found[2], found[2] is not None, id=f"{page.relative_to(ROOT)}-{line}")


def test_commands_are_found_in_all_their_forms():
    assert len({param.id.partition("-")[0] for param in written_commands()}) > 20


@pytest.mark.parametrize(("line", "in_a_sentence"), list(written_commands()))
def test_every_command_that_the_docs_mention_can_be_read(line, in_a_sentence, monkeypatch):
    """It has the arguments and options that the command takes, and its games and agents can be made."""
    monkeypatch.chdir(ROOT)
    argv = shlex.split(line, comments=True)[1:]
    if argv[0].startswith("--"):
        return
    try:
        _, bound, _ = application(argv).parse_args(argv)
    except MissingArgumentError:
        assert in_a_sentence, f"{line}: an argument is missing"
        assert len(argv) == 1, f"{line}: an argument is missing"
        return
    given = bound.arguments
    for kind, load, texts in (
        ("game", load_game, [given.get("game")]),
        ("agent", load_agent, [given.get("agent"), *given.get("agents", ()), *(given.get("against") or ())]),
    ):
        for text in texts:
            if text and not text.startswith("my_") and text != "NAME":
                if text == given.get("agent") and (argv[0] == "tune" or (argv[0] == "impact" and ".." in text)):
                    text = filled_in(text, {each.name: each.low for each in ranges_in(text)})  # noqa: PLW2901
                assert load(text), f"{line}: no such {kind}"
    for path in given.values():
        if isinstance(path, Path) and path.suffix == ".toml" and len(path.parts) > 1:
            assert path.exists(), f"{line}: there is no {path}"


def test_the_match_of_the_readme_teaches_what_the_text_below_it_says(monkeypatch, capsys):
    """Both searches are clearly better than random play, and the two cannot be told apart; the printed numbers are
    those of the command.
    """
    text = (ROOT / "README.md").read_text()
    (line,) = re.findall(r"^\$ kingmaker (match .+)$", text, re.MULTILINE)
    assert main([*shlex.split(line), "--json"]) == 0
    first, second, last = json.loads(capsys.readouterr().out)["agents"]
    assert last["agent"] == "random"
    assert last["win_interval"][1] < min(first["win_interval"][0], second["win_interval"][0])
    assert 2 * last["win_rate"] < second["win_rate"]
    assert second["win_interval"][1] > first["win_interval"][0]
    for row in (first, second, last):
        low, high = (f"{100 * bound:.0f}" for bound in row["win_interval"])
        wanted = rf"^{re.escape(row['agent'])} +{row['games']} +{100 * row['win_rate']:.1f} +{low}–{high} "
        assert re.search(wanted, text, re.MULTILINE), row["agent"]
