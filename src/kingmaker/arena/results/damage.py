"""Finds what is damaged in a store that could not be read: a slow check of every row, made only after an error."""

import json
import math
import sqlite3
from typing import TYPE_CHECKING, Any

from kingmaker.core.errors import KingmakerError

if TYPE_CHECKING:
    from kingmaker.arena.results.store import Store

COLUMNS = "match, variant, block, seed, status, seating, payoffs, efforts, culprit, hands, vals"
WORDS = 3 * 8  # bytes of a seat's efforts


def damage_in(store: "Store") -> str:
    """The first fault found; empty if there is none."""
    try:
        for (sentence,) in store.connection.execute("PRAGMA quick_check(1)"):
            if sentence != "ok":
                return " ".join(str(sentence).replace("*** in database main ***", "").split())
        outline = store.outline
        for row in store.rows(COLUMNS, "matches LEFT JOIN records USING (match)"):
            fault = fault_of(row, outline.variants)
            if fault:
                return f"match {row[0]} has {fault}"
    except (sqlite3.Error, KingmakerError) as fault:
        return str(fault)
    return ""


def fault_of(row: tuple[Any, ...], variants: Any) -> str:
    """What is wrong with one match."""
    _, variant, block, seed, status, seating, payoffs, efforts, culprit, hands, values = row
    if not isinstance(variant, int) or not 0 <= variant < len(variants):
        return f"the setting {variant!r}"
    if not (is_count(block) and is_count(seed)):
        return f"the block {block!r} and the seed {seed!r}"
    seats, agents = variants[variant].seats, len(variants[variant].names)
    if status not in ("finished", "unfinished", "failed"):
        return f"the status {status!r}"
    table = read(seating)
    if (
        not isinstance(table, list)
        or len(table) != seats
        or not all(is_count(agent) and agent < agents for agent in table)
    ):
        return f"the seating {seating!r}"
    if culprit is not None and not (is_count(culprit) and culprit < seats):
        return f"the culprit {culprit!r}"
    if not isinstance(read(hands), list) or (values is not None and not isinstance(read(values), list)):
        return "a record that cannot be read"
    if status == "failed":
        return ""
    numbers = read(payoffs)
    if not isinstance(numbers, list) or len(numbers) != seats or not all(map(is_finite, numbers)):
        return f"the payoffs {payoffs!r}"
    return "" if isinstance(efforts, bytes) and len(efforts) == seats * WORDS else "efforts that cannot be read"


def read(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None


def is_count(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


def is_finite(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)
