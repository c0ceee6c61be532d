"""Secrets have one door: nobody is shown a state, only worlds in which what a seat cannot know was dealt anew.

Three-seat Kuhn poker and a small trick game are the examples. A game with hidden information that cannot deal anew is
refused by everything.
"""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chisquare

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.arena.table.table import Table
from kingmaker.cli import main
from kingmaker.core.agent import Agent
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadGame, Mismatch
from kingmaker.core.own_files import class_in, own_file
from kingmaker.core.rng import stream
from kingmaker.core.secrets import picture, redealt, world_of, world_with
from kingmaker.loading import OWN_GAME
from kingmaker.probe.conformance import examine
from kingmaker.search import ALGORITHMS
from kingmaker.soundness.fault import frozen
from tests.samples import OWN_GAMES

KUHN, TRICKS = (load_game(str(OWN_GAMES / f"{name}.py")) for name in ("kuhn", "tricks"))
FILE = str(OWN_GAMES / "kuhn.py")
SEARCHES = {
    name: settings
    for name, settings in dict.fromkeys(ALGORITHMS, "depth=2").items()
    if name
    not in (
        "random",
        "weak_rational",
        "greedy",
        "minimax",
        "alpha_beta",
        "pvs",
        "best_reply",
        "multi_minimax",
        "pimc",
        "ismcts",
        "backward_induction",
        "decoupled_uct",
        "regret_matching",
    )
} | {"mcts": "playouts=20, tree=8", "greedy": "", "prom": "depth=2, learn=true", "prob_maxn": "depth=2, learn=true"}
UNASKED = r"cannot play kuhn\(\): it has hidden information, and \w+ would take a random world for the truth; use pimc"
EVENLY = "every world that a seat may be in is as likely as any other"
UNSEEN = "no agent can tell apart what its seat cannot"
NOT_THE_TRUTH = "no search takes a random world for the truth unless told to"


def text_of(name, *settings):
    return f"{name}({', '.join(each for each in settings if each)})"


def in_the_middle(game, seed, turns):
    table = Table(game, [load_agent("random")] * 3, seed)
    with np.errstate(over="ignore"):
        for _ in range(turns):
            table.take(table.turn()[0])
    return table.state


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_takes_no_world_for_the_truth_unless_it_is_told_to(name):
    agent, state = load_agent(text_of(name, SEARCHES[name])), KUHN.new(1)
    for act in (
        lambda: agent.decide(KUHN, state),
        lambda: agent.decide(KUHN, state, ask=Ask(compiled=False)),
        lambda: agent.fit(KUHN),
        lambda: agent.prepare(KUHN),
        lambda: agent.memory(KUHN, 0),
        lambda: agent.observe(None, KUHN, state, 0, 0),
        lambda: play_match(KUHN, [agent, load_agent("random"), load_agent("random")], seed=1),
    ):
        with pytest.raises(Mismatch, match=UNASKED):
            act()


FOR_SECRETS = [
    "pimc(maxn(depth=3), deals=3)",
    "pimc(paranoid(depth=2), deals=3, by=mean, threads=2)",
    "ismcts(playouts=20, tree=8)",
    "ismcts(playouts=20, tree=8, observer=single)",
]


@pytest.mark.parametrize("game", [KUHN, TRICKS], ids=str)
@pytest.mark.parametrize(
    "text", [*(text_of(name, SEARCHES[name], "one_world=True") for name in SEARCHES), *FOR_SECRETS]
)
def test_no_search_can_tell_apart_what_its_seat_cannot(text, game):
    """The same luck gives the same decision from any position that looks the same to the seat."""
    agent = load_agent(text)
    for seed in range(3):
        state = in_the_middle(game, seed, seed)
        other = world_of(game, state, game.mover(state), stream(seed, "other"))
        wishes = Ask(compiled=False)
        one, two = (agent.decide(game, each, stream(seed), wishes) for each in (state, other))
        assert (one.move, one.values, one.moves, one.nodes, one.line) == (
            two.move, two.values, two.moves, two.nodes, two.line,
        )  # fmt: skip


