"""The games, each in one file; GAMES is the one list of them. PLAYERS lists the agents that play one of them alone."""

from kingmaker.core.agent import Agent
from kingmaker.core.game import Game
from kingmaker.games.abalone import Abalone
from kingmaker.games.backgammon import Backgammon
from kingmaker.games.bingo import Bingo
from kingmaker.games.chess import Chess
from kingmaker.games.chinese_checkers import ChineseCheckers
from kingmaker.games.explicit_tree import ExplicitTree
from kingmaker.games.go_fish import GoFish
from kingmaker.games.hearts import Hearts
from kingmaker.games.light_bike import LightBike
from kingmaker.games.parts.risk.players import Angry, EvilPixie, Plans, Yakool
from kingmaker.games.random_tree import RandomTree
from kingmaker.games.risk import Risk
from kingmaker.games.series import Series
from kingmaker.games.spades import Spades
from kingmaker.games.sticks import Sticks

GAMES: dict[str, type[Game]] = {
    "abalone": Abalone,
    "backgammon": Backgammon,
    "bingo": Bingo,
    "chess": Chess,
    "chinese_checkers": ChineseCheckers,
    "explicit_tree": ExplicitTree,
    "go_fish": GoFish,
    "hearts": Hearts,
    "light_bike": LightBike,
    "random_tree": RandomTree,
    "risk": Risk,
    "series": Series,
    "spades": Spades,
    "sticks": Sticks,
}

PLAYERS: dict[str, type[Agent]] = {
    "angry": Angry,
    "evil_pixie": EvilPixie,
    "plans": Plans,
    "yakool": Yakool,
}
