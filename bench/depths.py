"""How deep the eight agents of the Multi-Minimax paper search with 300 ms per move, compared with the depths in the
paper.

Each agent plays three-seat Light Bike against two random agents, match after match from the game's default starts,
until it has made a fixed number of moves; the last match may be cut short. The depth of a move is that of its last
finished iteration. Ours is machine code on this machine; the paper's was Python on a Xeon of 2.0 GHz in 2020. Machine
code searches many positions to the end of the game, above all with forward pruning, and then deepens to its limit
without new nodes; the mean without such moves is given too.

    N. Perez, B. J. Oommen. Multi-Minimax: A New AI Paradigm for Simultaneously-Played Multi-Player Games. 2019.
"""

from collections.abc import Iterator

from bench.row import Row
from kingmaker.arena.table.match import play_match
from kingmaker.core.agent import Agent
from kingmaker.core.decision import Decision
from kingmaker.games.light_bike import LightBike
from kingmaker.search import ALGORITHMS

SECONDS = 0.3  # per move
MOVES, QUICK = 25, 6  # made by each agent
SOURCE = {  # for each search: its settings, the paper's mean depth, and the same with Added Pruning
    "maxn": ({"ties": "least_others"}, 6.86, 14.80),
    "paranoid": ({}, 9.51, 18.39),
    "best_reply": ({}, 8.29, 13.47),
    "multi_minimax": ({}, 9.43, 19.29),
}


def run(quick: bool) -> Iterator[Row]:
    for name, (settings, *theirs) in SOURCE.items():
        for forward_pruning, depth in zip(("none", "same_heading"), theirs, strict=True):
            agent = ALGORITHMS[name](
                seconds=SECONDS, order="shuffled", estimate="survival", forward_pruning=forward_pruning, **settings
            )  # type: ignore[call-arg]
            yield row(
                f"{name}, {forward_pruning}" if forward_pruning != "none" else name,
                decisions(agent, QUICK if quick else MOVES),
                depth,
            )


def row(agent: str, made: list[Decision], theirs: float) -> Row:
    """The mean depth of all moves, and of the moves whose search the clock ended."""
    timed = [decision.depth for decision in made if decision.stopped == "seconds"]
    seen = f", {len(made) - len(timed)} seen to the end" if len(timed) < len(made) else ""
    rest = f", the others {sum(timed) / len(timed):.2f}" if seen and timed else ""
    mean = sum(decision.depth for decision in made) / len(made)
    return Row(
        f"{agent}: mean depth of {len(made)} moves{seen}{rest}", mean, f"{mean:.2f}", f"{theirs:.2f} in the source"
    )


def decisions(agent: Agent, moves: int) -> list[Decision]:
    """The decisions of an agent against random agents, on each seat in turn."""
    game, random = LightBike(seats=3), ALGORITHMS["random"]()  # type: ignore[no-untyped-call]
    made: list[Decision] = []
    seed = 0
    while len(made) < moves:
        seat, agents = seed % game.seats, [random] * game.seats
        agents[seat] = agent

        def watch(_state: object, _turn: object, decided: dict[int, Decision], seat: int = seat) -> None:
            if seat in decided:
                made.append(decided[seat])

        play_match(game, agents, seed, limit=moves - len(made), watch=watch)
        seed += 1
    return made
