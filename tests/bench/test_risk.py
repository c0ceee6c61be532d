"""The bench of Risk: the right table, and every match timed."""

from bench import risk
from kingmaker import load_agent, load_game


def test_three_searches_and_three_scripts_sit_at_the_table():
    agents = risk.table(3)
    assert [agent.name for agent in agents] == ["plans", "plans", "plans", "angry", "yakool", "evil_pixie"]
    assert [agent.agent.depth for agent in agents[:3]] == [3, 3, 3]
    assert {agent.plans for agent in agents[:3]} == {2}


def test_every_match_but_the_first_is_timed():
    game = load_game("sticks(seats=3, sticks=6)")
    seconds = risk.timed(game, [load_agent("random")] * 3, 4)
    assert len(seconds) == 4
    assert min(seconds) > 0


def test_the_first_row_is_the_size_of_a_state():
    row = next(risk.run(True))
    assert row.ok
    assert row.text == "236 bytes"
