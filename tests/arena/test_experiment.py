"""Experiments in TOML: what they mean, and how a wrong one is told."""

import pytest

from kingmaker.arena.experiment import BadExperiment, Variant, experiment_from, read_experiment
from kingmaker.arena.schedule import Schedule
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
    assert [str(Variant(experiment, settings).agents[0]) for settings in experiment.variants] == [
        "maxn(depth=1)",
        "maxn(depth=2)",
        "maxn(depth=3)",
    ]


def test_the_common_budget_goes_to_agents_that_name_none(written):
    experiment = written(SMALL.replace('greedy = "greedy"', 'other = "paranoid"') + "[budget]\nnodes = 50\n")
    variant = Variant(experiment, {})
    assert [str(agent) for agent in variant.agents] == ["maxn(depth=3)", "paranoid(nodes=50)", "random()"]
    assert variant.reproducible


@pytest.mark.parametrize("agent", ["maxn(seconds=0.1)", "maxn"])
def test_a_budget_of_seconds_is_known_not_to_be_reproducible(written, agent):
    assert not Variant(written(SMALL.replace("maxn(depth=3)", agent)), {}).reproducible


def test_question_expectations_and_more_starts_leave_the_identity_as_it_is(written):
    first = written()
    assert written(SMALL.replace("starts = 3", "starts = 9").replace("Does", "Really, does")).identity == first.identity
    assert written(SMALL.replace("seed = 7", "seed = 8")).identity != first.identity
    assert written(SMALL.replace("depth=3", "depth=4")).identity != first.identity


STOP = "[stop]\nagent = '{}'\nnull = {}\nalternative = {}\n"
WRONG = [
    ("startz = 3\n" + SMALL, r"unknown key 'startz'; did you mean starts, .*\? in "),
    (SMALL + "[limits]\nturn = 3\n", r"unknown key 'turn'; did you mean turns, .* at limits in "),
    (SMALL + "[[expect]]\nagent = 'ahead'\nabowe = 3\n", r"unknown key 'abowe'; did you mean above"),
    (SMALL.replace("starts = 3", 'starts = "many"'), r"expected 'int \| array', got 'str' at starts in"),
    (SMALL.replace("starts = 3", "starts = 0"), r"expected 'int' >= 1 at starts"),
    (SMALL.replace("starts = 3", 'seating = "round"'), r"invalid enum value 'round' at seating"),
    (SMALL.replace("starts = 3", "starts = []"), r"expected at least one position at starts, got none"),
    (SMALL.replace("starts = 3", 'starts = ["left=x"]'), r"in a position of sticks.* at starts"),
    (SMALL.replace("maxn(depth=3)", "maxm(depth=3)"), r"unknown agent 'maxm'; did you mean maxn, .* at agents.ahead in"),
    (SMALL.replace("maxn(depth=3)", "maxn(death=3)"), r"unknown parameter 'death' .*at agents.ahead in"),
    (SMALL.replace("maxn(depth=3)", "maxn(depth=3, estimate=good)"), r"has no estimates, so none called 'good'.*at agents.ahead in"),
    (SMALL.replace('"sticks(', '"stocks('), r"unknown game 'stocks'; did you mean sticks.* at game in"),
    (SMALL + "[sweep]\ntd = [1]\n", r"nothing uses the setting 'td' at sweep; write {td}"),
    (SMALL.replace("depth=3", "depth={d}"), r"there is no setting 'd' in the sweep for agents.ahead"),
    (SMALL + "[[expect]]\nagent = 'ahed'\nabove = 0.3\n", r"unknown agent 'ahed' at expect\[0\]; did you mean ahead"),
    (SMALL + "[[expect]]\nagent = 'ahead'\n", r"nothing is expected at expect\[0\]; name above, below, ahead_of or printed"),
    (SMALL + "[[expect]]\nagent = 'ahead'\nabove = 0.3\nwhere = {d = 1}\n", r"unknown setting 'd' at expect\[0\].where"),
    (SMALL + STOP.format("ahed", 0.3, 0.4), r"unknown agent 'ahed' at stop; did you mean ahead"),
    (SMALL + STOP.format("ahead", 0.3, 0.3), r"null and alternative are both 0.3 at stop; name two values to tell apart"),
    (SMALL + STOP.format("ahead", 0, 5), r"expected shares between 0 and 1 at stop, got 0 and 5; or name another scale"),
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


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    with pytest.raises(BadExperiment, match="there is no file"):
        read_experiment(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadExperiment, match="cannot read"):
        read_experiment(tmp_path / "x.toml")


def test_numbers_run_block_by_block_and_more_starts_only_add(written):
    few, many = Schedule(written(SWEPT)), Schedule(written(SWEPT.replace("starts = 3", "starts = 30")))
    assert len(few) == 3 * 6 * 3
    assert [few.task(number) for number in range(len(few))] == [many.task(number) for number in range(len(few))]
    assert [few.task(number).block for number in range(len(few))] == sorted(few.task(number).block for number in range(len(few)))
    assert len({few.task(number).seed for number in range(len(few))}) == len(few)


def test_a_block_has_one_start_in_all_settings(written):
    schedule = Schedule(written(SWEPT))
    assert schedule.start_seed(2, 0) == Schedule(written(SWEPT)).start_seed(2, 0) != schedule.start_seed(1, 0)


def test_random_seatings_are_drawn_by_block_and_the_same_in_all_settings(written):
    text = SWEPT.replace("seed = 7", 'seed = 7\nseating = "random"').replace("starts = 3", "starts = 60")
    schedule = Schedule(written(text))
    assert schedule.per_block == 3
    tasks = [schedule.task(number) for number in range(len(schedule))]
    assert {task.seating for task in tasks if task.block == 5} == {tasks[15].seating}
    assert len({task.seating for task in tasks}) == 6
    assert schedule.independent(0)


def test_lineups_seat_every_choice_in_a_random_order(written):
    text = SMALL.replace("seats=3", "seats=2").replace("seed = 7", 'seed = 7\nseating = "lineups"')
    schedule = Schedule(written(text))
    assert schedule.per_block == 3
    assert {tuple(sorted(schedule.task(number).seating)) for number in range(3)} == {(0, 1), (0, 2), (1, 2)}
    assert not schedule.independent(0)


def test_a_lineup_names_agents_several_times(written):
    text = SMALL.replace("seed = 7", 'seed = 7\nlineup = ["greedy", "greedy", "ahead"]\nseating = "rotations"')
    assert Schedule(written(text)).seatings == [[(1, 1, 0), (1, 0, 1), (0, 1, 1)]]
    with pytest.raises(BadExperiment, match="unknown agent 'gredy' at lineup; did you mean greedy"):
        written(text.replace('["greedy"', '["gredy"'))
    with pytest.raises(BadParameter, match="expected 3 agents in the line-up, got 2"):
        Schedule(written(text.replace('["greedy", "greedy"', '["greedy"')))
