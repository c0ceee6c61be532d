"""Lists of classes that are imported when they are asked for."""

import subprocess
import sys

import pytest

from kingmaker.core.named_classes import NamedClasses
from kingmaker.games import GAMES, PLAYERS
from kingmaker.search import ALGORITHMS


@pytest.mark.parametrize("listed", [GAMES, PLAYERS, ALGORITHMS])
def test_every_name_stands_for_a_class_that_has_it(listed):
    for name, cls in listed.items():
        assert "".join(word.capitalize() for word in name.split("_")) == cls.__name__
        assert cls is listed.get(name)
    assert list(listed) == sorted(listed)


def test_a_name_that_is_not_listed_is_no_key():
    listed = NamedClasses({"sticks": "games.sticks:Sticks"})
    assert "stix" not in listed
    assert len(listed) == 1
    with pytest.raises(KeyError):
        listed["stix"]


def test_one_game_and_one_search_do_not_import_the_others():
    code = (
        "import sys; import kingmaker; kingmaker.load_game('sticks'); kingmaker.load_agent('maxn'); "
        "print('kingmaker.games.chess' in sys.modules, 'kingmaker.search.mcts' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False"]
