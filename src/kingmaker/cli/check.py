"""`kingmaker check`: is a game sound?"""

from typing import Annotated

from cyclopts import Parameter
from rich.text import Text

from kingmaker.cli.parts import AsJson, GameText, Interpreted, Screen, Seed, plain, print_json
from kingmaker.cli.voice import quiet
from kingmaker.core.errors import BadParameter

FAULTY = 2


def check(
    game: GameText,
    /,
    *,
    games: Annotated[int, Parameter(help="How many random matches to play.")] = 200,
    seed: Seed = 0,
    interpreted: Interpreted = False,
    json: AsJson = False,
) -> int:
    """Examine a game for faults, above all a game of your own.

    Plays random matches and tests whether the rules keep their contract. The exit
    code is 0 for a sound game, which then runs at full speed, and 2 for a fault.

    Example: kingmaker check "my_game.py(sticks=9)" --games 500
    """
    from kingmaker.probe.conformance import examine

    if games < 1:
        raise BadParameter(f"expected at least 1 match, got --games {games}")
    screen = Screen()
    if screen.is_terminal and not json and not quiet():
        with screen.status("") as status:
            report = examine(
                game, games=games, seed=seed, interpreted=interpreted, progress=lambda name: status.update(Text(name))
            )
    else:
        report = examine(game, games=games, seed=seed, interpreted=interpreted)
    if json:
        checks = [{"name": each.name, "passed": each.passed, "detail": each.detail} for each in report.checks]
        print_json(
            {"game": plain(report.game), "seed": seed, "games": games, "passed": report.passed, "checks": checks}
        )
        return 0 if report.passed else FAULTY
    for each in report.checks:
        screen.tell(f"{'ok   ' if each.passed else 'FAULT'} {each.name}", "" if each.passed else "bold red")
        if each.detail:
            screen.tell(f"      {each.detail}", "dim" if each.passed else "")
    faults = sum(not each.passed for each in report.checks)
    screen.tell(
        f"{plain(report.game)} {'is sound' if report.passed else f'has {faults} fault' + 's' * (faults != 1)}", "bold"
    )
    return 0 if report.passed else FAULTY
