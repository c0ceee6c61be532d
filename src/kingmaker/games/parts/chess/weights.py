"""Piece-square tables for the chess estimates, in hundredths of a pawn: `BEFORE` for the middle game, `AFTER` for the
endgame.

The value of a square for a piece is a number for its rank plus one for its file, the same on both wings.
"""

import numpy as np


def squares(ranks, files):
    """The tables of all kinds: [kind * 64 + square], from white's side."""
    return np.array(
        [rank[i >> 3] + file[min(i & 7, 7 - (i & 7))] for rank, file in zip(ranks, files) for i in range(64)]
    )


SIMPLE = squares(
    ranks=[
        (0, 0, 2, 8, 16, 28, 50, 0),  # pawn, on ranks 1 to 8
        (-25, -10, 2, 10, 12, 8, -5, -20),  # knight
        (-10, 2, 5, 5, 5, 4, 0, -8),  # bishop
        (0, -3, -3, -2, 0, 2, 12, 4),  # rook
        (-5, 0, 2, 2, 2, 2, 0, -2),  # queen
        (10, 0, -20, -35, -45, -50, -50, -50),  # king
    ],
    files=[
        (0, 2, 2, 8),  # pawn, on the files a or h, b or g, c or f, d or e
        (-20, -5, 5, 8),  # knight
        (-6, 2, 3, 4),  # bishop
        (-3, 0, 2, 4),  # rook
        (-5, 0, 2, 3),  # queen
        (10, 15, -5, -12),  # king
    ],
)
BEFORE = squares(
    ranks=[
        (0, 82, 84, 92, 100, 112, 130, 0),
        (300, 318, 332, 342, 350, 350, 330, 290),
        (328, 342, 346, 346, 346, 344, 334, 324),
        (476, 470, 468, 470, 478, 488, 504, 494),
        (960, 968, 968, 964, 962, 966, 958, 964),
        (16, 0, -30, -50, -60, -60, -60, -60),
    ],
    files=[
        (-6, 0, 0, 8),
        (-18, -4, 4, 8),
        (-6, 2, 2, 2),
        (-4, 0, 4, 8),
        (-4, 0, 2, 2),
        (14, 22, -8, -14),
    ],
)
AFTER = squares(
    ranks=[
        (0, 100, 102, 108, 116, 130, 150, 0),
        (280, 296, 304, 314, 316, 308, 296, 280),
        (310, 314, 318, 322, 322, 320, 316, 312),
        (540, 540, 540, 544, 548, 550, 554, 550),
        (1000, 1010, 1020, 1030, 1036, 1034, 1030, 1016),
        (-40, -16, 0, 14, 22, 24, 14, -10),
    ],
    files=[
        (0, 2, 0, -2),
        (-16, -4, 4, 8),
        (-6, 0, 2, 4),
        (0, 0, 0, 0),
        (-10, 0, 6, 10),
        (-18, 0, 8, 12),
    ],
)
PASSED_BEFORE = np.array([0, 2, 4, 8, 20, 44, 80, 0])  # by rank
PASSED_AFTER = np.array([0, 8, 14, 30, 58, 100, 160, 0])
