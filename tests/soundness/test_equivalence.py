"""Moves that a game calls equivalent lead to the same values, or it is told which do not."""

import pytest

from kingmaker.games.hearts import Hearts
from kingmaker.games.parts.hearts.estimates import Composition
from kingmaker.games.parts.spades.estimates import Holding
from kingmaker.games.spades import Spades
from kingmaker.soundness.fault import Fault
from tests.soundness import games
from tests.soundness.test_promises import AT, looked_at


class Telling(Composition):
    """Counts ranks, by which it tells equivalent cards apart, and promises not to."""

    values_equivalents_alike = True


@pytest.mark.parametrize(
    ("game", "estimate"),
    [
        (Hearts(open=True, ranks=5), Composition(rank=0, standing=1)),
        (Hearts(open=True, ranks=5, rules="parlour"), Composition(rank=0)),
        (Spades(open=True, ranks=4, breaking=True), Holding(rank=0, standing=1)),
    ],
    ids=str,
)
def test_equivalent_cards_lead_to_the_same_values(game, estimate):
    assert looked_at(game, (*game.estimates, estimate)) is None


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (
            games.Elsewhere(),
            rf"equivalent .*{AT}expected a legal move that stands for itself and for the move 1, got 9; return the",
        ),
        (
            games.AllAlike(),
            rf"equivalent .*{AT}expected the moves \d and 1 to lead to the same payoffs and estimates; call them",
        ),
    ],
    ids=str,
)
def test_moves_that_are_not_equivalent_are_told(game, said):
    with pytest.raises(Fault, match=said):
        looked_at(game)


def test_an_estimate_that_tells_equivalent_moves_apart_is_told():
    with pytest.raises(
        Fault, match=r"equivalent at .*: expected the moves \d+ and \d+ to lead to the same payoffs and"
    ):
        looked_at(Hearts(open=True, ranks=5), (Telling(),))
