"""Small experiments to run, and agents that misbehave."""

import pytest

from kingmaker.arena.experiment import code
from kingmaker.arena.experiment.declaration import read_experiment

SMALL = """
question = "Does looking ahead help at sticks?"
game = "sticks(seats=3, sticks=12)"
starts = 3
seed = 7

[agents]
ahead = "maxn(depth=3)"
greedy = "greedy"
random = "random"
"""


@pytest.fixture(autouse=True)
def code_as_it_is():
    """Tests change code; what was hashed meanwhile is forgotten."""
    yield
    code.kept.cache_clear()


@pytest.fixture
def written(tmp_path):
    """Writes an experiment file and reads it."""

    def write(text=SMALL, name="small.toml"):
        path = tmp_path / name
        path.write_text(text)
        return read_experiment(path)

    return write


@pytest.fixture
def small(written):
    return written()
