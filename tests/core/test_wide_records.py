"""Records that compute in Python as in machine code."""

import pickle

import numpy as np
import pytest

from kingmaker.core.wide_records import WideArray, record, widened, zeros

KIND = np.dtype([("small", np.int8), ("word", np.uint64), ("row", np.int8, (3,)), ("part", np.float32)], align=True)


def test_small_numbers_do_not_overflow():
    state = record(KIND)
    state.small = 100
    assert state.small + state.small == 200
    state.row[1] = 100
    assert state.row[1] * 5 == 500
    assert isinstance(state.row, WideArray)
    assert type(state.small) is int
    assert type(state.row[1]) is int
    assert type(state.part) is float


def test_words_of_64_bits_stay_words():
    state = record(KIND)
    state.word = 2**64 - 1
    assert type(state.word) is np.uint64
    with np.errstate(over="ignore"):
        assert state.word + np.uint64(2) == 1


def test_arrays_of_records_hand_out_wide_records():
    states = zeros((4,), KIND)
    states[2].small = 100
    assert states[2].small * 2 == 200
    states[3] = states[2]
    states[2].small = 1
    assert states[3].small == 100


def test_slices_write_through():
    state = record(KIND)
    state.row[:2] = 7
    assert list(state.row) == [7, 7, 0]


def test_scalars_are_widened_and_the_rest_is_left():
    assert type(widened(np.int8(3))) is int
    assert type(widened(np.bool_(True))) is bool
    assert widened("text") == "text"
    assert type(widened(np.uint64(3))) is np.uint64


def test_a_copy_is_a_record_of_its_own():
    state = record(KIND)
    other = state.copy()
    other.small = 5
    assert state.small == 0
    assert other.small + 127 == 132


def test_a_field_may_have_any_name():
    """NumPy's own records answer `size` and `real` with attributes of theirs, machine code with the field: the twins
    would differ.
    """
    state = record(np.dtype([("size", np.int16), ("real", np.int16)]))
    state["size"], state["real"] = 5, 7
    assert (state.size, state.real) == (5, 7)


def test_a_record_survives_being_pickled():
    state = record(KIND)
    state.small, state.word, state.row[2] = 100, 2**63, 7
    again = pickle.loads(pickle.dumps(state))
    assert again.tobytes() == state.tobytes()
    assert again.small * 2 == 200


def test_a_field_that_is_not_there_is_neither_read_nor_written():
    state = record(KIND)
    with pytest.raises(AttributeError, match="the state has no field 'smal'"):
        state.smal = 3
    with pytest.raises(AttributeError, match="smal"):
        state.smal  # noqa: B018
    with pytest.raises(ValueError, match="could not broadcast"):
        state.row = [1, 2, 3, 4]
