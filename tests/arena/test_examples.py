"""The experiments that the docs name can be read, and the docs show what is in them."""

from pathlib import Path

import pytest

from kingmaker.arena.experiment.declaration import read_experiment
from kingmaker.arena.experiment.schedule import Schedule

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "examples" / "experiments").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_can_be_run_and_is_reproducible(path):
    schedule = Schedule(read_experiment(path))
    assert len(schedule) > 0
    assert all(variant.reproducible for variant in schedule.variants)


def test_the_page_on_experiments_shows_one_of_them():
    shown = (ROOT / "docs" / "experiments.md").read_text().split("```toml\n")[1].split("```")[0]
    assert (ROOT / "examples" / "experiments" / "light_bike.toml").read_text().startswith(shown.rstrip())


def test_the_page_on_experiments_names_every_key():
    from kingmaker.arena.experiment.declaration import Experiment

    page = (ROOT / "docs" / "experiments.md").read_text()
    for key in set(Experiment.__struct_fields__) - {"hands", "points"}:  # which only older stores have
        assert f"| `{key}` |" in page or f"| `[{key}]` |" in page or f"| `[[{key}]]` |" in page, (
            f"docs/experiments.md lacks {key}"
        )


def test_the_page_on_measuring_names_every_column_of_the_store():
    from kingmaker.arena.results.store import SCHEMA

    page = (ROOT / "docs" / "measuring.md").read_text()
    for word in SCHEMA.replace("(", " ").replace(",", " ").split():
        if word.islower() and word.isalpha():
            assert f"`{word}`" in page or word == "failures", f"docs/measuring.md lacks {word}"
