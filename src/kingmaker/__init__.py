"""Kingmaker: search in games of more than two players."""

from typing import Any

__version__ = "0.1.0"

WHERE = {
    "Agent": "core.agent",
    "Ask": "core.ask",
    "Budget": "core.budget",
    "CHANCE": "core.game",
    "Constant": "core.kernel",
    "Decision": "core.decision",
    "Estimate": "core.estimate",
    "Facts": "core.game",
    "Game": "core.game",
    "KingmakerError": "core.errors",
    "OVER": "core.game",
    "Progress": "core.ask",
    "below": "core.rng",
    "compare": "probe.comparison",
    "drawing": "draw.drawing",
    "kernel": "core.kernel",
    "load_agent": "loading",
    "load_game": "loading",
    "scratch": "core.scratch",
    "scratch_floats": "core.scratch",
    "shuffle": "core.rng",
    "stream": "core.rng",
    "unit": "core.rng",
    "win_probability": "search.parts.opponents.win_probability",
}
__all__ = [*WHERE]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that `import kingmaker` costs nothing."""
    from importlib import import_module

    if name not in WHERE:
        raise AttributeError(f"kingmaker has no '{name}'")
    return getattr(import_module(f"kingmaker.{WHERE[name]}"), name)
