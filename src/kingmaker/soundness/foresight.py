"""Does an estimate with foresight predict for every move the value that playing it gives?

At its last ply a search uses what an estimate predicts for a move and does not play it. So the prediction must be, to
the last bit, the estimate's value of the position after the move, and a move that ends the match must not be predicted.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from kingmaker.core.foresight import ROOM, SEATS
from kingmaker.core.game import OVER
from kingmaker.core.wide_records import zeros
from kingmaker.soundness.calls import FLOATS, NUMBERS, SHOWN, mover_of, moves_of
from kingmaker.soundness.fault import fault, frozen
from kingmaker.soundness.trial import Trial


def foresees_well(trial: Trial, state: Any, estimates: tuple[Any, ...]) -> None:
    """Ask every estimate with foresight to predict the moves, and compare with playing them."""
    seat = mover_of(trial, state)
    if seat < 0 or trial.game.seats > SEATS:
        return
    for estimate in estimates:
        if estimate.has_foresight:
            moves = moves_of(trial, state, seat)
            asked_ahead(trial, state, seat, moves, estimate, FLOATS[0])
            asked_ahead(trial, state, seat, moves[:SHOWN], estimate, FLOATS[-1])  # other old content, same answer
            if estimate.foresees_best:
                asked_for_the_best(trial, state, seat, moves, estimate)
            if estimate.changes_own_alone:
                leaves_the_others(trial, state, seat, moves, estimate)


def asked_ahead(trial: Trial, state: Any, seat: int, moves: list[int], estimate: Any, filling: float) -> None:
    """Ask for predictions of some moves in turn, as a search does, with arrays that hold `filling` beforehand."""
    game, view, room = trial.game, trial.game.copy(state), zeros((ROOM,), np.float64)
    room.fill(filling)
    begun = trial.call("begin", state, estimate.begin, game, view, seat, room, owner=estimate)
    for move in moves if is_told(trial, state, "begin", begun, estimate) else ():
        before = (game, view, seat, move, room)
        child = game.copy(state)
        trial.call("play", state, game.play, child, seat, move)
        out = row(game, filling)
        told = trial.call("after", state, estimate.after, *before, out, owner=estimate)
        mine = trial.call("own_after", state, estimate.own_after, *before, owner=estimate)
        if is_told(trial, state, "after", told, estimate):
            compare(trial, state, "after", move, [out], said(trial, child, "value", estimate), estimate)
        if not np.array_equal(mine, out[seat] if told else np.nan, equal_nan=not told):
            wanted = (
                f"{out[seat]!r}, the entry of seat {seat} that after writes" if told else "nan, as after says False"
            )
            raise fault(game, state, "own_after", f"expected {wanted} for the move {move}, got {mine!r}", estimate)
        if estimate.foresees_intervals:
            ends = [row(game, filling), row(game, filling)]
            told = trial.call("interval_after", state, estimate.interval_after, *before, *ends, owner=estimate)
            if is_told(trial, state, "interval_after", told, estimate):
                played = said(trial, child, "interval", estimate, 2)
                compare(trial, state, "interval_after", move, ends, played, estimate)
        if frozen(view) != frozen(state):
            raise fault(game, state, "after", "expected it to leave the state as it is", estimate)


def asked_for_the_best(trial: Trial, state: Any, seat: int, moves: list[int], estimate: Any) -> None:
    """Compare the moves that an estimate calls the best with what it says of every single move."""
    game, room, out = trial.game, zeros((ROOM,), np.float64), zeros((trial.game.max_moves,), np.int32)
    if not trial.call("begin", state, estimate.begin, game, state, seat, room, owner=estimate):
        return
    out.fill(NUMBERS[0])
    found, many = trial.call("best_after", state, estimate.best_after, game, state, seat, room, out, owner=estimate)
    if found == 0:
        return
    mine = [entry_after(trial, state, seat, move, room, estimate) for move in moves]
    if np.isnan(mine).any():
        text = "expected (0, 0), for a move may end the match; return (0, 0) wherever one does"
        raise fault(game, state, "best_after", text, estimate)
    best = [move for move, value in zip(moves, mine, strict=True) if value == max(mine)]
    told = out[: max(found, 0)].tolist()
    if (told, many) != (best, len(moves)):
        text = f"expected the moves {best} of {len(moves)}, by the own entry after each, got {told} of {many}"
        raise fault(game, state, "best_after", text, estimate)
    spread = sorted(set(mine))
    least = min((high - low for low, high in pairwise(spread)), default=np.inf)
    if not 0 < estimate.grain(game) <= least * (1 + 1e-9):
        text = f"expected more than 0 and at most {least!r}, by which two values differ, got {estimate.grain(game)!r}"
        raise fault(game, state, "grain", text, estimate)
    if estimate.foresees_intervals and estimate.best_is_likeliest:
        only_the_low_end_moves(trial, state, seat, moves, mine, room, estimate)


def entry_after(trial: Trial, state: Any, seat: int, move: int, room: Any, estimate: Any) -> float:
    """The entry of `seat` after a move, which is played if it cannot be foreseen; nan if it ends the match."""
    mine = estimate.own_after(trial.game, state, seat, move, room)
    if not np.isnan(mine):
        return float(mine)
    child = trial.game.copy(state)
    trial.call("play", state, trial.game.play, child, seat, move)
    played = said(trial, child, "value", estimate)
    return float(played[0][seat]) if played is not None else np.nan


def only_the_low_end_moves(
    trial: Trial, state: Any, seat: int, moves: list[int], mine: list[float], room: Any, estimate: Any
) -> None:
    """Max-Prob takes the moves that are best by value as those with the best chance, so a move may change nothing of
    the intervals but the own low end, and that as it changes the value.
    """
    game, seen = trial.game, set()
    for move, value in zip(moves, mine, strict=True):
        low, high = row(game, 0.0), row(game, 0.0)
        trial.call(
            "interval_after", state, estimate.interval_after, game, state, seat, move, room, low, high, owner=estimate
        )
        shift = low[seat] - value
        low[seat] = 0.0
        seen.add((shift, *low.tolist(), *high.tolist()))
    if len(seen) > 1:
        text = (
            "expected intervals that differ only in the own low end, and there as the values; "
            "otherwise set best_is_likeliest = False"
        )
        raise fault(game, state, "interval_after", text, estimate)


def leaves_the_others(trial: Trial, state: Any, seat: int, moves: list[int], estimate: Any) -> None:
    """Refuse an estimate that says so although some move changes the entry of another seat."""
    game, before = trial.game, said(trial, state, "value", estimate)
    for move in moves:
        child = game.copy(state)
        trial.call("play", state, game.play, child, seat, move)
        after = said(trial, child, "value", estimate)
        if before is None or after is None:
            continue
        for other, (was, now) in enumerate(zip(before[0].tolist(), after[0].tolist(), strict=True)):
            if other != seat and was != now:
                text = f"expected {was!r} for seat {other} after the move {move} too, as before it, got {now!r}"
                raise fault(game, state, "value", f"{text}; set changes_own_alone = False", estimate)


def row(game: Any, filling: float) -> Any:
    made = zeros((game.seats,), np.float64)
    made.fill(filling)
    return made


def is_told(trial: Trial, state: Any, method: str, told: Any, estimate: Any) -> bool:
    """Did the method make a prediction? It must return True or False."""
    if not isinstance(told, (bool, np.bool_)):
        raise fault(
            trial.game, state, method, f"expected True or False, got {told!r}; end it with return True", estimate
        )
    return bool(told)


def said(trial: Trial, child: Any, method: str, estimate: Any, rows: int = 1) -> list[Any] | None:
    """What an estimate says of the position after a move, None if the match is over there."""
    if trial.game.mover(child) == OVER:
        return None
    arrays = [zeros((trial.game.seats,), np.float64) for _ in range(rows)]
    trial.call(method, child, getattr(estimate, method), trial.game, child, *arrays, owner=estimate)
    return arrays


def compare(
    trial: Trial, state: Any, method: str, move: int, told: list[Any], played: list[Any] | None, estimate: Any
) -> None:
    """Refuse a prediction that differs from the estimate of the position after the move."""
    if played is None:
        text = f"expected False for the move {move}, which ends the match; return False wherever a move may end it"
        raise fault(trial.game, state, method, text, estimate)
    ahead, after = ([tuple(row.tolist()) for row in rows] for rows in (told, played))
    if repr(ahead) != repr(after):
        text = f"expected {brief(after)} for the move {move}, as the position after it is estimated, got {brief(ahead)}"
        raise fault(trial.game, state, method, text, estimate)


def brief(rows: list[tuple[float, ...]]) -> str:
    return " and ".join(map(str, rows))
