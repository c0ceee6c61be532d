"""Exports that other programs and papers can take, whatever the agents and the question are called."""

import csv
import io
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from kingmaker.arena.results.export import in_markdown, in_spreadsheet, match_rows, table_rows, written
from kingmaker.arena.results.latex import escaped, slug, table_lines
from kingmaker.arena.results.standings import standings
from kingmaker.arena.results.store import open_store
from tests.arena.conftest import SMALL
from tests.arena.test_standings import filled

HOSTILE = r"[x] \\ ^ ~ # $ % & _ { } < > | * ` \"q\" -- \n\u001b[31m end"
NAMES = {"ahead": "=1+1", "greedy": f"{HOSTILE}", "random": "@who"}
SWEPT = (
    SMALL.replace("maxn(depth=3)", "maxn(depth={depth})")
    .replace("Does looking ahead help at sticks?", f"Is {HOSTILE} best")
    .replace("12", "{seed}")
    + "[sweep]\ndepth = [1, 2]\nseed = [12, 13]\n"
)


@pytest.fixture
def store(tmp_path, written):
    text = SWEPT
    for name, other in NAMES.items():
        text = re.sub(rf"^{name} =", lambda _, other=other: f'"{other}" =', text, flags=re.MULTILINE)
    filled(tmp_path / "s.db", written(text))
    with open_store(tmp_path / "s.db") as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|x", "'+cmd|x"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("-1.5", "-1.5"),
        ("-1e-05 0.5 -inf", "-1e-05 0.5 -inf"),
        ("+3", "+3"),
        ("plain = text", "plain = text"),
        ("", ""),
    ],
)
def test_no_text_is_a_formula_and_every_number_stays_one(text, shown):
    assert in_spreadsheet(text) == shown


def test_csv_keeps_formulas_away_and_settings_apart_from_columns_of_the_same_name(store):
    table = list(csv.DictReader(io.StringIO("".join(written(table_rows(store), "csv")))))
    assert {row["setting_depth"] for row in table} == {"1", "2"}
    assert {row["depth"] for row in table} == {"3.0"}
    assert {row["agent"] for row in table} >= {"'=1+1", "'@who"}
    assert all(
        float(row["elo"]) == pytest.approx(found.elo) for row, found in zip(table, standings(store).table, strict=True)
    )
    matches = list(csv.DictReader(io.StringIO("".join(written(match_rows(store), "csv")))))
    assert {row["setting_seed"] for row in matches} == {"12", "13"}
    assert len({row["seed"] for row in matches}) == len(matches)


def test_markdown_has_as_many_cells_in_every_row_and_text_is_text(store):
    lines = "".join(written(table_rows(store), "markdown")).splitlines()
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
    assert in_markdown("a|b_c <i> *x*\n&lt; \x1b") == r"a\|b\_c &lt;i&gt; \*x\* &amp;lt; \\x1b"


def test_latex_escapes_every_sign_that_means_something():
    assert escaped(r"\ ^ ~ _ % & # $ { }") == (
        r"\textbackslash{} \textasciicircum{} \textasciitilde{} \_ \% \& \# \$ \{ \}"
    )
    assert escaped("[a] *\n\x1b") == r"{[}a{]} {*} \textbackslash{}x1b"
    assert (slug("Light Bike_2!"), slug("≤")) == ("light-bike-2", "experiment")


def test_the_table_for_a_paper_has_headings_rounded_numbers_and_intervals(store):
    lines = list(table_lines(standings(store), "s"))
    text = "".join(lines)
    assert r"depth & seed & Agent & Games & Share (\%) & 95 \% interval & Elo & Depth & Nodes \\" in text
    assert re.search(
        r"\n1 & 12 & \{?.* & 18 & \d+\.\d & \d+\.\d--\d+\.\d & \$[+-]\d+ \\pm \d+\$ & 3\.0 & \d+ \\\\\n", text
    )
    assert all(
        rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption{Is {[}x{]}", r"\label{tab:s}")
    )
    assert text.count(r"\addlinespace") == 3


def test_ratings_that_are_bounds_or_unknown_are_written_as_such(store):
    found = standings(store)
    first, second, third, *_ = found.table
    rows = [
        replace(first, elo=310.4, elo_error=None, elo_bound=">"),
        replace(second, elo=None, elo_error=None),
        replace(third, elo=-0.2, elo_error=None),
    ]
    text = "".join(table_lines(replace(found, table=rows, missing="6 matches are copies; play --opening 4"), "s"))
    assert "& $> +310$ &" in text
    assert "& -- &" in text
    assert "& $+0$ &" in text
    assert "% 6 matches are copies; play --opening 4\n" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed here")
def test_what_is_exported_compiles(store, tmp_path):
    body = "".join(table_lines(standings(store), "s")) + "".join(written(match_rows(store), "latex"))
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}"
    page = head + f"\\begin{{document}}{body}\\end{{document}}"
    (tmp_path / "paper.tex").write_text(page)
    ran = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:]
