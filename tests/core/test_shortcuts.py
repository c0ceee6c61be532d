"""What is done once instead of again and again, and what is skipped, gives what numba's own way gives."""

import gc
import types
import warnings
from functools import reduce

import numpy as np
import pytest
from llvmlite import ir as llvm
from llvmlite.binding import ffi
from numba import types as nb_types
from numba.core import event, ir
from numba.core.compiler import run_frontend
from numba.core.errors import NumbaWarning, TypingError, WarningsFixer
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.typeinfer import ConstraintNetwork

from kingmaker.core.compiling import shortcuts
from kingmaker.core.compiling.replaced import replaced
from kingmaker.core.compiling.shortcuts import SIZES, unmeasured
from kingmaker.core.compiling.steps import STEPS, inferred
from kingmaker.core.kernel import kernel
from kingmaker.games.chinese_checkers import ChineseCheckers
from kingmaker.search.maxn import maxn


def added(one, other):
    return one + other


@kernel
def of_whole_arrays(row):
    return (row * 2 + row).sum()


@kernel
def by_a_comprehension(row):
    return len([each for each in row if each > 1])


@kernel
def by_reduction(row):
    return reduce(added, row)


@kernel
def by_a_function_inside(row):
    def doubled(number):
        return 2 * number

    return doubled(row[0]) + min(row[1], row[2])


@pytest.mark.parametrize("function", [of_whole_arrays, by_a_comprehension, by_reduction, by_a_function_inside], ids=str)
def test_steps_are_not_skipped_where_they_are_needed(function):
    row = np.array([1, 2, 3])
    assert function.compiled(row) == function(row)


@kernel
def named_field(record):
    return record["left"] + record["right"]


def test_fields_may_be_named_in_brackets():
    record = np.array([(3, 4)], [("left", np.int16), ("right", np.int64)])[0]
    assert named_field.compiled(record) == named_field(record) == 7


def variables_of(part):
    """All variables in a part of a statement, by numba's definition."""
    if isinstance(part, ir.Var):
        return [part]
    if isinstance(part, ir.Expr):
        part = part._kws
    elif isinstance(part, ir.Inst):
        part = vars(part)
    inside = part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else ()
    return [each for inner in inside for each in variables_of(inner)]


def test_statements_have_the_variables_that_numba_finds():
    seen = 0
    for function in (maxn.function, ChineseCheckers.play, ChineseCheckers.moves, variables_of):
        for block in run_frontend(function).blocks.values():
            for statement in block.body:
                assert statement.list_vars() == variables_of(statement)
                seen += len(variables_of(statement))
    assert seen > 300


def test_types_have_the_size_that_llvm_says():
    context = cpu_target.target_context
    for kind in (llvm.IntType(8), llvm.DoubleType(), llvm.ArrayType(llvm.IntType(16), 7), llvm.IntType(8)):
        assert context.get_abi_sizeof(kind) == kind.get_abi_size(context.target_data)
    assert SIZES["[7 x i16]"] == 14


def test_types_of_the_same_name_may_have_different_sizes():
    context, sizes = cpu_target.target_context, []
    for count in (1, 2):
        kind = llvm.Context().get_identified_type("same")
        kind.set_body(*[llvm.IntType(64)] * count)
        with pytest.raises(RuntimeError, match="same"):  # it needs a module that defines it, and is never remembered
            sizes.append(context.get_abi_sizeof(kind))
    assert sizes == []
    assert not any("same" in text for text in SIZES)


def test_numba_takes_the_time_again_afterwards():
    timer, listeners = event.install_timer, list(ffi.lib._lock._cblist)
    assert listeners
    with unmeasured():
        assert ffi.lib._lock._cblist == []
        assert event.install_timer is not timer
    assert (event.install_timer, ffi.lib._lock._cblist) == (timer, listeners)


class Registry:
    """What a context asks of numba's lists of implementations."""

    registry_items = ("functions", "casts")

    def __init__(self):
        self.functions, self.casts = [], []


def test_contexts_learn_what_was_registered_since():
    one, other, seen, learnt = Registry(), Registry(), [], []
    context, copy = (types.SimpleNamespace(install_registry=learnt.append) for _ in range(2))
    context._registries = copy._registries = {one: one, other: other}
    refresh = shortcuts.refreshed_if_new(seen.append)
    for each in (context, context, copy, context):
        refresh(each)
    assert (seen, learnt) == ([context], [one, other])
    other.casts.append("a cast")
    for each in (copy, context):
        refresh(each)
    assert (seen, learnt) == ([context], [one, other, other])


