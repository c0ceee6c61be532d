"""`kingmaker play`, with everything a person may type."""

import subprocess

import pytest

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


def test_undo_brings_back_the_table_and_the_dice(run):
    once = run("play", "random_tree(seats=3, chance=2)", "--against", "random", "--seed", "5", typed="1\nquit").out
    again = run("play", "random_tree(seats=3, chance=2)", "--against", "random", "--seed", "5", typed="1\nundo\n1\nquit").out
    assert once.splitlines()[-2:] == again.splitlines()[-2:]
    assert "the dice: " in once


def test_there_may_be_nothing_to_undo(run):
    assert "there is no move of yours to take back" in run(*STICKS, typed="undo\nquit").out


def test_the_end_of_the_input_ends_politely_with_the_position(run):
    ran = run("play", "sticks(sticks=15)", "--against", "random", typed="2")
    assert ran.code == 0
    assert "the match stands at left=" in ran.out
    assert ran.err == ""


def test_another_seat_waits_for_its_turn(run):
    ran = run("play", "sticks(seats=3, sticks=6)", "--seat", "2", "--against", "random", "--against", "greedy", typed="quit")
    before, _, _ = ran.out.partition("your moves")
    assert "seat 0, random: " in before
    assert "seat 1, greedy: " in before


def test_everybody_moves_at_once_in_light_bike(run):
    """On a board of one column too few, both riders enter the middle and share the result."""
    board = "light_bike(seats=2, width=3, height=2)"
    ran = run("play", board, "--against", "greedy", "--position", "#1#/### 0,0;0,2 0 0 3", typed="e")
    assert "seat 1, greedy: W" in ran.out
    assert ran.out.endswith("you and seat 1 share the best result; payoffs 0.500, 0.500\n")


@pytest.mark.parametrize("typed", ["", "1\n", "1\nquit\n", "?\nnonsense\n"])
def test_a_pipe_may_be_the_person(started, typed):
    process = started("play", "sticks(sticks=9)", "--against", "random", stdin=subprocess.PIPE)
    out, err = process.communicate(typed, timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "the match stands at left=" in out
