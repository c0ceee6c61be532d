"""Experiments: the stores that the operator named, followed while they run, and every match on its board."""

import json
from html import escape
from pathlib import Path
from typing import Any

from nicegui import ui

from kingmaker.arena.results.answer import answer
from kingmaker.arena.results.standings import Standings, standings
from kingmaker.arena.results.store import open_store
from kingmaker.arena.results.transcript_files import read_records
from kingmaker.arena.results.transcripts import BadRecord, game_of, replayed
from kingmaker.core.errors import unknown
from kingmaker.core.plain_text import safe
from kingmaker.draw.drawing import drawing
from kingmaker.web import papers as papers_view
from kingmaker.web.caps import message
from kingmaker.web.desk import Desk, Stopped, Visitor
from kingmaker.web.frame import LOG, address, framed, show_fault
from kingmaker.web.plots import plots

EVERY = 2.0  # seconds between two looks at a store
MOST_TURNS = 5000
LATEST = 40  # matches that are listed
HEADS = ("agent", "games", "share %", "95 %", "win %", "Elo", "depth", "nodes")


def read(path: Path, at: int | None = None) -> tuple[Standings, list[dict[str, Any]]]:
    """The results so far, and some matches: those from a number on, or the latest."""
    with open_store(path) as store:
        order = "match >= ? ORDER BY match" if at is not None else "match >= ? ORDER BY match DESC"
        query = f"SELECT match, variant, status, seating, payoffs FROM matches WHERE {order} LIMIT {LATEST}"
        found = []
        for match, variant, status, seating, payoffs in store.connection.execute(query, (at or 0,)):
            names = store.outline.variants[variant].names
            agents = [names[number] for number in json.loads(seating)]
            found.append({"match": match, "status": status, "agents": agents, "payoffs": json.loads(payoffs)})
        return standings(store), found


def matches_html(name: str, matches: list[dict[str, Any]]) -> str:
    """Matches with their seats and payoffs; each number leads to the board."""
    rows = "".join(
        f'<tr><td><a href="{escape(address("/replay", store=name, match=each["match"]))}">{each["match"]}</a></td>'
        f"<td>{escape(safe(', '.join(each['agents'])))}</td>"
        f"<td>{escape(safe(each['status']))}</td>"
        f"<td>{' '.join(f'{value:g}' for value in each['payoffs'] or ())}</td></tr>"
        for each in matches
    )
    heads = "<th>match</th><th>seats</th><th>status</th><th>payoffs</th>"
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def store_of(stores: dict[str, Path], name: str) -> Path:
    """The file behind a name; only files that the operator named are opened."""
    if name not in stores:
        raise unknown("store", name[:100], stores)
    return stores[name]


def table(found: Standings) -> str:
    """The agents, the best first."""
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    rows = []
    for row in found.best_first():
        low, high = row.share_interval
        settings = " ".join(f"{key}={value}" for key, value in row.settings.items())
        cells = (
            f"{row.agent} {settings}".strip(),
            row.games,
            f"{100 * row.share:.1f}",
            f"{100 * low:.0f}–{100 * high:.0f}",
            f"{100 * row.win_rate:.1f}",
            row.elo_text,
            f"{row.depth:.1f}",
            f"{row.nodes:.0f}",
        )
        rows.append("<tr>" + "".join(f"<td>{escape(safe(str(cell)))}</td>" for cell in cells) + "</tr>")
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


async def build(
    stores: dict[str, Path], folder: Path | None, desk: Desk, visitor: Visitor, name: str, paper: str, first: str = ""
) -> None:
    """The list of stores and of the papers' tables, or one of them, live."""
    with framed("Experiments"):
        ui.label("Experiments").classes("text-xl font-bold")
        with ui.row().classes("gap-3"):
            for each in stores:
                ui.link(each, address("/experiments", store=each))
        if not stores:
            ui.label("No store is open here; the operator names them with kingmaker serve --store results.db.")
        if paper:
            await papers_view.build(folder, desk, visitor, paper)
        elif name:
            follow(stores, desk, visitor, name, first)
        else:
            papers_view.listed()


