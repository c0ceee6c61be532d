"""`kingmaker uci`: our searches as a chess engine."""

import sys
from typing import Annotated

from cyclopts import Parameter

from kingmaker.cli.parts import find_agent, find_game

USUAL = "alpha_beta(order=history, quiet=6, table=18, estimate=positional)"


def uci(
    agent: Annotated[
        str, Parameter(help="The search that plays, without a budget: the other program sets it.")
    ] = USUAL,
    /,
) -> None:
    """Speak UCI, so that chess programs can play against our searches.

    Reads commands from standard input until quit or the end of the input. Any
    agent for two seats can play, one of your own too; budgets come from the
    other program's clock.

    Example: kingmaker uci "alpha_beta(order=history, quiet=6)"
    """
    from kingmaker.adapters.lines import lines_of
    from kingmaker.adapters.uci_server import Conversation

    Conversation(find_game("chess"), find_agent(agent), tell).listen(lines_of(sys.stdin.buffer) if sys.stdin else ())


def tell(line: str) -> None:
    print(line, flush=True)
