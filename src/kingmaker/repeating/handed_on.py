"""Matches handed on from machine to machine: a folder of text files keeps every match of a table, so that a run goes on
where another one stopped although its store is gone.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from kingmaker.arena.results.kept_matches import keep_matches, read_about, restore_store
from kingmaker.arena.results.store import open_store
from kingmaker.repeating.paper import Part
from kingmaker.repeating.plan import store_of


def take_over(parts: Sequence[Part], kept: Path, folder: Path) -> Iterator[str]:
    """Make a store of the kept matches of every table that has no store yet; tells what was done."""
    for part, path in with_stores(parts, folder):
        about = None if path.exists() else read_about(kept, path.stem)
        if about is None:
            continue
        if about.identity != part.experiment.identity:
            yield f"{part.full_name}: the kept matches are of another experiment and are left alone"
            continue
        yield f"{part.full_name}: {restore_store(kept, path.stem, path):,} matches were kept and are taken over"


def hand_on(parts: Sequence[Part], kept: Path, folder: Path) -> Iterator[Path]:
    """Keep the matches of every table of which the store has more than are kept; returns the paths."""
    for _, path in with_stores(parts, folder):
        if path.exists():
            about = read_about(kept, path.stem)
            with open_store(path) as store:
                if store.count() > (about.matches if about is not None else 0):
                    yield from keep_matches(store, kept, path.stem)


def with_stores(parts: Sequence[Part], folder: Path) -> Iterator[tuple[Part, Path]]:
    """The tables of matches, each with its store; samples are quickly taken again."""
    return ((part, store_of(part, folder)) for part in parts if part.samples is None)
