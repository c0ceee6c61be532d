"""The default order of moves of searches with alpha-beta, beside the game's own order: nodes and processor time to the
same depth over all kinds of games, in positions of random matches. The move and its value must be the same, else the
order could not be the default.
"""

import time
from collections.abc import Iterator
from typing import Any

from bench.row import Row
from kingmaker import load_agent, load_game
from kingmaker.core.rng import stream
from kingmaker.probe.random_walk import wandered

RISK = "risk(seats=3)"  # searched plan by plan
DEPTHS = {  # of each search over each game
    "chess": {"alpha_beta": 4},
    "backgammon": {"alpha_beta": 2, "paranoid": 2},
    "sticks": {"paranoid": 9},
    "sticks(seats=2)": {"alpha_beta": 12},
    "light_bike(seats=3, starts=distinct)": {"paranoid": 12, "best_reply": 12},
    "chinese_checkers(seats=3)": {"paranoid": 4, "best_reply": 4},
    "abalone(seats=3)": {"paranoid": 4, "best_reply": 4},
    "hearts(open=True)": {"paranoid": 7},
    "spades(open=True)": {"paranoid": 7},
    RISK: {"paranoid": 3},
    "random_tree(seats=3, branching=4, height=10)": {"paranoid": 8},
}
MATCHES, FIRST = 8, (2, 5, 11, 23)  # a position of each of so many matches, the first after so many plies with a choice
QUICK = ("sticks",)


def run(quick: bool) -> Iterator[Row]:
    for name in QUICK if quick else DEPTHS:
        game = load_game(name)
        game = load_agent("plans(maxn(depth=3))").tree(game) if name == RISK else game
        states = positions(game)
        for search, depth in DEPTHS[name].items():
            yield compared(game, states, f"{search}(depth={depth})")


def positions(game: Any) -> list[Any]:
    """Positions in which a seat is to move and has a choice."""
    found: list[Any] = []
    for number in range(MATCHES):
        walk = wandered(game, game.new(number), stream(number, "orders"), compiled=True)
        found += [s for s in walk[FIRST[number % len(FIRST)] :] if game.mover(s) >= 0 and len(game.legal(s)) > 1][:1]
    return found


def compared(game: Any, states: list[Any], text: str) -> Row:
    """The nodes of the default order in parts of those of the game's own."""
    default = load_agent(text)
    given = default.changed(order="given")
    nodes, seconds = {default: 0, given: 0}, {default: 0.0, given: 0.0}
    for agent in (given, default):
        agent.prepare(game)
    for state in states:
        found = []
        for agent in (given, default):
            began = time.process_time()
            decided = agent.decide(game, state)
            seconds[agent] += time.process_time() - began
            nodes[agent] += decided.nodes
            found.append((decided.move, decided.values[int(game.mover(state))]))
        assert found[0] == found[1], f"{text} at {game.notation(state)}: {found[1]} instead of {found[0]}"
    ratio = nodes[default] / nodes[given]
    times = seconds[default] / seconds[given]
    return Row(
        f"{game.name}, {text}: nodes in the default order ({default.order}) in parts of those in the game's own",
        ratio,
        f"{ratio:.2f} ({nodes[given]:,} to {nodes[default]:,}), {times:.2f} of the time",
    )
