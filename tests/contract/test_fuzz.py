"""Texts spoilt at random: whatever a person writes is taken or refused by a sentence. `make fuzz` goes on for as long
as it is told to.
"""

import pytest

from bench import fuzz
from kingmaker import load_agent, load_game
from kingmaker.core.errors import BadParameter

COUNT = 150  # of each kind


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_every_text_is_taken_or_refused_by_a_sentence(kind):
    assert fuzz.finds(kind, COUNT) == []


def test_some_texts_are_taken_and_some_refused():
    def taken(kind):
        return sum(tried(*fuzz.KINDS[kind](fuzz.random.Random(number))) for number in range(60))

    def tried(_, attempt):
        try:
            attempt()
        except ValueError:
            return False
        return True

    assert all(0 < taken(kind) < 60 for kind in ("games", "agents", "positions", "moves", "trees", "experiments"))


def test_the_same_seed_spoils_the_same_texts():
    assert [fuzz.games(fuzz.random.Random(3))[0] for _ in range(2)] == [fuzz.games(fuzz.random.Random(3))[0]] * 2
    assert fuzz.games(fuzz.random.Random(3))[0] != fuzz.games(fuzz.random.Random(4))[0]


def raising(fault):
    def attempt():
        raise fault

    return attempt


def test_what_is_no_sentence_is_a_find():
    for fault in (
        ZeroDivisionError("no"),
        RecursionError(),
        MemoryError(),
        fuzz.Hang("no answer"),
        BadParameter("two\nlines"),
        Warning("odd"),
    ):
        assert fuzz.answered("kind", "text", raising(fault)).text == "text"
    assert fuzz.answered("kind", "text", raising(BadParameter("one line"))) is None
    assert fuzz.answered("kind", "text", lambda: None) is None


def test_the_command_says_how_many_texts_it_tried(capsys):
    assert fuzz.main(minutes=1e-9, only="estimates") == 0
    assert capsys.readouterr().out == "50 texts, 0 finds\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "maxn(depth=" + "-" * 3000 + "1)",
            "expected a form like maxn|expected a few brackets or signs inside each other in maxn",
        ),
        (
            "maxn(estimate=guess(0x" + "f" * 5000 + "))",
            "cannot read a number inside 'maxn.*; a whole number has at most 64 bits",
        ),
        ("maxn(depth=[" + "[" * 3000, "expected a form like name"),
        ("maxn(" + "[" * 3000 + ")", "expected a form like maxn"),
        ("maxn\x00(depth=1)", "expected a form like"),
        ("maxn(depth='\x00')", "expected a form like|expected a whole number"),
        ("maxn" + " " * 100_000 + "x", "expected a form like"),
        ("maxn(ties='\\d')", "unknown tie rule"),
    ],
)
def test_odd_texts_are_refused(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        load_agent(text).fit(load_game("sticks"))


def test_signs_inside_each_other_are_not_followed_for_ever(monkeypatch):
    monkeypatch.setattr("kingmaker.core.notation.literal", raising_always(RecursionError()))
    with pytest.raises(BadParameter, match="expected a few brackets or signs inside each other in maxn"):
        load_agent("maxn(depth=1)")


def raising_always(fault):
    def fail(*_):
        raise fault

    return fail
