"""`kingmaker tune`: ranges in texts, trials over common deals, and the winner on fresh ones."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from kingmaker.arena.results.store import StoreFault
from kingmaker.arena.tuning import kept, page, study
from kingmaker.arena.tuning.kept import opened
from kingmaker.arena.tuning.page import sentence
from kingmaker.arena.tuning.ranges import filled_in, ranges_in
from kingmaker.arena.tuning.study import Gain, Setting, Tried, Tuned, scores, tune
from kingmaker.cli import main
from kingmaker.core.errors import BadParameter, KingmakerError, UnknownName

ROOT = Path(__file__).resolve().parents[2]
STICKS = "sticks(sticks=7)"


def setting(agent="maxn(depth=1..6)", **changes):
    given = {"game": STICKS, "against": ("random",), "blocks": 4, "seed": 5, "interpreted": True}
    return Setting(agent, **given | changes)


def test_ranges_are_read_from_anywhere_in_a_text():
    text = "pimc(mp_mix(td=0..50, to=-2.5..3.0, depth=3), td=1..2)"
    found = ranges_in(text)
    assert [(each.name, each.low, each.high, each.whole) for each in found] == [
        ("td", 0, 50, True),
        ("to", -2.5, 3.0, False),
        ("td#2", 1, 2, True),
    ]
    assert filled_in(text, {"td": 25.0, "to": 0.5, "td#2": 2}) == "pimc(mp_mix(td=25, to=0.5, depth=3), td=2)"


def test_values_are_spaced_from_end_to_end():
    whole, any_number = ranges_in("x(a=0..10, b=0.0..1.0)")
    assert whole.spaced(3) == [0, 5, 10]
    assert whole.spaced(100) == list(range(11))
    assert any_number.spaced(3) == [0, 0.5, 1]
    assert any_number.spaced(1) == [0]


def test_a_text_without_a_range_or_with_an_empty_one_is_refused():
    with pytest.raises(BadParameter, match=r"nothing is left open in maxn; write a range such as td=0\.\.50"):
        ranges_in("maxn")
    with pytest.raises(BadParameter, match=r"expected a range from a lower to a higher number, got 5\.\.5 for td"):
        ranges_in("mp_mix(td=5..5)")
    with pytest.raises(BadParameter, match=r"cannot read the range 1\.\. of depth in maxn\(depth=1\.\.\); write one"):
        ranges_in("maxn(depth=1..)")


def test_ranges_may_have_spaces_and_exponents_but_a_path_is_none():
    (only,) = ranges_in("../mine.py(file=../x.txt, weight=1e-3 .. 2)")
    assert (only.name, only.low, only.high, only.whole) == ("weight", 0.001, 2, False)
    assert only.written(0.0123456789) == "0.0123457"


def test_the_tuned_agent_sits_on_every_seat_of_every_deal():
    experiment = setting(against=("random", "greedy"), opening=2).experiment("maxn(depth=6)", 5)
    assert experiment.opening == 2
    assert experiment.lineup == ["tuned", "other0", "other1"]
    found = list(scores(experiment))
    assert len(found) == 4
    assert all(round(3 * score, 9) in (0, 1, 2, 3) for score in found)  # one match from each of three seats


def test_all_trials_play_the_same_deals_and_the_winner_plays_others(tmp_path, monkeypatch):
    seeds = []
    monkeypatch.setattr(
        study, "scores", lambda experiment, first=0: seeds.append(experiment.seed) or iter([0.5] * experiment.blocks)
    )
    tune(setting(), tmp_path / "s.db", trials=3, confirm=6)
    assert seeds[:3] == [5, 5, 5]
    assert seeds[3] not in (5, 6, 7, 8)


def test_a_study_goes_on_finds_the_best_and_confirms_it(tmp_path, monkeypatch):
    """The made-up score is best at 4; worse settings are given up after the first deals."""

    def made_up(experiment, first=0):
        depth = int(re.search(r"depth=(\d+)", experiment.agents["tuned"])[1])
        return iter([(9 - abs(depth - 4)) / 10 + 0.001 * (deal % 3) for deal in range(experiment.blocks)])

    monkeypatch.setattr(study, "scores", made_up)
    wide, store = setting("maxn(depth=1..9)", blocks=30), tmp_path / "s.db"
    first = tune(wide, store, trials=2, confirm=6)
    found = tune(wide, store, trials=16, confirm=6)
    assert len(found.trials) == 16
    assert found.trials[:2] == first.trials
    assert found.winner == "maxn(depth=4)"
    assert found.best.blocks == 30
    assert found.confirmed.blocks == 6
    assert min(each.blocks for each in found.trials) == study.FIRST  # some were given up early
    assert all(each.values["depth"] != 4 for each in found.trials if each.blocks < 30)


def test_a_grid_tries_every_combination_once_and_gives_nothing_up(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "scores", lambda experiment, first=0: iter([0.5] * experiment.blocks))
    text = "mp_mix(depth=1..3, td=0.0..1.0)"
    found = tune(setting(text, grid=3, game="random_tree"), tmp_path / "s.db", trials=1, confirm=2)
    assert sorted(tuple(each.values.values()) for each in found.trials) == [
        (depth, td) for depth in (1, 2, 3) for td in (0.0, 0.5, 1.0)
    ]
    assert {each.blocks for each in found.trials} == {4}


def test_a_store_of_another_study_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "scores", lambda experiment, first=0: iter([0.5] * experiment.blocks))
    tune(setting(), tmp_path / "s.db", trials=1, confirm=2)
    with pytest.raises(BadParameter, match="holds a study of something else; name another file with --store"):
        tune(setting(seed=6), tmp_path / "s.db", trials=1, confirm=2)


def test_too_few_trials_or_deals_are_refused(tmp_path):
    with pytest.raises(BadParameter, match="expected at least 1 trial, got 0"):
        tune(setting(), tmp_path / "s.db", trials=0, confirm=2)
    with pytest.raises(BadParameter, match="expected at least 2 fresh deals, got 1"):
        tune(setting(), tmp_path / "s.db", trials=1, confirm=1)
    with pytest.raises(BadParameter, match="expected at least 0 values of a grid, got -2"):
        tune(setting(grid=-2), tmp_path / "s.db", trials=1, confirm=2)
    with pytest.raises(BadParameter, match="expected at least 0 random moves of an opening, got -1"):
        tune(setting(opening=-1), tmp_path / "s.db", trials=1, confirm=2)
    with pytest.raises(UnknownName, match="unknown agent 'nobody'; did you mean"):
        tune(setting(baselines=("nobody",)), tmp_path / "s.db", trials=1, confirm=2)


def test_a_place_where_no_study_can_be_kept_is_refused(tmp_path):
    (tmp_path / "text.db").write_text("this is a text, and it is longer than the head of a database")
    with pytest.raises(
        BadParameter, match=r"cannot keep a study in .*: file is not a database; name another file with"
    ):
        tune(setting(), tmp_path / "text.db", trials=1, confirm=2)
    with pytest.raises(StoreFault, match=r"cannot write to the folder of .*; name a store elsewhere with --store"):
        tune(setting(), tmp_path / "no" / "s.db", trials=1, confirm=2)
    with (
        opened("x", ranges_in("maxn(depth=1..2)"), 0, tmp_path / "s.db"),
        pytest.raises(StoreFault, match="is in use by another coordinator; wait for it, or stop it"),
    ):
        tune(setting(), tmp_path / "s.db", trials=1, confirm=2)


def test_a_killed_study_goes_on_with_the_deal_that_was_being_played(tmp_path):
    """Sessions that SIGKILL ends after one deal and after ten more play together what one session plays."""
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom kingmaker.arena.tuning import study\n"
        "from tests.arena.test_tuning import setting\nplain, left = study.scores, [int(sys.argv[2])]\n"
        "def counted(experiment, first=0):\n    for score in plain(experiment, first):\n"
        "        if not left[0]:\n            os.kill(os.getpid(), 9)\n        left[0] -= 1\n        yield score\n"
        "study.scores = counted\n"
        "study.tune(setting(blocks=3, grid=3), Path(sys.argv[1]), trials=1, confirm=3)\n"
    )
    for deals in ("1", "10"):
        ended = subprocess.run([sys.executable, "-c", code, tmp_path / "s.db", deals], cwd=ROOT, check=False)
        assert ended.returncode == -signal.SIGKILL
    with opened(setting(blocks=3, grid=3).identity(), ranges_in("maxn(depth=1..6)"), 5, tmp_path / "s.db") as found:
        assert len(found.finished()) == 3  # of nine deals, and two fresh ones
    asked = []
    together = tune(setting(blocks=3, grid=3), tmp_path / "s.db", trials=1, confirm=3, told=asked.append)
    assert len(asked) == 1  # only the last fresh deal was missing
    assert asked[0].startswith("fresh deal 3 of 3")
    alone = tune(setting(blocks=3, grid=3), tmp_path / "alone.db", trials=1, confirm=3)
    assert (together.trials, together.confirmed) == (alone.trials, alone.confirmed)


def test_values_that_were_tried_are_not_played_again(tmp_path, monkeypatch):
    asked = []

    def made_up(experiment, first=0):
        for _ in range(first, experiment.blocks):
            asked.append(experiment.agents["tuned"])
            yield 0.5

    monkeypatch.setattr(study, "scores", made_up)
    found = tune(setting("maxn(depth=1..2)"), tmp_path / "s.db", trials=6, confirm=2)
    assert len(found.trials) == 6
    assert len(found.rows) == 2
    assert len(asked) == 2 * 4 + 2


def test_a_missing_extra_is_named_with_the_command_that_installs_it(tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(kept, "import_module", missing)
    monkeypatch.setattr(page, "import_module", missing)
    with pytest.raises(BadParameter, match=r"tuning needs optuna; install it with: pip install kingmaker\[tune\]"):
        tune(setting(), tmp_path / "s.db", trials=1, confirm=2)
    with pytest.raises(BadParameter, match=r"a report needs altair and vl-convert-python; install kingmaker"):
        page.write_page(outcome(0.5, 0.4, 0.6), tmp_path / "x.html")


def test_a_match_that_fails_ends_the_study(tmp_path):
    (tmp_path / "broken.py").write_text(
        "import kingmaker\n\n\nclass Broken(kingmaker.Agent):\n"
        "    def choose(self, game, state, rng, ask):\n        raise RuntimeError('out of order')\n"
    )
    with pytest.raises(KingmakerError, match=r"a match of the study failed: .*out of order"):
        tune(setting(against=(str(tmp_path / "broken.py"),)), tmp_path / "s.db", trials=1, confirm=2)


def outcome(share, low, high):
    one = Tried({"depth": 4.0}, share, low, high, 10)
    return Tuned(setting(), ranges_in("maxn(depth=1..6)"), [one], "maxn(depth=4)", one, one, 1 / 3, [])


def test_the_sentence_says_whether_the_winner_is_better():
    assert sentence(outcome(0.5, 0.4, 0.6)).endswith("an even share is 33.3 %, so it is clearly better.")
    assert sentence(outcome(0.2, 0.1, 0.3)).endswith("so it is clearly worse.")
    assert sentence(outcome(0.35, 0.3, 0.4)).endswith("so nothing is decided.")


def test_the_command_prints_the_winner_and_writes_the_curve(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["tune", "maxn(depth=1..6)", STICKS, "--against", "random", "--interpreted", "--blocks", "3"]
    more = ["--trials", "2", "--confirm", "2"]
    assert main([*command, *more, "--report", "curve.html"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"maxn\(depth=\d\) wins .* of its matches against random on 2 fresh deals", out)
    whole = (tmp_path / "curve.html").read_text()
    assert whole.count("<svg") == 1
    assert "Share of wins over depth on common deals" in whole
    assert main([*command, *more, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["trials"]) == 2
    assert main([*command, *more, "--report", "no/x.html"]) == 2
    assert "cannot write the curves to no/x.html" in capsys.readouterr().err


def test_a_trial_is_given_up_only_if_it_is_clearly_worse_deal_by_deal():
    best = [0.5, 0.6, 0.7] * 5
    lower = [score - 0.1 for score in best]
    assert not study.worse(lower[: study.FIRST - 1], best)
    assert study.worse(lower[: study.FIRST], best)
    assert not study.worse(best, best)
    assert not study.worse([score + 0.1 * (-1) ** deal for deal, score in enumerate(best)], best)
    assert not study.worse(lower, [])


def test_a_baseline_plays_the_fresh_deals_in_the_winners_place(tmp_path, capsys):
    both = setting("maxn(depth=5..6)", baselines=("random", "maxn(depth=6)"))
    found = tune(both, tmp_path / "s.db", trials=1, confirm=6)
    fresh = msgspec.structs.replace(both.experiment("random", 5 + study.FRESH), starts=6)
    theirs = list(scores(fresh))
    assert [each.baseline for each in found.gains] == ["random", "maxn(depth=6)"]
    assert found.gains[0].share == pytest.approx(sum(theirs) / 6)
    assert found.gains[0].gain == pytest.approx(found.confirmed.share - found.gains[0].share)
    assert found.gains[0].low < found.gains[0].gain < found.gains[0].high
    again = tune(both, tmp_path / "s.db", trials=1, confirm=6)
    assert again == found


def test_fresh_deals_that_were_played_are_not_played_again(tmp_path, monkeypatch):
    asked = []

    def made_up(experiment, first=0):
        asked.append((experiment.agents["tuned"], first, experiment.blocks))
        return iter([0.5] * (experiment.blocks - first))

    monkeypatch.setattr(study, "scores", made_up)
    tune(setting("maxn(depth=5..6)"), tmp_path / "s.db", trials=1, confirm=4)
    winner = asked[-1][0]
    tune(setting("maxn(depth=5..6)"), tmp_path / "s.db", trials=1, confirm=7)
    assert asked[-1] == (winner, 4, 7)


def test_the_gain_is_told_in_a_sentence():
    assert page.gain_sentence(Gain("maxn", 0.3, 0.1, 0.02, 0.18, 50)) == (
        "maxn in its place wins 30.0 % of the same matches: a difference of +10.0 points (+2.0 to +18.0) "
        "deal by deal, a gain."
    )
    assert page.gain_sentence(Gain("maxn", 0.3, -0.1, -0.2, -0.05, 50)).endswith("deal by deal, a loss.")
    assert page.gain_sentence(Gain("maxn", 0.3, 0.1, -0.02, 0.2, 50)).endswith("deal by deal, not decided.")
