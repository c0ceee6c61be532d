"""The matches of a store as text that can be committed, and a store made of them again on another machine.

What follows from the experiment and the number of a match (seating, seed, block) is not written down, nor are moves,
so a match takes about a hundred bytes. Tables, intervals and verdicts of the store that is made of them are the same,
and it can be played on; single matches cannot be replayed from it. Two files keep a store: NAME.csv has a row for each
match, NAME.json says what was played, by which code and where.
"""

import csv
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.experiment.declaration import Setup, experiment_from
from kingmaker.arena.experiment.schedule import Outline
from kingmaker.arena.results.result import FAILED, FINISHED, Result
from kingmaker.arena.results.store import Store, StoreFault, build, text, unpacked

COLUMNS = ("match", "code", "status", "payoffs", "moves", "nodes", "depths", "line", "start")
WORKER = "kept"  # who is said to have played a match that was kept


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept beside the matches."""

    experiment: str
    identity: str
    setups: list[Setup]
    machine: str
    codes: dict[str, tuple[dict[str, str], dict[str, str]]]  # parts and versions, by their numbers
    matches: int
    digest: str  # of the CSV file


def keep_matches(store: Store, folder: Path, name: str) -> list[Path]:
    """Write the matches of a store to two files in a folder; returns their paths. Failed ones are left out, so that
    they are played again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows, about = folder / f"{name}.csv", folder / f"{name}.json"
    count = 0
    with rows.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for row in kept_rows(store):
            table.writerow(row)
            count += 1
    codes = {str(code): (json.loads(parts), json.loads(versions)) for code, parts, versions in coded(store)}
    kept = About(
        experiment=store.meta("experiment"),
        identity=store.meta("identity"),
        setups=list(store.outline.variants),
        machine=store.meta("machine"),
        codes=codes,
        matches=count,
        digest=digest_of(rows),
    )
    about.write_text(json.dumps(msgspec.to_builtins(kept), indent=1) + "\n", encoding="utf-8")
    return [rows, about]


def coded(store: Store) -> Iterator[tuple[Any, ...]]:
    return store.rows("code, parts, versions", "codes", "code")


def kept_rows(store: Store) -> Iterator[list[Any]]:
    """A row for each match; the start of a block stands in the row of its first match."""
    starts = {
        (variant, block): position
        for variant, block, position in store.rows("variant, block, position", "starts WHERE hand = 0", "variant")
    }
    columns = "match, variant, block, code, status, payoffs, efforts, line"
    for number, variant, block, code, status, payoffs, efforts, line in store.rows(columns):
        if status != FAILED:
            spent = [" ".join(map(str, each)) for each in unpacked(efforts)]
            points = " ".join(map(repr, json.loads(payoffs)))
            yield [number, code, status, points, *spent, line, starts.pop((variant, block), "")]


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_about(folder: Path, name: str) -> About | None:
    """What is kept under a name; None if nothing is."""
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    try:
        return msgspec.convert(json.loads(path.read_text(encoding="utf-8")), About)
    except (ValueError, msgspec.ValidationError) as fault:
        raise StoreFault(f"{path} does not tell of kept matches: {fault}; take it from its source again") from None


def restore_store(folder: Path, name: str, path: Path) -> int:
    """Make a store of the matches that are kept under a name; returns their number. There must be no such store."""
    about, rows = read_about(folder, name), folder / f"{name}.csv"
    if about is None or not rows.exists():
        raise StoreFault(f"there are no kept matches of {name} in {folder}; name the folder that has {name}.csv")
    if digest_of(rows) != about.digest:
        raise StoreFault(f"{rows} is not the file that {name}.json tells of; take both from their source again")
    if path.exists():
        raise StoreFault(f"{path} exists; move it away, for kept matches become a store of their own")
    experiment = experiment_from(about.experiment)
    outline = Outline(experiment, about.setups)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as connection:
        build(connection, experiment)
        store = Store(unfinished, connection)
        with store.writing():
            told = {"setups": text(msgspec.to_builtins(about.setups)), "machine": about.machine}
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", told.items())
            connection.executemany(
                "INSERT INTO codes VALUES (?, ?, ?)",
                [(int(code), text(parts), text(versions)) for code, (parts, versions) in about.codes.items()],
            )
        found = list(read_rows(rows, outline))
        for code in about.codes:
            store.code = int(code)
            store.add(result for number, result in found if number == store.code)
    unfinished.rename(path)
    return len(found)


def read_rows(path: Path, outline: Outline) -> Iterator[tuple[int, Result]]:
    """The kept matches with the number of the code that played each."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            task = outline.task(int(row["match"]))
            finished = row["status"] == FINISHED
            seats = outline.variants[task.variant].seats
            moves, nodes, depths = (tuple(map(int, row[each].split())) for each in ("moves", "nodes", "depths"))
            payoffs = tuple(map(float, row["payoffs"].split()))
            if finished and not len(moves) == len(nodes) == len(depths) == len(payoffs) == seats:
                raise StoreFault(f"match {task.number} in {path} has not {seats} seats; take the file again")
            yield (
                int(row["code"]),
                Result(
                    number=task.number,
                    variant=task.variant,
                    block=task.block,
                    seating=task.seating,
                    seed=task.seed,
                    status=row["status"],
                    payoffs=payoffs,
                    moves=moves,
                    nodes=nodes,
                    depths=depths,
                    line=int(row["line"]),
                    starts=(row["start"],) if row["start"] else (),
                    seconds=(0.0,) * len(moves),
                    worker=WORKER,
                ),
            )
