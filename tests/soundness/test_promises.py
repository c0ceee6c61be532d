"""A sound game is one whose search is right: every fault that a game of one's own may have is told with method, line
and position.
"""

import pytest

from kingmaker.core.guard import interpret
from kingmaker.probe.conformance import same_measure
from kingmaker.soundness.fault import Fault, frozen
from kingmaker.soundness.promises import Effort
from kingmaker.soundness.trial import Trial
from kingmaker.soundness.vouching import first_fault
from tests.soundness import games

LITTLE = Effort(matches=6, turns=60, steps=0)
AT = r"at left=\d+ seat=\d+ winner=\d+ taken=\S+: "


def looked_at(game, estimates=()):
    """What an interpreted look finds: a hard fault is raised, a soft one returned."""
    interpret(game)
    return first_fault(game, estimates, LITTLE)


@pytest.mark.parametrize("cls", [games.Pile, games.Drawn, games.Objects, games.Trap, games.Rare, games.Game])
def test_a_sound_game_has_no_fault(cls):
    assert looked_at(cls()) is None


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (
            games.OnlyTheWinner,
            rf"payoff \(.*games.py, line \d+ `def payoff.*`\) {AT}expected "
            r"an entry for every seat, whatever stood in out ",
        ),
        (
            games.AddingUp,
            rf"payoff .*{AT}expected an entry for every seat.*but it does not "
            r"set out\[0\], out\[1\], out\[2\]; write 0.0 there",
        ),
        (
            games.ReturnedPayoff,
            rf"payoff .*{AT}expected it to write into out and return nothing, got \[0.0, 0.0, 1.0\]; write out\[seat\]",
        ),
        (games.ReturnedState, rf"play .*{AT}expected it to change the state and return nothing, got a record"),
        (
            games.Uncounted,
            rf"moves .*{AT}expected the number of entries that it wrote into out, got None; end it with return count",
        ),
        (games.Listed, rf"moves .*{AT}expected the number of entries that it wrote into out, got \[1, 2, 3\]"),
        (games.Overcounted, rf"moves .*{AT}expected 0 to max_moves = 3 entries, got 4"),
        (
            games.Crowded,
            rf"moves .*{AT}IndexError: index 3 is out of bounds.*line \d+ "
            r"`out\[i\] = i \+ 1`; keep every index from 0 to",
        ),
        (games.Unwritten, rf"moves .*{AT}expected 2 entries to be written, but entry 1 was not"),
        (
            games.HalfMover,
            rf"mover .*{AT}expected a seat from 0 to 2, CHANCE or OVER, got None; end every way through it with return",
        ),
        (games.FarMover, rf"mover .*{AT}expected a seat from 0 to 2, CHANCE or OVER, got \d"),
        (games.LowMover, rf"mover .*{AT}expected a seat from 0 to 2, CHANCE or OVER, got -3"),
        (games.FloatMover, rf"mover .*{AT}expected a seat from 0 to 2, CHANCE or OVER, got 0.0"),
        (
            games.Dicey,
            rf"mover .*{AT}it says CHANCE, but the facts say that there "
            r"are no dice; write facts = Facts\(chance=True\)",
        ),
        (games.Acting, rf"acting .*{AT}expected a list of the seats that choose a move now, got 0; return \[0\]"),
        (
            games.Stepping,
            r"step \(.*line \d+ `def step.*nobody asks for it, for the facts do not say simultaneous=True; write facts",
        ),
        (
            games.RandomNumpy,
            r"play \(.*line \d+ `if state.left == 1 and np.random.*it uses "
            r"np.random, so the same seed gives other matches",
        ),
        (games.RandomModule, r"start \(.*line \d+ `if random.random\(\) < 0.001:`\): it uses random, so the same seed"),
        (
            games.RandomName,
            r"play \(.*`state.taken\[0\] = randint.*it uses randint, so the same seed.*draw from rng in start",
        ),
        (games.RandomOwn, r"RandomOwn.dice draws random numbers of its own, so a seed does not settle a match"),
        (games.Clock, r"play \(.*`return time.time\(\) < 0`\): it uses time, so"),
        (
            games.Remembering,
            r"play \(.*`SEEN.append\(move\)`\): expected it to change the "
            r"state only, but it changes SEEN; keep what must",
        ),
        (games.Counting, r"play \(.*expected it to change the state only, but it changes COUNTS\[move\]"),
        (games.Totalling, r"play \(.*expected it to change the state only, but it changes TOTALS\[seat\]"),
        (
            games.SelfChanging,
            r"play \(.*`self.last = move`\): expected it to change the state only, but it changes self.last",
        ),
        (games.ClassChanging, r"play \(.*expected it to change the state only, but it changes ClassChanging.last"),
        (
            games.Aliased,
            r"the same seed gives another match the second time \(start 0\); something in the rules outlives a match",
        ),
        (games.Peeking, rf"moves .*{AT}expected it to leave the state as it is"),
        (
            games.OneTooFar,
            rf"play .*{AT}IndexError: index 3 is out of bounds for axis 0 "
            r"with size 3 in .*line \d+ `state.taken\[move\] = 1`",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_is_told_with_the_method_its_line_and_the_position(cls, said):
    with pytest.raises(Fault, match=said) as told:
        looked_at(cls())
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (
            games.Grasping(),
            r"grasping.value \(.*`def value.*expected an entry for every seat.*does not set out\[1\], out\[2\]",
        ),
        (games.Telling(), r"telling.value .*expected it to write into out and return nothing, got \[0.5, 0.5, 0.5\]"),
    ],
    ids=str,
)
def test_an_estimate_is_asked_in_the_same_ways(estimate, said):
    with pytest.raises(Fault, match=said):
        looked_at(games.Pile(), (estimate,))


