"""numba's steps from Python to LLVM's code, the last of them ours. Imported late."""

from typing import Any

from numba import _dynfunc
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from kingmaker.core.compiling.linking import Inner, Outer


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """numba's way to LLVM's intermediate code, and no further."""

    _name = "kingmaker_inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = Inner(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        state.library.environment = made.env
        state.library.short = made.fndesc.llvm_func_name if state.func_id.func.source.short else ""
        handle = handle_of(made.fndesc, made.env, state.library)
        state.targetctx.insert_user_function(handle, made.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = made._replace(cfunc=handle)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class OuterLowering(NativeLowering):
    """numba's way to machine code, through a library of our kind."""

    _name = "kingmaker_outer_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = Outer(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        state.library.point_to_environments()
        return True


def handle_of(fndesc: Any, environment: Any, library: Any) -> Any:
    """What numba finds an inner function's code by: it wants a builtin function there, and this one is never called."""
    return _dynfunc.make_function(
        fndesc.lookup_module(), fndesc.qualname.split(".")[-1], "", 0, environment, (library,)
    )


class InnerCompiler(Compiler):
    """numba's steps with a last one of ours."""

    lowering: Any = InnerLowering

    def define_pipelines(self) -> Any:
        identity = self.state.func_id
        identity.unique_id = identity.func.source.number
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes[:] = [(self.lowering if step is NativeLowering else step, about) for step, about in steps.passes]
        return [steps]


class OuterCompiler(InnerCompiler):
    lowering = OuterLowering
