"""Two agents at a card table of four, each on two seats opposite to each other, with intervals over deals.

A deal is a block: it is played twice, with the seats changed. Points tell more than wins where a win is mostly luck.

    python -m bench.duel hearts "pimc(maxn(depth=1, quiet=3, estimate=sketch), deals=20, by=mean)" weak_rational
"""

from typing import Annotated, Any

import numpy as np
from cyclopts import App, Parameter

from bench.open_spiel_cards import mean_interval
from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.stats.places import best_seats

SEATINGS = ((0, 1, 0, 1), (1, 0, 1, 0))
app = App(name="duel", help_format="plaintext", result_action="return_value")


@app.default
def main(
    game: Annotated[str, Parameter(help="A game for four seats.")],
    first: Annotated[str, Parameter(help="An agent.")],
    second: Annotated[str, Parameter(help="Another agent.")],
    /,
    *,
    deals: Annotated[int, Parameter(help="How many deals, each in two seatings.")] = 80,
    seed: Annotated[int, Parameter(help="The number of the first deal.")] = 1000,
) -> int:
    """Print by how many points a seat and hand the first agent is ahead, and its share of the wins."""
    rules, agents = load_game(game), [load_agent(first), load_agent(second)]
    for agent in agents:
        agent.prepare(rules)
    spent = np.zeros((2, 2))
    blocks = [block(rules, agents, deal, spent) for deal in range(seed, seed + deals)]
    (ahead, wins), ms = np.array(blocks).T, 1000 * spent[:, 1] / spent[:, 0]
    (low, high), (fewest, most) = mean_interval(ahead.tolist()), mean_interval(wins.tolist())
    print(
        f"{game}: {first} to {second}: {ahead.mean():.2f} points ahead ({low:.2f} to {high:.2f}), "
        f"{100 * wins.mean():.1f} % of the wins ({100 * fewest:.1f} to {100 * most:.1f}); "
        f"{deals} deals in two seatings; {ms[0]:.1f} ms a move, the other {ms[1]:.1f} ms"
    )
    return 0


def block(game: Any, agents: list[Any], deal: int, spent: Any) -> tuple[float, float]:
    """By how many points a seat of the first agent is ahead in one deal, and its share of the wins."""
    ahead = wins = 0.0
    for seating in SEATINGS:
        match = play_match(game, [agents[each] for each in seating], deal)
        payoffs, ours = np.array(match.payoffs), np.array(seating) == 0
        ahead += (payoffs[ours].mean() - payoffs[~ours].mean()) / 2
        best = list(best_seats(match.payoffs))
        wins += ours[best].mean() / 2
        for each, effort in zip(seating, match.efforts):
            spent[each] += (effort.moves, effort.seconds)
    return float(ahead), float(wins)


if __name__ == "__main__":
    raise SystemExit(app())
