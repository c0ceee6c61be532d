"""The duel of two agents: what is counted for the first agent."""

import numpy as np

from bench import duel
from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match


def test_a_block_counts_points_and_wins_of_the_first_agent_in_both_seatings():
    game, spent = load_game("hearts(ranks=4)"), np.zeros((2, 2))
    agents = [load_agent("weak_rational"), load_agent("random")]
    ahead, wins = duel.block(game, agents, 7, spent)
    one = play_match(game, [agents[0], agents[1], agents[0], agents[1]], 7).payoffs
    two = play_match(game, [agents[1], agents[0], agents[1], agents[0]], 7).payoffs
    assert ahead == (one[0] + one[2] + two[1] + two[3] - one[1] - one[3] - two[0] - two[2]) / 4
    shares = [
        sum(paid[seat] == max(paid) for seat in seats) / paid.count(max(paid))
        for paid, seats in ((one, (0, 2)), (two, (1, 3)))
    ]
    assert wins == sum(shares) / 2
    assert spent[:, 0].tolist() == [16, 16]


def test_two_of_the_same_who_draw_no_numbers_are_equal():
    game, agent = load_game("hearts(open=True, ranks=4)"), load_agent("maxn(depth=1)")
    game.__dict__["_interpreted"] = True
    assert duel.block(game, [agent, agent], 3, np.zeros((2, 2))) == (0.0, 0.5)
