"""What a state is worth where a search looks no further.

Every question of a search to an estimate goes through here. The row is cleared first, so an entry that a game or an
estimate leaves unset is 0 and never what an earlier node left there.
"""

from kingmaker.core.kernel import kernel


@kernel
def cleared(game, out):
    for seat in range(game.seats):
        out[seat] = 0.0


@kernel
def guess(game, estimate, state, out):
    """The estimate of a state that is not over."""
    cleared(game, out)
    estimate.value(game, state, out)


@kernel
def measured(game, estimate, state, out):
    """How the seats stand in the estimate's unit, in a state that is not over."""
    cleared(game, out)
    estimate.measure(game, state, out)


@kernel
def end(game, estimate, state, out):
    """The value of a state that is over."""
    cleared(game, out)
    estimate.final(game, state, out)


@kernel
def guess_duel(game, estimate, state, seat, opponent, out):
    """The estimate of a duel of `seat` with one opponent."""
    cleared(game, out)
    estimate.against(game, state, seat, opponent, out)


@kernel
def guess_interval(game, estimate, state, low, high):
    """The lowest and the highest value that a match may still bring to each seat."""
    cleared(game, low)
    cleared(game, high)
    estimate.interval(game, state, low, high)
