"""How plain objects reach numba. Imported late.

Each class of `Constant` objects gets a numba type class of its own. A type's *name* is the class, and the fingerprint of all
its code and parameters; the type carries no bytes at run time, so a game costs a recursive call nothing, and it pickles as its
name alone, so cached machine code loads in any process and an edit anywhere makes a new type. Methods are handed over by
`overload_method`, attributes as constants.
"""

import dis
import functools
import inspect
from types import FunctionType
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_constant, lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, signature
from numba.extending import NativeValue, models, overload_method, register_model, typeof_impl, unbox

from kingmaker.core.compiler import INNER, bound
from kingmaker.core.fingerprint import fingerprint
from kingmaker.core.kernel import Constant

LIVE: dict[str, Constant] = {}  # type name -> an object of that type
TYPES: dict[type, type] = {}  # Python class -> numba type class
FIXED: dict[tuple[type, str], Any] = {}  # methods that only return a constant


class ConstantType(types.Type):
    """The numba type of one `Constant`: all that is to know of it is known when compiling."""

    def __reduce__(self) -> Any:
        return restored, (self.name,)


def restored(name: str) -> Any:
    """The type of that name in this process."""
    return LIVE[name]._numba_type_ if name in LIVE else ConstantType(name)


@infer_getattr
class ConstantAttributes(AttributeTemplate):
    """`game.seats` has the type of the number that stands there."""

    key = ConstantType

    def generic_resolve(self, typ: Any, attribute: str) -> Any:
        if (type(typ), attribute) in FIXED:
            return types.BoundFunction(FIXED[type(typ), attribute], typ)
        value = getattr(LIVE[typ.name], attribute, None)
        if value is None or callable(value):
            return None  # a method: the overloads know
        return self.context.resolve_value_type(value)


@lower_getattr_generic(ConstantType)
def lower_attribute(context: Any, builder: Any, typ: Any, _value: Any, attribute: str) -> Any:
    value = getattr(LIVE[typ.name], attribute)
    return context.get_constant_generic(builder, context.typing_context.resolve_value_type(value), value)


def nothing(context: Any, builder: Any, typ: Any) -> Any:
    """The value of a constant: a struct without members."""
    return cgutils.create_struct_proxy(typ)(context, builder)._getvalue()


class ConstantModel(models.StructModel):
    def __init__(self, data_models: Any, typ: Any) -> None:
        super().__init__(data_models, typ, [])


def type_class(cls: type) -> type:
    """The numba type class that stands for a Python class, made on first use."""
    if cls in TYPES:
        return TYPES[cls]
    made = TYPES[cls] = type(f"{cls.__name__}Type", (ConstantType,), {})
    register_model(made)(ConstantModel)
    unbox(made)(lambda typ, _value, c: NativeValue(nothing(c.context, c.builder, typ)))
    lower_constant(made)(lambda context, builder, typ, _value: nothing(context, builder, typ))
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        if not isinstance(member, FunctionType) or name.startswith("__"):
            continue
        if returns_constant(member):
            FIXED[made, name] = fixed_method(made, name, returned(member))
        else:
            overload_method(made, name, strict=False, jit_options=INNER)(offer(member))
    return made


def returned(method: FunctionType) -> Any:
    """The constant that a method does nothing but return, or the method itself if it does more."""
    steps = [step for step in dis.get_instructions(method) if step.opname not in ("RESUME", "NOP")]
    if [step.opname for step in steps] in (["LOAD_CONST", "RETURN_VALUE"], ["RETURN_CONST"]):
        return steps[0].argval
    return method


def returns_constant(method: FunctionType) -> bool:
    value = returned(method)
    return value is None or isinstance(value, (bool, int, float))


def fixed_method(made: type, name: str, value: Any) -> Any:
    """A method that only returns a constant, told to numba directly: what is off in a policy costs no compilation either."""
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


def offer(method: FunctionType) -> Any:
    """A function with the method's own argument names that hands numba the method."""
    names = ", ".join(inspect.signature(method).parameters)
    space = {"bound": functools.cache(lambda: bound(method))}
    exec(f"def stub({names}): return bound()", space)
    return space["stub"]


def type_of(thing: Constant) -> Any:
    """The numba type of an object, named after all that its machine code depends on."""
    for value in vars(thing).values():
        if isinstance(value, Constant):
            _ = value._numba_type_  # known to numba before anything that uses it is compiled
    name = f"{type(thing).__name__}@{fingerprint(thing)}"
    LIVE[name] = thing
    return type_class(type(thing))(name)


@typeof_impl.register(Constant)
def typeof_constant(value: Constant, _context: Any) -> Any:
    return value._numba_type_