class Peeping(Agent):
    """Writes down whatever it is shown and told, and plays the first move."""

    def memory(self, game, seat):
        return []

    def choose(self, game, state, rng, ask):
        SHOWN.append((game.mover(state), game.copy(state)))
        return load_agent("random").decide(game, state, rng, ask)

    def observe(self, memory, game, state, seat, move):
        TOLD.append((seat, move, game.copy(state)))


SHOWN, TOLD = [], []


@pytest.fixture
def peeped():
    SHOWN.clear()
    TOLD.clear()


def test_the_table_hands_out_worlds_and_each_is_as_likely_as_any_other(peeped):
    """At Kuhn poker six worlds fit what the first seat knows."""
    start = KUHN.new(5)
    for seed in range(600):
        Table(KUHN, [Peeping()] * 3, seed, start).turn()
    worlds = Counter(tuple(state.cards.tolist()) for seat, state in SHOWN)
    own = int(start.cards[0])
    assert set(worlds) == {(own, *rest) for rest in permutations({0, 1, 2, 3} - {own}, 2)}
    assert chisquare(list(worlds.values())).pvalue > 0.01


def test_worlds_fit_all_that_was_seen_and_each_is_as_likely_as_any_other():
    """At the trick game, after somebody did not follow suit: against all deals that fit, counted one by one."""
    seed, state = next((seed, state) for seed in range(100) if (state := lacking(seed)) is not None)
    seat = TRICKS.mover(state)
    dealt = Counter(
        tuple(world_of(TRICKS, state, seat, stream(number, "fit")).hands.tolist()) for number in range(3000)
    )
    fitting = set(all_deals(state, seat))
    assert set(dealt) == fitting, seed
    assert chisquare(list(dealt.values())).pvalue > 0.01


def lacking(seed):
    """A position one trick on in which the mover knows of somebody who lacks a suit; None if there is none."""
    state = in_the_middle(TRICKS, seed, 3)
    seat = TRICKS.mover(state)
    known = any(state.lacks[other] for other in range(3) if other != seat)
    return state if known and 3 < len(set(all_deals(state, seat))) < 20 else None


