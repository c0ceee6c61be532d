"""The inner functions of a game, in one file.

Every search over a game needs its rules and its estimates. What was compiled of them for one search is kept for the
next, in this process or another: numba need not infer their types again, which is most of what compiling takes. What
depends on a search's own settings is left out, for no other search could use it.
"""

import hashlib
import pickle
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from numba.core.compiler import compile_result
from numba.core.serialize import dumps

from kingmaker.core.compiling.cache import cannot_write, file_name, usable_folder
from kingmaker.core.compiling.circles import open_circles
from kingmaker.core.compiling.entries import read_entry, write_entry
from kingmaker.core.compiling.linking import Inner
from kingmaker.core.compiling.lowering import handle_of

LARGEST = 1 << 24  # bytes; a larger bundle is replaced by what was compiled last


class Bundle:
    """The compiled inner functions of one game that are kept on disk; open while an entry is compiled.

    The entry's compile-time constants are the game, an estimate and the search's own; a function that takes one of the
    search's own constants is not kept.
    """

    open: "Bundle | None" = None

    def __init__(self, constants: Sequence[Any], plumbing: str, context: Any) -> None:
        self.name = file_name(f"{constants[:1]}/{plumbing}", context.codegen())
        self.apart, self.context = set(constants[2:]), context
        self.fresh: dict[str, bytes] = {}
        self.loaded: dict[str, Any] = {}
        self.calls: dict[Any, Any] = {}  # a function of numba's own and the types of its arguments -> what is called

    def __enter__(self) -> None:
        Bundle.open = self

    def __exit__(self, *_fault: object) -> None:
        Bundle.open = None
        folder = usable_folder() if self.fresh else None
        if folder is not None:
            whole = self.read() | self.fresh
            fits = sum(map(len, whole.values())) < LARGEST
            try:
                write_entry(folder / self.name, pickle.dumps(whole if fits else self.fresh))
            except OSError as fault:
                cannot_write(folder, fault)

    def read(self) -> dict[str, bytes]:
        folder = usable_folder()
        data = read_entry(folder / self.name) if folder else None
        return {} if data is None else pickle.loads(data)

    @cached_property
    def kept(self) -> dict[str, bytes]:
        return self.read()

    def load(self, key: str) -> Any:
        """A function with all functions that it calls, or None if one of them is missing."""
        if key not in self.loaded and key in self.kept:
            self.loaded[key] = self.unpacked(self.kept[key])
        return self.loaded.get(key)

    def unpacked(self, data: bytes) -> Any:
        try:
            name, size, bitcode, keys, about, environment, signature, init = pickle.loads(data)
        except (ImportError, AttributeError):
            return None  # the pickle refers to a module that no longer exists
        parts = [self.load(key) for key in keys]
        if None in parts:
            return None
        for function in init:
            function()
        library = Inner(self.context.codegen(), name)
        library.bitcode, library.environment = bitcode, environment
        library.parts = [part.library for part in parts]
        library.function, library.size = about.llvm_func_name, size
        library._reload_init.update(init)
        library._finalized = True  # code with globals that only one process has is not kept
        return compile_result(
            target_context=self.context,
            typing_context=self.context.typing_context,
            library=library,
            environment=environment,
            entry_point=handle_of(about, environment, library),
            fndesc=about,
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=init,
        )

    def save(self, key: str, result: Any) -> None:
        """Keep a function; not if it takes a constant of the search, calls a function that is not kept, is part of a
        circle of calls, or holds an address of this process.
        """
        library, about = result.library, result.fndesc
        parts = [part.key for part in library.parts]
        apart = self.apart.intersection(result.signature.args)
        if apart or not all(parts) or library.has_dynamic_globals or open_circles(library.own_module()):
            return
        library.key = key
        about.typemap = about.calltypes = None
        library.bitcode = library.own_module().as_bitcode()
        self.fresh[key] = dumps(
            (
                library.name,
                library.size,
                library.bitcode,
                parts,
                about,
                result.environment,
                result.signature,
                tuple(result.reload_init),
            )
        )


class InnerCache:
    """The cache object through which numba loads an inner function before compiling, and saves it afterwards."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def key(self, signature: Any) -> str:
        return hashlib.sha256(repr((self.source.number, signature)).encode()).hexdigest()[:40]

    def load_overload(self, signature: Any, _context: Any) -> Any:
        key = self.key(signature)
        found = Bundle.open.load(key) if Bundle.open else None
        if found is not None:
            found.library.key = key
        return found

    def save_overload(self, signature: Any, result: Any) -> None:
        if Bundle.open:
            Bundle.open.save(self.key(signature), result)
