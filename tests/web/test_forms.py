"""Forms made from parameters: every word that a field offers is one that the game or the agent takes."""

import pytest

from kingmaker import load_agent
from kingmaker.core.notation import call_text
from kingmaker.games import GAMES
from kingmaker.search import ALGORITHMS
from kingmaker.web.forms import choices, number_in, settings_of

OFFERED = [
    (name, cls, setting, word)
    for name, cls in {**GAMES, **ALGORITHMS}.items()
    for setting, default in settings_of(cls).items()
    if isinstance(default, str)
    for word in choices(name, setting)
    if default in choices(name, setting)
]


@pytest.mark.parametrize(
    ("name", "cls", "setting", "word"), OFFERED, ids=[f"{name}-{setting}-{word}" for name, _, setting, word in OFFERED]
)
def test_every_word_that_a_field_offers_is_taken(name, cls, setting, word):
    needed = {"pimc": {"agent": ALGORITHMS["random"]()}, "risk": {"seats": 2, "armies": 21}}.get(name, {})
    made = cls(**needed, **{setting: word})
    assert getattr(made, setting) == word


def test_few_settings_are_texts_to_type():
    """An estimate and a type of opponent depend on the game; a layout of Abalone on its seats; the thresholds of MP-Mix
    are numbers or a word.
    """
    texts = {
        setting
        for name, cls in {**GAMES, **ALGORITHMS}.items()
        for setting, default in settings_of(cls).items()
        if isinstance(default, str) and default not in choices(name, setting)
    }
    assert texts == {"estimate", "type", "layout", "file", "forward_pruning", "td", "to"}


@pytest.mark.parametrize(("typed", "taken"), [("10", 10), ("2.5", 2.5), ("inf", float("inf")), ("tuned", "tuned")])
def test_a_threshold_is_typed_as_a_number_or_as_its_word(typed, taken):
    assert load_agent(call_text("mp_mix", {"td": number_in(typed)})).td == taken
