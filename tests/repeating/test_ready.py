"""Several tables made ready at the same time."""

import pytest

from kingmaker.repeating.pace import known_rate
from kingmaker.repeating.paper import papers, parts_named
from kingmaker.repeating.ready import made_ready
from tests.toy_papers import PAPER, put_up


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """A folder with a small paper of three tables, one of which has the pace of another."""
    folder = put_up(tmp_path / "toys", monkeypatch)
    more = '\n[tables.two]\ntitle = "Two"\nlike = "one"\nbudget = { depth = 3 }\n'
    long = '\n[tables.long]\ntitle = "Long"\nlike = "one"\npace = { table = "one", times = 50 }\n'
    (folder / "sticks" / "paper.toml").write_text(PAPER + more + long)
    papers.cache_clear()
    yield folder
    papers.cache_clear()


def test_processes_of_their_own_measure_tables_and_this_one_keeps_what_they_found(toys, tmp_path):
    parts, said = parts_named("sticks"), []
    assert made_ready(parts, tmp_path, 2, said.append) == parts
    assert sorted(part.name for part in said) == ["one", "two"]
    assert all(known_rate(part, tmp_path) > 0 for part in parts)
    made_ready(parts, tmp_path, 2, lambda part: pytest.fail("measured again"))
