"""How inner functions become part of the entries that use them. Imported late.

An inner function is called by other compiled functions and never by Python, so it gets no machine code of its own: it
stays a module of LLVM's intermediate code beside the modules of the functions that it calls. An entry links all of
them, and LLVM sees them at once when it inlines and optimises: once for each entry, not once for each function. Names
in that code are made from what a function consists of, so modules of different processes fit together.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from llvmlite import binding
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import lookup_environment

from kingmaker.core.compiling.circles import close_circles
from kingmaker.core.compiling.unused import leave_out_unused

COMPILED = "_ZN"  # how the names of functions begin that numba has compiled
WHOLE = 3000  # bytes of byte code; a function that is longer with all that it calls is inlined only if LLVM wants to
MERGED = (binding.Linkage.weak_odr, binding.Linkage.linkonce_odr)  # definitions of a name that are merged
ENVIRONMENT = "_ZN08NumbaEnv"  # how numba begins the names of variables that point to Python objects


@lru_cache(maxsize=4096)
def record_number(name: str) -> int:
    """A number for a record dtype, made from its fields."""
    return int(hashlib.blake2b(name.encode(), digest_size=7).hexdigest(), 16)


# numba numbers record dtypes in the order in which it meets them, differently in every process, and puts that number
# into the names of functions
types.Record.mangling_args = property(lambda record: (type(record).__name__, (record_number(record.name),)))


class Linked(JITCodeLibrary):
    """A library that knows the inner functions it calls."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.parts: list[Inner] = []
        self._shared_module: Any = None

    def add_ir_module(self, ir_module: Any) -> None:
        leave_out_unused(ir_module)
        super().add_ir_module(ir_module)

    def add_linking_library(self, library: Any) -> None:
        if isinstance(library, Inner):
            self.parts.append(library)
        else:
            super().add_linking_library(library)

    def all_parts(self, seen: set[Any] | None = None) -> Iterator["Inner"]:
        """Every inner function that this one calls, itself or through others, each once."""
        seen = set() if seen is None else seen
        for part in self.parts:
            if part not in seen:
                seen.add(part)
                yield part
                yield from part.all_parts(seen)

    def link(self, module: Any) -> None:
        for part in self.all_parts():
            part.link_into(module)


class Inner(Linked):
    """An inner function: intermediate code, as numba wrote it."""

    key = ""  # the key under which it is kept on disk; empty if it is not kept
    function = ""  # the name of the function
    size = 0  # bytes of its byte code; 0 if LLVM decides for itself whether to inline it
    bitcode: bytes | None = None  # the module as it is kept on disk
    environment: Any = None

    def _optimize_functions(self, module: Any) -> None:
        """Tell LLVM the sizes of types, no more: simplifying functions before they are linked made none faster."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Do nothing: the entry optimises after all functions are linked."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def is_inlined(self) -> bool:
        """Is it always inlined? It is if it is short, together with the short functions that it calls."""
        return self.size > 0 and self.size + sum(part.size for part in self.all_parts()) < WHOLE

    def own_module(self) -> Any:
        """The module of this function alone. Its linkage is weak_odr: the linker merges definitions of the same name
        and does not drop a function whose caller is linked later.
        """
        if self._shared_module is None and self.bitcode is not None:
            self._shared_module = binding.parse_bitcode(self.bitcode)
        if self._shared_module is None:
            self._ensure_finalized()
            self._shared_module = self._final_module
            for function in self._shared_module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "weak_odr"
        return self._shared_module

    def link_into(self, module: Any) -> None:
        """Link this function alone. Linking uses a module up; it is copied first unless it can be read again."""
        module.link_in(self.own_module(), preserve=self.bitcode is None)
        if self.bitcode is not None:
            self._shared_module = None

    def _get_module_for_linking(self) -> Any:
        """The function together with all that it calls, for a library of numba's own kind."""
        whole = self.own_module().clone()
        self.link(whole)
        return whole


class Outer(Linked):
    """An entry: machine code, with all inner functions inside."""

    def _optimize_final_module(self) -> None:
        self.link_all()
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def link_all(self) -> None:
        """Link all inner functions, so that LLVM can inline them."""
        module = self._final_module
        self.link(module)
        for part in self.all_parts():
            if part.is_inlined:
                module.get_function(part.function).add_function_attribute("alwaysinline")
        close_circles(module)
        for function in module.functions:
            if function.is_declaration:
                assert not function.name.startswith(COMPILED), f"{function.name} is not linked"
            elif function.linkage in MERGED:
                function.linkage = "internal"  # so LLVM inlines a function that is called only once, whatever its size

    def point_to_environments(self) -> None:
        """Let the inner functions' code find the Python objects that it mentions."""
        for variable in self._final_module.global_variables:
            found = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if found is not None:
                self._codegen.set_env(variable.name, found)
