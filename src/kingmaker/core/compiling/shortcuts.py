"""What numba would do again and again is done once. Imported late.

Compiling one search asks numba thousands of times for the same things. The answers stay the same, only sooner: a tenth
of the time of compiling is saved.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from llvmlite.binding import ffi
from numba.core import event, ir, types
from numba.core.base import BaseContext
from numba.core.runtime.context import NRTContext
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext as TypingContext

from kingmaker.core.compiling.bundle import Bundle

PLAIN = (types.Number, types.Boolean, types.Array, types.Record)
SIZES: dict[str, int] = {}  # an LLVM type as text -> its bytes
COUNTED: dict[Any, bool] = {}  # may a value of a type hold references that are counted?
REGISTERED: dict[int, dict[Any, int]] = {}  # a context of numba -> how many functions it knows from which list


def take_shortcuts() -> None:
    """Put these functions in the place of numba's own."""
    for owner, name, replacement in (
        (ir.Stmt, "list_vars", lambda statement: variables(vars(statement).values(), [])),
        (ir.Expr, "list_vars", lambda expression: variables(expression._kws.values(), [])),
        (BaseFunction, "get_call_type", known_call(BaseFunction.get_call_type)),
        (BaseContext, "get_abi_sizeof", known_size(BaseContext.get_abi_sizeof)),
        (BaseContext, "refresh", refreshed_if_new(BaseContext.refresh)),
        (TypingContext, "refresh", refreshed_if_new(TypingContext.refresh)),
        (NRTContext, "get_meminfos", counted(NRTContext.get_meminfos)),
    ):
        setattr(owner, name, replacement)


def variables(parts: Any, found: list[Any]) -> list[Any]:
    """The variables in parts of a statement, as numba lists them, without a list and two calls for each part."""
    for part in parts:
        kind = type(part)
        if kind is ir.Var:
            found.append(part)
        elif kind is ir.Expr:
            variables(part._kws.values(), found)
        elif kind is list or kind is tuple:
            variables(part, found)
        elif kind is dict:
            variables(part.values(), found)
        elif isinstance(part, ir.Inst):
            found.extend(part.list_vars())
    return found


def known_call(asked: Any) -> Any:
    """Remember, while one entry is compiled, which of its many versions of `+`, `min` or `[]` numba chose for arguments
    of these types.
    """

    def version_for(function: Any, context: Any, arguments: Any, named: Any) -> Any:
        known = Bundle.open.calls if Bundle.open and not named else None
        if known is None or not all(isinstance(each, PLAIN) for each in arguments):
            return asked(function, context, arguments, named)
        key = (function.key, tuple(arguments))
        if key not in known:
            chosen = asked(function, context, arguments, named)
            known[key] = chosen, function._impl_keys[chosen.args]
        chosen, function._impl_keys[chosen.args] = known[key]
        return chosen

    return version_for


def known_size(asked: Any) -> Any:
    """Remember the size of an LLVM type. numba has LLVM parse a module to learn it, at every use of an array; the text
    of a type that has a name does not tell what it consists of, so that is asked for again.
    """

    def size_of(context: Any, kind: Any) -> int:
        text = str(kind)
        if "%" in text:
            return int(asked(context, kind))
        if text not in SIZES:
            SIZES[text] = asked(context, kind)
        return SIZES[text]

    return size_of


def counted(asked: Any) -> Any:
    """Look for counted references only in values of types that may hold some; numba takes every number apart."""

    def counts_in(context: Any, builder: Any, kind: Any, value: Any) -> list[Any]:
        if kind not in COUNTED:
            COUNTED[kind] = context._context.data_model_manager[kind].contains_nrt_meminfo()
        return list(asked(context, builder, kind, value)) if COUNTED[kind] else []

    return counts_in


def refreshed_if_new(refresh: Any) -> Any:
    """Look for what was registered with numba only where there is something new; numba looks everywhere, twice for each
    function and once for each of its own functions that is called.
    """

    def refreshed(context: Any) -> None:
        if isinstance(context, BaseContext):
            context.typing_context.refresh()
        same = id(context._registries)  # contexts that are copies of each other share it
        if same not in REGISTERED:
            refresh(context)
            REGISTERED.setdefault(same, {})
            return
        for registry, loader in list(context._registries.items()):
            many = sum(len(getattr(registry, name)) for name in loader.registry_items)
            if REGISTERED[same].get(registry) != many:
                REGISTERED[same][registry] = many
                context.install_registry(registry)

    return refreshed


@contextmanager
def unmeasured() -> Iterator[None]:
    """Let numba not take the time of every function and of every call of LLVM meanwhile; nobody reads it."""
    lock, timer = ffi.lib._lock, event.install_timer
    listeners, lock._cblist = lock._cblist, []
    event.install_timer = lambda *_: nullcontext()
    try:
        yield
    finally:
        lock._cblist, event.install_timer = listeners, timer


take_shortcuts()
