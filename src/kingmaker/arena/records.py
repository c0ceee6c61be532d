"""Records of matches that replay to the same states: JSON Lines for programs, and a text form with headers, moves and comments for people.

    [Game "sticks(sticks=4)"]
    [Seat 0 "maxn(depth=6)"]
    …
    1. 0:3 {0.0 1.0 0.0}
    2. 1:1 {0.0 1.0 0.0}

A line is a turn, `seat:move` with the move as the game says it, or `=` and its number where the words are not clear; `*` are the dice.
Between braces stands what the agent expected for every seat.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

import kingmaker
from kingmaker.arena.match import Match
from kingmaker.arena.play import FAILED, start_state
from kingmaker.arena.rules import Turn, rules_of
from kingmaker.arena.schedule import schedule_of
from kingmaker.arena.store import Store, open_store
from kingmaker.core.errors import KingmakerError
from kingmaker.core.files import reading, text_of
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.loading import load_game

HEADER = re.compile(r'\[(\w+)(?: (\d+))? ("(?:[^"\\]|\\.)*")\]')
TOKEN = re.compile(r"(\d+\.(?=\s|$))|\{([^}]*)\}|(\*|\d+):(\S+)|(\S+)")
SQLITE = b"SQLite format 3"
Vector = tuple[float, ...]


class BadRecord(KingmakerError):
    """A record that is no match of its game."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game that was played, a hand of a match."""

    kingmaker: str = kingmaker.__version__
    game: str
    agents: list[str]  # by seat
    match: int = 0
    hand: int = 0
    seed: int = 0
    start: str  # the first position
    turns: list[Turn]
    values: list[tuple[Vector | None, ...]] | None = None  # one vector a seat of a turn
    payoffs: list[float] | None = None  # None: not finished
    final: str = ""  # the last position

    def as_line(self) -> str:
        """One line of JSON."""
        return json.dumps(msgspec.to_builtins(self)) + "\n"

    def as_text(self) -> str:
        """The form for people."""
        heads = [("Kingmaker", self.kingmaker), ("Game", self.game), *((f"Seat {seat}", agent) for seat, agent in enumerate(self.agents))]
        heads += [("Match", str(self.match)), ("Hand", str(self.hand)), ("Seed", str(self.seed)), ("Start", self.start)]
        heads += [("Payoffs", " ".join(map(repr, self.payoffs)) if self.payoffs is not None else "*"), ("Final", self.final)]
        lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in heads]
        lines.append("")
        game = load_game(self.game)
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
    rules, state = rules_of(game), game.copy(start)
    for turn in match.turns:
        rules.take(state, turn)
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


def thoughts(values: Iterable[tuple[Vector | None, ...]] | None) -> list[tuple[Vector | None, ...]] | None:
    """What agents expected, or None where nobody said anything."""
    kept = [tuple(row) for row in values or ()]
    return kept if any(thought is not None for row in kept for thought in row) else None


def move_text(game: Game, state: Any, seat: int, move: int) -> str:
    """The move in the game's words if these lead back to it, else its number."""
    if seat == CHANCE:
        return f"={move}"
    said = game.say(state, seat, move)
    try:
        if re.fullmatch(r"[^\s{}=]\S*", said) and "}" not in said and game.parse(state, seat, said) == move:
            return said
    except KingmakerError:
        pass
    return f"={move}"


def replayed(record: Record, game: Game | None = None) -> Iterator[tuple[Any, Turn]]:
    """Every state with the turn that was played on it, the last with an empty one; refuses what the rules do not allow."""
    game = game or load_game(record.game)
    rules, state = rules_of(game), game.position(record.start)
    for number, turn in enumerate(record.turns, 1):
        acting = [CHANCE] if rules.mover(game, state) == CHANCE else game.acting(state)
        if [seat for seat, _ in turn] != acting:
            raise BadRecord(f"expected moves of the seats {acting} in turn {number} of match {record.match}, got {list(turn)}")
        for seat, move in turn:
            if move not in rules.listed(state, seat):
                raise BadRecord(f"{move} of seat {seat} is no legal move in turn {number} of match {record.match} of {record.game}")
        yield game.copy(state), turn
        rules.take(state, turn)
    over = rules.mover(game, state) == OVER
    if record.payoffs is not None and (not over or list(rules.payoffs(state)) != list(record.payoffs)):
        came = list(rules.payoffs(state)) if over else "no end"
        raise BadRecord(f"the payoffs of match {record.match} are {record.payoffs}, but its moves lead to {came}")
    if record.final and game.notation(state) != record.final:
        raise BadRecord(f"match {record.match} ends at '{record.final}', but its moves lead to '{game.notation(state)}'")
    yield state, ()


