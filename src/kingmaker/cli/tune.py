"""`kingmaker tune`: find the numbers in an agent's text that win most."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kingmaker.cli.parts import AsJson, GameText, Interpreted, Screen, Seed, new_table, print_json
from kingmaker.cli.voice import quiet

SHOWN = 10  # trials in the table


def tune(
    agent: Annotated[str, Parameter(help='An agent with ranges: "mp_mix(depth=3, td=0..50, to=0..50)".')],
    game: GameText,
    /,
    *,
    against: Annotated[tuple[str, ...], Parameter(help="Who sits on the other seats; may be given several times.")] = (
        "maxn(depth=3)",
    ),
    baselines: Annotated[
        tuple[str, ...],
        Parameter(
            name="--baseline",
            help="Who plays the fresh deals too, in the winner's place, to tell the gain; may be given several times.",
        ),
    ] = (),
    trials: Annotated[int, Parameter(help="How many settings are tried.")] = 40,
    blocks: Annotated[int, Parameter(help="Deals of every trial, each from every seat.")] = 50,
    confirm: Annotated[int, Parameter(help="Fresh deals on which the winner is played again.")] = 100,
    grid: Annotated[
        int, Parameter(help="Try so many values of every parameter in all combinations, for a whole curve.")
    ] = 0,
    opening: Annotated[int, Parameter(help="Play so many random moves first; needed where a game has one start.")] = 0,
    store: Annotated[Path, Parameter(help="The SQLite file of the study; the same command goes on with it.")] = Path(
        "tune.db"
    ),
    report: Annotated[Path | None, Parameter(help="Write the curves to this HTML file.")] = None,
    seed: Seed = 0,
    interpreted: Interpreted = False,
    json: AsJson = False,
) -> None:
    """Find the numbers in an agent's text that win most.

    Numbers that are left open are written as ranges: td=0..50 for whole
    numbers, 0.5..2.0 for any. All trials play the same deals, and one that is
    clearly worse than the best is given up early. The winner is then played on
    fresh deals, and that result has the interval that counts.

    Example: kingmaker tune "maxn(depth=1..4)" "sticks(sticks=9)" --against random --trials 4 --blocks 10
    """
    from kingmaker.arena.tuning.page import gain_sentence, sentence, write_page
    from kingmaker.arena.tuning.study import Setting
    from kingmaker.arena.tuning.study import tune as study

    screen, aside = Screen(), Screen(stderr=True)
    setting = Setting(agent, game, against, blocks, seed, grid, interpreted, opening, baselines)
    told = aside.tell if aside.is_terminal and not quiet() else lambda sentence: None
    found = study(setting, store, trials, confirm, told)
    if report is not None:
        write_page(found, report)
    if json:
        print_json(
            {
                "game": game,
                "agent": agent,
                "against": list(against),
                "opening": opening,
                "seed": seed,
                "winner": found.winner,
                "confirmed": vars(found.confirmed),
                "even": found.even,
                "gains": [vars(each) for each in found.gains],
                "trials": [vars(each) for each in found.trials],
            }
        )
        return
    table = new_table()
    names = [each.name for each in found.ranges]
    for title in (*names, "share %", "95 %", "deals"):
        table.add_column(title, justify="right")
    for each in found.rows[:SHOWN]:
        numbers = [f"{each.values[name]:g}" for name in names]
        ends = f"{100 * each.low:.0f}–{100 * each.high:.0f}"
        table.add_row(*numbers, f"{100 * each.share:.1f}", ends, str(each.blocks))
    screen.print(table)
    screen.tell(sentence(found))
    for gain in found.gains:
        screen.tell(gain_sentence(gain))
    if report is not None:
        screen.tell(str(report))
