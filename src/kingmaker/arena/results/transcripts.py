"""Records of matches that replay to the same states: JSON Lines for programs, and a text form with headers, moves and
comments for people.

    [Game "sticks(sticks=4)"]
    [Seat 0 "maxn(depth=6)"]
    …
    1. 0:3 {0.0 1.0 0.0}
    2. 1:1 {0.0 1.0 0.0}

A line is a turn: `seat:move` with the move as the game writes it, or `=` and the move's number if the text would not be
unique; `*` is the seat of a chance event. Between braces stands the value that the agent expected for every seat.

Reading records from a store runs no code of the game. Replaying them does, and a game in a user's file is run only if
the caller trusts it. Every move is played only after it was found among the legal moves.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

import kingmaker
from kingmaker.arena.results.result import FAILED, FINISHED
from kingmaker.arena.results.store import Store
from kingmaker.arena.table.match import Match
from kingmaker.arena.table.opening import opened
from kingmaker.arena.table.referee import Referee, Turn, referee_of
from kingmaker.core.errors import KingmakerError
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.notation import parse_call
from kingmaker.core.own_files import own_file
from kingmaker.loading import load_game

COLUMNS = "match, variant, block, seed, status, seating, payoffs, hands, vals, ends"
Vector = tuple[float, ...]
Thoughts = list[tuple[Vector | None, ...]]


class BadRecord(KingmakerError):
    """A record that cannot be read, or that does not follow the rules of its game."""


class Untrusted(KingmakerError):
    """A record whose replay would run a game in a user's file that is not trusted."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game that was played, a hand of a match."""

    kingmaker: str = kingmaker.__version__
    game: str
    agents: list[str]  # by seat
    match: int = 0
    hand: int = 0
    seed: int = 0
    start: str = ""  # the first position
    deal: int | None = None  # the seed of the start, where its position is not known as text
    opening: tuple[int, int] | None = None  # of such a start: how many random moves were played first, and their seed
    turns: list[Turn]
    values: Thoughts | None = None  # for every turn, the value vector of each seat that moved
    payoffs: list[float] | None = None  # None: not finished
    final: str = ""  # the last position, if it is known

    def __post_init__(self) -> None:
        if self.values is not None and list(map(len, self.values)) != list(map(len, self.turns)):
            raise BadRecord("expected the agents' values for every move or for none")

    def as_line(self) -> str:
        """One line of JSON."""
        return json.dumps(msgspec.to_builtins(self)) + "\n"

    def as_text(self, game: Game | None = None) -> str:
        """The form for people."""
        heads = [
            ("Kingmaker", self.kingmaker),
            ("Game", self.game),
            *((f"Seat {seat}", agent) for seat, agent in enumerate(self.agents)),
        ]
        heads += [("Match", str(self.match)), ("Hand", str(self.hand)), ("Seed", str(self.seed)), ("Start", self.start)]
        heads += [] if self.deal is None else [("Deal", str(self.deal))]
        heads += [] if self.opening is None else [("Opening", " ".join(map(str, self.opening)))]
        heads += [
            ("Payoffs", " ".join(map(repr, self.payoffs)) if self.payoffs is not None else "*"),
            ("Final", self.final),
        ]
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in heads]
        lines.append("")
        game = game or game_of(self.game)
        for number, (state, turn) in enumerate(replayed(self, game)):
            if turn:
                lines.append(f"{number + 1}. {' '.join(self.move_texts(game, state, number))}")
        return "\n".join(lines) + "\n"

    def move_texts(self, game: Game, state: Any, number: int) -> Iterator[str]:
        for at, (seat, move) in enumerate(self.turns[number]):
            yield f"{'*' if seat == CHANCE else seat}:{move_text(game, state, seat, move)}"
            thought = self.values[number][at] if self.values else None
            if thought is not None:
                yield f"{{{' '.join(map(repr, thought))}}}"


def record_of(game: Game, agents: Sequence[Any], match: Match, start: Any, *, number: int = 0, hand: int = 0) -> Record:
    """The record of a match that began at `start`."""
    referee, state = referee_of(game), game.copy(start)
    for turn in match.turns:
        referee.take(state, turn)
    return Record(
        game=str(game),
        agents=[str(agent) for agent in agents],
        match=number,
        hand=hand,
        seed=match.seed,
        start=game.notation(start),
        turns=list(match.turns),
        values=thoughts(match.values),
        payoffs=list(match.payoffs) if match.finished else None,
        final=game.notation(state),
    )


def thoughts(values: Iterable[tuple[Vector | None, ...]] | None) -> Thoughts | None:
    """The agents' value vectors turn by turn, or None if no agent gave any."""
    kept = [tuple(row) for row in values or ()]
    return kept if any(thought is not None for row in kept for thought in row) else None


def move_text(game: Game, state: Any, seat: int, move: int) -> str:
    """The move as the game writes it if that text is read back as the same move, else its number."""
    if seat == CHANCE:
        return f"={move}"
    said = game.say(state, seat, move)
    try:
        if re.fullmatch(r"[^\s{}=]\S*", said) and "}" not in said and game.parse(state, seat, said) == move:
            return said
    except KingmakerError:
        pass
    return f"={move}"


def game_of(text: str, trust: bool = False) -> Game:
    """The game of a record. A game in a user's file is loaded only if it is trusted, because its code is run."""
    file = own_file(parse_call(text)[0])
    if file is not None and not trust:
        raise Untrusted(
            f"this would run the game in the file '{file.path.resolve()}'; look at what it does, then say --trust"
        )
    return load_game(text)


