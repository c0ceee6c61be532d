"""`kingmaker decide`."""

import json

import pytest

from kingmaker import load_agent, load_game, stream
from tests.samples import OWN_GAMES

BIKES = "light_bike(seats=3, width=4, height=4, starts=distinct)"


def test_json_is_the_agent_s_own_decision(run):
    entry = json.loads(run("decide", BIKES, "maxn(depth=5)", "--seed", "7", "--json").out)
    game = load_game(BIKES)
    state = game.new(7)
    decision = load_agent("maxn(depth=5)").decide(game, state, stream(7, "seat", 0))
    assert entry["move"] == game.say(state, 0, decision.move)
    assert tuple(entry["values"]) == decision.values
    assert [tuple(each["values"]) for each in entry["moves"]] == [each.values for each in decision.moves]
    assert (entry["nodes"], entry["depth"], entry["stopped"]) == (decision.nodes, decision.depth, decision.stopped)
    assert entry["position"] == game.notation(state)
    assert len(entry["line"]) == len(decision.line)


def test_interpreted_finds_the_same(run):
    compiled, twin = (
        json.loads(run("decide", BIKES, "paranoid(depth=4)", *more, "--json").out) for more in ((), ("--interpreted",))
    )
    for entry in (compiled, twin):
        del entry["seconds"], entry["nodes_per_second"]
    assert compiled == twin


def test_people_see_the_board_the_move_and_every_root_move(run):
    ran = run("decide", "sticks(sticks=5)", "maxn(depth=9)")
    assert (ran.code, ran.err) == (0, "")
    assert "| | | | | (5 left, seat 0 to move)" in ran.out
    assert "seat 0 plays 1" in ran.out
    assert "values per seat 0  0  1" in ran.out
    assert "ended by: solved" in ran.out
    assert [line.split() for line in ran.out.splitlines()[-3:]] == [
        ["1", "0", "0", "1"],
        ["2", "0", "1", "0"],
        ["3", "0", "1", "0"],
    ]


def test_root_moves_are_listed_the_best_first(run):
    tree = "explicit_tree(tree=[[1,5,2],[4,0,4],[9,1,1],[4,4,4]], seats=3)"
    rows = [line.split()[1] for line in run("decide", tree, "maxn()", "--interpreted").out.splitlines()[-4:]]
    assert rows == ["9", "4", "4", "1"]


def test_nothing_is_wrapped_where_the_output_is_no_terminal(run):
    game = load_game("light_bike(seats=8, width=40, height=40)")
    state = game.new(3)
    ran = run("decide", str(game), "greedy", "--seed", "3")
    assert f"position        {game.notation(state)}\n" in ran.out
    assert "values per seat " + "  ".join(["0.001"] * 8) in ran.out
    assert [len(line.split()) for line in ran.out.splitlines()[-len(game.legal(state)) :]] == [9] * len(
        game.legal(state)
    )


def test_bounds_and_moves_never_looked_at_are_marked(run):
    bounded = run("decide", "sticks(seats=2, sticks=5)", "alpha_beta(depth=4)").out
    assert "≤ 1" in bounded
    assert "≤: upper bound for seat 0" in bounded
    unseen = run("decide", "sticks", "random").out
    assert [line.split() for line in unseen.splitlines()[-3:]] == [[move, "–", "–", "–"] for move in "123"]


def test_a_position_and_moves_lead_to_the_same_place(run):
    moved = json.loads(run("decide", "sticks", "maxn(depth=3)", "--moves", "3, 2", "--json").out)
    placed = json.loads(run("decide", "sticks", "maxn(depth=3)", "--position", "left=10 seat=2 winner=1", "--json").out)
    assert moved["position"] == placed["position"] == "left=10 seat=2 winner=1"
    assert moved["seat"] == 2
    assert moved["moves"] == placed["moves"]


def test_dice_that_are_to_move_are_rolled_first_by_the_seed(run):
    given = ("decide", "random_tree(chance=2)", "random", "--position", "path=5 ply=1 seat=1")
    entries = [json.loads(run(*given, "--seed", str(seed), "--json").out) for seed in (*range(20), 0)]
    assert entries[0] | {"seconds": 0} == entries[-1] | {"seconds": 0}
    assert {tuple(entry["rolled"]) for entry in entries} == {("0",), ("1",), ("2",)}
    assert all("ply=2 seat=1" in entry["position"] for entry in entries)
    assert f"the dice show {entries[0]['rolled'][0]}" in run(*given).out


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_the_same_seed_gives_the_same_move(run, agent):
    moves = {run("decide", BIKES, agent, "--seed", "11", "--json").out.partition('"nodes"')[0] for _ in range(3)}
    assert len(moves) == 1


