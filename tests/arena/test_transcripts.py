"""Records replay to the same states, in both forms."""

import json
import os
import re
import threading
from pathlib import Path

import msgspec
import pytest

from kingmaker import load_agent, load_game
from kingmaker.arena.results import transcript_files
from kingmaker.arena.results.store import open_store
from kingmaker.arena.results.transcript_files import read_records
from kingmaker.arena.results.transcripts import BadRecord, Record, record_of, replayed, stored_records
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.table.match import play_match
from tests.arena.conftest import SMALL

GAMES = [
    "sticks(sticks=7)",
    "light_bike(seats=3, width=6, height=6, starts=distinct)",
    "random_tree(seats=3, chance=1)",
]


def recorded(text, keep_values=True):
    """A record, and every state that the match went through."""
    game = load_game(text)
    agents, start, states = [load_agent(agent) for agent in ("maxn(depth=2)", "random", "greedy")], game.new(4), []
    match = play_match(
        game,
        agents,
        4,
        state=start,
        watch=lambda state, *_: states.append(game.notation(state)),
        keep_values=keep_values,
    )
    return record_of(game, agents, match, start, number=5), states


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("form", ["as_line", "as_text"])
def test_a_record_comes_back_from_its_file_and_replays_to_the_same_states(tmp_path, text, form):
    record, states = recorded(text)
    path = tmp_path / "record"
    path.write_text(getattr(record, form)() * 2)
    first, second = read_records(path)
    assert first == second == record
    game = load_game(record.game)
    assert [game.notation(state) for state, turn in replayed(first) if turn] == states


def test_the_text_form_has_headers_moves_and_what_agents_expected():
    text = recorded("sticks(sticks=7)")[0].as_text()
    assert '[Game "sticks(sticks=7)"]' in text
    assert '[Seat 0 "maxn(depth=2)"]' in text
    assert "\n1. 0:" in text
    assert re.search(r"1\. 0:\d \{\d\.\d+ \d\.\d+ \d\.\d+\}", text)


