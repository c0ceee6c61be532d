"""Structures that are kept in registers while code is made hold what numba's own, in memory, would hold."""

import numpy as np
import pytest
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from kingmaker.core.compiling import entry
from kingmaker.core.compiling.compiler import dispatcher_of
from kingmaker.core.compiling.registers import REGISTERS, ChangedLate
from kingmaker.core.compiling.replaced import replaced
from kingmaker.core.compiling.steps import STEPS
from kingmaker.core.compiling.unused import leave_out_unused
from kingmaker.core.kernel import kernel

ROWS = np.arange(12, dtype=np.int64).reshape(3, 4)
WORK = np.zeros(1, [("rows", np.int64, (3, 4)), ("row", np.int64, (4,))])
WORK["rows"][0], WORK["row"][0] = ROWS, (5, 6, 7, 8)


@kernel
def backwards(rows):
    total = 0
    for i in range(len(rows) - 1, -1, -1):
        for j in range(1, rows.shape[1], 2):
            total = 3 * total + rows[i, j] - rows[i, -1]
    return total


@kernel
def chosen(rows):
    row = rows[0]
    for i in range(1, len(rows)):
        if i % 2:
            row = rows[i]
        row[0] += row[3]
    return row[0] + rows[1, 0] + row[1:3].sum()


@kernel
def over_rows(rows):
    total = 0
    for i, row in enumerate(rows):
        for number in row[::2]:
            total += (i + 1) * number
    return total


@pytest.mark.parametrize("function", [backwards, chosen, over_rows], ids=str)
def test_compiled_code_finds_what_the_interpreted_twin_finds(function):
    assert function.compiled(ROWS.copy()) == function(ROWS.copy())


@kernel
def in_a_record(work, i):
    work.rows[i, 1] += work.row[-1]
    work.row[i] = work.rows[i, 1]
    return work.rows[i, 1] - work.rows[-1, i]


def test_arrays_in_records_are_read_and_written_in_place():
    one, other = WORK.copy(), WORK.copy()
    assert in_a_record.compiled(one[0], 2) == in_a_record(other.view(np.recarray)[0], 2)
    assert one.tobytes() == other.tobytes() != WORK.tobytes()


@pytest.fixture
def in_registers():
    with global_compiler_lock, replaced(REGISTERS):
        yield


def function_of(*kinds):
    function = ir.Function(ir.Module("test"), ir.FunctionType(ir.IntType(64), kinds), "test")
    return function, ir.IRBuilder(function.append_basic_block("entry"))


def structure(builder, value=None):
    pair = types.Pair(types.int64, types.boolean)
    return cgutils.create_struct_proxy(pair)(cpu_target.target_context, builder, value)


def text_of(function):
    leave_out_unused(function.module)
    return str(function)


@pytest.mark.usefixtures("in_registers")
def test_a_field_that_was_set_is_read_without_memory():
    function, builder = function_of(ir.IntType(64))
    made = structure(builder)
    made.first = function.args[0]
    builder.ret(structure(builder, made._getvalue()).first)
    assert text_of(function).splitlines()[3:] == ['  ret i64 %".1"', "}"]


@pytest.mark.usefixtures("in_registers")
def test_a_field_that_is_set_in_a_branch_is_in_memory():
    function, builder = function_of(ir.IntType(64), ir.IntType(1))
    made = structure(builder)
    made.first = function.args[0]
    with builder.if_then(function.args[1]):
        made.first = ir.IntType(64)(7)
    builder.ret(made.first)
    entry, branch, rest = text_of(function).split("\nentry.")
    assert "store {i64, i1}" in entry
    assert "store i64 7" in branch
    assert "load i64" in rest


@pytest.mark.usefixtures("in_registers")
def test_a_structure_that_was_read_elsewhere_must_not_change():
    """The block that read it could be part of a loop."""
    function, builder = function_of(ir.IntType(1))
    made = structure(builder)
    with builder.if_then(function.args[0]):
        assert made.first.constant == 0
        with pytest.raises(ChangedLate, match="pair<int64, bool> is changed after it was read"):
            made.first = ir.IntType(64)(7)


def test_what_has_an_effect_is_not_left_out():
    function, builder = function_of(ir.IntType(64))
    place = builder.alloca(ir.FunctionType(ir.IntType(64), ()).as_pointer())
    builder.add(builder.mul(function.args[0], function.args[0]), function.args[0])
    builder.call(builder.load(place), ())
    builder.ret(function.args[0])
    kept = [each.opname for each in function.blocks[0].instructions]
    leave_out_unused(function.module)
    assert kept == ["alloca", "mul", "add", "load", "call", "ret"]
    assert [each.opname for each in function.blocks[0].instructions] == ["alloca", "load", "call", "ret"]


def test_arrays_in_records_need_no_memory_of_their_own():
    """numba's own way would reserve memory for a structure at every use of an array."""
    made = dispatcher_of(in_a_record.function)
    with global_compiler_lock, replaced(REGISTERS):
        made.compile((typeof(WORK[0]), types.int64))
        [found] = made.overloads.values()
        text = str(found.library.own_module())
    assert "getelementptr" in text
    assert "alloca {" not in text


def test_what_somebody_else_compiles_is_compiled_by_numba_as_it_is():
    assert backwards.compiled(ROWS.copy()) == backwards(ROWS.copy())
    for owner, name, ours in (*REGISTERS, *STEPS):
        assert getattr(owner, name, None) is not ours


@kernel
def summed(rows):
    return rows[1:].sum()


def test_an_unusual_use_of_an_array_is_compiled_as_numba_does_it(monkeypatch, tmp_path):
    """Such a use is not known; here every array that is made is one. Code from an earlier run would not be compiled."""
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path / "cache"))
    tried = []

    def refuse(structure, *_):
        tried.append(structure)
        raise ChangedLate("it is changed after it was read")

    changes = [(owner, name, refuse if name == "__setitem__" else ours) for owner, name, ours in REGISTERS]
    monkeypatch.setattr(entry, "REGISTERS", changes)
    assert summed.compiled(ROWS.copy()) == summed(ROWS.copy())
    assert tried
