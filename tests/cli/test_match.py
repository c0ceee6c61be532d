"""`kingmaker match`."""

import json
import math
import re
from itertools import count

import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.arena.table.seating import schedule
from kingmaker.cli.match import Lines, start_seed

BIKES = "light_bike(seats=3, width=4, height=4, starts=distinct)"
AGENTS = ("maxn(depth=3)", "greedy", "random")
COUNTED = ("agent", "games", "wins", "shared", "mean_payoff", "moves", "nodes", "mean_depth")


def counted(text):
    document = json.loads(text)
    return {key: document[key] for key in ("game", "played", "unfinished")} | {
        "agents": [{key: row[key] for key in COUNTED} for row in document["agents"]]
    }


def test_the_same_seed_gives_the_same_matches_and_another_seed_others(run):
    first, again, other = (
        counted(run("match", BIKES, *AGENTS, "--games", "18", "--seed", seed, "--json").out) for seed in "115"
    )
    assert first == again
    assert first != other


def test_the_counts_are_those_of_the_arena(run):
    game, agents = load_game(BIKES), [load_agent(text) for text in AGENTS]
    games, wins, nodes = [0] * 3, [0] * 3, [0] * 3
    for start, seating in schedule(3, 3, "all", 12):
        match = play_match(game, [agents[chair] for chair in seating], start_seed(4, start))
        for seat, chair in enumerate(seating):
            games[chair] += 1
            wins[chair] += match.winners == (seat,)
            nodes[chair] += match.efforts[seat].nodes
    found = {
        row["agent"]: row
        for row in counted(run("match", BIKES, *AGENTS, "--games", "12", "--seed", "4", "--json").out)["agents"]
    }
    assert [[found[agent][key] for agent in AGENTS] for key in ("games", "wins", "nodes")] == [games, wins, nodes]


def test_starts_have_seeds_of_their_own_that_json_can_hold():
    seeds = {start_seed(seed, start) for seed in range(3) for start in range(50)}
    assert len(seeds) == 150
    assert max(seeds) < 2**53


def test_the_table_fits_80_columns_with_the_best_first(run, monkeypatch):
    monkeypatch.setattr("kingmaker.cli.match.EVERY", math.inf)  # on a busy machine a line of progress would come
    ran = run(
        "match", BIKES, "maxn(depth=3, estimate='territory', ties='least_others')", "greedy", "random", "--games", "12"
    )
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines()[:5])) <= 80
    rates = [float(rate) for rate in re.findall(r"^[a-z].*?  +12  +([\d.]+)  +\d+–\d+ ", ran.out, re.MULTILINE)]
    assert len(rates) == 3
    assert rates == sorted(rates, reverse=True)
    assert "12 matches of light_bike(width=4, height=4, starts='distinct'), seed 0: 2 starts, 6 seatings" in " ".join(
        ran.out.split()
    )


def test_an_uneven_number_of_matches_is_remarked(run):
    assert (
        "the last start was not played by every seating"
        in run("match", "sticks", "random", "greedy", "--games", "5").out
    )


def test_matches_without_an_end_are_stated(run, monkeypatch):
    monkeypatch.setattr(
        "kingmaker.arena.table.match.play_match", lambda *given, state, watch: play_match(*given, state=state, limit=2)
    )
    ran = run("match", "sticks", "random", "--games", "3")
    assert "3 unfinished: the limit of turns was reached; they count as no games" in ran.out
    document = json.loads(run("match", "sticks", "random", "--games", "3", "--json").out)
    assert (document["played"], document["unfinished"], document["agents"][0]["games"]) == (3, 3, 0)


def test_ctrl_c_prints_the_table_so_far(run, monkeypatch):
    played = count()

    def third_is_interrupted(*given, state, watch):
        if next(played) == 2:
            raise KeyboardInterrupt
        return play_match(*given, state=state)

    monkeypatch.setattr("kingmaker.arena.table.match.play_match", third_is_interrupted)
    ran = run("match", "sticks", "random", "--games", "9")
    assert ran.code == 130
    assert "2 of 9 matches (interrupted) of sticks" in ran.out


