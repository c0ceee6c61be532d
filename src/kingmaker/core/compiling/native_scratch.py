"""What `scratch` is in machine code: an array on the stack. Imported late."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def on_stack(element: Any) -> Any:
    """`scratch` and `scratch_floats` in machine code: an array on the stack whose length is a literal."""

    @intrinsic(prefer_literal=True)
    def array_on_stack(_context: Any, count: Any) -> Any:
        return array_of(element, count.literal_value, count) if isinstance(count, types.IntegerLiteral) else None

    return array_on_stack


def for_outcomes(element: Any) -> Any:
    """`scratch_events` and `scratch_odds` in machine code: an array on the stack of `max_outcomes` elements."""

    @intrinsic
    def array_on_stack(_context: Any, game: Any) -> Any:
        from kingmaker.core.compiling.numba_types import LIVE

        return array_of(element, max(1, int(LIVE[game.name].max_outcomes)), game)  # type: ignore[attr-defined]

    return array_on_stack


def array_of(element: Any, length: int, argument: Any) -> Any:
    """How numba types and makes an array on the stack, in a call with one argument."""
    kind = types.Array(element, 1, "C")

    def make(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        word = context.get_value_type(element)
        data = cgutils.alloca_once(builder, ir.ArrayType(word, length))
        step = context.get_constant(types.intp, context.get_abi_sizeof(word))
        array = context.make_array(kind)(context, builder)
        context.populate_array(
            array,
            data=builder.bitcast(data, word.as_pointer()),
            shape=[context.get_constant(types.intp, length)],
            strides=[step],
            itemsize=step,
            meminfo=None,
        )
        return array._getvalue()

    return kind(argument), make
