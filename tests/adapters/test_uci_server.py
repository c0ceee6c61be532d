"""`kingmaker uci`, as another chess program sees it."""

import io
import itertools
import random
import threading

import numpy as np
import pytest

from kingmaker import Estimate, Facts, load_agent, load_game
from kingmaker.adapters.lines import LONGEST, lines_of
from kingmaker.adapters.uci_server import Conversation, read_limits, seconds_for
from kingmaker.cli.uci import uci
from kingmaker.core.ask import Ask
from kingmaker.core.errors import Mismatch, UnknownName
from kingmaker.games.sticks import Sticks
from kingmaker.search import ALGORITHMS

GAME = load_game("chess")
AGENT = "alpha_beta(order=history, quiet=4, table=12)"
PATIENCE = 300  # seconds before a test gives up; every wait ends by what it waits for


class Client:
    """The other program: it hears lines, and can wait for one of a kind."""

    def __init__(self):
        self.said, self.changed = [], threading.Condition()

    def hear(self, line):
        with self.changed:
            self.said.append(line)
            self.changed.notify_all()

    def wait(self, *words, count=1):
        """Until so many lines begin with one of the words."""
        with self.changed:
            assert self.changed.wait_for(
                lambda: sum(line.startswith(words) for line in self.said) >= count, PATIENCE
            ), (words, self.said)

    def talk(self, lines, agent=AGENT, game=GAME):
        """Hold a conversation; what is a function among the lines is called in its turn."""
        conversation = Conversation(game, load_agent(agent) if isinstance(agent, str) else agent, self.hear)
        conversation.listen(line for line in lines if not callable(line) or line() is not None)
        return conversation


def spoken(*lines, agent=AGENT, game=GAME):
    """What is answered to some lines; every search is waited for."""
    client = Client()

    def patiently():
        for line in lines:
            before = len([each for each in client.said if each.startswith(("bestmove", "info string"))])
            yield line
            if line.startswith("go"):
                client.wait("bestmove", "info string", count=before + 1)

    client.talk(patiently(), agent, game)
    return client.said


def best_moves(said):
    return [line.split()[1] for line in said if line.startswith("bestmove")]


def test_it_introduces_itself_and_is_ready():
    said = spoken("uci", "isready")
    assert said[0].startswith("id name Kingmaker ")
    assert "option name Table type spin default 12 min 0 max 22" in said
    assert (
        "option name Estimate type combo default material_and_squares var material_and_squares var positional" in said
    )
    assert said[-2:] == ["uciok", "readyok"]


def test_it_tells_depth_score_nodes_and_line_and_plays_a_legal_move():
    said = spoken("position startpos moves e2e4 e7e5", "go depth 3")
    infos = [line.split() for line in said if line.startswith("info depth")]
    assert [info[2] for info in infos] == ["1", "2", "3"]
    for word in ("score", "cp", "nodes", "nps", "time", "pv"):
        assert word in infos[-1]
    assert best_moves(said) == [infos[-1][infos[-1].index("pv") + 1]]


@pytest.mark.parametrize(
    "limit",
    ["depth 2", "nodes 500", "movetime 60", "wtime 900 btime 900 winc 10 binc 10", "wtime 500 btime 500 movestogo 5"],
)
def test_every_kind_of_limit_ends_with_one_move(limit):
    said = spoken("position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", f"go {limit}")
    assert len(best_moves(said)) == 1


def test_it_announces_mate_and_plays_it():
    said = spoken("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 2")
    assert best_moves(said) == ["a1a8"]
    assert "score mate 1" in said[-2]


def test_stop_ends_a_search_without_limit():
    client = Client()

    def lines():
        yield "isready"
        yield "go infinite"
        client.wait("info depth", count=2)
        assert not best_moves(client.said)
        yield "isready"
        assert client.said.count("readyok") == 2  # at once, while it searches
        yield "stop"
        assert len(best_moves(client.said)) == 1
        yield "isready"
        yield "quit"

    client.talk(lines())
    assert client.said[-1] == "readyok"


