"""Stores that an earlier version of Kingmaker wrote: they are read as if they had today's format, and the next
coordinator converts them to it.

Version 1 stored no starts, no payoffs of single hands and nothing of the agents but their texts, and it accepted
payoffs that are not finite numbers. Matches with such payoffs count as failed.
"""

import json
import sqlite3

from kingmaker.arena.experiment.declaration import Experiment, Setting, Setup, agent_of, filled, timed
from kingmaker.arena.results.tally import number_of
from kingmaker.core.errors import KingmakerError
from kingmaker.loading import load_game

SPOILT = "(status = 'finished' AND payoffs GLOB '*[NI]*')"  # NaN, Infinity and -Infinity, as JSON in Python has them
OWN_FILE = ".py"
STARTS = """CREATE TABLE starts (
    variant INTEGER, block INTEGER, hand INTEGER, position TEXT NOT NULL, PRIMARY KEY (variant, block, hand)
) WITHOUT ROWID"""
FAULT = "'the payoffs are not finite numbers'"


def shown_as_today(connection: sqlite3.Connection) -> None:
    """Views of the old tables with the columns and the meaning that they have today; nothing is written to the
    store.
    """
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.create_function("line_of", 1, line_of, deterministic=True)
    connection.execute(
        f"""CREATE TEMP VIEW matches AS SELECT match, variant, block, seed,
            CASE WHEN {SPOILT} THEN 'failed' ELSE status END AS status,
        seating, CASE WHEN {SPOILT} THEN '[]' ELSE payoffs END AS payoffs, efforts,
        CASE WHEN {SPOILT} THEN {FAULT} ELSE fault END AS fault, culprit, code, line_of(hands) AS line
        FROM main.matches LEFT JOIN main.records USING (match)"""
    )
    connection.execute("CREATE TEMP VIEW records AS SELECT match, hands, vals, NULL AS ends FROM main.records")
    connection.execute("CREATE TEMP TABLE starts (variant INTEGER, block INTEGER, hand INTEGER, position TEXT)")
    add_positions(connection)


def line_of(hands: str | None) -> int:
    """The hash of a match's turns, from its record."""
    return number_of(hands or "")


def add_positions(connection: sqlite3.Connection) -> None:
    """The starts of an experiment that lists its positions, which were played in turn."""
    (text,) = connection.execute("SELECT value FROM meta WHERE key = 'experiment'").fetchone() or ("{}",)
    positions = json.loads(text).get("starts")
    if isinstance(positions, list) and positions:
        rows = connection.execute("SELECT DISTINCT variant, block FROM matches").fetchall()
        connection.executemany(
            "INSERT INTO starts VALUES (?, ?, 0, ?)",
            [(variant, block, positions[block % len(positions)]) for variant, block in rows],
        )


def mended(connection: sqlite3.Connection, version: int) -> None:
    """Convert the tables to today's format."""
    connection.execute(f"UPDATE matches SET status = 'failed', payoffs = '[]', fault = {FAULT} WHERE {SPOILT}")
    connection.create_function("line_of", 1, line_of, deterministic=True)
    connection.execute("ALTER TABLE matches ADD COLUMN line INTEGER NOT NULL DEFAULT 0")
    connection.execute(
        "UPDATE matches SET line = line_of((SELECT hands FROM records WHERE records.match = matches.match))"
    )
    connection.execute("ALTER TABLE records ADD COLUMN ends TEXT")
    connection.execute(STARTS)
    add_positions(connection)
    connection.execute(f"PRAGMA user_version = {version}")


def told_setups(experiment: Experiment, connection: sqlite3.Connection) -> list[Setup]:
    """The setups of a store that keeps none; the number of seats is taken from its matches."""
    found = []
    for number, settings in enumerate(experiment.variants):
        row = connection.execute("SELECT seating FROM matches WHERE variant = ? LIMIT 1", (number,)).fetchone()
        game_text = filled(experiment.game, settings, "game")
        agents = [agent_text(experiment, name, settings) for name in experiment.agents]
        found.append(
            Setup(
                settings=settings,
                game_text=game_text,
                seats=len(json.loads(row[0])) if row else seats_of(game_text, len(agents)),
                names=list(experiment.agents),
                forms=[form for form, _ in agents],
                reproducible=all(steady for _, steady in agents),
            )
        )
    return found


def agent_text(experiment: Experiment, name: str, settings: dict[str, Setting]) -> tuple[str, bool]:
    """The full text of an agent, and whether it had no budget of seconds; code in a user's file is not run for this."""
    text = filled(experiment.agents[name], settings, f"agents.{name}")
    if OWN_FILE in text:
        return text, True
    try:
        agent = agent_of(experiment, name, settings)
    except KingmakerError:
        return text, True  # in that version the agent had other parameters
    return str(agent), not timed(agent)


def seats_of(game_text: str, agents: int) -> int:
    """The number of seats if no match was played yet; for a game in a user's file, which is not run, the number of
    agents.
    """
    try:
        return agents if OWN_FILE in game_text else load_game(game_text).seats
    except KingmakerError:
        return agents
