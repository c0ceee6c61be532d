"""The plots of a report: shares and ratings with their intervals, shares over a setting, wins of the seats."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from kingmaker.arena.results.answer import setting_text
from kingmaker.arena.results.labels import labels
from kingmaker.arena.results.standings import Standings
from kingmaker.core.errors import BadParameter
from kingmaker.core.plain_text import safe

LONGEST = 28  # letters of a label
DASHES, GREY = [5, 4], "#777777"
# where the name of a setting stands
ABOVE = {"labelAngle": 0, "labelOrient": "top", "labelAnchor": "start", "labelLimit": 600}


@dataclass(frozen=True)
class Plot:
    """A picture with the sentence that belongs under it."""

    name: str  # of its file
    chart: Any
    caption: str


def plots(found: Standings) -> Iterator[Plot]:
    """All plots of a report."""
    try:
        alt: Any = import_module("altair")
        import_module("vl_convert")
    except ImportError:
        raise BadParameter("a report needs altair and vl-convert-python; install kingmaker[report]") from None
    several = len({setting_text(row.settings) for row in found.table}) > 1
    shown = labels((str(text) for row in found.table for text in (row.agent, *row.settings.values())), LONGEST)
    rows = plotted(found, shown)
    yield Plot(
        "share",
        bars(alt, rows, several, "share", "share of wins", equal=True),
        "Share of wins of each agent with its 95 % confidence interval; a win shared by k seats counts 1/k for each. "
        "The dashed line is the share that everyone would have if all were equally strong.",
    )
    yield Plot(
        "rating",
        bars(alt, [row for row in rows if row["elo"] is not None], several, "elo", "Elo, Plackett-Luce"),
        "Rating of each agent by the Plackett-Luce model on the scale of Elo, with its 95 % confidence interval. "
        "The mean of all agents is 0, and 400 points are odds of ten to one. A triangle is a bound: "
        "an agent that never won is rated to the left of it, an agent that never lost to the right.",
    )
    settings = found.table[0].settings if found.table else {}
    for name in settings:
        if all(is_number(row.settings[name]) for row in found.table):
            over = [
                row | {"x": standing.settings[name], "setting": axis_text(standing.settings, shown, name)}
                for row, standing in zip(rows, found.table, strict=True)
            ]
            yield Plot(
                f"sweep-{re.sub(r'[^A-Za-z0-9_]+', '_', name)}",
                swept(alt, over, name, len(settings) > 1),
                f"Share of wins over the setting {name}, with 95 % confidence intervals.",
            )
    yield Plot(
        "seats",
        seats(alt, found, several, shown),
        "How often each seat was the only winner of a match, whichever agent sat on it; "
        "the dashed line is the value of every seat if all were equally good.",
    )


def plotted(found: Standings, shown: dict[str, str]) -> list[dict[str, Any]]:
    """One row for each agent under each setting, with labels for the axes."""
    size = {setting_text(each["settings"]): len(each["wins"]) for each in found.seats}
    return [
        {
            "agent": safe(shown[row.agent]),
            "setting": axis_text(row.settings, shown),
            "equal": 1 / size[setting_text(row.settings)],
            "share": row.share,
            "share_low": row.share_interval[0],
            "share_high": row.share_interval[1],
            "elo": row.elo,
            "elo_low": None if row.elo is None else row.elo - 1.96 * (row.elo_error or 0.0),
            "elo_high": None if row.elo is None else row.elo + 1.96 * (row.elo_error or 0.0),
            "sign": {"<": "triangle-left", ">": "triangle-right"}.get(row.elo_bound, "circle"),
        }
        for row in found.table
    ]


def bars(alt: Any, rows: list[dict[str, Any]], several: bool, field: str, title: str, equal: bool = False) -> Any:
    """A point for each agent, with its confidence interval; the best agent on top."""
    best = {row["agent"]: max(each[field] for each in rows if each["agent"] == row["agent"]) for row in rows}
    base = alt.Chart().encode(
        y=alt.Y("agent:N", title=None, sort=sorted(best, key=lambda name: -best[name]), axis=alt.Axis(labelLimit=320))
    )
    line = base.mark_rule(strokeWidth=2).encode(
        x=alt.X(f"{field}_low:Q", title=title, scale=alt.Scale(zero=False)), x2=f"{field}_high:Q"
    )
    signs = alt.Shape("sign:N", scale=None) if field == "elo" else alt.value("circle")
    chart = line + base.mark_point(filled=True, opacity=1, size=60).encode(x=f"{field}:Q", shape=signs)
    if equal:
        chart = alt.Chart().mark_rule(strokeDash=DASHES, color=GREY).encode(x="equal:Q") + chart
    chart = alt.layer(*chart.layer, data=alt.Data(values=rows)).properties(width=420)
    return chart.facet(row=alt.Row("setting:N", title=None, header=ABOVE)) if several else chart


def axis_text(settings: dict[str, Any], shown: dict[str, str], without: str = "") -> str:
    """The settings with short labels; all of them, or all but one."""
    return safe(setting_text({key: shown[str(value)] for key, value in settings.items() if key != without}))


def swept(alt: Any, rows: list[dict[str, Any]], name: str, several: bool) -> Any:
    """Shares over one setting; each combination of the other settings has its own panel."""
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=safe(name)), color=alt.Color("agent:N", legend=alt.Legend(labelLimit=320))
    )
    band = base.mark_area(opacity=0.2).encode(y=alt.Y("share_low:Q", title="share of wins"), y2="share_high:Q")
    line = base.mark_line(point=True).encode(y="share:Q")
    chart = alt.layer(band, line, data=alt.Data(values=rows)).properties(width=420, height=260)
    return chart.facet(row=alt.Row("setting:N", title=None, header=ABOVE)) if several else chart


def seats(alt: Any, found: Standings, several: bool, shown: dict[str, str]) -> Any:
    """How often each seat won alone."""
    rows = [
        {
            "setting": axis_text(each["settings"], shown),
            "seat": str(seat),
            "rate": wins / games if games else 0.0,
            "equal": sum(each["wins"]) / max(1, games) / len(each["wins"]),
        }
        for each in found.seats
        for seat, (wins, games) in enumerate(zip(each["wins"], each["games"], strict=True))
    ]
    base = alt.Chart()
    bar = base.mark_bar().encode(
        x=alt.X("seat:N", axis=alt.Axis(labelAngle=0)), y=alt.Y("rate:Q", title="sole wins a match")
    )
    line = base.mark_rule(strokeDash=DASHES, color=GREY).encode(y="equal:Q")
    chart = alt.layer(bar, line, data=alt.Data(values=rows)).properties(width=240, height=160)
    return chart.facet(row=alt.Row("setting:N", title=None, header=ABOVE)) if several else chart


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and abs(value) < float("inf")


def picture(chart: Any, form: str) -> bytes:
    convert: Any = import_module("vl_convert")
    text = chart.to_json()
    if form == "svg":
        return str(convert.vegalite_to_svg(text)).encode()
    return bytes(convert.vegalite_to_png(text, scale=2))
