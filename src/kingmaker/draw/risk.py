"""Risk on its map: territories as discs in the colour of their owner with their armies, continents as fields.

The classic map has places of its own; the places of any other map are found by springs: neighbours pull, all others
push, from a circle on which the continents stand one after the other.
"""

import math
from functools import lru_cache
from typing import Any

from kingmaker.core.door import CHANCE
from kingmaker.draw.paper import Paper, points
from kingmaker.draw.parts import banner, score, turn_of
from kingmaker.games.parts.risk.orders import END, FORTIFY, MARCH, OCCUPY, PLACE, STOP
from kingmaker.games.parts.risk.texts import PHASES, in_battle

WIDE, TALL, TOP = 880.0, 520.0, 52.0
CLASSIC = """
ala 48 66 nwt 124 60 grl 268 44 alb 110 116 ont 176 118 que 246 122 wus 118 176 eus 192 182 cam 140 240
ven 208 290 per 206 356 bra 278 340 arg 226 426 ice 346 80 gbr 348 152 sca 428 86 neu 424 158 weu 362 222 seu 438 220
ukr 508 132 naf 392 310 egy 464 286 eaf 512 352 con 452 388 saf 462 462 mad 546 450 ura 580 108 sib 636 70 yak 704 50
kam 796 58 irk 690 122 mon 700 182 jap 806 160 afg 570 190 mea 528 254 ind 622 270 chi 674 230 sia 700 302
ido 712 376 ngu 808 366 wau 742 452 eau 832 438
"""
SHORT = {("ala", "kam")}  # borders that leave the map on one side and come back on the other
TINTS = (0, 3, 5, 2, 4, 6, 7, 1)  # colours of the continents


@lru_cache(maxsize=16)
def places(names: tuple[str, ...], edges: tuple[tuple[int, int], ...], homes: tuple[int, ...]) -> Any:
    """Where every territory lies on the paper."""
    words = CLASSIC.split()
    known = {words[at]: (float(words[at + 1]), float(words[at + 2])) for at in range(0, len(words), 3)}
    if set(names) == set(known):
        return [(known[name][0], known[name][1] + TOP - 14) for name in names]
    return fitted(relaxed(len(names), edges, homes))


def relaxed(count: int, edges: tuple[tuple[int, int], ...], homes: tuple[int, ...]) -> list[tuple[float, float]]:
    """Places that keep neighbours near and others apart."""
    at = [(math.cos(2 * math.pi * i / count), math.sin(2 * math.pi * i / count)) for i in range(count)]
    ideal, reach = 1.6 / math.sqrt(count), 0.12
    for turn in range(150):
        force = [[0.0, 0.0] for _ in range(count)]
        for i in range(count):
            for j in range(i):
                dx, dy = at[i][0] - at[j][0], at[i][1] - at[j][1]
                far = max(1e-3, math.hypot(dx, dy))
                push = ideal * ideal / far * (0.6 if homes[i] == homes[j] else 1.0)
                for k, sign in ((i, 1), (j, -1)):
                    force[k][0] += sign * push * dx / far
                    force[k][1] += sign * push * dy / far
        for i, j in edges:
            dx, dy = at[i][0] - at[j][0], at[i][1] - at[j][1]
            far = max(1e-3, math.hypot(dx, dy))
            pull = far * far / ideal * (1.0 if homes[i] == homes[j] else 0.5)
            for k, sign in ((i, -1), (j, 1)):
                force[k][0] += sign * pull * dx / far
                force[k][1] += sign * pull * dy / far
        heat = reach * (1 - turn / 150)
        for i in range(count):
            size = max(1e-6, math.hypot(*force[i]))
            at[i] = (at[i][0] + heat * force[i][0] / size, at[i][1] + heat * force[i][1] / size)
    return at


