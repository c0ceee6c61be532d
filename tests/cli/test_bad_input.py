"""Whatever is wrong with what was typed: one sentence, exit code 2, nothing else."""

import pytest

OVER_SOON = "sticks(sticks=3)"
COMMAND_LINES = [
    ("mach", "unknown command 'mach'; did you mean match, impact, bench?"),
    ("--halp", "unknown option '--halp'; did you mean --help, --quiet, --version?"),
    ("decide", "expected GAME in kingmaker decide, got nothing; see kingmaker decide --help"),
    ("decide|sticks", "expected AGENT in kingmaker decide, got nothing; see kingmaker decide --help"),
    (
        "decide|sticks|maxn|--sed|3",
        "unknown option '--sed' in kingmaker decide; did you mean --seed, --secrets, --verbose?",
    ),
    ("decide|sticks|maxn|--seed|a", "expected a whole number for --seed, got 'a'"),
    ("decide|sticks|maxn|--seed", "expected --seed in kingmaker decide, got nothing; see kingmaker decide --help"),
    ("decide|sticks|maxn|--seed|1|--seed|2", "expected --seed once in kingmaker decide, got it again"),
    ("decide|sticks|maxn|--json=3", "expected yes or no for --json, got '3'"),
    ("decide|sticks|maxn|extra", "kingmaker decide has no use for 'extra'; see kingmaker decide --help"),
    ("match|sticks|maxn|--seating|any", "expected all, rotations or fixed for --seating, got 'any'"),
    ("perft|sticks", "expected --depth in kingmaker perft, got nothing; see kingmaker perft --help"),
]
NAMES_AND_PARAMETERS = [
    ("decide|stick|maxn", "unknown game 'stick'; did you mean sticks, "),
    ("decide|sticks|maxm", "unknown agent 'maxm'; did you mean maxn, "),
    ("decide|sticks(stick=3)|maxn", "unknown parameter 'stick' in sticks(stick=3); did you mean sticks, seats?"),
    ("decide|sticks(seats=9)|maxn", "expected 2 to 8 seats, got 9 in sticks(seats=9)"),
    ("decide|sticks(sticks='a')|maxn", "expected a whole number for sticks, got 'a' in sticks(sticks='a')"),
    ("decide|light_bike(seats=many)|maxn", "expected a whole number for seats, got 'many' in light_bike(seats=many)"),
    ("decide|sticks(|maxn", "expected a form like name(param=value), got 'sticks('"),
    ("decide|sticks|maxn(depth=0)", "expected a budget of at least 1 for depth, got 0 in maxn(depth=0)"),
    ("decide|sticks|maxn(nodes=0)", "expected a budget of at least 1 for nodes, got 0 in maxn(nodes=0)"),
    ("decide|sticks|maxn(seconds=0)", "expected a budget of more than 0 seconds, got 0 in maxn(seconds=0)"),
    ("decide|sticks|maxn(depth=x)", "expected a whole number or none for depth, got 'x' in maxn(depth=x)"),
    ("decide|sticks|maxn(depth=3, estimate=luck)", "sticks() has no estimates, so none called 'luck'; leave it out"),
    (
        "decide|sticks|alpha_beta(depth=3)",
        "alpha_beta cannot play sticks() with 3 seats, only with 2; use paranoid or maxn",
    ),
    ("games|foo", "unknown game 'foo'; did you mean "),
    ("algorithms|maxx", "unknown algorithm 'maxx'; did you mean maxn, "),
]
POSITIONS_AND_MOVES = [
    (
        "decide|sticks|maxn|--position|nonsense",
        "expected the fields left, seat, winner in a position of sticks(), got 'nonsense'",
    ),
    (
        "perft|sticks|--depth|2|--position|left=3 seat=0",
        "the field 'winner' is missing in the position 'left=3 seat=0' of sticks()",
    ),
    ("decide|sticks|maxn|--moves|4", "'4' is no legal move here; the moves are 1, 2, 3"),
    (f"decide|{OVER_SOON}|maxn|--moves|3,1", "the match is over before the move '1' in '3,1'"),
    (
        f"decide|{OVER_SOON}|maxn|--moves|3",
        "no seat is to move in sticks(sticks=3) at left=0 seat=1 winner=0; there is nothing to decide",
    ),
]
AMOUNTS = [
    ("match|sticks", "expected at least one agent for 3 seats, got none"),
    ("match|sticks|maxn|--games|0", "expected at least 1 match, got --games 0"),
    ("match|sticks|maxn|--seating|fixed", "expected 3 agents for a fixed seating, got 1"),
    ("match|sticks|random|greedy|alpha_beta|--games|2", "alpha_beta cannot play sticks() with 3 seats, only with 2"),
    ("check|sticks|--games|0", "expected at least 1 match, got --games 0"),
    ("perft|sticks|--depth|0", "expected a depth of 1 to 1000, got 0"),
    ("tree|sticks|maxn|--most|0", "expected to record 1 to 1000000 nodes, got --most 0"),
    ("tree|sticks|maxn|--depth-limit|-1", "expected a depth limit of at least 0, got --depth-limit -1"),
    ("tree|sticks|random", "random searches no tree that could be recorded; use maxn or paranoid"),
    ("play|sticks|--seat|3", "expected a seat from 0 to 2, got --seat 3 in sticks"),
    ("play|sticks|--against|random|--against|random|--against|random", "expected 1 or 2 agents in --against, got 3"),
]


