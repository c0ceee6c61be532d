"""The pages about the public names are those that their docstrings make."""

import ast
import inspect
import re
import runpy
from pathlib import Path

import pytest

import kingmaker

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "api"
SCRIPT = str(ROOT / "docs" / "write_api.py")
PAGES = runpy.run_path(SCRIPT)["pages"]()


def test_there_is_no_page_too_many_or_too_few():
    assert {path.name for path in FOLDER.iterdir()} == {*PAGES}, (
        "docs/api has other pages than it should; run make docs"
    )


@pytest.mark.parametrize("page", PAGES)
def test_a_page_tells_what_the_docstrings_say(page):
    assert (FOLDER / page).read_text() == PAGES[page], f"docs/api/{page} is not up to date; run make docs"


@pytest.mark.parametrize("name", kingmaker.__all__)
def test_every_public_name_has_one_entry_and_a_line_in_the_list(name):
    assert [text.count(f"\n## {name}\n") for text in PAGES.values()].count(1) == 1
    assert f"| [`{name}`](" in PAGES["README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_links_from_page_to_page_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)]+)\)", " ".join(PAGES[page].split())):
        path, _, anchor = target.partition("#")
        assert (FOLDER / path).exists(), f"{page} links to {path}"
        if anchor:
            assert anchor in [line[3:].lower() for line in PAGES[path].splitlines() if line.startswith("## ")]


def public_things():
    for name in kingmaker.__all__:
        thing = getattr(kingmaker, name)
        if not isinstance(thing, int):
            yield pytest.param(thing, id=name)
        for cls in inspect.getmro(thing) if isinstance(thing, type) else ():
            if cls.__module__.startswith("kingmaker."):
                for key, member in vars(cls).items():
                    if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                        yield pytest.param(member, id=f"{name}.{key}")


@pytest.mark.parametrize("thing", list(public_things()))
def test_whatever_is_public_says_what_it_is_or_does(thing):
    text = inspect.cleandoc(thing.__doc__ or "")
    assert text, "a public name needs a docstring; open it with what it is or does"
    assert text.split("\n\n")[0].endswith((".", "?")), f"expected a whole sentence, got {text!r}"


def test_a_public_name_without_a_page_is_refused(monkeypatch):
    monkeypatch.setattr(kingmaker, "__all__", [*kingmaker.__all__, "Novelty"])
    with pytest.raises(SystemExit, match="'Novelty' is public and must stand on one page; add it to PAGES"):
        runpy.run_path(SCRIPT)["pages"]()


def test_a_name_on_a_page_that_is_not_public_is_refused(monkeypatch):
    monkeypatch.setattr(kingmaker, "__all__", [name for name in kingmaker.__all__ if name != "below"])
    with pytest.raises(SystemExit, match="'below' is on a page and not public; take it out of PAGES"):
        runpy.run_path(SCRIPT)["pages"]()


def test_a_name_that_is_defined_nowhere_is_refused():
    with pytest.raises(SystemExit, match=r"cannot find where kingmaker\.loading gets 'load_dice' from"):
        runpy.run_path(SCRIPT)["home"]("kingmaker.loading", "load_dice")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("def f(self, a: Any, b: int, *, c: str = 'x') -> None: ...", "f(a, b: int, *, c: str = 'x')"),
        ("def f(self, a=1, *rest: object, **named: Any) -> 'Game': ...", "f(a=1, *rest, **named) -> Game"),
    ],
)
def test_signatures_are_those_that_a_caller_writes(function, said):
    assert runpy.run_path(SCRIPT)["signature"](ast.parse(function).body[0], bound=True) == said
