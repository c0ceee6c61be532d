"""The store: one SQLite file with one row for each match. Only the coordinator writes; others may read at the same
time, and reading runs no code of the game.

What follows from the experiment is in `matches` and `records` and is the same bit for bit wherever and however often it
was played; what differs from run to run (seconds, worker) is in `timings`. docs/measuring.md describes every column.
"""

import json
import os
import platform
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kingmaker.arena.experiment.declaration import Experiment, Setup, experiment_from
from kingmaker.arena.experiment.schedule import Outline, schedule_of
from kingmaker.arena.results.damage import damage_in
from kingmaker.arena.results.machine import machine
from kingmaker.arena.results.older import STARTS, mended, shown_as_today, told_setups
from kingmaker.arena.results.reading import reading_connection
from kingmaker.arena.results.result import FAILED, Result
from kingmaker.core.errors import KingmakerError

VERSION = 2
OLDER = (1,)  # versions that are read, and brought up to date by a coordinator
APPLICATION = 0x4B4D4B52  # "KMKR"
PAGE = 10_000  # rows read at a time

SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE codes (code INTEGER PRIMARY KEY, parts TEXT NOT NULL, versions TEXT NOT NULL);
CREATE TABLE matches (
    match INTEGER PRIMARY KEY, variant INTEGER NOT NULL, block INTEGER NOT NULL,
    seed INTEGER NOT NULL, status TEXT NOT NULL,
    seating TEXT NOT NULL, payoffs TEXT NOT NULL, efforts BLOB NOT NULL,
    fault TEXT NOT NULL, culprit INTEGER, code INTEGER NOT NULL REFERENCES codes, line INTEGER NOT NULL
);
CREATE TABLE records (match INTEGER PRIMARY KEY REFERENCES matches, hands TEXT NOT NULL, vals TEXT, ends TEXT);
{STARTS};
CREATE TABLE timings (
    match INTEGER PRIMARY KEY REFERENCES matches, seconds TEXT NOT NULL, wall REAL NOT NULL, worker TEXT NOT NULL
);
CREATE INDEX failures ON matches (match) WHERE status = 'failed';
"""


class StoreFault(KingmakerError):
    """A store that cannot be read or written, or that belongs to something else."""


class Store:
    """An open store."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self.connection = path, connection
        self.code = 0
        self.lock: sqlite3.Connection | None = None
        self.folder: tempfile.TemporaryDirectory[str] | None = None  # of a copy that is read in place of the store

    def close(self) -> None:
        if self.lock:
            self.fold()
        self.connection.close()
        if self.lock:
            self.lock.close()
        if self.folder:
            self.folder.cleanup()

    def fold(self) -> None:
        """Merge the write-ahead log into the store, so that one file is left; if the store is being read, the next
        coordinator does it.
        """
        with suppress(sqlite3.Error):
            self.connection.execute("PRAGMA busy_timeout = 1000")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.connection.execute("PRAGMA journal_mode = DELETE")

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, _kind: object, fault: BaseException | None, _trace: object) -> None:
        """Raise an error of reading as StoreFault if the store is damaged; other exceptions stay what they are."""
        try:
            if isinstance(fault, Exception) and not isinstance(fault, (KingmakerError, OSError)):
                found = damage_in(self) or (str(fault) if isinstance(fault, sqlite3.Error) else "")
                if found:
                    raise StoreFault(
                        f"cannot read {self.path}: {found}; the file is damaged, "
                        "restore it from a backup or begin another with --store"
                    ) from fault
        finally:
            self.close()

    def meta(self, key: str) -> str:
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])

    @property
    def experiment(self) -> Experiment:
        try:
            return experiment_from(self.meta("experiment"))
        except (ValueError, RecursionError) as fault:
            raise StoreFault(f"{self.path} holds no experiment that can be read: {fault}") from None

    @cached_property
    def outline(self) -> Outline:
        """The outline of the experiment; no game and no agent is made for it."""
        experiment, kept = self.experiment, self.meta("setups")
        try:
            setups = (
                msgspec.convert(json.loads(kept), list[Setup]) if kept else told_setups(experiment, self.connection)
            )
        except (ValueError, RecursionError) as fault:
            raise StoreFault(f"{self.path} does not say what was played: {fault}") from None
        names = list(experiment.agents)
        if [each.settings for each in setups] != experiment.variants or any(
            each.names != names or len(each.forms) != len(names) for each in setups
        ):
            raise StoreFault(f"{self.path} does not say what was played: its settings are not those of its experiment")
        return Outline(experiment, setups)

    def add(self, results: Iterable[Result]) -> None:
        """Store matches, all or none of them."""
        results = list(results)
        with self.writing():
            self.connection.executemany(
                "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        r.number,
                        r.variant,
                        r.block,
                        r.seed,
                        r.status,
                        text(r.seating),
                        text(r.payoffs),
                        packed(r),
                        r.fault,
                        r.culprit,
                        self.code,
                        r.line,
                    )
                    for r in results
                ],
            )
            self.connection.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?)",
                [
                    (r.number, text(r.hands), None if r.values is None else text(r.values), text(r.ends))
                    for r in results
                ],
            )
            self.connection.executemany(
                "INSERT OR IGNORE INTO starts VALUES (?, ?, ?, ?)",
                [(r.variant, r.block, hand, position) for r in results for hand, position in enumerate(r.starts)],
            )
            self.connection.executemany(
                "INSERT INTO timings VALUES (?, ?, ?, ?)",
                [(r.number, text(r.seconds), r.wall, r.worker) for r in results],
            )

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction; an error of the disk is raised as a sentence, and rows stored before stay."""
        try:
            with self.connection:
                yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as fault:
            raise StoreFault(
                f"cannot write to {self.path}: {fault}; what was stored before is safe, run the same command to go on"
            ) from fault

    def missing(self, total: int) -> Iterator[int]:
        """The match numbers without a row, in order; read page by page, so that memory does not grow with the store."""
        at = 0
        while at < total:
            query = "SELECT match FROM matches WHERE match >= ? AND match < ? ORDER BY match"
            page = {number for (number,) in self.connection.execute(query, (at, at + PAGE))}
            for number in range(at, min(at + PAGE, total)):
                if number not in page:
                    yield number
            at += PAGE

    def forget_failed(self) -> int:
        """Drop the rows of failed matches, so that they are played again."""
        with self.writing():
            failed = "SELECT match FROM matches WHERE status = ?"
            for table in ("records", "timings"):
                self.connection.execute(f"DELETE FROM {table} WHERE match IN ({failed})", (FAILED,))
            return self.connection.execute("DELETE FROM matches WHERE status = ?", (FAILED,)).rowcount

    def forget_from(self, number: int) -> None:
        """Drop the rows of this match number and of all higher numbers."""
        with self.writing():
            for table in ("records", "timings", "matches"):
                self.connection.execute(f"DELETE FROM {table} WHERE match >= ?", (number,))
            self.connection.execute("DELETE FROM starts WHERE block > (SELECT ifnull(max(block), -1) FROM matches)")

    def count(self, status: str | None = None) -> int:
        query = "SELECT count(*) FROM matches" + ("" if status is None else " WHERE status = ?")
        return int(self.connection.execute(query, () if status is None else (status,)).fetchone()[0])

    def rows(self, columns: str = "*", tables: str = "matches", order: str = "match") -> Iterator[tuple[Any, ...]]:
        """Rows in order of their numbers, read a page at a time."""
        cursor = self.connection.execute(f"SELECT {columns} FROM {tables} ORDER BY {order}")
        while page := cursor.fetchmany(PAGE):
            yield from page


def packed(result: Result) -> bytes:
    """Moves, nodes and depths of every seat as 64-bit words, so that a report reads those of many matches at once."""
    return np.array([result.moves, result.nodes, result.depths], "<i8").T.tobytes()


def unpacked(efforts: bytes) -> tuple[list[int], list[int], list[int]]:
    """Moves, nodes and depths, each a list with one number per seat."""
    moves, nodes, depths = np.frombuffer(efforts, "<i8").reshape(-1, 3).T.tolist()
    return moves, nodes, depths


def text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def open_store(path: Path) -> Store:
    """A store to read."""
    if not path.exists():
        raise StoreFault(f"there is no file '{path}'")
    try:
        connection, folder = reading_connection(path)
    except sqlite3.OperationalError as fault:
        raise StoreFault(f"cannot read {path}: {fault}") from None
    except sqlite3.DatabaseError as fault:
        raise StoreFault(f"{path} is not a kingmaker store: {fault}") from None
    except OSError as fault:
        raise StoreFault(f"cannot read {path}: {fault.strerror}") from None
    store = Store(path, connection)
    store.folder = folder
    try:
        if known(path, connection) in OLDER:
            shown_as_today(connection)
    except BaseException:
        store.close()
        raise
    return store


def claim_store(
    path: Path, experiment: Experiment, parts: dict[str, str], versions: dict[str, str], *, accept_changes: bool = False
) -> Store:
    """A store to write: made if it does not exist, refused if it belongs to another experiment, to other code or to
    another coordinator.
    """
    lock = locked(path)
    try:
        connection = sqlite3.connect(path, timeout=30.0)
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            build(connection, experiment)
        version = known(path, connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.DatabaseError as fault:
        lock.close()
        raise StoreFault(f"cannot use {path} as a store: {fault}") from None
    except StoreFault:
        lock.close()
        raise
    store = Store(path, connection)
    store.lock = lock
    try:
        same_experiment(store, experiment, accept_changes)
        store.code = same_code(store, parts, versions, accept_changes)
        with store.writing():
            if version in OLDER:
                mended(connection, VERSION)
            now = {
                "experiment": experiment.as_text(),
                "identity": experiment.identity,
                "setups": text(
                    [msgspec.to_builtins(each.setup) for each in schedule_of(experiment.as_text()).variants]
                ),
                "coordinator": f"process {os.getpid()} on {platform.node()} since {time.strftime('%Y-%m-%d %H:%M:%S')}",
                "machine": machine(),
            }
            connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", now.items())
    except BaseException:
        store.close()
        raise
    return store


def locked(path: Path) -> sqlite3.Connection:
    """A lock beside the store, held until this process ends, however it ends."""
    try:
        place = path.resolve()  # a symbolic link to the store has the same lock
        lock = sqlite3.connect(place.with_name(place.name + ".lock"), timeout=0.2, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except (OSError, RuntimeError) as fault:
        raise StoreFault(f"cannot find {path}: {fault}; name a store elsewhere with --store") from None
    except sqlite3.OperationalError as fault:
        if "locked" not in str(fault):
            raise StoreFault(
                f"cannot write to the folder of {path}: {fault}; name a store elsewhere with --store"
            ) from None
        raise StoreFault(f"{path} is in use by another coordinator{holder_of(path)}; wait for it, or stop it") from None
    return lock


def holder_of(path: Path) -> str:
    try:
        with open_store(path) as store:
            return f", {store.meta('coordinator')}"
    except (KingmakerError, sqlite3.Error):
        return ""


def build(connection: sqlite3.Connection, experiment: Experiment) -> None:
    connection.executescript(
        f"BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; {SCHEMA} COMMIT;"
    )
    with connection:
        connection.execute("INSERT INTO meta VALUES ('experiment', ?)", (experiment.as_text(),))
        connection.execute("INSERT INTO meta VALUES ('identity', ?)", (experiment.identity,))


def known(path: Path, connection: sqlite3.Connection) -> int:
    """The version of a store; refuses a file that is no store, and a store of an unknown version."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise StoreFault(f"{path} is not a kingmaker store; name another file with --store")
    if version not in (*OLDER, VERSION):
        way = "update kingmaker" if version > VERSION else "export it with the kingmaker that made it"
        raise StoreFault(f"{path} has version {version} of the store, this kingmaker reads version {VERSION}; {way}")
    return int(version)


