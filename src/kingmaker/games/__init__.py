"""The games, each in one file; GAMES is the one list of them. PLAYERS lists the agents that play one of them alone."""

from kingmaker.core.agent import Agent
from kingmaker.core.game import Game
from kingmaker.core.named_classes import NamedClasses

GAMES: NamedClasses[type[Game]] = NamedClasses(
    {
        "abalone": "games.abalone:Abalone",
        "backgammon": "games.backgammon:Backgammon",
        "bingo": "games.bingo:Bingo",
        "chess": "games.chess:Chess",
        "chinese_checkers": "games.chinese_checkers:ChineseCheckers",
        "explicit_tree": "games.explicit_tree:ExplicitTree",
        "go_fish": "games.go_fish:GoFish",
        "hearts": "games.hearts:Hearts",
        "light_bike": "games.light_bike:LightBike",
        "random_tree": "games.random_tree:RandomTree",
        "risk": "games.risk:Risk",
        "series": "games.series:Series",
        "spades": "games.spades:Spades",
        "sticks": "games.sticks:Sticks",
    }
)

PLAYERS: NamedClasses[type[Agent]] = NamedClasses(
    {
        "angry": "games.parts.risk.players:Angry",
        "evil_pixie": "games.parts.risk.players:EvilPixie",
        "plans": "games.parts.risk.players:Plans",
        "yakool": "games.parts.risk.players:Yakool",
    }
)


def players_of(game: str) -> list[str]:
    """The names of the agents that play this game alone; their classes stand in the game's own parts."""
    return [name for name, place in PLAYERS.places.items() if place.startswith(f"games.parts.{game}.")]
