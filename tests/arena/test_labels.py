"""Short labels for long texts."""

from hypothesis import given
from hypothesis import strategies as st

from kingmaker.arena.results.labels import MOST, labels, legend

SETTINGS = st.fixed_dictionaries(
    {}, optional={"depth": st.integers(1, 9), "estimate": st.sampled_from(["'room'", "'territory'"])}
)
AGENTS = st.builds(
    lambda name, settings: (
        f"{name}({', '.join(f'{key}={value}' for key, value in settings.items())}, order='history', table=18)"
    ),
    st.sampled_from(["maxn", "paranoid", "a_search_with_a_very_long_name"]),
    SETTINGS,
)


def test_short_texts_are_their_own_labels():
    assert labels(["greedy", "maxn(depth=2)", "greedy"]) == {"greedy": "greedy", "maxn(depth=2)": "maxn(depth=2)"}
    assert legend(labels(["greedy"])) == []


def test_a_label_names_what_differs_from_others_of_its_kind():
    two, three, other = (
        f"{name}, estimate='territory', order='history')"
        for name in ("maxn(depth=2", "maxn(depth=3", "paranoid(depth=3")
    )
    found = labels([two, three, other])
    assert found == {two: "maxn(depth=2, …)", three: "maxn(depth=3, …)", other: "paranoid(…)"}
    assert legend(found) == [(label, text) for text, label in found.items()]


def test_a_setting_that_only_one_has_differs():
    plain, more = "maxn(estimate='territory', order='history')", "maxn(estimate='territory', order='history', table=18)"
    assert labels([plain, more]) == {plain: "maxn(…)", more: "maxn(table=18, …)"}


def test_texts_that_are_no_calls_are_cut_and_numbered():
    first, second = "x" * 50 + "1", "x" * 50 + "2"
    assert labels([first, second], 10) == {first: "xxxxxxxxx…", second: "xxxxxxxxx… #2"}


@given(st.lists(AGENTS | st.text(max_size=60), max_size=8), st.integers(8, 40))
def test_labels_tell_all_texts_apart_and_are_short(texts, most):
    found = labels(texts, most)
    assert set(found) == set(texts)
    assert len(set(found.values())) == len(found)
    assert all(len(label) <= most + len(" #99") for label in found.values())
    assert labels(texts) == labels(texts, MOST)
