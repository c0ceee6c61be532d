"""`kingmaker uci`, as another chess program sees it."""

import threading
import time

import pytest

from kingmaker import load_agent, load_game
from kingmaker.cli.uci import Conversation, seconds_for, uci
from kingmaker.core.errors import Mismatch, UnknownName

AGENT = "alpha_beta(order=history, quiet=4, table=12)"


def spoken(*lines, agent=AGENT):
    """What is answered to some lines."""
    said = []
    Conversation(agent, said.append).listen([*lines])
    return said


def best_moves(said):
    return [line.split()[1] for line in said if line.startswith("bestmove")]


def test_it_introduces_itself_and_is_ready():
    said = spoken("uci", "isready")
    assert said[0].startswith("id name Kingmaker ")
    assert "option name Table type spin default 12 min 0 max 24" in said
    assert "option name Estimate type combo default material_and_squares var material_and_squares var positional" in said
    assert said[-2:] == ["uciok", "readyok"]


def test_it_tells_depth_score_nodes_and_line_and_plays_a_legal_move():
    said = spoken("position startpos moves e2e4 e7e5", "go depth 3")
    infos = [line.split() for line in said if line.startswith("info depth")]
    assert [info[2] for info in infos] == ["1", "2", "3"]
    for word in ("score", "cp", "nodes", "nps", "time", "pv"):
        assert word in infos[-1]
    assert best_moves(said) == [infos[-1][infos[-1].index("pv") + 1]]


@pytest.mark.parametrize(
    "limit", ["depth 2", "nodes 500", "movetime 60", "wtime 900 btime 900 winc 10 binc 10", "wtime 500 btime 500 movestogo 5"]
)
def test_every_kind_of_limit_ends_with_one_move(limit):
    said = spoken("position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", f"go {limit}")
    assert len(best_moves(said)) == 1


def test_it_announces_mate_and_plays_it():
    said = spoken("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 2")
    assert best_moves(said) == ["a1a8"]
    assert "score mate 1" in said[-2]


def test_stop_ends_a_search_without_limit_soon():
    said, waiting, finished = [], threading.Event(), threading.Event()

    def lines():
        yield "isready"
        yield "go infinite"
        time.sleep(0.3)
        assert not best_moves(said)
        waiting.set()
        yield "stop"
        assert len(best_moves(said)) == 1
        finished.set()
        yield "isready"
        yield "quit"

    Conversation(AGENT, said.append).listen(lines())
    assert waiting.is_set()
    assert finished.is_set()
    assert said[-1] == "readyok"


def test_a_search_without_limit_waits_for_stop_even_where_all_is_known():
    said = []

    def lines():
        yield "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 98 90"
        yield "position fen k7/8/1K6/8/8/8/8/6R1 w - - 98 90"
        yield "go infinite"
        time.sleep(0.5)
        assert not best_moves(said)
        yield "stop"

    Conversation(AGENT, said.append).listen(lines())
    assert best_moves(said) == ["g1g8"]


def test_where_the_input_ends_the_search_finishes():
    assert len(best_moves(spoken("go depth 2"))) == 1
    assert len(best_moves(spoken("go infinite"))) == 1


def test_options_change_the_search():
    said = []
    talk = Conversation(AGENT, said.append)
    talk.listen(["setoption name Quiet value 2", "setoption name Estimate value positional", "ucinewgame"])
    assert str(talk.agent) == "alpha_beta(estimate='positional', order='history', table=12, quiet=2)"
    assert said == []


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
        ("setoption name Estimate value x", "info string unknown estimate 'x' in chess(); did you mean material_and_squares, positional?"),
    ],
)
def test_what_it_cannot_do_is_told_and_it_goes_on(line, answer):
    said = spoken(line, "isready")
    assert said[0].startswith(answer)
    assert said[-1] == "readyok"


def test_where_the_game_is_over_it_says_so():
    said = spoken("position fen k7/8/8/8/8/8/8/K7 w - - 0 1", "go depth 1")
    assert said == ["info string there is no move in k7/8/8/8/8/8/8/K7 w - - 0 1; the game is over"]


def test_agents_that_cannot_play_are_refused_at_once():
    with pytest.raises(UnknownName, match="unknown agent 'alphabet'"):
        uci("alphabet")


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
    watched = agent.decide(game, game.new(), watch=lambda work, iteration: seen.append(iteration))
    assert (plain.move, plain.values, plain.nodes) == (watched.move, watched.values, watched.nodes)
    assert [iteration and iteration.depth for iteration in seen] == [None, 1, 2, 3]


def test_a_mismatch_is_an_error_of_the_game():
    with pytest.raises(Mismatch):
        load_agent(AGENT).decide(load_game("sticks(seats=3)"), load_game("sticks(seats=3)").new())
