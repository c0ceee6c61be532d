"""The first view: choose a game, its settings and who sits where."""

from functools import lru_cache
from typing import Any

from nicegui import ui

from kingmaker.core.errors import KingmakerError
from kingmaker.core.notation import call_text
from kingmaker.games import GAMES
from kingmaker.probe.comparison import suitable
from kingmaker.web.caps import Known
from kingmaker.web.forms import PERSON, SeatForm, Settings
from kingmaker.web.frame import address, framed, show_fault

USUAL = ("paranoid", "maxn", "ismcts", "mcts", "random")  # opponents, the first that can play


@lru_cache(maxsize=256)
def players(game: Any) -> tuple[str, ...]:
    """The names of the agents that can play a game by themselves."""
    agents, _ = suitable(game, seconds=1.0)
    return tuple(dict.fromkeys(["random", *(agent.name for agent in agents)]))


FIRST = "light_bike"  # the game of the first view


def load_ahead(known: Known) -> None:
    """Load all that the first view needs, so that its first visitor does not wait for it."""
    usual = GAMES[FIRST].for_people
    players(known.game(call_text(FIRST, dict(usual) if isinstance(usual, dict) else {})))


def build(known: Known, game: str) -> None:
    """Fields for the game, then for its seats."""
    with framed("Play"):
        ui.label("Play and watch").classes("text-xl font-bold")
        chosen = game if game in known.games else FIRST
        ui.select(
            known.games,
            value=chosen,
            label="game",
            on_change=lambda event: ui.navigate.to(address("/", game=event.value)),
        ).classes("w-56")
        cls = GAMES.get(chosen)
        usual = dict(cls.for_people) if cls is not None and isinstance(cls.for_people, dict) else {}
        settings = Settings(chosen, cls or type(known.game(chosen)), usual)
        table = ui.column().classes("w-full gap-1")
        forms: list[SeatForm] = []

        def lay() -> None:
            """A form for each seat of the game as it is set."""
            table.clear()
            forms.clear()
            with table:
                try:
                    rules = known.game(settings.text())
                    names = list(players(rules))
                except KingmakerError as fault:
                    show_fault(fault)
                    return
                other = next((name for name in USUAL if name in names), "random")
                for seat in range(rules.seats):
                    forms.append(SeatForm(seat, names, PERSON if seat == 0 else other))

        def begin(_event: object = None, everyone: bool = False) -> None:
            words = [form.text() for form in forms]
            if everyone and forms:
                words = [
                    text if text != "person" else "mcts" if "mcts" in forms[0].choice.options else "random"
                    for text in words
                ]
            if words:
                ui.navigate.to(address("/play", game=settings.text(), players="|".join(words)))

        for field in settings.fields.values():
            field.on_value_change(lay)
        lay()
        with ui.row():
            ui.button("Play", icon="play_arrow", on_click=begin).props("outline")
            ui.button("Only watch", icon="visibility", on_click=lambda: begin(everyone=True)).props("outline")
