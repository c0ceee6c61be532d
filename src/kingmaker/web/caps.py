"""What a browser may ask for: games and agents by their texts, none of which names a file, and limits for all of them.

Nothing that a browser sends is evaluated, imported or used as a path. A game of one's own is known to the page only if
the operator names its file on the command line.
"""

import re
from dataclasses import replace
from typing import Any

from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadParameter, KingmakerError, UnknownName, unknown
from kingmaker.core.game import Game
from kingmaker.core.notation import parse_call
from kingmaker.core.parameters import cut
from kingmaker.games import GAMES, PLAYERS, players_of
from kingmaker.loading import load_agent, load_game
from kingmaker.search import ALGORITHMS

MOST_SECONDS = 10.0  # of one decision
MOST_INNER = 1.0  # of one search that another agent asks many times
MOST_TREE = 18  # the size of a tree that grows in memory is two to the power of this
MOST_LETTERS = 2000  # of a text
MOST_MOVES = 4000  # that a position may have
MOST_BYTES = 20_000  # of a state
MOST_TURNS = 3000  # of a match on the page
CAPS = {  # the largest value of a setting
    "depth": 60,
    "nodes": 50_000_000,
    "playouts": 1_000_000,
    "table": 18,
    "threads": 1,
    "deals": 200,
    "positions": 20_000,
    "quiet": 30,
    "cap": 256,
    "learn_depth": 3,
}
PLAIN = re.compile(r"[\w\s()\[\]{}:,=.'\"+*-]*")  # no slashes or tildes: nothing that names a place
DOTTED = re.compile(r"\.\s*[A-Za-z_]")  # a dot before a letter would name a file


class Known:
    """The games that the page offers: ours, and files of the operator's own by short names."""

    def __init__(self, files: tuple[str, ...] = ()) -> None:
        self.own = {load_game(file).name: file for file in files}

    @property
    def games(self) -> list[str]:
        """The names of all games, but for those that cannot be made without parameters."""
        return [*(name for name in GAMES if name not in ("explicit_tree", "series")), *self.own]

    def game(self, text: str) -> Game:
        """The game that a text from a browser names."""
        checked(text)
        name, arguments, keywords = parse_call(text)
        if name in self.own:
            given = text[text.index(name) + len(name) :]
            return sized(load_game(self.own[name] + given))
        if name == "explicit_tree" and (set(keywords) - {"tree", "seats"} or any(map(is_word, arguments))):
            raise BadParameter("expected a tree written out as tree=[…], got something else; files are not read here")
        if "explicit_tree" in text[len(name) :]:
            raise BadParameter("expected no tree inside another game on this page")
        if name not in GAMES:
            raise unknown("game", name, [*GAMES, *self.own])
        return sized(load_game(text))

    def agent(self, text: str, game: Game) -> Agent:
        """The agent that a text from a browser names, with limits, if it can play the game."""
        checked(text)
        name = parse_call(text)[0]
        if name not in ALGORITHMS and name not in PLAYERS:
            raise unknown("agent", name, [*ALGORITHMS, *players_of(game.name)])
        agent = limited(load_agent(text), MOST_SECONDS)
        agent.fit(game)
        return agent


def checked(text: str) -> None:
    """Refuse a text that is too long, or that could name a file."""
    if len(text) > MOST_LETTERS:
        raise BadParameter(f"expected at most {MOST_LETTERS} letters, got {len(text)}")
    if not PLAIN.fullmatch(text) or DOTTED.search(text):
        raise UnknownName(
            f"expected a name with settings like name(setting=3), got '{cut(text)}'; files are not read here"
        )


def is_word(value: Any) -> bool:
    return isinstance(value, str)


def sized(game: Game) -> Game:
    """Refuse a game that is too large for a page that others use too."""
    if game.max_moves > MOST_MOVES or (game.has_records and game.State.itemsize > MOST_BYTES):
        raise BadParameter(f"{cut(str(game))} is too large for this page; run it on the command line")
    return game


def limited(agent: Agent, seconds: float) -> Agent:
    """The agent with a limit of time; settings that take too much are refused."""
    for name, value in agent.settings.items():
        if name in CAPS and isinstance(value, (int, float)) and value > CAPS[name]:
            raise BadParameter(
                f"expected at most {CAPS[name]} for {name} on this page, got {value} in {cut(str(agent))}"
            )
    changes: dict[str, Any] = {
        name: limited(value, MOST_INNER) for name, value in agent.settings.items() if isinstance(value, Agent)
    }
    if isinstance(agent.settings.get("tree"), int):
        changes["tree"] = min(agent.settings["tree"], MOST_TREE)
    if "seconds" in agent.settings:
        changes["seconds"] = min(agent.settings["seconds"] or seconds, seconds)
        if all(agent.settings.get(name) is None for name in ("depth", "nodes", "playouts", "seconds")):
            changes["seconds"] = min(1.0, seconds)
    return replace(agent, **changes) if changes else agent


def message(fault: BaseException) -> str:
    """What went wrong, as the page shows it; faults of ours are sentences, others are told without details."""
    if isinstance(fault, KingmakerError):
        said = str(fault)
        return said[:1].upper() + said[1:] + ("" if said.endswith("?") else ".")
    return "Something went wrong on the server; it was written to its log."


def checked_position(text: str) -> str:
    """A position from a browser, if it is not too long; games read it without evaluating anything."""
    if len(text) > MOST_LETTERS:
        raise BadParameter(f"expected a position of at most {MOST_LETTERS} letters, got {len(text)}")
    return text
