"""Experiments in TOML: what they mean, and how a wrong one is told."""

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from kingmaker.arena.experiment.declaration import BadExperiment, experiment_from, read_experiment, variant_of
from kingmaker.arena.experiment.schedule import Schedule
from kingmaker.arena.running.worker import start_state
from kingmaker.core.errors import BadParameter
from tests.arena.conftest import SMALL

SWEPT = (
    SMALL.replace('"maxn(depth=3)"', '"maxn(depth={d})"')
    + """
[sweep]
d = [1, 2, 3]

[[expect]]
agent = "ahead"
above = 0.4
where = { d = 3 }
"""
)


def test_a_file_is_read_and_its_line_gives_it_back(small):
    assert small.agents["ahead"] == "maxn(depth=3)"
    assert experiment_from(small.as_text()) == small


def test_infinity_survives_the_way_to_a_worker(written):
    experiment = written(SWEPT.replace("above = 0.4", "below = inf"))
    assert experiment_from(experiment.as_text()).expect[0].below == float("inf")


def test_a_sweep_makes_every_combination_once(written):
    experiment = written(SWEPT)
    assert experiment.variants == [{"d": 1}, {"d": 2}, {"d": 3}]
    assert [str(variant_of(experiment, settings).agents[0]) for settings in experiment.variants] == [
        "maxn(depth=1)",
        "maxn(depth=2)",
        "maxn(depth=3)",
    ]


def test_the_common_budget_goes_to_agents_that_name_none(written):
    experiment = written(SMALL.replace('greedy = "greedy"', 'other = "paranoid"') + "[budget]\nnodes = 50\n")
    variant = variant_of(experiment, {})
    assert [str(agent) for agent in variant.agents] == ["maxn(depth=3)", "paranoid(nodes=50)", "random()"]
    assert variant.reproducible


@pytest.mark.parametrize("agent", ["maxn(seconds=0.1)", "maxn"])
def test_a_budget_of_seconds_is_known_not_to_be_reproducible(written, agent):
    assert not variant_of(written(SMALL.replace("maxn(depth=3)", agent)), {}).reproducible


def test_question_expectations_and_more_starts_leave_the_identity_as_it_is(written):
    first = written()
    assert written(SMALL.replace("starts = 3", "starts = 9").replace("Does", "Really, does")).identity == first.identity
    assert written(SMALL.replace("seed = 7", "seed = 8")).identity != first.identity
    assert written(SMALL.replace("depth=3", "depth=4")).identity != first.identity