def stored_records(store: Store, match: int | None = None) -> Iterator[Record]:
    """The records of a store's matches, one a hand; failed matches have none."""
    schedule = schedule_of(store.experiment.as_text())
    where = "" if match is None else f" AND match = {int(match)}"
    tables = f"(SELECT * FROM matches JOIN records USING (match) WHERE status != '{FAILED}'{where})"
    for number, hands, values in store.rows("match, hands, vals", tables):
        task = schedule.task(number)
        variant = schedule.variants[task.variant]
        expected = json.loads(values) if values else None
        for hand, turns in enumerate(json.loads(hands)):
            start = start_state(schedule, task, hand)
            rules, state = rules_of(variant.game), start_state(schedule, task, hand)
            for turn in turns:
                rules.take(state, tuple(map(tuple, turn)))
            over = rules.mover(variant.game, state) == OVER
            yield Record(
                game=variant.game_text,
                agents=[str(variant.agents[agent]) for agent in task.seating],
                match=number,
                hand=hand,
                seed=task.seed + hand,
                start=variant.game.notation(start),
                turns=[tuple((seat, move) for seat, move in turn) for turn in turns],
                values=None if expected is None else thoughts(msgspec.convert(expected[hand], list[tuple[Vector | None, ...]])),
                payoffs=list(rules.payoffs(state)) if over else None,
                final=variant.game.notation(state),
            )


def read_records(path: Path, match: int | None = None) -> Iterator[Record]:
    """The records in a file of either form, or in a store."""
    with reading(path, BadRecord), path.open("rb") as file:
        opening = file.read(len(SQLITE))
    if opening == SQLITE:
        with open_store(path) as store:
            yield from stored_records(store, match)
        return
    text = text_of(path, BadRecord)
    records = from_lines(text, path) if text.lstrip()[:1] == "{" else from_text(text, path)
    yield from (record for record in records if match is None or record.match == match)


def from_lines(text: str, path: Path) -> Iterator[Record]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield msgspec.convert(json.loads(line), Record)
            except (json.JSONDecodeError, msgspec.ValidationError) as fault:
                raise BadRecord(f"line {number} of {path} is no record: {fault}") from None


def from_text(text: str, path: Path) -> Iterator[Record]:
    """Records in the form for people, one after the other."""
    heads: dict[str, str] = {}
    body: list[str] = []
    for number, line in enumerate([*text.splitlines(), '[Kingmaker ""]'], 1):
        header = HEADER.fullmatch(line.strip())
        if header and body and heads:
            yield parsed(heads, " ".join(body), path)
            heads, body = {}, []
        if header:
            heads[header[1] if header[2] is None else f"{header[1]} {header[2]}"] = json.loads(header[3])
        elif line.strip():
            if not heads:
                raise BadRecord(
                    f"line {number} of {path} is no record: expected a header like [Game \"sticks\"], got '{line.strip()[:40]}'"
                )
            body.append(line)


def parsed(heads: dict[str, str], body: str, path: Path) -> Record:
    """One record from its headers and moves."""
    for name in ("Game", "Start", "Seat 0"):
        if name not in heads:
            raise BadRecord(f"the header '{name}' is missing in {path}")
    game = load_game(heads["Game"])
    rules, state = rules_of(game), game.position(heads["Start"])
    turns: list[Turn] = []
    values: list[tuple[Vector | None, ...]] = []
    for words in turns_of(body, path):
        turn = tuple((seat, move_of(game, state, seat, said)) for seat, said, _ in words)
        values.append(tuple(thought for _, _, thought in words))
        rules.take(state, turn)
        turns.append(turn)
    payoffs = heads.get("Payoffs", "*")
    return Record(
        kingmaker=heads.get("Kingmaker", ""),
        game=heads["Game"],
        agents=[heads[name] for name in (f"Seat {seat}" for seat in range(game.seats)) if name in heads],
        match=int(heads.get("Match", 0)),
        hand=int(heads.get("Hand", 0)),
        seed=int(heads.get("Seed", 0)),
        start=heads["Start"],
        turns=turns,
        values=thoughts(values),
        payoffs=None if payoffs == "*" else [float(word) for word in payoffs.split()],
        final=heads.get("Final", ""),
    )


def turns_of(body: str, path: Path) -> Iterable[list[tuple[int, str, Vector | None]]]:
    """The turns of a record's moves: seat, words and thought of each."""
    turns: list[list[tuple[int, str, Vector | None]]] = []
    for number, comment, seat, said, other in TOKEN.findall(body):
        if number:
            turns.append([])
        elif not turns or other or (comment and not turns[-1]):
            raise BadRecord(f"expected a turn like '1. 0:move' in {path}, got '{other or comment or said}'")
        elif seat:
            turns[-1].append((CHANCE if seat == "*" else int(seat), said, None))
        else:
            turns[-1][-1] = (*turns[-1][-1][:2], tuple(float(word) for word in comment.split()))
    return turns


def move_of(game: Game, state: Any, seat: int, said: str) -> int:
    if said.startswith("="):
        try:
            return int(said[1:])
        except ValueError:
            raise BadRecord(f"expected a number after '=', got '{said}'") from None
    return game.parse(state, seat, said)


__all__ = ["BadRecord", "Record", "read_records", "record_of", "replayed", "stored_records"]
