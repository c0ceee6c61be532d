"""Text is text: nothing that a file or a person names is taken for markup or for a command to the terminal."""

import json

import pytest
from rich.text import Text

from kingmaker.cli.match import progress
from kingmaker.cli.parts import Screen, new_table, show_labelled
from kingmaker.cli.run import Live, Silence
from kingmaker.cli.voice import FLAGS, flags_behind
from kingmaker.core.plain_text import safe

RED = "\x1b[31mred\x1b[0m"
WRITTEN_OUT = "\\x1b[31mred\\x1b[0m"
EXPERIMENT = """
question = "Is [/foo] as [bold]good[/] as \\u001b[31mred\\u001b[0m, :smile: or \\u009b31m?"
game = "sticks(sticks=4)"

[agents]
"brs[fast]" = "random"
"brs[slow]" = "random"
"\\u001b]0;mine\\u0007" = "random"
"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, größer, 王 ≤ 3", "plain, größer, 王 ≤ 3"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        (RED, WRITTEN_OUT),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb\x08c\x7f", "a\\rb\\x08c\\x7f"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
    ],
)
def test_control_characters_are_written_out_and_all_other_text_stays(text, shown):
    assert safe(text) == shown


@pytest.mark.parametrize("terminal", [True, False])
def test_whatever_a_screen_prints_is_safe(capsys, terminal):
    table = new_table()
    table.add_column(RED)
    table.add_row(f"[/foo] {RED}")
    table.caption = RED
    screen = Screen(force_terminal=terminal, color_system=None, width=60)
    screen.tell(RED, "bold")
    screen.picture(RED)
    screen.prose(f"{RED}\n\n    {RED}")
    screen.table(table)
    screen.print(RED)
    screen.print(Text(RED))
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.count(WRITTEN_OUT) == 9
    assert "[/foo]" in out


def test_columns_stay_even_beside_text_that_was_written_out(capsys):
    table = new_table()
    table.add_column("agent")
    table.add_column("games", justify="right")
    for name in (RED, "plain"):
        table.add_row(name, "7")
    Screen(width=60).table(table)
    assert len({len(line.rstrip()) for line in capsys.readouterr().out.splitlines()}) == 1


@pytest.fixture
def store(run, tmp_path):
    (tmp_path / "x.toml").write_text(EXPERIMENT)
    ran = run("run", str(tmp_path / "x.toml"), "--workers", "1")
    assert ran.code == 0
    return str(tmp_path / "x.db"), ran


def test_an_experiment_of_brackets_and_escapes_is_shown_as_it_is_written(run, store):
    path, ran = store
    for shown in (ran, run("status", path)):
        assert "\x1b" not in shown.out + shown.err
        assert "\x9b" not in shown.out + shown.err
        assert "Is [/foo] as [bold]good[/] as \\x1b[31mred\\x1b[0m, :smile: or \\x9b31m?" in " ".join(shown.out.split())
        assert all(name in shown.out for name in ("brs[fast]", "brs[slow]", "\\x1b]0;mine\\x07"))
    found = run("status", path, "--json").out
    assert "\x9b" not in found
    assert "\x9b31m" in json.loads(found)["question"]


def test_a_record_of_a_stranger_is_shown_safe_and_handed_on_as_it_is(run, store, tmp_path, monkeypatch):
    records = run("export", store[0], "--what", "records").out
    (tmp_path / "x.jsonl").write_text(records.replace("random()", "\\u001b[31mred\\u001b[0m\\u009b"))
    shown = run("replay", str(tmp_path / "x.jsonl"))
    assert f"seat 1: {WRITTEN_OUT}\\x9b\n" in shown.out
    assert "\x1b" not in shown.out
    assert "\x9b" in run("replay", str(tmp_path / "x.jsonl"), "--show", "text").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert "\x9b" not in run("replay", str(tmp_path / "x.jsonl"), "--show", "text").out


def test_faults_and_moves_are_safe_too(refused, run, tmp_path):
    assert "unknown game 'x'" not in refused("decide", f"x{RED}", "random")
    assert WRITTEN_OUT in refused("status", str(tmp_path / RED))
    assert WRITTEN_OUT in run("play", "sticks", "--against", "random", typed=f"{RED}\nquit").out


def test_flags_before_the_command_mean_the_same_as_behind_it():
    assert flags_behind(["-q", "match", "sticks"]) == ["match", "-q", "sticks"]
    assert flags_behind(["match", "sticks", "--quiet"]) == ["match", "sticks", "--quiet"]
    assert flags_behind(["--verbose"]) == []
    assert flags_behind([]) == []


@pytest.mark.parametrize("flag", FLAGS)
def test_every_command_takes_the_flags(run, flag):
    assert run(flag, "games", "sticks").out == run("games", "sticks", flag).out == run("games", "sticks").out


def test_quiet_leaves_out_remarks_and_progress_and_keeps_the_result(run, monkeypatch):
    monkeypatch.setattr("kingmaker.cli.match.EVERY", 0.0)
    command = ("match", "sticks", "random", "greedy", "--games", "5")
    loud, still = run(*command), run(*command, "--quiet")
    assert "of 5 matches, " in loud.err
    assert "a multiple of 6 games is fairer" in loud.out
    assert still.err == ""
    assert "a multiple of 6 games is fairer" not in still.out
    assert "5 matches of sticks, seed 0" in still.out
    aside = ("tree", "sticks", "maxn(depth=6)", "--most", "5")
    assert "only the first 5 nodes" in run(*aside).err
    assert run(*aside, "-q").err == ""


def test_quiet_shows_no_bar_in_a_terminal(run, monkeypatch, capsys):
    monkeypatch.setattr("kingmaker.cli.voice.Voice.level", 0)
    with progress(Screen(force_terminal=True), 3, bar=True) as advance:
        advance()
    assert capsys.readouterr().out == ""


def test_a_quiet_run_tells_only_the_result(run, store, monkeypatch):
    path, _ = store
    monkeypatch.setattr("kingmaker.cli.run.Silence.watch", lambda self, running: seen.append(type(self)))
    seen = []
    again = run(
        "run", path.replace(".db", ".toml"), "--store", path.replace(".db", "2.db"), "--workers", "1", "--quiet"
    )
    assert set(seen) == {Silence}
    assert again.out.startswith("Is [/foo]")
    assert not isinstance(Silence(Screen()), Live)


def test_verbose_tells_where_a_fault_came_from(run):
    ran = run("decide", "sticks", "maxn(depth=0)", "--verbose")
    assert ran.code == 2
    assert "Traceback (most recent call last)" in ran.err
    assert ran.err.endswith(
        "kingmaker: expected a budget of at least 1 for depth, got 0 in maxn(depth=0); "
        "leave it out to search for one second\n"
    )
    assert "kingmaker: version " in ran.err


def test_verbose_and_quiet_do_not_go_together(refused):
    assert refused("games", "--quiet", "--verbose") == "expected --quiet or --verbose, got both"


def test_long_texts_get_labels_and_a_legend(capsys):
    texts = [f"maxn(depth={depth}, estimate='territory', order='history')" for depth in (2, 3)]

    def table_of(shown):
        table = new_table()
        table.add_column("agent", overflow="fold")
        for text in texts:
            table.add_row(shown[text])
        return table

    show_labelled(Screen(width=60), texts, table_of)
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()[2:]] == [
        "maxn(depth=2, …)",
        "maxn(depth=3, …)",
        "maxn(depth=2, …) is maxn(depth=2, estimate='territory', order='history')",
        "maxn(depth=3, …) is maxn(depth=3, estimate='territory', order='history')",
    ]


def test_a_sentence_is_one_line_in_a_file_and_wrapped_in_a_terminal(capsys):
    sentence = "there are 120 matches " * 9
    Screen(width=40).tell(sentence)
    assert capsys.readouterr().out == f"{sentence}\n"
    Screen(width=40, force_terminal=True, color_system=None).tell(sentence)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 40


def test_a_narrow_terminal_gets_the_first_table_that_fits(capsys):
    def table_of(columns):
        def made(shown):
            table = new_table()
            for number in range(columns):
                table.add_column(f"column {number}", no_wrap=True)
            return table

        return made

    show_labelled(Screen(force_terminal=True, color_system=None, width=40), [], *map(table_of, (9, 5, 4, 3, 2)))
    assert capsys.readouterr().out.splitlines()[0].split() == [
        "column",
        "0",
        "column",
        "1",
        "column",
        "2",
        "column",
        "3",
    ]
