"""Arrays, ranges and pairs are kept in registers while code is made, not in memory. Imported late.

numba puts every such structure into memory of its own and reads its fields back from there: ten lines of intermediate
code or more for the address of one element, of which LLVM leaves one or two. Here a field that was just set is read
back as the value itself, and what nobody reads is left out (`unused.py`) before LLVM sees the code.
"""

from typing import Any

from llvmlite import ir
from llvmlite.ir import instructions
from numba import types
from numba.core import cgutils
from numba.core.cgutils import ValueStructProxy
from numba.np import arrayobj

from kingmaker.core.compiling.replaced import Change

KINDS = (types.Array, types.RangeType, types.RangeIteratorType, types.Pair)  # the kinds of values that are kept so
ARRAYS: dict[Any, Any] = {}  # a type of arrays -> its class


class ChangedLate(Exception):
    """A structure that cannot be kept in registers: the function has to be compiled as numba does it."""


class InRegisters:
    """The methods of numba's `ValueStructProxy` for a structure that is one value: `_whole`.

    A structure that is set in another block than the one in which it was made, or whose address is asked for, is put
    into memory, where numba's own methods take over; `_whole` is None then. It must not have been read in another block
    before, for that block could be part of a loop and would then need the new value; numba does no such thing.
    """

    def __init__(self: Any, context: Any, builder: Any, value: Any = None, ref: Any = None) -> None:
        if ref is not None or not isinstance(self._fe_type, KINDS):
            self._whole = None
            in_memory["__init__"](self, context, builder, value, ref)
            return
        self._context, self._builder, self._block = context, builder, builder.block
        self._datamodel = context.data_model_manager[self._fe_type]
        self._be_type = self._get_be_type(self._datamodel)
        self._whole, self._is_read = ir.Constant(self._be_type, None) if value is None else value, False
        assert self._whole.type == self._be_type, f"expected {self._be_type}, got {self._whole.type}"

    def __getattr__(self: Any, name: str) -> Any:
        if name in ("_value", "_outer_ref"):
            self._put_into_memory()
            return self._value
        return in_memory["__getattr__"](self, name)

    def _put_into_memory(self: Any) -> None:
        """Store the structure at the end of the block that made it: every later block finds it there."""
        if self._is_read:
            raise ChangedLate(f"{self._fe_type} is changed after it was read")
        builder, whole, self._whole = self._builder, self._whole, None
        self._value = self._outer_ref = cgutils.alloca_once(builder, self._be_type)
        if builder.block is self._block:
            builder.store(whole, self._value)
        else:
            with builder.goto_block(self._block):
                builder.store(whole, self._value)

    def __getitem__(self: Any, index: int) -> Any:
        if self._whole is None:
            return in_memory["__getitem__"](self, index)
        self._is_read |= self._builder.block is not self._block
        return self._builder.extract_value(self._whole, index)

    def __setitem__(self: Any, index: int, value: Any) -> None:
        if self._whole is not None and self._builder.block is not self._block:
            self._put_into_memory()
        if self._whole is None:
            in_memory["__setitem__"](self, index, value)
        else:
            self._whole = self._builder.insert_value(self._whole, value, index)

    def _getvalue(self: Any) -> Any:
        if self._whole is None:
            return in_memory["_getvalue"](self)
        self._is_read |= self._builder.block is not self._block
        return self._whole

    def _setvalue(self: Any, value: Any) -> None:
        if self._whole is not None:
            self._put_into_memory()
        in_memory["_setvalue"](self, value)


REPLACED = ("__init__", "__getattr__", "__getitem__", "__setitem__", "_getvalue", "_setvalue")
in_memory = {name: getattr(ValueStructProxy, name) for name in REPLACED}


def array_class(asked: Any) -> Any:
    """The class of a type's arrays, made once; numba makes a new one for every use of an array."""

    def class_of(kind: Any) -> Any:
        if not isinstance(kind, types.Array):
            return asked(kind)
        if kind not in ARRAYS:
            ARRAYS[kind] = cgutils.create_struct_proxy(kind.as_array)
        return ARRAYS[kind]

    return class_of


def known_field(asked: Any) -> Any:
    """A field of a value that was put together field by field is what was put there."""

    def field(builder: Any, whole: Any, index: Any, name: str = "") -> Any:
        at = [index] if isinstance(index, int) else list(index)
        while isinstance(whole, instructions.InsertValue) and len(at) == len(whole.indices) == 1:
            if whole.indices[0] == at[0]:
                return whole.value
            whole = whole.aggregate
        if len(at) == 1 and isinstance(whole, ir.Constant) and whole.constant in (None, ir.Undefined):
            return ir.Constant(whole.type.elements[at[0]], whole.constant)
        return asked(builder, whole, at, name)

    return field


# while these are in the place of numba's own, structures are kept in registers
REGISTERS: list[Change] = [
    *((ValueStructProxy, name, vars(InRegisters)[name]) for name in (*REPLACED, "_put_into_memory")),
    (ir.IRBuilder, "extract_value", known_field(ir.IRBuilder.extract_value)),
    (arrayobj, "make_array", array_class(arrayobj.make_array)),
]
