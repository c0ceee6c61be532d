"""Risk as people read and write it: pictures, orders, positions, and which positions can be."""

import re

from kingmaker.core.errors import BadPosition, IllegalMove
from kingmaker.games.parts.risk.cards import LETTERS, SETS
from kingmaker.games.parts.risk.orders import (
    ALL,
    END,
    FORTIFY,
    HALF,
    KEEP,
    MARCH,
    NONE,
    OCCUPY,
    ONE,
    PLACE,
    STOP,
    TRADE,
)

KINDS = ("place", "roll", "fight", "storm", "stop", "occupy", "fortify", "end", "march", "trade", "keep")
PHASES = ("place", "attack", "battle", "occupy", "fortify", "plan", "over", "trade", "draw", "deploy")
CARDS = ("infantry", "cavalry", "artillery", "wild")
PLACING, ATTACKING, BATTLE, OCCUPYING, FORTIFYING, PLANNED, FINISHED, TRADING, DRAWING, DEPLOYING = range(10)
AMOUNTS = {NONE: "", ONE: " one", HALF: " half", ALL: " all"}
TERRITORY = re.compile(r"([A-F-])(-?\d{1,5})")
LOSSES = 14
CARDS_AT_THE_END = ", and in the end hands, pile, sets traded and conquest as 'iic,-,w 12.13.14.1 0 0'"


