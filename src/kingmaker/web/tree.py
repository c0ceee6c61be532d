"""The tree that a search has visited, on a canvas: values, seats, the expected line, ties, dice, and what was cut."""

from typing import Any

from nicegui import ui

from kingmaker.web.canvas import TreeCanvas
from kingmaker.web.caps import Known
from kingmaker.web.desk import Desk, Stopped, Visitor
from kingmaker.web.frame import address, framed, show_fault
from kingmaker.web.grown import DRAWN, RECORDED, Grown, grown

OFFENSIVE = "explicit_tree(tree={'moves': {'a': [[5, 3, 2], [7, 2, 1]], 'b': [[3, 5, 2], [6, 4, 0]],"
OFFENSIVE += " 'c': [[6, 4, 0], [2, 3, 5]]}}, seats=3)"
LECTURE = "explicit_tree(tree=[[3, 12, 8], [2, 4, 6], [14, 5, 2]], seats=2)"
EXAMPLES = {  # figures of the sources, and what shows dice, playouts and thousands of nodes
    "Max-Prob, figure 1": (
        "explicit_tree(tree={'moves': {'a': {'moves': {'c': [1, 0, 0], 'd': [0, 0, 1]}},"
        " 'b': {'moves': {'e': [1, 0, 0], 'f': [0, 0, 1], 'g': [1, 0, 1]}}}}, seats=3)",
        "max_prob(depth=2)",
    ),
    "Max-Prob, figure 2": (
        "explicit_tree(seats=3, tree={'moves': {'e': {'moves': {"
        "'a': {'interval': [[6, 8], [2, 4], [0, 3]], 'estimate': [6, 2, 0], 'moves': {'won': [1, 0, 0]}},"
        " 'b': {'interval': [[4, 6], [3, 5], [0, 3]], 'estimate': [4, 3, 0],"
        " 'moves': {'won': [1, 0, 0], 'lost': [0, 1, 0]}}}}, 'f': {'moves': {"
        "'c': {'interval': [[2, 4], [2, 4], [0, 2]], 'estimate': [2, 2, 0],"
        " 'moves': {'won': [1, 0, 0], 'lost': [0, 1, 0]}},"
        " 'd': {'interval': [[0, 2], [2, 4], [2, 4]], 'estimate': [0, 2, 2],"
        " 'moves': {'second': [0, 1, 0], 'third': [0, 0, 1]}}}}}})",
        "max_prob(depth=2)",
    ),
    "MP-Mix, figure 1: offensive": (OFFENSIVE, "offensive(target=2, depth=2)"),
    "the same: MaxN": (OFFENSIVE, "maxn(depth=2)"),
    "the same: Paranoid": (OFFENSIVE, "paranoid(depth=2)"),
    "alpha-beta": (LECTURE, "alpha_beta(depth=2)"),
    "dice": (
        "explicit_tree(seats=2, tree={'moves': {'roll': {'odds': [0.5, 0.25, 0.25], 'moves': [8, 24, -12]},"
        " 'stay': 9}})",
        "minimax(depth=3)",
    ),
    "playouts": ("sticks(seats=3, sticks=9)", "mcts(playouts=400)"),
    "thousands of nodes": ("random_tree(seats=3, branching=4, height=6)", "maxn(depth=6)"),
}


async def build(known: Known, desk: Desk, visitor: Visitor, game: str, agent: str, position: str, at: str = "") -> None:
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
        status = ui.label("The search is under way; the first time it is compiled, which takes seconds.").props(
            'aria-live="polite"'
        )
        await ui.context.client.connected(timeout=PATIENCE)  # so that the visitor sees this and can leave
        try:
            found = await desk.run(
                visitor, lambda watch: grown(known, game, agent or "paranoid(depth=4)", position, watch)
            )
        except Stopped:
            return
        except Exception as fault:
            show_fault(fault)
            return
        finally:
            status.delete()
        Shown(desk, visitor, found, {"game": game, "agent": agent, "position": position}, at_row(at))


PATIENCE = 60.0  # seconds that a browser may take to connect
HOW = (
    "Click a node to open or close it, drag to move, turn the wheel to zoom. Arrow keys walk, Enter opens, + and - "
    "zoom. The expected line is bold, ties are dashed. ✂ marks nodes whose later moves were cut, with the bound that "
    "cut them; 12× tells that 12 playouts came through."
)


