"""From texts to games and agents: `light_bike(seats=3)`, `my_game.py(sticks=9)`, `paranoid(depth=6)`,
`my_agent.py(depth=3)`.
"""

from typing import Any

from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadGame, unknown
from kingmaker.core.game import Game
from kingmaker.core.notation import build, parse_call
from kingmaker.core.own_agent import own_agent
from kingmaker.core.own_files import Wanted, build_own, class_in, own_file

OWN_GAME = Wanted("game", "inherits from kingmaker.Game", lambda cls: issubclass(cls, Game), BadGame)


def load_game(text: str) -> Game:
    """The game that a text names: one of ours, or a class in a file of one's own (`my_game.py`, `my_game.py:Nim`)."""
    from kingmaker.games import GAMES

    name, arguments, keywords = parse_call(text)
    own = own_file(name)
    if own:
        game: Game = build_own(class_in(own, OWN_GAME), own, OWN_GAME, text, arguments, keywords)
    elif name in GAMES:
        game = build(GAMES[name], text, arguments, keywords)
    else:
        raise unknown("game", name, GAMES)
    game.checked()
    return game


def load_agent(text: str) -> Agent:
    """The agent that a text names, with its settings: one of ours, or a class with `decide` in a file of one's own."""
    from kingmaker.adapters import ENGINES
    from kingmaker.search import ALGORITHMS

    name, arguments, keywords = parse_call(text)
    if own_file(name):
        return own_agent(text)
    known: dict[str, Any] = ALGORITHMS | ENGINES
    if name not in known:
        raise unknown("agent", name, known)
    agent: Agent = build(known[name], text, arguments, keywords)
    return agent
