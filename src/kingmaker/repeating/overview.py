"""What a run of several tables comes to: how many claims hold, fail and are undecided, in sentences.

A claim may stay open because its effect is smaller here than in the source, or because too little was played. The
second kind is named.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kingmaker.arena.results.standings import Standings
from kingmaker.repeating.as_printed import as_large_as_printed
from kingmaker.repeating.paper import Part
from kingmaker.repeating.samples import Found
from kingmaker.repeating.verdicts import FAILED, HELD, OPEN, Judged, judge_claims


@dataclass(frozen=True)
class Weighed:
    """A claim with its verdict."""

    part: Part
    judged: Judged
    large: bool | None  # is its effect as large as printed? None if the source prints no clear one


def weigh(found: Sequence[tuple[Part, Standings | Found | None]]) -> list[Weighed]:
    """The claims of all tables that were played."""
    return [
        Weighed(part, each, as_large_as_printed(part, each.claim, played))
        for part, played in found
        if played is not None
        for each in judge_claims(part, played)
    ]


def sentences(weighed: Sequence[Weighed]) -> Iterator[str]:
    """What claims of several tables come to; nothing for a single table, which has it in its rows."""
    if len({each.part.full_name for each in weighed}) < 2:
        return
    yield f"Of {len(weighed)} claims {counted(weighed)}."
    clear = [each for each in weighed if each.large is not None]
    large = [each for each in clear if each.large]
    undecided = [each for each in large if each.judged.verdict == OPEN]
    if not clear:
        return
    yield (
        f"{len(clear)} of the claims rest{'s' * (len(clear) == 1)} on differences that are clear in the source; of "
        f"these {counted(clear)}. {len(large)} of them {'is' if len(large) == 1 else 'are'} found at least as large "
        f"here, and {len(undecided) or 'none'} of those {'are' if len(undecided) > 1 else 'is'} undecided."
    )
    for each in undecided:
        yield f"as large as printed, undecided: {each.part.full_name}: {each.judged.claim.says}"


def counted(weighed: Sequence[Weighed]) -> str:
    """How many of some claims have which verdict."""
    verdicts = [each.judged.verdict for each in weighed]
    held, failed, left = (verdicts.count(each) for each in (HELD, FAILED, OPEN))
    return (
        f"{held} hold{'s' * (held == 1)}, {failed} fail{'s' * (failed == 1)} and {left} {'is' if left == 1 else 'are'} "
        "undecided"
    )
