"""The plot of MP-Mix's gain over opponent impact is that of the records, and so are the thresholds of the estimates."""

import csv
import json
import math
import re
import runpy
from pathlib import Path

import pytest

from kingmaker import load_agent, load_game

ROOT = Path(__file__).resolve().parents[2]
GAIN = runpy.run_path(str(ROOT / "docs" / "draw_gain.py"))
RECORDS = {path.stem: json.loads(path.read_text()) for path in GAIN["RECORDS"].glob("*.json")}
TUNED = {name: record for name, record in RECORDS.items() if not name.startswith("impact_")}


def test_the_table_holds_what_the_records_say():
    with GAIN["TABLE"].open(encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    assert written == [{key: str(value) for key, value in row.items()} for row in GAIN["rows"]()]
    assert {row["game"] for row in written} <= set(TUNED)


def test_the_picture_names_every_game():
    drawn = GAIN["PICTURE"].read_text()
    for name in {row["game"] for row in GAIN["rows"]()}:
        assert drawn.count(f">{name}<") == 2


@pytest.mark.parametrize(
    ("pairs", "rank", "chance"),
    [
        ([(1, 10), (2, 20), (3, 30)], 1, 1 / 6),
        ([(1, 30), (2, 20), (3, 10)], -1, 1),
        ([(1, 1), (2, 1), (3, 1), (4, 2)], 0.7746, 1 / 4),
    ],
)
def test_the_rank_correlation_is_spearmans(pairs, rank, chance):
    assert GAIN["correlation"](pairs) == pytest.approx((rank, chance), abs=1e-4)


@pytest.mark.parametrize("name", sorted(name for name, record in TUNED.items() if "trials" in record))
def test_an_estimate_states_thresholds_exactly_if_its_run_confirmed_a_gain(name):
    """Of the winner on fresh deals, over MaxN in its place."""
    record = TUNED[name]
    game = load_game(record["game"])
    search = re.search(r"mp_mix\([^()]*\)", record["winner"])[0]
    agent = load_agent(search)
    stated = tuple(map(float, game.estimate(agent.estimate).tuned))
    (over_maxn,) = (each for each in record["gains"] if "maxn" in each["baseline"])
    assert stated == ((agent.td, agent.to) if over_maxn["low"] > 0 else (math.inf, math.inf))
