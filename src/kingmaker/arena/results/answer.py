"""The answer to an experiment's question in one sentence, as far as the matches give one."""

from collections import Counter
from itertools import groupby
from typing import Any

from kingmaker.arena.results.standings import Pair, Standing, Standings

VERDICTS = {"yes": "yes", "no": "no", "open": "not decided"}
MOST_TOLD = 3  # more expectations than this are only counted
CLEAR = 0.05  # p-value below which a difference counts as clear


def answer(found: Standings) -> str:
    """The verdicts on the expectations, or, if there are none, which agent has the largest share of wins."""
    if not found.finished:
        return "No answer yet: no match is finished."
    so_far = (
        ""
        if found.decided or found.matches >= found.total
        else f"So far, after {found.matches} of {found.total} matches: "
    )
    said = of_expectations(found) if found.judgements else of_leaders(found)
    return so_far + said


def of_expectations(found: Standings) -> str:
    """The verdict on each expectation; if there are many, only how many came true."""
    told = [f"{VERDICTS[each.verdict]}: {each.sentence}{with_settings(each.settings)}" for each in found.judgements]
    if len(told) <= MOST_TOLD:
        first, *rest = told
        return f"{first[0].upper()}{'; '.join([first[1:], *rest])}."
    counts = Counter(each.verdict for each in found.judgements)
    return (
        f"Of {len(told)} expectations {counts['yes']} came true, {counts['no']} "
        f"did not, and {counts['open']} are not decided."
    )


def with_settings(settings: dict[str, Any]) -> str:
    return f" with {setting_text(settings)}" if settings else ""


def setting_text(settings: dict[str, Any]) -> str:
    """Settings as people write them."""
    return ", ".join(f"{key} = {value}" for key, value in settings.items())


def of_leaders(found: Standings) -> str:
    """Who has the largest share, and from whom it differs clearly."""
    groups = [list(rows) for _, rows in groupby(found.best_first(), key=lambda row: row.settings)]
    if len(groups) == 1:
        return of_leader(groups[0], found.pairs)
    wins = Counter(rows[0].agent for rows in groups)
    clear = Counter(rows[0].agent for rows in groups if len(rows) > 1 and not equals(rows, found.pairs))
    parts = [
        f"{agent} in {count} (clearly ahead of all others in {clear[agent]})" for agent, count in wins.most_common()
    ]
    return f"Largest share of wins in {len(groups)} settings: {', '.join(parts)}."


def of_leader(rows: list[Standing], pairs: list[Pair]) -> str:
    best, *others = rows
    low, high = best.share_interval
    share = (
        f"{best.agent} has the largest share of wins, {100 * best.share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    )
    if not others:
        return f"{share}."
    same = equals(rows, pairs)
    if not same:
        return f"{share}, and is clearly ahead of every other agent."
    if len(same) == len(others):
        return f"{share}, but is not clearly ahead of any other agent."
    return f"{share}, but is not clearly ahead of {' and '.join(same)}."


def equals(rows: list[Standing], pairs: list[Pair]) -> list[str]:
    """The agents that the first of these rows is not clearly ahead of."""
    best, *others = rows
    beaten = {
        loser
        for pair in pairs
        if pair.settings == best.settings and pair.chance < CLEAR
        for winner, loser in [(pair.first, pair.second) if pair.ahead > 0.5 else (pair.second, pair.first)]
        if winner == best.agent
    }
    return [row.agent for row in others if row.agent not in beaten]
