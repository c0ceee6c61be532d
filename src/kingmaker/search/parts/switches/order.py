"""The orders in which moves are tried, by their names."""

from kingmaker.search.parts.switches.order_at_random import Promising, Shuffled
from kingmaker.search.parts.switches.order_by_success import History, Killer
from kingmaker.search.parts.switches.order_of_the_game import Given

ORDERS = {"given": Given, "shuffled": Shuffled, "promising": Promising, "history": History, "killer": Killer}


def order_for(name, estimate, rounding):
    """The order of a name; only one depends on how positions are estimated."""
    return Promising(estimate, rounding) if name == "promising" else ORDERS[name]()
