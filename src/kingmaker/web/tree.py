"""The tree that a search has visited, opened node by node: values, seats, the expected line, what was cut."""

import json
from typing import Any

import numpy as np
from nicegui import ui

from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch
from kingmaker.core.tree import STAND
from kingmaker.draw.dot import dot
from kingmaker.draw.paper import Paper
from kingmaker.draw.trees import Node, draw_tree
from kingmaker.probe.comparison import at_a_seat
from kingmaker.web.caps import Known, checked_position
from kingmaker.web.desk import Desk, Visitor
from kingmaker.web.frame import KEY, SPOT, address, framed, show_fault

RECORDED = 5000  # nodes that are kept of a search
DRAWN = 1500  # nodes that are drawn at once
MOST_ZOOM = 3000  # percent of the width of the page
EXAMPLES = {  # figures of the sources
    "Max-Prob, figure 1": (
        "explicit_tree(tree={'moves': {'a': {'moves': {'c': [1, 0, 0], 'd': [0, 0, 1]}},"
        " 'b': {'moves': {'e': [1, 0, 0], 'f': [0, 0, 1], 'g': [1, 0, 1]}}}}, seats=3)",
        "max_prob(depth=2)",
    ),
    "a pact that nobody made": (
        "explicit_tree(tree=[[[5, 3, 2], [7, 2, 1]], [[3, 5, 2], [6, 4, 0]], [[6, 4, 0], [2, 3, 5]]])",
        "paranoid(depth=2)",
    ),
    "sticks, six plies": ("sticks(seats=3, sticks=9)", "maxn(depth=6)"),
    "playouts": ("sticks(seats=3, sticks=9)", "mcts(playouts=400)"),
    "dice": ("random_tree(seats=2, height=4, chance=2, values=5)", "maxn(depth=4)"),
}


class Grown:
    """A recorded tree with the rows that are open, and the position at each of them."""

    def __init__(self, game: Any, state: Any, decision: Any) -> None:
        self.game, self.tree, self.decision = game, decision.tree, decision
        self.states = {0: game.copy(state)}
        self.below: dict[int, list[int]] = {}
        for row in range(1, len(self.tree)):
            self.below.setdefault(int(self.tree.nodes[row]["parent"]), []).append(row)
        self.line = [0, *self.tree.path(decision.line, decision.movers)]
        self.open = {0, *self.line}

    def state(self, row: int) -> Any:
        """The position at a row, played from its parent's."""
        if row not in self.states:
            node = self.tree.nodes[row]
            after = self.game.copy(self.state(int(node["parent"])))
            if int(node["move"]) != STAND:
                with np.errstate(over="ignore"):
                    self.game.play(after, int(node["by"]), int(node["move"]))
            self.states[row] = after
        return self.states[row]

    def toggle(self, row: int) -> None:
        """Open or close a row."""
        if row in self.open:
            self.open.discard(row)
        elif row in self.below:
            self.open.add(row)

    def deeper(self) -> None:
        """Open one ply more everywhere, as long as not too much is drawn."""
        more = {row for row in self.shown() if row in self.below}
        if sum(len(self.below[row]) for row in self.open | more if row in self.below) <= DRAWN:
            self.open |= more

    def shown(self) -> list[int]:
        """The rows that are drawn: the root, and what is below open rows."""
        found, at = [0], 0
        while at < len(found):
            row = found[at]
            found += self.below.get(row, []) if row in self.open else []
            at += 1
        return found

    def node(self, row: int, label: str = "") -> Node:
        """A row and what is open below it, ready to be drawn."""
        entry = self.tree.nodes[row]
        made = Node(int(entry["seat"]), label, tuple(map(float, entry["values"])), spot=f"row {row}")
        children = self.below.get(row, [])
        made.more = bool(children) and row not in self.open
        made.bold, made.cut = row in self.line, bool(entry["cut"])
        made.visits = int(entry["visits"]) if "visits" in (self.tree.nodes.dtype.names or ()) else 0
        for child in children if row in self.open else ():
            move, by = int(self.tree.nodes[child]["move"]), int(self.tree.nodes[child]["by"])
            word = "–" if move == STAND else str(self.game.say(self.state(row), by, move))
            made.children.append(self.node(child, word))
        return made

    def svg(self) -> str:
        paper = Paper()
        draw_tree(paper, self.node(0), f"a search tree of {len(self.tree)} nodes", values=True)
        return paper.text

    @property
    def whole(self) -> dict[str, Any]:
        nested: dict[str, Any] = self.tree.nested(self.game, self.states[0], self.line[1:])
        return nested

    def document(self) -> str:
        """The whole tree as JSON."""
        return json.dumps(self.whole, indent=1)

    def graph(self) -> str:
        """The whole tree in DOT."""
        return dot(f"{self.game}, {len(self.tree)} nodes", self.whole)


