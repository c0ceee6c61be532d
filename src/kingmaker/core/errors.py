"""The errors of Kingmaker, each a ValueError with one clear sentence.

The sentence says what was expected, what came and where; a way out follows a semicolon.
"""

from collections.abc import Iterable
from difflib import SequenceMatcher


class KingmakerError(ValueError):
    """An error in the input, described in one sentence."""


class UnknownName(KingmakerError):
    """A game, agent, estimate or parameter that does not exist."""


class BadParameter(KingmakerError):
    """A parameter of the wrong type or out of range."""


class BadPosition(KingmakerError):
    """A position text that is not a position of the game."""


class IllegalMove(KingmakerError):
    """A move that the rules do not allow here."""


class BadGame(KingmakerError):
    """A game that breaks its contract."""


class BadAgent(KingmakerError):
    """An agent of one's own that breaks its contract."""


class BadEstimate(KingmakerError):
    """An estimate of one's own that breaks its contract."""


class CannotCompile(KingmakerError):
    """Rules or estimates that cannot be turned into machine code."""


class Mismatch(KingmakerError):
    """An agent that cannot play a game; the sentence names a way out."""


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names most alike to a wrong one, best first."""
    return sorted(known, key=lambda other: -SequenceMatcher(None, name.lower(), other.lower()).ratio())[:count]


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> UnknownName:
    """The error for an unknown name, with the three known names that are most alike."""
    others = nearest(name, known)
    hint = f"; did you mean {', '.join(others)}?" if others else ""
    return UnknownName(f"unknown {kind} '{name}'{f' in {where}' if where else ''}{hint}")