def fitted(at: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The places spread over the paper; what lies in one line keeps it."""
    lows, highs = [min(place[i] for place in at) for i in (0, 1)], [max(place[i] for place in at) for i in (0, 1)]
    wide, tall = max(1e-6, highs[0] - lows[0]), max(1e-6, highs[1] - lows[1])
    scale = min((WIDE - 180) / wide, (TALL - 150) / tall)
    return [
        (
            WIDE / 2 + scale * (x - (lows[0] + highs[0]) / 2),
            TOP + TALL / 2 - 10 + scale * (y - (lows[1] + highs[1]) / 2),
        )
        for x, y in at
    ]


def edges_of(game: Any) -> tuple[tuple[int, int], ...]:
    return tuple(
        (t, int(other)) for t in range(game.size) for other in game.near[t, : game.degree[t]].tolist() if t < other
    )


def draw(paper: Paper, game: Any, state: Any, seat: int | None) -> None:
    edges = edges_of(game)
    at = places(game.names, edges, tuple(game.home.tolist()))
    paper.size(WIDE, TOP + TALL + 50, f"risk: {turn_of(game, state)}")
    banner(paper, game, state, doing(game, state))
    paper.add("rect", "sea", x=14, y=TOP - 8, width=WIDE - 28, height=TALL, rx=18)
    for home, name in enumerate(game.continents):
        continent(paper, game, home, name, at)
    for one, other in edges:
        border(paper, game, at, one, other)
    if in_battle(state):
        battle(paper, at[state.source], at[state.target])
    for t in range(game.size):
        territory(paper, game, state, t, *at[t])
    across = (WIDE - 40) / game.seats
    for each in range(game.seats):
        held = [t for t in range(game.size) if state.owner[t] == each]
        armies = sum(int(state.armies[t]) for t in held)
        score(
            paper,
            each,
            f"{len(held)} lands" if held else "out",
            34 + across * each,
            TOP + TALL + 12,
            each == state.seat,
        )
        if held:
            paper.write(f"{armies} armies", 49 + across * each, TOP + TALL + 30, 12, "dim", "start")


def doing(game: Any, state: Any) -> str:
    """The phase of the turn in words."""
    where = f" {game.names[state.source]}–{game.names[state.target]}" if in_battle(state) else ""
    placing = f", {state.reserve} to place" if state.reserve else ""
    dice = "dice: " if game.mover(state) == CHANCE else ""
    return f"round {state.round + 1}: {dice}{PHASES[state.phase]}{where}{placing}"


def continent(paper: Paper, game: Any, home: int, name: str, at: Any) -> None:
    """A field around the territories of a continent, with its name and bonus."""
    lands = range(game.first[home], game.first[home + 1])
    tint = TINTS[home % len(TINTS)]
    hull = around([at[t] for t in lands])
    shape = points(hull)
    paper.open(opacity=0.17)
    paper.add("polygon", f"f{tint} o{tint}", points=shape, stroke_width=62, stroke_linejoin="round")
    paper.close()
    x, y = sum(at[t][0] for t in lands) / len(lands), min(at[t][1] for t in lands) - 28
    paper.write(f"{name} +{game.bonus[home]}", x, max(y, TOP + 6), 12, "dim", font_weight=600)


def around(dots: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of the smallest hull of some dots, one side after the other."""
    ordered = sorted(set(dots))
    if len(ordered) < 3:
        return [*ordered, ordered[0]]

    def half(row: list[tuple[float, float]]) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for dot in row:
            while len(found) > 1 and turns_right(found[-2], found[-1], dot):
                found.pop()
            found.append(dot)
        return found[:-1]

    return half(ordered) + half(ordered[::-1])


def turns_right(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0


def border(paper: Paper, game: Any, at: Any, one: int, other: int) -> None:
    """A line between neighbours; one that would cross the whole map leaves it on one side."""
    looks = {"stroke_width": 1.4, "stroke_opacity": 0.75}
    if (game.names[one], game.names[other]) in SHORT and game.map == "classic":
        (x, y), (far, deep) = at[one], at[other]
        paper.add("line", "line", x1=x, y1=y, x2=16, y2=y - 6, **looks)
        paper.add("line", "line", x1=far, y1=deep, x2=WIDE - 16, y2=deep - 6, **looks)
        return
    paper.add("line", "line", x1=at[one][0], y1=at[one][1], x2=at[other][0], y2=at[other][1], **looks)


def battle(paper: Paper, source: Any, target: Any) -> None:
    """The border at which is fought, as a thick line."""
    paper.add("line", "", x1=source[0], y1=source[1], x2=target[0], y2=target[1], stroke="#e8a200", stroke_width=6)


def territory(paper: Paper, game: Any, state: Any, t: int, x: float, y: float) -> None:
    owner, armies = int(state.owner[t]), int(state.armies[t])
    radius = 15 + min(5.0, 1.2 * math.log2(armies))
    paper.add("circle", f"f{owner} outline", cx=x, cy=y, r=radius, stroke_width=1.2)
    paper.write(armies, x, y, 14 if armies < 100 else 11, "on", font_weight=700)
    paper.write(game.names[t], x, y + radius + 8, 10.5, "ink")
    paper.spot(game.names[t], "circle", f"{game.names[t]}, {armies} armies of seat {owner}", cx=x, cy=y, r=radius + 3)


def spots(game: Any, state: Any, seat: int, move: int) -> tuple[str, ...]:
    """The territories of an order; how many armies, and how to fight, is asked afterwards."""
    kind, source, target = move & 15, move >> 4 & 63, move >> 10 & 63
    if kind == PLACE:
        return (game.names[source],)
    if kind in (STOP, END, MARCH):
        return ()
    if kind == OCCUPY:
        return (game.names[state.target],)
    assert kind <= FORTIFY
    return game.names[source], game.names[target]
