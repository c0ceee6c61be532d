"""Machine code on disk, between processes.

One file an entry, its name made from all that the code depends on: there is no index to corrupt, two processes that
save at once write the same bytes, and an outdated file is never read again.
"""

import hashlib
import os
import pickle
import sys
import warnings
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from kingmaker.core.compiling.entries import own_folder, read_entry, write_entry

MOST_FILES = 4000  # if there are more, those that were unused for longest are deleted


class CacheWarning(UserWarning):
    """The cache cannot be used; everything works, but slower."""


def cache_folder() -> Path | None:
    """KINGMAKER_CACHE if set, else the user's cache folder; None where there is no home to put it in."""
    chosen = os.environ.get("KINGMAKER_CACHE")
    if chosen:
        return Path(chosen)
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # neither HOME nor the system's list of users names one
        return None
    return Path(home) / "kingmaker"


def usable_folder() -> Path | None:
    """The folder of compiled code, made if need be; None, with a warning, if there is none that only this user can
    write to.
    """
    folder = cache_folder()
    if folder is None:
        complain("there is no home folder for compiled code", "set KINGMAKER_CACHE to a folder that can be written")
        return None
    try:
        reason = own_folder(folder)
    except OSError as fault:
        cannot_write(folder, fault)
        return None
    if reason:
        way_out = f"run chmod go-w {folder}, or " if reason.startswith("others") else ""
        complain(
            f"compiled code in {folder} is not used, for {reason}",
            f"{way_out}set KINGMAKER_CACHE to a folder of your own",
        )
        return None
    return folder


def cannot_write(folder: Path, fault: OSError) -> None:
    complain(
        f"cannot write compiled code to {folder} ({fault.strerror})",
        "set KINGMAKER_CACHE to a folder that can be written",
    )


def complain(what: str, way_out: str) -> None:
    """Warn once a process: everything works without the cache, but slower."""
    if not DiskCache.complained:
        DiskCache.complained = True
        warnings.warn(f"{what}, so each process compiles again; {way_out}", CacheWarning, stacklevel=3)


def file_name(what: str, codegen: Any) -> str:
    """The name of an entry: what it is, for which processor, made by which versions."""
    parts = (what, codegen.magic_tuple(), numba.__version__, llvmlite.__version__, sys.version)
    return f"{hashlib.sha256(repr(parts).encode()).hexdigest()[:40]}.code"


class DiskCache:
    """The cache object through which numba loads an entry before compiling, and saves it afterwards."""

    complained = False

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.hits = 0

    def name(self, signature: Any, codegen: Any) -> str:
        return file_name(f"{self.fingerprint}/{signature!r}", codegen)

    def holds(self, signature: Any, context: Any) -> bool:
        """Is there a file for an entry?"""
        folder = usable_folder()
        return folder is not None and (folder / self.name(signature, context.codegen())).exists()

    def load_overload(self, signature: Any, context: Any) -> Any:
        folder = usable_folder()
        data = read_entry(folder / self.name(signature, context.codegen())) if folder else None
        if data is None:
            return None
        try:
            payload = pickle.loads(data)
        except (pickle.UnpicklingError, ImportError, AttributeError):
            return None  # the pickle refers to a module that no longer exists: compile again
        self.hits += 1
        rtsys.initialize(context)  # all that ready code needs of numba; what compiling needs takes far longer to load
        return CompileResult._rebuild(context, *payload)

    def save_overload(self, signature: Any, result: Any) -> None:
        folder = (
            None if result.library.has_dynamic_globals else usable_folder()
        )  # such code points into this process's memory
        if folder is None:
            return
        try:
            write_entry(folder / self.name(signature, result.library.codegen), dumps(result._reduce()))
            forget_oldest(folder)
        except OSError as fault:
            cannot_write(folder, fault)


def forget_oldest(folder: Path) -> None:
    """Delete the entries that were unused for longest if there are more than MOST_FILES."""
    files = [entry for entry in os.scandir(folder) if entry.name.endswith(".code")]
    if len(files) > MOST_FILES:
        for entry in sorted(files, key=lambda entry: entry.stat().st_mtime)[: MOST_FILES // 4]:
            Path(entry.path).unlink(missing_ok=True)
