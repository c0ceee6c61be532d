"""`kingmaker play`, with everything a person may type."""

import os
import pty
import subprocess
from dataclasses import dataclass

import pytest

from kingmaker import load_agent, load_game
from kingmaker.cli.parts import opponent
from kingmaker.cli.play import Sitting, for_people
from kingmaker.core.agent import Agent
from kingmaker.core.game import CHANCE
from kingmaker.core.secrets import turn_text
from kingmaker.search.random import Random
from tests.samples import OWN_GAMES

STICKS = ("play", "sticks(seats=3, sticks=6)", "--against", "maxn(depth=9)")
DUEL = ("play", "sticks(seats=2, sticks=5)", "--against", "alpha_beta(depth=9)")


def test_a_person_can_win(run):
    ran = run(*DUEL, typed="1\n3\n2\n1")
    assert ran.code == 0
    assert ran.out.endswith("you win; payoffs 1, 0\n")


def test_a_person_can_lose(run):
    ran = run(*DUEL, "--position", "left=4 seat=0 winner=0", typed="1\n1\n1\n1")
    assert ran.out.endswith("seat 1 wins; payoffs 0, 1\n")


def test_a_wrong_move_gets_a_sentence_and_another_try(run):
    ran = run(*STICKS, typed="7\n\n1\nquit")
    assert "'7' is no legal move here; the moves are 1, 2, 3" in ran.out
    assert ran.out.count("seat 0> ") == 4


def test_help_and_hints_are_given(run):
    ran = run("play", "sticks(seats=2, sticks=5)", "--against", "alpha_beta(depth=9)", typed="?\nhint\nquit")
    assert "undo: take your last move back" in " ".join(ran.out.split())
    assert "alpha_beta(depth=9) would play 1" in ran.out
    moves = [line.split() for line in ran.out.partition("would play")[2].splitlines()[3:6]]
    assert moves == [["1", "1", "0"], ["2", "≤", "1", "0"], ["3", "≤", "1", "0"]]


def test_a_hint_of_an_agent_that_does_not_look_ahead_is_a_move_without_values(run):
    ran = run("play", "sticks(seats=2, sticks=5)", "--against", "random", typed="hint\nquit")
    assert "random would play " in ran.out
    assert "–" not in ran.out


def test_a_person_can_resign(run):
    assert run(*DUEL, typed="1\nresign").out.endswith("you resign, and seat 1 wins\n")
    assert run(*STICKS, typed="resign").out.endswith("you resign, and the match ends\n")


def test_the_board_is_drawn_after_every_move_and_when_asked_for(run):
    ran = run("play", "sticks(sticks=9)", "--against", "greedy", typed="\n1\nquit")
    assert ran.out.count("(9 left, seat 0 to move)") == 2
    lefts = [line.partition("(")[2] for line in ran.out.splitlines() if " left, seat " in line]
    assert [text.partition("seat ")[2] for text in lefts] == [f"{seat} to move)" for seat in (0, 0, 1, 2, 0)]
    assert "you: 1" in ran.out


def test_in_a_terminal_the_board_is_drawn_in_place_of_the_old_one(started):
    theirs, ours = pty.openpty()
    process = started(
        "play", "sticks(sticks=9)", "--against", "greedy", stdin=ours, stdout=ours, environment={"TERM": "xterm"}
    )
    os.close(ours)
    os.write(theirs, b"1\nquit\n")
    assert process.wait(timeout=60) == 0
    seen = os.read(theirs, 65536)
    os.close(theirs)
    assert seen.count(b"\x1b[2J") == 4  # the start, and after each of three moves
    assert seen.rindex(b"you: 1") > seen.rindex(b"\x1b[2J")  # what happened since one's own move is told again


def test_undo_brings_back_the_table_and_the_dice(run):
    once = run("play", "random_tree(seats=3, chance=2)", "--against", "random", "--seed", "5", typed="1\nquit").out
    again = run(
        "play", "random_tree(seats=3, chance=2)", "--against", "random", "--seed", "5", typed="1\nundo\n1\nquit"
    ).out
    assert once.splitlines()[-2:] == again.splitlines()[-2:]
    assert "the dice: " in once


def test_there_may_be_nothing_to_undo(run):
    assert "there is no move of yours to take back" in run(*STICKS, typed="undo\nquit").out


def test_the_end_of_the_input_ends_politely_with_the_position(run):
    ran = run("play", "sticks(sticks=15)", "--against", "random", typed="2")
    assert ran.code == 0
    assert "the match stands at left=" in ran.out
    assert ran.err == ""


def test_moves_that_hold_spaces_are_separated_by_commas(run):
    opening = "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 65 0"
    ran = run("play", "backgammon", "--against", "random", "--position", opening, "--interpreted", typed="24/13\nquit")
    listed = " ".join(ran.out.partition("your moves: ")[2].partition("seat 0>")[0].split()).split(", ")
    assert len(listed) == 7
    assert {"24/13", "24/18 13/8"} <= set(listed)
    assert "you: 24/13" in ran.out


def test_moves_of_one_word_are_separated_by_spaces(run):
    assert "your moves: 1 2 3\n" in run("play", "sticks(sticks=9)", "--against", "random", typed="quit").out


def test_another_seat_waits_for_its_turn(run):
    ran = run(
        "play", "sticks(seats=3, sticks=6)", "--seat", "2", "--against", "random", "--against", "greedy", typed="quit"
    )
    before, _, _ = ran.out.partition("your moves")
    assert "seat 0, random: " in before
    assert "seat 1, greedy: " in before


