"""What a constant switches off is not compiled, and nothing else is left out."""

import pytest

from kingmaker.core.compiling.compiler import dispatcher_of
from kingmaker.core.compiling.folding import only_compares
from kingmaker.core.kernel import Constant, kernel


class Switch(Constant):
    def __init__(self, dice=0, deep=False):
        self.dice, self.deep = dice, deep

    def prunes(self, value):
        return False

    def doubles(self, value):
        return value * 2


class Holder(Constant):
    def __init__(self, switch):
        self.switch = switch


@kernel
def chancy(switch, seat):
    return switch.dice > 0 and seat == -1


@kernel
def broken(value):
    """Cannot be compiled."""
    return value.nothing_has_this + "text"


@kernel
def plainly(holder, seat):
    if holder.switch.dice > 0:
        return broken(seat)
    return seat + 1


@kernel
def by_method(holder, seat):
    if holder.switch.prunes(seat) and seat > 3:
        return broken(seat)
    return holder.switch.doubles(seat)


@kernel
def by_expression(holder, seat):
    total = 0
    for i in range(seat):
        if chancy(holder.switch, i) or holder.switch.dice != 0:
            total += broken(i)
            continue
        total += i
    return total


@kernel
def alternatives(holder, seat):
    return 1 if holder.switch.deep else seat


@kernel
def reassigned(holder, seat):
    on = holder.switch.deep
    if seat > 2:
        on = True
    return 10 if on else 20


@pytest.mark.parametrize("function", [plainly, by_method, by_expression, alternatives, reassigned])
def test_machine_code_without_what_is_off_computes_what_python_computes(function):
    holder = Holder(Switch())
    for seat in range(6):
        assert function.compiled(holder, seat) == function(holder, seat)


@pytest.mark.parametrize(("switch", "seat", "value"), [(Switch(deep=True), 7, 1), (Switch(), 7, 7)])
def test_a_switch_that_is_on_stays(switch, seat, value):
    assert alternatives.compiled(Holder(switch), seat) == value


def test_a_function_behind_a_switch_that_is_off_is_not_compiled():
    by_expression.compiled(Holder(Switch()), 3)
    assert not any(dispatcher_of(broken.function, guarded=guarded).overloads for guarded in (False, True))


@kernel
def large(holder, seat):
    return seat >> 1 > 2 and holder.switch.deep


@kernel
def by_arithmetic(holder, seat):
    return 1 if large(holder, seat) else 2


def test_what_computes_from_an_unknown_argument_is_left_to_the_machine_code():
    assert [by_arithmetic.compiled(Holder(Switch(deep=True)), seat) for seat in (4, 6)] == [2, 1]


def test_a_function_only_compares_without_arithmetic_calls_loops_and_effects():
    assert only_compares(chancy.function)
    for function in (large.function, by_expression.function, by_method.function, Switch.__init__):
        assert not only_compares(function)
