"""How a user's own game is vouched for: an examination on first use, and a certificate so that it happens only once.

The examination tries all promises of the game at a small, counted effort: about a second, and what compiling takes. A
certificate is an entry of the compile cache, named after the code and the parameters of the game and its estimates and
after this package's own code, so an edit anywhere makes another name. A game that breaks a hard promise is refused; one
that breaks a soft one is played guarded, with a remark.
"""

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kingmaker.core.estimate import Estimate
from kingmaker.core.guard import is_own, own_parts, vouch
from kingmaker.soundness.fault import Fault
from kingmaker.soundness.promises import Effort, promises
from kingmaker.soundness.trial import Trial

SOUND = b"sound"  # what a certificate says
FIRST_USE = Effort(matches=20, turns=300, steps=20_000)
GLANCE = Effort(matches=2, turns=30, steps=0)
VERDICTS: dict[str, bool] = {}  # what this process has found: certificate's name -> may it run at full speed
tell: ContextVar[Callable[[str], None] | None] = ContextVar(
    "tell", default=None
)  # called with a notice when an examination begins


class UnsoundWarning(UserWarning):
    """A game breaks a promise that no search depends on."""


def vouched(game: Any, things: Iterable[Any] = ()) -> None:
    """Let a user's own game, and estimates among the things, run at full speed if they are sound; raise a Fault if
    not.
    """
    if not game.compiles:
        glanced(game)
    elif is_own(game):
        estimates = tuple(game.estimates)
        certify(game, estimates, tuple(own_parts((game, *estimates))))
    for estimate in own_parts(things):
        if game.compiles and isinstance(estimate, Estimate):
            certify(game, (estimate,), tuple(own_parts((estimate,))))


def glanced(game: Any) -> None:
    """Examine a user's own game that runs interpreted: briefly, for there is no machine code to guard, and once in a
    process.
    """
    if is_own(game) and "_vouched" not in vars(game):
        vars(game)["_vouched"] = set()
        first_fault(game, tuple(game.estimates), GLANCE)


def trust(game: Any) -> None:
    """Skip the brief examination of an interpreted game: its faults are reported when they occur in a match."""
    if not game.compiles:
        vars(game).setdefault("_vouched", set())


def certify(game: Any, estimates: tuple[Any, ...], parts: tuple[Any, ...]) -> None:
    """Vouch for the parts by what is known of them, or else by an examination."""
    if all(part._numba_type_.name in vars(game).get("_vouched", ()) for part in parts):
        return
    name = certificate(game, parts)
    if name not in VERDICTS:
        VERDICTS[name] = kept(name) or examined(game, estimates, name)
    if VERDICTS[name]:
        vouch(game, parts)


def examined(game: Any, estimates: tuple[Any, ...], name: str) -> bool:
    """Examine the game now; may it run at full speed?"""
    notice = tell.get()
    if notice:
        notice(f"examining {game} once, for its code is new")
    soft = first_fault(game, estimates, FIRST_USE)
    if soft is None:
        keep(name)
        return True
    told = f"{soft}; everything works, slower, until kingmaker check finds no fault"
    warnings.warn(told, UnsoundWarning, stacklevel=2)
    return False


def first_fault(game: Any, estimates: tuple[Any, ...], effort: Effort) -> Fault | None:
    """Examine; a broken hard promise is raised, the first broken soft one is handed back."""
    sample: list[Any] = []
    soft = None
    with Trial(game) as trial, np.errstate(over="ignore"):
        for promise in promises(trial, effort, 0, sample, estimates):
            try:
                promise.keep()
            except Fault as found:
                if promise.hard:
                    raise
                soft = soft or found
    return soft


def certificate(game: Any, parts: Iterable[Any]) -> str:
    """The name of the certificate for these parts: their code and parameters, how they are compiled, and what examines
    them.
    """
    from kingmaker.core.compiling.entry import plumbing

    told = (room(), plumbing(), game._numba_type_.name, *(part._numba_type_.name for part in parts))
    return f"{hashlib.sha256(repr(told).encode()).hexdigest()[:40]}.code"


@lru_cache(maxsize=1)
def room() -> str:
    """A fingerprint of what examines games."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def kept(name: str) -> bool:
    """Is there such a certificate in the compile cache?"""
    from kingmaker.core.compiling.cache import usable_folder
    from kingmaker.core.compiling.entries import read_entry

    folder = usable_folder()
    return folder is not None and read_entry(folder / name) == SOUND


def keep(name: str) -> None:
    """Put a certificate into the compile cache."""
    from kingmaker.core.compiling.cache import cannot_write, usable_folder
    from kingmaker.core.compiling.entries import write_entry

    folder = usable_folder()
    if folder is not None:
        try:
            write_entry(folder / name, SOUND)
        except OSError as fault:
            cannot_write(folder, fault)


@contextmanager
def told_to(notice: Callable[[str], None] | None) -> Iterator[None]:
    """Call `notice` whenever an examination begins inside this context."""
    token = tell.set(notice)
    try:
        yield
    finally:
        tell.reset(token)
