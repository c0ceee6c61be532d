"""Random: uniform, reproducible, looks at nothing."""

from kingmaker.core.rng import stream
from kingmaker.search.random import Random
from tests.samples import BIKES, STICKS


def test_every_legal_move_is_equally_likely():
    """1,000 of 3,000 are expected for each; 150 is almost six standard deviations."""
    rng, counts = stream(1, "uniform"), {1: 0, 2: 0, 3: 0}
    for _ in range(3000):
        counts[Random().decide(STICKS, STICKS.new(), rng).move] += 1
    assert all(abs(count - 1000) < 150 for count in counts.values())


def test_the_same_stream_gives_the_same_moves():
    state = BIKES.new(1)
    one, other = stream(4), stream(4)
    assert [Random().decide(BIKES, state, one).move for _ in range(20)] == [
        Random().decide(BIKES, state, other).move for _ in range(20)
    ]


def test_it_claims_no_values():
    decision = Random().decide(STICKS, STICKS.new())
    assert decision.values is None
    assert decision.nodes == decision.depth == 0
    assert decision.stopped == "no search"
    assert decision.value_of(2) is None
    assert all(entry.values is None and not entry.exact for entry in decision.moves)
