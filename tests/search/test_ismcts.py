"""IS-MCTS: what it knows apart, and what it finds against all worlds counted one by one."""

from itertools import permutations

import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.table import Table
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadGame, BadParameter, Mismatch, UnknownName
from kingmaker.core.rng import stream
from kingmaker.core.secrets import world_of
from kingmaker.search.ismcts import Ismcts
from tests import oracles
from tests.samples import DICE, DUEL, OWN_GAMES, STICKS_DUEL, TWIN, WRITTEN, tree_at, trusted

KUHN, TRICKS = (trusted(load_game(str(OWN_GAMES / f"{name}.py"))) for name in ("kuhn", "tricks"))
KUHN_DUEL = trusted(load_game(f"{OWN_GAMES / 'kuhn.py'}(seats=2)"))
PASS, BET = 0, 1


def decided(game, state, **settings):
    return Ismcts(**{"tree": 10} | settings).decide(game, state, stream(1), TWIN)


def deals(game, state, seat):
    """Every deal of Kuhn poker that fits what a seat knows."""
    rest = [card for card in range(game.seats + 1) if card != state.cards[seat]]
    for order in permutations(rest, game.seats - 1):
        world, cards = game.copy(state), iter(order)
        for other in range(game.seats):
            if other != seat:
                world.cards[other] = next(cards)
        yield world


@pytest.mark.parametrize("observer", ["single", "multiple"])
def test_the_last_to_act_at_kuhn_poker_knows_what_its_moves_are_worth(observer):
    """Nobody moves after it, so the mean over all worlds is the value: it must be found up to sampling."""
    for seed in range(3):
        state = KUHN.after(KUHN.new(seed), PASS, BET, PASS)
        assert KUHN.mover(state) == 0
        found = decided(KUHN, state, playouts=800, observer=observer)
        for move in (PASS, BET):
            all_worlds = [KUHN.payoffs(KUHN.after(world, move))[0] for world in deals(KUHN, state, 0)]
            worse = 4 * np.std(all_worlds) / np.sqrt(30)  # at least thirty playouts of the worse move
            assert found.value_of(move)[0] == pytest.approx(np.mean(all_worlds), abs=worse + 1e-9)


def last_choice():
    """A position of the trick game in which the mover has two cards and the only choice that is left to anybody."""
    for seed in range(200):
        table = Table(TRICKS, [load_agent("random")] * 3, seed)
        with np.errstate(over="ignore"):
            for _ in range(8):
                table.take(table.turn()[0])
        state = table.state
        if len(TRICKS.legal(state)) == 2:
            yield state