def test_a_search_without_limit_waits_for_stop_even_where_all_is_known():
    client = Client()

    def lines():
        yield "position fen k7/8/1K6/8/8/8/8/6R1 w - - 98 90"
        yield "go infinite"
        client.wait("info depth")
        assert not best_moves(client.said)
        yield "stop"

    client.talk(lines())
    assert best_moves(client.said) == ["g1g8"]


@pytest.mark.parametrize(
    "limit",
    ["infinite", "depth 100", "nodes 4000000000000000000", "movetime 900000000", "ponder wtime 1000 btime 1000"],
)
def test_where_the_input_ends_the_search_ends(limit):
    """Nobody is there to hear the rest; `listen` comes back, and with it the process ends."""
    client = Client()

    def lines():
        yield f"go {limit}"
        client.wait("info depth")

    client.talk(lines())
    assert len(best_moves(client.said)) == 1


def test_quit_ends_the_search():
    client = Client()
    client.talk(["isready", "go infinite", "quit", "never read"])
    assert len(best_moves(client.said)) == 1


def test_a_second_go_ends_the_first_search():
    client = Client()
    client.talk(["go infinite", "go depth 1", lambda: client.wait("bestmove", count=2)])
    assert len(best_moves(client.said)) == 2


def test_pondering_waits_for_the_expected_move_to_be_played():
    client = Client()

    def lines():
        yield "isready"
        yield "position startpos moves e2e4 e7e5"
        yield "go ponder wtime 60000 btime 60000 movestogo 40"
        client.wait("info depth", count=2)
        assert not best_moves(client.said)
        yield "ponderhit"
        client.wait("bestmove")
        yield "go ponder depth 2"
        client.wait("info depth 2")
        yield "ponderhit"
        client.wait("bestmove", count=2)
        yield "go ponder wtime 60000 btime 60000"
        yield "stop"
        yield "ponderhit"

    client.talk(lines())
    assert len(best_moves(client.said)) == 3


def test_a_reply_to_ponder_on_is_named():
    said = spoken("position startpos moves e2e4 e7e5", "go depth 3")
    line = next(line for line in said if line.startswith("info depth 3")).partition(" pv ")[2].split()
    assert said[-1] == f"bestmove {line[0]} ponder {line[1]}"


class Plain:
    """A state of two numbers."""

    left = seat = winner = 0


class Piles(Sticks):
    """Sticks for chess programs: interpreted, so that every search is tried without compiling any."""

    State = Plain
    facts = Facts(seats=(2, 2), out_of_turn=True, single_winner=True, low=0.0, high=1.0, total=1.0, constant_sum=True)

    class Even(Estimate):
        """Nobody is ahead, and anything may happen."""

        has_intervals = True

        def value(self, game, state, out):
            out[0] = out[1] = 0.5

        def interval(self, game, state, low, high):
            low[0] = low[1] = 0.0
            high[0] = high[1] = 1.0

    estimates = (Even(),)

    def notation(self, state):
        return f"left={state.left} seat={state.seat}"

    def key(self, state):
        return np.uint64(4 * state.left + 2 * state.seat + state.winner)

    def uci_move(self, move):
        return str(move)

    def uci_score(self, state, value):
        return f"cp {value}"


PILES = Piles(seats=2, sticks=60)


NOT_IN_TURN = {
    "backward_induction",
    "decoupled_uct",
    "regret_matching",
    "weak_rational",
}  # which report no depth, or need another game


@pytest.mark.parametrize("agent", [name for name in ALGORITHMS if name not in NOT_IN_TURN])
def test_every_search_stops_when_it_is_asked_to_and_keeps_every_kind_of_limit(agent):
    client = Client()
    number = itertools.count(1)

    def lines():
        yield "go infinite"
        if agent != "random":
            client.wait("info depth")
        assert not best_moves(client.said)
        yield "stop"
        client.wait("bestmove", count=next(number))
        for limit in ("depth 2", "nodes 50", "movetime 20", "wtime 500 btime 500", "mate 1"):
            yield f"go {limit}"
            client.wait("bestmove", count=next(number))

    client.talk(lines(), agent, PILES)
    assert len(best_moves(client.said)) == 6
    assert not [line for line in client.said if line.startswith("info string")]
    depths = [int(line.split()[2]) for line in client.said if line.startswith("info depth")]
    assert not depths or agent in ("random",) or max(depths) >= 1