def test_watching_shows_the_first_match_only(run):
    ran = run("match", "sticks(sticks=4)", "random", "--games", "4", "--watch")
    assert ran.out.count("(4 left, seat 0 to move)") == 1
    assert "seat 0, random: " in ran.out
    assert ran.out.count("(0 left, seat ") == 1
    assert "payoffs " in ran.out


def test_watching_leaves_json_alone(run):
    ran = run("match", "random_tree(chance=2, seats=2)", "random", "--games", "2", "--watch", "--json")
    assert json.loads(ran.out)["played"] == 2
    assert "the dice: " in ran.err


DETERMINISTIC = ("maxn(depth=3)", "paranoid(depth=2)")


def test_copies_count_once_and_the_way_out_is_told(run):
    ran = run("match", "sticks(seats=2)", *DETERMINISTIC, "--games", "40")
    told = "40 matches are 2 different ones: the agents are deterministic and there is one start; "
    told += "use --opening 4, or a game with random starts"
    assert told in " ".join(ran.out.split())
    assert ran.out.count("0–100") == 2
    document = json.loads(run("match", "sticks(seats=2)", *DETERMINISTIC, "--games", "40", "--json").out)
    assert (document["played"], document["different"], document["missing"]) == (40, 2, told)
    assert [row["win_interval"] for row in document["agents"]] == [[0.0, 1.0]] * 2


def test_an_opening_makes_matches_differ_and_is_the_same_for_all_seatings(run):
    arguments = ("match", "sticks(seats=2, sticks=40)", *DETERMINISTIC, "--games", "24", "--opening", "4", "--json")
    document = json.loads(run(*arguments).out)
    assert document["opening"] == 4
    assert 10 < document["different"] <= 24
    assert 5 < document["blocks"] <= 12
    assert json.loads(run(*arguments).out)["agents"][0]["wins"] == document["agents"][0]["wins"]


def test_an_opening_that_cannot_be_played_is_told(run):
    ran = run("match", "sticks(seats=2, sticks=3)", *DETERMINISTIC, "--opening", "9")
    assert ran.code == 2
    assert "each of 100 openings of 9 random moves ended a match of sticks" in ran.err
    assert "ask for a shorter opening" in ran.err
    assert "expected at least 0 random moves, got --opening -1" in run("match", "sticks", "random", "--opening=-1").err


def test_an_agent_without_a_win_gets_a_bound(run):
    first, last = json.loads(
        run("match", "sticks(seats=2, sticks=40)", "maxn(depth=9)", "random", "--games", "60", "--json").out
    )["agents"]
    assert (first["wins"], last["wins"]) == (60, 0)
    assert (first["elo"], first["elo_error"], first["elo_bound"]) == (0.0, None, "")
    assert -500 < last["elo"] < -250
    assert (last["elo_error"], last["elo_bound"]) == (None, "<")


@pytest.mark.parametrize(("seating", "games"), [("fixed", 4), ("rotations", 6)])
def test_seatings_are_as_asked_for(run, seating, games):
    document = json.loads(run("match", "sticks", *AGENTS, "--games", str(games), "--seating", seating, "--json").out)
    assert document["seating"] == seating
    assert [row["games"] for row in document["agents"]] == [games] * 3


def test_progress_in_a_file_is_a_line_now_and_then(monkeypatch, capsys):
    clock = iter([0.0, 1.0, 6.0, 7.0, 12.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    lines = Lines(8)
    for _ in range(4):
        lines()
    assert capsys.readouterr().err.splitlines() == [
        "2 of 8 matches, 0.333 a second, 18 s left",
        "4 of 8 matches, 0.333 a second, 12 s left",
    ]
