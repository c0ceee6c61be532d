"""The gallery: every game with a drawing, every algorithm with its idea."""

import inspect
from functools import lru_cache
from typing import Any

import numpy as np
from nicegui import ui

from kingmaker.core.errors import KingmakerError
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.draw.drawing import drawing
from kingmaker.probe.comparison import assumption
from kingmaker.search import ALGORITHMS
from kingmaker.web.caps import Known
from kingmaker.web.frame import address, framed

PLIES = 14  # random moves before a game is drawn, so that something is to be seen


@lru_cache(maxsize=64)
def sample(game: Any) -> str:
    """A drawing of a position from random play; of a match that is over by then, an earlier one."""
    state, rng, out = game.new(3), stream(3, "gallery"), np.zeros(game.max_moves, np.int32)
    states = [game.copy(state)]
    with np.errstate(over="ignore"):
        while game.mover(state) != OVER and len(states) <= PLIES:
            seat = game.mover(state)
            game.play(state, seat, game.any_move(state, seat, rng, out) if seat >= 0 else game.roll(state, rng))
            states.append(game.copy(state))
    return drawing(game, states[len(states) // 3 if game.mover(state) == OVER else -1])


def build(known: Known) -> None:
    with framed("Gallery"):
        ui.label("Games").classes("text-xl font-bold")
        with ui.row().classes("gap-3 w-full items-stretch"):
            for name in known.games:
                try:
                    game = known.game(name)
                except KingmakerError:
                    continue  # a game that is too large, or that cannot be made without settings
                with ui.card().tight().style("width: 260px; flex: 1 1 240px; max-width: 340px"):
                    ui.html(sample(game), sanitize=False).classes("km-small w-full p-1")
                    with ui.column().classes("p-2 gap-1"):
                        ui.link(name.replace("_", " "), address("/", game=name)).classes("text-base font-bold")
                        ui.label((inspect.getdoc(type(game)) or "").partition("\n")[0]).classes("text-sm")
        ui.label("Algorithms").classes("text-xl font-bold")
        with ui.row().classes("gap-3 w-full items-stretch"):
            for name, cls in ALGORITHMS.items():
                with ui.card().classes("p-3 gap-1").style("flex: 1 1 280px; max-width: 420px"):
                    ui.label(name.replace("_", " ")).classes("text-base font-bold")
                    ui.label(assumption(cls) + ".").classes("text-sm")
                    with ui.expansion("more").props("dense").classes("w-full"):
                        ui.label(inspect.getdoc(inspect.getmodule(cls)) or "").style("white-space: pre-wrap").classes(
                            "text-xs"
                        )
