"""Plackett-Luce against closed forms and known truth; the online ratings against their published figures."""

import math

import numpy as np
import pytest

from kingmaker.stats.ratings import plackett_luce
from kingmaker.stats.skill import Skill, trueskill, weng_lin


def played(rng, strengths, seat_effect, matches):
    """Random seatings of all agents and the payoffs 1 for the first, drawn from the model itself."""
    count, seats = len(strengths), len(seat_effect)
    seatings = np.array([rng.permutation(count)[:seats] for _ in range(matches)])
    noise = rng.gumbel(size=seatings.shape)
    return seatings, np.asarray(strengths)[seatings] + np.asarray(seat_effect) + noise


def test_two_agents_are_bradley_terry():
    ratings = plackett_luce([[0, 1], [1, 0], [0, 1], [1, 0]], [[1, 0], [0, 1], [0, 1], [1, 0]], agents=2, counts=[150, 150, 50, 50])
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
    assert (plackett_luce(*data, agents=3, orders=True).agent_errors < plackett_luce(*data, agents=3).agent_errors).all()


def test_a_good_seat_is_not_taken_for_a_good_agent():
    seatings, payoffs = played(np.random.default_rng(4), [0.0, 0.0], [1.0, -1.0], 2000)
    seatings = np.sort(seatings, axis=1)  # agent 0 always sits on the good seat ...
    seatings[:100] = seatings[:100, ::-1]  # ... but for a hundred matches
    ratings = plackett_luce(seatings, payoffs, agents=2)
    assert abs(ratings.agents[0]) < 3 * ratings.agent_errors[0]
    assert ratings.seats[0] > 0.7


def test_errors_over_blocks_are_larger_where_games_of_a_block_repeat_each_other():
    seatings, payoffs = played(np.random.default_rng(5), [0.3, 0.0, -0.3], [0.0, 0.0, 0.0], 300)
    seatings, payoffs, blocks = np.repeat(seatings, 4, axis=0), np.repeat(payoffs, 4, axis=0), np.repeat(np.arange(300), 4)
    plain, robust = plackett_luce(seatings, payoffs, agents=3), plackett_luce(seatings, payoffs, agents=3, blocks=blocks)
    assert robust.agent_errors == pytest.approx(2 * plain.agent_errors, rel=0.15)
    assert robust.agents == pytest.approx(plain.agents)


def test_shared_first_places_pull_the_sharers_together():
    ratings = plackett_luce([[0, 1, 2]] * 30 + [[1, 0, 2]] * 30, [[1, 1, 0]] * 60, agents=3)
    assert ratings.agents[0] == pytest.approx(ratings.agents[1], abs=1e-6)
    assert ratings.agents[2] < ratings.agents[0]


def test_an_agent_that_never_lost_has_a_finite_rating_and_a_large_error():
    ratings = plackett_luce([[0, 1], [1, 0]] * 10, [[1, 0], [0, 1]] * 10, agents=2)
    assert np.isfinite(ratings.agents).all()
    assert ratings.agent_errors[0] > 1


def test_large_tables_with_many_agents_are_rated():
    seatings, payoffs = played(np.random.default_rng(6), np.linspace(1, -1, 20), np.zeros(12), 500)
    ratings = plackett_luce(seatings, payoffs, agents=20)
    assert np.corrcoef(ratings.agents, np.linspace(1, -1, 20))[0, 1] > 0.8


def test_openskill_figure_of_two_fresh_teams_to_the_last_digit():
    fresh = Skill()
    first, second = weng_lin([[fresh, fresh], [fresh, fresh]], [0, 1])
    assert first[0] == first[1] == (26.964294621803063, 8.177962604389991)
    assert second[0] == (23.035705378196937, 8.177962604389991)


def test_openskill_moves_nobody_who_shares_with_an_equal():
    ((a,), (b,)) = weng_lin([[Skill()], [Skill()]], [0, 0])
    assert a.mean == pytest.approx(b.mean)


def test_trueskill_figures():
    first, second = trueskill(Skill(), Skill(30.0))
    assert [round(value, 3) for value in (*first, *second)] == [30.768, 7.030, 24.232, 7.030]
    first, second = trueskill(Skill(), Skill())
    assert [round(value, 3) for value in (*first, *second)] == [29.396, 7.171, 20.604, 7.171]
