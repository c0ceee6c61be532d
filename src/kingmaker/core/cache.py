"""Machine code on disk, between processes.

One file an entry, its name made from all that the code depends on: there is no index to corrupt, two processes that save at
once write the same bytes, and what is stale is simply never asked for again.
"""

import hashlib
import os
import pickle
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

MOST_FILES = 4000  # beyond, the longest unused go


class CacheWarning(UserWarning):
    """The cache cannot be used; everything works, slower."""


def cache_folder() -> Path:
    """KINGMAKER_CACHE if set, else the user's cache folder."""
    chosen = os.environ.get("KINGMAKER_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "kingmaker"


class DiskCache:
    """What numba asks for compiled code before it compiles, and hands it to afterwards."""

    complained = False

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.hits = 0

    def path(self, signature: Any, codegen: Any) -> Path:
        parts = (self.fingerprint, repr(signature), codegen.magic_tuple(), numba.__version__, sys.version)
        return cache_folder() / f"{hashlib.sha256(repr(parts).encode()).hexdigest()[:40]}.code"

    def load_overload(self, signature: Any, context: Any) -> Any:
        context.refresh()
        path = self.path(signature, context.codegen())
        try:
            payload = pickle.loads(path.read_bytes())
            os.utime(path)
        except FileNotFoundError:
            return None
        except (OSError, pickle.UnpicklingError, EOFError, ImportError, AttributeError):
            return None  # unreadable, cut short or from a module that is gone: compile and write it anew
        self.hits += 1
        return CompileResult._rebuild(context, *payload)

    def save_overload(self, signature: Any, result: Any) -> None:
        path = self.path(signature, result.codegen if hasattr(result, "codegen") else result.library.codegen)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, dumps(result._reduce()))
            forget_oldest(path.parent)
        except OSError as fault:
            self.complain(fault)

    def complain(self, fault: OSError) -> None:
        if not DiskCache.complained:
            DiskCache.complained = True
            warnings.warn(
                f"cannot write compiled code to {cache_folder()} ({fault.strerror}), so each process compiles again; "
                "set KINGMAKER_CACHE to a folder that can be written",
                CacheWarning,
                stacklevel=2,
            )


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def forget_oldest(folder: Path) -> None:
    """Keep the cache small."""
    files = [entry for entry in os.scandir(folder) if entry.name.endswith(".code")]
    if len(files) > MOST_FILES:
        for entry in sorted(files, key=lambda entry: entry.stat().st_mtime)[: MOST_FILES // 4]:
            Path(entry.path).unlink(missing_ok=True)
