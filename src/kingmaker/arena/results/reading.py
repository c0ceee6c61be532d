"""How a store is opened to be read, also by a user who may not write to its folder, and after a coordinator was killed.

SQLite keeps the latest changes in a file beside the store (the write-ahead log), and needs to write there even to read
the store. Where that is forbidden, a store without a log is read as a file that does not change, and a store with a log
is read from a copy in a temporary folder.
"""

import shutil
import sqlite3
import tempfile
from pathlib import Path

BESIDE = ("-wal", "-journal")  # the files in which SQLite keeps what is not in the store yet
ATTEMPTS = 5  # to copy a store that is being written to


def tried(path: Path, how: str) -> sqlite3.Connection:
    """A connection that has answered a first query, so that it is known to work."""
    connection = sqlite3.connect(f"{path.as_uri()}?{how}", uri=True)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def reading_connection(path: Path) -> tuple[sqlite3.Connection, tempfile.TemporaryDirectory[str] | None]:
    """A connection that only reads, and, if a copy was needed, its folder, which is to be removed afterwards."""
    place = path.resolve()
    try:
        return tried(place, "mode=ro"), None
    except sqlite3.OperationalError:
        if not place.is_file():
            raise
    if not any(stamp(place.with_name(place.name + end)) for end in BESIDE):
        return tried(place, "mode=ro&immutable=1"), None
    folder = tempfile.TemporaryDirectory(prefix="kingmaker-")
    try:
        return tried(copied(place, Path(folder.name)), "mode=rw"), folder
    except BaseException:
        folder.cleanup()
        raise


def copied(place: Path, folder: Path) -> Path:
    """A copy of the store and of SQLite's files beside it; copied again if they change meanwhile."""
    files = [place, *(place.with_name(place.name + end) for end in BESIDE)]
    for _ in range(ATTEMPTS):
        before = list(map(stamp, files))
        for file, known in zip(files, before, strict=True):
            (folder / file.name).unlink(missing_ok=True)
            if known:
                shutil.copyfile(file, folder / file.name)
        if list(map(stamp, files)) == before:
            break
    return folder / place.name


def stamp(file: Path) -> tuple[int, ...]:
    """Size and time of the last change of a file; empty if the file is missing or has no content."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return ()
    return (found.st_size, found.st_mtime_ns) if found.st_size else ()