NUMBERS = ("-1", "0", "1", "99999999999999999999", "9" * 5000, "-" + "9" * 5000)


@pytest.mark.parametrize("name", ["depth", "nodes", "mate", "movetime", "wtime", "movestogo", "winc"])
@pytest.mark.parametrize("value", NUMBERS, ids=lambda value: value[:8] + str(len(value)))
def test_a_number_of_any_size_is_answered(name, value):
    client = Client()

    def lines():
        yield f"go wtime 100 btime 100 {name} {value}"
        client.wait("info depth", "bestmove")
        yield "stop"
        client.wait("bestmove")
        yield "isready"

    client.talk(lines(), "maxn", PILES)
    assert len(best_moves(client.said)) == 1
    assert client.said[-1] == "readyok"


@pytest.mark.parametrize("value", ["--5", "x", "²", "5.0", "1e5", ""])
def test_what_is_no_number_is_refused(value):
    said = spoken(f"go depth {value}", "isready", agent="maxn", game=PILES)
    assert said == [f"info string expected a whole number for depth after go, got '{value}'", "readyok"]


def test_words_that_go_does_not_know_are_told():
    said = spoken("go depth 1 searchmoves 1 2", "isready", agent="maxn", game=PILES)
    assert said[0] == "info string go does not know 'searchmoves', which is left out"
    assert len(best_moves(said)) == 1


def test_the_announced_maximum_of_every_option_is_accepted():
    said = spoken("uci", agent="maxn", game=PILES)
    spins = {line.split()[2]: line.split()[-1] for line in said if " type spin " in line}
    assert spins == {"Table": "22", "Quiet": "1000"}
    for name, most in spins.items():
        said = spoken(f"setoption name {name} value {most}", "go depth 1", agent="maxn", game=PILES)
        assert len(best_moves(said)) == 1
        assert not [line for line in said if line.startswith("info string")]
        assert spoken(f"setoption name {name} value {int(most) + 1}", agent="maxn", game=PILES)[0].startswith(
            f"info string expected a whole number from 0 to {most} for {name.lower()}, got {int(most) + 1}"
        )


def test_an_option_that_the_agent_cannot_play_with_is_not_offered():
    said = spoken("uci", "setoption name Table value 4", agent="om", game=PILES)
    assert [line.split()[2] for line in said if " type spin " in line] == ["Quiet"]
    assert said[-1] == "info string there is no option 'Table'"


def test_no_file_is_run_because_the_other_program_names_it(tmp_path):
    (tmp_path / "mine.py").write_text("raise AssertionError('was run')")
    said = spoken(f"setoption name Estimate value {tmp_path}/mine.py", agent="maxn", game=PILES)
    assert said[0].startswith("info string unknown estimate '")


class Endless(io.RawIOBase):
    """A line that never ends; nobody may ask for all of it."""

    def readline(self, size=-1):
        assert 0 < size <= LONGEST
        return b"x" * size


def test_an_endless_line_is_left_out_and_takes_no_memory():
    assert next(lines_of(Endless())) is None
    long = b"x" * (3 * LONGEST)
    assert list(lines_of(io.BytesIO(b"uci\n" + long + b"\nisready\n\xff\xfe\nquit"))) == [
        "uci",
        None,
        "isready",
        "\ufffd\ufffd",
        "quit",
    ]
    assert list(lines_of(io.BytesIO(b"x" * (LONGEST - 1) + b"\nstop\n")))[1] == "stop"
    client = Client()
    client.talk(lines_of(io.BytesIO(long + b"\nisready\n")), "maxn", PILES)
    assert client.said == [f"info string a line has more than {LONGEST} letters and is left out", "readyok"]


