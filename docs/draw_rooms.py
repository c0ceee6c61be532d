"""Draw `architecture.svg`: the rooms of the house, and which room imports which.

The imports are read from the sources, late ones inside functions too. The rooms stand on a staircase between a roof
(`cli`, which may import everything) and a foundation (`core`, which everything may import). A room imports only what
stands below it, so an arrow leaves its room to the right and drops onto the other one, and whatever leads to the
foundation drops straight down on the left. A new room must be added to ROOMS. `make docs` runs this.
"""

import ast
import math
from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parent
HOUSE = DOCS.parent / "src" / "kingmaker"
PICTURE = DOCS / "architecture.svg"


class Room(NamedTuple):
    """A room, or a floor of one: its name, what it holds, and its colour on a light and on a dark background."""

    name: str
    holds: str
    light: str = ""
    dark: str = ""
    floors: tuple["Room", ...] = ()  # from the top down


FLOORS = (  # of the arena, from the top down
    Room("tuning", "numbers that win most"),
    Room("running", "workers, coordinator"),
    Room("results", "the store, tables, reports"),
    Room("experiment", "the TOML file, the schedule"),
    Room("table", "where a match is played"),
)
ROOMS = (  # from the top down: a room imports only what stands below it
    Room("cli", "one file per command; the only room that prints", "#475569", "#a3b1c6"),
    Room("web", "the page: play, watch, analyse in a browser", "#5b3a8c", "#c3a6f5"),
    Room("repeating", "plays and judges the sources' tables", "#8a2be2", "#c79bff"),
    Room("probe", "examines a game: check, perft, opponent impact", "#96610a", "#e0ad4c"),
    Room("arena", "agents against each other, on five floors", "#b4234f", "#fb7c9b", FLOORS),
    Room("loading", "turns texts into games and agents", "#0d7568", "#45c9b5"),
    Room("draw", "a state as an SVG picture, one file per game", "#9a3412", "#f2a07b"),
    Room("search", "one file per algorithm, and what they share", "#1f57c3", "#7fb0ff"),
    Room("adapters", "other people's engines, and ours for others", "#6d3fc4", "#bd9dff"),
    Room("papers", "the sources' experiments and printed numbers", "#7a5c00", "#d9b84a"),
    Room("games", "one file per game, and what they share", "#2b7a2f", "#78c97c"),
    Room("soundness", "examines a user's own game before its use", "#b8470f", "#ff9d66"),
    Room("stats", "statistics: functions from numbers to numbers", "#0a7190", "#56c3e0"),
    Room("core", "what a game, an estimate and a decision are; how plain Python is compiled", "#334155", "#8896ac"),
)
FRONT = ("__init__", "__main__")  # the two files in front of all rooms


