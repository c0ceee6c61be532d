"""Random numbers: one seed in, named independent streams out.

The state is one splitmix64 word in a record, so that kernels draw from the search's own workspace and the interpreted
twin draws the same numbers. Two streams of different names never share their numbers.

    G. Steele, D. Lea, C. Flood. Fast Splittable Pseudorandom Number Generators. OOPSLA 2014.
"""

import hashlib
from typing import Any

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.wide_records import record

RNG = np.dtype([("word", np.uint64)], align=True)

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S11, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11), np.uint64(32)
UNIT = 2.0**-53


def stream(seed: int, *names: object) -> Any:
    """An independent stream of random numbers: the same seed and names always give the same one."""
    text = "/".join(map(str, (seed, *names)))
    word = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    rng = record(RNG)
    rng.word = word
    return rng


@kernel
def mix(word):
    """Scramble a 64-bit word; every bit of the result depends on every bit of the word."""
    word = (word ^ (word >> S30)) * FIRST
    word = (word ^ (word >> S27)) * SECOND
    return word ^ (word >> S31)


@kernel
def draw(rng):
    """The next 64 random bits."""
    rng.word = rng.word + GAMMA
    return mix(rng.word)


@kernel
def unit(rng):
    """A random number from 0 up to, not including, 1."""
    return np.float64(draw(rng) >> S11) * UNIT


@kernel
def below(rng, count):
    """A random whole number from 0 to count - 1."""
    return np.int64(((draw(rng) >> S32) * np.uint64(count)) >> S32)


@kernel
def shuffle(rng, items, count):
    """Bring the first `count` items into a uniformly random order."""
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        items[i], items[j] = items[j], items[i]