class Texts:
    """The methods of Risk that are for people."""

    def say(self, state, seat, move):
        """`place ala all`, `storm ala-kam`, `occupy half`, `fortify ala-nwt one`; losses at a chance node."""
        if seat < 0 and state.phase == DRAWING:
            return f"a card, {CARDS[move]}"
        if seat < 0:
            return f"{move & (2**LOSSES - 1)} attackers and {move >> LOSSES} defenders lost"
        kind, source, target, amount = move & 15, move >> 4 & 63, move >> 10 & 63, move >> 16
        most = len(SETS) if kind == TRADE else self.size
        if kind > KEEP or amount > ALL or max(source, target) >= most or move < 0:
            raise IllegalMove(f"{move} is no order of {self}; legal() lists them")
        where = ""
        if kind == PLACE:
            where = f" {self.names[source]}"
        elif kind == TRADE:
            where = " " + "".join(letter * count for letter, count in zip(LETTERS, SETS[source], strict=True))
        elif kind not in (STOP, END, MARCH, OCCUPY, KEEP):
            where = f" {self.names[source]}-{self.names[target]}"
        return f"{KINDS[kind]}{where}{AMOUNTS[amount] if kind in (PLACE, OCCUPY, FORTIFY) else ''}"

    def show(self, state, seat=None):
        """Continents with their territories as owner and armies, then a line for each seat."""
        lines = []
        for home, name in enumerate(self.continents):
            lands = range(self.first[home], self.first[home + 1])
            lines.append(f"{name} {self.bonus[home]}".ljust(10) + "  ".join(self.land_text(state, t) for t in lands))
        for each in range(self.seats):
            held = [t for t in range(self.size) if state.owner[t] == each]
            armies = sum(state.armies[t] for t in held)
            told = f"{len(held)} territories, {armies} armies, income {self.income(state, each)}" if held else "out"
            told += f", cards {self.hand_text(state, each)}" if held and self.cards else ""
            lines.append(f"{'>' if each == state.seat else ' '} {letter(each)}  {told}")
        where = f" {self.names[state.source]}-{self.names[state.target]}" if in_battle(state) else ""
        placing = f", {state.reserve} to place" if state.reserve else ""
        return "\n".join([*lines, f"round {state.round + 1}, {PHASES[state.phase]}{where}{placing}"])

    def land_text(self, state, t):
        return f"{self.names[t]} {letter(state.owner[t])}{state.armies[t]}"

    def notation(self, state):
        """Owner and armies of each territory, seat, phase, armies to place, rounds; then what the phase needs."""
        lands = ",".join(f"{letter(owner)}{armies}" for owner, armies in zip(state.owner, state.armies, strict=True))
        text = f"{lands} {state.seat} {PHASES[state.phase]} {state.reserve} {state.round}"
        if in_battle(state):
            text += f" {self.names[state.source]}-{self.names[state.target]}"
            text += f" {KINDS[state.manner]}" if state.phase == BATTLE else ""
        if state.phase == FORTIFYING:
            text += " " + ",".join(str(movable) for movable in state.movable)
        text += f" {state.plan}" if state.phase == PLANNED else ""
        return text + (self.cards_text(state) if self.cards else "")

    def position(self, text):
        parts = text.split()
        state = self.blank()
        if len(parts) < 5 or parts[2] not in PHASES:
            raise BadPosition(
                f"expected territories, seat, phase, armies to place and rounds in a position of {self}, got '{text}'"
            )
        self.read_lands(state, parts[0].split(","))
        state.phase = PHASES.index(parts[2])
        try:
            state.seat, state.reserve, state.round = int(parts[1]), int(parts[3]), int(parts[4])
            rest = parts[5:]
            if self.cards:
                self.read_cards(state, rest[-4:])
                rest = rest[:-4]
            self.read_rest(state, rest)
        except (ValueError, IndexError, OverflowError):
            raise BadPosition(
                f"the numbers or territories after '{parts[2]}' cannot be read in the position '{text}' of {self}; "
                "write a battle as 'ala-kam storm', an occupation as 'ala-kam', armies that may move as '3,0,2,…'"
                f"{CARDS_AT_THE_END if self.cards else ''}"
            ) from None
        if not self.admits(state):
            raise BadPosition(
                f"the seat, the phase or the armies to place of '{text}' cannot occur in {self}; only a seat that "
                "holds land moves, it has armies to place in the phase of placing alone, and battles are at a border"
            )
        return state

    def read_lands(self, state, lands):
        if len(lands) != self.size:
            raise BadPosition(f"expected {self.size} territories in a position of {self}, got {len(lands)}")
        for t, land in enumerate(lands):
            found = TERRITORY.fullmatch(land)
            if not found:
                raise BadPosition(f"expected an owner and armies like A3 for {self.names[t]}, got '{land}' in {self}")
            if found[1] == "-" or ord(found[1]) - ord("A") >= self.seats:
                raise BadPosition(
                    f"nobody at the table holds {self.names[t]}, got '{land}'; every territory has an owner from A "
                    f"to {letter(self.seats - 1)} in {self}"
                )
            if not 1 <= int(found[2]) <= 16_000:
                raise BadPosition(
                    f"expected 1 to 16000 armies on {self.names[t]}, got '{land}'; at least one army stands on every "
                    f"territory of {self}"
                )
            state.owner[t], state.armies[t] = ord(found[1]) - ord("A"), int(found[2])
            state.living |= 1 << state.owner[t]

    def read_rest(self, state, rest):
        """Read what follows the rounds; raises a ValueError where that is not what the phase needs."""
        wanted = {BATTLE: 2, OCCUPYING: 1, FORTIFYING: 1, PLANNED: 1}.get(state.phase, 0)
        if len(rest) != wanted:
            raise ValueError(f"expected {wanted} words")
        if in_battle(state):
            state.source, state.target = (self.names.index(name) for name in rest[0].split("-"))
            state.manner = KINDS.index(rest[1]) if state.phase == BATTLE else 0
        elif state.phase == FORTIFYING:
            state.movable[:] = [int(number) for number in rest[0].split(",")]
        elif state.phase == PLANNED:
            state.plan = int(rest[0])

    def admits(self, state):
        """Every territory has an owner and an army, the seat to move is alive, and the phase has what it needs."""
        fields = dict(zip(state.dtype.names, state.item(), strict=True))  # all at once, for every decision asks
        owners, armies, movable = (fields[name].tolist() for name in ("owner", "armies", "movable"))
        seats, reserve = set(owners), fields["reserve"]
        if min(seats) < 0 or max(seats) >= self.seats or min(armies) < 1 or max(armies) > 16_000:
            return False
        living, phase, seat = sum(1 << each for each in seats), fields["phase"], fields["seat"]
        if living != fields["living"] or not 0 <= seat < self.seats or not PLACING <= phase <= DEPLOYING:
            return False
        ended = living.bit_count() == 1 or fields["round"] == self.limit
        if not 0 <= fields["round"] <= self.limit or (phase == FINISHED) != ended:
            return False
        if phase != FORTIFYING and any(movable):
            return False
        placing = phase in (PLACING, DEPLOYING)
        if not 0 <= reserve <= 10_000 or (reserve == 0 if placing else reserve and not is_waiting(phase)):
            return False
        if phase == DEPLOYING and not self.admits_deployment(owners, armies, fields):
            return False
        if phase not in (BATTLE, OCCUPYING) and (fields["source"] or fields["target"] or fields["manner"]):
            return False
        return (
            (phase == FINISHED or (living >> seat) & 1 == 1)
            and (self.admits_cards(state, phase == TRADING) if self.cards else without_cards(fields))
            and (phase not in (BATTLE, OCCUPYING) or self.admits_battle(state))
            and (self.admits_plan(state) if phase == PLANNED else fields["plan"] == 0)
            and (phase != FORTIFYING or (self.fortify_steps > 0 and self.admits_movable(owners, movable, seat)))
        )

    def admits_battle(self, state):
        """Is the battle, or the occupation after it, between neighbours and led by the seat to move?"""
        source, target = state.source, state.target
        return (
            0 <= source < self.size
            and target in self.near[source, : self.degree[source]].tolist()
            and state.owner[source] == state.seat
            and state.armies[source] > 1
            and (state.owner[target] == state.seat) == (state.phase == OCCUPYING)
            and (state.manner == 0 if state.phase == OCCUPYING else 1 <= state.manner <= 3)
        )

    def admits_deployment(self, owners, armies, fields):
        """Before the first turn nobody has more armies than the seats begin with."""
        placed = [0] * self.seats
        for owner, count in zip(owners, armies, strict=True):
            placed[owner] += count
        placed[fields["seat"]] += fields["reserve"]
        most = all(placed[seat] <= self.army_of(seat) for seat in range(self.seats))
        return most and self.placing == "players" and fields["round"] == 0

    def admits_movable(self, owners, movable, seat):
        return all(
            0 <= most <= 16_000 and (most == 0 or owner == seat) for most, owner in zip(movable, owners, strict=True)
        )

    def admits_plan(self, state):
        """Is the plan under way one that can be? Only a tree of plans has any."""
        return False


def is_waiting(phase):
    """May armies wait to be placed in this phase? While cards are traded, and in a tree of plans."""
    return phase in (PLANNED, TRADING)


def without_cards(fields):
    """Is this a state of a match without cards?"""
    no_cards = not (any(fields["hand"].tobytes()) or fields["sets"] or fields["conquered"])
    return no_cards and fields["phase"] not in (TRADING, DRAWING)


def letter(seat):
    """A seat as a capital letter."""
    return chr(ord("A") + int(seat)) if seat >= 0 else "-"


def in_battle(state):
    return state.phase in (BATTLE, OCCUPYING)
