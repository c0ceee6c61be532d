"""`kingmaker replay`: play recorded matches again, move by move."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from kingmaker.cli.voice import hand_over, write


def replay(
    file: Annotated[Path, Parameter(help="Records as JSON Lines or text, or a store.")],
    /,
    *,
    match: Annotated[int | None, Parameter(help="Only the match of this number.")] = None,
    show: Annotated[
        Literal["boards", "result", "text", "jsonl"],
        Parameter(help="Every board, one line per match, or the record as text or JSON Lines."),
    ] = "boards",
    trust: Annotated[bool, Parameter(negative="", help="Run the game's file, if the record names one.")] = False,
) -> int:
    """Play recorded matches again, and check that every move is legal and leads to the recorded end.

    Replaying a game that is defined in a file runs that file, so it needs --trust; the games of kingmaker do not.

    Example: kingmaker replay light_bike.db --match 17
    """
    from kingmaker.arena.results.transcript_files import read_records
    from kingmaker.arena.results.transcripts import BadRecord, game_of, replayed
    from kingmaker.core.game import CHANCE

    count = 0
    for record in read_records(file, match, trust=trust):
        game = game_of(record.game, trust)
        count += 1
        states = list(replayed(record, game))
        if show in ("text", "jsonl"):
            hand_over(record.as_text(game) + "\n" if show == "text" else record.as_line())
            continue
        hand = f", hand {record.hand}" if record.hand else ""
        write(f"match {record.match}{hand}: {record.game}, seed {record.seed}\n")
        for seat, agent in enumerate(record.agents):
            write(f"seat {seat}: {agent}\n")
        for number, (state, turn) in enumerate(states if show == "boards" else [], 1):
            write(f"\n{game.show(state)}\n")
            for at, (seat, move) in enumerate(turn):
                thought = record.values[number - 1][at] if record.values else None
                expects = f" expecting {' '.join(f'{value:.3g}' for value in thought)}" if thought else ""
                write(
                    f"{number}. {'the dice' if seat == CHANCE else f'seat {seat}'}: "
                    f"{game.say(state, seat, move)}{expects}\n"
                )
        payoffs = (
            "not finished"
            if record.payoffs is None
            else f"payoffs {' '.join(f'{value:g}' for value in record.payoffs)}"
        )
        write(f"{len(record.turns)} turns, {payoffs}\n\n")
    if not count:
        raise BadRecord(f"there is no match {match} in {file}" if match is not None else f"there is no match in {file}")
    return 0