def test_a_position_that_cannot_be_read_back_is_a_soft_fault():
    assert "position" in str(looked_at(games.Unreadable()))
    assert "expected the state that was written as" in str(looked_at(games.Unreadable()))


def test_a_call_that_does_not_come_back_is_ended_and_named(monkeypatch):
    monkeypatch.setattr("kingmaker.soundness.trial.LONGEST", 0.5)
    with pytest.raises(
        Fault,
        match=rf"play .*{AT}expected it to end within 0.5 s, but it was still in .*while state.left == 2:`; look for",
    ):
        looked_at(games.Endless())


def test_a_trial_leaves_calls_that_end_alone():
    with Trial(games.Pile()) as trial:
        assert trial.call("mover", None, lambda: 7) == 7


def test_equal_states_are_frozen_alike_whatever_they_hold():
    one, other = games.Heap(), games.Heap()
    one.inner, other.inner = games.Heap(), games.Heap()
    one.inner.past.append({1, 2})
    assert frozen(one) != frozen(other)
    other.inner.past.append({2, 1})
    assert frozen(one) == frozen(other)


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (
            games.Skipping(),
            r"skipping.measure \(.*`def measure.*expected an entry for every seat.*does not set out\[1\]",
        ),
        (games.Boundless(), rf"boundless.measure .*{AT}expected finite numbers, got \(inf, 0.0, 0.0\)"),
        (
            games.Contrary(),
            rf"contrary.measure .*{AT}expected seats to stand as they do by value, .*; measure what value",
        ),
        (
            games.Level(),
            rf"level.measure .*{AT}expected seats to stand .* and nobody else to lead, got \(3.0, 1.0, 3.0\)",
        ),
        (games.Swapped(), rf"swapped.measure .*{AT}expected seats to stand as they do by value, \(0.75, 0.25, 0.5\)"),
        (
            games.Wider(),
            r"wider.widest_edge .*: it says 2, but measure sets seats apart by 3; return more, or math.inf",
        ),
        (games.Mute(), r"mute.widest_edge .*: expected a number of at least 0, got None; return math.inf"),
        (games.Below(), r"below.widest_edge .*: expected a number of at least 0, got -1.0"),
        (games.Torn(), r"torn.widest_edge .*: ZeroDivisionError"),
        (
            games.Numbered(),
            r"expected numbered.unit to be a word in the singular, got 3; write unit = 'step', or leave",
        ),
    ],
    ids=str,
)
def test_an_estimate_measures_as_it_values(estimate, said):
    with pytest.raises(Fault, match=said):
        looked_at(games.Pile(), (estimate,))


def test_an_estimate_with_a_sound_unit_has_no_fault():
    assert looked_at(games.Pile(), (games.Weighing(),)) is None


def test_a_measure_that_machine_code_computes_otherwise_is_told():
    game = games.Pile(sticks=9)
    game.estimates = (games.Overflowing(),)
    said = r"overflowing.measure .*at left=9.*: compiled it measures \(1.0, .*\), interpreted \(9.0, 0.0, 0.0\)"
    with pytest.raises(Fault, match=said):
        same_measure(game, game.new())
    game = games.Pile(sticks=9)
    game.estimates = (games.Weighing(),)
    same_measure(game, game.new())
