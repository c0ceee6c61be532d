"""Analyse: one position under all suitable algorithms with one budget, row by row, and where and why they disagree."""

import math
from html import escape
from typing import Any

from nicegui import background_tasks, ui

from kingmaker.core.plain_text import safe
from kingmaker.draw.drawing import drawing
from kingmaker.probe.comparison import (
    Comparison,
    Opinion,
    agreement,
    at_a_seat,
    opinions,
    positions_from_play,
    suitable,
)
from kingmaker.web.caps import MOST_SECONDS, Known, checked_position, limited, message
from kingmaker.web.desk import Desk, Stopped, Visitor
from kingmaker.web.frame import LOG, address, framed, show_fault

MOST_POSITIONS = 30  # over which agreement is looked for
HEADS = ("agent", "move", "depth", "nodes", "seconds", "values per seat")


def build(known: Known, desk: Desk, visitor: Visitor, game: str, position: str, seconds: str, over: str = "") -> None:
    """The form, the board and the table, which fills itself."""
    with framed("Analyse"):
        ui.label("Analyse a position").classes("text-xl font-bold")
        with ui.row().classes("items-end gap-3 w-full"):
            text = ui.input("game", value=game or "sticks").classes("w-56")
            place = ui.input("position; empty: the start", value=position).classes("grow")
            time = ui.number("seconds each", value=number(seconds), min=0.05, max=MOST_SECONDS, step=0.1).classes(
                "w-28"
            )
            ui.button(
                "Compare",
                icon="balance",
                on_click=lambda: ui.navigate.to(
                    address("/analyse", game=text.value, position=place.value, seconds=time.value)
                ),
            ).props("outline")
            ui.button(
                "Who agrees?",
                icon="grid_on",
                on_click=lambda: ui.navigate.to(address("/analyse", game=text.value, seconds=time.value, positions=10)),
            ).props("outline")
            ui.button(
                "Look into the tree",
                icon="account_tree",
                on_click=lambda: ui.navigate.to(address("/tree", game=text.value, position=place.value)),
            ).props("outline")
            ui.button(
                "Play on",
                icon="play_arrow",
                on_click=lambda: ui.navigate.to(address("/play", game=text.value, position=place.value)),
            ).props("outline")
        try:
            rules = known.game(game or "sticks")
            state = rules.position(checked_position(position)) if position else rules.new(0)
            state = at_a_seat(rules, state)
        except Exception as fault:
            show_fault(fault)
            return
        seat = int(rules.mover(state))
        with ui.row().classes("w-full items-start gap-4 flex-wrap"):
            with ui.column().style("flex: 1 1 320px; max-width: 520px; min-width: 0"):
                ui.html(drawing(rules, state, seat), sanitize=False).classes("km-board w-full")
            with ui.column().classes("gap-2").style("flex: 2 1 360px; min-width: 0"):
                status = ui.label("The algorithms are asked one after the other.").props('aria-live="polite"')
                table = ui.html("", sanitize=False).classes("km-table km-wide w-full").mark("opinions")
                reasons = ui.column().classes("gap-1 text-sm")
        shown = Shown(rules, state, seat, status, table, reasons)
        count = int(over) if over.isascii() and over.isdigit() and len(over) < 4 else 0
        if game and count:
            background_tasks.create(ask_over(desk, visitor, shown, number(seconds), min(count, MOST_POSITIONS)))
        elif game:
            background_tasks.create(ask_all(desk, visitor, shown, number(seconds)))
        else:
            status.text = "Choose a game and press Compare."


def number(text: str) -> float:
    """The seconds that a URL asks for, within limits."""
    try:
        return min(MOST_SECONDS, max(0.05, float(text or 0.5)))
    except ValueError:
        return 0.5


