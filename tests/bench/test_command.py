"""`kingmaker bench`: the same nodes every time, and a sentence for what cannot be measured."""

import json

import pytest

from kingmaker.cli.bench import bench
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.search import ALGORITHMS


def entries(capsys, *arguments, **options):
    bench(*arguments, json=True, **options)
    return json.loads(capsys.readouterr().out)


def test_the_node_count_is_a_signature(capsys):
    first, second = (entries(capsys, "sticks", "paranoid", seconds=0.01) for _ in range(2))
    assert first[0]["nodes"] == second[0]["nodes"] > 1000
    assert first[0]["depth"] == second[0]["depth"]


def test_a_depth_in_the_agent_stays(capsys):
    assert entries(capsys, "sticks", "maxn(depth=4)", seconds=0.01)[0]["depth"] == 4


@pytest.fixture
def few(monkeypatch):
    """Only some algorithms, for compiling all of them takes long."""
    names = ("maxn", "max_prob", "minimax", "random", "weak_rational")
    monkeypatch.setattr("kingmaker.search.ALGORITHMS", {name: ALGORITHMS[name] for name in names})
    return names


def test_a_search_for_two_is_measured_with_two_seats(few, capsys):
    found = {entry["agent"]: entry for entry in entries(capsys, "sticks", seconds=0.01)}
    assert found["minimax"]["game"] == "sticks(seats=2)"
    assert found["maxn"]["game"] == "sticks"
    assert found["random"]["reason"] == "random looks at no nodes"


def test_a_search_that_needs_intervals_is_measured_with_an_estimate_that_has_them(few, capsys):
    found = [entries(capsys, "light_bike(width=4, height=4)", seconds=0.001) for _ in range(2)]
    first, second = ({entry["agent"]: entry.get("nodes") for entry in each} for each in found)
    assert first == second
    assert first["max_prob(estimate=room)"] > 10
    assert set(first) == (set(few) - {"max_prob"}) | {"max_prob(estimate=room)"}
    assert [agent for agent, nodes in first.items() if not nodes] == ["random", "weak_rational"]


def test_what_is_left_out_is_told_in_a_line_each(capsys):
    bench("", "random", seconds=0.01)
    out = capsys.readouterr().out
    assert "left out: light_bike, random: random looks at no nodes" in out.splitlines()


def test_what_has_no_signature_is_refused():
    with pytest.raises(
        BadParameter, match=r"a budget of seconds has no steady node count; use depth or nodes in maxn\(seconds=1\)"
    ):
        bench("sticks", "maxn(seconds=1)")
    with pytest.raises(BadParameter, match="expected more than 0 and less than 3600 seconds, got --seconds 0"):
        bench(seconds=0)
    with pytest.raises(Mismatch, match="random looks at no nodes"):
        bench("sticks", "random", seconds=0.01)


def test_a_game_without_records_is_refused(tmp_path):
    rules = tmp_path / "plain.py"
    rules.write_text(
        "from kingmaker.games.sticks import Sticks\n\n\nclass Plain(Sticks):\n "
        "   class State:\n        left = seat = winner = 0\n"
    )
    with pytest.raises(Mismatch, match="runs interpreted, for its states are not records; nothing is compiled"):
        bench(str(rules), "maxn", seconds=0.01)
