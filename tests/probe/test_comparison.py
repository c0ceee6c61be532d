"""Comparisons: who is asked, what they say, and where and why they disagree."""

from dataclasses import dataclass

import pytest

from kingmaker import load_agent, load_game
from kingmaker.core.agent import Agent
from kingmaker.core.errors import BadParameter, Mismatch
from kingmaker.core.guard import interpret
from kingmaker.probe.comparison import (
    agreement,
    assumption,
    at_a_seat,
    compare,
    fitted,
    opinions,
    positions_from_play,
    share,
    suitable,
)
from kingmaker.search import ALGORITHMS
from tests.samples import DUEL, STICKS, WRITTEN


def test_every_algorithm_is_asked_or_left_out_with_a_reason():
    for game in (WRITTEN, DUEL, load_game("light_bike(width=4, height=4)"), load_game("hearts(ranks=4)")):
        agents, refused = suitable(game, seconds=0.5)
        names = {getattr(agent, "agent", agent).name for agent in agents}
        assert names | set(refused) >= set(ALGORITHMS)
        for agent in agents:
            agent.fit(game)
        assert all(reason for reason in refused.values())


def test_all_have_the_same_budget_as_far_as_they_take_one():
    agents, refused = suitable(DUEL, depth=3)
    assert {agent.depth for agent in agents if "depth" in agent.settings} == {1, 3}  # greedy looks one ply ahead
    assert "takes no limit of depth" in refused["mcts"]
    assert "it asks each of the others in turn" in refused["pimc"]
    agents, refused = suitable(DUEL)
    assert "so ismcts is mcts there" in refused["ismcts"]
    assert "nothing is hidden in random_tree" in refused["ismcts"]
    assert {agent.seconds for agent in agents if agent.name == "maxn"} == {1.0}


def test_searches_are_asked_in_many_worlds_where_something_is_hidden():
    agents, _ = suitable(load_game("hearts(ranks=4)"), seconds=0.25)
    asked = [agent for agent in agents if agent.name == "pimc"]
    assert {agent.agent.name for agent in asked} >= {"maxn", "paranoid", "offensive", "mcts"}
    assert {agent.seconds for agent in asked} == {0.25}


def test_an_algorithm_that_needs_another_estimate_gets_it():
    agents, _ = suitable(load_game("light_bike(seats=3)"), ["max_prob"], depth=2)
    assert [str(agent) for agent in agents] == ["max_prob(depth=2, estimate='room()')"]


def test_players_of_one_game_are_asked_there_alone():
    agents, _ = suitable(load_game("risk"), seconds=1)
    assert {"angry", "yakool"} <= {agent.name for agent in agents}
    assert not {"angry", "yakool"} & {agent.name for agent in suitable(WRITTEN, seconds=1)[0]}


def test_opinions_are_the_decisions_that_the_agents_make_alone():
    whole = compare(WRITTEN, agents=[load_agent("maxn(depth=2)"), load_agent("paranoid(depth=2)")])
    for opinion in whole.opinions:
        alone = opinion.agent.decide(WRITTEN, WRITTEN.new())
        assert (opinion.decision.move, opinion.decision.values) == (alone.move, alone.values)


def test_a_disagreement_is_told_with_the_values_of_both_moves():
    """The tree by hand: MaxN takes move 2 for 6, since seat 1 then takes 4; Paranoid fears 3 at most there but 5 at
    move 0.
    """
    agents = [load_agent(f"{name}(depth=2)") for name in ("maxn", "soft_maxn", "paranoid")]
    tree = load_game("explicit_tree(tree=[[[5, 3, 2], [7, 2, 1]], [[3, 5, 2], [6, 4, 0]], [[6, 4, 0], [2, 3, 5]]])")
    seen = []
    whole = compare(tree, agents=agents, seen=seen.append)
    assert tuple(seen) == whole.opinions
    assert {move: [each.short for each in those] for move, those in whole.choices.items()} == {
        2: ["maxn", "soft_maxn"],
        0: ["paranoid"],
    }
    (sentence,) = whole.why()
    assert sentence == (
        "paranoid plays 0 and not 2: 0 is worth 5 to seat 0, and 2 at most 2; "
        "its idea: everyone else has made a pact against me"
    )


