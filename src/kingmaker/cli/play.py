"""`kingmaker play`: a person plays against agents."""

import inspect
from collections.abc import Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from kingmaker.cli.decide import found_at_root, root_table
from kingmaker.cli.parts import (
    Interpreted,
    PositionText,
    Screen,
    Seed,
    find_agent,
    find_game,
    number,
    opened,
    opponent,
    plain,
    ready,
    side_by_side,
)
from kingmaker.core.errors import BadParameter, IllegalMove

HELP = (
    "write a move as it is listed; hint: show the agent's choice and its values, "
    "undo: take your last move back, "
    "resign: give up, quit: leave, an empty line: draw the board again, ?: show this help"
)
MOST_ADVICE = 8  # moves that a hint lists


def play(
    game: Annotated[str, Parameter(help='A game: sticks, "light_bike(seats=4)", or your own file.')],
    /,
    *,
    seat: Annotated[int, Parameter(help="Where you sit; the first seat is 0.")] = 0,
    against: Annotated[
        list[str] | None,
        Parameter(
            help="The agent on all other seats, or, given several times, one for each; "
            "if none, maxn, pimc where cards are hidden, or plans at Risk.",
            show_default=False,
            negative=(),
        ),
    ] = None,
    position: PositionText = "",
    seed: Seed = 0,
    interpreted: Interpreted = False,
) -> None:
    """Play against agents, in the terminal.

    Write a move as it is listed; ? helps, hint shows the agent's choice and its
    values, undo takes a move back, resign gives up, quit leaves.

    Example: kingmaker play "sticks(seats=3)" --seat 1 --against "paranoid(depth=6)"
    """
    rules = ready(find_game(game) if position else for_people(game), interpreted)
    agents = [find_agent(text) for text in against or [opponent(rules)]]
    if not 0 <= seat < rules.seats:
        raise BadParameter(f"expected a seat from 0 to {rules.seats - 1}, got --seat {seat} in {plain(rules)}")
    if len(agents) not in (1, rules.seats - 1):
        raise BadParameter(f"expected 1 or {rules.seats - 1} agents in --against, got {len(agents)}")
    for agent in agents:
        agent.fit(rules)
    Sitting(rules, seat, agents, seed, opened(rules, position, "", seed)).run()


def for_people(text: str) -> Any:
    """The game that a text names, with the settings that the game prefers for people unless the text names them."""
    from kingmaker.core.notation import call_text, parse_call

    game = find_game(text)
    name, arguments, given = parse_call(text)
    known = list(inspect.signature(type(game)).parameters)[: len(arguments)]
    wanted = {key: value for key, value in game.for_people.items() if key not in (*given, *known)}
    return find_game(call_text(name, dict(zip(known, arguments)) | given | wanted)) if wanted else game


class Left(Exception):
    """The person has left the table."""


class Resigned(Exception):
    """The person has given the match up."""


