"""Chance and secrets: the dice fall as listed, every deal is as likely as any other, no agent knows more than its seat.

The first two are statistical tests. Each says that a game is at fault only if a fair game would look like this once in
a million times, so a sound game is not blamed by accident; small deviations go unnoticed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import KingmakerError
from kingmaker.core.game import CHANCE, Game
from kingmaker.core.rng import stream
from kingmaker.core.secrets import world_of
from kingmaker.search import ALGORITHMS
from kingmaker.search.maxn import Maxn
from kingmaker.soundness.fault import fault, frozen

RARE = 1e-6  # a game whose figures are less likely than this is called wrong
ROLLS = 2000  # at each chance node
NODES = 8  # chance nodes, or positions with secrets, that are looked at
DEALS = 400  # worlds for each seat at a position
FEW = 20  # with more different worlds than this, so few deals say nothing about each


def chance_of(counts: list[int], expected: list[float]) -> float:
    """The probability of counts at least as far from what is expected, by a chi-square test."""
    from scipy.stats import chisquare

    total = sum(expected)
    return float(chisquare(counts, [sum(counts) * each / total for each in expected]).pvalue)


def rolls_as_listed(game: Game, sample: Iterable[Any]) -> None:
    """Check that `roll` draws every listed outcome as often as its probability says."""
    listed = [state for state in sample if game.mover(state) == CHANCE and game.can_list(state)]
    for number, state in enumerate(listed[:NODES]):
        odds = {int(outcome): float(chance) for outcome, chance in game.chances(state)}
        rng = stream(number, "fair rolls")
        drawn = Counter(int(game.roll(state, rng)) for _ in range(ROLLS))
        never = [outcome for outcome in drawn if odds.get(outcome, 0.0) <= 0.0]
        if never:
            raise fault(game, state, "roll", f"expected no outcome without probability, got {never[0]}")
        likely = [outcome for outcome in odds if odds[outcome] > 0.0]
        counts = [drawn[outcome] for outcome in likely]
        if len(likely) > 1 and chance_of(counts, [odds[outcome] for outcome in likely]) < RARE / NODES:
            wanted = {outcome: round(ROLLS * odds[outcome]) for outcome in likely}
            raise fault(
                game,
                state,
                "roll",
                f"expected about {shortened(wanted)} in {ROLLS} rolls, got {shortened(dict(drawn))}; "
                "draw by the probabilities that outcomes lists, or leave roll out",
            )


def shortened(counts: dict[int, int]) -> str:
    """The first few counts, by outcome."""
    shown = ", ".join(f"{outcome}: {counts[outcome]}" for outcome in sorted(counts)[:6])
    return f"{{{shown}{', …' if len(counts) > 6 else ''}}}"


def deals_evenly(game: Game, sample: Iterable[Any]) -> None:
    """Check that every world that fits what a seat has seen is dealt as often as any other, the truth among them. Only
    positions with at most FEW worlds can tell.
    """
    for state in decisions(game, sample):
        for seat in range(game.seats):
            dealt: Counter[Any] = Counter()
            for luck in range(DEALS):
                dealt[frozen(world_of(game, state, seat, stream(luck, "fair deals")))] += 1
                if len(dealt) > FEW:
                    break
            if len(dealt) > FEW:
                continue
            if frozen(state) not in dealt:
                raise fault(
                    game, state, "redeal",
                    f"expected the true position to be one of the worlds of seat {seat}, but {DEALS} deals gave "
                    f"{len(dealt)} others; rule out nothing that fits what the seat has seen",
                )  # fmt: skip
            if len(dealt) > 1 and chance_of(list(dealt.values()), [1.0] * len(dealt)) < RARE / NODES:
                raise fault(
                    game, state, "redeal",
                    f"expected each of the {len(dealt)} worlds of seat {seat} about {DEALS / len(dealt):.0f} times in "
                    f"{DEALS} deals, got {sorted(dealt.values())}; gather what is hidden, shuffle it, deal it",
                )  # fmt: skip


def nobody_peeks(game: Game, sample: Iterable[Any]) -> None:
    """Check that every agent that plays the game decides the same, with the same luck, from positions that look the
    same to its seat.
    """
    agents = list(players(game))
    for number, state in enumerate(decisions(game, sample)):
        seat = int(game.mover(state))
        other = world_of(game, state, seat, stream(number, "elsewhere"))
        for agent in agents:
            one, two = (agent.decide(game, each, stream(number), Ask(compiled=False)) for each in (state, other))
            if (one.move, one.values, one.moves) != (two.move, two.values, two.moves):
                raise fault(
                    game, state, "redeal",
                    f"expected {agent} to decide the same in {game.notation(other)}, which looks the same to seat "
                    f"{seat}, got {one.move} worth {one.values} and {two.move} worth {two.values}",
                )  # fmt: skip


def decisions(game: Game, sample: Iterable[Any]) -> list[Any]:
    """The first few positions in which a seat is to move, spread over the sample."""
    found = [state for state in sample if game.mover(state) >= 0]
    return found[:: max(1, len(found) // NODES)][:NODES]


SMALL = {"playouts": 12, "tree": 10, "deals": 2, "one_world": True}


def players(game: Game) -> Iterator[Agent]:
    """Every agent that plays the game, with a small budget and the leave to take a world for the truth."""
    for name, maker in ALGORITHMS.items():
        known = {field.name for field in fields(maker)}
        settings: dict[str, Any] = {setting: value for setting, value in SMALL.items() if setting in known}
        if "depth" in known:
            settings["depth"] = 1
        if name == "pimc":
            settings["agent"] = Maxn(depth=1)
        try:
            agent = maker(**settings)
            agent.fit(game)
        except KingmakerError:
            continue
        yield agent
