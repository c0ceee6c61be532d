"""Maps of Risk as texts, and what the rules need to know of one: neighbours, continents, bonuses.

A map is continents with their bonuses and territories, then the borders:

    west 2: a b c; east 2: d e f; a-b a-c b-c c-d d-e d-f e-f

A map that is not connected, borders itself or names a territory twice is refused.
"""

import re

import numpy as np

from kingmaker.core.errors import BadParameter

MOST_TERRITORIES = 60
MOST_NEIGHBOURS = 8
MOST_CONTINENTS = 8
WORD = re.compile(r"[a-z][a-z_]{0,11}")
HEAD = re.compile(r"\s*([a-z_]+) (\d{1,3}):(.*)")

CLASSIC = """
na 5: ala nwt grl alb ont que wus eus cam; sa 2: ven per bra arg; eu 5: ice gbr sca neu weu seu ukr;
af 3: naf egy eaf con saf mad; as 7: ura sib yak kam irk mon jap afg mea ind chi sia; au 2: ido ngu wau eau;
ala-nwt ala-alb ala-kam nwt-grl nwt-alb nwt-ont grl-ont grl-que grl-ice alb-ont alb-wus ont-que ont-wus ont-eus que-eus
wus-eus wus-cam eus-cam cam-ven ven-per ven-bra per-bra per-arg bra-arg bra-naf ice-gbr ice-sca gbr-sca gbr-neu gbr-weu
sca-neu sca-ukr neu-weu neu-seu neu-ukr weu-seu weu-naf seu-ukr seu-naf seu-egy seu-mea ukr-ura ukr-afg ukr-mea naf-egy
naf-eaf naf-con egy-eaf egy-mea eaf-con eaf-saf eaf-mad eaf-mea con-saf saf-mad ura-sib ura-afg ura-chi sib-yak sib-irk
sib-mon sib-chi yak-kam yak-irk kam-irk kam-mon kam-jap irk-mon mon-jap mon-chi afg-mea afg-ind afg-chi mea-ind ind-chi
ind-sia chi-sia sia-ido ido-ngu ido-wau ngu-wau ngu-eau wau-eau
"""

MAPS = {
    "classic": CLASSIC,
    "duel": "west 0: a; east 0: b; a-b",
    "line": "west 1: a b; east 1: c d; a-b b-c c-d",
    "ring": "one 1: a b; two 1: c d; three 1: e f; a-b b-c c-d d-e e-f a-f",
    "two_continents": "west 2: a b c; east 2: d e f; a-b a-c b-c c-d d-e d-f e-f",
    "three_islands": "one 2: a b c; two 2: d e f; three 2: g h i; a-b a-c b-c d-e d-f e-f g-h g-i h-i c-d c-g f-i",
}


class Map:
    """A map, read from its text: arrays over territories and over continents, in the order of the text."""

    def __init__(self, text):
        *lands, borders = [part for part in MAPS.get(text, text).strip().split(";") if part.strip()] or [""]
        self.names, self.continents, bonuses, homes = [], [], [], []
        for part in lands:
            head = HEAD.fullmatch(part.replace("\n", " "))
            if not head:
                raise BadParameter(
                    f"expected a continent like 'west 2: a b c' in a map, got '{part.strip()}'; "
                    f"the maps with names are {', '.join(MAPS)}"
                )
            homes += [len(self.continents)] * len(head[3].split())
            self.continents.append(head[1])
            bonuses.append(int(head[2]))
            self.names += head[3].split()
        self.refuse_lands(text)
        self.bonus, self.home = np.array(bonuses, np.int64), np.array(homes, np.int64)
        edges = sorted({self.edge(word) for word in borders.split()})
        near = [sorted([b for a, b in edges if a == t] + [a for a, b in edges if b == t]) for t in range(self.size)]
        self.refuse_borders(near)
        self.edges = edges
        self.degree = np.array([len(each) for each in near], np.int64)
        self.near = np.array([each + [0] * (MOST_NEIGHBOURS - len(each)) for each in near], np.int64)
        self.near_bits = np.array([sum(1 << other for other in each) for each in near], np.uint64)
        self.first = np.searchsorted(self.home, np.arange(len(self.continents) + 1)).astype(np.int64)
        self.home_bits = np.array(
            [sum(1 << t for t in range(self.size) if homes[t] == c) for c in range(len(self.continents))], np.uint64
        )
        self.is_border = np.array([any(homes[u] != homes[t] for u in near[t]) for t in range(self.size)])

    @property
    def size(self):
        return len(self.names)

    def refuse_lands(self, text):
        """Refuse too few or too many territories or continents, and names that are no words or stand twice."""
        if not 2 <= self.size <= MOST_TERRITORIES or not 1 <= len(self.continents) <= MOST_CONTINENTS:
            raise BadParameter(
                f"expected 1 to {MOST_CONTINENTS} continents with 2 to {MOST_TERRITORIES} territories in a map, "
                f"got {self.size} territories in '{text}'; the maps with names are {', '.join(MAPS)}"
            )
        for name in self.names:
            if not WORD.fullmatch(name):
                raise BadParameter(f"expected territories of up to 12 small letters in a map, got '{name}'")
            if self.names.count(name) > 1:
                raise BadParameter(f"the territory '{name}' stands twice in a map; each belongs to one continent")

    def edge(self, word):
        one, dash, other = word.partition("-")
        if not dash or one not in self.names or other not in self.names:
            raise BadParameter(f"expected a border like 'a-b' between territories of the map, got '{word}'")
        if one == other:
            raise BadParameter(f"the territory '{one}' borders itself in a map; leave '{word}' out")
        return tuple(sorted((self.names.index(one), self.names.index(other))))

    def refuse_borders(self, near):
        """Refuse a map that is not connected, or a territory with too many neighbours."""
        reached, ahead = {0}, [0]
        while ahead:
            for other in near[ahead.pop()]:
                if other not in reached:
                    reached.add(other)
                    ahead.append(other)
        if len(reached) < self.size:
            lost = next(name for t, name in enumerate(self.names) if t not in reached)
            raise BadParameter(
                f"a map must be connected, but no way leads from '{self.names[0]}' to '{lost}'; add a border"
            )
        for t, each in enumerate(near):
            if len(each) > MOST_NEIGHBOURS:
                raise BadParameter(
                    f"expected at most {MOST_NEIGHBOURS} neighbours of a territory in a map, "
                    f"got {len(each)} of '{self.names[t]}'"
                )
