"""One of equivalent moves stands for all: the same decisions from fewer nodes, on decks small enough to search."""

import itertools

import pytest

from kingmaker import load_agent
from kingmaker.core.rng import stream
from kingmaker.games.hearts import Hearts
from kingmaker.games.spades import Spades
from tests.samples import TWIN, positions

ALIKE = {"hearts": "composition(rank=0, standing=1)", "spades": "holding(rank=0, standing=1)"}


class EveryHeart(Hearts):
    """Hearts that calls no cards equivalent."""

    def equivalent(self, state, seat, move):
        return move


class EverySpade(Spades):
    """Spades that calls no cards equivalent."""

    def equivalent(self, state, seat, move):
        return move


TABLES = [
    ("hearts", Hearts(open=True, ranks=5), EveryHeart(open=True, ranks=5)),
    ("hearts", Hearts(open=True, ranks=5, rules="parlour"), EveryHeart(open=True, ranks=5, rules="parlour")),
    ("spades", Spades(open=True, ranks=4), EverySpade(open=True, ranks=4)),
]
AGENTS = [
    "maxn(depth=4, quiet=3, estimate='{}')",
    "maxn(depth=4, quiet=3, ties=least_others, estimate='{}')",
    "paranoid(depth=5, quiet=3, estimate='{}')",
    "offensive(depth=4, quiet=3, ties=first, estimate='{}')",
    "max_prob(depth=4, quiet=3)",
]


def states(game):
    """Positions of which some are within a trick, once cards were passed."""
    return [state for state in positions(game, count=12, seed=5) if game.before(state) < 0 <= game.mover(state)][::3]


@pytest.mark.parametrize(("name", "game", "every"), TABLES, ids=str)
@pytest.mark.parametrize("text", AGENTS)
def test_a_decision_is_the_same_as_if_every_card_were_searched(name, game, every, text):
    agent, fewer, more = load_agent(text.format(ALIKE[name])), 0, 0
    for state in states(game):
        one, all_of_them = (agent.decide(each, state, stream(1), TWIN) for each in (game, every))
        assert (one.move, one.line) == (all_of_them.move, all_of_them.line)
        assert one.values == pytest.approx(all_of_them.values, abs=1e-12)
        for each, other in zip(one.moves, all_of_them.moves, strict=True):
            assert (each.move, each.exact) == (other.move, other.exact)
            assert each.values == pytest.approx(other.values, abs=1e-12)
        fewer, more = fewer + one.nodes, more + all_of_them.nodes
    assert fewer < 0.95 * more


@pytest.mark.parametrize("text", ["maxn(depth=4, quiet=3)", "maxn(depth=3, ties=average, estimate='{}')"])
def test_every_card_is_searched_where_values_could_change(text):
    name, game, every = TABLES[2]
    agent = load_agent(text.format(ALIKE[name]))
    for state in states(game):
        assert agent.decide(game, state, stream(1), TWIN).nodes == agent.decide(every, state, stream(1), TWIN).nodes


@pytest.mark.parametrize(("name", "game", "every"), TABLES, ids=str)
def test_equivalent_cards_have_the_same_value_to_the_end_of_the_hand(name, game, every):
    """MaxN on the whole rest of the hand, every card searched."""
    agent, pairs = load_agent("maxn(depth=12)"), 0
    for state in positions(game, count=200, seed=1):
        seat = game.mover(state)
        runs = [game.equivalent(state, seat, move) for move in game.legal(state)]
        if (
            len(set(runs)) == len(runs)
            or state.tricks < game.ranks - 3
            or (state.tricks == game.ranks - 3 and not state.laid)
        ):
            continue
        found = [each.values for each in agent.decide(every, state, stream(1), TWIN).moves]
        for one, other in itertools.combinations(range(len(runs)), 2):
            if runs[one] == runs[other]:
                assert found[one] == found[other]
                pairs += 1
        if pairs > 4:
            return
    raise AssertionError("no equivalent cards were met")


@pytest.mark.parametrize("game", [Hearts(), Spades()], ids=str)
def test_cards_are_equivalent_if_no_card_of_another_hand_or_of_the_trick_lies_between(game):
    seen = 0
    for state in positions(game, count=60, seed=2)[::5]:
        seat = game.mover(state)
        if seat < 0:
            continue
        others = {card for each in range(4) if each != seat for card in cards_in(state.hands[each])}
        others |= {int(card) for card in state.trick if card >= 0}
        for low, high in itertools.combinations(game.legal(state, seat), 2):
            between = low // 13 != high // 13 or any(low < card < high for card in others)
            alike = game.equivalent(state, seat, low) == game.equivalent(state, seat, high)
            assert alike == (not between and game.odd not in (low, high))
            seen += alike
    assert seen > 5


def cards_in(hand):
    return [13 * suit + rank for suit in range(4) for rank in range(13) if int(hand[suit]) >> rank & 1]


@pytest.mark.parametrize(
    "text", ["offensive(depth=4, quiet=3, {}estimate='{}')", "maxn(depth=4, ties=random, {}estimate='{}')"]
)
def test_in_a_shuffled_order_random_ties_need_one_of_equivalent_cards_only(text):
    name, game, _ = TABLES[2]
    given, shuffled = (load_agent(text.format(order, ALIKE[name])) for order in ("", "order=shuffled, "))
    nodes = [
        sum(agent.decide(game, state, stream(1), TWIN).nodes for state in states(game)) for agent in (given, shuffled)
    ]
    assert nodes[1] < 0.95 * nodes[0]
