"""How an error in machine code is traced back to the user's line.

Machine code that raises, by a guard or by a `raise` of the user's, tells neither the line nor the position. So the
states that a search holds are examined by the interpreted rules until one of them shows the fault.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kingmaker.core.errors import KingmakerError
from kingmaker.core.guard import own_parts
from kingmaker.soundness.calls import answers, estimates_answer
from kingmaker.soundness.fault import Fault, fault
from kingmaker.soundness.foresight import foresees_well
from kingmaker.soundness.trial import Trial


@contextmanager
def traced(game: Any, states: Sequence[Any], estimates: tuple[Any, ...] = ()) -> Iterator[None]:
    """Raise an error of a user's own game again with the method, the position and the line."""
    try:
        yield
    except KingmakerError:
        raise
    except (ArithmeticError, AssertionError, LookupError, RuntimeError, TypeError, ValueError) as problem:
        if not any(own_parts((game, *estimates))):
            raise
        raise named(game, states, estimates, problem) from problem


def named(game: Any, states: Sequence[Any], estimates: tuple[Any, ...], problem: Any) -> Fault:
    """The fault that machine code ran into, found by asking everything interpreted at the positions where it was."""
    looked_at = [view for view in (game.copy(state) for state in states) if not game.has_records or any(view.tobytes())]
    with Trial(game) as trial:
        trial.close = True
        for view in looked_at:
            try:
                answers(trial, view)
                estimates_answer(trial, view, estimates)
                foresees_well(trial, view, estimates)
            except Fault as found:
                return found
    told = f"machine code stopped with {problem!r}, which the same lines do not do interpreted; run it interpreted"
    return fault(game, looked_at[0] if looked_at else None, "play", told)
