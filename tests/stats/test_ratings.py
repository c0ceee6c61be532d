"""Plackett-Luce against closed forms and known truth, and bounds where there is no finite rating."""

import math

import numpy as np
import pytest

from kingmaker.stats.blocks import interval
from kingmaker.stats.ratings import plackett_luce


def played(rng, strengths, seat_effect, matches):
    """Random seatings of all agents and the payoffs 1 for the first, drawn from the model itself."""
    count, seats = len(strengths), len(seat_effect)
    seatings = np.array([rng.permutation(count)[:seats] for _ in range(matches)])
    noise = rng.gumbel(size=seatings.shape)
    return seatings, np.asarray(strengths)[seatings] + np.asarray(seat_effect) + noise


def test_two_agents_are_bradley_terry():
    ratings = plackett_luce(
        [[0, 1], [1, 0], [0, 1], [1, 0]], [[1, 0], [0, 1], [0, 1], [1, 0]], agents=2, counts=[150, 150, 50, 50]
    )
    assert ratings.agents[0] - ratings.agents[1] == pytest.approx(math.log(3), abs=1e-3)
    error = math.sqrt(ratings.covariance[0, 0] + ratings.covariance[1, 1] - 2 * ratings.covariance[0, 1])
    assert error == pytest.approx(math.sqrt(1 / 300 + 1 / 100), rel=1e-2)
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(400 * math.log10(3), abs=0.2)


@pytest.mark.parametrize("orders", [False, True])
def test_strengths_and_seat_effect_of_a_known_truth_are_found_within_their_errors(orders):
    truth, seat = np.array([0.6, 0.2, 0.0, -0.8]), np.array([0.4, 0.0, -0.4])
    inside = []
    for seed in range(40):
        ratings = plackett_luce(*played(np.random.default_rng(seed), truth, seat, 600), agents=4, orders=orders)
        inside += list(np.abs(ratings.agents - truth) < 1.96 * ratings.agent_errors)
        inside += list(np.abs(ratings.seats - seat) < 1.96 * ratings.seat_errors)
    assert 0.91 <= np.mean(inside) <= 0.98


def test_whole_orders_tell_more_than_first_places():
    data = played(np.random.default_rng(3), [0.5, 0.0, -0.5], [0.0, 0.0, 0.0], 400)
    assert (
        plackett_luce(*data, agents=3, orders=True).agent_errors < plackett_luce(*data, agents=3).agent_errors
    ).all()


def test_a_good_seat_is_not_taken_for_a_good_agent():
    seatings, payoffs = played(np.random.default_rng(4), [0.0, 0.0], [1.0, -1.0], 2000)
    seatings = np.sort(seatings, axis=1)  # agent 0 always sits on the good seat ...
    seatings[:100] = seatings[:100, ::-1]  # ... but for a hundred matches
    ratings = plackett_luce(seatings, payoffs, agents=2)
    assert abs(ratings.agents[0]) < 3 * ratings.agent_errors[0]
    assert ratings.seats[0] > 0.7


def test_errors_over_blocks_are_larger_where_games_of_a_block_repeat_each_other():
    seatings, payoffs = played(np.random.default_rng(5), [0.3, 0.0, -0.3], [0.0, 0.0, 0.0], 300)
    seatings, payoffs, blocks = (
        np.repeat(seatings, 4, axis=0),
        np.repeat(payoffs, 4, axis=0),
        np.repeat(np.arange(300), 4),
    )
    plain, robust = (
        plackett_luce(seatings, payoffs, agents=3),
        plackett_luce(seatings, payoffs, agents=3, blocks=blocks),
    )
    assert robust.agent_errors == pytest.approx(2 * plain.agent_errors, rel=0.15)
    assert robust.agents == pytest.approx(plain.agents)


def test_shared_first_places_pull_the_sharers_together():
    ratings = plackett_luce([[0, 1, 2]] * 30 + [[1, 0, 2]] * 30, [[1, 1, 0]] * 60, agents=3)
    assert ratings.agents[0] == pytest.approx(ratings.agents[1], abs=1e-6)
    assert ratings.agents[2] < ratings.agents[0]