def same_experiment(store: Store, experiment: Experiment, accept_changes: bool) -> None:
    """Refuse to mix the matches of two experiments."""
    before = store.experiment
    if store.meta("identity") != experiment.identity and not accept_changes:
        old, new = before.as_data(), experiment.as_data()
        keys = [
            key for key in sorted({*old, *new}) if old.get(key) != new.get(key) and key not in ("question", "expect")
        ]
        changed = "; ".join(f"{key} was {old.get(key, 'not given')} and is {new.get(key, 'not given')}" for key in keys)
        changed = changed or "its repeats play other starts"  # as they did in version 1
        raise StoreFault(
            f"{store.path} holds another experiment: {changed}; name another --store, or go on with --accept-changes"
        )
    highest = store.connection.execute("SELECT max(match) FROM matches").fetchone()[0]
    if experiment.blocks < before.blocks and highest is not None and not accept_changes:
        raise StoreFault(
            f"{store.path} was begun with {before.blocks} blocks and the experiment now has {experiment.blocks}; "
            "name another --store, or go on with --accept-changes"
        )


def same_code(store: Store, parts: dict[str, str], versions: dict[str, str], accept_changes: bool) -> int:
    """The number of this code in the store; code that differs from what played the stored matches is refused."""
    row = (text(parts), text(versions))
    for code, *before in store.connection.execute("SELECT code, parts, versions FROM codes ORDER BY code DESC"):
        if tuple(before) == row:
            return int(code)
        if not accept_changes and store.count():
            pairs = zip((json.loads(each) for each in before), (parts, versions), strict=True)
            changed = dict.fromkeys(name for old, new in pairs for name, value in new.items() if old.get(name) != value)
            raise StoreFault(
                f"the code has changed since the matches in {store.path} were played ({', '.join(changed)}); "
                "name another --store, or go on with --accept-changes"
            )
    with store.writing():
        added = store.connection.execute("INSERT INTO codes (parts, versions) VALUES (?, ?)", row).lastrowid
    return int(added or 0)
