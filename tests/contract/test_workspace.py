"""Nothing is read in a search that it has not written: every search finds the same in a workspace full of garbage."""

import numpy as np
import pytest

from kingmaker import load_agent
from kingmaker.core.ask import Ask
from kingmaker.core.game import OVER, Facts, Game
from kingmaker.core.rng import stream
from kingmaker.search import ALGORITHMS
from kingmaker.search.parts.machinery.prepared import Prepared
from tests.samples import BIKES, DICE, DICE_DUEL, SAMPLERS, SUM, UNIFORM, positions, same

AT_REST = {  # what a search finds as it left it, or as its shell filled it: counters, tables, beliefs, the position
    "nodes", "limit", "stop", "fault", "most", "beyond", "root", "tried", "rng", "states", "history", "best", "table",
    "headings", "killers", "hints", "asked",
    "playouts", "visits", "sums", "keys", "rows_used", "tries", "rewards", "squares", "regrets", "strategies",
    "careful", "cuts", "evaluations", "below", "beliefs", "likeliest", "live", "target", "dropped", "found_dropped",
    "places",
}  # fmt: skip
GARBAGE = -858993460
AT_ONCE = {"decoupled_uct", "regret_matching"}
CASES = [
    (DICE_DUEL, "alpha_beta(depth=4, table=6, order=history)"),
    (DICE_DUEL, "minimax(depth=4)"),
    (DICE_DUEL, "pvs(depth=4, table=6, star=2)"),
    (DICE, "best_reply(depth=4)"),
    (BIKES, "best_reply(depth=5, estimate=room, forward_pruning=same_heading, order=history)"),
    (DICE, "best_reply_plus(depth=4, table=6)"),
    (UNIFORM, "greedy"),
    (DICE, "max_prob(depth=4)"),
    (DICE, "maxn(depth=4, ties=average)"),
    (SUM, "maxn(depth=5, prune='immediate+last_branch+speculative')"),
    (DICE, "ismcts(playouts=100, tree=8)"),
    (DICE, "pimc(maxn(depth=3), deals=2)"),
    (DICE, "mcts(playouts=100, tree=8, history=1)"),
    (BIKES, "mcts(playouts=30, tree=8, policy=best_reply, playout=greedy)"),
    (BIKES, "mp_mix(depth=3, td=2, to=2, estimate=room)"),
    (BIKES, "multi_minimax(depth=5, estimate=territory, order=shuffled)"),
    (DICE, "multi_minimax(depth=4)"),
    (UNIFORM, "offensive(depth=3)"),
    (DICE, "om(type='guess(function=1)', depth=3)"),
    (DICE, "paranoid(depth=4, table=6)"),
    (DICE, "prob_maxn(depth=4, models=[own, spite], odds=[0.75, 0.25])"),
    (DICE, "prom(types=['guess(function=1)', 'maxn:guess(function=2)'], odds=[0.5, 0.5], depth=3)"),
    (DICE, "soft_maxn(depth=4)"),
    (BIKES, "decoupled_uct(playouts=60)"),
    (BIKES, "regret_matching(playouts=60, tree=5)"),
]


def poisoned(fresh):
    def made():
        work = fresh()
        names = (
            work.memory.dtype.names
            if hasattr(work, "memory")
            else [name for name in vars(work) if name not in ("record",)]
        )
        for name in set(names) - AT_REST:
            field = getattr(work, name)
            if isinstance(field, np.ndarray) and field.dtype.names:
                for part in field.dtype.names:
                    kind = field.dtype[part].base
                    field[part] = np.nan if kind.kind == "f" else GARBAGE % (100 if kind.itemsize == 1 else 2**15)
            elif isinstance(field, np.ndarray):
                field[...] = (
                    np.nan
                    if field.dtype.kind == "f"
                    else GARBAGE % 100
                    if field.dtype.itemsize == 1
                    else GARBAGE % 2**15
                )
            elif hasattr(field, "word"):
                field.word = 1
            else:
                setattr(work, name, GARBAGE % 2**15)
        return work

    return made


