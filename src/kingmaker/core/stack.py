"""What `scratch` is in machine code: words on the stack. Imported late."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic(prefer_literal=True)
def words_on_stack(_context: Any, count: Any) -> Any:
    """What `scratch` is in machine code."""
    if not isinstance(count, types.IntegerLiteral):
        return None
    kind = types.Array(types.uint64, 1, "C")

    def make(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        word = context.get_value_type(types.uint64)
        data = cgutils.alloca_once(builder, ir.ArrayType(word, count.literal_value))
        size, step = context.get_constant(types.intp, count.literal_value), context.get_constant(types.intp, 8)
        array = context.make_array(kind)(context, builder)
        context.populate_array(
            array, data=builder.bitcast(data, word.as_pointer()), shape=[size], strides=[step], itemsize=step, meminfo=None
        )
        return array._getvalue()

    return kind(count), make