def modules(house: Path) -> dict[str, Path]:
    """Every module of the house by its full name."""
    found = {}
    for path in sorted(house.rglob("*.py")):
        parts = path.relative_to(house.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path) -> Iterator[str]:
    """The full names of all that a file imports, late imports included."""
    for node in ast.walk(ast.parse(path.read_text(), filename=str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def place_of(module: str) -> tuple[str, str]:
    """The room and the floor in which a module is; no floor where the room has none."""
    room, floor = (*module.split(".")[1:3], "", "")[:2]
    floors = [each.name for known in ROOMS if known.name == room for each in known.floors]
    return room or "__init__", floor if floor in floors else ""


def file_imports(house: Path) -> Counter[tuple[tuple[str, str], tuple[str, str]]]:
    """How many times a file of one place imports a file of another."""
    known, found = modules(house), Counter()
    for module, path in known.items():
        targets = set()
        for name in imported(path):
            while name and name not in known:
                name = name.rpartition(".")[0]  # noqa: PLW2901
            targets.add(name)
        found.update((place_of(module), place_of(target)) for target in targets - {module, "", "kingmaker"})
    return found


def file_counts(house: Path) -> Counter[tuple[str, str]]:
    """How many files each place holds, Python files and those of data; `__init__.py` is not counted."""
    found = Counter(place_of(module) for module, path in modules(house).items() if path.name != "__init__.py")
    found.update((path.relative_to(house).parts[0], "") for path in house.rglob("*.toml"))
    return found


def between_rooms(house: Path) -> Counter[tuple[str, str]]:
    """How many file-to-file imports lead from room to room; a room that nobody placed is refused."""
    order, found = [room.name for room in ROOMS], Counter()
    for ((source, _), (target, _)), count in file_imports(house).items():
        if source != target and source not in FRONT:
            for name in (source, target):
                if name not in order:
                    raise SystemExit(
                        f"the room '{name}' has no place in the picture; add it to ROOMS in docs/draw_rooms.py"
                    )
            if order.index(source) > order.index(target):
                raise SystemExit(f"{source} imports {target}, which stands above it in ROOMS; change their order")
            found[source, target] += count
    return found


def between_floors(house: Path, room: Room) -> Counter[tuple[str, str]]:
    """The same between the floors of one room."""
    order, found = [floor.name for floor in room.floors], Counter()
    for ((source, upper), (target, lower)), count in file_imports(house).items():
        if source == target == room.name and upper and lower and upper != lower:
            if order.index(upper) > order.index(lower):
                raise SystemExit(
                    f"{source}/{upper} imports {source}/{lower}, which stands above it; change their order"
                )
            found[upper, lower] += count
    return found


MARGIN, WIDTH, HEIGHT, STEP, GAP = 28, 344, 58, 70, 26  # of the staircase: a box, and from one box to the next
FLOOR_WIDTH, FLOOR_HEIGHT, FLOOR_STEP, FLOOR_GAP, HEAD = 196, 42, 27, 17, 54  # the same inside a room of floors
SLAB, AIR, CORNER = 62, 34, 9


class Grid(NamedTuple):
    """Distances of arrows."""

    apart: float  # between two that leave a box
    lane: float  # between two that arrive at one
    edge: float  # from the box's right end to the first that arrives
    label: float  # from the box's right end to the number on the line
    least: float = 6  # from the box above to the last that arrives


ROOM_GRID, FLOOR_GRID = Grid(15, 16, 28, 12), Grid(13, 12, 8, 10)


class Box(NamedTuple):
    room: Room
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


def thickness(count: int) -> float:
    return 1.1 + 0.85 * math.sqrt(count)


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def arrow(names: tuple[str, str], colour: str, count: int, points: list[tuple[float, float]]) -> str:
    """A line with round corners through the points, a head at its end, and a rim that keeps it apart from what it
    crosses.
    """
    wide = thickness(count)
    length, half = 5.5 + 0.8 * wide, 3.4 + 0.72 * wide
    tip_x, tip_y = points[-1]
    route = [*points[:-1], (tip_x, tip_y - length + 1)]
    path = f"M{number(route[0][0])} {number(route[0][1])}"
    for (before_x, _), (x, y), (_, after_y) in zip(route, route[1:], route[2:]):
        bend = min(CORNER, abs(x - before_x), abs(after_y - y))
        path += f"H{number(x - bend)}Q{number(x)} {number(y)} {number(x)} {number(y + bend)}"
    path += f"V{number(route[-1][1])}"
    head = f"M{number(tip_x)} {number(tip_y)}l{number(-half)} {number(-length)}h{number(2 * half)}z"
    return (
        f'<g class="edge {colour}"><title>{names[0]} imports {names[1]}: {count}</title>'
        f'<path class="rim" d="{path}" stroke-width="{number(wide + 4)}"/>'
        f'<path class="line" d="{path}" stroke-width="{number(wide)}"/><path class="head" d="{head}"/></g>'
    )


def label(x: float, y: float, count: int) -> str:
    """The number on its line, which makes room for it."""
    return f'<text class="count" x="{number(x)}" y="{number(y + 3.7)}">{count}</text>'


def stairs(boxes: list[Box], counts: Counter[tuple[str, str]], grid: Grid, colour: str = "") -> Iterator[str]:
    """The arrows between the boxes of a staircase: to the right, then down.

    To keep arrows of one box from crossing each other, the farthest target's leaves it on top; to keep those to one box
    from crossing, the highest source's arrives farthest to the right.
    """
    ends = {below.room.name: above.right for above, below in pairwise(boxes)}
    for source in boxes:
        targets = [each for each in boxes if counts[source.room.name, each.room.name]]
        first = source.y + source.height / 2 - grid.apart * (len(targets) - 1) / 2
        for place, target in enumerate(reversed(targets)):
            names = (source.room.name, target.room.name)
            sources = [each for each in boxes if counts[each.room.name, target.room.name]]
            room = target.right - grid.edge - ends[target.room.name] - grid.least
            lane = min(grid.lane, room / max(1, len(sources) - 1))
            x, y = target.right - grid.edge - lane * sources.index(source), first + grid.apart * place
            yield arrow(names, colour or names[0], counts[names], [(source.right, y), (x, y), (x, target.y)])
            short = x - source.right < 2 * grid.label
            at = (x, (y + target.y) / 2) if short else (source.right + grid.label, y)
            yield label(*at, counts[names])


def boxed(item: Box, files: int, floor_of: str = "") -> str:
    """A rounded box with the name of the room or floor, its files and what it holds."""
    place = f'x="{number(item.x)}" y="{number(item.y)}" width="{number(item.width)}" height="{number(item.height)}"'
    inset, first, second, corner = (13, 17, 32, 8) if floor_of else (16, 24, 44, 12)
    left, right, y = number(item.x + inset), number(item.right - inset), number(item.y + first)
    return (
        f'<g class="{"floor" if floor_of else "room"} {floor_of or item.room.name}">'
        f'<rect class="paper" {place} rx="{corner}"/><rect class="tint" {place} rx="{corner}"/>'
        f'<text class="name" x="{left}" y="{y}">{item.room.name}</text>'
        f'<text class="files" x="{right}" y="{y}">{files} file{"" if files == 1 else "s"}</text>'
        f'<text class="holds" x="{left}" y="{number(item.y + second)}">{escape(item.room.holds)}</text></g>'
    )


def blended(paper: str, hue: str, share: float) -> str:
    """What is seen where a tint lies over the paper."""
    pairs = ((int(paper[at : at + 2], 16), int(hue[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(below + share * (above - below)):02x}" for below, above in pairs)


def style() -> str:
    """The colours, for light and for dark surroundings; the picture has a background of its own in both."""

    def colours(paper: str, ink: str, soft: str, tint: float, dark: bool) -> str:
        rules = [
            f".card,.paper{{fill:{paper}}}.rim,.count{{stroke:{paper}}}",
            f".name,.title{{fill:{ink}}}.holds,.files,.count,.legend{{fill:{soft}}}.tint{{fill-opacity:{tint}}}",
        ]
        for room in ROOMS:
            hue = room.dark if dark else room.light
            lines, faces = f".{room.name} .line,.{room.name}>.tint", f".{room.name} .head,.{room.name}>.tint"
            rules.append(f"{lines}{{stroke:{hue}}}{faces}{{fill:{hue}}}")
            if room.floors:
                rules.append(f".inside-{room.name} :is(.rim,.count){{stroke:{blended(paper, hue, tint)}}}")
        return "\n".join(rules)

    return "\n".join(
        (
            "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}",
            ".title{font-size:17px;font-weight:650}.name{font-size:16px;font-weight:650}.floor .name{font-size:13px}",
            ".holds{font-size:13px}.files{font-size:12px;text-anchor:end}",
            ".floor .holds,.floor .files,.legend{font-size:11.5px}",
            ".count{font-size:10.5px;text-anchor:middle;paint-order:stroke;stroke-width:5px;stroke-linejoin:round}",
            ".line,.rim{fill:none}.tint{stroke-width:1.5}.floor>.tint{stroke-width:1.1}",
            colours("#fdfcfa", "#1d232e", "#5b6472", 0.09, dark=False),
            "@media (prefers-color-scheme:dark){",
            colours("#171a21", "#eef1f6", "#a7b0be", 0.14, dark=True) + "}",
        )
    )


def placed() -> tuple[Box, list[Box], Box]:
    """Where everything is: the roof, the staircase, the foundation."""
    roof, *steps, ground = ROOMS
    y, boxes = MARGIN + 38 + SLAB + AIR, []
    for place, room in enumerate(steps):
        height = HEAD + len(room.floors) * (FLOOR_HEIGHT + FLOOR_GAP) if room.floors else HEIGHT
        boxes.append(Box(room, MARGIN + 14 + STEP * place, y, WIDTH, height))
        y += height + GAP
    width = boxes[-1].right + 64 - MARGIN
    return Box(roof, MARGIN, MARGIN + 38, width, SLAB), boxes, Box(ground, MARGIN, y - GAP + AIR + 6, width, SLAB)


def floors_in(item: Box) -> list[Box]:
    """The floors of a room, a staircase of their own."""
    return [
        Box(
            floor,
            item.x + 14 + FLOOR_STEP * place,
            item.y + HEAD + (FLOOR_HEIGHT + FLOOR_GAP) * place,
            FLOOR_WIDTH,
            FLOOR_HEIGHT,
        )
        for place, floor in enumerate(item.room.floors)
    ]


def drawing(house: Path = HOUSE) -> str:
    """The whole picture as SVG."""
    counts, files = between_rooms(house), file_counts(house)
    totals: Counter[str] = Counter()
    for (room, _), count in files.items():
        totals[room] += count
    roof, boxes, ground = placed()
    parts = [*to_the_ground(boxes, ground, counts), *from_the_roof(roof, boxes, ground, counts)]
    parts += stairs(boxes, counts, ROOM_GRID)
    parts += (boxed(item, totals[item.room.name]) for item in (roof, *boxes, ground))
    for item in boxes:
        if item.room.floors:
            name, inner = item.room.name, floors_in(item)
            arrows = "".join(stairs(inner, between_floors(house, item.room), FLOOR_GRID, name))
            parts.append(f'<g class="inside-{name}">{arrows}</g>')
            parts += (boxed(floor, files[name, floor.room.name], name) for floor in inner)
    width, height = number(ground.right + MARGIN), number(ground.bottom + 62)
    title = "The rooms of Kingmaker, and what they import"
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{title}</title>",
            f"<style>\n{style()}\n</style>",
            f'<rect class="card" width="{width}" height="{height}" rx="16"/>',
            f'<text class="title" x="{MARGIN + 2}" y="{MARGIN + 16}">{title}</text>',
            *parts,
            *legend(MARGIN + 2, ground.bottom + 34),
            "</svg>\n",
        )
    )


def to_the_ground(boxes: list[Box], ground: Box, counts: Counter[tuple[str, str]]) -> Iterator[str]:
    """Arrows to the foundation: straight down on the left, where nothing is in the way."""
    for item in boxes:
        names, x = (item.room.name, ground.room.name), item.x + 24
        if counts[names]:
            yield arrow(names, item.room.name, counts[names], [(x, item.bottom), (x, ground.y)])
            yield label(x, item.bottom + 15, counts[names])


def from_the_roof(roof: Box, boxes: list[Box], ground: Box, counts: Counter[tuple[str, str]]) -> Iterator[str]:
    """Arrows of the roof: straight down on the right."""
    for item in (*boxes, ground):
        names, x = (roof.room.name, item.room.name), item.right - (26 if item is ground else 12)
        if counts[names]:
            yield arrow(names, roof.room.name, counts[names], [(x, roof.bottom), (x, item.y)])
            yield label(x, roof.bottom + 13, counts[names])


def legend(x: float, y: float) -> Iterator[str]:
    """What thickness and direction mean."""
    for place, count in enumerate((1, 10, 100)):
        at = x + 72 * place
        line = f"M{number(at)} {number(y - 4)}h30"
        yield f'<g class="cli"><path class="line" d="{line}" stroke-width="{number(thickness(count))}"/></g>'
        yield f'<text class="legend" x="{number(at + 36)}" y="{y}">{count}</text>'
    said = "file-to-file imports; an arrow leads to the room that is imported"
    yield f'<text class="legend" x="{number(x + 232)}" y="{y}">{said}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawing())
