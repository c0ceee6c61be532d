"""Chess: counts known to everybody, the rules one by one, and the sentences for what breaks them."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from bench.random_matches import random_matches
from scipy.stats import chisquare

from kingmaker import load_agent, load_game
from kingmaker.arena.table.match import play_match
from kingmaker.core.ask import Ask
from kingmaker.core.errors import BadParameter, BadPosition, IllegalMove
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.games.chess import START, Chess
from kingmaker.games.parts.chess import random_move
from kingmaker.games.parts.chess.board import FIFTY, MATE, MATERIAL, REPETITION, STALEMATE
from kingmaker.games.parts.chess.estimates import GRAIN, score_text
from kingmaker.games.parts.chess.fen import move_name
from kingmaker.probe.perft import perft
from tests.samples import TWIN

GOLDEN = Path(__file__).parents[1] / "golden"
GAME = Chess()
PERFT = json.loads((GOLDEN / "chess_perft.json").read_text())
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
QUIET, FULL = "quiet=4", "quiet=4, order=history, table=16"  # few settings, for each is compiled
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def played(text, *moves):
    """The state after moves as people write them."""
    state = GAME.position(text) if text else GAME.new()
    for move in moves:
        state = GAME.after(state, GAME.parse(state, state.seat, move))
    return state


def legal_names(text):
    return {move_name(move) for move in GAME.legal(GAME.position(text))}


@pytest.mark.parametrize("position", PERFT)
def test_perft_is_exact(position):
    counts = [leaves for leaves in PERFT[position] if leaves <= 20_000_000]
    assert perft(GAME, GAME.position(position), len(counts)) == [1, *counts]


def test_ten_thousand_random_games_end_in_every_possible_way():
    ends = {int(state.over) for state, _ in random_matches(GAME, 10_000)}
    assert ends == {MATE, STALEMATE, MATERIAL, FIFTY, REPETITION}


def test_a_state_is_small():
    assert GAME.State.itemsize <= 288


def test_a_recorded_match_is_played_again_move_by_move():
    match = json.loads((GOLDEN / "chess_playthrough.json").read_text())
    state = GAME.new()
    for entry in match["moves"]:
        assert GAME.notation(state) == entry["position"]
        assert len(GAME.legal(state)) == entry["legal"]
        state = GAME.after(state, GAME.parse(state, state.seat, entry["move"]))
    assert GAME.notation(state) == match["end"]
    assert list(GAME.payoffs(state)) == match["payoffs"]


def test_the_search_finds_what_is_recorded_to_the_last_node():
    for entry in json.loads((GOLDEN / "chess_search.json").read_text()):
        decision = load_agent(entry["agent"]).decide(GAME, GAME.position(entry["position"]))
        found = {"move": move_name(decision.move), "values": list(decision.values), "nodes": decision.nodes}
        assert found == {key: entry[key] for key in found}


def test_fools_mate_is_won_by_black():
    state = played("", "f3", "e5", "g4", "Qh4")
    assert state.over == MATE
    assert GAME.mover(state) == OVER
    assert GAME.payoffs(state) == (0.0, 1.0)
    assert GAME.show(state).endswith("checkmate")


def test_stalemate_is_a_draw():
    state = played("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7")
    assert (state.over, GAME.payoffs(state)) == (STALEMATE, (0.5, 0.5))


def test_the_third_time_a_position_comes_up_is_a_draw():
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"]
    assert played("", *shuffle).over == 0
    assert played("", *shuffle, *shuffle[:3]).over == 0
    assert played("", *shuffle, *shuffle).over == REPETITION


def test_positions_with_other_castling_rights_are_not_the_same():
    shuffle = ["Ke2", "Ke7", "Ke1", "Ke8"]
    text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert played(text, *shuffle, *shuffle).over == 0
    assert played(text, *shuffle, *shuffle, *shuffle[:2]).over == REPETITION


def test_a_position_with_a_capture_in_passing_is_not_the_same_as_without():
    text = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
    shuffle = ["Kd7", "Kd1", "Ke8", "Ke1"]
    assert played(text, "e4", *shuffle, *shuffle).over == 0
    assert played(text, "e4", *shuffle, *shuffle, *shuffle[:1]).over == REPETITION
    blocked = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert played(blocked, "e4", *shuffle, *shuffle).over == REPETITION


def test_fifty_moves_without_capture_or_pawn_move_are_a_draw_unless_they_mate():
    assert played("7k/8/8/8/8/8/R7/K7 w - - 98 80", "Rb2").over == 0
    assert played("7k/8/8/8/8/8/R7/K7 w - - 99 80", "Rb2").over == FIFTY
    assert played("7k/R7/6K1/8/8/8/8/8 w - - 99 80", "Ra8").over == MATE
    assert played("7k/8/8/8/8/p7/R7/K7 w - - 99 80", "Rxa3").over == 0


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", MATERIAL),
        ("k7/8/8/8/8/8/8/KN6 w - - 0 1", MATERIAL),
        ("k7/8/8/8/8/8/8/KB6 w - - 0 1", MATERIAL),
        ("kb6/8/8/8/8/8/8/K1B5 w - - 0 1", MATERIAL),
        ("k1b5/8/8/8/8/8/8/K1B5 w - - 0 1", 0),
        ("k7/8/8/8/8/8/8/KNN5 w - - 0 1", 0),
        ("kn6/8/8/8/8/8/8/KN6 w - - 0 1", 0),
        ("kn6/8/8/8/8/8/8/KB6 w - - 0 1", 0),
        ("k7/8/8/8/8/7P/8/K7 w - - 0 1", 0),
    ],
)
def test_a_draw_by_material_needs_that_nobody_can_mate(text, end):
    assert GAME.position(text).over == end


def test_castling_moves_the_rook_and_needs_a_free_and_safe_way():
    assert GAME.notation(played(KIWIPETE, "O-O")).startswith(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq"
    )
    assert GAME.notation(played(KIWIPETE, "O-O-O")).startswith(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/2KR3R b kq"
    )
    assert {"e1g1", "e1c1"} <= legal_names("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert "e1c1" in legal_names("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1")  # only the rook passes the attacked square
    assert "e1c1" not in legal_names("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1")


def test_a_captured_rook_takes_its_castling_right_along():
    state = played("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rxa8")
    assert GAME.notation(state).split()[2] == "Kk"


def test_a_capture_in_passing_that_opens_the_rank_is_illegal():
    assert "b5c6" not in legal_names("8/8/8/KPp4r/8/8/8/7k w - c6 0 1")
    assert "b5c6" in legal_names("8/8/8/1Pp4r/K7/8/8/7k w - c6 0 1")


def test_a_square_that_nobody_can_capture_on_in_passing_is_not_kept():
    assert GAME.notation(GAME.position(AFTER_E4.replace("KQkq -", "KQkq e3"))) == AFTER_E4
    assert GAME.notation(played("", "e4")) == AFTER_E4


def test_captures_come_first_the_best_victim_by_the_least_captor():
    names = [move_name(move) for move in GAME.legal(GAME.position("2k5/3r4/2n5/1p1P4/P3B1Q1/8/8/3RK3 w - - 0 1"))]
    assert names[:3] == ["g4d7", "d5c6", "a4b5"]


def test_notation_keeps_what_repetition_needs():
    state = played("", "Nf3", "Nf6", "Ng1")
    text = GAME.notation(state)
    assert text == "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2 after g1f3 g8f6 f3g1"
    assert GAME.position(text) == state
    assert GAME.after(GAME.position(text), GAME.parse(state, 1, "Ng8")).twice
    plain = GAME.position(text.partition(" after ")[0])
    assert plain.length == 0
    assert GAME.uci_position(state) == f"fen {GAME.notation(GAME.new())} moves g1f3 g8f6 f3g1"


def test_key_tells_positions_apart_and_is_the_same_by_every_way():
    one, other = played("", "Nf3", "Nf6", "Nc3"), played("", "Nc3", "Nf6", "Nf3")
    with np.errstate(over="ignore"):
        assert GAME.key(one) == GAME.key(other)
        assert GAME.key(one) != GAME.key(played("", "Nf3", "Nf6", "Na3"))
        early, late = (GAME.key(GAME.position(f"k7/8/8/8/8/8/1R6/K7 w - - {clock} 80")) for clock in (90, 91))
        assert early != late
        shuffled = played("", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3")
        assert shuffled.twice
        assert GAME.key(shuffled) != GAME.key(GAME.position(GAME.notation(shuffled).partition(" after ")[0]))


def test_quiet_means_no_check_and_nothing_worth_capturing():
    with np.errstate(over="ignore"):
        assert GAME.quiet(GAME.new())
        assert not GAME.quiet(GAME.position(KIWIPETE))
        assert not GAME.quiet(GAME.position("4k3/8/8/8/8/8/8/4KR1q w - - 0 1"))
        assert not GAME.quiet(played("", "e4", "f5", "Qh5"))
        assert GAME.quiet(GAME.position("4k3/3p4/4p3/8/8/8/4R3/4K3 w - - 0 1"))  # the rook would be lost for a pawn
        assert not GAME.quiet(GAME.position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"))


def test_quiescence_sees_the_recapture():
    guarded = GAME.position("4k3/8/2p5/3p4/8/8/3R4/3QK3 w - - 0 1")
    short = load_agent("alpha_beta(depth=1)").decide(GAME, guarded, ask=TWIN)
    longer = load_agent(f"alpha_beta(depth=1, {QUIET})").decide(GAME, guarded, ask=TWIN)
    assert move_name(short.move) == "d2d5"
    assert move_name(longer.move) != "d2d5"
    assert all(move >= 0 for move in longer.line)
    recorded = load_agent(f"alpha_beta(depth=1, {QUIET})").decide(GAME, guarded, ask=Ask(record=1000, compiled=False))
    assert "–" in str(recorded.tree.nested(GAME, guarded))


@pytest.mark.parametrize("estimate", ["material_and_squares", "positional"])
def test_compiled_and_interpreted_quiescence_are_one(estimate):
    for text in [KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "4k3/8/8/8/8/8/8/4KR1q w - - 0 1"]:
        for search in (f"alpha_beta(depth=1, {FULL}, estimate={estimate})", "maxn(depth=1, quiet=2)"):
            agent = load_agent(search)
            machine, twin = (
                agent.decide(GAME, GAME.position(text), ask=Ask(compiled=compiled)) for compiled in (True, False)
            )
            assert (machine.move, machine.values, machine.moves, machine.nodes, machine.line) == (
                twin.move, twin.values, twin.moves, twin.nodes, twin.line,
            )  # fmt: skip


def test_a_table_and_the_order_of_moves_change_nothing_but_the_nodes():
    for text in [KIWIPETE, *list(PERFT)[2:5]]:
        state = GAME.position(text)
        plain = load_agent(f"alpha_beta(depth=4, {QUIET})").decide(GAME, state)
        other = load_agent(f"alpha_beta(depth=4, {FULL})").decide(GAME, state)
        assert other.values == plain.values
        assert other.nodes != plain.nodes


@pytest.mark.parametrize("estimate", GAME.estimates, ids=str)
def test_turning_the_board_over_turns_the_estimate_over(estimate):
    out, turned = np.zeros(2), np.zeros(2)
    with np.errstate(over="ignore"):
        for text in PERFT:
            board, seat, rights, *_ = text.split()
            mirrored = "/".join(reversed(board.swapcase().split("/")))
            estimate.value(GAME, GAME.position(f"{board} {seat} {rights} - 0 1"), out)
            estimate.value(GAME, GAME.position(f"{mirrored} {'wb'[seat == 'w']} {rights.swapcase()} - 0 1"), turned)
            assert out.tolist() == turned[::-1].tolist()
            assert out.sum() == 1.0


@pytest.mark.parametrize("estimate", GAME.estimates, ids=str)
def test_a_queen_more_is_better_and_a_pawn_more_a_little(estimate):
    def worth(board):
        out = np.zeros(2)
        with np.errstate(over="ignore"):
            estimate.value(GAME, GAME.position(f"{board} w - - 0 1"), out)
        return out[0]

    even, pawn, queen = (
        worth("4k3/pppp4/8/8/8/8/PPPP4/4K3"),
        worth("4k3/pppp4/8/8/8/8/PPPPP3/4K3"),
        worth("4k3/pppp4/8/8/8/8/PPPP4/Q3K3"),
    )
    assert 0.4 < even < pawn < queen < 0.96


@pytest.mark.parametrize("estimate", GAME.estimates, ids=str)
def test_intervals_hold_the_value_and_shrink_to_the_payoff(estimate):
    low, high, value = np.zeros(2), np.zeros(2), np.zeros(2)
    with np.errstate(over="ignore"):
        for text in PERFT:
            state = GAME.position(text)
            estimate.interval(GAME, state, low, high)
            estimate.value(GAME, state, value)
            assert (low <= value).all()
            assert (value <= high).all()
        estimate.interval(GAME, GAME.position("k7/8/8/8/8/8/8/KQ6 w - - 0 1"), low, high)
        assert (low[0], high[1]) == (0.5, 0.5)  # a bare king cannot win
        mated = played("", "f3", "e5", "g4", "Qh4")
        estimate.interval(GAME, mated, low, high)
        assert low.tolist() == high.tolist() == [4 * GRAIN, 1 - 4 * GRAIN]


@pytest.mark.parametrize("estimate", GAME.estimates, ids=str)
def test_the_edge_is_the_lead_in_pawns(estimate):
    value, pawns = np.zeros(2), np.zeros(2)
    with np.errstate(over="ignore"):
        for text in (*PERFT, "4k3/pppp4/8/8/8/8/PPPP4/Q3K3 w - - 0 1"):
            state = GAME.position(text)
            estimate.value(GAME, state, value)
            estimate.measure(GAME, state, pawns)
            assert pawns[0] == -pawns[1]
            assert score_text(value[0], state.ply) == f"cp {round(100 * (pawns[0] - pawns[1]))}"
    assert 8 < pawns[0] - pawns[1] < 12  # a queen ahead


@pytest.mark.parametrize("estimate", GAME.estimates, ids=str)
def test_no_lead_is_wider_than_the_widest_edge(estimate):
    """Nine queens, and all else that a side can have, against a bare king."""
    pawns = np.zeros(2)
    with np.errstate(over="ignore"):
        estimate.measure(GAME, GAME.position("7k/2Q5/1Q1Q4/Q2QR3/1QBQN3/2BQN3/1Q2R3/K7 w - - 0 1"), pawns)
    assert 95 < pawns[0] - pawns[1] < estimate.widest_edge(GAME) == 144


def test_the_better_estimate_knows_who_cannot_win():
    out = np.zeros(2)
    with np.errstate(over="ignore"):
        GAME.estimate("positional").value(GAME, GAME.position("k7/8/8/p7/8/8/8/KB6 w - - 0 1"), out)
    assert out.tolist() == [0.5, 0.5]


def test_of_two_mates_the_sooner_is_played():
    state = GAME.position("7k/8/6K1/8/8/8/8/RQ6 w - - 0 1")
    decision = load_agent(f"alpha_beta(depth=4, {QUIET})").decide(GAME, state)
    assert GAME.after(state, decision.move).over == MATE
    assert score_text(decision.values[0], 0) == "mate 1"


def test_scores_are_told_in_pawns_or_moves_to_mate():
    assert [score_text(value, 10) for value in (0.5, 0.75, 0.25)] == ["cp 0", "cp 600", "cp -600"]
    assert [score_text(1 - 13 * GRAIN, 10), score_text(14 * GRAIN, 10)] == ["mate 2", "mate -2"]


def test_deeper_search_and_quiescence_beat_random():
    agents = load_agent(f"alpha_beta(depth=2, {FULL})"), load_agent("random")
    for seed in range(2):
        assert play_match(GAME, agents, seed).payoffs == (1.0, 0.0)
        assert play_match(GAME, agents[::-1], seed).payoffs == (0.0, 1.0)


def test_random_openings_differ_by_seed_and_are_legal():
    game = load_game("chess(opening=6)")
    texts = {game.notation(game.new(seed)) for seed in range(8)}
    assert len(texts) == 8
    assert all(game.position(text).ply == 6 for text in texts)
    with pytest.raises(BadParameter, match=r"expected 0 to 40 random plies as opening, got 41 in chess\(opening=41\)"):
        Chess(opening=41)


@pytest.mark.parametrize(
    ("text", "move", "sentence"),
    [
        ("", "hello", "cannot read 'hello' as a chess move; write it like Nf3, exd5, O-O, e8=Q or g1f3"),
        ("", "e5", "'e5' is illegal: a pawn does not go from e2 to e5"),
        ("", "e2d3", "there is nothing to capture on d3"),
        ("", "e4e5", "there is no piece on e4"),
        ("", "e7e5", "the piece on e7 is black's"),
        ("", "a1a2", "a2 holds a piece of the same side"),
        ("", "Qh5", "the way from d1 to h5 is blocked"),
        ("", "b1d2", "d2 holds a piece of the same side"),
        ("", "b1b3", "a knight does not go from b1 to b3"),
        ("", "e2e4q", "a pawn is promoted only on the last rank"),
        ("", "O-O", "there is a piece between king and rook"),
        ("", "Nf6", "no knight of white can go to f6, as 'Nf6' asks for"),
        (
            "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
            "d5",
            "a pawn cannot go straight to d5, which is occupied",
        ),
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e4", "the way from e2 to e4 is blocked"),
        ("4r1k1/8/8/8/8/8/4N3/4K2R w K - 0 1", "Nc3", "the knight on e2 may not leave its king open to check"),
        ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "Rh5", "white is in check and this does not end it"),
        ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "the king may not castle out of check"),
        ("4r1k1/8/8/8/8/8/8/N3K2N w - - 0 1", "Nf3", "no knight of white can go to f3 while white is in check"),
        ("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "Ke2", "e2 is attacked"),
        ("5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "the king may not castle across f1, which is attacked"),
        ("6k1/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "white has lost the right to castle short"),
        ("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "O-O-O", "white has lost the right to castle long"),
        (
            "6k1/4P3/8/8/8/8/8/4K2R w - - 0 1",
            "e8",
            "a pawn on the last rank must become a knight, bishop, rook or queen",
        ),
        ("6k1/4P3/8/8/8/8/8/4K2R w - - 0 1", "h1h8n", "a rook cannot be promoted"),
        ("4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1", "Rd1", "no rook of white can go to d1"),
        ("4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "Rd1", "'Rd1' can be a1d1, h1d1; say which"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", "Kb1", "the game is over"),
    ],
)
def test_an_illegal_move_is_told_with_the_rule_it_breaks(text, move, sentence):
    state = GAME.position(text) if text else GAME.new()
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, state.seat, move)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings, expected 1"),
        ("k7/8/8/8/8/8/8/K6K w - - 0 1", "white has 2 kings, expected 1"),
        ("k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1", "black has 9 pawns, expected at most 8"),
        ("QQQ4k/QQQQQQQ1/8/8/8/8/8/K7 b - - 0 1", "white has 9 promoted pieces, but only 8 of its pawns are gone"),
        ("P6k/8/8/8/8/8/8/K7 w - - 0 1", "a pawn stands on a8; pawns cannot be on the first or last rank"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "black is in check, but it is white's move"),
        ("8/8/8/8/8/8/kK6/8 w - - 0 1", "black is in check, but it is white's move"),
        ("k6b/8/8/8/8/1n6/8/K6r w - - 0 1", "3 pieces give check to white at once, expected at most 2"),
        ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling right K needs white's king on e1 and rook on h1"),
        ("k7/8/8/8/8/8/8/K7 w KK - 0 1", "expected castling rights from KQkq or -, got 'KK'"),
        ("k7/8/8/8/8/8/8/K7 b - e3 0 1", "no pawn of white can just have passed over e3"),
        ("k7/8/8/8/8/8/8/K7 w - z9 0 1", "expected an en passant square like e3 or -, got 'z9'"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "expected w or b as the side to move, got 'x'"),
        ("k7/8/8/8/8/8/8/K7 w - - 101 1", "expected a clock of 0 to 100 plies without capture or pawn move, got '101'"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 0", "expected a move number of 1 to 10000, got '0'"),
        ("k7/8/8/8/8/8/K7 w - - 0 1", "expected 8 ranks divided by /, got 7"),
        ("k7/8/9/8/8/8/8/K7 w - - 0 1", "expected 8 squares of pieces pnbrqk or numbers on rank 6, got '9'"),
        (
            "hello",
            "expected 4 or 6 fields (board, side to move, castling, en passant, clock, move number), got 'hello'",
        ),
        (
            "k7/8/8/8/8/8/8/1K6 w - - 3 5 after x",
            "expected a move in coordinates like g1f3 after the position, got 'x'",
        ),
        (
            "k7/8/8/8/8/8/8/1K6 w - - 1 5 after a1b1 b8a8",
            "expected at most 1 moves after the position, as many as its clock counts, got 2",
        ),
        ("k7/8/8/8/8/8/8/1K6 w - - 3 5 after e2e4", "the move e2e4 cannot have led to this position"),
        (
            "k7/8/8/8/8/8/7P/1K6 b - - 3 5 after h1b1",
            "'h1b1' is illegal: a king does not go from h1 to b1, so it cannot have led to",
        ),
        ("r3k3/8/8/8/8/8/8/R3K2R b KQ - 3 5 after g1h1 e7e8 h1g1", "the move h1g1 cannot have led to this position"),
        ("4k3/8/8/8/7P/8/8/4K3 b - - 3 5 after h3h4", "the moves h3h4 do not lead to '4k3/8/8/8/7P/8/8/4K3 b - - 3 5'"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(text, sentence):
    with pytest.raises(BadPosition) as caught:
        GAME.position(text)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("tries", [random_move.TRIES, 0])  # with 0 all moves are listed
@pytest.mark.parametrize(
    "text",
    [
        START,
        KIWIPETE,
        KIWIPETE.replace(" w ", " b "),
        "4k3/8/8/2PpP3/8/8/8/4K2R w K d6 0 1",  # two captures en passant
        "n1b5/1P4P1/K6k/8/8/8/8/8 w - - 0 1",  # promotions, some by a pinned pawn
        "3r3k/8/8/8/1b6/8/P2N4/q2BKR1r w - - 0 1",  # pinned pieces, and a king that is nearly without a move
        "4r2k/8/8/8/8/2N5/P7/2B1KN1q w - - 0 1",  # check
    ],
)
def test_every_legal_move_is_as_likely_in_random_play(monkeypatch, text, tries):
    monkeypatch.setattr(random_move, "TRIES", tries)
    state, rng, out = GAME.position(text), stream(3), np.zeros(GAME.max_moves, np.int32)
    with np.errstate(over="ignore"):
        drawn = Counter(int(GAME.any_move(state, state.seat, rng, out)) for _ in range(2000))
    assert set(drawn) == set(GAME.legal(state))
    assert len(drawn) == 1 or chisquare(list(drawn.values())).pvalue > 0.001


def test_random_moves_of_many_positions_are_legal():
    out = np.zeros(GAME.max_moves, np.int32)
    with np.errstate(over="ignore"):
        for seed in range(20):
            state, rng = GAME.new(), stream(seed, "walk")
            for _ in range(120):
                move = int(GAME.any_move(state, state.seat, rng, out))
                assert move in GAME.legal(state), GAME.notation(state)
                state = GAME.after(state, move)
                if GAME.mover(state) == OVER:
                    break
