"""Scratch memory: words on the stack, in machine code as in Python."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch

SIZE = 10
ONE = np.uint64(1)


@kernel
def fibonacci(n):
    """The n-th Fibonacci number, by a table on the stack."""
    words = scratch(SIZE)
    words[0] = words[1] = ONE
    for i in range(2, SIZE):
        words[i] = words[i - 1] + words[i - 2]
    return words[n]


@kernel
def nested(n):
    """Each call has words of its own."""
    words = scratch(SIZE)
    words[0] = np.uint64(n)
    if n > 0:
        nested(n - 1)
    return words[0]


def test_compiled_and_interpreted_agree():
    assert [int(fibonacci(n)) for n in range(SIZE)] == [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    assert [int(fibonacci.compiled(n)) for n in range(SIZE)] == [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]


def test_every_call_has_its_own_words():
    assert int(nested(5)) == int(nested.compiled(5)) == 5


def test_the_words_are_unsigned_and_of_64_bits():
    words = scratch(3)
    assert words.dtype == np.uint64
    assert words.shape == (3,)


def test_a_kernel_says_its_name():
    assert repr(fibonacci) == "<kernel tests.core.test_scratch.fibonacci>"
    assert fibonacci.__doc__.startswith("The n-th")
