"""The chance that each seat ends highest, when all that is known of a seat is the interval its final value lies in.

Each final value is uniform on its interval and independent of the others; a seat wins with value x if all others are at
or below x:

    P(a) = integral over [low_a, high_a] of f_a(x) * product over b != a of F_b(x) dx,      F_b(x) = P(value of b <= x)

Below the largest low end some F is 0, so that part adds nothing. From there on the axis is cut at every high end: on a
piece each F is linear or 1, the product a polynomial of degree less than the number of seats, and Gauss-Legendre
integration is exact. A point interval wins with the product of the others' F at the point, so points that tie for the
highest each win in full (`shared`) or divide the win (`split`). Points that differ by rounding alone tie, and an
interval as narrow as that is a point.

    A. Hashavit, S. Markovitch. Max-Prob: An Unbiased Rational Decision Making Procedure for Multiple-Adversary
    Environments. IJCAI 2011.

Differs from the paper: F is held between 0 and 1 at every x. As printed, its last case exceeds 1 and the paper's own
example would come out as 1 instead of 7/8.
"""

from typing import Any

import numpy as np

from kingmaker.core.errors import BadParameter, unknown
from kingmaker.core.kernel import kernel
from kingmaker.core.rounding import TOLERANCE
from kingmaker.core.scratch import scratch, scratch_floats

SEATS = 16  # at most
TIES = ("shared", "split")
RULES = (  # Gauss-Legendre on [0, 1]: distance of a node from the middle, to both sides, and its weight
    ((0.0, 1.0),),
    ((0.28867513459481287, 0.5),),
    (
        (0.0, 0.4444444444444444),
        (0.3872983346207417, 0.2777777777777778),
    ),
    (
        (0.16999052179242813, 0.32607257743127305),
        (0.43056815579702634, 0.17392742256872692),
    ),
    (
        (0.0, 0.28444444444444444),
        (0.2692346550528415, 0.23931433524968324),
        (0.45308992296933204, 0.11846344252809454),
    ),
    (
        (0.1193095930415985, 0.23395696728634552),
        (0.33060469323313224, 0.1803807865240693),
        (0.466234757101576, 0.08566224618958518),
    ),
    (
        (0.0, 0.2089795918367347),
        (0.20292257568869854, 0.19091502525255946),
        (0.37076559279969723, 0.13985269574463832),
        (0.4745539561713793, 0.06474248308443485),
    ),
    (
        (0.09171732124782495, 0.181341891689181),
        (0.2627662049581645, 0.15685332293894363),
        (0.39833323870681336, 0.11119051722668724),
        (0.4801449282487681, 0.05061426814518813),
    ),
)
NODES, WEIGHTS = (
    np.zeros((SEATS // 2, SEATS // 2)),
    np.zeros((SEATS // 2, SEATS // 2)),
)  # row m - 1: m nodes, exact up to degree 2m - 1
for row, rule in enumerate(RULES):
    both = sorted({(0.5 + side * far, weight) for far, weight in rule for side in (-1, 1)})
    NODES[row, : row + 1], WEIGHTS[row, : row + 1] = zip(*both)


@kernel
def chances_to_win(low, high, seats, split, out):
    """Write the chance of each seat, given its interval, to have the highest final value.

    Exact but for rounding; the chances add up to 1, or to more where points share the win. A low end above its high end
    counts as the high end.
    """
    start, size = -np.inf, 0.0
    for seat in range(seats):
        start = max(start, min(low[seat], high[seat]))
        size = max(size, abs(high[seat]))
    margin = TOLERANCE * max(size, abs(start))
    rising, at, rise = scratch(SEATS), scratch_floats(SEATS), scratch_floats(SEATS)
    count, points, everyone = 0, 0, 1.0
    for seat in range(seats):
        out[seat] = 0.0
        if high[seat] > start + margin:
            everyone *= (start - low[seat]) / (high[seat] - low[seat])
            place = count
            while place > 0 and high[np.int64(rising[place - 1])] > high[seat]:
                rising[place] = rising[place - 1]
                place -= 1
            rising[place] = np.uint64(seat)
            count += 1
        elif high[seat] >= start - margin and low[seat] >= high[seat] - margin:
            out[seat] = 1.0
            points += 1
    for seat in range(seats):
        out[seat] *= everyone / points if split and points > 0 else everyone
    for i in range(count):
        seat = np.int64(rising[i])
        at[i] = (start - low[seat]) / (high[seat] - low[seat])
    for first in range(count):
        end = high[np.int64(rising[first])]
        if end == start:
            continue
        for i in range(first, count):
            seat = np.int64(rising[i])
            rise[i] = (end - low[seat]) / (high[seat] - low[seat]) - at[i]
        add_piece(rising, at, rise, first, count, out)
        for i in range(first, count):
            at[i] += rise[i]
        start = end


@kernel
def add_piece(rising, at, rise, first, count, out):
    """Add what each seat from `first` on wins on a piece of the line, where its F goes from `at` up by `rise`; all
    others' F is 1.
    """
    before = scratch_floats(SEATS)
    rule = (count - first - 1) // 2
    for j in range(rule + 1):
        place, product = NODES[rule, j], WEIGHTS[rule, j]
        for i in range(first, count):
            before[i] = product
            product *= at[i] + place * rise[i]
        product = 1.0
        for i in range(count - 1, first - 1, -1):
            out[np.int64(rising[i])] += rise[i] * before[i] * product
            product *= at[i] + place * rise[i]


@kernel
def every_row(low, high, split, out):
    """`chances_to_win` for every row."""
    for row in range(len(low)):
        chances_to_win(low[row], high[row], low.shape[1], split, out[row])


def win_probability(low: Any, high: Any, ties: str = "shared") -> np.ndarray:
    """The chance of each seat to end highest, its final value uniform on [low, high] and independent of the others.

    Takes one vector, or a table of one row a position, which is computed by machine code. Equal points win together:
    each in full if ties are `shared`, in equal parts if `split`.
    """
    if ties not in TIES:
        raise unknown("tie rule", str(ties), TIES, "win_probability")
    lows, highs = as_numbers(low, "low"), as_numbers(high, "high")
    if lows.shape != highs.shape or lows.ndim not in (1, 2):
        raise BadParameter(
            f"expected low and high of the same shape, [seats] or [many, seats], got {lows.shape} and {highs.shape}"
        )
    if not 1 <= lows.shape[-1] <= SEATS:
        raise BadParameter(f"expected 1 to {SEATS} seats in low and high, got {lows.shape[-1]}")
    with np.errstate(over="ignore", invalid="ignore"):
        widths = highs - lows
    if not np.isfinite(widths).all():
        raise BadParameter("expected finite ends, got an interval of no finite width; use the bounds of the payoffs")
    if (widths < 0).any():
        worst = np.unravel_index(np.argmin(widths), widths.shape)
        raise BadParameter(
            f"expected low ends at or below high ends, got [{lows[worst]}, "
            f"{highs[worst]}] for seat {worst[-1]}; swap them, "
            "or use min(low, high) where a value has passed its bound"
        )
    out = np.zeros(lows.shape)
    if lows.ndim == 1:
        every_row(lows[None], highs[None], ties == "split", out[None])
    else:
        every_row.compiled(lows, highs, ties == "split", out)
    return out


def as_numbers(values: Any, name: str) -> np.ndarray:
    try:
        return np.array(values, np.float64, order="C")
    except (TypeError, ValueError):
        raise BadParameter(f"expected numbers for {name}, got {values!r}") from None
