"""The figures of the report."""

import altair

from kingmaker.repeating import page
from kingmaker.repeating.paper import Cell
from kingmaker.repeating.verdicts import Checked


def drawn(monkeypatch, draw, checked):
    """What a figure draws: for each of its layers the kind of mark and the data."""
    charts = []
    monkeypatch.setattr(page, "framed", lambda chart, column, legend="": charts.append(chart) or "")
    draw(altair, checked, "wins")
    whole = charts[0].to_dict()
    return [(layer["mark"]["type"], layer.get("data", whole.get("data"))["values"]) for layer in whole["layer"]]


def checked(row, ours, printed=None):
    return Checked(Cell(row=row, printed=printed, column="wins"), ours, ours - 0.1, ours + 0.1, "", 0)


def test_a_curve_runs_over_the_numbers_of_the_rows_and_marks_what_is_printed(monkeypatch):
    rows = [checked("mix_0", 0.2), checked("mix_25", 0.4, 0.45), checked("maxn", 0.3, 0.35)]
    band, line, level, dots, cross = drawn(monkeypatch, page.curve, rows)
    assert (band[0], line[0], level[0], dots[0], cross[0]) == ("area", "line", "rule", "rule", "point")
    assert [(each["row"], each["x"], each["value"]) for each in line[1]] == [("mix", 0, 0.2), ("mix", 25, 0.4)]
    assert [(each["row"], each["value"]) for each in level[1]] == [("maxn", 0.3)]
    assert [(each["row"], each["value"]) for each in dots[1]] == [("maxn", 0.35)]
    assert [(each["x"], each["value"]) for each in cross[1]] == [(25, 0.45)]


def test_bars_show_ours_and_what_is_printed_in_the_order_of_the_table(monkeypatch):
    bars, intervals, ticks = drawn(monkeypatch, page.bars, [checked("b", 0.5, 0.4), checked("a", 0.3)])
    assert (bars[0], intervals[0], ticks[0]) == ("bar", "rule", "tick")
    shown = [(each["row"], each["who"], each["value"]) for each in ticks[1]]
    assert shown == [("b", "ours", 0.5), ("b", "printed", 0.4), ("a", "ours", 0.3)]
