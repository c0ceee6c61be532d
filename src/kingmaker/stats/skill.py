"""Ratings that move after every match: a mean and a doubt an agent.

They follow a stream of matches in which agents come and go. For a finished experiment Plackett-Luce over all matches (`ratings`) is better:
it does not depend on the order in which they were played.

    R. Weng, C.-J. Lin. A Bayesian Approximation Method for Online Ranking. JMLR 12, 2011 (algorithm 4, as in OpenSkill).
    R. Herbrich, T. Minka, T. Graepel. TrueSkill: A Bayesian Skill Rating System. NIPS 2006.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

MEAN, DOUBT = 25.0, 25.0 / 3
BETA, KAPPA, TAU = 25.0 / 6, 1e-4, 25.0 / 300


class Skill(NamedTuple):
    """What is believed of an agent's strength."""

    mean: float = MEAN
    doubt: float = DOUBT


def weng_lin(teams: Sequence[Sequence[Skill]], places: Sequence[int]) -> list[list[Skill]]:
    """The skills after a match of teams that came in at these places, 0 the best; equal places are shared."""
    means = [sum(skill.mean for skill in team) for team in teams]
    squares = [sum(skill.doubt**2 + TAU**2 for skill in team) for team in teams]
    c = math.sqrt(sum(square + BETA**2 for square in squares))
    strength = [math.exp(mean / c) for mean in means]
    behind = [sum(s for s, place in zip(strength, places, strict=True) if place >= mine) for mine in places]
    sharing = [list(places).count(place) for place in places]
    answer = []
    for i, team in enumerate(teams):
        omega = delta = 0.0
        for q, place in enumerate(places):
            if place <= places[i]:
                part = strength[i] / behind[q]
                delta += part * (1 - part) / sharing[q]
                omega += ((1 - part) if q == i else -part) / sharing[q]
        omega *= squares[i] / c
        delta *= math.sqrt(squares[i]) / c * squares[i] / c**2
        answer.append([moved(skill, squares[i], omega, delta) for skill in team])
    return answer


def moved(skill: Skill, square: float, omega: float, delta: float) -> Skill:
    """One member's part of what the team learnt."""
    part = (skill.doubt**2 + TAU**2) / square
    doubt = math.sqrt(skill.doubt**2 + TAU**2)
    return Skill(skill.mean + part * omega, doubt * math.sqrt(max(1 - part * delta, KAPPA)))


def trueskill(winner: Skill, loser: Skill, draw_chance: float = 0.1) -> tuple[Skill, Skill]:
    """The skills of two agents after the first beat the second."""
    from scipy.stats import norm

    doubts = [skill.doubt**2 + TAU**2 for skill in (winner, loser)]
    c = math.sqrt(2 * BETA**2 + sum(doubts))
    margin = float(norm.ppf((draw_chance + 1) / 2)) * math.sqrt(2) * BETA / c
    lead = (winner.mean - loser.mean) / c
    v = float(norm.pdf(lead - margin) / norm.cdf(lead - margin))
    w = v * (v + lead - margin)
    first = Skill(winner.mean + doubts[0] / c * v, math.sqrt(doubts[0] * (1 - doubts[0] / c**2 * w)))
    return first, Skill(loser.mean - doubts[1] / c * v, math.sqrt(doubts[1] * (1 - doubts[1] / c**2 * w)))
