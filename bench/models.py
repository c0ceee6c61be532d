"""What opponent modelling costs: evaluations of PrOM search with three opponent types, compared with alpha-beta and OM
search, on random trees.

This is the source's experiment: PrOM search needs more evaluations than either of the two, but with three types it
includes one alpha-beta search (for its own type) and two OM searches (for the others), and compared with their sum its
number is not high. Run it with `python -m bench.models`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean

from bench.row import Row
from kingmaker.core.ask import Ask
from kingmaker.games.random_tree import RandomTree
from kingmaker.search.alpha_beta import AlphaBeta
from kingmaker.search.om import Om
from kingmaker.search.prom import Prom

FIRST, SECOND = "guess(function=1)", "guess(function=2)"
RECORD = 2_000_000  # nodes; enough for every alpha-beta tree here


@dataclass(frozen=True)
class Cost:
    """Mean evaluations in the search of one tree, of the last iteration alone."""

    branching: int
    depth: int
    alpha_beta: float
    om: float  # mean of the two foreign types
    prom: float
    unpruned: float  # PrOM search without pruning

    @property
    def ratio(self) -> float:
        """Evaluations of PrOM search over those of one alpha-beta and two OM searches."""
        return self.prom / (self.alpha_beta + 2 * self.om)


def run(quick: bool) -> Iterator[Row]:
    """The table of the source's experiment, one row for each depth."""
    for cost in costs(depths=(2, 4) if quick else (2, 3, 4, 5, 6, 7), trees=10 if quick else 50):
        what = (
            f"depth {cost.depth}: alpha-beta {cost.alpha_beta:.0f}, OM {cost.om:.0f}, "
            f"PrOM with three types {cost.prom:.0f} evaluations"
        )
        yield Row(what, cost.ratio, f"{cost.ratio:.2f} x", "of one alpha-beta and two OM")


def costs(branching: int = 4, depths: tuple[int, ...] = (2, 3, 4, 5, 6, 7), trees: int = 50) -> list[Cost]:
    """The costs by depth, each over the same random trees."""
    game = RandomTree(seats=2, branching=branching, height=max(depths) + 1, kind="constant_sum", values=100)
    found = []
    for depth in depths:
        states = [game.new(seed) for seed in range(trees)]
        foreign = [mean(asked(Om(type=each, depth=depth), game, state) for state in states) for each in (FIRST, SECOND)]
        types = ("own", FIRST, SECOND)
        found.append(
            Cost(
                branching,
                depth,
                mean(leaves(AlphaBeta(depth=depth, order="given"), game, state) for state in states),
                mean(foreign),
                mean(asked(Prom(types=types, depth=depth), game, state) for state in states),
                3 * branching**depth,
            )
        )
    return found


def asked(agent, game, state) -> int:
    """Evaluations at the full depth: those of all iterations less those of all but the last."""
    settings = {name: value for name, value in vars(agent).items() if name != "depth"}
    shallower = type(agent)(**settings, depth=agent.depth - 1).decide(game, state).notes["evaluations"]
    return agent.decide(game, state).notes["evaluations"] - shallower


def leaves(agent, game, state) -> int:
    """Leaves of the tree that alpha-beta searched, each one evaluation."""
    tree = agent.decide(game, state, ask=Ask(record=RECORD)).tree
    assert tree.complete
    return len(tree) - len(set(tree.nodes["parent"][1:].tolist()))


if __name__ == "__main__":
    print("branching depth alpha-beta         om       prom   unpruned  prom / (alpha-beta + 2 om)")
    for size in (3, 4, 6):
        for each in costs(size, depths=(2, 3, 4, 5, 6, 7) if size < 6 else (2, 3, 4, 5, 6)):
            counts = " ".join(f"{count:10.0f}" for count in (each.alpha_beta, each.om, each.prom, each.unpruned))
            print(f"{size:9} {each.depth:5} {counts} {each.ratio:27.2f}")
