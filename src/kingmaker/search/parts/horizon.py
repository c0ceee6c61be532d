"""Where a depth-limited search may stop."""

from kingmaker.core.kernel import Constant


class Horizon(Constant):
    """At depth 0, whatever happens there."""

    def reached(self, game, state, depth):
        return depth <= 0


class QuietHorizon(Constant):
    """At depth 0 if the game says the state is quiet, else up to `most` plies later."""

    def __init__(self, most):
        self.most = most

    def reached(self, game, state, depth):
        return depth <= 0 and (depth <= -self.most or game.quiet(state))
