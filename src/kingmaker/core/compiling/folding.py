"""Branches that a game's or a search's constants decide are left out before types are inferred. Imported late.

Most of the time of compiling is spent on type inference and lowering, which numba does in Python. For one game and one
search most switches of a kernel are off: dice in a game without dice, pruning in a search without it. Code behind a
switch that is off need not be looked at, nor the functions that it calls.
"""

import dis
import operator
from types import FunctionType
from typing import Any

from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions

from kingmaker.core.compiling.constants import returned, returns_constant
from kingmaker.core.compiling.numba_types import LIVE, ConstantType
from kingmaker.core.guard import guards_of
from kingmaker.core.kernel import Constant

PLAIN = (bool, int, float, type(None))
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.gt, operator.le, operator.ge)
# all that a function consists of which only looks at its arguments and compares them; the names of Python 3.11 to 3.13
STEPS = ("RESUME", "NOP", "LOAD_", "COMPARE_OP", "UNARY_NOT", "TO_BOOL", "COPY", "POP_TOP", "RETURN_")
JUMPS = ("JUMP_FORWARD", "JUMP_IF_", "POP_JUMP_FORWARD_IF_", "POP_JUMP_IF_")


class UnknownValue(Exception):
    """A value is not known before the code runs."""


class Opaque:
    """Stands for an argument whose value is not known: a result that depends on it is not known either."""

    def refuse(self, *_: Any) -> Any:
        raise UnknownValue

    __getattr__ = __bool__ = __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = refuse
    __hash__ = object.__hash__


@register_pass(mutates_CFG=True, analysis_only=False)
class FoldBranches(FunctionPass):
    """Leaves out what no decided branch leads to."""

    _name = "kingmaker_fold_branches"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        func_ir, changed = state.func_ir, False
        while Known(func_ir, state.args).decide_branches():
            for dead in compute_cfg_from_blocks(func_ir.blocks).dead_nodes():
                del func_ir.blocks[dead]
            func_ir._definitions = build_definitions(func_ir.blocks)
            changed = True
        return changed


class Known:
    """What is known of the values in a function from the types of its arguments."""

    def __init__(self, func_ir: Any, kinds: Any) -> None:
        self.func_ir, self.kinds = func_ir, kinds

    def decide_branches(self) -> bool:
        """Turn every branch whose condition is known into a jump; returns whether there was one."""
        decided = False
        for block in self.func_ir.blocks.values():
            last = block.body[-1]
            if isinstance(last, ir.Branch):
                condition = self.value_or_opaque(last.cond)
                if type(condition) in PLAIN:
                    block.body[-1] = ir.Jump(last.truebr if condition else last.falsebr, last.loc)
                    decided = True
        return decided

    def value_or_opaque(self, thing: Any) -> Any:
        try:
            return self.value(thing)
        except UnknownValue:
            return Opaque()

    def value(self, thing: Any) -> Any:
        """The value of a variable or an expression."""
        if isinstance(thing, ir.Var):
            try:
                return self.value(self.func_ir.get_definition(thing))
            except KeyError:  # it is assigned in several places
                raise UnknownValue from None
        if isinstance(thing, ir.Arg):
            kind = self.kinds[thing.index]
            if isinstance(kind, ConstantType):
                return LIVE[kind.name]
        if isinstance(thing, (ir.Const, ir.Global, ir.FreeVar)):
            return thing.value
        if isinstance(thing, ir.Expr):
            return self.computed(thing)
        raise UnknownValue

    def computed(self, made: Any) -> Any:
        if made.op == "getattr":
            return attribute(self.value(made.value), made.attr)
        if made.op == "call" and not made.kws and made.vararg is None:
            return plain(self.called(self.value(made.func), made.args))
        if made.op == "unary" and made.fn is operator.not_:
            return not plain(self.value(made.value))
        if made.op == "binop" and made.fn in COMPARISONS:
            return made.fn(plain(self.value(made.lhs)), plain(self.value(made.rhs)))
        raise UnknownValue

    def called(self, function: Any, arguments: Any) -> Any:
        """What is returned by `bool`, a method that only returns a constant, or a function that only compares."""
        if isinstance(function, FunctionType) and returns_constant(function):
            return returned(function)
        if function is bool and len(arguments) == 1:
            return bool(plain(self.value(arguments[0])))
        source = getattr(getattr(function, "py_func", None), "source", None)
        if source is None or not only_compares(source.function):
            raise UnknownValue
        try:
            return source.function(*map(self.value_or_opaque, arguments))
        except (TypeError, ValueError):  # it compares what cannot be compared, for example a whole array
            raise UnknownValue from None


def only_compares(function: FunctionType) -> bool:
    """Does a function only look at its arguments and compare them, without arithmetic, calls, loops and effects?"""
    return all(step.opname.startswith(STEPS + JUMPS) for step in dis.get_instructions(function))


def plain(value: Any) -> Any:
    if type(value) not in PLAIN:
        raise UnknownValue
    return value


def attribute(thing: Any, name: str) -> Any:
    """An attribute or a method of a constant object, if the compiler knows it; not a method that may be guarded."""
    if not isinstance(thing, Constant) or name in guards_of(type(thing)):
        raise UnknownValue
    method = getattr(type(thing), name, None)
    value = method if isinstance(method, FunctionType) else getattr(thing, name, Opaque)
    if not isinstance(value, (Constant, FunctionType)) and type(value) not in PLAIN:
        raise UnknownValue
    return value
