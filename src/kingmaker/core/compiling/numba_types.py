"""How numba learns the types of plain objects. Imported late.

Each class of `Constant` objects gets a numba type class of its own. A type's *name* is the class, and the fingerprint
of all its code and parameters; the type carries no bytes at run time, so a game costs a recursive call nothing, and it
pickles as its name alone, so cached machine code loads in any process and an edit anywhere makes a new type. A method
is compiled as a plain function whose first argument is the object; an attribute is a constant.
"""

import inspect
from types import FunctionType
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from kingmaker.core.compiling.constants import returns_constant
from kingmaker.core.compiling.fingerprint import fingerprint
from kingmaker.core.compiling.numba_methods import compiled_method, fixed_method
from kingmaker.core.guard import UNGUARDED, guards_of
from kingmaker.core.kernel import Constant

LIVE: dict[str, Constant] = {}  # type name -> an object of that type
TYPES: dict[tuple[type, bool], type] = {}  # Python class, guarded or not -> numba type class
METHODS: dict[tuple[type, str], Any] = {}  # how numba types a call of a method
GUARD = "!"  # ends the name of a guarded type


class ConstantType(types.Type):
    """The numba type of one `Constant`: all of its attributes are compile-time constants."""

    guarded = False

    def __reduce__(self) -> Any:
        return restored, (self.name,)


def restored(name: str) -> Any:
    """The type of that name in this process."""
    return LIVE[name].numba_type(name.endswith(GUARD)) if name in LIVE else ConstantType(name)


@infer_getattr
class ConstantAttributes(AttributeTemplate):
    """How numba types an attribute: `game.seats` has the type of its value."""

    key = ConstantType

    def generic_resolve(self, typ: Any, attribute: str) -> Any:
        if (type(typ), attribute) in METHODS:
            return types.BoundFunction(METHODS[type(typ), attribute], typ)
        value = getattr(LIVE[typ.name], attribute, type_of)
        if callable(value):
            return None
        if isinstance(value, (dict, list, set)):
            raise TypingError(f"machine code cannot hold '{attribute}', a {type(value).__name__}")
        return type_of_attribute(self.context, typ, value)


def type_of_attribute(context: Any, typ: Any, value: Any) -> Any:
    """The numba type of an attribute's value; the parts of a guarded object are guarded too."""
    return value.numba_type(typ.guarded) if isinstance(value, Constant) else context.resolve_value_type(value)


@lower_getattr_generic(ConstantType)
def lower_attribute(context: Any, builder: Any, typ: Any, _value: Any, attribute: str) -> Any:
    value = getattr(LIVE[typ.name], attribute)
    return context.get_constant_generic(builder, type_of_attribute(context.typing_context, typ, value), value)


def nothing(context: Any, builder: Any, typ: Any) -> Any:
    """The value of a constant: a struct without members."""
    return cgutils.create_struct_proxy(typ)(context, builder)._getvalue()


class ConstantModel(models.StructModel):
    def __init__(self, data_models: Any, typ: Any) -> None:
        super().__init__(data_models, typ, [])


def type_class(cls: type, guarded: bool) -> type:
    """The numba type class that stands for a Python class, made on first use."""
    if (cls, guarded) in TYPES:
        return TYPES[cls, guarded]
    made = TYPES[cls, guarded] = type(f"{'Guarded' * guarded}{cls.__name__}Type", (ConstantType,), {"guarded": guarded})
    register_model(made)(ConstantModel)
    unbox(made)(lambda typ, _value, c: NativeValue(nothing(c.context, c.builder, typ)))
    lower_constant(made)(lambda context, builder, typ, _value: nothing(context, builder, typ))
    guards = guards_of(cls) if guarded else {}
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        if not isinstance(member, FunctionType) or name.startswith("__"):
            continue
        if name in guards:
            hand_over(made, name, guards[name])
        hand_over(made, f"{UNGUARDED * (name in guards)}{name}", member)
    return made


def hand_over(made: Any, name: str, method: FunctionType) -> None:
    """Register a method of a type with numba."""
    hand = fixed_method if returns_constant(method) else compiled_method
    METHODS[made, name] = hand(made, name, method)


def type_of(thing: Constant, guarded: bool) -> Any:
    """The numba type of an object, named after all that its machine code depends on."""
    name = f"{thing._numba_type_.name}{GUARD}" if guarded else f"{type(thing).__name__}@{fingerprint(thing)}"
    for value in vars(thing).values():
        if isinstance(value, Constant):
            value.numba_type(guarded)  # registers it before anything that uses it is compiled
    LIVE[name] = thing
    return type_class(type(thing), guarded)(name)


@typeof_impl.register(Constant)
def typeof_constant(value: Constant, _context: Any) -> Any:
    return value._numba_type_