class Sitting:
    """One match between a person and agents; the first agent also gives the person advice."""

    def __init__(self, game: Any, seat: int, agents: list[Any], seed: int, state: Any) -> None:
        from kingmaker.arena.table.table import Table
        from kingmaker.core.rng import stream

        self.game, self.seat = game, seat
        others = iter(agents if len(agents) > 1 else agents * (game.seats - 1))
        self.adviser = agents[0]
        self.table = Table(
            game, [self.adviser if each == seat else next(others) for each in range(game.seats)], seed, state
        )
        self.names = short_names(self.table.agents)
        self.advice = stream(seed, "hint")
        self.past: list[Any] = []  # the table before each move of the person
        self.screen = Screen()
        self.told: list[str] = []  # the turns since the person's last move

    def run(self) -> None:
        """Play until the match is over or the person leaves."""
        from kingmaker.core.game import OVER
        from kingmaker.soundness.promises import reads_positions

        self.draw()
        try:
            while self.table.mover != OVER:
                self.turn()
        except Left:
            if self.game.facts.hidden:
                self.screen.tell("you leave the table; the position is not shown, for it holds what you may not see")
                return
            self.screen.picture(f"the match stands at {self.game.notation(self.table.state)}")
            if reads_positions(self.game):
                self.screen.tell("go on with it by --position")
        except Resigned:
            rest = [each for each in range(self.game.seats) if each != self.seat]
            self.screen.tell(
                f"you resign, and seat {rest[0]} wins" if len(rest) == 1 else "you resign, and the match ends", "bold"
            )
        else:
            self.screen.tell(result(self.game.payoffs(self.table.state), self.seat), "bold")

    def draw(self) -> None:
        """Draw the board again: in a terminal in place of the old one, in a file below it."""
        if self.screen.is_terminal:
            self.screen.clear()
        if self.screen.is_terminal or not self.told:
            self.screen.tell(f"{plain(self.game)}: you are seat {self.seat}{self.company()}; ? helps", "bold")
        for line in self.told if self.screen.is_terminal else self.told[-1:]:
            self.screen.tell(line)
        self.screen.tell()
        self.screen.picture(self.table.picture(self.seat))

    def company(self) -> str:
        """Who sits on the other seats, where that is one agent whose name does not say its settings."""
        return f", against {plain(self.adviser)}" if plain(self.adviser) not in self.names else ""

    def turn(self) -> None:
        """Play one turn: a roll of the dice, or the moves of all seats that are to move now."""
        given = {}
        if self.seat in self.table.acting():
            move = self.asked()
            if move is None:
                return  # an undo: the table has changed
            given[self.seat] = move
        turn, _ = self.table.turn(given)
        self.told.append("\n".join(self.said(each, move) for each, move in turn))
        self.table.take(turn)
        self.draw()

    def said(self, seat: int, move: int) -> str:
        """A move in words, as far as the person may know it, and who made it."""
        from kingmaker.core.secrets import turn_text

        words = turn_text(self.game, self.table.state, seat, move, self.seat)
        return words if seat < 0 and hasattr(self.game, "tell") else f"{self.name_of(seat)}: {words}"

    def name_of(self, seat: int) -> str:
        if seat == self.seat:
            return "you"
        return f"seat {seat}, {self.names[seat]}" if seat >= 0 else "the dice"

    def asked(self) -> int | None:
        """The person's move; None after an undo."""
        game, seat = self.game, self.seat
        view = self.table.world(seat)
        words = [game.say(view, seat, move) for move in game.legal(view, seat)]
        moves = f"your moves: {side_by_side(words)}"
        self.screen.tell(moves)
        while True:
            text = self.prompt()
            if text == "?":
                self.screen.tell(HELP)
                self.screen.tell(moves)
            elif text == "hint":
                self.advise(view)
            elif text == "quit":
                raise Left
            elif text == "resign":
                raise Resigned
            elif text == "undo":
                if self.past:
                    self.table.set_back(self.past.pop())
                    self.told = []
                    self.draw()
                    return None
                self.screen.tell("there is no move of yours to take back")
            elif text:
                try:
                    move: int = game.parse(view, seat, text)
                except IllegalMove as fault:
                    self.screen.tell(str(fault))
                    continue
                self.past.append(self.table.snapshot())
                self.told = []
                return move
            else:
                self.draw()

    def advise(self, view: Any) -> None:
        """Show what the adviser would play on the person's seat, and its values of the best moves."""
        decision = self.table.decide(self.seat, self.adviser, self.advice)
        entry = found_at_root(self.game, view, decision)
        self.screen.tell(f"{plain(self.adviser)} would play {entry['move']}")
        if entry["values"] is not None:
            self.screen.table(root_table(self.game.seats, entry, MOST_ADVICE))

    def prompt(self) -> str:
        try:
            return input(f"seat {self.seat}> ").strip()
        except EOFError:
            self.screen.tell()
            raise Left from None


def short_names(agents: Sequence[Any]) -> list[str]:
    """What each agent is called beside its seat: its algorithm, or its whole text where agents of a table differ."""
    texts = [plain(agent) for agent in agents]
    return texts if len(set(texts)) > 1 else [text.partition("(")[0] for text in texts]


def result(payoffs: tuple[float, ...], seat: int) -> str:
    """The end of a match in words."""
    from kingmaker.stats.places import best_seats

    winners = list(best_seats(payoffs))
    points = f"payoffs {', '.join(map(number, payoffs))}"
    if winners == [seat]:
        return f"you win; {points}"
    names = ["you" if each == seat else f"seat {each}" for each in winners]
    if len(names) == 1:
        return f"{names[0]} wins; {points}"
    return f"{', '.join(names[:-1])} and {names[-1]} share the best result; {points}"
