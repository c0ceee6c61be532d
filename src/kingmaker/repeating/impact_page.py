"""Opponent impact as a plot, with the value that the source printed."""

from importlib import import_module
from pathlib import Path
from typing import Any

from kingmaker.arena.results.plots import picture
from kingmaker.arena.results.report import STYLE, clean, text
from kingmaker.core.errors import BadParameter
from kingmaker.core.game import Game
from kingmaker.probe.impact import advice
from kingmaker.repeating.paper import papers


def printed_for(game: Game) -> float | None:
    """The opponent impact that the source printed for a game; None if it printed none."""
    name = str(game).partition("(")[0]
    for paper in papers().values():
        for table in paper.tables.values():
            for cell in table.cells:
                if cell.column == "impact" and cell.row == name:
                    return cell.printed
    return None


def write_page(title: str, found: dict[str, Any], printed: float | None, path: Path, seats: int = 3) -> None:
    """Write the HTML file: one bar for every estimate, rule, player and phase, with its interval."""
    try:
        altair: Any = import_module("altair")
        import_module("vl_convert")
    except ImportError:
        raise BadParameter("a report needs altair and vl-convert-python; install kingmaker[report]") from None
    rows = [
        {"what": f"{estimate}: {phase}", "rule": rule, **counts}
        for estimate, by_rule in found.items()
        for rule, each in by_rule.items()
        for phase, counts in {"all states": each["states"], **each["players"], **each["phases"]}.items()
        if counts["share"] is not None
    ]
    order = list(dict.fromkeys(row["what"] for row in rows))
    base = altair.Chart(altair.Data(values=rows)).encode(
        y=altair.Y("what:N", title=None, sort=order, axis=altair.Axis(labelLimit=320)),
        yOffset=altair.YOffset("rule:N"),
        color=altair.Color("rule:N", title=None),
    )
    scale = altair.Scale(domain=[0, 1])
    bars = base.mark_bar(opacity=0.4).encode(x=altair.X("share:Q", title="influential states", scale=scale))
    chart = bars + base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q")
    said = "Share of the states in which the mover can influence another seat, with 95 % intervals over matches"
    if printed is not None:
        line = altair.Chart(altair.Data(values=[{"printed": printed}]))
        chart = chart + line.mark_rule(color="#cf222e", strokeDash=[5, 3]).encode(x="printed:Q")
        said += f"; dashed: the source printed {printed:.2f}"
    drawn = clean(picture(chart.properties(width=420), "svg").decode())
    told = [
        f"<p>By {text(name)}: {text(advice(each['distinct']['states']['share'] or 0.0, seats))}</p>"
        for name, each in found.items()
    ]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    whole = (
        f'<!doctype html><html lang="en">{head}<title>Opponent impact</title><style>{STYLE}</style>'
        f"<h1>{text(title)}</h1><figure>{drawn}<figcaption>{text(said)}.</figcaption></figure>{''.join(told)}</html>\n"
    )
    try:
        path.write_text(whole, encoding="utf-8")
    except OSError as fault:
        raise BadParameter(
            f"cannot write the plot to {path}: {fault.strerror}; name another place with --report"
        ) from None
