"""Which of equal root moves is played, and what that asks of the cuts of alpha-beta."""

from kingmaker.core.kernel import Constant


class FirstRule(Constant):
    """Of equal moves the first is played, and equality cuts."""

    def cuts(self, low, high):
        return low >= high

    def takes(self, rounding, worst, kept, best):
        """Does a root move take the place of the one kept, the best so far being worth `best`?"""
        return rounding.above(worst, kept)

    def floor(self, rounding, best):
        """What a later root move must bring in order to be of interest."""
        return best


class LastRule(FirstRule):
    """Of equal moves the last is played; what is equal up to rounding lies inside the window, so that it is known
    exactly.
    """

    def cuts(self, low, high):
        return low > high

    def takes(self, rounding, worst, kept, best):
        return rounding.reaches(worst, best)

    def floor(self, rounding, best):
        return best - 2.0 * rounding.margin(best)


class PublishedRule(FirstRule):
    """The rule as printed in the paper, which is unsound: equality cuts, and a move cut so counts as equally good."""

    def takes(self, rounding, worst, kept, best):
        return worst >= best


RULES = {"first": FirstRule(), "last": LastRule(), "published": PublishedRule()}
