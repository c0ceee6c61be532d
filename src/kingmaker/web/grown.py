"""A recorded search tree as the page asks for it: row by row, with words for moves, odds, ties, cuts and positions."""

import json
import time
from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np

from kingmaker.core.ask import Ask
from kingmaker.core.door import CHANCE, OVER
from kingmaker.core.errors import KingmakerError, Mismatch
from kingmaker.core.plain_text import safe
from kingmaker.core.tree import STAND
from kingmaker.draw.dot import dot
from kingmaker.draw.drawing import drawing
from kingmaker.draw.paper import Paper
from kingmaker.draw.trees import Node, draw_tree
from kingmaker.probe.comparison import at_a_seat
from kingmaker.web.caps import Known, checked_position
from kingmaker.web.cuts import Reading

RECORDED = 10_000  # nodes that are kept of a search
DRAWN = 6000  # nodes that are opened at once
LINE, CUT, TIED, INNER = 1, 2, 4, 8  # flags of a row
READY = 0.5  # seconds in which moves are put into words ahead
LONGEST = 24  # letters of a move in the drawing


class Grown:
    """A recorded tree with the rows that are open, and the position at each of them."""

    def __init__(self, game: Any, state: Any, agent: Any, decision: Any) -> None:
        self.game, self.tree, self.decision = game, decision.tree, decision
        self.states = {0: game.copy(state)}
        self.words = {0: ""}
        self.below: dict[int, list[int]] = {}
        self.parents = self.tree.nodes["parent"].tolist()
        for row in range(1, len(self.tree)):
            self.below.setdefault(self.parents[row], []).append(row)
        self.reading = Reading(game, agent, self.tree.nodes, self.below)
        self.line = [0, *self.tree.path(decision.line, decision.movers)]
        self.open = {row for row in self.line if row in self.below}
        self.has_visits = "visits" in (self.tree.nodes.dtype.names or ())

    def state(self, row: int) -> Any:
        """The position at a row, played from its parent's."""
        if row not in self.states:
            node = self.tree.nodes[row]
            after = self.game.copy(self.state(self.parents[row]))
            if int(node["move"]) != STAND:
                with np.errstate(over="ignore"):
                    self.game.play(after, int(node["by"]), int(node["move"]))
            self.states[row] = after
        return self.states[row]

    def toggle(self, row: int) -> list[list[Any]]:
        """Open or close a row; returns the rows below it, in case they were never asked for."""
        if row in self.open:
            self.open.discard(row)
        elif row in self.below:
            self.open.add(row)
            return self.told(self.below[row])
        return []

    def deeper(self) -> list[list[Any]]:
        """Open one ply more everywhere, as long as not too much is drawn; returns what appears."""
        more = [row for row in self.shown() if row in self.below and row not in self.open]
        if sum(len(self.below[row]) for row in (*self.open, *more)) > DRAWN:
            more = []
        self.open.update(more)
        return self.told(child for row in more for child in self.below[row])

    def unfold(self) -> list[list[Any]]:
        """Open the tree from the top, ply by ply, as far as it can be drawn at once; returns all of it."""
        self.open, shown = set(), [0]
        for row in shown:
            children = self.below.get(row, [])
            if children and len(shown) + len(children) <= DRAWN:
                self.open.add(row)
                shown += children
        return self.told(shown)

    def shown(self) -> list[int]:
        """The rows that are drawn: the root, and what is below open rows."""
        found = [0]
        for row in found:
            found += self.below.get(row, []) if row in self.open else []
        return found

    def word(self, row: int) -> str:
        """The move that leads to a row, with its odds at dice."""
        if row not in self.words:
            self.words[row] = self.worded(row)
        return self.words[row]

    def worded(self, row: int) -> str:
        node, above = self.tree.nodes[row], self.parents[row]
        move, by = int(node["move"]), int(node["by"])
        if move == STAND:
            return "–"
        said = safe(str(self.game.say(self.state(above), by, move)))[:LONGEST]
        odds = self.odds(above).get(move) if by == CHANCE else None
        return said if odds is None else f"{said}: {100 * odds:.3g} %"

    def ready(self, seconds: float = READY) -> None:
        """Put moves into words for so long, so that nobody waits for them later."""
        until = time.monotonic() + seconds
        for row in range(len(self.tree)):
            if time.monotonic() > until:
                return
            self.word(row)

    def odds(self, row: int) -> dict[int, float]:
        """The probabilities of the events at a row where dice are rolled."""
        try:
            return dict(self.game.chances(self.state(row)))
        except KingmakerError:
            return {}  # events that cannot be listed

    def is_cut(self, row: int) -> bool:
        """Were moves left out? BRS+ counts its special move among them, which it does not try where it ends the match
        or gives the turn back to the root seat.
        """
        read, tried = self.reading, self.below.get(row, [])
        if read.cut[row] and read.agent == "best_reply_plus" and tried and read.movers[row] >= 0:
            special = read.movers[tried[0]] in (read.me, OVER)
            return not (special and len(tried) >= len(self.game.legal(self.state(row), read.movers[row])))
        return bool(read.cut[row])

    def told(self, rows: Iterable[int]) -> list[list[Any]]:
        """Rows as the canvas takes them: number, parent, seat, move, values, flags, visits, the bound of a cut."""
        found, ties = [], dict[int, set[int]]()
        line, entries, read = set(self.line), self.tree.nodes, self.reading
        for row in rows:
            above = self.parents[row]
            if above not in ties:
                ties[above] = set(read.ties(above)) if above >= 0 else set()
            flags = (row in line) * LINE | self.is_cut(row) * CUT | (row in ties[above]) * TIED
            flags |= (row in self.below) * INNER
            values = [float(f"{value:.4g}") for value in read.values[row]]
            visits = int(entries["visits"][row]) if self.has_visits else 0
            sign = read.bound(row)[0] if flags & CUT else ""
            found.append([row, above, read.movers[row], self.word(row), values, flags, visits, sign])
        return found

    def about(self, row: int) -> str:
        """All that is known of one row, as HTML: the way to it, its values, its position."""
        way = [row]
        while way[-1]:
            way.append(self.parents[way[-1]])
        steps = " → ".join(escape(self.word(each)) for each in reversed(way[:-1])) or "the root"
        seat, read = self.reading.movers[row], self.reading
        who = {CHANCE: "dice", OVER: "the end"}.get(seat, f"seat {seat} is to move")
        values = ", ".join(f"seat {each}: {value:.4g}" for each, value in enumerate(read.values[row]))
        told = [f"<b>{steps}</b>", f"{who}; {values}"]
        if self.has_visits:
            told.append(f"{int(self.tree.nodes['visits'][row])} of {int(self.tree.nodes['visits'][0])} visits")
        if self.is_cut(row):
            reason = read.bound(row)[1]
            told.append(f"its later moves were cut{': ' + escape(reason) if reason else ''}")
        ties = read.ties(row)
        if ties:
            told.append(f"a tie between {', '.join(escape(self.word(each)) for each in ties)}")
        state = self.state(row)
        picture = drawing(self.game, state, int(self.game.mover(self.states[0])))
        return "".join(f"<p>{each}</p>" for each in told) + picture

    def node(self, row: int) -> Node:
        """A row and what is open below it, ready to be drawn as SVG."""
        _, _, seat, word, values, flags, visits, sign = self.told([row])[0]
        made = Node(seat, word, tuple(values), bold=bool(flags & LINE), cut=bool(flags & CUT), visits=visits)
        made.tied, made.bound = bool(flags & TIED), sign
        made.more = bool(flags & INNER) and row not in self.open
        made.children = [self.node(child) for child in self.below.get(row, []) if row in self.open]
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
    found = Grown(rules, state, player, decision)
    found.ready()
    return found