class Shown:
    """What stands on the page by now."""

    def __init__(self, game: Any, state: Any, seat: int, status: Any, table: Any, reasons: Any) -> None:
        self.game, self.state, self.seat = game, state, seat
        self.status, self.table, self.reasons = status, table, reasons
        self.found: list[Opinion] = []

    def add(self, opinion: Opinion) -> None:
        self.found.append(opinion)
        heads = "".join(f"<th>{head}</th>" for head in HEADS)
        rows = "".join(map(row, self.found))
        self.table.content = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"

    def conclude(self) -> None:
        """Who chose what, and why."""
        whole = Comparison(self.game, self.state, self.seat, tuple(self.found))
        with self.reasons:
            for move, those in whole.choices.items():
                names = ", ".join(dict.fromkeys(each.short for each in those))
                ui.label(f"{self.game.say(self.state, self.seat, move)}: {names}").classes("font-bold")
            for sentence in whole.why():
                ui.label(f"{sentence}.")


def row(opinion: Opinion) -> str:
    """One opinion as a row of the table."""
    decision = opinion.decision
    if decision is None:
        return f"<tr><td>{escape(opinion.name)}</td><td colspan=5>{escape(opinion.fault)}</td></tr>"
    values = "–" if decision.values is None else "  ".join(f"{value:.4g}" for value in decision.values)
    reached = f"{decision.playouts} playouts" if decision.playouts else decision.depth or "–"
    cells = (opinion.name, opinion.word, reached, decision.nodes or "–", f"{decision.seconds:.2f}", values)
    return "<tr>" + "".join(f"<td>{escape(safe(str(cell)))}</td>" for cell in cells) + "</tr>"


async def ask_all(desk: Desk, visitor: Visitor, shown: Shown, seconds: float) -> None:
    """Ask one agent after the other; a visitor who leaves ends it."""
    try:
        agents, _ = suitable(shown.game, seconds=seconds)
        for place, agent in enumerate(agents):
            shown.status.text = f"{agent.name} is asked, {place + 1} of {len(agents)}; new searches are compiled first."
            within = limited(agent, MOST_SECONDS)

            def ask(watch: Any, agent: Any = within) -> Opinion:
                return next(opinions(shown.game, shown.state, [agent], 0, watch))

            shown.add(await desk.run(visitor, ask))
        shown.status.text = f"{len(agents)} algorithms with {seconds:g} seconds each."
        shown.conclude()
    except Stopped:
        return
    except Exception as fault:
        LOG.error("an analysis failed", exc_info=fault)
        shown.status.text = message(fault)


def matrix_html(names: list[str], matrix: list[list[float]]) -> str:
    """Who agrees with whom, in percent of the positions; the darker, the more."""
    heads = "".join(f"<th>{place}</th>" for place in range(1, len(names) + 1))
    rows = ""
    for place, (name, row) in enumerate(zip(names, matrix, strict=True), 1):
        cells = "".join(
            "<td>–</td>"
            if math.isnan(cell)
            else f'<td style="background: rgba(36, 86, 201, {0.45 * cell:.2f})">{100 * cell:.0f}</td>'
            for cell in row
        )
        rows += f"<tr><td>{place} {escape(safe(name))}</td>{cells}</tr>"
    return f"<table><thead><tr><th>agent</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


async def ask_over(desk: Desk, visitor: Visitor, shown: Shown, seconds: float, count: int) -> None:
    """Ask all agents at positions from random play, and show who agrees with whom as far as it is known."""
    try:
        agents = [limited(agent, MOST_SECONDS) for agent in suitable(shown.game, seconds=seconds)[0]]
        states = await desk.run(visitor, lambda _: positions_from_play(shown.game, count))
        found: list[Comparison] = []
        for place, state in enumerate(states, 1):
            given: list[Opinion] = []
            for agent in agents:
                shown.status.text = (
                    f"Position {place} of {count}: {agent.name} is asked; new searches are compiled first."
                )

                def ask(watch: Any, agent: Any = agent, state: Any = state) -> Opinion:
                    return next(opinions(shown.game, state, [agent], 0, watch))

                given.append(await desk.run(visitor, ask))
            found.append(Comparison(shown.game, state, int(shown.game.mover(state)), tuple(given)))
            shown.table.content = matrix_html(*agreement(found))
        shown.status.text = f"Percent of {count} positions from random play in which both chose the same move."
    except Stopped:
        return
    except Exception as fault:
        LOG.error("an analysis failed", exc_info=fault)
        shown.status.text = message(fault)