def test_lives_of_variables_are_known_to_who_asks():
    code = run_frontend(variables_of)
    before = code.variable_lifetime
    with replaced(STEPS):
        PostProcessor(code).run()
    assert code.variable_lifetime is not before
    assert {name for names in code.variable_lifetime.livemap.values() for name in names} >= {"part"}
    assert not any(list(block.find_insts(ir.Del)) for block in code.blocks.values())
    with replaced(STEPS):
        PostProcessor(code).run(emit_dels=True)
    assert any(list(block.find_insts(ir.Del)) for block in code.blocks.values())


class Statement:
    """What an inference asks of a statement."""

    def __init__(self, line, *told, fault=None):
        self.loc, self.told, self.fault = ir.Loc("rules.py", line), told, fault

    def __call__(self, _inference):
        for each in self.told:
            warnings.warn(each, stacklevel=1)
        if self.fault:
            raise self.fault


def test_warnings_name_the_line_of_their_statement():
    statements = [
        Statement(3, NumbaWarning("slow")),
        Statement(4),
        Statement(5, NumbaWarning("slower"), FutureWarning("soon")),
    ]
    inference, network = types.SimpleNamespace(warnings=WarningsFixer(NumbaWarning)), ConstraintNetwork()
    network.constraints = statements
    with pytest.warns(FutureWarning, match="soon") as outside:
        assert inferred(network, inference) == []
    assert len(outside) == 1
    with pytest.warns(NumbaWarning) as told:
        inference.warnings.flush()
    assert [(each.filename, each.lineno, str(each.message)) for each in told] == [
        ("rules.py", 3, "slow"),
        ("rules.py", 5, "slower"),
    ]


def test_inference_goes_on_after_a_fault_and_tells_its_line():
    network, seen = ConstraintNetwork(), []
    network.constraints = [Statement(7, fault=TypingError("no such type")), seen.append]
    seen_by = types.SimpleNamespace(warnings=WarningsFixer(NumbaWarning))
    [fault] = inferred(network, seen_by)
    assert "no such type" in str(fault)
    assert fault.loc.line == 7
    assert seen == [seen_by]


def test_calls_are_remembered_for_one_entry_only(monkeypatch):
    """Guarded code and code at full speed have different versions of `[]`."""
    asked = []
    monkeypatch.setattr(shortcuts.Bundle, "open", None)
    remembering = shortcuts.known_call(lambda *arguments: asked.append(arguments))
    for _ in range(2):
        remembering(None, None, (), {})
    assert len(asked) == 2


@kernel
def thrice(number):
    return 3 * number


def test_the_garbage_collector_is_spared_what_compiling_made(monkeypatch, tmp_path):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path / "cache"))
    gc.collect()
    thrice.compiled.direct(1.5)
    assert gc.isenabled()
    assert sum(gc.get_count()) < gc.get_threshold()[0]
    assert len(gc.get_objects(generation=0)) < 1000
    assert gc.get_freeze_count() == 0
    gc.disable()
    try:
        assert thrice.compiled(2) == 6
        assert not gc.isenabled()
    finally:
        gc.enable()


@kernel
def fourfold(number):
    return 4 * number


def test_what_somebody_has_frozen_stays_frozen(monkeypatch, tmp_path):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path / "cache"))
    gc.freeze()
    try:
        before = gc.get_freeze_count()
        assert fourfold.compiled(2) == 8
        assert 0 < gc.get_freeze_count() <= before
    finally:
        gc.unfreeze()


def test_values_that_hold_no_counted_references_are_not_taken_apart():
    """Numbers hold none, arrays and what holds arrays do, and all of theirs are found."""
    from numba.core.runtime.context import NRTContext

    context = cpu_target.target_context.subtarget(enable_nrt=True)
    array = nb_types.Array(nb_types.float64, 1, "C")
    module = llvm.Module()
    builder = llvm.IRBuilder(llvm.Function(module, llvm.FunctionType(llvm.VoidType(), ()), "some").append_basic_block())
    for kind, many in (
        (nb_types.int64, 0),
        (nb_types.UniTuple(nb_types.float64, 3), 0),
        (array, 1),
        (nb_types.Tuple((nb_types.int64, array, nb_types.UniTuple(array, 2))), 3),
    ):
        value = llvm.Constant(context.get_value_type(kind), llvm.Undefined)
        found = NRTContext.get_meminfos(context.nrt, builder, kind, value)
        assert len(found) == many
        assert shortcuts.COUNTED[kind] == (many > 0)
