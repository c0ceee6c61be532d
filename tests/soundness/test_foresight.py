"""What an estimate says of moves is what playing them brings, or it is told which move it is wrong about."""

import pytest

from kingmaker.soundness.fault import Fault
from kingmaker.soundness.promises import Effort
from kingmaker.soundness.vouching import first_fault
from tests.soundness import foreseeing
from tests.soundness.games import Pile
from tests.soundness.test_promises import AT, looked_at


@pytest.mark.parametrize("estimate", [foreseeing.Foreseeing(), foreseeing.Choosing(), foreseeing.Surprised()], ids=str)
def test_an_estimate_that_is_right_has_no_fault(estimate):
    assert looked_at(Pile(), (estimate,)) is None


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (
            foreseeing.Wrong(),
            rf"wrong.after \(.*`def after.*{AT}expected \(.*\) for the move \d, as the position after it is estimated, "
            r"got \(",
        ),
        (
            foreseeing.Endings(),
            rf"endings.after .*{AT}expected False for the move \d, which ends the match; return False wherever a move",
        ),
        (
            foreseeing.Selfish(),
            rf"selfish.own_after .*{AT}expected 0\.\d+, the entry of seat \d that after writes for the move \d, "
            r"got 0.125",
        ),
        (foreseeing.Hasty(), rf"hasty.own_after .*{AT}expected nan, as after says False for the move \d, got 0"),
        (
            foreseeing.Narrow(),
            rf"narrow.interval_after .*{AT}expected \(.*\) and \(.*\) for the move \d, as the position after it is",
        ),
        (foreseeing.Partial(), rf"partial.after .*{AT}expected \(.*\) for the move \d, .*, got \(0.0, 0.0, nan\)"),
        (
            foreseeing.Touching(),
            rf"touching.value .*{AT}expected .* for seat \d after the move \d too, as before it, got .*; "
            r"set changes_own_alone = False",
        ),
        (foreseeing.Wordless(), rf"wordless.begin .*{AT}expected True or False, got None; end it with return True"),
        (foreseeing.Meddling(), rf"meddling.after .*{AT}expected it to leave the state as it is"),
        (
            foreseeing.Fearless(),
            rf"fearless.best_after .*{AT}expected \(0, 0\), for a move may end the match; return \(0, 0\) wherever",
        ),
        (
            foreseeing.Modest(),
            rf"modest.best_after .*{AT}expected the moves \[3\] of 3, by the own entry after each, got \[2\] of 3",
        ),
        (
            foreseeing.Coarse(),
            rf"coarse.grain .*{AT}expected more than 0 and at most 0.015625, by which two values differ, got 0.03125",
        ),
        (
            foreseeing.Hopeful(),
            rf"hopeful.interval_after .*{AT}expected intervals that differ only in the own low end, and there as the "
            r"values; otherwise set best_is_likeliest = False",
        ),
        (foreseeing.Outside(), rf"outside.begin .*{AT}IndexError: index \d+ is out of bounds for axis 0 with size 16"),
    ],
    ids=str,
)
def test_what_is_foreseen_wrongly_is_told(estimate, said):
    with pytest.raises(Fault, match=said):
        looked_at(Pile(), (estimate,))


def test_the_guarded_tour_asks_of_moves_too(monkeypatch):
    monkeypatch.setattr("kingmaker.soundness.promises.foresees_well", lambda *_: None)
    with pytest.raises(Fault, match=r"IndexError: index \d+ is out of bounds .*foreseeing.py, line \d+ `room\[16"):
        first_fault(Pile(), (foreseeing.Outside(),), Effort(matches=2, turns=20, steps=100))
