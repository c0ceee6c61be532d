"""Draw `pictures/gain_over_impact.svg`: does MP-Mix gain more where opponents can be influenced more?

Every game has a record of `kingmaker tune … --baseline … --json` and one of `kingmaker impact … --json` in `tuning/`.
Their numbers are written to `tuning/gain.csv`, one row for each game and baseline, and drawn from there. It needs the
extra `report`.
"""

import csv
import json
from itertools import permutations
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
RECORDS = DOCS / "tuning"
TABLE = RECORDS / "gain.csv"
PICTURE = DOCS / "pictures" / "gain_over_impact.svg"
COLUMNS = ("game", "over", "impact", "impact_low", "impact_high", "gain", "low", "high", "deals")


def rows() -> list[dict[str, Any]]:
    """What the records say: the gain of the tuned MP-Mix in points of the share of wins, on fresh deals."""
    found = []
    for path in sorted(RECORDS.glob("impact_*.json")):
        name = path.stem.removeprefix("impact_")
        (by_rule,) = json.loads(path.read_text())["estimates"].values()
        states = by_rule["distinct"]["states"]
        for each in json.loads((RECORDS / f"{name}.json").read_text())["gains"]:
            found.append(
                {
                    "game": name,
                    "over": "paranoid" if "paranoid" in each["baseline"] else "maxn",
                    "impact": round(states["share"], 4),
                    "impact_low": round(states["low"], 4),
                    "impact_high": round(states["high"], 4),
                    "gain": round(100 * each["gain"], 2),
                    "low": round(100 * each["low"], 2),
                    "high": round(100 * each["high"], 2),
                    "deals": each["blocks"],
                }
            )
    return found


def correlation(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Spearman's rank correlation, and the exact share of all orders in which it is at least as high."""
    from scipy.stats import rankdata

    first, second = (rankdata(column) - (len(pairs) + 1) / 2 for column in zip(*pairs, strict=True))
    scale = float((first @ first * (second @ second)) ** 0.5)
    ours = float(first @ second)
    orders = [float(first @ list(order)) for order in permutations(second)]
    return ours / scale, sum(each >= ours - 1e-9 for each in orders) / len(orders)


def picture(table: list[dict[str, Any]]) -> str:
    """Two plots side by side: the gain over MaxN and over Paranoid, with intervals in both directions."""
    import altair

    from kingmaker.arena.results.plots import picture as drawn
    from kingmaker.arena.results.report import clean

    x = altair.X("impact:Q", title="opponent impact", scale=altair.Scale(domain=[0, 1]))
    y = altair.Y("gain:Q", title="gain in points of the share of wins")
    sides = []
    for over, title in (("maxn", "over MaxN"), ("paranoid", "over Paranoid")):
        base = altair.Chart(altair.Data(values=[row for row in table if row["over"] == over]))
        zero = altair.Chart(altair.Data(values=[{"zero": 0}])).mark_rule(strokeDash=[5, 3]).encode(y="zero:Q")
        layers = (
            zero,
            base.mark_rule(opacity=0.5).encode(x=x, y="low:Q", y2="high:Q"),
            base.mark_rule(opacity=0.5).encode(x="impact_low:Q", x2="impact_high:Q", y=y),
            base.mark_point(filled=True, size=50).encode(x=x, y=y),
            base.transform_filter("datum.impact < 0.5")
            .mark_text(align="left", dx=6, dy=-7)
            .encode(x=x, y=y, text="game:N"),
            base.transform_filter("datum.impact >= 0.5")
            .mark_text(align="right", dx=-6, dy=-7)
            .encode(x=x, y=y, text="game:N"),
        )
        sides.append(altair.layer(*layers).properties(width=380, height=300, title=title))
    return clean(drawn(altair.hconcat(*sides).resolve_scale(y="shared"), "svg").decode())


def write() -> None:
    table = rows()
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
    PICTURE.write_text(picture(table), encoding="utf-8")
    for over in ("maxn", "paranoid"):
        rank, chance = correlation([(row["impact"], row["gain"]) for row in table if row["over"] == over])
        print(f"over {over}: rank correlation {rank:+.2f}, as high or higher in {100 * chance:.0f} % of all orders")


if __name__ == "__main__":
    write()