def test_a_tie_is_told_as_one():
    tree = load_game("explicit_tree(tree=[[1, 2, 3], [1, 3, 2]])")
    last = load_agent("maxn(depth=2, ties=least_others)")
    first = load_agent("maxn(depth=2)")
    whole = compare(tree, agents=[first, first, last.changed(ties="random")], seed=1)
    moves = {opinion.decision.move for opinion in whole.opinions}
    reasons = whole.why()
    assert len(reasons) == (len(moves) > 1)
    assert all("to it both are worth 1 to seat 0, so it breaks a tie in its own way" in reason for reason in reasons)


def test_who_looks_at_nothing_has_no_value():
    tree = load_game("explicit_tree(tree=[[1, 2, 3], [4, 3, 2]])")
    maxn = load_agent("maxn(depth=2)")
    found = [compare(tree, agents=[maxn, maxn, load_agent("random")], seed=seed).why() for seed in range(8)]
    assert ["random plays 0 and not 1; it has no value for either"] in found
    assert [] in found


def test_an_agent_that_cannot_decide_says_why_and_the_others_go_on():
    game = load_game("sticks(seats=2, sticks=9)")
    interpret(game)
    agents = [load_agent("backward_induction(positions=2)"), load_agent("maxn(depth=2)")]
    first, second = opinions(game, game.new(), agents)
    assert first.decision is None
    assert first.fault
    assert second.decision is not None


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(BadParameter, match="expected limits of depth, nodes, playouts, seconds, got 'minutes'"):
        suitable(WRITTEN, minutes=3)
    over = WRITTEN.after(WRITTEN.new(), 0, 0)
    with pytest.raises(Mismatch, match="there is nothing to compare"):
        compare(WRITTEN, over)
    with pytest.raises(BadParameter, match="have no 3 positions with a choice; ask for fewer"):
        positions_from_play(load_game("random_tree(seats=1, branching=1, height=2)"), 3)


def test_dice_are_rolled_before_anyone_is_asked():
    game = load_game("backgammon(layout='hyper')")
    interpret(game)
    assert game.mover(at_a_seat(game, game.new(), 3)) >= 0


def test_positions_come_from_play_and_leave_a_choice():
    found = positions_from_play(STICKS, 6, seed=2)
    assert len(found) == 6
    assert all(len(STICKS.legal(state)) > 1 for state in found)
    assert len({STICKS.notation(state) for state in found}) > 2


def test_agreement_is_the_share_of_equal_moves():
    tree = load_game("explicit_tree(tree=[[[5, 3, 2], [7, 2, 1]], [[3, 5, 2], [6, 4, 0]], [[6, 4, 0], [2, 3, 5]]])")
    agents = [load_agent("maxn(depth=2)"), load_agent("paranoid(depth=2)")]
    found = [compare(tree, state, agents) for state in (tree.new(), tree.after(tree.new(), 1))]
    names, matrix = agreement(found)
    assert names == ["maxn(depth=2)", "paranoid(depth=2)"]
    assert matrix == [[1.0, 0.5], [0.5, 1.0]]
    assert share([(None, 1)]) != share([(None, 1)]), "nobody knows how often they agree"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_an_idea(name):
    idea = assumption(ALGORITHMS[name])
    assert idea
    assert not idea.endswith(".")


def test_an_algorithm_that_cannot_be_made_without_a_setting_is_left_out():
    @dataclass(frozen=True)
    class Weighted(Agent):
        weight: float

    with pytest.raises(Mismatch, match="Weighted cannot be made without weight; name it with all its settings"):
        fitted(WRITTEN, Weighted, {"seconds": 1.0})
