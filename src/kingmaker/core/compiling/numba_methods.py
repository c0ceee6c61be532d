"""How numba learns the methods of plain objects. Imported late."""

from types import FunctionType
from typing import Any

from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, signature

from kingmaker.core.compiling.compiler import dispatcher_of
from kingmaker.core.compiling.constants import returned


def fixed_method(made: type, name: str, method: FunctionType) -> Any:
    """A method that only returns a constant, given to numba as that constant: a switch that is off takes no time to
    compile.
    """
    value = returned(method)
    kinds = {type(None): types.none, bool: types.boolean, int: types.intp, float: types.float64}
    kind = kinds[type(value)]

    class Fixed(AbstractTemplate):
        key = (made, name)

        def generic(self, arguments: Any, _keywords: Any) -> Any:
            return signature(kind, *arguments, recvr=self.this)

    @lower_builtin((made, name), made, types.VarArg(types.Any))
    def lower(context: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return context.get_dummy_value() if value is None else context.get_constant(kind, value)

    return Fixed


def compiled_method(made: Any, name: str, method: FunctionType) -> Any:
    """A method as a plain function of its object: one version for each combination of argument types."""

    class Compiled(AbstractTemplate):
        key = (made, name)

        def generic(self, arguments: Any, keywords: Any) -> Any:
            function = types.Dispatcher(dispatcher_of(method, guarded=made.guarded))
            return function.get_call_type(self.context, (self.this, *arguments), keywords).as_method()

    @lower_builtin((made, name), made, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        function = types.Dispatcher(dispatcher_of(method, guarded=made.guarded))
        call = context.get_function(function, function.get_call_type(context.typing_context, called.args, {}))
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, arguments)

    return Compiled
