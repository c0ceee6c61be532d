"""Hearts against OpenSpiel's IS-MCTS bot: our agent on two seats, its bot on the other two, equal time for a move.

Both sides play the same deal, kept in step card by card. OpenSpiel's game has neither passing nor breaking nor a rule
for the first trick here, as ours; shooting the moon, which it always counts, is taken out of the result: the points
are those of our game. A deal is a block: it is played by every way to seat two of ours and two of theirs. OpenSpiel's
bot gets `max_wall_clock_time`, our agent is asked without a limit and must stay within that time on average.

    python -m bench.open_spiel_cards "pimc(maxn(depth=1, quiet=3, estimate=sketch), deals=40)" --seconds 0.05 --deals 20
"""

import itertools
import math
import time
from typing import Annotated, Any

import numpy as np
from cyclopts import App, Parameter

from bench.cards import THEIRS
from kingmaker import load_agent, load_game
from kingmaker.arena.table.table import Table
from kingmaker.core.game import OVER

SEATINGS = [seats for seats in itertools.product((0, 1), repeat=4) if sum(seats) == 2]  # 1: OpenSpiel's bot
THEIR_SUIT = (0, 1, 3, 2)  # clubs, diamonds, spades, hearts as OpenSpiel numbers them
TRIES = 9  # for a bot whose clock ran out before its first playout
EXPLORATION = 26.0  # of OpenSpiel's bot: the range of the points, as its UCT formula wants it
app = App(name="open_spiel_cards", help_format="plaintext", result_action="return_value")


@app.default
def main(
    agent: Annotated[str, Parameter(help="Our agent.")],
    /,
    *,
    seconds: Annotated[float, Parameter(help="The time of OpenSpiel's bot for a move.")] = 0.1,
    deals: Annotated[int, Parameter(help="How many deals, each in six seatings.")] = 10,
    exploration: Annotated[float, Parameter(help="The constant of its UCT formula.")] = EXPLORATION,
) -> int:
    """Print the points by which our agent is ahead, a hand and a seat, with an interval over deals."""
    ours = load_agent(agent)
    ours.prepare(load_game("hearts"))
    spent, ahead, wins = np.zeros((2, 2)), [], []
    for deal in range(deals):
        results = [hand(ours, seating, deal, seconds, exploration, spent) for seating in SEATINGS]
        ahead.append(float(np.mean([lead for lead, _ in results])))
        wins.append(float(np.mean([won for _, won in results])))
    (low, high), mean = mean_interval(ahead), float(np.mean(ahead))
    (fewest, most), share = mean_interval(wins), float(np.mean(wins))
    ms = 1000 * spent[:, 1] / spent[:, 0]
    print(
        f"{agent} to OpenSpiel's IS-MCTS: {mean:.2f} points ahead ({low:.2f} to {high:.2f}), "
        f"{100 * share:.1f} % of the wins ({100 * fewest:.1f} to {100 * most:.1f}); "
        f"{deals} deals in {len(SEATINGS)} seatings; {ms[0]:.0f} ms a move, theirs {ms[1]:.0f} ms"
    )
    return 0


def mean_interval(blocks: list[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of independent blocks, by Student's t."""
    from scipy.special import stdtrit

    half = float(stdtrit(len(blocks) - 1, 0.975)) * float(np.std(blocks, ddof=1)) / math.sqrt(len(blocks))
    return float(np.mean(blocks)) - half, float(np.mean(blocks)) + half


def theirs_of(card: int) -> int:
    """A card as OpenSpiel numbers it."""
    return 4 * (card % 13) + THEIR_SUIT[card // 13]


def hand(
    ours: Any, seating: tuple[int, ...], deal: int, seconds: float, exploration: float, spent: Any
) -> tuple[float, float]:
    """One hand: by how many points a seat of ours is ahead of theirs, and our share of the win."""
    import pyspiel

    game = load_game("hearts")
    table = Table(game, [ours] * 4, deal)
    theirs, back = dealt(game, table.state), {theirs_of(card): card for card in range(52)}
    evaluator = pyspiel.RandomRolloutEvaluator(1, deal)
    bots = [
        pyspiel.ISMCTSBot(
            4 * deal + seat, evaluator, exploration, 10**9, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False,
            True, seconds,
        )
        for seat in range(4)
    ]  # fmt: skip
    while (seat := table.mover) != OVER:
        began = time.perf_counter()
        if seating[seat]:
            move = back[step_of(bots[seat], theirs)]
        else:
            move = table.decide(seat).move
        if len(theirs.legal_actions()) > 1:
            spent[seating[seat]] += (1, time.perf_counter() - began)
        theirs.apply_action(theirs_of(move))
        table.take(((seat, move),))
    payoffs = np.array(game.payoffs(table.state))
    best, foreign = payoffs == payoffs.max(), np.array(seating, bool)
    return float(payoffs[~foreign].mean() - payoffs[foreign].mean()), float(best[~foreign].sum() / best.sum())


def step_of(bot: Any, state: Any) -> int:
    """The action of OpenSpiel's bot. It fails if the clock leaves it no playout at all; then it is asked again."""
    import pyspiel

    if len(state.legal_actions()) == 1:
        return int(state.legal_actions()[0])
    for _ in range(TRIES - 1):
        try:
            return int(bot.step(state))
        except pyspiel.SpielError:
            continue
    return int(bot.step(state))


def dealt(game: Any, state: Any) -> Any:
    """OpenSpiel's state of the same deal."""
    import pyspiel

    theirs = pyspiel.load_game(THEIRS).new_initial_state()
    theirs.apply_action(0)  # nothing is passed
    hands = [[card for card in range(52) if state.hands[seat, card // 13] >> card % 13 & 1] for seat in range(4)]
    for place, seat in itertools.product(range(13), range(4)):
        theirs.apply_action(theirs_of(hands[seat][place]))
    return theirs


if __name__ == "__main__":
    raise SystemExit(app())
