"""`kingmaker impact`: how often a seat can harm another."""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from kingmaker.cli.parts import (
    NOTHING,
    AsJson,
    Flag,
    GameText,
    Interpreted,
    Screen,
    Seed,
    find_agent,
    find_game,
    new_table,
    plain,
    print_json,
    ready,
)
from kingmaker.cli.voice import quiet
from kingmaker.core.errors import BadParameter

WIDTH = 20  # characters of a bar


def impact(
    game: GameText,
    /,
    *,
    agent: Annotated[
        str,
        Parameter(
            help="Who plays the matches whose states are looked at, on every seat. With a range, as in "
            "maxn(depth=1..3), each number in turn."
        ),
    ] = "random",
    estimates: Annotated[
        tuple[str, ...], Parameter(name="--estimate", help="An estimate of the game; all of them if none is named.")
    ] = (),
    matches: Annotated[int, Parameter(help="How many matches.")] = 100,
    worlds: Annotated[
        int,
        Parameter(
            help="Where hands are hidden: look at so many deals that the seat must hold possible, not at the true one; "
            "a state counts if it does in one of them."
        ),
    ] = 0,
    pairs: Annotated[bool, Flag, Parameter(help="Show every pair of seats too.")] = False,
    report: Annotated[Path | None, Parameter(help="Write a plot to this HTML file.")] = None,
    seed: Seed = 0,
    interpreted: Interpreted = False,
    json: AsJson = False,
) -> None:
    """Measure the opponent impact of a game: how often a seat can harm another.

    A state counts if the moves of the seat to move lead to different values of
    some other seat (`distinct`, the rule of the source's experiments), or if
    one of them lowers that value (`reduces`, the source's definition). Values
    are those of an estimate one move ahead. Intervals are over matches.

    An agent that plans whole turns, as at Risk, is measured over its plans.

    Example: kingmaker impact "light_bike(seats=3)" --agent "maxn(depth=1..3)" --matches 40
    """
    from kingmaker.probe.impact import advice, measure_each
    from kingmaker.repeating.impact_page import printed_for, write_page

    table = ready(find_game(game), interpreted)
    printed, title = printed_for(table), f"Opponent impact of {plain(table)}, played by {agent}"
    rules, players = seated(table, agent)
    chosen = [rules.estimate(text) for text in estimates] or list(rules.estimates)
    if not chosen:
        raise BadParameter(f"{rules} has no estimate, so nothing tells how a seat stands; name one with --estimate")
    screen, found = Screen(stderr=True), {}
    columns = (BarColumn(30), MofNCompleteColumn(), TextColumn("matches"), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal or quiet()) as bar:
        task = bar.add_task("playing", total=matches * len(chosen) * len(players))
        for estimate in chosen:
            counts = measure_each(rules, estimate, players, matches, seed, lambda: bar.advance(task), worlds)
            found[plain(estimate)] = {rule: described(each) for rule, each in counts.items()}
    if report is not None:
        write_page(title, found, printed, report, rules.seats)
    if json:
        whole = {"game": plain(rules), "agent": agent, "matches": matches, "seed": seed, "worlds": worlds}
        print_json({**whole, "estimates": found})
        return
    show(Screen(), found, pairs)
    for name, by_rule in found.items():
        Screen().tell(f"By {name}: {advice(by_rule['distinct']['states']['share'] or 0.0, rules.seats)}")
    if printed is not None:
        Screen().tell(f"The source printed {printed:.2f} for this game.")
    if report is not None:
        Screen().tell(str(report))


def seated(game: Any, text: str) -> tuple[Any, dict[str, Any]]:
    """The game that is looked at, and who plays it: one agent, or one for each number of the ranges in its text."""
    from kingmaker.arena.tuning.ranges import choices_in
    from kingmaker.probe.impact import over_plans

    players, rules = {}, game
    for label, each in choices_in(text).items():
        player = find_agent(each)
        player.fit(game)
        rules, players[label] = over_plans(game, player)
    return rules, players


def described(impact: Any) -> dict[str, Any]:
    """What one rule counted, as data."""
    return {
        "states": counted(impact.states),
        "players": {name: counted(each) for name, each in impact.players.items()} if len(impact.players) > 1 else {},
        "phases": {name: counted(each) for name, each in impact.phases.items()},
        "pairs": {f"{seat} on {other}": counted(each) for (seat, other), each in impact.pairs.items()},
    }


def counted(counts: Any) -> dict[str, Any]:
    low, high = counts.ends
    return {"share": counts.share, "low": low, "high": high, "states": counts.total}


def show(screen: Any, found: dict[str, Any], pairs: bool) -> None:
    """A table for every estimate and rule, with a bar for every share."""
    for estimate, by_rule in found.items():
        for rule, counts in by_rule.items():
            table = new_table()
            for title in (f"{estimate}, {rule}", "share", "95 %", "states", ""):
                table.add_column(title, justify="right" if title in ("share", "95 %", "states") else "left")
            rows = {
                "all states": counts["states"],
                **counts["players"],
                **counts["phases"],
                **(counts["pairs"] if pairs else {}),
            }
            for name, row in rows.items():
                if row["share"] is None:
                    table.add_row(name, NOTHING, "", "0", "")
                    continue
                ends = f"{row['low']:.2f}–{row['high']:.2f}"
                bar = "█" * round(WIDTH * row["share"])
                table.add_row(name, f"{row['share']:.3f}", ends, f"{row['states']:,}", bar)
            screen.print(table)