def grown(known: Known, game: str, agent: str, position: str, watch: Any) -> Grown:
    """Search a position and record the tree."""
    rules = known.game(game)
    player = known.agent(agent, rules)
    state = at_a_seat(rules, rules.position(checked_position(position)) if position else rules.new(0))
    decision = player.decide(rules, state, ask=Ask(record=RECORDED, watch=watch))
    if decision.tree is None or len(decision.tree) == 0:
        raise Mismatch(f"{player.name} searches no tree that could be recorded; use maxn or paranoid")
    return Grown(rules, state, decision)


async def build(known: Known, desk: Desk, visitor: Visitor, game: str, agent: str, position: str) -> None:
    with framed("Tree"):
        ui.label("Look into the tree").classes("text-xl font-bold")
        with ui.row().classes("items-end gap-3 w-full"):
            text = ui.input("game", value=game or "sticks(sticks=9)").classes("grow")
            player = ui.input("agent", value=agent or "paranoid(depth=4)").classes("w-56")
            place = ui.input("position; empty: the start", value=position).classes("grow")
            ui.button(
                "Search",
                icon="account_tree",
                on_click=lambda: ui.navigate.to(
                    address("/tree", game=text.value, agent=player.value, position=place.value)
                ),
            ).props("outline")
        with ui.row().classes("gap-3 text-sm"):
            for name, (rules, who) in EXAMPLES.items():
                ui.link(name, address("/tree", game=rules, agent=who))
        if not game:
            return
        try:
            found = await desk.run(
                visitor, lambda watch: grown(known, game, agent or "paranoid(depth=4)", position, watch)
            )
        except Exception as fault:
            show_fault(fault)
            return
        show(found)


def show(found: Grown) -> None:
    """The tree with its buttons."""
    decision = found.decision
    whole = "" if found.tree.complete else f"; only the first {len(found.tree)} nodes were recorded"
    ui.label(
        f"{len(found.tree)} nodes, depth {decision.depth}{whole}. A click opens or closes a node; the expected line is "
        "bold; ✂ marks nodes whose later moves were cut, and 12× nodes that 12 playouts came through."
    ).classes("text-sm")

    def draw() -> None:
        picture.content = found.svg()

    def clicked(event: Any) -> None:
        word = str(event.args)
        row = word.removeprefix("row ")
        if word.startswith("row ") and row.isascii() and row.isdigit() and len(row) < 8:
            found.toggle(int(row))
            draw()

    def zoom(event: Any) -> None:
        if isinstance(event.value, (int, float)) and 100 <= event.value <= MOST_ZOOM:
            picture.style(f"width: {event.value:.0f}%")

    def deeper() -> None:
        found.deeper()
        draw()

    def closed() -> None:
        found.open = {0}
        draw()

    with ui.row().classes("items-center gap-2"):
        ui.button("One ply more", icon="expand_more", on_click=deeper).props("dense outline")
        ui.button("Close", icon="expand_less", on_click=closed).props("dense outline")
        ui.slider(min=100, max=MOST_ZOOM, value=100, on_change=zoom).props('aria-label="zoom in percent"').classes(
            "w-32"
        )
        ui.button("JSON", on_click=lambda: ui.download(found.document().encode(), "tree.json")).props("dense outline")
        ui.button("DOT", on_click=lambda: ui.download(found.graph().encode(), "tree.dot")).props("dense outline")
        ui.button("SVG", on_click=lambda: ui.download(found.svg().encode(), "tree.svg")).props("dense outline")
    with ui.element("div").classes("km-wide w-full"):
        picture = ui.html("", sanitize=False).classes("km-small w-full").mark("tree")
    picture.on("click", clicked, js_handler=SPOT)
    picture.on("keydown", clicked, js_handler=KEY)
    draw()
