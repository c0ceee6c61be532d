"""Methods that do nothing but return a constant, found by their byte code."""

import dis
from types import FunctionType
from typing import Any

SHORT = 16  # bytes of byte code; what is longer does more than return a constant


def returned(method: FunctionType) -> Any:
    """The constant that a method does nothing but return, or the method itself if it does more."""
    if len(method.__code__.co_code) > SHORT:
        return method
    steps = [step for step in dis.get_instructions(method) if step.opname not in ("RESUME", "NOP")]
    if [step.opname for step in steps] in (["LOAD_CONST", "RETURN_VALUE"], ["RETURN_CONST"]):
        return steps[0].argval
    return method


def returns_constant(method: FunctionType) -> bool:
    value = returned(method)
    return value is None or isinstance(value, (bool, int, float))