def follow(stores: dict[str, Path], desk: Desk, visitor: Visitor, name: str, first: str) -> None:
    """One store, read again and again until its experiment has ended."""
    try:
        path, start = store_of(stores, name), match_number(first) if first else None
    except Exception as fault:
        show_fault(fault)
        return
    question = ui.label().classes("text-base font-bold")
    bar = ui.linear_progress(0, show_value=False).props('aria-label="matches played" animation-speed=200')
    told = ui.label().props('aria-live="polite"')
    numbers = ui.html("", sanitize=False).classes("km-table km-wide w-full").mark("standings")
    verdicts = ui.label().classes("text-sm").style("white-space: pre-line")
    drawn = ui.html("", sanitize=False).classes("km-plots w-full").mark("plots")
    ui.label("Matches; a number shows the match on its board").classes("text-base font-bold")
    with ui.row().classes("items-end gap-3"):
        match = ui.number("look at match", value=start or 0, min=0, precision=0).classes("w-36")
        ui.button(
            "Replay", icon="movie", on_click=lambda: ui.navigate.to(address("/replay", store=name, match=match.value))
        ).props("outline")
        ui.button(
            "List from here",
            icon="list",
            on_click=lambda: ui.navigate.to(address("/experiments", store=name, first=int(match.value or 0))),
        ).props("outline")
    listed = ui.html("", sanitize=False).classes("km-table km-wide w-full").mark("matches")

    async def look() -> None:
        try:
            found, matches = await desk.run(visitor, lambda _: read(path, start))
        except Stopped:
            return
        except Exception as fault:
            LOG.error("a store cannot be read", exc_info=fault)
            told.text = message(fault)
            timer.deactivate()
            return
        question.text = found.question
        bar.value = found.matches / max(1, found.total)
        ended = found.matches >= found.total or found.decided
        running = "" if ended else " It is read again every two seconds."
        told.text = f"{found.matches} of {found.total} matches, {found.failed} failed. {answer(found)}{running}"
        numbers.content = table(found)
        lines = [f"expected {each.sentence}: {each.verdict}" for each in found.judgements]
        verdicts.text = "\n".join([*lines, *(each for each in (found.test, found.missing) if each)])
        drawn.content = "".join(plots(found))
        listed.content = matches_html(name, matches)
        if ended:
            timer.deactivate()

    timer = ui.timer(EVERY, look, immediate=True)


async def replay(stores: dict[str, Path], desk: Desk, visitor: Visitor, name: str, match: str, turn: str = "") -> None:
    """One stored match, turn by turn."""
    with framed("Experiments"):
        try:
            path = store_of(stores, name)
            number = match_number(match)
            game, record, states = await desk.run(visitor, lambda _: recorded(path, number))
        except Exception as fault:
            show_fault(fault)
            return
        ui.link(f"the experiment {name}", address("/experiments", store=name))
        ui.label(f"Match {number}: {record.game}").classes("text-base font-bold")
        ui.label(", ".join(f"seat {seat}: {agent}" for seat, agent in enumerate(record.agents))).classes("text-sm")
        told = ui.label().props('aria-live="polite"')
        slider = (
            ui.slider(min=0, max=len(states) - 1, value=min(len(states) - 1, match_number(turn or "0")))
            .props('aria-label="turn"')
            .style("max-width: 720px")
        )
        board = ui.html("", sanitize=False).classes("km-board w-full").style("max-width: 720px").mark("board")

        def position() -> str:
            at = min(len(states) - 1, max(0, int(slider.value or 0)))
            return str(game.notation(states[at][0]))

        if not game.facts.hidden:
            with ui.row().classes("gap-2"):
                for word, icon, where in (
                    ("Analyse", "balance", "/analyse"),
                    ("Tree", "account_tree", "/tree"),
                    ("Play on", "play_arrow", "/play"),
                ):
                    ui.button(
                        word,
                        icon=icon,
                        on_click=lambda where=where: ui.navigate.to(
                            address(where, game=record.game, position=position())
                        ),
                    ).props("dense outline")

        def draw() -> None:
            at = min(len(states) - 1, max(0, int(slider.value or 0)))
            state, turn = states[at]
            words = " ".join(
                f"{'dice' if seat < 0 else f'seat {seat}'}: {game.say(state, seat, move)}" for seat, move in turn
            )
            ended = "" if record.payoffs is None else f"payoffs {', '.join(f'{value:g}' for value in record.payoffs)}"
            told.text = f"Turn {at + 1} of {len(states) - 1}: {words}" if turn else f"The end; {ended}"
            board.content = drawing(game, state)

        def turned() -> None:
            draw()
            ui.navigate.history.replace(address("/replay", store=name, match=number, turn=int(slider.value or 0)))

        def key(event: Any) -> None:
            if event.action.keydown and (event.key.arrow_left or event.key.arrow_right):
                slider.value = min(len(states) - 1, max(0, int(slider.value) + (1 if event.key.arrow_right else -1)))

        slider.on_value_change(turned)
        ui.keyboard(on_key=key)
        draw()


def match_number(text: str) -> int:
    """The number of a match in a URL."""
    word = text.removesuffix(".0")
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise BadRecord(f"expected the number of a match, got '{text[:40]}'")
    return int(word)


def recorded(path: Path, number: int) -> tuple[Any, Any, list[Any]]:
    """The game, the record and the states of a stored match; a game in a user's file is not run."""
    for record in read_records(path, number):
        game = game_of(record.game, False)
        if len(record.turns) > MOST_TURNS:
            raise BadRecord(f"match {number} has {len(record.turns)} turns, too many for this page")
        return game, record, list(replayed(record, game))
    raise BadRecord(f"the store has no match {number} yet")
