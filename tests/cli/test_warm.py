"""`kingmaker warm`."""

import os
import pty
import subprocess
import sys

from kingmaker.cli.warm import pairs, rounds, sorted_out
from kingmaker.games import GAMES
from kingmaker.search import ALGORITHMS


def test_it_compiles_what_is_named_and_leaves_out_what_does_not_fit(run, tmp_path, monkeypatch):
    monkeypatch.setenv("KINGMAKER_CACHE", str(tmp_path / "cache"))
    ran = run("warm", "sticks(sticks=5)", "maxn(depth=3)", "best_reply(depth=3)")
    assert ran == (0, "compiled 1 pair of game and agent; 1 left out, because the agent cannot play the game\n", "")
    files = sorted((tmp_path / "cache").iterdir())
    assert len(files) == 5  # the search, the rules within it, and three rules of the referee
    assert run("decide", "sticks(sticks=5)", "maxn(depth=3)").code == 0
    assert run("match", "sticks(sticks=5)", "maxn(depth=3)", "maxn(depth=3)").code == 0
    assert sorted((tmp_path / "cache").iterdir()) == files


def test_the_only_pair_is_refused_with_its_reason(refused):
    assert "best_reply cannot play sticks" in refused("warm", "sticks", "best_reply(depth=1)")


def test_a_name_that_nobody_knows_is_refused(refused):
    assert refused("warm", "chexx").startswith("unknown game or agent 'chexx'; did you mean chess")
    assert "expected" in refused("warm", "sticks(sticks=-1)")


def test_games_and_agents_come_in_any_order_and_all_where_none_is_named():
    assert sorted_out(("maxn", "sticks(sticks=4)", "greedy")) == (["sticks(sticks=4)"], ["maxn", "greedy"])
    assert sorted_out(()) == (list(GAMES), list(ALGORITHMS))


def test_an_agent_without_settings_is_compiled_with_and_without_a_depth():
    assert list(pairs(["chess"], ["maxn", "greedy(order=history)"])) == [
        ("chess", "maxn"),
        ("chess", "maxn(depth=1)"),
        ("chess", "greedy(order=history)"),
    ]


def test_an_agent_that_takes_no_depth_is_compiled_once():
    agents = ["mcts", "greedy", "random", "pimc", "yakool"]
    assert list(pairs(["risk"], agents)) == [("risk", agent) for agent in agents]


def test_players_of_a_single_game_are_agents_too():
    assert sorted_out(("risk", "yakool", "plans(maxn(depth=3))")) == (["risk"], ["yakool", "plans(maxn(depth=3))"])


def test_the_rules_of_every_game_come_first():
    whole = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    first, rest = rounds(whole)
    assert sorted(first) == [("a", "x"), ("b", "x")]
    assert rest == [("a", "y"), ("b", "y")]


IMPATIENT = """
import sys
from kingmaker.cli import main
from kingmaker.core.compiling import waiting
waiting.LONG = 0
sys.exit(main(sys.argv[1:]))
"""


def test_who_waits_at_a_terminal_is_told_once_what_is_compiled(tmp_path):
    """However fast the machine is: a moment counts as long."""
    theirs, ours = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT, "decide", "sticks(sticks=5)", "maxn(depth=1)", "--json"],
        stdout=subprocess.PIPE,
        stderr=ours,
        env=os.environ | {"COLUMNS": "80", "KINGMAKER_CACHE": str(tmp_path)},
        text=True,
        check=False,
    )
    os.close(ours)
    assert done.returncode == 0
    assert done.stdout.startswith("{")
    told = os.read(theirs, 4096).decode()
    os.close(theirs)
    assert told.count("kingmaker: compiling maxn for sticks(sticks=5); this happens once") == 1
