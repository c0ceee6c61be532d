"""`kingmaker compare`: one position under all suitable algorithms."""

import math
from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from kingmaker.cli.parts import (
    NOTHING,
    AsJson,
    GameText,
    Interpreted,
    MoveTexts,
    PositionText,
    Screen,
    Seed,
    amount,
    duration,
    find_agent,
    find_game,
    new_table,
    opened,
    plain,
    print_json,
    ready,
    vector,
)
from kingmaker.cli.voice import quiet
from kingmaker.core.errors import BadParameter

MOST_POSITIONS = 10_000


def compare(
    game: GameText,
    /,
    *,
    agents: Annotated[
        tuple[str, ...],
        Parameter(name="--agent", help="Compare these agents only; all suitable ones if none is named."),
    ] = (),
    seconds: Annotated[float | None, Parameter(help="The budget of each decision.", show_default=False)] = None,
    depth: Annotated[int | None, Parameter(help="A budget of plies.", show_default=False)] = None,
    nodes: Annotated[int | None, Parameter(help="A budget of nodes.", show_default=False)] = None,
    playouts: Annotated[int | None, Parameter(help="A budget of playouts.", show_default=False)] = None,
    positions: Annotated[
        int, Parameter(help="Compare over so many positions from random play, and show who agrees with whom.")
    ] = 0,
    position: PositionText = "",
    moves: MoveTexts = "",
    seed: Seed = 0,
    interpreted: Interpreted = False,
    json: AsJson = False,
) -> None:
    """Ask all suitable algorithms for their move, and see where and why they disagree.

    Every algorithm has the same budget: a second, if none is given. In a game
    with hidden information, searches are asked in many worlds. The rows appear
    as the decisions are made.

    Example: kingmaker compare "sticks(sticks=9)" --depth 4
    """
    from kingmaker.core.budget import Budget
    from kingmaker.probe.comparison import agreement, at_a_seat, positions_from_play, suitable
    from kingmaker.probe.comparison import compare as compared

    rules = ready(find_game(game), interpreted)
    budget: dict[str, Any] = {"seconds": seconds, "depth": depth, "nodes": nodes, "playouts": playouts}
    Budget(**budget)
    if not 0 <= positions <= MOST_POSITIONS:
        raise BadParameter(f"expected 0 to {MOST_POSITIONS} positions to compare over, got --positions {positions}")
    if positions and (position or moves):
        raise BadParameter("expected --positions, or one position by --position and --moves, got both")
    chosen, refused = suitable(rules, **budget)
    if agents:
        chosen, refused = [find_agent(text) for text in agents], {}
        for agent in chosen:
            agent.fit(rules)
    if not chosen:
        raise BadParameter(f"no algorithm can play {plain(rules)} with this budget; give --seconds")
    if positions:
        found = [compared(rules, each, chosen, seed=seed) for each in positions_from_play(rules, positions, seed)]
        names, matrix = agreement(found)
        if json:
            print_json({"game": plain(rules), "positions": positions, "agents": names, "agreement": matrix})
        else:
            Screen().table(matrix_table(names, matrix))
            Screen().remark(f"percent of {positions} positions in which both chose the same move")
        return
    state = at_a_seat(rules, opened(rules, position, moves, seed), seed)
    if json:
        print_json(described(compared(rules, state, chosen, seed=seed), refused))
        return
    rows = Rows(Screen(), [plain(agent) for agent in chosen], rules, state)
    summarise(rows.screen, compared(rules, state, chosen, seed=seed, seen=rows.show), refused)


class Rows:
    """Prints the decisions one by one, in columns."""

    def __init__(self, screen: Screen, names: list[str], game: Any, state: Any) -> None:
        from kingmaker.core.secrets import picture

        self.screen, self.wide = screen, max(map(len, names))
        seat = int(game.mover(state))
        screen.picture(picture(game, state, seat))
        screen.tell()
        screen.tell(f"seat {seat} is to move", "bold")
        self.line("agent", "move", "depth", "nodes", "time", "values per seat", "dim")

    def line(self, name: str, move: str, depth: str, nodes: str, time: str, values: str, style: str = "") -> None:
        text = f"{name:<{self.wide}}  {move:<12}  {depth:>7}  {nodes:>7}  {time:>8}  {values}".rstrip()
        self.screen.print(text, style=style, soft_wrap=True)

    def show(self, opinion: Any) -> None:
        """One opinion as one line."""
        decision = opinion.decision
        if decision is None:
            self.line(opinion.name, NOTHING, NOTHING, NOTHING, NOTHING, opinion.fault, "dim")
            return
        reached = f"{amount(decision.playouts)} p" if decision.playouts else str(decision.depth or NOTHING)
        nodes = amount(decision.nodes) if decision.nodes else NOTHING
        self.line(opinion.name, opinion.word, reached, nodes, duration(decision.seconds), vector(decision.values))


def summarise(screen: Screen, whole: Any, refused: dict[str, str]) -> None:
    """Which moves were chosen by whom, and why."""
    screen.tell()
    choices = whole.choices
    if len(choices) == 1:
        ((move, _),) = choices.items()
        screen.tell(f"all choose {whole.game.say(whole.state, whole.seat, move)}", "bold")
    for move, those in choices.items() if len(choices) > 1 else ():
        names = ", ".join(dict.fromkeys(opinion.short for opinion in those))
        screen.tell(f"{whole.game.say(whole.state, whole.seat, move)}: {names}", "bold")
    for sentence in whole.why():
        screen.tell(sentence)
    if refused and not quiet():
        screen.remark(f"left out: {', '.join(refused)}; --json tells why")


def described(whole: Any, refused: dict[str, str]) -> dict[str, Any]:
    """A comparison as data."""
    return {
        "game": plain(whole.game),
        "position": whole.game.notation(whole.state),
        "seat": whole.seat,
        "opinions": [
            {
                "agent": opinion.name,
                "assumes": opinion.assumes,
                "move": opinion.word,
                "fault": opinion.fault,
            }
            | ({} if opinion.decision is None else effort(opinion.decision))
            for opinion in whole.opinions
        ],
        "why": whole.why(),
        "refused": refused,
    }


def effort(decision: Any) -> dict[str, Any]:
    return {name: getattr(decision, name) for name in ("values", "nodes", "depth", "playouts", "seconds", "stopped")}


def matrix_table(names: list[str], matrix: list[list[float]]) -> Table:
    """Who agrees with whom, in percent."""
    table = new_table()
    table.add_column("agent", no_wrap=True)
    for number in range(1, len(names) + 1):
        table.add_column(str(number), justify="right")
    for number, (name, row) in enumerate(zip(names, matrix, strict=True), 1):
        cells = [NOTHING if math.isnan(cell) else f"{100 * cell:.0f}" for cell in row]
        table.add_row(f"{number} {name}", *cells)
    return table
