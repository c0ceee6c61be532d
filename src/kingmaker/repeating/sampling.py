"""Taking the samples of a table: one search or one match for each row and start, kept in a file as they come."""

import json
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from kingmaker.arena.table.match import play_match
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter
from kingmaker.core.game import Game
from kingmaker.core.guard import interpret
from kingmaker.loading import load_agent, load_game
from kingmaker.probe.impact import measure, over_plans
from kingmaker.repeating.samples import Found, Sample, Samples

RECORD = 2_000_000  # nodes of a recorded tree whose leaves are counted
EVERY = 5.0  # seconds between two writes
made_agent: Callable[[str], Agent] = lru_cache(maxsize=64)(load_agent)


@lru_cache(maxsize=32)
def made_game(text: str, interpreted: bool) -> Game:
    game = load_game(text)
    if interpreted:
        interpret(game)
    return game


def observe(samples: Samples, label: str, start: int) -> tuple[float, float]:
    """One observation: an amount, and what it is out of."""
    row = samples.rows[label]
    game, agent, seed = (
        made_game(samples.game_of(label), samples.interpreted),
        made_agent(row.agent),
        samples.seed + start,
    )
    if samples.measure == "evaluations":
        return float(evaluations(agent, game, seed)), 1.0
    if samples.measure == "payoff":
        others = [made_agent(row.against)] * (game.seats - 1)
        return float(play_match(game, [agent, *others], seed).payoffs[0]), 1.0
    return influential(row, game, agent, seed)


def evaluations(agent: Agent, game: Game, seed: int) -> int:
    """Evaluations of a search of the start, those of its last iteration alone: all less those of one ply less."""
    depth = agent.settings["depth"]
    if not isinstance(depth, int) or depth < 2:
        raise BadParameter(f"expected a search of at least depth 2 to count its evaluations, got {agent}")
    return counted(agent, game, seed) - counted(agent.changed(depth=depth - 1), game, seed)


def counted(agent: Agent, game: Game, seed: int) -> int:
    """Evaluations of all iterations: as the search itself counted them, or else the leaves of its recorded trees."""
    state = game.new(seed)
    notes: dict[str, Any] = agent.decide(game, state).notes
    if "evaluations" in notes:
        return int(notes["evaluations"])
    total = 0
    for depth in range(1, agent.settings["depth"] + 1):
        tree = agent.changed(depth=depth).decide(game, state, ask=Ask(record=RECORD)).tree
        assert tree is not None
        if not tree.complete:
            raise BadParameter(f"the tree of {agent} has more than {RECORD:,} nodes; count at a smaller depth")
        total += len(tree) - len(set(tree.nodes["parent"][1:].tolist()))
    return total


def influential(row: Sample, game: Game, agent: Agent, seed: int) -> tuple[float, float]:
    """Influential states of those met in the matches of one start. Every start stands for two matches."""
    game, agent = over_plans(game, agent)
    estimate = game.estimate(row.estimate) if row.estimate else game.estimates[0]
    impact = measure(game, estimate, [agent] * game.seats, 2, 2 * seed)[row.rule]
    counts = impact.phases.get(row.phase) if row.phase else impact.states
    return (float(sum(counts.hits)), float(counts.total)) if counts is not None else (0.0, 0.0)


def identity_of(samples: Samples) -> str:
    """A text that is equal for two files of samples if their observations are the same; more starts only add some."""
    kept: dict[str, Any] = msgspec.to_builtins(samples)
    for key in ("question", "starts", "sums", "interpreted"):
        kept.pop(key, None)
    return json.dumps(kept, sort_keys=True)


def stored(samples: Samples, path: Path) -> Found | None:
    """What is kept of a table of samples; None if nothing is."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        raise BadParameter(f"{path} cannot be read as samples; move it away and take them again") from None
    if kept["identity"] != identity_of(samples):
        raise BadParameter(f"{path} holds samples of another table; name another folder with --results")
    return Found(samples, {label: [tuple(pair) for pair in pairs] for label, pairs in kept["pairs"].items()})


def sample(samples: Samples, path: Path, starts: int, seconds: float | None = None) -> Found:
    """Take samples until every row has so many starts, or the time is over; what is kept is not taken again."""
    found = stored(samples, path)
    pairs = found.pairs if found else {label: [] for label in samples.rows}
    began = written = time.monotonic()
    for start in range(min(map(len, pairs.values())), starts):
        for label, known in pairs.items():
            if len(known) <= start:
                known.append(observe(samples, label, start))
        now = time.monotonic()
        if now - written > EVERY:
            write(samples, pairs, path)
            written = now
        if seconds is not None and now - began > seconds and start > 0:
            break
    write(samples, pairs, path)
    return Found(samples, pairs)


def write(samples: Samples, pairs: Any, path: Path) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps({"identity": identity_of(samples), "pairs": pairs}), encoding="utf-8")
    beside.replace(path)
