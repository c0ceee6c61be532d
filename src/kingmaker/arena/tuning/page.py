"""The report of a study: one HTML file with the curve over every parameter."""

from importlib import import_module
from pathlib import Path
from typing import Any

from kingmaker.arena.results.plots import picture
from kingmaker.arena.results.report import STYLE, cells, clean, table, text
from kingmaker.arena.tuning.study import Gain, Tuned
from kingmaker.core.errors import BadParameter

WINNER, OTHERS, GREY = "#cf222e", "#1f5fa8", "#888888"


def sentence(tuned: Tuned) -> str:
    """The outcome in one sentence."""
    found = tuned.confirmed
    against = " and ".join(dict.fromkeys(tuned.setting.against))
    said = (
        f"{tuned.winner} wins {100 * found.share:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f}) of its "
        f"matches against {against} on {found.blocks} fresh deals; an even share is {100 * tuned.even:.1f} %"
    )
    if found.low > tuned.even:
        return f"{said}, so it is clearly better."
    return f"{said}, so it is clearly worse." if found.high < tuned.even else f"{said}, so nothing is decided."


def gain_sentence(found: Gain) -> str:
    """The gain over one baseline in one sentence."""
    decided = "a gain" if found.low > 0 else "a loss" if found.high < 0 else "not decided"
    return (
        f"{found.baseline} in its place wins {100 * found.share:.1f} % of the same matches: a difference of "
        f"{100 * found.gain:+.1f} points ({100 * found.low:+.1f} to {100 * found.high:+.1f}) deal by deal, {decided}."
    )


def write_page(tuned: Tuned, path: Path) -> None:
    try:
        altair: Any = import_module("altair")
        import_module("vl_convert")
    except ImportError:
        raise BadParameter("a report needs altair and vl-convert-python; install kingmaker[report]") from None
    names = [each.name for each in tuned.ranges]
    rows = [
        cells(
            [
                *(f"{each.values[name]:g}" for name in names),
                f"{100 * each.share:.1f}",
                f"{100 * each.low:.1f}–{100 * each.high:.1f}",
                each.blocks,
            ]
        )
        for each in tuned.rows
    ]
    parts = [
        f"<h1>{text(tuned.setting.agent)} at {text(tuned.setting.game)}</h1>",
        f'<p class="answer">{text(sentence(tuned))}</p>',
        *(f"<p>{text(gain_sentence(each))}</p>" for each in tuned.gains),
        *(curve(altair, tuned, name) for name in names),
        table([*names, "share %", "95 %", "deals"], rows),
    ]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    whole = f'<!doctype html><html lang="en">{head}<title>Tuning</title><style>{STYLE}</style>{"".join(parts)}</html>\n'
    try:
        path.write_text(whole, encoding="utf-8")
    except OSError as fault:
        raise BadParameter(
            f"cannot write the curves to {path}: {fault.strerror}; name another place with --report"
        ) from None


def curve(altair: Any, tuned: Tuned, name: str) -> str:
    """Share of wins over one parameter, a point for each trial with its interval; the even share as a line."""
    rows = [
        {
            "x": each.values[name],
            "share": each.share,
            "low": each.low,
            "high": each.high,
            "who": "winner" if each is tuned.best else "given up" if each.blocks < tuned.setting.blocks else "trial",
        }
        for each in tuned.trials
    ]
    scale = altair.Scale(domain=["trial", "given up", "winner"], range=[OTHERS, GREY, WINNER])
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("x:Q", title=name), color=altair.Color("who:N", title=None, scale=scale)
    )
    points = base.mark_point(filled=True, size=60).encode(y=altair.Y("share:Q", title="share of wins"))
    errors = base.mark_rule(opacity=0.5).encode(y="low:Q", y2="high:Q")
    even = altair.Chart(altair.Data(values=[{"even": tuned.even}])).mark_rule(strokeDash=[5, 3]).encode(y="even:Q")
    layers = [even, errors, points]
    if len(tuned.ranges) == 1:
        layers.insert(1, base.mark_line(color=OTHERS, opacity=0.4).encode(y="share:Q", color=altair.value(OTHERS)))
    drawn = clean(picture(altair.layer(*layers).properties(width=420, height=260), "svg").decode())
    said = f"Share of wins over {name} on common deals, with 95 % confidence intervals; dashed: an even share."
    return f"<figure>{drawn}<figcaption>{text(said)}</figcaption></figure>"
