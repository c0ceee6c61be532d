"""The leak test at full scale: no agent decides by what its seat cannot know.

At every position of random hands one agent decides twice with the same luck: at the true state, and at another one that
its seat cannot tell apart from it. Move, values, nodes and line must be the same. The agents take turns: those below,
and every algorithm that plays the game, with a small budget. Deals with other numbers are other deals.

    python -m bench.leaks --positions 100000 --seed 0
"""

import itertools
import time
from collections.abc import Iterator
from typing import Annotated, Any

from cyclopts import App, Parameter

from bench.cards import on_the_way
from kingmaker import load_agent, load_game
from kingmaker.arena.table.referee import referee_of
from kingmaker.core.errors import Mismatch
from kingmaker.core.rng import stream
from kingmaker.core.secrets import world_of
from kingmaker.probe import fairness

GAMES = ("hearts", "spades", "go_fish")
AGENTS = (
    "random",
    "weak_rational",
    "greedy(one_world=True)",
    "maxn(depth=1, one_world=True)",
    "paranoid(depth=2, one_world=True)",
    "offensive(depth=1, one_world=True)",
    "mp_mix(td=5, to=5, depth=1, one_world=True)",
    "max_prob(depth=1, one_world=True)",
    "mcts(playouts=8, tree=8, one_world=True)",
    "pimc(maxn(depth=1), deals=3)",
    "pimc(paranoid(depth=1), deals=3, by=mean)",
    "ismcts(playouts=8, tree=10)",
    "ismcts(playouts=8, tree=10, observer=single)",
)
TOLD = 5000  # positions between two lines about what was found so far
app = App(name="leaks", help_format="plaintext", result_action="return_value")


@app.default
def main(
    *,
    positions: Annotated[int, Parameter(help="How many positions in all.")] = 100_000,
    seed: Annotated[int, Parameter(help="The number of the first deal.")] = 0,
    games: list[str] | None = None,
) -> int:
    """Count the positions at which an agent told apart what its seat cannot; the exit code is 1 if there is any."""
    texts = games or list(GAMES)
    leaks, started = 0, time.perf_counter()
    for text in texts:
        game = load_game(text)
        agents = every_player(game)
        print(f"{text}: {len(agents)} agents: {', '.join(map(str, agents))}", flush=True)
        found, asked, different = leaks_of(game, agents, -(-positions // len(texts)), seed)
        leaks += found
        print(
            f"{text}: {asked} positions, {different} of them with another world, {found} leaks, "
            f"{time.perf_counter() - started:.0f} s",
            flush=True,
        )
    return 1 if leaks else 0


def players(game: Any, texts: Any) -> Iterator[Any]:
    """The agents that may play a game."""
    for text in texts:
        agent = load_agent(text)
        try:
            agent.fit(game)
        except Mismatch:
            continue
        yield agent


def every_player(game: Any) -> list[Any]:
    """The agents above that may play a game, and every other algorithm that may, with a small budget."""
    named = list(players(game, AGENTS))
    names = {agent.name for agent in named}
    return [*named, *(agent for agent in fairness.players(game) if agent.name not in names)]


def leaks_of(game: Any, players: Any, count: int, seed: int = 0) -> tuple[int, int, int]:
    """How many decisions differed, at how many positions, and how often the second world was another state."""
    agents, referee = itertools.cycle(players), referee_of(game)
    referee.hasten()  # agents are dealt their worlds by machine code then; interpreted it takes 0.1 s at Go Fish
    found = asked = different = 0
    for number, state in enumerate(on_the_way(game, seed)):
        seat = game.mover(state)
        if seat < 0:
            continue
        other = world_of(game, state, seat, stream(number, "other"), referee.redealt)
        agent = next(agents)
        one, two = (said(agent.decide(game, each, stream(number, "luck"))) for each in (state, other))
        found, asked, different = found + (one != two), asked + 1, different + (other.tobytes() != state.tobytes())
        if one != two:
            print(f"{agent} tells {game.notation(state)} from {game.notation(other)}")
        if asked % TOLD == 0:
            print(f"{game}: {found} leaks at {asked} positions so far", flush=True)
        if asked >= count:
            break
    return found, asked, different


def said(decision: Any) -> tuple[Any, ...]:
    return (decision.move, decision.values, decision.moves, decision.nodes, decision.line)


if __name__ == "__main__":
    raise SystemExit(app())
