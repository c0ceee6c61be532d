"""Game trees: nodes in the colour of the seat that moves, chance as a diamond, leaves with their payoffs."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from kingmaker.core.door import CHANCE, OVER
from kingmaker.draw.paper import Paper, points

LEVEL, TOP = 86.0, 76.0
ALONG = 0.62  # of an edge: where the word of a move stands; there neighbours are closer than their nodes


@dataclass
class Node:
    """One node to be drawn."""

    seat: int
    label: str = ""  # of the move that leads here
    payoff: tuple[float, ...] = ()
    children: list["Node"] = field(default_factory=list)
    here: bool = False  # does the match stand here?
    on_way: bool = True  # does it lie on the way to where the match stands, or below?
    more: bool = False  # are there children that are not drawn?
    spot: str = ""
    bold: bool = False  # does it lie on the expected line of a search?
    cut: bool = False  # were later moves not searched?
    bound: str = ""  # the bound that cut them, if it is known
    tied: bool = False  # is the move that leads here as good as another?
    visits: int = 0  # how often playouts came through it; 0 in a tree of another kind
    x: float = 0.0


def walk(node: Node, depth: int = 0) -> Iterator[tuple[Node, int]]:
    yield node, depth
    for child in node.children:
        yield from walk(child, depth + 1)


def draw_tree(paper: Paper, root: Node, title: str, values: bool = False) -> None:
    """The tree from the top down, its leaves in a row; with `values`, those of inner nodes stand beside them."""
    every = list(walk(root))
    depth = max(level for _, level in every)
    seats = max((len(node.payoff) for node, _ in every), default=0)
    wide = max(40.0, 8.0 + 7.2 * max((len(told(node.payoff)) for node, _ in every if node.payoff), default=0))
    leaves = [node for node, _ in every if not node.children]
    labels = max((len(node.label) for node, level in every if level == depth), default=0)
    counts = max((len(str(node.visits)) + 4 for node, _ in every if node.visits), default=0)
    counts += max((len(shears(node)) for node, _ in every if node.cut), default=0)
    gap = max(wide + 8 + 6.6 * counts if seats else 44.0, (12 + 6.4 * labels) / ALONG)
    paper.size(max(360, gap * len(leaves) + 48), TOP + LEVEL * depth + 52, title)
    shift = (paper.width - gap * len(leaves)) / 2
    for place, leaf in enumerate(leaves):
        leaf.x = shift + gap * (place + 0.5)
    for node, _ in reversed(every):
        if node.children:
            node.x = (node.children[0].x + node.children[-1].x) / 2
    for node, level in every:
        for child in node.children:
            edge(paper, node, child, TOP + LEVEL * level)
    for node, level in every:
        draw_node(paper, node, TOP + LEVEL * level, wide)
        if values and node.seat != OVER:
            y = TOP + LEVEL * level - 24
            said = told(node.payoff) + (f" · {node.visits}×" if node.visits else "") + shears(node)
            paper.add("rect", "paper", x=node.x - 3.3 * len(said), y=y - 7, width=6.6 * len(said), height=14, rx=4)
            paper.write(said, node.x, y, 11, "ink" if node.bold else "dim")


def edge(paper: Paper, node: Node, child: Node, y: float) -> None:
    taken = child.on_way and node.on_way
    paper.add(
        "line", "line", x1=node.x, y1=y + 15, x2=child.x, y2=y + LEVEL - 15,
        stroke_width=4 if child.bold else 2.2 if taken else 1.2, stroke_opacity=1 if taken else 0.5,
        **({"stroke_dasharray": "7 5"} if child.tied else {}),
    )  # fmt: skip
    x, height = node.x + (child.x - node.x) * ALONG, y + 15 + (LEVEL - 30) * ALONG
    if child.label:
        wide = 8 + 6.4 * len(child.label)
        paper.add("rect", "paper", x=x - wide / 2, y=height - 8, width=wide, height=16, rx=5)
        paper.write(child.label, x, height, 11.5, "ink" if taken else "dim")


def draw_node(paper: Paper, node: Node, y: float, wide: float) -> None:
    pale = 1 if node.on_way else 0.45
    if node.here:
        paper.add("circle", "mark", cx=node.x, cy=y, r=23)
    if node.seat == OVER:
        paper.add("rect", "cell rim", x=node.x - wide / 2, y=y - 13, width=wide, height=26, rx=6, opacity=pale)
        paper.write(told(node.payoff), node.x, y, 12.5, "ink", opacity=max(pale, 0.75))
    elif node.seat == CHANCE:
        corners = [(node.x, y - 19), (node.x + 19, y), (node.x, y + 19), (node.x - 19, y)]
        paper.add("polygon", "cell line", points=points(corners), stroke_width=1.5, opacity=pale)
        paper.write("?", node.x, y, 14, "ink", font_weight=700)
    else:
        paper.open(opacity=pale)
        paper.add("circle", f"f{node.seat}", cx=node.x, cy=y, r=16)
        paper.write(node.seat, node.x, y, 15, "on", font_weight=700)
        paper.close()
    if node.more:
        paper.write("⋮", node.x, y + 29, 16, "dim")
    if node.spot:
        paper.spot(node.spot, "circle", f"move {node.label}", cx=node.x, cy=y, r=22)


def shears(node: Node) -> str:
    """What is written at a node whose later moves were cut."""
    return f" ✂ {node.bound}".rstrip() if node.cut else ""


def told(payoff: tuple[float, ...]) -> str:
    return " ".join(f"{value:.3g}" for value in payoff)
