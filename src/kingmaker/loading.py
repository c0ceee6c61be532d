"""From texts to games and agents: `light_bike(seats=3)`, `my_game.py(sticks=9)`, `paranoid(depth=6)`,
`my_agent.py(depth=3)`.
"""

from collections import ChainMap
from typing import Any, get_args

from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadGame, unknown
from kingmaker.core.game import Game
from kingmaker.core.notation import build, parse_call
from kingmaker.core.own_agent import own_agent
from kingmaker.core.own_files import Wanted, build_own, class_in, own_file
from kingmaker.core.parameters import kinds_of

OWN_GAME = Wanted("game", "inherits from kingmaker.Game", lambda cls: issubclass(cls, Game), BadGame)


def load_game(text: str) -> Game:
    """The game that a text names: one of ours, or a class in a file of one's own (`my_game.py`, `my_game.py:Nim`)."""
    from kingmaker.games import GAMES

    name, arguments, keywords = parse_call(text)
    own = own_file(name)
    if own:
        game: Game = build_own(class_in(own, OWN_GAME), own, OWN_GAME, text, arguments, keywords)
    elif name in GAMES:
        game = build(GAMES[name], text, *with_nested(GAMES[name], arguments, keywords))
    else:
        raise unknown("game", name, GAMES)
    game.checked()
    return game


def load_agent(text: str) -> Agent:
    """The agent that a text names, with its settings: one of ours, or a class with `decide` in a file of one's own."""
    from kingmaker.adapters import ENGINES
    from kingmaker.games import PLAYERS
    from kingmaker.search import ALGORITHMS

    name, arguments, keywords = parse_call(text)
    if own_file(name):
        return own_agent(text)
    known: ChainMap[str, Any] = ChainMap(ALGORITHMS, ENGINES, PLAYERS)  # type: ignore[arg-type]
    if name not in known:
        raise unknown("agent", name, known)
    agent: Agent = build(known[name], text, *with_nested(known[name], arguments, keywords))
    return agent


def with_nested(maker: Any, arguments: list[Any], keywords: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The parameters, with texts made into games and agents where the constructor takes such: `series(sticks)`."""
    kinds = kinds_of(maker)
    positional = [made(kind, value) for kind, value in zip(kinds.values(), arguments, strict=False)]
    return [*positional, *arguments[len(positional) :]], {
        name: made(kinds.get(name), value) for name, value in keywords.items()
    }


def made(kind: Any, value: Any) -> Any:
    if isinstance(value, str) and value.endswith(")") and Agent in get_args(kind):
        return load_agent(value)
    if not isinstance(value, str) or not isinstance(kind, type):
        return value
    return load_game(value) if issubclass(kind, Game) else load_agent(value) if issubclass(kind, Agent) else value
