"""Other people's games and engines; ENGINES is the list of those that can sit on a seat."""

from kingmaker.adapters.uci import Uci
from kingmaker.core.agent import Agent

ENGINES: dict[str, type[Agent]] = {"uci": Uci}