@pytest.mark.parametrize(("game", "text"), CASES, ids=[f"{game.name}-{text}" for game, text in CASES])
def test_a_search_reads_nothing_that_it_has_not_written(game, text, monkeypatch):
    agent = load_agent(text)
    clean = [
        agent.decide(game, state, stream(3), ask=Ask(record=500, compiled=False))
        for state in positions(game, 3, seed=4)
    ]
    made = Prepared.workspace

    def workspace(self, state, rng):
        with monkeypatch.context() as patch:
            patch.setattr(self, "fresh", poisoned(self.fresh))
            return made(self, state, rng)

    monkeypatch.setattr(Prepared, "workspace", workspace)
    for state, expected in zip(positions(game, 3, seed=4), clean, strict=True):
        found = agent.decide(game, state, stream(3), ask=Ask(record=500, compiled=False))
        assert same(found, expected)
        assert found.notes == expected.notes
        if agent.name in {"pimc"} | AT_ONCE:  # which record no tree
            continue
        assert [found.tree.nodes[field].tolist() for field in ("parent", "by", "seat", "cut", "values")] == [
            expected.tree.nodes[field].tolist() for field in ("parent", "by", "seat", "cut", "values")
        ]


@pytest.mark.parametrize("text", ["best_reply(depth=3)", "multi_minimax(depth=4)"])
def test_neither_does_machine_code(text, monkeypatch):
    agent, states = load_agent(text), positions(UNIFORM, 3, seed=11)
    clean = [agent.decide(UNIFORM, state, ask=Ask(compiled=True)) for state in states]
    made = Prepared.workspace

    def workspace(self, state, rng):
        with monkeypatch.context() as patch:
            patch.setattr(self, "fresh", poisoned(self.fresh))
            return made(self, state, rng)

    monkeypatch.setattr(Prepared, "workspace", workspace)
    assert all(
        same(agent.decide(UNIFORM, state, ask=Ask(compiled=True)), expected)
        for state, expected in zip(states, clean, strict=True)
    )


def test_every_search_is_tried():
    assert {text.partition("(")[0] for _, text in CASES} == set(ALGORITHMS) - {
        "random",
        "weak_rational",
        "backward_induction",
    }


class Winner(Game):
    """`payoff` writes the winner's entry and leaves the others unset."""

    State = np.dtype([("ply", np.int16), ("winner", np.int16)], align=True)
    seats, max_moves = 3, 3
    facts = Facts(low=0.0, high=1.0, out_of_turn=True)

    def start(self, state, rng):
        return

    def mover(self, state):
        return OVER if state.ply == 3 else state.ply

    def moves(self, state, seat, out):
        out[0], out[1], out[2] = 0, 1, 2
        return 3

    def play(self, state, seat, move):
        state.winner = (state.winner + move) % 3
        state.ply += 1

    def payoff(self, state, out):
        out[state.winner] = 1.0


@pytest.mark.parametrize(
    "text", sorted({text.partition("(")[0] for _, text in CASES} - {"alpha_beta", "minimax", "pimc", "pvs", *AT_ONCE})
)
def test_an_entry_that_a_game_leaves_unset_is_zero(text):
    game = Winner()
    if text in SAMPLERS:  # whose every vector is a mean of payoffs
        found = load_agent(f"{text}(playouts=9, tree=8, reward=share)").decide(
            game, game.new(), ask=Ask(compiled=False)
        )
        assert all(sum(entry.values) == pytest.approx(1.0) for entry in found.moves)
        return
    decision = load_agent("greedy" if text == "greedy" else f"{text}(depth=3)").decide(
        game, game.new(), ask=Ask(record=1000, compiled=False)
    )
    leaves = decision.tree.nodes[decision.tree.nodes["seat"] == OVER]
    assert text == "greedy" or len(leaves) > 3
    assert all(sorted(row["values"]) == [0.0, 0.0, 1.0] for row in leaves)
