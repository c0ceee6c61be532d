"""How functions that call each other in a circle are linked. Imported late."""

from typing import Any

from llvmlite import binding
from numba.core.codegen import RuntimeLinker

UNRESOLVED = RuntimeLinker.PREFIX


def open_circles(module: Any) -> list[str]:
    """The functions that a module calls through a pointer to be filled in later, for they call each other in a
    circle.
    """
    return [each.name.removeprefix(UNRESOLVED) for each in module.global_variables if each.name.startswith(UNRESOLVED)]


def close_circles(module: Any) -> None:
    """Fill in those pointers; numba itself would do so only for functions with machine code of their own."""
    for name in open_circles(module):
        assert not module.get_function(name).is_declaration, name
        text = f'declare void @"{name}"()\n@"{UNRESOLVED}{name}" = linkonce_odr constant ptr @"{name}"\n'
        module.link_in(binding.parse_assembly(text))
        module.get_global_variable(f"{UNRESOLVED}{name}").linkage = "internal"
