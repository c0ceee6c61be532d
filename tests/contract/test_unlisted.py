"""Dice that nobody can list, in a game of one's own: every room goes on with `roll`, and every search stops there."""

import msgspec
import numpy as np
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.results.transcript_files import read_records
from kingmaker.arena.results.transcripts import BadRecord, record_of, replayed
from kingmaker.arena.table.match import play_match
from kingmaker.arena.table.opening import opened
from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch
from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.rng import stream
from kingmaker.probe.conformance import examine
from kingmaker.probe.perft import perft
from kingmaker.probe.random_walk import wandered
from kingmaker.search import ALGORITHMS
from kingmaker.soundness.calls import answers
from kingmaker.soundness.fault import Fault
from kingmaker.soundness.trial import Trial
from tests import oracles, reply_oracles
from tests.samples import NOT_BY_DEPTH, OWN_GAMES, same

FILE = str(OWN_GAMES / "deals.py")
DEALS, LONG = load_game(FILE), load_game(f"{FILE}(rounds=4)")
RANDOM = [load_agent("random")] * 3


def first_deal(game, seed=5):
    return game.after(game.new(), seed)


def test_the_game_keeps_all_promises_compiled_and_interpreted():
    report = examine(FILE, games=20)
    assert report.passed, [check for check in report.checks if not check.passed]
    assert "compiled rules play the same matches as interpreted ones" in [check.name for check in report.checks]


def test_a_match_is_dealt_anew_by_its_seed_and_every_deal_is_in_the_record():
    one, again, other = (play_match(DEALS, RANDOM, seed) for seed in (1, 1, 2))
    deals = [[turn[0][1] for turn in match.turns if turn[0][0] == CHANCE][::2] for match in (one, again, other)]
    assert one.finished
    assert one.turns == again.turns
    assert deals[0] == deals[1] != deals[2]
    assert len({*deals[0], *deals[2]}) == 4


@pytest.mark.parametrize("form", ["as_line", "as_text"])
def test_a_record_replays_to_the_same_states(form, tmp_path):
    match = play_match(DEALS, RANDOM, 4)
    record = msgspec.structs.replace(record_of(DEALS, RANDOM, match, DEALS.new()), game=FILE)
    path = tmp_path / "record.jsonl"
    path.write_text(getattr(record, form)(*[DEALS] * (form == "as_text")))
    (read,) = read_records(path, trust=True)
    assert read.turns == list(match.turns)
    states = [state for state, _ in replayed(read, DEALS)]
    assert DEALS.mover(states[-1]) == OVER
    assert DEALS.payoffs(states[-1]) == match.payoffs


@pytest.mark.parametrize("number", [-1, 2**31, 2**40])
def test_a_record_with_a_number_that_is_no_event_is_refused(number):
    record = record_of(DEALS, RANDOM, play_match(DEALS, RANDOM, 4), DEALS.new())
    record.turns[0] = ((CHANCE, number),)
    with pytest.raises(BadRecord, match=f"{number} of seat -1 is no legal move in turn 1"):
        list(replayed(record, DEALS))


def test_a_record_with_another_deal_is_found_out_by_its_end():
    record = record_of(DEALS, RANDOM, play_match(DEALS, RANDOM, 4), DEALS.new())
    record.turns[5] = ((CHANCE, record.turns[5][0][1] + 1),)
    with pytest.raises(BadRecord, match=r"the payoffs of match 0 are .*, but its moves lead to"):
        list(replayed(record, DEALS))


def test_openings_and_random_walks_go_on_with_roll():
    for seed in range(5):
        state = opened(LONG, LONG.new(), 5, seed)
        assert int(state.left) == 3
    with np.errstate(over="ignore"):
        machine, twin = (wandered(DEALS, DEALS.new(), stream(3), compiled) for compiled in (True, False))
    assert DEALS.mover(twin[-1]) == OVER
    assert [state.tobytes() for state in machine] == [state.tobytes() for state in twin]


