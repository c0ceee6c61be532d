"""Chess against python-chess, move by move: the same legal moves, texts, draws and ends in thousands of random
games.
"""

import random
from functools import cache

import chess
import pytest

from kingmaker.arena.table.referee import referee_of
from kingmaker.games.chess import Chess
from kingmaker.games.parts.chess.board import FIFTY, GOING, MATE, MATERIAL, REPETITION, STALEMATE
from kingmaker.games.parts.chess.fen import move_name

GAME = Chess()
PROMOTIONS = (None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
LATE_STARTS = [
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/8/4k3/3n4/8/2B1K3/8/8 w - - 90 80",
    "8/8/4k3/3n4/4P3/2B1K3/8/8 w - - 0 80",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
]


def number_of(move):
    return move.from_square | move.to_square << 6 | (move.promotion - 1 if move.promotion else 0) << 12


def words(state):
    """All that both boards know of a position."""
    pieces, sides = state.pieces.tolist(), state.sides.tolist()
    return (
        *pieces,
        *sides,
        int(state.rights),
        int(state.passing),
        int(state.seat),
        int(state.clock),
        int(state.ply),
        bool(state.check),
    )


def board_words(board):
    pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    rights = sum(
        1 << i
        for i, corner in enumerate((chess.H1, chess.A1, chess.H8, chess.A8))
        if board.castling_rights & chess.BB_SQUARES[corner]
    )
    passing = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else -1
    sides = (board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK])
    return (*pieces, *sides, rights, passing, int(not board.turn), board.halfmove_clock, board.ply(), board.is_check())


def end_of(board, legal):
    """What python-chess says of the position, by our names."""
    if not legal:
        return MATE if board.is_check() else STALEMATE
    if board.is_insufficient_material():
        return MATERIAL
    if board.halfmove_clock >= 100:
        return FIFTY
    return REPETITION if board.is_repetition(3) else GOING


def follow(board, chooser, plies=2000):
    """Play so many plies of a random game on both boards and compare all they know, the end and the legal moves in
    every position; the end that came.
    """
    state, referee = GAME.position(board.fen()), referee_of(GAME)
    for _ in range(plies):
        legal = list(board.legal_moves)
        assert words(state) == board_words(board)
        end = end_of(board, legal)
        assert state.over == end, (board.fen(), board.move_stack)
        if end:
            return end
        ours = sorted(GAME.legal(state))
        assert ours == sorted(map(number_of, legal)), board.fen()
        move = chooser.choice(ours)
        board.push(chess.Move(move & 63, move >> 6 & 63, PROMOTIONS[move >> 12]))
        referee.take(state, ((int(state.seat), move),))
    return GOING


@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_random_games_from_the_start_agree_in_every_position(seed):
    """Of these one in ten is played to its end, the others for sixty plies."""
    chooser = random.Random(seed)
    for number in range(250):
        end = follow(chess.Board(), chooser, plies=2000 if number % 10 == 0 else 60)
        assert end != GOING or number % 10


@cache
def endings(text):
    """How 150 games that begin here end, compared in every position."""
    chooser = random.Random(text)
    return {follow(chess.Board(text), chooser) for _ in range(150)}


@pytest.mark.parametrize("text", LATE_STARTS)
def test_twelve_hundred_random_endings_agree_in_every_position(text):
    assert GOING not in endings(text)


def test_every_kind_of_end_has_been_seen():
    assert set().union(*map(endings, LATE_STARTS)) == {MATE, STALEMATE, MATERIAL, FIFTY, REPETITION}


def test_algebraic_notation_agrees_both_ways():
    chooser = random.Random(8)
    for text in [chess.STARTING_FEN, *LATE_STARTS]:
        board = chess.Board(text)
        for _ in range(6):
            state = GAME.position(board.fen())
            for move in GAME.legal(state):
                said = GAME.say(state, state.seat, move)
                assert said == board.san(chess.Move.from_uci(move_name(move)))
                assert GAME.parse(state, state.seat, said) == move
                assert GAME.parse(state, state.seat, move_name(move)) == move
            if not GAME.legal(state):
                break
            board.push(chooser.choice(list(board.legal_moves)))


def test_positions_of_random_pieces_have_the_same_moves_or_are_refused():
    """Our refusals are python-chess's, except that it lets pass some sets of pieces that no game can bring."""
    chooser, accepted = random.Random(5), 0
    for _ in range(3000):
        board = chess.Board(None)
        squares = chooser.sample(range(64), chooser.randint(2, 14))
        for i, square in enumerate(squares):
            kind = chess.KING if i < 2 else chooser.choice([1, 1, 1, 2, 3, 4, 5])
            board.set_piece_at(square, chess.Piece(kind, i % 2 == 0))
        board.turn = chooser.random() < 0.5
        try:
            state = GAME.position(board.fen())
        except ValueError:
            assert not board.is_valid(), board.fen()
            continue
        accepted += 1
        assert not board.status() & ~(chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_TOO_MANY_CHECKERS), board.fen()
        legal = list(board.legal_moves)
        assert state.over == end_of(board, legal)
        if not state.over:
            assert sorted(GAME.legal(state)) == sorted(map(number_of, legal))
    assert accepted > 500
