"""`kingmaker play`: a person at the table."""

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from kingmaker.cli.parts import PositionText, Screen, Seed, find_agent, find_game, number, opened, plain
from kingmaker.core.errors import BadParameter, IllegalMove, Mismatch

HELP = "write a move as it is listed; hint: what the agent would do, undo: take your last move back, quit: leave, ?: this"


def play(
    game: Annotated[str, Parameter(help='A game: sticks, "light_bike(seats=4)", or your own file.')],
    /,
    *,
    seat: Annotated[int, Parameter(help="Where you sit; the first seat is 0.")] = 0,
    against: Annotated[
        list[str] | None,
        Parameter(
            help="The agent on all other seats, or, given several times, one for each; maxn if none.", show_default=False, negative=()
        ),
    ] = None,
    position: PositionText = "",
    seed: Seed = 0,
) -> None:
    """Play against agents, in the terminal.

    Write a move as it is listed; ? helps, hint asks the agent, undo takes a
    move back, quit leaves.

    Example: kingmaker play "sticks(seats=3)" --seat 1 --against "paranoid(depth=6)"
    """
    rules = find_game(game)
    agents = [find_agent(text) for text in against or ["maxn"]]
    if not 0 <= seat < rules.seats:
        raise BadParameter(f"expected a seat from 0 to {rules.seats - 1}, got --seat {seat} in {plain(rules)}")
    if len(agents) not in (1, rules.seats - 1):
        raise BadParameter(f"expected 1 or {rules.seats - 1} agents in --against, got {len(agents)}")
    if rules.facts.hidden:
        raise Mismatch(f"the picture of {plain(rules)} shows what your seat must not know; play a game without secrets")
    for agent in agents:
        agent.fit(rules)
    Sitting(rules, seat, agents, seed, opened(rules, position, "", seed)).run()


class Left(Exception):
    """The person has left the table."""


@dataclass
class Memory:
    """All that an undo brings back."""

    state: Any
    words: list[int]  # of the random streams


class Sitting:
    """One match between a person and agents."""

    def __init__(self, game: Any, seat: int, agents: list[Any], seed: int, state: Any) -> None:
        from kingmaker.core.rng import stream

        self.game, self.seat, self.state = game, seat, state
        others = iter(agents if len(agents) > 1 else agents * (game.seats - 1))
        self.players = [None if each == seat else next(others) for each in range(game.seats)]
        self.adviser = agents[0]
        self.streams = [stream(seed, "seat", each) for each in range(game.seats)]
        self.dice, self.advice = stream(seed, "dice"), stream(seed, "hint")
        self.past: list[Memory] = []
        self.screen = Screen()

    def run(self) -> None:
        """Play until the match is over or the person leaves."""
        from kingmaker.core.game import OVER

        self.screen.tell(f"{plain(self.game)}: you are seat {self.seat}; ? helps", "bold")
        try:
            while self.game.mover(self.state) != OVER:
                self.turn()
        except Left:
            self.screen.tell(f"the match stands at {self.game.notation(self.state)}")
            self.screen.tell("go on with it by --position")
            return
        self.screen.picture(self.game.show(self.state))
        self.screen.tell(result(self.game.payoffs(self.state), self.seat), "bold")

    def turn(self) -> None:
        """One turn: the dice, or all who are to move now."""
        from kingmaker.arena.match import decided, rolled, take
        from kingmaker.core.game import CHANCE

        game, state = self.game, self.state
        if game.mover(state) == CHANCE:
            pairs = [(CHANCE, rolled(game, state, self.dice))]
        else:
            acting = game.acting(state)
            mine = self.asked() if self.seat in acting else 0
            if mine is None:
                return  # an undo: the table has changed
            state = self.state
            pairs = [
                (each, mine if each == self.seat else decided(game, self.players[each], state, each, self.streams[each]).move)
                for each in acting
            ]
        for each, move in pairs:
            if each != self.seat:
                who = "the dice" if each == CHANCE else f"seat {each}, {plain(self.players[each])}"
                self.screen.tell(f"{who}: {game.say(state, each, move)}")
        take(game, state, tuple(pairs))

    def asked(self) -> int | None:
        """The person's move; None after an undo."""
        game, seat = self.game, self.seat
        view = game.copy(self.state)
        if game.facts.simultaneous:
            game.turn_to(view, seat)
        self.screen.tell()
        self.screen.picture(game.show(self.state))
        words = [game.say(view, seat, move) for move in game.legal(view, seat)]
        self.screen.tell(f"your moves: {' '.join(words)}")
        while True:
            text = self.prompt()
            if text == "?":
                self.screen.tell(HELP)
                self.screen.tell(f"your moves: {' '.join(words)}")
            elif text == "hint":
                decision = self.adviser.decide(game, view, self.advice)
                self.screen.tell(f"{plain(self.adviser)} would play {game.say(view, seat, decision.move)}")
            elif text == "quit":
                raise Left
            elif text == "undo":
                if self.past:
                    self.recall()
                    return None
                self.screen.tell("there is no move of yours to take back")
            elif text:
                try:
                    move: int = game.parse(view, seat, text)
                except IllegalMove as fault:
                    self.screen.tell(str(fault))
                    continue
                self.remember()
                return move

    def prompt(self) -> str:
        try:
            return input(f"seat {self.seat}> ").strip()
        except EOFError:
            self.screen.tell()
            raise Left from None

    def remember(self) -> None:
        words = [int(rng.word) for rng in (*self.streams, self.dice)]
        self.past.append(Memory(self.game.copy(self.state), words))

    def recall(self) -> None:
        """Back to the table as it was before the person's last move; the dice will fall as they did."""
        memory = self.past.pop()
        self.state = memory.state
        for rng, word in zip((*self.streams, self.dice), memory.words, strict=True):
            rng.word = word


def result(payoffs: tuple[float, ...], seat: int) -> str:
    """The end of a match in words."""
    best = max(payoffs)
    winners = [each for each, payoff in enumerate(payoffs) if payoff == best]
    points = f"payoffs {', '.join(map(number, payoffs))}"
    if winners == [seat]:
        return f"you win; {points}"
    names = ["you" if each == seat else f"seat {each}" for each in winners]
    if len(names) == 1:
        return f"{names[0]} wins; {points}"
    return f"{', '.join(names[:-1])} and {names[-1]} share the best result; {points}"