MODELS = {"om": "type=rounds", "prom": "types=[own, rounds]"}
ORACLES = {
    "maxn": lambda state, depth: oracles.maxn(LONG, state, depth),
    "paranoid": lambda state, depth: oracles.paranoid(LONG, state, depth),
}
SEARCHES = sorted(ALGORITHMS.keys() - NOT_BY_DEPTH - {"minimax", "alpha_beta", "max_prob", "pvs"})


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.usefixtures("wrapping")
def test_every_search_stops_at_a_new_deal_with_the_estimate(name):
    """Three moves and a coin, which is listed, and then the deal: no depth looks beyond it, and nothing is solved."""
    state, depth = first_deal(LONG), 1 if name == "greedy" else 9
    agent = load_agent(f"{name}({'' if depth == 1 else 'depth=9'}{', ' + MODELS[name] if name in MODELS else ''})")
    found = agent.decide(LONG, state, ask=Ask(compiled=False, record=100_000))
    assert found.stopped == "depth"
    assert found.depth == depth
    assert unlisted_leaves(found.tree, state) > (0 if depth > 1 else -1)
    if name in ORACLES:
        values, move = ORACLES[name](state, depth)
        assert (oracles.exact(found.values[0]), found.move) == (values[0], move)
    if name == "best_reply":
        assert oracles.exact(found.values[0]) == reply_oracles.best_reply(LONG, state, depth)[0]


def unlisted_leaves(tree, state):
    """How many recorded nodes stand before a deal; none of them has anything below it."""
    parents, found = set(tree.nodes["parent"].tolist()), 0
    states = {0: state}
    for row, entry in enumerate(tree.nodes[1:], 1):
        states[row] = LONG.copy(states[int(entry["parent"])])
        LONG.play(states[row], int(entry["by"]), int(entry["move"]))
        if LONG.mover(states[row]) == CHANCE and not LONG.can_list(states[row]):
            assert row not in parents
            found += 1
    return found


@pytest.mark.parametrize("text", ["maxn(depth=5, table=8)", "paranoid(depth=5)"])
def test_machine_code_stops_where_its_twin_does(text):
    for seed in (5, 6, 7):
        state = first_deal(LONG, seed)
        assert same(*(load_agent(text).decide(LONG, state, ask=Ask(compiled=compiled)) for compiled in (True, False)))


def test_the_last_round_is_solved_for_no_deal_follows():
    game = load_game(f"{FILE}(rounds=1)")
    found = load_agent("maxn(depth=20)").decide(game, first_deal(game), ask=Ask(compiled=False))
    assert (found.depth, found.stopped) == (4, "solved")


@pytest.mark.parametrize("compiled", [True, False])
def test_perft_refuses_what_it_cannot_list(compiled):
    state = first_deal(DEALS)
    assert perft(DEALS, state, 4, compiled) == [1, 2, 4, 8, 16]
    with pytest.raises(
        Mismatch,
        match=r"perft counts what is listed, but the chance events of deals\(\) at .*left=1 dealt=0 turn=0, "
        r"4 plies deep, cannot be listed; use a lower depth, or begin after such an event",
    ):
        perft(DEALS, state, 5, compiled)
    with pytest.raises(Mismatch, match="0 plies deep"):
        perft(DEALS, DEALS.new(), 1, compiled)


class Lying(type(DEALS)):
    """Wrong in one of its methods."""

    def __init__(self, wrong):
        super().__init__()
        self.wrong = wrong

    def can_list(self, state):
        return None if self.wrong == "mute" else super().can_list(state)

    def roll(self, state, rng):
        if self.wrong == "changing":
            state.left = 1
        return {"negative": -1, "large": 2**31, "unlisted": 2}.get(self.wrong) or super().roll(state, rng)


@pytest.mark.parametrize(
    ("wrong", "dealt", "sentence"),
    [
        ("mute", False, r"can_list .*: expected True or False, got None"),
        ("negative", False, r"roll .*: expected a whole number from 0 to 2147483647, got -1"),
        ("large", False, r"roll .*: expected a whole number from 0 to 2147483647, got 2147483648"),
        ("unlisted", True, r"roll .*: expected one of the outcomes \[0, 1\], got 2"),
        ("changing", True, r"roll .*: expected it to leave the state as it is"),
    ],
)
def test_check_tells_what_is_wrong_with_a_roll(wrong, dealt, sentence):
    game = Lying(wrong)
    state = DEALS.after(DEALS.new(), 5, 0, 0, 0) if dealt else DEALS.new()
    with Trial(game) as trial:
        trial.close = True
        with pytest.raises(Fault, match=sentence):
            answers(trial, state)
