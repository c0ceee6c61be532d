"""Write `api/`: the public names of Kingmaker, told by their own docstrings.

What is public is `kingmaker.__all__`; PAGES says on which page a name stands. Signatures, fields and the comments
behind them are read from the sources, docstrings from the objects. `make docs` runs this.
"""

import ast
import inspect
import re
import textwrap
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import kingmaker

DOCS = Path(__file__).resolve().parent
HOUSE = Path(kingmaker.__file__).resolve().parent
FOLDER = DOCS / "api"
WIDTH = 100


class Page(NamedTuple):
    title: str
    tells: str
    names: tuple[str, ...]


PAGES = {
    "games": Page(
        "Games",
        "What a game is, and what can be done with one. How to write one is told in [adding a game]"
        "(../adding_a_game.md).",
        ("Game", "Facts", "CHANCE", "OVER", "load_game", "drawing"),
    ),
    "estimates": Page(
        "Estimates",
        "What a position is worth where a search must stop. How to write one is told in [adding an estimate]"
        "(../adding_an_estimate.md).",
        ("Estimate", "win_probability"),
    ),
    "agents": Page(
        "Agents",
        "Who decides, within which limits, and what comes back. How to write one is told in [adding an agent]"
        "(../adding_an_agent.md); the algorithms have [pages of their own](../algorithms).",
        ("Agent", "Ask", "Progress", "Budget", "Decision", "load_agent", "compare"),
    ),
    "random_numbers": Page(
        "Random numbers",
        "Streams of random numbers that are the same in machine code and interpreted. The methods of a game or an "
        "agent are handed a stream as `rng`.",
        ("stream", "unit", "below", "shuffle"),
    ),
    "compiled_code": Page(
        "Compiled code",
        "How plain Python becomes machine code. A game or an estimate needs none of this but `scratch`; a search of "
        "one's own that is to be compiled does.",
        ("kernel", "Constant", "scratch", "scratch_floats"),
    ),
    "errors": Page("Errors", "What can go wrong, each a `ValueError` with one sentence.", ("KingmakerError",)),
}


class Source(NamedTuple):
    """A file of the house: what is defined in it, and the comment at the end of each line that has one."""

    path: Path
    tree: ast.Module
    comments: dict[int, str]


@cache
def source(module: str) -> Source:
    parts = module.split(".")[1:]
    path = HOUSE.joinpath(*parts).with_suffix(".py") if parts else HOUSE / "__init__.py"
    with path.open("rb") as lines:
        tokens = tokenize.tokenize(lines.readline)
        comments = {each.start[0]: each.string.lstrip("# ") for each in tokens if each.type == tokenize.COMMENT}
    return Source(path, ast.parse(path.read_text()), comments)


def home(module: str, name: str) -> tuple[Source, Any]:
    """The file that defines a name, and where; a file that only imports it leads to the one that does."""
    found = source(module)
    for node in found.tree.body:
        if isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names):
            return home(str(node.module), name)
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
            return found, node
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == name for each in node.targets
        ):
            return found, node
    raise SystemExit(f"cannot find where {module} gets '{name}' from; define it there or import it by name")


def plain(text: str) -> str:
    """Markdown of a docstring: paragraphs wrapped, indented blocks as they are."""
    blocks = []
    for block in inspect.cleandoc(text).split("\n\n"):
        blocks.append(block if block.startswith("    ") else filled(" ".join(block.split())))
    return "\n\n".join(blocks)


