"""How numba's steps are run: without the bookkeeping around them. Imported late.

A function takes about thirty steps. Around each of them numba notes its time and its settings and checks that the step
kept numba's own rules. Many steps analyse the lives of all variables anew, which only the very last ones need.
"""

import warnings
from typing import Any

from numba.core import lowering, typeinfer
from numba.core.errors import (  # type: ignore[attr-defined]
    ForceLiteralArg,
    NumbaError,
    TypingError,
    _format_msg,
    _numba_path,
    loc_info,
)
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg
from numba.core.utils import chain_exception

from kingmaker.core.compiling.replaced import Change


class Place:
    """Where numba is, to be added to an error's message: numba's `new_error_context` without a generator, for it is
    entered at every statement.
    """

    def __init__(self, text: str, *given: Any, **named: Any) -> None:
        self.text, self.given, self.named = text, given, named

    def __enter__(self) -> None:
        place = self.named.get("loc")
        if place is not None and not place.filename.startswith(_numba_path):
            loc_info.update(self.named)

    def __exit__(self, _kind: Any, fault: Any, _trace: Any) -> None:
        if isinstance(fault, NumbaError):
            fault.add_context(_format_msg(self.text, self.given, self.named))


def run_step(steps: Any, _index: int, step: Any, state: Any) -> None:
    """Run one step on a function."""
    step.analysis = steps._analysis
    with Place("Pass {name}", name=step.name()):
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)


def analysed_late(run: Any) -> Any:
    """Analyse the lives of variables only where somebody asks for them, or where their ends are written down."""

    def processed(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = processor.func_ir
        if emit_dels or code.is_generator:
            run(processor, emit_dels, extend_lifetimes)
        else:
            code.blocks = canonicalize_cfg(code.blocks)
            code.variable_lifetime, code.generator_info = VariableLifetime(code.blocks), None

    return processed


def inferred(network: Any, inference: Any) -> list[Exception]:
    """Infer the types of all variables of a function once more from each other. Warnings are caught once, not anew at
    every statement as by numba; each still gets the line of its statement.
    """
    faults: list[Exception] = []
    fixer, others = inference.warnings, []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", fixer._category)
        for constraint in network.constraints:
            try:
                constraint(inference)
            except ForceLiteralArg as fault:
                faults.append(fault)
            except TypingError as fault:
                faults.append(chain_exception(TypingError(str(fault), loc=constraint.loc, highlighting=False), fault))
            while caught:
                each = caught.pop()
                if issubclass(each.category, fixer._category):
                    place = (constraint.loc.filename, constraint.loc.line, each.category)
                    fixer._warnings[place].add(str(each.message))
                else:
                    others.append(each)
    for each in others:
        warnings.warn_explicit(str(each.message), each.category, each.filename, each.lineno)
    return faults


# while these are in the place of numba's own, there is less bookkeeping
STEPS: list[Change] = [
    (lowering, "new_error_context", Place),
    (typeinfer, "new_error_context", Place),
    (typeinfer.ConstraintNetwork, "propagate", inferred),
    (PostProcessor, "run", analysed_late(PostProcessor.run)),
]
