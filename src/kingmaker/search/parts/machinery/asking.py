"""A search that another kernel asks: the move of a playout, or the worlds of PIMC.

Compiled code can call only what its globals name, so for every search kernel a class is made whose method calls it.
"""

from functools import lru_cache
from types import FunctionType
from typing import Any

from kingmaker.core.kernel import Constant, Kernel, kernel
from kingmaker.search.parts.machinery.depth_first import DepthFirst

OWN = ("run", "fill", "choose")  # what a search that does more before or between its rounds defines itself


@kernel
def kernel_of_search(game, estimate, switches, work, ply, depth):
    """Stands for the kernel of the search, which `asking` puts in its place."""


class Asked(Constant):
    """A search of the position at work.states[0]."""

    def search(self, game, estimate, switches, work, depth, arguments):
        """Search so many plies deep; the workspace holds what a search of its own would leave there."""
        kernel_of_search(game, estimate, switches, work, 0, depth, *arguments)


@lru_cache(maxsize=64)
def asking(search: Kernel) -> Asked:
    """The object that calls the kernel of a search."""
    plain = Asked.search
    space = {**plain.__globals__, "kernel_of_search": search}
    made = FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, plain.__closure__)
    made.__qualname__ = plain.__qualname__
    found: Asked = type("Asked", (Asked,), {"search": made, "__module__": __name__})()
    return found


def needs_only_a_position(agent: Any) -> bool:
    """Is this a depth-first search that needs nothing beside a position and a depth?"""
    return isinstance(agent, DepthFirst) and all(getattr(type(agent), n) is getattr(DepthFirst, n) for n in OWN)