def at_row(text: str) -> int:
    """The row that a URL asks for; anything else is the root."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def row_in(event: Any) -> int | None:
    """The row that an event of the canvas names; None for whatever else a browser sends."""
    row = event.args[0] if isinstance(event.args, list) and len(event.args) == 1 else event.args
    return row if isinstance(row, int) and not isinstance(row, bool) and 0 <= row < RECORDED else None


class Shown:
    """The canvas with its buttons, and what is known of the node that is looked at."""

    def __init__(self, desk: Desk, visitor: Visitor, found: Grown, words: dict[str, Any], at: int) -> None:
        self.desk, self.visitor, self.found, self.words = desk, visitor, found, words
        decision, tree = found.decision, found.tree
        whole = "" if tree.complete else f"; only {len(tree)} nodes were recorded"
        with ui.expansion(f"{len(tree)} nodes, depth {decision.depth}{whole}").props("dense").classes("w-full"):
            ui.label(HOW).classes("text-sm")
        self.buttons()
        at = at if at < len(tree) else 0
        with ui.row().classes("w-full items-start gap-3 flex-wrap"):
            rows = found.told(found.shown())
            self.canvas = TreeCanvas(rows, sorted(found.open), f"a search tree of {len(tree)} nodes", at)
            self.canvas.style("flex: 3 1 340px; min-width: 0").mark("tree")
            self.about = ui.html(found.about(at), sanitize=False).classes("km-small").mark("about")
            self.about.style("flex: 1 1 260px; max-width: 420px; min-width: 0").props('aria-live="polite"')
        self.canvas.on("turned", self.turned)
        self.canvas.on("chosen", self.chosen)

    def buttons(self) -> None:
        found = self.found
        with ui.row().classes("items-center gap-2"):
            ui.button("One ply more", icon="expand_more", on_click=self.deeper).props("dense outline")
            ui.button("All", icon="unfold_more", on_click=self.unfold).props("dense outline")
            ui.button("Close", icon="unfold_less", on_click=self.close).props("dense outline")
            ui.button(icon="zoom_in", on_click=lambda: self.canvas.run_method("zoom", 1.5)).props(
                'dense outline aria-label="zoom in"'
            )
            ui.button(icon="zoom_out", on_click=lambda: self.canvas.run_method("zoom", 1 / 1.5)).props(
                'dense outline aria-label="zoom out"'
            )
            ui.button("Fit", icon="fit_screen", on_click=lambda: self.canvas.run_method("whole")).props("dense outline")
            for word, text in (("JSON", found.document), ("DOT", found.graph), ("SVG", found.svg)):
                ui.button(word, on_click=lambda word=word, text=text: self.save(word.lower(), text)).props(
                    "dense outline"
                )

    async def quickly(self, work: Any) -> Any:
        """Do a small piece of work beside the event loop; None if the visitor is gone."""
        try:
            return await self.desk.run(self.visitor, lambda _: work(), quick=True)
        except Stopped:
            return None

    async def save(self, ending: str, text: Any) -> None:
        made = await self.quickly(text)
        if made is not None:
            ui.download(made.encode(), f"tree.{ending}")

    async def turned(self, event: Any) -> None:
        row = row_in(event)
        if row is not None:
            self.canvas.put(await self.quickly(lambda: self.found.toggle(row)) or [])

    async def chosen(self, event: Any) -> None:
        row = row_in(event)
        if row is not None and row < len(self.found.tree):
            self.about.content = await self.quickly(lambda: self.found.about(row)) or ""
            ui.navigate.history.replace(address("/tree", **self.words, at=row))

    async def deeper(self) -> None:
        rows = await self.quickly(self.found.deeper)
        self.canvas.put(rows or [], sorted(self.found.open), fit=True)
        if not rows:
            ui.notify(f"Everything is open, or it would be more than {DRAWN} nodes.")

    async def unfold(self) -> None:
        rows = await self.quickly(self.found.unfold)
        self.canvas.put(rows or [], sorted(self.found.open), fit=True)

    def close(self) -> None:
        self.found.open = {0}
        self.canvas.put([], [0], fit=True)
