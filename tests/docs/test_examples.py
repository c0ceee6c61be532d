"""Every example in the README and the docs runs."""

import re
import shlex
from pathlib import Path

import pytest

from kingmaker.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(kind):
    for page in PAGES:
        for number, block in enumerate(re.findall(rf"^```{kind}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)):
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
