"""Searches by playouts in games whose seats move at once: the settings and the memory that they share."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.game import Game
from kingmaker.core.kernel import Constant
from kingmaker.core.rng import unit
from kingmaker.core.workspace import Field
from kingmaker.search.parts.machinery.driving import Run
from kingmaker.search.parts.machinery.joint_tree import LEVELS, ROOT_KEY, JointSwitches, row_of, sample_jointly
from kingmaker.search.parts.machinery.needs import moving_at_once
from kingmaker.search.parts.machinery.prepared import Prepared
from kingmaker.search.parts.machinery.sampling import Sampler
from kingmaker.search.parts.switches.mixing import drawn


@dataclass(frozen=True, kw_only=True)
class JointSampler(Sampler):
    """A search by playouts in a game whose seats move at once."""

    tree: int = 14  # the tree has 2**tree rows

    kernel = sample_jointly
    most = {"tree": 20}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 4 <= self.tree <= self.most["tree"]:
            raise BadParameter(f"expected a tree of 2**4 to 2**20 rows, got tree={self.tree} in {self}")

    def check(self, game: Game) -> None:
        moving_at_once(self, game)
        if not (game.facts.low > -np.inf and game.facts.high < np.inf):
            raise Mismatch(
                f"{self.name} weighs payoffs by their range, which the facts of {game} do not state; "
                "give them low and high or use maxn"
            )

    def policy(self) -> Constant:
        """How a seat chooses at a node and what it learns there."""
        raise NotImplementedError

    def switches(self, game: Game, estimate: Any, record: int) -> Constant:
        return JointSwitches(self.policy(), 2**self.tree, float(game.facts.low), float(game.facts.high))

    def room(self, game: Game, switches: Any) -> tuple[list[Field], int, int]:
        fields, plies, width = super().room(game, switches)
        tree: list[Field] = [
            ("keys", np.uint64, (switches.size,)),  # which position each row is about; 0: the row is free
            ("rows_used", np.int64, ()),
            ("trail", np.int64, (LEVELS,)),  # the rows on the way of a playout
            ("picks", np.int32, (LEVELS, game.seats)),  # which of its moves each seat chose there; -1: none
            ("widths", np.int32, (LEVELS, game.seats)),  # among how many
            ("joint", np.int32, (game.seats,)),
            ("chance", np.float64, ()),  # by which a mixed strategy is played
        ]
        return [*fields, *tree, *switches.policy.fields(game, switches.size)], plies, width

    def run(self, ready: Prepared, work: Any) -> Run:
        with np.errstate(over="ignore"):
            work.chance = unit(work.rng)
        return super().run(ready, work)

    def strategy(self, work: Any) -> np.ndarray:
        """[root move]: how often each is to be played."""
        raise NotImplementedError

    def best(self, work: Any) -> int:
        return drawn(self.strategy(work), float(work.chance))

    def notes(self, game: Game, work: Any, found: Any) -> dict[str, Any]:
        state, seat, moves = work.states[0], int(work.root), work.moves[0, : int(work.count)].tolist()
        names = [game.say(state, seat, move) for move in moves]
        return {
            "strategy": dict(zip(names, self.strategy(work).tolist(), strict=True)),
            "rows": int(work.rows_used),
        }


def root_row(work: Any, table: Any) -> np.ndarray:
    """[move]: what a table of the tree says of the root seat's moves at the root."""
    size = len(work.keys)
    with np.errstate(over="ignore"):
        row = int(row_of(work, size, ROOT_KEY))
    found: np.ndarray = np.asarray(table[row, int(work.root), : int(work.count)], np.float64)
    return found
