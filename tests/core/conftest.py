"""What several tests of the compile cache begin with, compiled once: a cache that another process has filled."""

import shutil

import pytest

from tests.core.test_compile import COIN, run

STICKS = ("sticks(sticks=5)", "paranoid(depth=3)")


@pytest.fixture(scope="session")
def first_use(tmp_path_factory):
    """A user's file and the cache that a decision with it left."""
    file, cache = tmp_path_factory.mktemp("user") / "coin.py", tmp_path_factory.mktemp("coin", numbered=True) / "cache"
    file.write_text(COIN)
    assert run(file, "maxn(depth=9)", cache)[::2] == (13.0, 0)
    return file, cache


@pytest.fixture
def in_use(first_use, tmp_path):
    """The user's file, to be edited, for its path is part of its name, and a copy of the cache."""
    file, cache = first_use
    file.write_text(COIN)
    return file, shutil.copytree(cache, tmp_path / "cache")


@pytest.fixture(scope="session")
def first_decision(tmp_path_factory):
    """What `run` says of a game of the package, and the cache that it left."""
    cache = tmp_path_factory.mktemp("sticks") / "cache"
    return run(*STICKS, cache)[:3], cache


@pytest.fixture
def decided_once(first_decision, tmp_path):
    """The same, with a copy of the cache."""
    found, cache = first_decision
    return found, shutil.copytree(cache, tmp_path / "cache")
