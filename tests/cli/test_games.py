"""`kingmaker games`."""

import json

from kingmaker.games import GAMES, PLAYERS


def test_every_game_is_listed_within_80_columns(run):
    ran = run("games")
    assert ran.code == 0
    assert [name for name in GAMES if f"\n{name} " not in ran.out] == []
    assert max(map(len, ran.out.splitlines())) <= 80


def test_json_holds_every_game_and_its_facts(run):
    entries = {entry["name"]: entry for entry in json.loads(run("games", "--json").out)}
    assert list(entries) == list(GAMES)
    bikes = entries["light_bike"]
    assert bikes["idea"] == "Drive, leave walls, outlive the others."
    assert bikes["seats"] == [2, 8]
    assert bikes["facts"]["simultaneous"] is True
    assert bikes["parameters"]["width"] == 12
    assert bikes["estimates"] == ["survival", "room", "territory"]
    assert bikes["units"] == {"survival": "point", "room": "cell", "territory": "cell"}
    assert bikes["payoffs"] == {"low": 0.0, "high": 1.0, "total": 1.0}


def test_one_game_is_described_with_a_start_that_follows_the_seed(run):
    ran = run("games", "light_bike", "--seed", "3")
    assert "seats       2 to 8" in ran.out
    assert "everybody drives at once" in ran.out
    assert "estimates   survival in points, room in cells, territory in cells" in ran.out
    assert GAMES["light_bike"]().show(GAMES["light_bike"]().new(3)) in ran.out
    assert max(map(len, ran.out.splitlines())) <= 120  # references are not wrapped


def test_a_game_with_parameters_is_described_as_it_is(run):
    assert json.loads(run("games", "random_tree(chance=2)", "--json").out)["facts"]["chance"] is True


def test_a_game_that_needs_to_be_told_something_is_described_without_a_start(run):
    ran = run("games", "explicit_tree")
    assert ran.code == 0
    assert "a start" not in ran.out


def test_what_a_game_does_not_state_is_null(run, tmp_path):
    own = tmp_path / "own.py"
    own.write_text("import kingmaker as km\nclass Own(km.Game):\n    seats = max_moves = 2\n    State = dict\n")
    own.write_text(
        own.read_text()
        + "".join(f"    def {name}(self, *a): return 0\n" for name in ("start", "mover", "moves", "play", "payoff"))
    )
    assert json.loads(run("games", str(own), "--json").out)["payoffs"] == {"low": None, "high": None, "total": None}


def test_a_game_names_the_agents_that_play_it_alone(run):
    assert "players     angry, evil_pixie, plans, yakool, which play this game alone" in run("games", "risk").out
    assert "players" not in run("games", "sticks").out
    entries = json.loads(run("games", "--json").out)
    assert sorted(name for entry in entries for name in entry["players"]) == sorted(PLAYERS)
