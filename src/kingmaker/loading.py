"""From texts to games and agents: `light_bike(seats=3)`, `my_game.py(sticks=9)`, `paranoid(depth=6)`."""

import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadGame, unknown
from kingmaker.core.game import Game
from kingmaker.core.notation import build, parse_call


def load_game(text: str) -> Game:
    """The game that a text names: one of ours, or a class in a file of one's own (`my_game.py`, `my_game.py:Nim`)."""
    from kingmaker.games import GAMES

    name, arguments, keywords = parse_call(text)
    file, _, cls = name.partition(".py")
    if file != name:
        maker: Any = class_in(Path(f"{file}.py"), cls.removeprefix(":"))
    elif name in GAMES:
        maker = GAMES[name]
    else:
        raise unknown("game", name, GAMES)
    game: Game = build(maker, text, arguments, keywords)
    game.checked()
    return game


def load_agent(text: str) -> Agent:
    """The agent that a text names, with its settings."""
    from kingmaker.adapters import ENGINES
    from kingmaker.search import ALGORITHMS

    name, arguments, keywords = parse_call(text)
    known = ALGORITHMS | ENGINES
    if name not in known:
        raise unknown("agent", name, known)
    agent: Agent = build(known[name], text, arguments, keywords)
    return agent


def class_in(path: Path, name: str = "") -> type[Game]:
    """The game class in a user's file; `name` is needed only where there are several."""
    found = {key: value for key, value in vars(imported(path)).items() if is_own_game(value, path)}
    if name and name not in found:
        raise unknown("game class", name, found, str(path))
    if not found:
        raise BadGame(f"there is no class that inherits from kingmaker.Game in {path}")
    if len(found) > 1 and not name:
        raise BadGame(f"expected one game in {path}, found {', '.join(found)}; name one as {path}:{min(found)}")
    chosen: type[Game] = found[name or next(iter(found))]
    return chosen


def is_own_game(value: Any, path: Path) -> bool:
    return isinstance(value, type) and issubclass(value, Game) and value.__module__ == module_name(path)


def module_name(path: Path) -> str:
    """A name of its own for a user's module, the same in every process: compiled code is kept under it."""
    return f"{path.stem}@{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"


def imported(path: Path) -> Any:
    """The module in a file; what goes wrong in it is told in one sentence with the line."""
    if not path.exists():
        raise BadGame(f"there is no file '{path}'")
    spec = importlib.util.spec_from_file_location(module_name(path), path)
    if spec is None or spec.loader is None:
        raise BadGame(f"cannot import '{path}'")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except Exception as fault:
        raise BadGame(f"cannot import '{path}': {type(fault).__name__}: {fault}{line_of(fault, path)}") from fault
    finally:
        sys.path.remove(folder)
    return module


def line_of(fault: BaseException, path: Path) -> str:
    """Where in the user's own file it went wrong."""
    if isinstance(fault, SyntaxError):
        return f" in line {fault.lineno}" if f"line {fault.lineno}" not in str(fault) else ""
    lines = []
    trace = fault.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f" in line {lines[-1]}" if lines else ""
