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
from kingmaker.web.gallery import idea, sample

USUAL = ("paranoid", "maxn", "ismcts", "mcts", "random")  # opponents, the first that can play


@lru_cache(maxsize=256)
def players(game: Any) -> tuple[str, ...]:
    """The names of the agents that can play a game by themselves."""
    agents, _ = suitable(game, seconds=1.0)
    return tuple(dict.fromkeys(["random", *(agent.name for agent in agents)]))


FIRST = "light_bike"  # the game of the first view


def usual(known: Known, name: str) -> tuple[Any, dict[str, Any]]:
    """The class of a game, and the settings with which people may like to play it."""
    cls = GAMES[name] if name in GAMES else type(known.game(name))
    return cls, dict(cls.for_people) if isinstance(cls.for_people, dict) else {}


def load_ahead(known: Known) -> None:
    """Load all that the first view needs, so that its first visitor does not wait for it."""
    game = known.game(call_text(FIRST, usual(known, FIRST)[1]))
    players(game)
    sample(game)


def build(known: Known, game: str) -> None:
    """Fields for the game and its seats, and a picture of what is chosen."""
    with framed("Play"), ui.row().classes("w-full items-start gap-4 flex-wrap"):
        with ui.column().classes("gap-3").style("flex: 3 1 340px; min-width: 0"):
            ui.label("Play and watch").classes("text-xl font-bold")
            chosen = game if game in known.games else FIRST
            ui.select(
                {name: name.replace("_", " ") for name in known.games},
                value=chosen,
                label="game",
                on_change=lambda event: ui.navigate.to(address("/", game=event.value)),
            ).classes("w-56")
            settings = Settings(chosen, *usual(known, chosen))
            table = ui.column().classes("w-full gap-1")
            buttons = ui.row()
        with ui.column().classes("gap-2").style("flex: 1 1 260px; max-width: 400px; min-width: 0"):
            picture = ui.html("", sanitize=False).classes("km-small w-full")
            words = ui.label().classes("text-sm")
            if chosen in GAMES:
                ui.link("rules and settings", address("/about", games=chosen)).classes("text-sm")
    forms: list[SeatForm] = []

    def lay() -> None:
        """A form for each seat of the game as it is set."""
        table.clear()
        forms.clear()
        with table:
            try:
                rules = known.game(settings.text())
                names, picture.content, words.text = list(players(rules)), sample(rules), idea(rules)
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
    with buttons:
        ui.button("Play", icon="play_arrow", on_click=begin).props("outline")
        ui.button("Only watch", icon="visibility", on_click=lambda: begin(everyone=True)).props("outline")