def all_deals(state, seat):
    """Every way to deal the unseen cards that gives nobody a suit that it lacks, as worlds."""
    unseen = [card for card in range(12) if not (int(state.gone) | int(state.hands[seat])) >> card & 1]
    others = [other for other in range(3) if other != seat]
    first = bin(state.hands[others[0]]).count("1")
    for order in permutations(unseen):
        hands = {others[0]: order[:first], others[1]: order[first:]}
        if all(not state.lacks[other] >> card // 6 & 1 for other in others for card in hands[other]):
            world = TRICKS.copy(state)
            for other in others:
                world.hands[other] = sum(1 << card for card in hands[other])
            yield world


@pytest.mark.parametrize("text", ["ismcts(playouts=300, tree=10)", "pimc(maxn(depth=9), deals=60, by=mean)"])
def test_the_last_choice_of_the_trick_game_is_worth_its_mean_over_all_deals(text):
    tried = 0
    for state in last_choice():
        seat = TRICKS.mover(state)
        worlds = list(all_deals(state, seat))
        found = load_agent(text).decide(TRICKS, state, stream(2), TWIN)
        for move in TRICKS.legal(state):
            ends = []
            for world in worlds:
                after = TRICKS.after(world, move)
                while TRICKS.mover(after) >= 0:
                    (only,) = TRICKS.legal(after)
                    after = TRICKS.after(after, only)
                ends.append(TRICKS.payoffs(after)[seat])
            error = 4 * np.std(ends) / np.sqrt(25) + 1e-9
            assert found.value_of(move)[seat] == pytest.approx(np.mean(ends), abs=error)
        tried += 1
        if tried == 3:
            break
    assert tried == 3


@pytest.mark.parametrize("observer", ["single", "multiple"])
def test_information_sets_are_what_the_seats_can_tell_apart(observer):
    """Kuhn poker, counted by walking through every deal: the cards of the mover, or nobody's but the root seat's."""
    state = KUHN.new(3)
    sets = set()

    def visit(world):
        mover = KUHN.mover(world)
        if mover < 0:
            return
        seen = int(world.cards[mover]) if observer == "multiple" else None
        sets.add((mover, seen, int(world.turn), int(world.first), *world.stakes.tolist(), *world.folded.tolist()))
        for move in (PASS, BET):
            visit(KUHN.after(world, move))

    for world in deals(KUHN, state, 0):
        visit(world)
    agent = Ismcts(playouts=2000, tree=10, observer=observer, exploration=20.0)
    ready = agent.ready(KUHN, TWIN)
    work = ready.workspace(state, stream(1))
    agent.fill(work, KUHN, None)
    ready.call(work, 2000)
    assert int(work.filled) == len(sets)


def test_what_kuhn_poker_is_worth_beside_its_equilibrium():
    """Two seats: the first player's equilibrium value is -1/18. With open cards, as PIMC believes, it is 0 over all
    deals; IS-MCTS finds that the first player is at a disadvantage, and it is no equilibrium either.
    """
    found, believed = [], []
    for card in range(3):
        state = next(state for seed in range(99) if (state := KUHN_DUEL.new(seed)).cards[0] == card)
        found.append(decided(KUHN_DUEL, state, playouts=2500).values[0])
        believed += [float(oracles.maxn(KUHN_DUEL, world, 9)[0][0]) for world in deals(KUHN_DUEL, state, 0)]
    equilibrium = -1 / 18
    assert np.mean(believed) == 0.0
    assert equilibrium - 0.1 < np.mean(found) < 0.0


def test_no_seat_acts_on_what_it_cannot_know():
    """The second player at two-seat Kuhn poker with the middle card, after a bet: with open cards it would call
    half of the worlds; it has one answer for both, and both moves are worth their means.
    """
    state = next(state for seed in range(99) if (state := KUHN_DUEL.new(seed)).cards[1] == 1)
    found = decided(KUHN_DUEL, KUHN_DUEL.after(state, BET), playouts=1000)
    assert found.value_of(PASS)[1] == pytest.approx(-1.0)
    assert found.value_of(BET)[1] == pytest.approx(0.0, abs=0.6)


@pytest.mark.parametrize("game", [DUEL, DICE], ids=str)
def test_in_an_open_game_it_converges_to_the_exact_value_of_a_duel_or_a_die(game):
    state = tree_at(game, 2, ply=3)
    seat = game.mover(state)
    value = float(oracles.maxn(game, state, 5)[0][seat])
    found = decided(game, state, playouts=1500)
    assert abs(found.values[seat] - value) <= 2 * np.sqrt(np.log(1500) / 1500) * game.high


def test_compiled_and_interpreted_agree_on_a_hidden_game():
    for seed in range(3):
        state = world_of(KUHN, KUHN.new(seed), 0, stream(seed))
        agent = load_agent("ismcts(playouts=150, tree=12)")
        machine, twin = (agent.decide(KUHN, state, stream(seed), Ask(compiled=each)) for each in (None, False))
        assert (machine.move, machine.moves, machine.nodes) == (twin.move, twin.moves, twin.nodes)


def test_a_full_tree_grows_no_further_and_the_search_goes_on():
    found = decided(TRICKS, TRICKS.new(1), playouts=300, tree=4)
    assert (found.playouts, found.stopped) == (300, "playouts")
    assert len([entry for entry in found.moves if entry.values is not None]) == 4


def test_threads_add_up():
    state = KUHN.new(1)
    one, two = (decided(KUHN, state, playouts=101, threads=threads) for threads in (1, 2))
    assert (one.playouts, two.playouts) == (101, 101)
    assert two.bytes == 2 * one.bytes
    again = decided(KUHN, state, playouts=101, threads=2)
    assert (again.moves, again.nodes) == (two.moves, two.nodes)


def test_budgets_end_the_search():
    found = decided(STICKS_DUEL, STICKS_DUEL.new(), nodes=200)
    assert found.stopped == "nodes"
    assert found.nodes <= 200
    with pytest.raises(BadParameter, match=r"nodes=1 end ismcts.* before its first playout is finished in .*; give it"):
        decided(STICKS_DUEL, STICKS_DUEL.new(), nodes=1)


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("ismcts(observer=nobody)", UnknownName, "unknown observer 'nobody' in ismcts"),
        ("ismcts(playouts=0)", BadParameter, "expected a budget of at least 1 for playouts, got 0 in ismcts"),
        ("ismcts(tree=40)", BadParameter, "expected 4 to 26 for tree, got 40 in ismcts"),
        ("ismcts(cut=-1)", BadParameter, "expected a cut after 0 turns or more, got -1 in .*; or use cut=none"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        load_agent(text)


def test_games_that_do_not_fit_are_refused_with_a_way_out(tmp_path):
    with pytest.raises(Mismatch, match=r"ismcts cannot tell the positions of .* apart; give it a method key\(state\)"):
        load_agent("ismcts").decide(WRITTEN, WRITTEN.new())
    text = (OWN_GAMES / "kuhn.py").read_text()
    (tmp_path / "bare.py").write_text(text.replace("def redeal(", "def deal_again("))
    with pytest.raises(BadGame, match=r"lacks the method redeal.*; write one, or play a game without hidden"):
        load_agent("ismcts").fit(load_game(str(tmp_path / "bare.py")))