def test_everybody_moves_at_once_in_light_bike(run):
    """On a board of one column too few, both riders enter the middle and share the result."""
    board = "light_bike(seats=2, width=3, height=2)"
    ran = run("play", board, "--against", "greedy", "--position", "#1#/### 0,0;0,2 0 0 3", typed="e")
    assert "seat 1, greedy: W" in ran.out
    assert ran.out.endswith("you and seat 1 share the best result; payoffs 0.500, 0.500\n")


@dataclass(frozen=True)
class Watchful(Agent):
    """Remembers all that it saw, and plays at random."""

    def choose(self, game, state, rng, ask):
        ask.memory.append("asked")
        return Random().decide(game, state, rng)

    def memory(self, game, seat):
        return [f"seat {seat}"]

    def observe(self, memory, game, state, seat, move):
        memory.append((seat, move))


def sitting(monkeypatch, words):
    lines = iter(words)
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    game = load_game("sticks(sticks=9)")
    sat = Sitting(game, 0, [Watchful(), Watchful()], 0, game.new(0))
    sat.run()
    return sat.table


def test_agents_learn_in_a_match_with_a_person(monkeypatch):
    table = sitting(monkeypatch, ["1", "quit"])
    (_, first), (_, second) = table.memories[0][1:]
    assert table.memories[0] == ["seat 0", (1, first), (2, second)]  # the adviser's
    assert table.memories[1] == ["seat 1", (0, 1), "asked", (2, second)]
    assert table.memories[2] == ["seat 2", (0, 1), (1, first), "asked"]


def test_an_undo_takes_back_what_the_agents_learned(monkeypatch):
    once, again = (sitting(monkeypatch, words).memories for words in (["1", "quit"], ["3", "undo", "1", "quit"]))
    assert once == again


def test_people_start_apart_at_light_bike_unless_they_say_otherwise(run):
    for text in ("light_bike", "light_bike(2, 5)", "light_bike(walls=vanish)"):
        assert for_people(text).starts == "distinct"
    for text in ("light_bike(starts=shared)", "light_bike(2, 5, 5, shared)"):
        assert for_people(text).starts == "shared"
    assert (
        "light_bike(starts='distinct'): you are seat 0"
        in run("play", "light_bike", "--against", "greedy", typed="quit").out
    )


@pytest.mark.parametrize("typed", ["", "1\n", "1\nquit\n", "?\nnonsense\n"])
def test_a_pipe_may_be_the_person(started, typed):
    process = started("play", "sticks(sticks=9)", "--against", "random", stdin=subprocess.PIPE)
    out, err = process.communicate(typed, timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "the match stands at left=" in out


def test_a_person_sees_only_the_own_cards(run):
    ran = run("play", str(OWN_GAMES / "tricks.py"), "--against", "random", "--seat", "1", typed="hint\nquit")
    assert ran.code == 0
    assert "seat 0: ? ? ?" in ran.out
    assert "random would play" in ran.out
    assert ran.out.endswith("the position is not shown, for it holds what you may not see\n")
    assert "hands=" not in ran.out
    assert "seat 1: a" in ran.out or "seat 1: b" in ran.out


def test_where_cards_are_hidden_the_opponent_is_one_that_may_play(run):
    ran = run("play", str(OWN_GAMES / "kuhn.py"), "--interpreted", typed="hint\nquit")
    assert ran.code == 0
    assert (
        "you are seat 0, against pimc(agent=maxn(depth=4, seconds=0.05, quiet=3), deals=20, by='mean'); ? helps"
        in ran.out
    )
    assert "by='mean') would play " in ran.out


@pytest.mark.parametrize("text", ["hearts", "spades", "go_fish", "series(hearts, hands=2)", "sticks", "light_bike"])
def test_every_game_has_an_opponent_that_may_play_it(text):
    game = load_game(text)
    load_agent(opponent(game)).fit(game)


def test_at_risk_the_opponent_plans_whole_turns():
    game = load_game("risk")
    assert opponent(game) == "plans(maxn(depth=2))"
    load_agent(opponent(game)).fit(game)


def test_agents_of_one_kind_are_named_by_their_algorithm_and_others_in_full(run):
    alike = run("play", "sticks(sticks=9)", "--against", "paranoid(depth=2)", typed="1\nquit").out
    assert "you are seat 0, against paranoid(depth=2); ? helps" in alike
    assert "seat 1, paranoid: " in alike
    unlike = run("play", "sticks(sticks=9)", "--against", "maxn(depth=1)", "--against", "greedy", typed="1\nquit").out
    assert "you are seat 0; ? helps" in unlike
    assert "seat 1, maxn(depth=1): " in unlike


def test_who_takes_a_trick_is_told_with_its_cards(run):
    ran = run("play", "hearts", "--against", "weak_rational", typed="AH\nquit")
    assert "you: AH; seat 3 takes 2C 4C 6C AH, 1 point\n" in ran.out


def test_a_new_hand_of_a_series_is_told_without_the_number_that_tells_its_cards():
    game = load_game("series(hearts(ranks=4), hands=2)")
    state = game.new(3)
    while game.mover(state) >= 0:
        state = game.after(state, game.legal(state)[0])
    assert game.mover(state) == CHANCE
    assert game.is_secret(state, CHANCE)
    assert turn_text(game, state, CHANCE, 12345, 0) == "a new hand is dealt"
    assert game.say(state, CHANCE, 12345) == "deal 12345"  # in a record of the match
    open_hands = load_game("series(sticks, hands=2)")
    assert not open_hands.is_secret(open_hands.new(), CHANCE)
