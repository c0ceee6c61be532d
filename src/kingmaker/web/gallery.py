"""The gallery: every game with a drawing, every algorithm with its idea."""

import inspect
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from nicegui import ui

import kingmaker
from kingmaker.core.errors import KingmakerError, unknown
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.draw.drawing import drawing
from kingmaker.draw.paper import Paper
from kingmaker.draw.trees import Node, draw_tree
from kingmaker.games import GAMES
from kingmaker.loading import load_game
from kingmaker.probe.comparison import assumption, suitable
from kingmaker.search import ALGORITHMS
from kingmaker.web.caps import Known
from kingmaker.web.frame import address, framed, show_fault

PACKAGE = Path(kingmaker.__file__).parent
DOCS = next((each for each in (PACKAGE / "docs", PACKAGE.parents[1] / "docs") if each.is_dir()), PACKAGE)
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


def idea(game: Any) -> str:
    """What a game is about: the first paragraph of what its class says of itself."""
    return (inspect.getdoc(type(game)) or "").partition("\n\n")[0].replace("\n", " ").replace("`", "")


TREES = (  # figures on which an algorithm shows what it does
    "explicit_tree(tree=[[[5, 3, 2], [7, 2, 1]], [[3, 5, 2], [6, 4, 0]], [[6, 4, 0], [2, 3, 5]]])",
    "explicit_tree(tree=[[3, 12, 8], [2, 4, 6], [14, 5, 2]], seats=2)",
)
BOARDS = {"pimc": "hearts", "ismcts": "hearts", "weak_rational": "hearts"}  # others are for games that move at once


def node_of(game: Any, state: Any, line: list[int], label: str = "") -> Node:
    """A written tree from a state on, with the line that an algorithm expects in bold."""
    seat = int(game.mover(state))
    made = Node(seat, label, game.payoffs(state) if seat == OVER else (), bold=True)
    for move in game.legal(state) if seat >= 0 else ():
        rest = line[1:] if line[:1] == [move] else [-1]
        child = node_of(game, game.after(state, move), rest, str(game.say(state, seat, move)))
        child.bold = line[:1] == [move]
        made.children.append(child)
    return made


@lru_cache(maxsize=64)
def shown(name: str) -> str:
    """What an algorithm does, as a drawing: the line that it expects in a small tree, or a board that it is for."""
    for text in TREES:
        game = load_game(text)
        agents, _ = suitable(game, [name], depth=2, playouts=300)
        if agents:
            decision = agents[0].decide(game, game.new())
            paper = Paper()
            word = game.say(game.new(), 0, decision.move)
            draw_tree(paper, node_of(game, game.new(), list(decision.line or (decision.move,))), f"{name} plays {word}")
            return paper.text
    return sample(load_game(BOARDS.get(name, "light_bike(seats=3, starts=distinct)")))


def page_of(kind: str, name: str) -> str:
    """The documentation page of a game or an algorithm, from the package or, if it runs from the sources, from their
    docs; without one, what the file of the game or algorithm says of itself. Only names of the lists are looked up.
    """
    file = DOCS / kind / f"{name}.md"
    if file.is_file():
        text = file.read_text(encoding="utf-8")
        text = re.sub(r"\]\((?:\.\./)?(algorithms|games)/(\w+)\.md[^)]*\)", r"](/about?\1=\2)", text)
        text = re.sub(r"\]\((\w+)\.md[^)]*\)", rf"](/about?{kind}=\1)", text)
        return re.sub(r"(?<!!)\[([^\]]*)\]\((?!/|https?:)[^)]*\)", r"\1", text)  # other files are not served
    cls = ALGORITHMS[name] if kind == "algorithms" else GAMES[name]
    return f"```\n{inspect.getdoc(inspect.getmodule(cls)) or ''}\n```"


def about(games: str, algorithms: str) -> None:
    """One game or algorithm: a drawing and its documentation page."""
    with framed("Gallery"):
        kind, name = ("algorithms", algorithms) if algorithms else ("games", games)
        try:
            if name not in (ALGORITHMS if kind == "algorithms" else GAMES):
                raise unknown(kind[:-1], name[:100], ALGORITHMS if kind == "algorithms" else GAMES)
        except KingmakerError as fault:
            show_fault(fault)
            return
        with ui.row().classes("w-full gap-4"):
            ui.link("all of them", "/gallery")
            if kind == "games":
                ui.link("play", address("/", game=name))
                ui.link("analyse", address("/analyse", game=name))
        if kind == "algorithms":
            ui.html(shown(name), sanitize=False).classes("km-small w-full").style("max-width: 480px")
        ui.markdown(page_of(kind, name)).classes("w-full km-docs")


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
                        ui.label(idea(game)).classes("text-sm")
                        if name in GAMES:
                            ui.link("rules and settings", address("/about", games=name)).classes("text-sm")
        ui.label("Algorithms").classes("text-xl font-bold")
        with ui.row().classes("gap-3 w-full items-stretch"):
            for name, cls in ALGORITHMS.items():
                with ui.card().classes("p-3 gap-1").style("flex: 1 1 280px; max-width: 420px"):
                    ui.html(shown(name), sanitize=False).classes("km-small w-full").style("max-height: 190px")
                    ui.link(name.replace("_", " "), address("/about", algorithms=name)).classes("text-base font-bold")
                    ui.label(assumption(cls) + ".").classes("text-sm")
