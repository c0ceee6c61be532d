"""Who is best, whatever rounding does to sums."""

import math
from itertools import product

import numpy as np
import pytest

from kingmaker.stats.places import ahead, best_seats, places


def test_the_best_seats_may_be_several():
    assert best_seats([1, 3, 3]) == (1, 2)
    assert best_seats([0.0, 0.0]) == (0, 1)
    assert best_seats([-5.0, -2.0]) == (1,)


def test_rounding_breaks_no_tie():
    assert best_seats([1.9999999999999998, 2.0, 1.5]) == (0, 1)
    assert best_seats([1e12, 1e12 * (1 + 1e-15)]) == (0, 1)
    assert ahead(0.1 + 0.2, 0.3) == 0
    assert (ahead(2.0, 1.0), ahead(1.0, 2.0)) == (1, -1)
    assert places(np.array([[0.1 + 0.2, 0.3, 0.0]]), True).tolist() == [[0, 0, 2]]
    assert places(np.array([[0.1 + 0.2, 0.3, 0.0]]), False).tolist() == [[0, 0, 1]]


def test_what_differs_stays_different():
    assert best_seats([1.0, 1.001]) == (1,)
    assert best_seats([1e-3, 0.0]) == (0,)


@pytest.mark.parametrize("seats", [3])
def test_every_match_of_six_hands_has_the_winners_of_its_exact_sums(seats):
    parts = [(1.0, 0.0, 0.0), (0.5, 0.5, 0.0), (1 / 3, 1 / 3, 1 / 3), (0.0, 0.5, 0.5), (0.0, 0.0, 1.0)]
    sixths = [(6, 0, 0), (3, 3, 0), (2, 2, 2), (0, 3, 3), (0, 0, 6)]
    wrong = 0
    for chosen in product(range(5), repeat=6):
        exact = [sum(sixths[i][seat] for i in chosen) for seat in range(seats)]
        truth = tuple(seat for seat in range(seats) if exact[seat] == max(exact))
        assert best_seats([math.fsum(parts[i][seat] for i in chosen) for seat in range(seats)]) == truth
        plain = [sum(parts[i][seat] for i in chosen) for seat in range(seats)]
        assert best_seats(plain) == truth
        wrong += tuple(seat for seat in range(seats) if plain[seat] == max(plain)) != truth
    assert wrong > 100  # that comparing bit by bit gets wrong
