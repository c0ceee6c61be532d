"""Short labels for long texts, so that a table of agents or settings can be read.

An agent's text names every setting that was given. The label keeps only the settings in which the agent differs from
others of the same algorithm: `maxn(depth=4, estimate='territory')` and `maxn(depth=6, estimate='territory')` get the
labels `maxn(depth=4, …)` and `maxn(depth=6, …)`. A legend under the table holds the whole texts.
"""

from collections.abc import Iterable
from typing import Any

from kingmaker.core.notation import call_text, parse_call

MOST = 40  # letters of a label
REST = "…"


def labels(texts: Iterable[str], most: int = MOST) -> dict[str, str]:
    """A label for every text, no two alike; texts of at most so many letters are their own labels."""
    known = list(dict.fromkeys(texts))
    calls = {text: call_of(text) for text in known}
    found: dict[str, str] = {text: text for text in known if len(text) <= most}
    for text in known:
        if text not in found:
            label = differing(text, calls, most)
            taken, nth = {*found.values()}, 2
            while label in taken:
                label = f"{label.removesuffix(f' #{nth - 1}')} #{nth}"
                nth += 1
            found[text] = label
    return {text: found[text] for text in known}


def legend(shown: dict[str, str]) -> list[tuple[str, str]]:
    """The labels that differ from their texts, each with its text."""
    return [(label, text) for text, label in shown.items() if label != text]


def call_of(text: str) -> tuple[str, dict[str, Any]] | None:
    """The name and the settings of a text like `maxn(depth=4)`; None if it is of another kind."""
    try:
        name, arguments, keywords = parse_call(text)
    except (
        ValueError,
        RecursionError,
        MemoryError,
    ):  # a name may be any text, even one that Python's parser cannot read
        return None
    return (name, keywords) if keywords and not arguments else None


def differing(text: str, calls: dict[str, tuple[str, dict[str, Any]] | None], most: int) -> str:
    """The text with only those settings that differ from another of the same name; shortened if still too long."""
    call = calls[text]
    if call is not None:
        name, mine = call
        others = [other[1] for key, other in calls.items() if other and other[0] == name and key != text]
        kept = {key: value for key, value in mine.items() if any(other.get(key) != value for other in others)}
        inside = call_text("", kept)[1:-1]
        label = f"{name}({inside}, {REST})" if inside else f"{name}({REST})"
        return label if len(label) <= most else f"{name[: most - 3]}({REST})"
    return f"{text[: most - 1].rstrip()}{REST}"
