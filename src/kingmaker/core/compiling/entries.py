"""Cache files that are complete and that only this user can have written.

Compiled code is kept as pickles, and whoever loads a pickle runs what its writer put into it. So an entry is loaded
only if it and its folder belong to this user, if nobody else may write to them, and if its checksum says that no bit
has changed since it was written under this name. Anything else counts as no entry at all.
"""

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

MAGIC = b"kingmaker code 1\n"
CHECK_SIZE = 32


def distrust(about: os.stat_result) -> str:
    """Why another user could have written to this file or folder; an empty text if only this user could."""
    if not hasattr(os, "geteuid"):
        return ""  # Windows, where a user's own folders are closed to others unless shared on purpose
    if about.st_uid != os.geteuid():
        return "it belongs to another user"
    return "others may write to it" if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def own_folder(folder: Path) -> str:
    """Make the folder for this user alone if it is missing; return why it must not be used, or an empty text."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    return distrust(folder.stat())


def checksum(path: Path, data: bytes) -> bytes:
    """A checksum that covers the name too, so that an entry cannot be renamed to replace another."""
    return hashlib.blake2b(path.name.encode() + b"\n" + data, digest_size=CHECK_SIZE).digest()


def unlinked(path: str, flags: int) -> int:
    """Open a file, but refuse a symbolic link."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def read_entry(path: Path) -> bytes | None:
    """What was written under this name, or None if it is missing, damaged or could be another user's."""
    try:
        with open(path, "rb", opener=unlinked) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or distrust(about):
                return None
            head, check, data = file.read(len(MAGIC)), file.read(CHECK_SIZE), file.read()
        if head != MAGIC or check != checksum(path, data):
            return None
    except OSError:
        return None
    with suppress(OSError):  # only the order in which entries are deleted depends on it
        os.utime(path)
    return data


def write_entry(path: Path, data: bytes) -> None:
    """Write an entry atomically, so that it is never seen half written; only this user can read it."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + checksum(path, data) + data)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