def filled(text: str, first: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def first_sentence(text: str) -> str:
    return " ".join(re.split(r"(?<=[.?!])\s", inspect.cleandoc(text).split("\n\n")[0], maxsplit=1)[0].split())


def signature(node: ast.FunctionDef, bound: bool) -> str:
    """A function as one calls it: without `self`, and without annotations that say nothing."""
    given = node.args
    plain_ones = [*given.posonlyargs, *given.args][1 if bound else 0 :]
    defaults = dict(zip(reversed([*given.posonlyargs, *given.args]), reversed(given.defaults), strict=False))
    defaults |= {key: value for key, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
    said = [argument(each, defaults.get(each)) for each in plain_ones]
    if given.vararg:
        said.append(f"*{argument(given.vararg, None)}")
    elif given.kwonlyargs:
        said.append("*")
    said += [argument(each, defaults.get(each)) for each in given.kwonlyargs]
    if given.kwarg:
        said.append(f"**{argument(given.kwarg, None)}")
    returned = ast.unparse(node.returns).strip("'\"") if node.returns else ""
    return f"{node.name}({', '.join(said)})" + (f" -> {returned}" if returned not in ("", "Any", "None") else "")


def argument(node: ast.arg, default: ast.expr | None) -> str:
    kind = ast.unparse(node.annotation) if node.annotation else "Any"
    typed = node.arg if kind in ("Any", "object") else f"{node.arg}: {kind}"
    if default is None:
        return typed
    return f"{typed}={ast.unparse(default)}" if typed == node.arg else f"{typed} = {ast.unparse(default)}"


def fields(found: Source, node: ast.ClassDef, known: set[str]) -> Iterator[str]:
    """The rows of a table of what a class declares with a type; methods that are declared as such are no fields, and
    what a class below declares again is told there.
    """
    for each in node.body:
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
            continue
        name, kind = each.target.id, re.sub(r"^ClassVar\[(.*)\]$", r"\1", ast.unparse(each.annotation))
        if name.startswith("_") or name in known or kind.startswith("Callable"):
            continue
        known.add(name)
        default = f"`{value_of(each.value)}`" if each.value is not None else ""
        cells = (f"`{name}`", f"`{kind}`", default, found.comments.get(each.end_lineno or 0, ""))
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def value_of(node: ast.expr) -> str:
    return re.sub(r"^field\(default_factory=(\w+)\)$", r"\1()", ast.unparse(node))


def methods(cls: type, node: ast.ClassDef) -> Iterator[str]:
    """The public methods and properties that a class defines itself, as a list."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            is_property = any("property" in ast.unparse(mark) for mark in each.decorator_list)
            text = inspect.getdoc(inspect.getattr_static(cls, each.name)) or ""
            said = f"`{each.name}`" if is_property else f"`{signature(each, bound=True)}`"
            first, *more = plain(text).split("\n\n")
            lines = [filled(f"- {said}: {' '.join(first.split())}" if first else f"- {said}", rest="  ")]
            yield "\n\n".join((*lines, *(textwrap.indent(block, "  ") for block in more)))


def described_class(cls: type) -> Iterator[str]:
    """A class: its docstring, its fields and methods, and those of its parents, of which public ones are only named."""
    known: set[str] = set()
    yield plain(cls.__doc__ or "")
    for each in cls.__mro__:
        if not each.__module__.startswith("kingmaker."):
            continue
        found, node = home(each.__module__, each.__name__)
        if each is not cls and each.__name__ in kingmaker.__all__:
            named = [f"`{one.name}`" for one in node.body if isinstance(one, ast.FunctionDef) and one.name[0] != "_"]
            yield filled(f"From [`{each.__name__}`]({link_to(each.__name__)}) it has {', '.join(named)}.")
            continue
        if each is not cls:
            yield f"### {first_sentence(each.__doc__ or '').rstrip('.')}"
        rows = list(fields(found, node, known))
        if rows:
            yield "\n".join(("| field | type | default | meaning |", "|---|---|---|---|", *rows))
        listed = list(methods(each, node))
        if listed:
            yield "\n".join(listed)


def described_errors() -> Iterator[str]:
    """The kinds of errors, all in one file."""
    found = source("kingmaker.core.errors")
    yield "The kinds that can be told apart, in `kingmaker.core.errors`:"
    rows = []
    for node in found.tree.body:
        if isinstance(node, ast.ClassDef) and node.name != "KingmakerError":
            rows.append(f"| `{node.name}` | {first_sentence(ast.get_docstring(node) or '')} |")
    yield "\n".join(("| error | meaning |", "|---|---|", *rows))


def link_to(name: str) -> str:
    page = next(page for page, told in PAGES.items() if name in told.names)
    return f"{page}.md#{name.lower()}"


def entry(name: str) -> Iterator[str]:
    """All that is told of one public name."""
    thing = getattr(kingmaker, name)
    found, node = home(f"kingmaker.{kingmaker.WHERE[name]}", name)
    place = found.path.relative_to(HOUSE)
    yield f"## {name}"
    where = f"[`{place}`](../../src/kingmaker/{place})"
    if isinstance(node, ast.ClassDef):
        yield f"A class in {where}."
        yield from described_class(thing)
    elif isinstance(node, ast.FunctionDef):
        yield filled(f"`{signature(node, bound=False)}` in {where}.")
        yield plain(thing.__doc__ or "")
    else:
        yield filled(f"`{ast.unparse(node)}` in {where}: {found.comments.get(node.end_lineno, '')}.")
    if name == "KingmakerError":
        yield from described_errors()


def told_in_short(name: str) -> str:
    found, node = home(f"kingmaker.{kingmaker.WHERE[name]}", name)
    if isinstance(node, ast.Assign):
        return found.comments.get(node.end_lineno or 0, "")
    return first_sentence(getattr(kingmaker, name).__doc__ or "")


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    placed = [name for page in PAGES.values() for name in page.names]
    for name in kingmaker.__all__:
        if placed.count(name) != 1:
            raise SystemExit(f"'{name}' is public and must stand on one page; add it to PAGES in docs/write_api.py")
    for name in placed:
        if name not in kingmaker.__all__:
            raise SystemExit(f"'{name}' is on a page and not public; take it out of PAGES in docs/write_api.py")
    made = "Written by `make docs` from the docstrings; to change a text here, change it there."
    rows = [
        f"| [`{name}`]({link_to(name)}) | {told_in_short(name)} |" for page in PAGES.values() for name in page.names
    ]
    texts = {
        "README.md": "\n\n".join(
            (
                "# The public names",
                "What `import kingmaker` offers.",
                "\n".join(("| name | |", "|---|---|", *rows)),
                made,
            )
        )
    }
    for file, page in PAGES.items():
        parts = [f"# {page.title}", filled(page.tells)]
        for name in page.names:
            parts += entry(name)
        texts[f"{file}.md"] = "\n\n".join((*(part for part in parts if part), f"*{made}*"))
    return {file: f"{text}\n" for file, text in texts.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    written = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in written:
            old.unlink()
    for file, text in written.items():
        (FOLDER / file).write_text(text)
