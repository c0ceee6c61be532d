"""What algorithms need of a game, and the errors raised where a game does not have it."""

from kingmaker.core.errors import Mismatch


def two_seats(agent, game):
    """Refuse more or fewer than two seats."""
    if game.seats != 2:
        raise Mismatch(f"{agent.name} cannot play {game} with {game.seats} seats, only with 2; use paranoid or maxn")


def acting_out_of_turn(agent, game):
    """Refuse a game in which a seat that is not to move has no legal move."""
    if not game.facts.out_of_turn:
        raise Mismatch(
            f"{agent.name} cannot play {game}: a seat out of turn has no legal move; use paranoid or best_reply_plus"
        )


def moving_at_once(agent, game):
    """Refuse a game in which the seats move one after the other."""
    if not game.facts.simultaneous:
        raise Mismatch(
            f"{agent.name} cannot play {game}: its seats move one after the other; use maxn, paranoid or alpha_beta"
        )