WORDS = [
    *[
        "go",
        "stop",
        "isready",
        "uci",
        "ucinewgame",
        "ponderhit",
        "position",
        "startpos",
        "fen",
        "moves",
        "1",
        "2",
        "-1",
        "0",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "movestogo",
    ]
]
WORDS += [
    *[
        "infinite",
        "ponder",
        "setoption",
        "name",
        "Table",
        "Quiet",
        "Estimate",
        "value",
        "even",
        "x",
        "debug",
        "--5",
        "left=3",
        "seat=1",
        "quitter",
    ],
    "9" * 40,
    "\0",
    "é²",
    "",
]


@pytest.mark.parametrize("seed", range(8))
def test_no_line_of_any_words_ends_the_conversation(seed):
    """Every `go` that is not refused has its answer, and the last line is still heard."""
    draw, client, started = random.Random(seed), Client(), []
    lines = [" ".join(draw.choices(WORDS, k=draw.randint(1, 7))) for _ in range(150)]
    heads = [draw.choice(("go", "go depth 2", "position startpos moves", "setoption name", "stop", "")) for _ in lines]
    conversation = Conversation(PILES, load_agent("maxn(nodes=40)"), client.hear)
    go = conversation.go
    conversation.go = lambda words: (go(words), started.append(words))
    conversation.listen([f"{head} {line}" for head, line in zip(heads, lines, strict=True)] + ["stop", "isready"])
    assert client.said[-1] == "readyok"
    assert len(best_moves(client.said)) == len(started)
    assert len(started) > 10


def test_nobody_searches_for_a_program_that_hears_nothing_any_more():
    heard = threading.Event()

    def deaf(line):
        heard.set()
        raise BrokenPipeError

    def lines():
        yield "go infinite"
        assert heard.wait(PATIENCE)

    conversation = Conversation(PILES, load_agent("maxn"), deaf)
    conversation.listen(lines())
    assert conversation.thinking is None


def test_an_estimate_of_one_s_own_is_among_those_offered(tmp_path):
    (tmp_path / "mine.py").write_text("from kingmaker import Estimate\nclass Mine(Estimate):\n    pass\n")
    said = spoken("uci", "setoption name Estimate value even", agent=f"maxn(estimate={tmp_path}/mine.py)", game=PILES)
    offered = next(line for line in said if line.startswith("option name Estimate"))
    assert offered == f"option name Estimate type combo default {tmp_path}/mine.py var even var {tmp_path}/mine.py"
    assert said[-1] == "uciok"


CRASHING = "class Mine:\n    def decide(self, game, state):\n        return 1 / 0\n"
DEAF = "import time\nclass Mine:\n    def decide(self, game, state):\n        time.sleep(3600)\n"
PLAIN = """
class Mine:
    def __init__(self, depth=1):
        self.depth = depth

    def decide(self, game, state):
        return min(self.depth, 3)
"""


@pytest.fixture
def own(tmp_path):
    def written(text):
        (tmp_path / "mine.py").write_text(text)
        return load_agent(f"{tmp_path}/mine.py")

    return written


def test_an_agent_of_one_s_own_speaks_too_and_is_told_the_limits_it_knows(own):
    assert best_moves(spoken("go movetime 100", "go depth 2", "go depth 3", agent=own(PLAIN), game=PILES)) == [
        "1",
        "2",
        "3",
    ]


def test_whatever_an_agent_does_there_is_an_answer(own, monkeypatch):
    monkeypatch.setattr("kingmaker.adapters.uci_server.GRACE", 0.1)
    said = spoken("go depth 1", agent=own(CRASHING), game=PILES)
    assert "failed in decide: ZeroDivisionError: division by zero in line 3 of" in said[0]
    assert said[0].endswith("; the first legal move is played instead")
    client = Client()
    client.talk(["go infinite", "stop", "isready"], own(DEAF), PILES)
    assert client.said[0].endswith(
        "mine.py() did not stop when it was asked to; the first legal move is played instead"
    )
    assert client.said[1:] == ["bestmove 1", "readyok"]