def test_a_store_gives_the_records_of_its_matches(tmp_path, written):
    series = SMALL.replace('game = "sticks(seats=3, sticks=12)"', 'game = "series(sticks(seats=3, sticks=5), hands=2)"')
    experiment = written(series.replace("seed = 7", "seed = 7\nvalues = true"))
    run_experiment(experiment, tmp_path / "s.db", workers=1)
    with open_store(tmp_path / "s.db") as store:
        found = list(stored_records(store))
        sums = {match: json.loads(payoffs) for match, payoffs in store.rows("match, payoffs")}
    assert len(found) == 18
    deals = set()
    for record in found:
        assert list(replayed(record))[-1][1] == ()
        assert list(record.payoffs) == sums[record.match]
        assert sum(record.payoffs) == 2
        deals.add((record.match // 6, *(move for turn in record.turns for seat, move in turn if seat < 0)))
    assert len(deals) == 3  # all seatings of a block have the same deals
    assert [record.hand for record in read_records(tmp_path / "s.db", match=3)] == [0]


WRONG = [
    (lambda record: {"turns": [[[0, 9]]]}, "9 of seat 0 is no legal move in turn 1 of match 5"),
    (lambda record: {"turns": [[[1, 1]]]}, r"expected moves of the seats \[0\] in turn 1 of match 5"),
    (
        lambda record: {"payoffs": [9.0, 9.0, 9.0]},
        r"the payoffs of match 5 are \[9.0, 9.0, 9.0\], but its moves lead to \[",
    ),
    (lambda record: {"turns": record["turns"][:1]}, "but its moves lead to no end"),
    (
        lambda record: {"final": "left=3 seat=0 winner=0"},
        "match 5 ends at 'left=3 seat=0 winner=0', but its moves lead to",
    ),
]


def test_a_revoke_in_a_record_is_refused_by_its_name():
    game = load_game("spades(open=True, ranks=2)")
    start = "K.A../A.K../..AK./...AK - 0 -,-,-,- 0,0,0,0 0"
    revoke = Record(game=str(game), agents=["random"] * 4, match=3, start=start, turns=[((0, 11),), ((1, 24),)])
    told = (
        "24 of seat 1 is no legal move in turn 2 of match 3 of spades.*: seat 1 has clubs and must follow suit, so KD"
    )
    with pytest.raises(BadRecord, match=f"{told} would be a revoke"):
        list(replayed(revoke))
    with pytest.raises(BadRecord, match=r"99 of seat 0 is no legal move in turn 1 .*: there is no card 99"):
        list(replayed(msgspec.structs.replace(revoke, turns=[((0, 99),)])))


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_a_record_that_breaks_the_rules_is_refused(tmp_path, change, sentence):
    data = json.loads(recorded("sticks(sticks=7)", keep_values=False)[0].as_line())
    (tmp_path / "r.jsonl").write_text(json.dumps(data | change(data)))
    (record,) = read_records(tmp_path / "r.jsonl")
    with pytest.raises(BadRecord, match=sentence):
        list(replayed(record))


HEADS = '[Game "sticks"]\n[Start "left=3 seat=0 winner=0"]\n[Seat 0 "random"]\n'
BROKEN = [
    ("{nonsense", "line 1 of .* is no record"),
    ('{"game": "sticks"}', "line 1 of .* is no record: Object missing required field"),
    ("hello\n", "line 1 of .* is no record: expected a header like"),
    ('[Game "sticks"]\n\n1. 0:1\n', "the header 'Start' is missing"),
    ('[Game "sticks"]\n', "the header 'Start' is missing"),
    ('[Game "stic\\qks"]\n', r"line 1 of .* is no header: Invalid \\escape"),
    ("[" * 9000, "line 1 of .* is no record"),
    ("{" * 9000, "line 1 of .* is no record"),
    (
        '{"game": "sticks", "agents": [], "turns": [[[0, 1]]], "values": []}',
        "line 1 of .* is no record: expected the agents' values",
    ),
    (HEADS + '[Match "x"]\n\n1. 0:1\n', "expected a whole number in the header 'Match' of .*, got 'x'"),
    (HEADS + '[Seed "1.5"]\n\n1. 0:1\n', "expected a whole number in the header 'Seed' of .*, got '1.5'"),
    (HEADS + '[Deal ""]\n\n1. 0:1\n', "expected a whole number in the header 'Deal' of .*, got ''"),
    (HEADS + '[Payoffs "1 two 3"]\n\n1. 0:3\n', "expected one number a seat in .*, got '1 two 3'"),
    (HEADS + "\n1. 0:1 {many}\n", "expected one number a seat in .*, got 'many'"),
    (HEADS + "\n1. 0:=2000000000\n", "2000000000 of seat 0 is no legal move in turn 1 of match 0 in"),
    (HEADS + "\n1. 0:=-1\n", "-1 of seat 0 is no legal move in turn 1 of match 0 in"),
    (HEADS + "\n1. 100:1\n", r"expected moves of the seats \[0\] in turn 1 of match 0 in .*, got \[100\]"),
    (HEADS + "\n1. *:=0\n", r"expected moves of the seats \[0\] in turn 1 of match 0 in .*, got \[-1\]"),
    (HEADS + "\n1. 0:3\n2. 1:1\n", r"expected moves of the seats \[\] in turn 2 of match 0 in .*, got \[1\]"),
    (
        '[Game "sticks"]\n[Start "left=3 seat=0 winner=0"]\n[Seat 0 "random"]\n\n0:1\n',
        "expected a turn like '1. 0:move' in",
    ),
    (
        '[Game "sticks"]\n[Start "left=3 seat=0 winner=0"]\n[Seat 0 "random"]\n\n1. 0:=x\n',
        "expected a number after '=', got '=x'",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), BROKEN)
def test_a_file_that_is_no_record_is_told_with_its_line(tmp_path, text, sentence):
    (tmp_path / "r.txt").write_text(text)
    with pytest.raises(BadRecord, match=sentence):
        list(read_records(tmp_path / "r.txt"))


def test_a_file_without_an_end_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(transcript_files, "LONGEST", 2**16)
    with pytest.raises(BadRecord, match="line 1 of /dev/zero is no record: it is longer than 65536 letters"):
        list(read_records(Path("/dev/zero")))
    (tmp_path / "r.txt").write_text(HEADS + "1. 0:1\n" * 10_000)
    with pytest.raises(BadRecord, match="belongs to no record: the record would be longer than 65536 letters"):
        list(read_records(tmp_path / "r.txt"))


def test_records_are_read_from_a_pipe(tmp_path):
    record, _ = recorded("sticks(sticks=7)")
    os.mkfifo(tmp_path / "pipe")
    threading.Thread(target=(tmp_path / "pipe").write_text, args=(record.as_line(),), daemon=True).start()
    assert list(read_records(tmp_path / "pipe")) == [record]


def test_a_game_without_words_for_its_positions_is_replayed_from_its_deal():
    record, _ = recorded("random_tree(seats=3, chance=1)")
    dealt = msgspec.structs.replace(record, start="", deal=4)
    assert [str(turn) for _, turn in replayed(dealt)] == [str(turn) for _, turn in replayed(record)]
    assert '[Deal "4"]' in dealt.as_text()


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(BadRecord, match="there is no file"):
        list(read_records(tmp_path / "none"))
    with pytest.raises(BadRecord, match="cannot read"):
        list(read_records(tmp_path))
