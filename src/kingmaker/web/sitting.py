"""A match on the page: people and agents at one table, with clicks that become moves, and a way back.

It knows nothing of browsers: the page asks it what to draw, tells it what was clicked, and lets it take the next turn
in a worker.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kingmaker.arena.table.table import Snapshot, Table
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask, Watch
from kingmaker.core.decision import Decision
from kingmaker.core.errors import BadParameter, IllegalMove
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.parameters import cut
from kingmaker.core.rng import stream
from kingmaker.core.turn import Turn, take
from kingmaker.draw.drawing import drawing, spots
from kingmaker.search.random import Random
from kingmaker.web.caps import MOST_TURNS
from kingmaker.web.told import explained

HIDDEN = "a move that you may not see"


class Plain(Table):
    """A table whose rules are never compiled: a single turn is quicker interpreted than the compiler."""

    def take(self, turn: Turn) -> None:
        self.tell(turn)
        take(self.game, self.state, turn)
        self.turns.append(turn)


@dataclass(frozen=True)
class Played:
    """A turn that was played, as the page tells it."""

    turn: Turn
    words: tuple[tuple[int, str], ...]  # who moved, and the move as the person may know it
    values: tuple[float, ...] | None  # what the seats may expect after it
    said: str  # the agent's own sentence
    before: Snapshot
    by_person: bool


def begins(wanted: Sequence[str], clicks: Sequence[str]) -> bool:
    """Do the spots of a move begin with the clicks so far?"""
    return list(wanted[: len(clicks)]) == list(clicks)


class Sitting:
    """One match between people (None) and agents."""

    def __init__(self, game: Game, players: Sequence[Agent | None], seed: int = 0, state: Any = None) -> None:
        if len(players) != game.seats:
            raise BadParameter(f"expected {game.seats} players for {cut(str(game))}, got {len(players)}")
        self.game, self.players, self.seed = game, list(players), seed
        self.people = [seat for seat, player in enumerate(players) if player is None]
        self.table = Plain(game, [player or Random() for player in players], seed, state)
        self.advice = stream(seed, "hint")
        self.played: list[Played] = []
        self.given: dict[int, int] = {}  # moves that people have chosen for this turn
        self.decided: dict[int, Decision] = {}  # what agents have decided in this turn
        self.before: Snapshot | None = None  # the table before the first of them decided
        self.clicks: list[str] = []
        self.resigned: int | None = None
        self.listed: tuple[int, int, int, dict[int, tuple[str, ...]]] | None = None

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.table.mover == OVER or len(self.played) >= MOST_TURNS

    @property
    def chooser(self) -> int | None:
        """The person who is to choose a move now; None if it is an agent's or the dice's turn."""
        if self.over:
            return None
        return next((seat for seat in self.table.acting() if seat in self.people and seat not in self.given), None)

    @property
    def eyes(self) -> int | None:
        """Whose view is drawn: in a game with hidden information a person's; without people all of it."""
        if not self.game.facts.hidden or not self.people or self.table.mover == OVER:
            return None
        chooser = self.chooser
        return self.people[0] if chooser is None else chooser

    @property
    def keeps_values(self) -> bool:
        """May values be shown? Those of a hidden hand would tell a person of it."""
        return not (self.game.facts.hidden and self.people)

    def view(self, seat: int) -> Any:
        """The position in which a seat chooses."""
        return self.table.referee.view(self.table.state, seat)

    def choices(self) -> dict[int, tuple[str, ...]]:
        """The moves of the person who is to choose that fit the clicks so far, with their spots."""
        seat = self.chooser
        if seat is None:
            return {}
        return {move: wanted for move, wanted in self.every(seat).items() if begins(wanted, self.clicks)}

    def every(self, seat: int) -> dict[int, tuple[str, ...]]:
        """All moves of a seat with their spots; they are asked for several times between two turns."""
        state = self.table.state
        if self.listed is None or self.listed[:3] != (id(state), len(self.played), seat):
            view = self.view(seat)
            found = {move: spots(self.game, view, seat, move) for move in self.game.legal(view, seat)}
            self.listed = (id(state), len(self.played), seat, found)
        return self.listed[3]

    def said(self, seat: int, move: int) -> str:
        """A move in words, before it is played."""
        return str(self.game.say(self.view(seat) if seat >= 0 else self.table.state, seat, move))

    def picture(self, theme: str = "auto") -> str:
        """The board as the person may see it, with the spots that can be clicked."""
        at = len(self.clicks)
        lit = {wanted[at] for wanted in self.choices().values() if len(wanted) > at}
        return drawing(self.game, self.table.state, self.eyes, theme=theme, lit=lit, chosen=set(self.clicks))

    def click(self, spot: str) -> list[int]:
        """A spot was clicked: choose the move if only one is meant, else return the moves that all are meant."""
        if self.chooser is None:
            return []
        at = len(self.clicks)
        if spot in self.clicks[-1:] and spot not in {
            wanted[at] for wanted in self.choices().values() if len(wanted) > at
        }:
            self.clicks = []  # the same spot again takes the click back
            return []
        before, self.clicks = self.clicks, [*self.clicks, spot]
        found = self.choices()
        if not found:  # another beginning
            self.clicks = [spot]
            found = self.choices()
            if not found:
                self.clicks = before
                return []
        meant = [move for move, wanted in found.items() if len(wanted) == len(self.clicks)]
        if len(meant) == len(found) == 1:
            self.choose(meant[0])
            return []
        return meant if len(meant) == len(found) else []

    def choose(self, move: int) -> None:
        """The person who is to choose has chosen."""
        seat = self.chooser
        if seat is None:
            raise IllegalMove("no person is to move now; wait for the others")
        if move not in self.every(seat):
            raise IllegalMove(f"{cut(str(move))} is no legal move of seat {seat} here")
        self.given[seat], self.clicks = move, []

    @property
    def thinker(self) -> int | None:
        """The seat whose agent is to decide next in this turn; None if all have decided or the dice are next."""
        if self.over or self.chooser is not None:
            return None
        return next((seat for seat in self.table.acting() if seat not in {*self.given, *self.decided}), None)

    def think(self, watch: Watch | None = None) -> None:
        """Let the next agent decide. Runs in a worker; between two agents of one turn others may have it."""
        seat = self.thinker
        if seat is None:
            raise IllegalMove("no agent is to decide now")
        self.before = self.before or self.table.snapshot()
        with np.errstate(over="ignore"):
            self.decided[seat] = self.table.decide(seat, ask=Ask(watch=watch))

    def advance(self, watch: Watch | None = None) -> Played:
        """Take the next turn: the dice, or what people have chosen and agents have decided."""
        if self.over or self.chooser is not None:
            raise IllegalMove("a person is to choose first, or the match is over")
        while self.thinker is not None:
            self.think(watch)
        table, decisions, before = self.table, self.decided, self.before or self.table.snapshot()
        with np.errstate(over="ignore"):
            if table.mover == CHANCE:
                turn, _ = table.turn()
            else:
                chosen = self.given | {seat: decision.move for seat, decision in decisions.items()}
                turn = tuple((seat, chosen[seat]) for seat in table.acting())
            words = tuple((seat, self.told(seat, move)) for seat, move in turn)
            said = self.sentence(decisions)
            by_person = bool(self.given)
            table.take(turn)
        self.forget()
        played = Played(turn, words, self.values(decisions), said, before, by_person)
        self.played.append(played)
        return played

    def forget(self) -> None:
        """Drop all that belongs to the turn under way."""
        self.given, self.decided, self.clicks, self.before, self.listed = {}, {}, [], None, None

    def told(self, seat: int, move: int) -> str:
        secret = seat >= 0 and bool(self.people) and seat not in self.people
        if secret and self.game.is_secret(self.table.state, seat):
            return HIDDEN
        if seat < 0 and self.people and self.game.facts.hidden:
            return "the dice fall"  # what was drawn is seen by those alone who may
        return self.said(seat, move)

    def sentence(self, decisions: dict[int, Decision]) -> str:
        """What the agents say of their decisions, as far as it tells nothing that is hidden."""
        if not self.keeps_values:
            return ""
        return " ".join(
            explained(self.game, self.view(seat), seat, self.players[seat], decision)
            for seat, decision in decisions.items()
        )

    def values(self, decisions: dict[int, Decision]) -> tuple[float, ...] | None:
        """What the seats may expect: the payoffs at the end, else what an agent found, else the game's estimate."""
        if not self.keeps_values:
            return None
        if self.table.mover == OVER:
            return self.game.payoffs(self.table.state)
        for decision in decisions.values():
            if decision.values is not None:
                return decision.values
        out = np.zeros(self.game.seats)
        with np.errstate(over="ignore"):
            self.game.estimate().value(self.game, self.table.state, out)
        return tuple(out.tolist())

    def hint(self, agent: Agent, watch: Watch | None = None) -> tuple[Any, Decision]:
        """What an agent would play on the person's seat: the position and the decision. Runs in a worker."""
        seat = self.chooser
        if seat is None:
            raise IllegalMove("no person is to move now; wait for the others")
        return self.view(seat), self.table.decide(seat, agent, self.advice, Ask(watch=watch))

    def undo(self) -> bool:
        """Take back the last turn of a person and all after it; without people the last turn. Is there any? A match
        whose hidden cards were shown at its end stays as it is.
        """
        if self.game.facts.hidden and self.people and self.table.mover == OVER:
            return False
        if self.before is not None:
            self.table.set_back(self.before)
        self.forget()
        self.resigned = None
        while self.played:
            last = self.played.pop()
            self.table.set_back(last.before)
            if last.by_person or not self.people:
                return True
        return False

    def resign(self) -> None:
        seat = self.chooser
        self.resigned = self.people[0] if seat is None and self.people else seat

    def result(self) -> str:
        """How the match ended, in words."""
        if self.resigned is not None:
            return f"Seat {self.resigned} resigns."
        if self.table.mover != OVER:
            return f"The match was stopped after {len(self.played)} turns."
        payoffs = self.game.payoffs(self.table.state)
        best = [str(seat) for seat, value in enumerate(payoffs) if value == max(payoffs)]
        who = f"Seat {best[0]} wins" if len(best) == 1 else f"Seats {' and '.join(best)} share the best result"
        return f"{who}; payoffs {', '.join(f'{value:g}' for value in payoffs)}."

    @property
    def moves_text(self) -> str:
        """All turns as one text for a URL; empty where it could tell what is hidden."""
        if self.game.facts.hidden:
            return ""
        return ";".join(",".join(f"{seat}:{move}" for seat, move in each.turn) for each in self.played)

    def replay(self, text: str) -> None:
        """Play the turns of such a text; anything that is not legal is refused."""
        turns = text.split(";") if text else []
        if len(turns) > MOST_TURNS or self.game.facts.hidden:
            raise BadParameter(f"expected at most {MOST_TURNS} turns of a game without hidden information")
        for part in turns:
            try:
                turn = tuple((int(seat), int(move)) for seat, move in (pair.split(":") for pair in part.split(",")))
            except ValueError:
                raise BadParameter(f"expected turns like 0:3;1:2, got '{cut(part)}'") from None
            mover = self.table.mover
            seats = tuple(seat for seat, _ in turn)
            if seats != ((CHANCE,) if mover == CHANCE else tuple(self.table.acting())) or not all(
                self.table.referee.allows(self.table.state, seat, move) for seat, move in turn
            ):
                raise IllegalMove(f"'{cut(part)}' is no legal turn after {len(self.played)} turns")
            before = self.table.snapshot()
            words = tuple((seat, self.told(seat, move)) for seat, move in turn)
            self.table.take(turn)
            by_person = any(seat in self.people for seat in seats)
            self.played.append(Played(turn, words, self.values({}), "", before, by_person))
