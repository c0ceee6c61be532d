"""Fingerprints: equal exactly when the same machine code would come out."""

import functools
import types

import numpy as np

from kingmaker.core.compiling.fingerprint import fingerprint, names_in
from kingmaker.core.kernel import Constant, kernel
from kingmaker.games.light_bike import LightBike
from kingmaker.games.random_tree import Guess, RandomTree
from kingmaker.games.sticks import Sticks


def made(source, name="f", **space):
    """A function from its text, as if from a file of that moment."""
    space = {"np": np, "kernel": kernel, "Constant": Constant, "__name__": "elsewhere", **space}
    exec(source, space)
    return space[name]


def test_the_same_text_has_the_same_fingerprint():
    source = "def f(x):\n    return x + 1"
    assert fingerprint(made(source)) == fingerprint(made(source))


def test_a_comment_or_a_line_break_changes_nothing():
    assert fingerprint(made("def f(x):\n    return x + 1")) == fingerprint(
        made("def f(x):\n    # why\n\n    return x + 1")
    )


def test_every_kind_of_change_shows():
    source = (
        "HALF = 2\nROW = np.arange(3)\ndef g(x):\n    return x * HALF\ndef f(x, y=1):\n    return g(x) + y + ROW[0]"
    )
    changed = [
        source.replace("HALF = 2", "HALF = 3"),
        source.replace("arange(3)", "arange(4)"),
        source.replace("x * HALF", "x + HALF"),
        source.replace("y=1", "y=2"),
        source.replace("ROW[0]", "ROW[1]"),
        source.replace("g(x) + y", "g(x) - y"),
    ]
    found = {fingerprint(made(text)) for text in (source, *changed)}
    assert len(found) == 1 + len(changed)


def test_a_kernel_is_its_function():
    function = made("def f(x):\n    return x")
    assert fingerprint(kernel(function)) == fingerprint(function)


def test_functions_that_call_each_other_come_to_an_end():
    source = "def f(x):\n    return g(x)\ndef g(x):\n    return f(x) + {}"
    assert (
        fingerprint(made(source.format(1)))
        == fingerprint(made(source.format(1)))
        != fingerprint(made(source.format(2)))
    )


def test_what_a_function_encloses_counts():
    source = "def outer(n):\n    def f(x):\n        return x + n\n    return f\nf = outer({})"
    assert fingerprint(made(source.format(1))) != fingerprint(made(source.format(2)))


def test_an_inner_function_counts():
    source = "def f(x):\n    def g(y):\n        return y + {}\n    return g(x)"
    assert fingerprint(made(source.format(1))) != fingerprint(made(source.format(2)))
    assert "zeros" in names_in(made("def f(x):\n    return [np.zeros(y) for y in x]").__code__)


def test_a_function_given_to_numba_is_its_python():
    def dispatcher(function):
        return types.SimpleNamespace(py_func=function)

    one, other = made("def f(x):\n    return x + 1"), made("def f(x):\n    return x + 2")
    caller = "def f(x):\n    return g(x)"
    assert fingerprint(made(caller, g=dispatcher(one))) != fingerprint(made(caller, g=dispatcher(other)))
    assert fingerprint(dispatcher(one)) == fingerprint(one)


def test_a_module_of_ones_own_counts_as_far_as_it_is_used():
    def module(used, unused):
        found = types.ModuleType("own_rules")
        found.used, found.unused = used, unused
        return found

    source = "def f(x):\n    return rules.used + x"
    base = fingerprint(made(source, rules=module(1, 1)))
    assert fingerprint(made(source, rules=module(1, 2))) == base
    assert fingerprint(made(source, rules=module(2, 1))) != base


def test_parameters_classes_and_inherited_methods_count():
    assert fingerprint(Sticks(3, 9)) == fingerprint(Sticks(3, 9))
    assert len({fingerprint(game) for game in (Sticks(3, 9), Sticks(2, 9), Sticks(3, 8))}) == 3
    assert fingerprint(Guess(0)) != fingerprint(Guess(1))
    assert fingerprint(LightBike(walls="stay")) != fingerprint(LightBike(walls="vanish"))
    source = "class Parent(Constant):\n    def go(self):\n        return {}\nclass Child(Parent):\n    pass"
    assert fingerprint(made(source.format(1), "Child")()) != fingerprint(made(source.format(2), "Child")())


def test_a_property_and_a_nested_constant_count():
    source = "class Thing(Constant):\n    @property\n    def size(self):\n        return {}"
    assert fingerprint(made(source.format(1), "Thing")()) != fingerprint(made(source.format(2), "Thing")())

    class Holder(Constant):
        def __init__(self, part):
            self.part = part

    assert fingerprint(Holder(Guess(0))) != fingerprint(Holder(Guess(1)))


def test_dtypes_dictionaries_and_sets_count():
    assert fingerprint(np.dtype([("a", np.int8)])) != fingerprint(np.dtype([("a", np.int16)]))
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})
    assert fingerprint({1, 2}) == fingerprint({2, 1}) != fingerprint({1, 3})
    assert fingerprint(np) == fingerprint(np) != fingerprint(functools)


def test_use_does_not_change_a_fingerprint():
    game = RandomTree(height=3)
    before = fingerprint(game)
    _ = game.has_records
    game.checked()
    fresh = fingerprint(RandomTree(height=3))
    assert before == fresh
