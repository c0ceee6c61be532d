"""Leaves that Star1 and Star2 look at, in parts of all: max, chance, min, chance, … with as many moves or equally
likely outcomes at every node, in random order.

In trees of *independent* values every leaf is drawn by itself, so the move that Star2 probes tells nothing about the
others. In *summed* trees every edge has a value and a leaf the sum of those on its way, as where moves make a position
better or worse step by step.

    python -m bench.stars --moves 10 --plies 3 --trees 20
"""

import random
from typing import Annotated, Any

from cyclopts import App, Parameter

from bench.open_spiel_cards import mean_interval
from kingmaker.core.ask import Ask
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.parts.machinery import leaf

KINDS = ("independent", "summed")
app = App(name="stars", help_format="plaintext", result_action="return_value")


@app.default
def main(
    *,
    moves: Annotated[int, Parameter(help="Moves or outcomes at every node.")] = 10,
    plies: Annotated[int, Parameter(help="Plies of a tree, chance included.")] = 3,
    trees: Annotated[int, Parameter(help="How many trees of each kind.")] = 20,
) -> int:
    """Print the shares of Star1 and Star2 with 95 % intervals over trees."""
    for kind in KINDS:
        shares = [parts(tree(random.Random(seed), moves, plies, kind), moves**plies) for seed in range(trees)]
        told = []
        for star, each in enumerate(zip(*shares, strict=True), 1):
            low, high = mean_interval(list(each))
            told.append(f"Star{star} {100 * sum(each) / trees:.1f} % ({100 * low:.1f} to {100 * high:.1f})")
        print(
            f"{kind} values, {moves} moves, {plies} plies, {trees} trees: {', '.join(told)} of the leaves", flush=True
        )
    return 0


def tree(rng: random.Random, moves: int, plies: int, kind: str) -> ExplicitTree:
    """A random tree; only the values of its last edges count where they are independent. Values lie around 0, so that
    the bounds of both seats' payoffs are those of one seat's.
    """

    def node(ply: int, value: float) -> Any:
        if ply == plies:
            return value
        kept = value if kind == "summed" else 0.0
        below = [node(ply + 1, kept + rng.random() - 0.5) for _ in range(moves)]
        return {"moves": below, "odds": [1 / moves] * moves} if ply % 2 else {"moves": below, "seat": ply // 2 % 2}

    return ExplicitTree(node(0, 0.0), seats=2)


def parts(game: ExplicitTree, leaves: int) -> tuple[float, ...]:
    """The share of the leaves that Star1 and Star2 look at."""
    return tuple(
        looked_at(AlphaBeta(depth=20, star=star, order="given"), game, game.new())[1] / leaves for star in (1, 2)
    )


def looked_at(agent: Any, game: Any, state: Any) -> tuple[int, int]:
    """The ends of the match that a search looks at, interpreted: how often, and how many different ones."""
    plain, seen = leaf.end.function, []

    def counted(game: Any, estimate: Any, state: Any, out: Any) -> None:
        seen.append(state.path if isinstance(state.path, tuple) else int(state.path))
        plain(game, estimate, state, out)

    leaf.end.function = counted
    try:
        agent.decide(game, state, ask=Ask(compiled=False))
    finally:
        leaf.end.function = plain
    return len(seen), len({*seen})


if __name__ == "__main__":
    raise SystemExit(app())
