"""How long a first move takes with three seats at depth 4, as in the source, on one core with default settings."""

from collections.abc import Iterator

from bench.row import Row, at_most
from kingmaker import load_game
from kingmaker.core.agent import Agent
from kingmaker.core.game import Game
from kingmaker.search import ALGORITHMS

GAMES = ("abalone(seats=3)", "chinese_checkers")
SEARCHES = ("maxn", "paranoid", "best_reply", "max_prob")
DEPTH, MOST = 4, 1.0  # plies, seconds


def run(quick: bool) -> Iterator[Row]:
    for text in GAMES:
        game = load_game(text)
        for name in SEARCHES:
            yield row(game, ALGORITHMS[name](depth=DEPTH), 3 if quick else 9)  # type: ignore[call-arg]


def row(game: Game, agent: Agent, rounds: int) -> Row:
    """The fastest of several decisions, after a first one in which everything is compiled."""
    state = game.new()
    agent.prepare(game)
    best = min((agent.decide(game, state) for _ in range(rounds)), key=lambda decision: decision.seconds)
    nodes = f"{best.nodes:,}".replace(",", " ")
    return at_most(f"{game}, {agent}: a move, {nodes} nodes", best.seconds, f"{best.seconds:.4f} s", MOST, " s")
