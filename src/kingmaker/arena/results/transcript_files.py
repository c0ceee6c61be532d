"""Reading records of matches from JSON Lines, from the text form, and from stores."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import msgspec

from kingmaker.arena.results.store import open_store
from kingmaker.arena.results.transcripts import (
    BadRecord,
    Record,
    Vector,
    expect_legal,
    expect_seats,
    first_state,
    game_of,
    stored_records,
    thoughts,
)
from kingmaker.arena.table.referee import Turn, referee_of
from kingmaker.core.files import reading
from kingmaker.core.game import CHANCE, Game

HEADER = re.compile(r'\[(\w+)(?: (\d+))? ("(?:[^"\\]|\\.)*")\]')
TOKEN = re.compile(r"(\d+\.(?=\s|$))|\{([^}]*)\}|(\*|[0-9]{1,9}):(\S+)|(\S+)")
SQLITE = b"SQLite format 3"
LONGEST = 2**26  # letters of one record


def read_records(path: Path, match: int | None = None, *, trust: bool = False) -> Iterator[Record]:
    """The records in a file or in a store. The text form is read with the game's rules, so a game in a user's file
    needs `trust`.
    """
    with reading(path, BadRecord), path.open(encoding="utf-8") as file:
        if file.buffer.peek(len(SQLITE))[: len(SQLITE)] == SQLITE:  # type: ignore[attr-defined]
            with open_store(path) as store:
                yield from stored_records(store, match)
            return
        lines = numbered(file, path)
        first = next(lines, (0, ""))
        kind = from_lines if first[1].lstrip()[:1] == "{" else from_text
        records = kind(chained(first, lines), path, trust)
        yield from (record for record in records if match is None or record.match == match)


def numbered(file: TextIO, path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their numbers; refuses one that has no end."""
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        if len(line) == LONGEST:
            raise BadRecord(f"line {number} of {path} is no record: it is longer than {LONGEST} letters")
        if line.strip():
            yield number, line


def chained(first: tuple[int, str], rest: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    if first[0]:
        yield first
    yield from rest


def from_lines(lines: Iterator[tuple[int, str]], path: Path, _trust: bool) -> Iterator[Record]:
    for number, line in lines:
        try:
            yield msgspec.convert(json.loads(line), Record)
        except (ValueError, RecursionError) as fault:
            raise BadRecord(f"line {number} of {path} is no record: {fault}") from None


def from_text(lines: Iterator[tuple[int, str]], path: Path, trust: bool) -> Iterator[Record]:
    """Records in the form for people, one after the other."""
    heads: dict[str, str] = {}
    body: list[str] = []
    length = 0
    for number, line in lines:
        length += len(line)
        header = HEADER.fullmatch(line.strip())
        if header and body:
            yield parsed(heads, " ".join(body), path, trust)
            heads, body, length = {}, [], len(line)
        if header:
            try:
                heads[header[1] if header[2] is None else f"{header[1]} {header[2]}"] = json.loads(header[3])
            except ValueError as fault:
                raise BadRecord(f"line {number} of {path} is no header: {fault}") from None
        elif not heads:
            raise BadRecord(
                f"line {number} of {path} is no record: expected a header "
                f"like [Game \"sticks\"], got '{line.strip()[:40]}'"
            )
        else:
            body.append(line)
        if length > LONGEST:
            raise BadRecord(
                f"line {number} of {path} belongs to no record: the record would be longer than {LONGEST} letters"
            )
    if heads:
        yield parsed(heads, " ".join(body), path, trust)


def parsed(heads: dict[str, str], body: str, path: Path, trust: bool) -> Record:
    """One record from its headers and moves."""
    for name in ("Game", "Start", "Seat 0"):
        if name not in heads:
            raise BadRecord(f"the header '{name}' is missing in {path}")
    match, hand, seed = (whole(heads, name, path) for name in ("Match", "Hand", "Seed"))
    deal = whole(heads, "Deal", path) if "Deal" in heads else None
    payoffs = heads.get("Payoffs", "*")
    opening = (whole(heads, "Opening", path, 0), whole(heads, "Opening", path, 1)) if "Opening" in heads else None
    game = game_of(heads["Game"], trust)
    referee, state = referee_of(game), first_state(game, heads["Start"], deal, opening)
    turns: list[Turn] = []
    values: list[tuple[Vector | None, ...]] = []
    for number, words in enumerate(turns_of(body, path), 1):
        where = f"in turn {number} of match {match} in {path}"
        expect_seats(referee, state, [seat for seat, _, _ in words], where)
        turn = tuple((seat, move_of(game, state, seat, said)) for seat, said, _ in words)
        expect_legal(referee, state, turn, where)
        values.append(tuple(thought for _, _, thought in words))
        referee.take(state, turn)
        turns.append(turn)
    return Record(
        kingmaker=heads.get("Kingmaker", ""),
        game=heads["Game"],
        agents=[heads[name] for name in (f"Seat {seat}" for seat in range(game.seats)) if name in heads],
        match=match,
        hand=hand,
        seed=seed,
        start=heads["Start"],
        deal=deal,
        opening=opening,
        turns=turns,
        values=thoughts(values),
        payoffs=None if payoffs == "*" else list(numbers(payoffs, path)),
        final=heads.get("Final", ""),
    )


def whole(heads: dict[str, str], name: str, path: Path, at: int = 0) -> int:
    """A whole number in a header; `at` is its place if the header has several."""
    try:
        return int(heads[name].split()[at]) if name in heads else 0
    except (ValueError, IndexError):
        raise BadRecord(f"expected a whole number in the header '{name}' of {path}, got '{heads[name][:40]}'") from None


def numbers(text: str, path: Path) -> Vector:
    try:
        return tuple(float(word) for word in text.split())
    except ValueError:
        raise BadRecord(f"expected one number a seat in {path}, got '{text[:40]}'") from None


def turns_of(body: str, path: Path) -> Iterable[list[tuple[int, str, Vector | None]]]:
    """The turns in a record's text: the seat, the text and the value vector of each move."""
    turns: list[list[tuple[int, str, Vector | None]]] = []
    for number, comment, seat, said, other in TOKEN.findall(body):
        if number:
            turns.append([])
        elif not turns or other or (comment and not turns[-1]):
            raise BadRecord(f"expected a turn like '1. 0:move' in {path}, got '{other or comment or said}'")
        elif seat:
            turns[-1].append((CHANCE if seat == "*" else int(seat), said, None))
        else:
            turns[-1][-1] = (*turns[-1][-1][:2], numbers(comment, path))
    return turns


def move_of(game: Game, state: Any, seat: int, said: str) -> int:
    if said.startswith("="):
        try:
            return int(said[1:])
        except ValueError:
            raise BadRecord(f"expected a number after '=', got '{said}'") from None
    return game.parse(state, seat, said)