def test_leads_are_told_with_their_unit(run):
    given = ("decide", "chinese_checkers(seats=2, radius=2)", "mp_mix(td=3, depth=1)", "--interpreted")
    told = run(*given, "--position", "1/aa/7/a5/5/6/7/bb/b 0 2").out
    assert "mode            paranoid\nleader          0\nedge            3 steps\nstanding        3  0 steps\n" in told
    assert "unit" not in told
    one = run(*given, "--position", "a/a1/a6/6/5/6/7/bb/b 0 2").out
    assert "edge            1 step\n" in one
    notes = json.loads(run(*given, "--json").out)["notes"]
    assert notes == {"mode": "maxn", "leader": 0, "edge": 0, "standing": [0, 0], "unit": "step"}


def test_a_threshold_beyond_reach_is_told_with_a_way_out(run):
    ran = run("decide", "chinese_checkers(seats=2, radius=2)", "mp_mix(td=30, depth=1)", "--interpreted")
    assert ran.code == 2
    assert "expected td of at most 18 steps" in ran.err
    assert "use td=inf for never, or another estimate" in ran.err


def test_a_deal_that_nobody_can_list_is_drawn_by_the_seed_or_given_by_its_number(run, refused):
    given = ("decide", str(OWN_GAMES / "deals.py"), "maxn(depth=3)", "--interpreted")
    drawn = json.loads(run(*given, "--seed", "4", "--json").out)
    written = json.loads(run(*given, "--moves", drawn["rolled"][0], "--json").out)
    assert len(drawn["rolled"]) == 1
    assert written["rolled"] == []
    assert written["position"] == drawn["position"]
    assert written["moves"] == drawn["moves"]
    assert "'high' is no chance event here" in refused(*given, "--moves", "high")


def test_what_the_seat_may_not_see_is_shown_only_when_asked_for(run):
    given = ("decide", "hearts", "maxn(depth=5, one_world=True)", "--interpreted", "--seed", "3")
    seen, all_seen = run(*given).out, run(*given, "--secrets").out
    game = load_game("hearts")
    text = game.notation(game.new(3))
    assert text not in seen
    assert seen.count("13 cards") == 3
    assert "may not see the whole position; --secrets shows it" in seen
    assert f"position        {text}\n" in all_seen
    assert "13 cards" not in all_seen


def test_a_line_found_in_one_world_does_not_tell_whether_the_others_hold_its_cards(run):
    given = ("decide", "hearts(ranks=4)", "maxn(depth=5, one_world=True)", "--interpreted", "--json")
    entry = json.loads(run(*given).out)
    assert entry["position"] is None
    assert len(entry["line"]) == len(entry["movers"]) == 1
    assert len(json.loads(run(*given, "--secrets").out)["movers"]) == 5


def test_votes_are_told_move_by_move(run):
    told = run("decide", "hearts(ranks=4)", "pimc(maxn(depth=1), deals=3)", "--interpreted").out
    assert "votes           JC 3\n" in told


def test_dice_that_nobody_may_see_are_not_told(run):
    game = load_game("go_fish(seats=2, ranks=3, cards=2)")
    state = game.new(1)
    state = game.after(state, next(ask for ask in game.legal(state) if not state.hands[ask // 13, ask % 13]))
    given = ("decide", "go_fish(seats=2, ranks=3, cards=2)", "random", "--position", game.notation(state), "--json")
    assert json.loads(run(*given).out)["rolled"] == []


def test_an_expected_line_of_moves_with_spaces_is_separated_by_commas(run):
    position = "A3,A1,A1,B2,B1,B3 0 place 2 0"
    ran = run("decide", "risk(seats=2, map='two_continents')", "maxn(depth=2)", "--position", position, "--interpreted")
    line = next(line for line in ran.out.splitlines() if line.startswith("expected line"))
    assert line.split(maxsplit=2)[2].count(", ") == 1
    assert "place " in line
