"""Which seats are best: payoffs that differ by no more than rounding are a tie.

Six payoffs of 1/3 add up to 2.0 or to 1.9999999999999998, depending on the order in which they are added. Best seats,
places and who came out ahead are all computed here, so that they agree.
"""

from collections.abc import Sequence

import numpy as np

TIE = 1e-9  # relative difference that counts as rounding; absolute for payoffs below 1


def best_seats(payoffs: Sequence[float]) -> tuple[int, ...]:
    """The seats with the highest payoff."""
    top = max(payoffs)
    least = top - TIE * max(1.0, abs(top))
    return tuple(seat for seat, payoff in enumerate(payoffs) if payoff >= least)


def ahead(first: float, second: float) -> int:
    """1 if the first is more than the second, -1 if it is less, 0 if they are tied."""
    if abs(first - second) <= TIE * max(1.0, abs(first), abs(second)):
        return 0
    return 1 if first > second else -1


def places(payoffs: np.ndarray, orders: bool) -> np.ndarray:
    """The place of every seat of every match, 0 the best; without `orders` all others have place 1."""
    if not orders:
        return np.array(
            [[seat not in best for seat in range(len(row))] for row in payoffs.tolist() for best in [best_seats(row)]],
            int,
        )
    return np.array([[sum(ahead(other, mine) > 0 for other in row) for mine in row] for row in payoffs.tolist()], int)