STOP = "[stop]\nagent = '{}'\nnull = {}\nalternative = {}\n"
HUGE = 9223372036854775807
WRONG = [
    (SMALL.replace("starts = 3", "limits.seconds = inf"), r"expected 'float' <= 31622400.0 at limits.seconds in"),
    (SMALL.replace("starts = 3", "limits.seconds = nan"), r"expected 'float' > 0.0 at limits.seconds in"),
    (SMALL.replace("starts = 3", "limits.seconds = 1e300"), r"expected 'float' <= 31622400.0 at limits.seconds in"),
    (SMALL.replace("starts = 3", "budget.seconds = inf"), r"expected 'float' <= 31622400.0 at budget.seconds in"),
    (SMALL.replace("starts = 3", "points = inf"), r"expected 'float' <= 1e\+?300 at points in"),
    (
        SMALL.replace("starts = 3", "points = 20.5"),
        r'leave out hands and points and write game = "series\(sticks\(seats=3, sticks=12\), points=20.5\)"',
    ),
    (SMALL.replace("starts = 3", "hands = 6"), r"a match of several hands is a game of its own; leave out hands"),
    (SMALL.replace("starts = 3", f"starts = {HUGE}"), r"expected 'int' <= 9007199254740992 at starts"),
    (SMALL.replace("starts = 3", f"repeats = {HUGE}"), r"expected 'int' <= 9007199254740992 at repeats"),
    (SMALL.replace("starts = 3", f"hands = {HUGE}0000"), r"expected 'int' <= 9007199254740992 at hands"),
    (SMALL.replace("starts = 3", f"limits.turns = {HUGE}0000"), r"expected 'int' <= 9007199254740992 at limits.turns"),
    (
        SMALL.replace("starts = 3", f"limits.attempts = {HUGE}0000"),
        r"expected 'int' <= 9007199254740992 at limits.attempts",
    ),
    (SMALL.replace("starts = 3", f"budget.nodes = {HUGE}0000"), r"expected 'int' <= 9007199254740992 at budget.nodes"),
    (
        SMALL.replace("depth=3", "depth={a/b}") + "[sweep]\n'a/b' = [1]\n",
        r"expected a name of letters, digits, _ and - at sweep, got 'a/b'",
    ),
    (
        SMALL.replace("depth=3", "depth={..}") + "[sweep]\n'..' = [1]\n",
        r"expected a name of letters, digits, _ and - at sweep, got '..'",
    ),
    (
        SMALL.replace("depth=3", "depth={d}") + "[sweep]\nd = [1, nan]\n",
        r"expected numbers or texts at sweep.d, got nan",
    ),
    (
        SMALL.replace("depth=3", "depth={d}") + f"[sweep]\nd = {list(range(1, 20_000))}\n",
        r"expected at most 10000 combinations of settings at sweep; leave some out",
    ),
    (SMALL + "[[expect]]\nagent = 'ahead'\nprinted = nan\n", r"expected a number at expect\[0\].printed, got nan"),
    (SMALL + STOP.format("ahead", "nan", 0.5), r"expected a finite number at stop.null, got nan"),
    (SMALL + STOP.format("ahead", 0.5, "inf"), r"expected a finite number at stop.alternative, got inf"),
    (
        SMALL + STOP.format("ahead", 0.5, "-inf") + "scale = 'elo'\n",
        r"expected a finite number at stop.alternative, got -inf",
    ),
    (SMALL + STOP.format("ahead", 0.3, 0.5) + "alpha = nan\n", r"expected 'float' > 0.0 at stop.alpha"),
    ("startz = 3\n" + SMALL, r"unknown key 'startz'; did you mean starts, .*\? in "),
    (SMALL + "[limits]\nturn = 3\n", r"unknown key 'turn'; did you mean turns, .* at limits in "),
    (SMALL + "[[expect]]\nagent = 'ahead'\nabowe = 3\n", r"unknown key 'abowe'; did you mean above"),
    (SMALL.replace("starts = 3", 'starts = "many"'), r"expected 'int \| array', got 'str' at starts in"),
    (SMALL.replace("starts = 3", "starts = 0"), r"expected 'int' >= 1 at starts"),
    (SMALL.replace("starts = 3", "opening = -1"), r"expected 'int' >= 0 at opening"),
    (SMALL.replace("starts = 3", 'seating = "round"'), r"invalid enum value 'round' at seating"),
    (
        SMALL.replace("starts = 3", 'seating = "rotations"\nsquares = true'),
        r"expected the seating all or compositions without a line-up at squares, got 'rotations'; leave squares out in",
    ),
    (
        SMALL.replace("starts = 3", 'lineup = ["ahead", "ahead", "ahead"]\nsquares = true'),
        r"without a line-up at squares, got 'all' with one; leave squares out",
    ),
    (SMALL.replace("starts = 3", "starts = []"), r"expected at least one position at starts, got none"),
    (SMALL.replace("starts = 3", 'starts = ["left=x"]'), r"in a position of sticks.* at starts"),
    (
        SMALL.replace("maxn(depth=3)", "maxm(depth=3)"),
        r"unknown agent 'maxm'; did you mean maxn, .* at agents.ahead in",
    ),
    (SMALL.replace("maxn(depth=3)", "maxn(death=3)"), r"unknown parameter 'death' .*at agents.ahead in"),
    (
        SMALL.replace("maxn(depth=3)", "maxn(depth=3, estimate=good)"),
        r"has no estimates, so none called 'good'.*at agents.ahead in",
    ),
    (SMALL.replace('"sticks(', '"stocks('), r"unknown game 'stocks'; did you mean sticks.* at game in"),
    (SMALL + "[sweep]\ntd = [1]\n", r"nothing uses the setting 'td' at sweep; write {td}"),
    (SMALL.replace("depth=3", "depth={d}"), r"there is no setting 'd' in the sweep for agents.ahead"),
    (SMALL + "[[expect]]\nagent = 'ahed'\nabove = 0.3\n", r"unknown agent 'ahed' at expect\[0\]; did you mean ahead"),
    (
        SMALL + "[[expect]]\nagent = 'ahead'\n",
        r"nothing is expected at expect\[0\]; name above, below, ahead_of or printed",
    ),
    (
        SMALL + "[[expect]]\nagent = 'ahead'\nabove = 0.3\nwhere = {d = 1}\n",
        r"unknown setting 'd' at expect\[0\].where",
    ),
    (SMALL + STOP.format("ahed", 0.3, 0.4), r"unknown agent 'ahed' at stop; did you mean ahead"),
    (
        SMALL + STOP.format("ahead", 0.3, 0.3),
        r"null and alternative are both 0.3 at stop; name two values to tell apart",
    ),
    (
        SMALL + STOP.format("ahead", 0, 5),
        r"expected shares between 0 and 1 at stop, got 0 and 5; or name another scale",
    ),
    (SMALL + STOP.format("ahead", 0.3, 0.4).replace("null", "nul"), r"unknown key 'nul'; did you mean null"),
    (
        SMALL.replace("depth=3", "depth={d}") + "[sweep]\nd = [1, 2]\n" + STOP.format("ahead", 0.3, 0.4),
        r"a sweep cannot stop early at stop",
    ),
    ("question = \n", r"is not TOML: "),
    ("question = 'x'\n", r"object missing required field 'game'"),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_what_is_wrong_is_told_with_its_place_and_the_file(written, text, sentence):
    with pytest.raises(BadExperiment, match=sentence) as told:
        written(text)
    assert "small.toml" in str(told.value)


def test_lists_nested_too_deeply_are_told(written):
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)  # an interpreted search may have raised it
    try:
        with pytest.raises(BadExperiment, match=r"is not TOML that can be read: its lists are nested too deeply"):
            written("x = " + "[" * 5000)
    finally:
        sys.setrecursionlimit(usual)


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    with pytest.raises(BadExperiment, match="there is no file"):
        read_experiment(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadExperiment, match="cannot read"):
        read_experiment(tmp_path / "x.toml")