def replayed(record: Record, game: Game | None = None) -> Iterator[tuple[Any, Turn]]:
    """Every state with the turn that was played on it, the last state with an empty turn; refuses what the rules do not
    allow.
    """
    game = game or game_of(record.game)
    referee, state = referee_of(game), first_state(game, record.start, record.deal, record.opening)
    for number, turn in enumerate(record.turns, 1):
        where = f"in turn {number} of match {record.match} of {record.game}"
        expect_seats(referee, state, [seat for seat, _ in turn], where)
        expect_legal(referee, state, turn, where)
        yield game.copy(state), turn
        referee.take(state, turn)
    over = referee.mover(game, state) == OVER
    if record.payoffs is not None and (not over or list(referee.payoffs(state)) != list(record.payoffs)):
        came = list(referee.payoffs(state)) if over else "no end"
        raise BadRecord(f"the payoffs of match {record.match} are {record.payoffs}, but its moves lead to {came}")
    if record.final and game.notation(state) != record.final:
        raise BadRecord(
            f"match {record.match} ends at '{record.final}', but its moves lead to '{game.notation(state)}'"
        )
    yield state, ()


def first_state(game: Game, start: str, deal: int | None, opening: tuple[int, int] | None) -> Any:
    """The position that a record begins with."""
    if start or deal is None:
        return game.position(start)
    return opened(game, game.new(deal), *opening) if opening else game.new(deal)


def expect_seats(referee: Referee, state: Any, seats: list[int], where: str) -> None:
    """Refuse moves of seats that do not move now."""
    mover = referee.mover(referee.game, state)
    acting = [int(mover)] if mover == CHANCE else [] if mover == OVER else list(referee.game.acting(state))
    if seats != acting:
        raise BadRecord(f"expected moves of the seats {acting} {where}, got {seats}")


def expect_legal(referee: Referee, state: Any, turn: Turn, where: str) -> None:
    """Refuse moves that the rules do not allow, before any of them is played."""
    for seat, move in turn:
        if not referee.allows(state, seat, move):
            raise BadRecord(
                f"{move} of seat {seat} is no legal move {where}{rule_broken(referee.game, state, seat, move)}"
            )


def rule_broken(game: Game, state: Any, seat: int, move: int) -> str:
    """The rule that a move breaks, where the game has a method `breach` that can tell."""
    breach = getattr(game, "breach", None)
    return f": {breach(state, seat, move)}" if breach and seat >= 0 else ""


def stored_records(store: Store, match: int | None = None) -> Iterator[Record]:
    """The records of a store's matches, one for each hand; failed matches have none. No game is made."""
    where = "" if match is None else f" AND match = {int(match)}"
    tables = f"(SELECT * FROM matches JOIN records USING (match) WHERE status != '{FAILED}'{where})"
    for row in store.rows(COLUMNS, tables):
        try:
            records = hands_of(store, *row)
        except KingmakerError:
            raise
        except (ValueError, TypeError, LookupError, RecursionError) as fault:
            raise BadRecord(f"match {row[0]} of {store.path} has no record that can be read: {fault}") from None
        yield from records


def hands_of(
    store: Store, match: int, variant: int, block: int, seed: int, status: str, *texts: str | None
) -> list[Record]:
    """The records of one row, one for each hand."""
    seating, payoffs, hands, values, ends = (json.loads(text or "null") for text in texts)
    setup = store.outline.variants[variant]
    if not hands and payoffs:
        raise BadRecord(
            f"the moves of match {match} are not in {store.path}, which was made of kept matches; play it anew "
            "with kingmaker run, or choose a match that was played since"
        )
    ends = ends or ([payoffs] if status == FINISHED and len(hands) == 1 else [None] * len(hands))
    sums = payoffs if None in ends else [math.fsum(each) for each in zip(*ends, strict=True)]
    if len(sums) != len(payoffs) or any(
        abs(mine - stored) > 1e-9 * max(1.0, abs(stored)) for mine, stored in zip(sums, payoffs, strict=True)
    ):
        raise BadRecord(f"the payoffs of match {match} are {payoffs}, but those of its hands add up to {sums}")
    records = []
    for hand, turns in enumerate(hands):
        data = {
            "game": setup.game_text,
            "agents": [setup.forms[agent] for agent in seating],
            "match": match,
            "hand": hand,
            "seed": seed + hand,
            "turns": turns,
            **started(
                store, variant, block, hand, repeats=1 if texts[-1] is None else store.outline.experiment.repeats
            ),
            "values": values[hand] if values and any(thought for row in values[hand] for thought in row) else None,
            "payoffs": ends[hand],
        }
        records.append(msgspec.convert(data, Record))
    return records


def started(store: Store, variant: int, block: int, hand: int, repeats: int) -> dict[str, Any]:
    """What the store knows of the position with which a hand began; in version 1 every block had a start of its own."""
    outline = store.outline
    query = "SELECT position FROM starts WHERE variant = ? AND block = ? AND hand = ?"
    row = store.connection.execute(query, (variant, block, hand)).fetchone()
    if row and row[0]:
        return {"start": str(row[0])}
    start, positions, moves = block // repeats, outline.experiment.positions, outline.experiment.opening
    if positions and not moves:
        return {"start": positions[start % len(positions)]}
    opening = (moves, outline.opening_seed(start, hand)) if moves else None
    return {"deal": outline.start_seed(start, hand), "opening": opening}
