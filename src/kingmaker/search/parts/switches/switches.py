"""What may be switched in any search, put together into one compile-time object; what is off costs nothing."""

from kingmaker.core.kernel import Constant
from kingmaker.core.workspace import Field


class Switches(Constant):
    """The order of moves, their forward_pruning, the horizon, the table, the record and the rounding of a search;
    algorithms add their own.
    """

    def __init__(self, order, forward_pruning, horizon, table, record, rounding, **own):
        self.order, self.forward_pruning, self.horizon, self.table, self.record = (
            order,
            forward_pruning,
            horizon,
            table,
            record,
        )
        self.rounding = rounding
        for name, value in own.items():
            setattr(self, name, value)

    def fields(self, game, plies) -> list[Field]:
        """What the parts need in the workspace."""
        return [field for part in vars(self).values() if hasattr(part, "fields") for field in part.fields(game, plies)]
