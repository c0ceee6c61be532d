"""What `scratch` is in machine code: an array on the stack. Imported late."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def on_stack(element: Any) -> Any:
    """What `scratch` and its like are in machine code, for elements of eight bytes."""
    kind = types.Array(element, 1, "C")

    @intrinsic(prefer_literal=True)
    def array_on_stack(_context: Any, count: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None

        def make(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
            word = context.get_value_type(element)
            data = cgutils.alloca_once(builder, ir.ArrayType(word, count.literal_value))
            size, step = context.get_constant(types.intp, count.literal_value), context.get_constant(types.intp, 8)
            array = context.make_array(kind)(context, builder)
            context.populate_array(
                array,
                data=builder.bitcast(data, word.as_pointer()),
                shape=[size],
                strides=[step],
                itemsize=step,
                meminfo=None,
            )
            return array._getvalue()

        return kind(count), make

    return array_on_stack