def all_deals(state, seat):
    """Every way to deal the unseen cards that gives nobody a suit that it lacks, by trying all of them."""
    unseen = [card for card in range(12) if not (int(state.gone) | int(state.hands[seat])) >> card & 1]
    others = [other for other in range(3) if other != seat]
    first = bin(state.hands[others[0]]).count("1")
    for order in permutations(unseen):
        hands = {others[0]: order[:first], others[1]: order[first:]}
        if all(not state.lacks[other] >> card // 6 & 1 for other in others for card in hands[other]):
            masks = {other: sum(1 << card for card in hands[other]) for other in others} | {
                seat: int(state.hands[seat])
            }
            yield tuple(masks[each] for each in range(3))


def test_what_an_observer_is_told_is_a_world_too(peeped):
    match = play_match(TRICKS, [Peeping()] * 3, seed=4)
    assert len(TOLD) == 2 * len(match.turns)
    state, told = TRICKS.new(4), iter(TOLD)
    hidden = 0
    for ((seat, move),) in match.turns:
        for observer in (each for each in range(3) if each != seat):
            other, seen, world = next(told)
            assert (other, seen) == (seat, move)
            assert move in TRICKS.legal(world, seat)
            assert world.hands[observer] == state.hands[observer]
            hidden += frozen(world) != frozen(state)
        state = TRICKS.after(state, move)
    assert hidden > 10


def test_a_secret_move_is_told_to_nobody(peeped, monkeypatch):
    monkeypatch.setattr(type(TRICKS), "is_secret", lambda game, state, seat: seat == 1)
    match = play_match(TRICKS, [Peeping()] * 3, seed=4)
    open_turns = [turn for turn in match.turns if turn[0][0] != 1]
    assert len(TOLD) == 2 * len(open_turns) < 2 * len(match.turns)
    assert all(seat != 1 for seat, _, _ in TOLD)


def test_a_world_with_a_move_that_no_world_allows_does_not_turn_up():
    state = TRICKS.new(4)
    mine = TRICKS.legal(state)[0]
    assert world_with(TRICKS, state, 0, 1, mine, stream(1)) is None
    theirs = next(card for card in range(12) if int(state.hands[1]) >> card & 1)
    assert int(world_with(TRICKS, state, 0, 1, theirs, stream(1)).hands[1]) >> theirs & 1


def test_an_agent_of_one_s_own_is_shown_worlds(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def decide(self, game, state):\n        self.seen = state.cards.tolist()\n        return 0\n"
    )
    agent, state = load_agent(f"{tmp_path}/mine.py"), KUHN.new(5)
    seen = set()
    for seed in range(60):
        agent.decide(KUHN, state, stream(seed))
        seen.add(tuple(agent.thing.seen))
    assert len(seen) == 6
    assert {cards[0] for cards in seen} == {int(state.cards[0])}


def test_one_decision_takes_one_number_for_its_world_however_many_the_deal_uses():
    agent, one, two = load_agent("random"), stream(3), stream(3)
    agent.decide(TRICKS, TRICKS.new(1), one)
    agent.decide(TRICKS, TRICKS.new(2), two)
    assert one.word == two.word


def test_compiled_and_interpreted_deals_are_the_same():
    table = Table(TRICKS, [load_agent("random")] * 3, 7)
    table.referee.hasten()
    assert table.referee.redealt is not redealt
    for seed in range(20):
        worlds = [world_of(TRICKS, table.state, 1, stream(seed), *deal) for deal in ((), (table.referee.redealt,))]
        assert frozen(worlds[0]) == frozen(worlds[1])


def test_an_agent_is_dealt_its_world_by_machine_code_once_there_is_some():
    game, agent, dealt = load_game(str(OWN_GAMES / "tricks.py")), load_agent("random"), []

    def deal(game, state, seat, rng):
        dealt.append(seat)
        redealt(game, state, seat, rng)

    before = agent.decide(game, game.new(1), stream(3))
    game.hasten(dealer=deal)
    assert agent.decide(game, game.new(1), stream(3), Ask(compiled=False)).move == before.move
    assert not dealt
    assert agent.decide(game, game.new(1), stream(3)).move == before.move
    assert dealt == [game.mover(game.new(1))]


def test_a_seat_s_picture_hides_what_the_seat_may_not_see():
    state = TRICKS.new(4)
    assert picture(TRICKS, state, 1).count("?") == 8
    assert "?" not in picture(TRICKS, state)


EXPERIMENT = """
question = "Who wins?"
game = "{file}"
starts = 2
[agents]
ahead = "{agent}"
one = "random"
two = "random"
"""
COMMANDS = [
    ["decide", FILE, "maxn(depth=3)"],
    ["decide", FILE, "maxn(depth=3)", "--interpreted"],
    ["match", FILE, "greedy", "random", "random"],
    ["tree", FILE, "paranoid(depth=2)"],
    ["bench", FILE, "maxn"],
    ["play", FILE, "--against", "maxn"],
    ["run"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_refuses_to_search_it_unasked_in_one_sentence(command, tmp_path, capsys):
    if command == ["run"]:
        (tmp_path / "x.toml").write_text(EXPERIMENT.format(file=FILE, agent="maxn(depth=3)"))
        command = ["run", str(tmp_path / "x.toml")]
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert ") or ismcts, or allow that by one_world=True" in err


@pytest.mark.parametrize(
    "agent", ["maxn(depth=3, one_world=True)", "pimc(maxn(depth=3), deals=2)", "ismcts(playouts=9, tree=12)"]
)
def test_an_experiment_with_secrets_runs(agent, tmp_path, capsys):
    (tmp_path / "x.toml").write_text(EXPERIMENT.format(file=FILE, agent=agent))
    assert main(["run", str(tmp_path / "x.toml"), "--store", str(tmp_path / "x.db"), "--workers", "1"]) == 0


def bare(tmp_path):
    """Kuhn poker without a way to deal anew, made without asking whether it is a game."""
    text = (OWN_GAMES / "kuhn.py").read_text()
    (tmp_path / "bare.py").write_text(text[: text.index("    def redeal(")])
    return class_in(own_file(str(tmp_path / "bare.py")), OWN_GAME)()


LACKING = (
    r"has hidden information and lacks the method redeal\(state, seat, rng\), so nobody can be shown a position of it"
)


def test_a_hidden_game_that_cannot_deal_anew_is_refused_by_everybody(tmp_path):
    game = bare(tmp_path)
    for text in [*(text_of(name, settings, "one_world=True") for name, settings in SEARCHES.items()), "random"]:
        agent = load_agent(text)
        for act in (
            lambda agent=agent: agent.decide(game, game.new(1)),
            lambda agent=agent: agent.fit(game),
            lambda agent=agent: play_match(game, [agent] * 3, seed=1),
        ):
            with pytest.raises(BadGame, match=LACKING):
                act()
    with pytest.raises(BadGame, match=r"Kuhn lacks the method redeal\(state, seat, rng\)"):
        game.redeal(game.new(1), 0, stream(1))


@pytest.mark.parametrize("command", ["decide", "match", "play", "perft", "games"])
def test_every_command_refuses_it_in_one_sentence(command, tmp_path, capsys):
    text = (OWN_GAMES / "kuhn.py").read_text()
    file = tmp_path / "kuhn.py"
    file.write_text(text[: text.index("    def redeal(")])
    agents = {"decide": ["random"], "match": ["random"] * 3, "perft": ["--depth", "2"]}
    assert main([command, str(file), *agents.get(command, [])]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "lacks the method redeal(state, seat, rng)" in err


NOTHING_ELSE = "a seat's world tells what the seat knows and nothing else"
SHUFFLED_IN_PLACE = """
    def redeal(self, state, seat, rng):
        for i in (2, 1):
            j = km.below(rng, i + 1)
            if seat not in (i, j):
                state.cards[i], state.cards[j] = state.cards[j], state.cards[i]
"""
FAULTY = {
    "def redeal(self, state, seat, rng):\n        return\n": ("something is hidden", "it changes nothing in"),
    SHUFFLED_IN_PLACE: (NOTHING_ELSE, "expected one world for the same luck from positions that look the same to seat"),
    "def redeal(self, state, seat, rng):\n        state.cards[0], state.cards[1], state.cards[2] = 0, 1, 2\n": (
        NOTHING_ELSE,
        "expected its picture to be the same for seat",
    ),
}


@pytest.mark.parametrize("method", FAULTY)
def test_check_finds_out_a_redeal_that_leaks(method, tmp_path):
    text = (OWN_GAMES / "kuhn.py").read_text()
    start, end = text.index("    def redeal("), text.index("    def show(")
    (tmp_path / "kuhn.py").write_text(f"{text[:start]}    {method.strip()}\n\n{text[end:]}")
    report = examine(f"{tmp_path}/kuhn.py", games=10, interpreted=True)
    name, detail = FAULTY[method]
    broken = {check.name: check.detail for check in report.checks if not check.passed}
    assert name in broken, report
    assert detail in broken[name]


def test_check_calls_a_game_with_secrets_sound():
    """The next test runs all that is compiled for Kuhn poker."""
    for game, interpreted in (("kuhn", True), ("tricks", False)):
        report = examine(str(OWN_GAMES / f"{game}.py"), games=10, interpreted=interpreted)
        names = [check.name for check in report.checks]
        assert report.passed, report
        assert {NOTHING_ELSE, "something is hidden", NOT_THE_TRUTH, EVENLY, UNSEEN} <= set(names)


def test_check_finds_out_a_search_that_takes_a_world_for_the_truth_unasked(monkeypatch):
    from kingmaker.search.parts.machinery.search import Search

    monkeypatch.setattr(Search, "refuse_secrets", lambda agent, game: None)
    report = examine(FILE, games=5)
    broken = [check for check in report.checks if not check.passed]
    assert [check.name for check in broken] == [NOT_THE_TRUTH]
    assert "maxn(depth=2) took a world for the truth" in broken[0].detail
