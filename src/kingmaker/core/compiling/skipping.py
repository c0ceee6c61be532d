"""Steps of numba that would change nothing are skipped. Imported late.

Both steps analyse a whole function before they look for what they are to rewrite, and most functions have none of it.
"""

from types import CodeType
from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

COMPUTED = ("binop", "inplace_binop", "unary", "call")  # what a whole array may be the result of


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineClosuresIfAny(InlineClosureLikes):
    """numba's step that inlines functions inside a function, comprehensions and `reduce`."""

    _name = "kingmaker_inline_closures"

    def run_pass(self, state: Any) -> bool:
        code = state.func_id.code
        inner = any(isinstance(each, CodeType) for each in code.co_consts) or "reduce" in code.co_names
        return bool(inner and super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class RewriteArraysIfAny(NopythonRewrites):
    """numba's step that turns arithmetic of whole arrays into loops, and `record["name"]` into the field."""

    _name = "kingmaker_rewrite_arrays"

    def run_pass(self, state: Any) -> bool:
        named = any(isinstance(kind, types.StringLiteral) for kind in state.typemap.values())
        return bool((named or computes_arrays(state)) and super().run_pass(state))


def computes_arrays(state: Any) -> bool:
    """Is a whole array the result of arithmetic or of a call?"""
    return any(
        isinstance(each.value, ir.Expr)
        and each.value.op in COMPUTED
        and isinstance(state.typemap[each.target.name], types.Array)
        for block in state.func_ir.blocks.values()
        for each in block.find_insts(ir.Assign)
    )