@pytest.mark.parametrize(("typed", "sentence"), COMMAND_LINES + NAMES_AND_PARAMETERS + POSITIONS_AND_MOVES + AMOUNTS)
def test_bad_input_gets_one_sentence(refused, typed, sentence):
    assert refused(*typed.split("|")).startswith(sentence)


GAME = """
import numpy as np
import kingmaker as km

class Own(km.Game):
    State = np.dtype([("left", np.int16), ("seat", np.int8)], align=True)
    max_moves = 2
    seats = 3
    def start(self, state, rng): state.left = 4
    def mover(self, state): return state.seat if state.left > 0 else km.OVER
    def moves(self, state, seat, out):
        out[0], out[1] = 1, 2
        return min(2, state.left)
    def play(self, state, seat, move):
        state.left -= move
        state.seat = (seat + 1) % 3
    def payoff(self, state, out): out[:] = 1.0
"""
LINE = "        return min(2, state.left)"
FILES = [
    (
        "import nowhere_to_be_found",
        "cannot import 'own.py': ModuleNotFoundError: No module named 'nowhere_to_be_found' in line 1",
    ),
    ("def (", "cannot import 'own.py': SyntaxError: "),
    ("a = 1", "there is no class that inherits from kingmaker.Game in own.py"),
    (GAME.replace("def payoff", "def pay"), "Own lacks the method payoff"),
    (GAME.replace(LINE, "        return 3"), "expected 0 to max_moves = 2 entries, got 3"),
    (GAME.replace("max_moves = 2", "max_moves = 1"), "IndexError: index 1 is out of bounds for axis 0 with size 1"),
    (GAME.replace(LINE, "        return missing"), "NameError: name 'missing' is not defined"),
    (GAME.replace("seats = 3", "seats = 3\n    def __init__(self): self.half = 1 // 0"), "cannot make own.py: "),
    (GAME.replace("seats = 3", "seats = 30"), "expected 1 to 16 seats, got 30 in own()"),
]


@pytest.fixture
def own_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "own.py"


@pytest.mark.parametrize(("text", "sentence"), FILES)
def test_a_faulty_file_of_one_s_own_gets_one_sentence(refused, own_file, text, sentence):
    own_file.write_text(text)
    assert sentence in refused("decide", "own.py", "maxn(depth=2)", "--interpreted")


def test_a_fault_inside_one_s_own_method_is_told_with_its_line(refused, own_file):
    own_file.write_text(GAME.replace(LINE, "        return missing"))
    line = 1 + GAME.splitlines().index(LINE)
    sentence = refused("decide", "own.py", "maxn(depth=2)", "--interpreted")
    assert sentence.startswith("moves (")
    assert sentence.endswith(f"NameError: name 'missing' is not defined in {own_file}, line {line} `return missing`")


def test_a_file_that_is_not_there_is_named(refused, own_file):
    assert refused("decide", "own.py", "maxn") == "there is no file 'own.py'"


def test_a_sound_file_of_one_s_own_is_played(run, own_file):
    own_file.write_text(GAME)
    ran = run("decide", "own.py", "maxn(depth=3)", "--interpreted")
    assert (ran.code, ran.err) == (0, "")
    assert "seat 0 plays 1" in ran.out


def test_secrets_that_cannot_be_dealt_anew_are_not_shown_to_a_person(refused, own_file):
    own_file.write_text(GAME.replace("seats = 3", "seats = 3\n    facts = km.Facts(hidden=True)"))
    assert "has hidden information and lacks the method redeal" in refused("play", "own.py", "--against", "random")
