"""What may be switched in any search, put together into one compile-time object; what is off costs nothing."""

from kingmaker.core.kernel import Constant
from kingmaker.core.workspace import Field


class Policy(Constant):
    """The order of moves, their narrowing, the horizon, the table, the record and the rounding of a search; algorithms add their own."""

    def __init__(self, order, narrowing, horizon, table, record, rounding, **own):
        self.order, self.narrowing, self.horizon, self.table, self.record = order, narrowing, horizon, table, record
        self.rounding = rounding
        for name, value in own.items():
            setattr(self, name, value)

    def fields(self, game, plies) -> list[Field]:
        """What the parts need in the workspace."""
        return [field for part in vars(self).values() if hasattr(part, "fields") for field in part.fields(game, plies)]