def test_an_agent_that_never_lost_or_never_won_gets_a_bound():
    ratings = plackett_luce([[0, 1], [1, 0]] * 10, [[1, 0], [0, 1]] * 10, agents=2)
    assert sorted(ratings.agent_bounds) in (["", "<"], ["", ">"])
    data = played(np.random.default_rng(1), [0.4, 0.0, -0.4], [0.0, 0.0, 0.0], 300)
    seatings = np.vstack([data[0], np.full((1, 3), 3)])[:-1]
    seatings = np.where(
        (seatings == 2) & (np.arange(300) % 2 == 0)[:, None], 3, seatings
    )  # every other time agent 3 sits there ...
    payoffs = np.where(seatings == 3, -99.0, data[1])  # ... and never wins
    ratings = plackett_luce(seatings, payoffs, agents=4)
    assert ratings.agent_bounds == ["", "", "", "<"]
    assert ratings.agents[3] < ratings.agents[:3].min()
    assert math.isnan(ratings.agent_errors[3])
    assert np.isfinite(ratings.agent_errors[:3]).all()
    assert sum(ratings.agents[:3]) == pytest.approx(0)
    upside = plackett_luce(seatings, np.where(seatings == 3, 99.0, data[1]), agents=4)
    assert upside.agent_bounds == ["", "", "", ">"]
    assert upside.agents[3] > upside.agents[:3].max()


def test_a_bound_says_how_few_wins_would_be_no_surprise():
    seatings = [[0, 1], [1, 0]] * 10 + [[0, 2], [2, 0]] * 10  # 2 loses all its 20 games against 0, which draws with 1
    payoffs = [[1, 0], [1, 0], [0, 1], [0, 1]] * 5 + [[1, 0], [0, 1]] * 10
    ratings = plackett_luce(seatings, payoffs, agents=3)
    assert ratings.agent_bounds == ["", "", "<"]
    chance = interval(np.zeros(20))[1]
    assert ratings.agents[2] - ratings.agents[0] == pytest.approx(math.log(chance / (1 - chance)), abs=0.01)


def test_a_group_that_never_lost_to_the_rest_is_bounded_as_a_group():
    inside = [([a, b], [float(a_wins), float(not a_wins)]) for a, b in ((0, 1), (2, 3), (3, 4)) for a_wins in (0, 1, 1)]
    across = [([a, b], [1.0, 0.0]) for a in (0, 1) for b in (2, 3, 4)]
    seatings, payoffs = zip(*(inside + across) * 4, strict=True)
    ratings = plackett_luce(seatings, payoffs, agents=6)
    assert ratings.agent_bounds == [">", ">", "", "", "", "?"]  # the last never played
    assert math.isnan(ratings.agents[5])
    assert ratings.agents[2] - ratings.agents[3] == pytest.approx(
        math.log(2), abs=0.01
    )  # as if the others were not there


def test_without_changing_seats_there_is_no_seat_effect():
    rng = np.random.default_rng(3)
    payoffs = rng.gumbel(size=(400, 3)) + np.array([0.5, 0.0, -0.5])
    ratings = plackett_luce(np.tile([0, 1, 2], (400, 1)), payoffs, agents=3, blocks=np.arange(400))
    assert len(ratings.seats) == 0
    assert ratings.agents == pytest.approx([0.5, 0.0, -0.5], abs=0.25)
    assert (ratings.agent_errors > 0.05).all()


def test_blocks_that_are_all_alike_give_no_error_of_zero():
    seatings, payoffs = [[0, 1], [1, 0], [0, 1], [1, 0]] * 5, [[1, 0], [1, 0], [1, 0], [0, 1]] * 5
    ratings = plackett_luce(seatings, payoffs, agents=2, blocks=np.repeat(np.arange(5), 4))
    assert ratings.agent_errors[0] > 0.3
    assert np.isnan(plackett_luce(seatings, payoffs, agents=2, blocks=np.zeros(20)).agent_errors).all()


def test_large_tables_with_many_agents_are_rated():
    seatings, payoffs = played(np.random.default_rng(6), np.linspace(1, -1, 20), np.zeros(12), 500)
    ratings = plackett_luce(seatings, payoffs, agents=20)
    assert np.corrcoef(ratings.agents, np.linspace(1, -1, 20))[0, 1] > 0.8