@pytest.mark.parametrize("starts", ["starts = 9007199254740992", "starts = 99999\nrepeats = 99999999"])
def test_more_matches_than_anybody_plays_are_refused(written, starts):
    experiment = written(SMALL.replace("starts = 3", starts))
    with pytest.raises(BadParameter, match="expected at most 1,000,000,000,000 matches, got 6 a start and 9"):
        Schedule(experiment)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom"])
def test_a_file_without_an_end_is_refused_before_it_fills_the_memory(path):
    with pytest.raises(BadExperiment, match=f"cannot read '{path}': "):
        read_experiment(Path(path))


def test_a_pipe_without_an_end_is_refused_before_it_fills_the_memory(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    def pour():
        with suppress(BrokenPipeError), (tmp_path / "pipe").open("w") as pipe:
            while True:
                pipe.write("seed = 1 # and so on\n" * 1000)

    threading.Thread(target=pour, daemon=True).start()
    with pytest.raises(BadExperiment, match="it is longer than 16777216 letters"):
        read_experiment(tmp_path / "pipe")


def test_numbers_run_block_by_block_and_more_starts_only_add(written):
    few, many = Schedule(written(SWEPT)), Schedule(written(SWEPT.replace("starts = 3", "starts = 30")))
    assert len(few) == 3 * 6 * 3
    assert [few.task(number) for number in range(len(few))] == [many.task(number) for number in range(len(few))]
    assert [few.task(number).block for number in range(len(few))] == sorted(
        few.task(number).block for number in range(len(few))
    )
    assert len({few.task(number).seed for number in range(len(few))}) == len(few)


def test_a_block_has_one_start_in_all_settings(written):
    schedule = Schedule(written(SWEPT))
    assert schedule.start_seed(2, 0) == Schedule(written(SWEPT)).start_seed(2, 0) != schedule.start_seed(1, 0)


@pytest.mark.parametrize(
    "starts", ["starts = 3", 'starts = ["left=5 seat=0 winner=0", "left=6 seat=0 winner=0", "left=7 seat=0 winner=0"]']
)
def test_repeats_play_every_start_again_with_other_luck(written, starts):
    once, thrice = (Schedule(written(SMALL.replace("starts = 3", f"{starts}\nrepeats = {n}"))) for n in (1, 3))
    assert len(thrice) == 3 * len(once)
    game = once.variants[0].game
    tasks = [thrice.task(number) for number in range(len(thrice))]
    assert [task.start for task in tasks[:: thrice.per_block]] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert len({task.seed for task in tasks}) == len(tasks)
    for task in tasks:
        first = once.task(task.start * once.per_block)
        assert game.notation(start_state(thrice, task, game)) == game.notation(start_state(once, first, game))


def test_repeats_are_part_of_the_identity_unless_they_only_add_matches(written):
    one = SMALL.replace("starts = 3", 'starts = ["left=5 seat=0 winner=0"]')
    for text, same in ((SMALL, False), (one, True)):
        again = text.replace("seed = 7", "seed = 7\nrepeats = 2")
        assert (written(text).identity == written(again).identity) is same
    assert written(SMALL.replace("seed = 7", "seed = 7\nopening = 2")).identity != written().identity


def test_random_seatings_are_drawn_by_block_and_the_same_in_all_settings(written):
    text = SWEPT.replace("seed = 7", 'seed = 7\nseating = "random"').replace("starts = 3", "starts = 60")
    schedule = Schedule(written(text))
    assert schedule.per_block == 3
    tasks = [schedule.task(number) for number in range(len(schedule))]
    assert {task.seating for task in tasks if task.block == 5} == {tasks[15].seating}
    assert len({task.seating for task in tasks}) == 6


def test_lineups_seat_every_choice_in_a_random_order(written):
    text = SMALL.replace("seats=3", "seats=2").replace("seed = 7", 'seed = 7\nseating = "lineups"')
    schedule = Schedule(written(text))
    assert schedule.per_block == 3
    assert {tuple(sorted(schedule.task(number).seating)) for number in range(3)} == {(0, 1), (0, 2), (1, 2)}


def test_a_lineup_names_agents_several_times(written):
    text = SMALL.replace("seed = 7", 'seed = 7\nlineup = ["greedy", "greedy", "ahead"]\nseating = "rotations"')
    assert Schedule(written(text)).seatings == [[(1, 1, 0), (1, 0, 1), (0, 1, 1)]]
    with pytest.raises(BadExperiment, match="unknown agent 'gredy' at lineup; did you mean greedy"):
        written(text.replace('["greedy"', '["gredy"'))
    with pytest.raises(BadParameter, match="expected 3 agents in the line-up, got 2"):
        Schedule(written(text.replace('["greedy", "greedy"', '["greedy"')))
