"""How plain classes and functions reach numba. Imported late; nothing else in Kingmaker imports numba.

Each class of `Constant` objects gets a numba type class of its own. A type's *name* is the class, and the fingerprint of all
its code and parameters; the type carries no bytes at run time, so a game costs a recursive call nothing, and it pickles as its
name alone, so cached machine code loads in any process and an edit anywhere makes a new type. Methods are handed over by
`overload_method`, attributes as constants.
"""

import functools
import inspect
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, intrinsic, models, overload_method, register_model, typeof_impl, unbox

from kingmaker.core.cache import DiskCache
from kingmaker.core.complaint import complaint
from kingmaker.core.errors import CannotCompile
from kingmaker.core.fingerprint import fingerprint, names_in
from kingmaker.core.kernel import Constant, Kernel
from kingmaker.core.scratch import scratch, scratch_floats

OPTIONS = {"nogil": True, "error_model": "numpy"}
INNER = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # never called from Python: half the compile time
LIVE: dict[str, Constant] = {}  # type name -> an object of that type
TYPES: dict[type, type] = {}  # Python class -> numba type class


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
    def __init__(self, manager: Any, typ: Any) -> None:
        super().__init__(manager, typ, [])


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
        if isinstance(member, FunctionType) and not name.startswith("__"):
            overload_method(made, name, strict=False, jit_options=INNER)(offer(member))
    return made


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


def bound(function: FunctionType) -> FunctionType:
    """A copy of a method in which other kernels and plain functions are what numba can call."""
    copy = FunctionType(function.__code__, bound_globals(function), function.__name__, function.__defaults__, function.__closure__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


def on_stack(element: Any) -> Any:
    """What `scratch` and its like are in machine code, for elements of eight bytes."""
    kind = types.Array(element, 1, "C")

    @intrinsic(prefer_literal=True)
    def array_on_stack(_context: Any, count: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None

        def make(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
            word = context.get_value_type(element)
            data = cgutils.alloca_once(builder, ir.ArrayType(word, count.literal_value))
            size, step = context.get_constant(types.intp, count.literal_value), context.get_constant(types.intp, 8)
            array = context.make_array(kind)(context, builder)
            context.populate_array(
                array, data=builder.bitcast(data, word.as_pointer()), shape=[size], strides=[step], itemsize=step, meminfo=None
            )
            return array._getvalue()

        return kind(count), make

    return array_on_stack


OWN_WAY = {
    scratch: on_stack(types.uint64),
    scratch_floats: on_stack(types.float64),
}  # plain functions that are something else in machine code
DISPATCHERS: dict[tuple[FunctionType, bool], Any] = {}


def dispatcher_of(function: Any, entry: bool = False) -> Any:
    """The numba function made from a Python function, to be called by others or, as an `entry`, from Python.

    Its globals are bound after it exists, for it may call itself.
    """
    key = (function, entry)
    if key not in DISPATCHERS:
        copy = FunctionType(function.__code__, {}, function.__name__, function.__defaults__, function.__closure__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        made = DISPATCHERS[key] = numba.njit(**(OPTIONS if entry else INNER))(copy)
        copy.__globals__.update(bound_globals(function, made))
    return DISPATCHERS[key]


def bound_globals(function: FunctionType, itself: Any = None) -> dict[str, Any]:
    """A function's globals with kernels and plain functions replaced by what numba can call."""
    space = dict(function.__globals__)
    for name in names_in(function.__code__):
        value = space.get(name)
        value = value.function if isinstance(value, Kernel) else value
        if itself is not None and value is function:
            space[name] = itself
        elif isinstance(value, FunctionType) and value in OWN_WAY:
            space[name] = OWN_WAY[value]
        elif isinstance(value, FunctionType) and not (value.__module__ or "").startswith(("numpy", "numba")):
            space[name] = dispatcher_of(value)
    return space


def entry_to(kernel: Kernel) -> Any:
    """A kernel to be called from Python: cached on disk, with numba's complaints turned into sentences."""
    dispatcher = dispatcher_of(kernel.function, entry=True)
    dispatcher._cache = DiskCache(fingerprint(kernel))

    return Entry(dispatcher)


class Entry:
    """The way from Python into machine code."""

    def __init__(self, dispatcher: Any) -> None:
        self.dispatcher = dispatcher

    def __call__(self, *arguments: Any) -> Any:
        return self.direct(*arguments)(*arguments)

    def direct(self, *arguments: Any) -> Any:
        """What to call with arguments of just these types: machine code without numba's look at each argument."""
        signature = tuple(self.dispatcher.typeof_pyval(argument) for argument in arguments)
        try:
            self.dispatcher.compile(signature)
            return self.dispatcher.overloads[signature].entry_point
        except (NumbaError, LookupError, TypeError) as fault:
            raise CannotCompile(complaint(fault, [type(thing) for thing in arguments if isinstance(thing, Constant)])) from fault
