"""How numba's steps are run: without the bookkeeping around them. Imported late.

A function takes about thirty steps. Around each of them numba notes its time and its settings, checks that the step
kept numba's own rules, and analyses the lives of all variables anew, which only its very last steps need.
"""

from typing import Any

from numba.core.compiler_machinery import _pass_registry
from numba.core.errors import new_error_context  # type: ignore[attr-defined]
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg


def run_step(steps: Any, _index: int, step: Any, state: Any) -> None:
    """Run one step on a function."""
    step.analysis = steps._analysis
    with new_error_context("Pass {name}", name=step.name()):
        changed = [step.run_initialization(state), step.run_pass(state), step.run_finalizer(state)]
    if any(changed) and _pass_registry.get(type(step)).mutates_CFG:
        PostProcessor(state.func_ir).run()


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


PostProcessor.run = analysed_late(PostProcessor.run)
