"""Entries whose machine code is made quickly, for searches that end soon. Imported late."""

from functools import lru_cache
from typing import Any

from llvmlite import binding

from kingmaker.core.compiling.linking import Outer

TUNING = binding.PipelineTuningOptions(0)


class Quick(Outer):
    """An entry whose machine code is made quickly: variables are kept in registers and short functions inlined, little
    more. It takes about a quarter of the time of LLVM that full speed takes, and runs three to ten times as long.
    """

    def _optimize_functions(self, module: Any) -> None:
        """Tell LLVM the sizes of types, no more: functions are simplified once, after all are linked."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Simplify every function once, before it is inlined in several places."""
        self.link_all()
        machine = self._codegen._tm
        passes, builder = binding.create_new_module_pass_manager(), binding.create_pass_builder(machine, TUNING)
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        passes.add_always_inliner_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.add_simplify_cfg_pass()
        passes.run(self._final_module, builder)

    def _finalize_specific(self) -> None:
        """Hand over machine code made without optimisation; LLVM's engine would make it at full cost."""
        self.made = quick_machine(self._codegen).emit_object(self._final_module)
        self._set_compiled_object(self.made)
        super()._finalize_specific()

    def _get_compiled_object(self) -> bytes:
        """The machine code, to be kept on disk; numba forgets what it has handed over."""
        return bytes(self.made)


@lru_cache(maxsize=1)
def quick_machine(codegen: Any) -> Any:
    """The processor as numba describes it to LLVM, for machine code that is not optimised."""
    options = {"opt": 0}
    codegen._customize_tm_features()
    codegen._customize_tm_options(options)
    return binding.Target.from_triple(binding.get_process_triple()).create_target_machine(**options)