def test_options_change_the_search():
    client = Client()
    talk = client.talk(["setoption name Quiet value 2", "setoption name Estimate value positional", "ucinewgame"])
    assert str(talk.agent) == "alpha_beta(estimate='positional', order='history', table=12, quiet=2)"
    assert client.said == []


def test_an_agent_that_does_not_search_can_speak_too():
    assert best_moves(spoken("position startpos", "go movetime 50", agent="random"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("foo", "info string unknown command 'foo'"),
        ("position", "info string expected startpos or fen after position, got ''"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "info string white has 0 kings, expected 1"),
        ("position startpos moves e2e5", "info string 'e2e5' is illegal: a pawn does not go from e2 to e5"),
        ("go depth x", "info string expected a whole number for depth after go, got 'x'"),
        ("setoption name Quiet value x", "info string expected a whole number for option Quiet, got 'x'"),
        ("setoption name Colour value red", "info string there is no option 'Colour'"),
        (
            "setoption name Estimate value x",
            "info string unknown estimate 'x' in chess(); did you mean material_and_squares, positional?",
        ),
    ],
)
def test_what_it_cannot_do_is_told_and_it_goes_on(line, answer):
    said = spoken(line, "isready")
    assert said[0].startswith(answer)
    assert said[-1] == "readyok"


def test_where_the_game_is_over_it_says_so():
    said = spoken("position fen k7/8/8/8/8/8/8/K7 w - - 0 1", "go depth 1")
    assert said == ["bestmove (none)", "info string there is no move in k7/8/8/8/8/8/8/K7 w - - 0 1; the game is over"]


def test_agents_that_cannot_play_are_refused_at_once():
    with pytest.raises(UnknownName, match="unknown agent 'alphabet'"):
        uci("alphabet")


def test_the_numbers_after_go_are_brought_to_where_they_make_sense():
    assert read_limits(["depth", "0", "nodes", "9" * 20, "movestogo", "-1", "wtime", "-5"]) == (
        {"depth": 1, "nodes": 2**62, "movestogo": -1, "wtime": 0},
        [],
    )
    assert seconds_for({"wtime": 60_000, "movestogo": -1}, 0) == seconds_for({"wtime": 60_000}, 0)


def test_time_is_shared_over_the_moves_and_never_runs_out():
    assert seconds_for({"movetime": 1000}, 0) == pytest.approx(0.95)
    assert seconds_for({"depth": 4}, 0) is None
    assert seconds_for({"wtime": 60_000, "btime": 1000}, 0) == pytest.approx(1.95)
    assert seconds_for({"wtime": 60_000, "btime": 1000}, 1) == pytest.approx(0.01, abs=0.02)
    assert seconds_for({"wtime": 10, "btime": 10}, 1) == 0.01
    assert seconds_for({"wtime": 1000, "winc": 100_000}, 0) == pytest.approx(0.45)


def test_watching_a_search_changes_nothing():
    game, seen = load_game("chess"), []
    agent = load_agent("alpha_beta(depth=3, order=history, quiet=4, table=12)")
    plain = agent.decide(game, game.new())
    watched = agent.decide(game, game.new(), ask=Ask(watch=lambda progress: seen.append(progress) or True))
    assert (plain.move, plain.values, plain.nodes) == (watched.move, watched.values, watched.nodes)
    assert [*dict.fromkeys(progress.depth for progress in seen)] == [0, 1, 2, 3]
    assert (seen[-1].move, seen[-1].values, seen[-1].nodes) == (plain.move, plain.values, plain.nodes)


def test_a_mismatch_is_an_error_of_the_game():
    with pytest.raises(Mismatch):
        load_agent(AGENT).decide(load_game("sticks(seats=3)"), load_game("sticks(seats=3)").new())
