"""Depths with a clock: every move is counted, and those that the clock did not end are told apart."""

from bench.depths import decisions, row

from kingmaker.core.decision import Decision
from kingmaker.search.multi_minimax import MultiMinimax


def decision(depth, stopped):
    return Decision(
        move=0,
        values=None,
        moves=(),
        line=(0,),
        nodes=1,
        depth=depth,
        seconds=0.3,
        stopped=stopped,
        notes={},
        tree=None,
    )


def test_the_mean_is_of_all_moves_and_the_clocks_own_mean_stands_beside_it():
    found = row("maxn", [decision(8, "seconds"), decision(10, "seconds"), decision(120, "depth")], 6.86)
    assert found.what == "maxn: mean depth of 3 moves, 1 seen to the end, the others 9.00"
    assert (found.value, found.text, found.target, found.ok) == (46.0, "46.00", "6.86 in the source", None)
    assert row("maxn", [decision(8, "seconds")], 6.86).what == "maxn: mean depth of 1 moves"


def test_an_agent_makes_just_so_many_moves_over_as_many_matches_as_it_takes():
    made = decisions(MultiMinimax(depth=4, order="shuffled"), 9)
    assert len(made) == 9
    assert {each.depth for each in made} <= {1, 2, 3, 4}
