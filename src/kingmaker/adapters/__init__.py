"""Adapters to programs of others; ENGINES lists the engines that can be agents."""

from kingmaker.adapters.uci import Uci
from kingmaker.core.agent import Agent

ENGINES: dict[str, type[Agent]] = {"uci": Uci}
