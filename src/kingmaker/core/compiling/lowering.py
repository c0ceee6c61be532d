"""numba's steps from Python to LLVM's intermediate code, some of them replaced by ours. Imported late."""

from functools import partial
from typing import Any

from llvmlite import ir
from numba import _dynfunc, types
from numba.core.base import BaseContext
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, IRProcessing

from kingmaker.core.compiling.linking import Inner, Outer
from kingmaker.core.compiling.quick import Quick
from kingmaker.core.compiling.skipping import InlineClosuresIfAny, RewriteArraysIfAny
from kingmaker.core.compiling.steps import run_step


def without_address(asked: Any) -> Any:
    """The value of a global function: none. numba would load the address that the Python object has in this process,
    though nothing uses it, and a function that holds such an address cannot be kept for another process.
    """

    def constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Dispatcher):
            return ir.Constant(context.get_value_type(kind), None)
        return asked(context, builder, kind, value)

    return constant


BaseContext.get_constant_generic = without_address(BaseContext.get_constant_generic)


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """The last step for an inner function: it stops at LLVM's intermediate code."""

    _name = "kingmaker_inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = Inner(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        state.library.environment = made.env
        state.library.function = made.fndesc.llvm_func_name
        state.library.size = state.func_id.func.source.size
        handle = handle_of(made.fndesc, made.env, state.library)
        state.targetctx.insert_user_function(handle, made.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = made._replace(cfunc=handle)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class OuterLowering(NativeLowering):
    """The last step for an entry: machine code, made by an `Outer` library."""

    _name = "kingmaker_outer_lowering"
    kind = Outer

    def run_pass(self, state: Any) -> bool:
        state.library = self.kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        state.library.point_to_environments()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class QuickLowering(OuterLowering):
    """The last step for an entry that is to be made quickly."""

    _name = "kingmaker_quick_lowering"
    kind = Quick


def handle_of(fndesc: Any, environment: Any, library: Any) -> Any:
    """The builtin function that numba requires as entry point of an inner function; it is never called."""
    return _dynfunc.make_function(
        fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, environment, (library,)
    )


def folding_pass() -> Any:
    """Imported when the first function is compiled, because it imports what imports this file."""
    from kingmaker.core.compiling.folding import FoldBranches

    return FoldBranches


OURS: dict[Any, Any] = {InlineClosureLikes: InlineClosuresIfAny, NopythonRewrites: RewriteArraysIfAny}


class InnerCompiler(Compiler):
    """numba's compiler with some steps replaced by ours."""

    lowering: Any = InnerLowering

    def define_pipelines(self) -> Any:
        identity = self.state.func_id
        identity.unique_id = identity.func.source.number
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.add_pass_after(folding_pass(), IRProcessing)
        steps.finalize()
        ours = OURS | {NativeLowering: self.lowering}
        steps.passes[:] = [(ours.get(step, step), about) for step, about in steps.passes]
        steps._runPass = partial(run_step, steps)
        return [steps]


class OuterCompiler(InnerCompiler):
    lowering = OuterLowering


class QuickCompiler(InnerCompiler):
    lowering = QuickLowering
