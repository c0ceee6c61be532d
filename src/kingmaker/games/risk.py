"""Risk: hold territories, roll dice for others, be the only one left.

A turn places new armies, attacks as often as wanted with real dice, and moves armies one step at the end. The map is
data (`games/parts/risk/maps.py`); the rules are those of a round of Risk without cards, with the choices of the source:
land dealt at random, armies spread evenly.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.

Differs from the source: a round limit ends a match that would go on for ever; then most territories win, of those with
equally many the one with most armies, and equals share the win.
"""

import numpy as np

from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.rng import below, shuffle
from kingmaker.core.scratch import scratch, scratch_floats
from kingmaker.games.parts.risk.battle import FIT, ODDS, WIDE, compared, fought, one_roll
from kingmaker.games.parts.risk.estimates import Mars, Standing, Worth
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES, Map
from kingmaker.games.parts.risk.orders import (
    ALL,
    END,
    FORTIFY,
    HALF,
    MARCH,
    NONE,
    OCCUPY,
    ONE,
    PLACE,
    ROLL,
    STOP,
    STORM,
    order,
    part,
)
from kingmaker.games.parts.risk.texts import Texts

PLACING, ATTACKING, BATTLE, OCCUPYING, FORTIFYING, PLANNED, FINISHED = range(7)  # phases
MOST_ARMIES = 16_000  # on one territory; more are lost to hunger
MOST_INCOME = 5_000  # from continents, whose bonuses may grow
LOSSES = 14  # bits of the attacker's losses in the number of a chance event
NOBODY = -1


class Risk(Texts, Game):
    """Place armies, conquer with dice, be the last one."""

    estimates = (Standing(), Worth(), Mars())

    def __init__(
        self,
        seats=6,
        map="classic",
        armies: int | None = None,
        placing="even",
        late_armies=False,
        least_income=3,
        fortify="lux",
        growth=0,
        limit=300,
    ):
        self.seats, self.map, self.armies, self.placing = seats, map, armies, placing
        self.late_armies, self.least_income, self.fortify, self.limit = late_armies, least_income, fortify, limit
        self.growth = growth
        self.require(2 <= seats <= 6, f"expected 2 to 6 seats, got {seats}")
        board = Map(map)
        self.size, self.names, self.continents = board.size, tuple(board.names), tuple(board.continents)
        self.degree, self.near, self.near_bits = board.degree, board.near, board.near_bits
        self.home, self.first, self.bonus, self.home_bits = board.home, board.first, board.bonus, board.home_bits
        self.is_border, self.lands = board.is_border, len(board.continents)
        self.require(seats <= self.size, f"expected a territory for every one of {seats} seats, got {self.size}")
        self.begin_with = 50 - 5 * seats if armies is None else armies
        most = -(-self.size // seats)
        self.require(
            most <= self.begin_with <= 1000,
            f"expected {most} to 1000 armies for each seat, one for each of its territories, got {self.begin_with}",
        )
        self.require(placing in ("even", "random"), f"expected placing 'even' or 'random', got '{placing}'")
        self.require(0 <= least_income <= 100, f"expected a least income of 0 to 100 armies, got {least_income}")
        self.require(fortify in ("lux", "one", "none"), f"expected fortify 'lux', 'one' or 'none', got '{fortify}'")
        self.require(0 <= growth <= 100, f"expected a growth of 0 to 100 percent a round, got {growth}")
        self.require(1 <= limit <= 10_000, f"expected a limit of 1 to 10000 rounds, got {limit}")
        self.fortify_steps = ("none", "one", "lux").index(fortify)
        self.max_moves = 6 * len(board.edges) + 3 * self.size + 2
        self.max_outcomes = 2 * WIDE
        self.facts = Facts(seats=(2, 6), chance=True, low=0.0, high=100.0, total=100.0, constant_sum=True)
        self.__dict__["State"] = np.dtype(
            [
                ("armies", np.int16, (self.size,)),
                ("owner", np.int8, (self.size,)),
                ("movable", np.int16, (self.size,)),  # in the phase of fortifying: armies that may still move
                ("plan", np.int32),  # in a tree of plans: the plan whose battles are to be fought
                ("reserve", np.int16),  # armies to place
                ("round", np.int16),  # rounds that are over
                ("seat", np.int8),
                ("phase", np.int8),
                ("source", np.int8),  # of the battle, or of the conquest that is being occupied
                ("target", np.int8),
                ("manner", np.int8),  # of the battle: ROLL, FIGHT or STORM
                ("living", np.uint8),  # one bit for each seat
            ],
            align=True,
        )

    def start(self, state, rng):
        order = np.arange(self.size)
        shuffle(rng, order, self.size)
        for i in range(self.size):
            state.owner[order[i]], state.armies[order[i]] = i % self.seats, 1
        for seat in range(self.seats):
            held = [t for t in order.tolist() if state.owner[t] == seat]
            left = self.begin_with - len(held) + (seat if self.late_armies and seat >= 2 else 0)
            for t in held:
                if self.placing == "even":
                    state.armies[t] += left // len(held)
            shuffled = np.array(held)
            shuffle(rng, shuffled, len(held))
            for i in range(left % len(held) if self.placing == "even" else left):
                state.armies[shuffled[i] if self.placing == "even" else held[below(rng, len(held))]] += 1
        state.living = 2**self.seats - 1
        self.begin_turn(state, 0)

    def mover(self, state):
        if state.phase == FINISHED:
            return OVER
        return CHANCE if state.phase == BATTLE else state.seat

    def income(self, state, seat):
        """What a seat would get now: a third of its territories, and the bonus of every continent it holds."""
        land, bonus = 0, 0
        for home in range(self.lands):
            held = 0
            for t in range(self.first[home], self.first[home + 1]):
                if state.owner[t] == seat:
                    held += 1
            land += held
            if held == self.first[home + 1] - self.first[home]:
                bonus += self.bonus_of(state, home)
        return max(self.least_income, land // 3) + min(MOST_INCOME, bonus)

    def bonus_of(self, state, home):
        """The bonus of a continent in this round."""
        if self.growth == 0:
            return self.bonus[home]
        return int(min(1.0 * MOST_INCOME, self.bonus[home] * (1.0 + self.growth / 100.0) ** state.round))

    def is_front(self, state, t):
        """Has the territory a neighbour of another owner?"""
        for i in range(self.degree[t]):
            if state.owner[self.near[t, i]] != state.owner[t]:
                return True
        return False

    def begin_turn(self, state, seat):
        state.seat, state.reserve = seat, self.income(state, seat)
        state.phase = PLACING if state.reserve > 0 else ATTACKING

    def end_turn(self, state):
        """The next living seat, or the end by the round limit."""
        for t in range(self.size):
            state.movable[t] = 0
        seat = state.seat + 1
        while True:
            if seat >= self.seats:
                seat = 0
                state.round += 1
            if (state.living >> seat) & 1:
                break
            seat += 1
        if state.round >= self.limit:
            state.phase, state.seat, state.reserve = FINISHED, 0, 0
        else:
            self.begin_turn(state, seat)

    def moves(self, state, seat, out):
        count = 0
        if state.phase == PLACING:
            for t in range(self.size):
                if state.owner[t] == seat:
                    count = self.parts(out, count, PLACE, t, 0, state.reserve)
        elif state.phase == ATTACKING:
            for t in range(self.size):
                if state.owner[t] == seat and state.armies[t] > 1:
                    for i in range(self.degree[t]):
                        if state.owner[self.near[t, i]] != seat:
                            for kind in range(ROLL, STORM + 1):
                                out[count] = order(kind, t, self.near[t, i], NONE)
                                count += 1
            out[count] = order(STOP, 0, 0, NONE)
            count += 1
        elif state.phase == OCCUPYING:
            out[0] = order(OCCUPY, 0, 0, NONE)
            count = self.parts(out, 1, OCCUPY, 0, 0, state.armies[state.source] - 1)
        else:
            for t in range(self.size):
                spare = min(state.movable[t], state.armies[t] - 1)
                if state.owner[t] == seat and spare > 0:
                    for i in range(self.degree[t]):
                        if state.owner[self.near[t, i]] == seat:
                            count = self.parts(out, count, FORTIFY, t, self.near[t, i], spare)
            out[count] = order(END, 0, 0, NONE)
            count += 1
            if self.fortify_steps == 2:
                out[count] = order(MARCH, 0, 0, NONE)
                count += 1
        return count

    def parts(self, out, count, kind, source, target, amount):
        """List one, half and all of an amount as far as they differ; return how many orders are listed now."""
        out[count] = order(kind, source, target, ALL)
        count += 1
        if amount >= 2:
            out[count] = order(kind, source, target, ONE)
            count += 1
        if amount >= 4:
            out[count] = order(kind, source, target, HALF)
            count += 1
        return count

    def play(self, state, seat, move):
        if seat == CHANCE:
            self.lose(state, move & (2**LOSSES - 1), move >> LOSSES)
            return
        kind, source, target, amount = move & 15, move >> 4 & 63, move >> 10 & 63, move >> 16
        if kind == PLACE:
            placed = part(amount, state.reserve)
            self.add(state, source, placed)
            state.reserve -= placed
            if state.reserve == 0:
                state.phase = ATTACKING
        elif kind <= STORM:
            state.source, state.target, state.manner, state.phase = source, target, kind, BATTLE
        elif kind == OCCUPY:
            if amount != NONE:
                self.shift(state, state.source, state.target, part(amount, state.armies[state.source] - 1))
            if amount in (NONE, ALL) or state.armies[state.source] == 1:
                self.back_to_attack(state)
        elif kind == STOP:
            self.begin_fortifying(state)
        else:
            if kind == FORTIFY:
                sent = part(amount, min(state.movable[source], state.armies[source] - 1))
                self.shift(state, source, target, sent)
                state.movable[source] -= sent
            elif kind == MARCH:
                self.march(state)
            if kind != FORTIFY or self.fortify_steps == 1:
                self.end_turn(state)

    def add(self, state, t, armies):
        state.armies[t] = min(MOST_ARMIES, state.armies[t] + armies)

    def shift(self, state, source, target, armies):
        state.armies[source] -= armies
        self.add(state, target, armies)

    def back_to_attack(self, state):
        state.source, state.target, state.manner, state.phase = 0, 0, 0, ATTACKING

    def begin_fortifying(self, state):
        if self.fortify_steps == 0:
            self.end_turn(state)
            return
        state.phase = FORTIFYING
        for t in range(self.size):
            state.movable[t] = state.armies[t] if state.owner[t] == state.seat else 0

    def lose(self, state, attackers, defenders):
        """Take the losses of a roll or of a whole battle off the map, and see what follows."""
        source, target = state.source, state.target
        state.armies[source] -= attackers
        state.armies[target] -= defenders
        if state.armies[target] <= 0:
            self.conquer(state, source, target)
        elif state.manner == ROLL or state.armies[source] <= 1:
            self.back_to_attack(state)

    def conquer(self, state, source, target):
        """The target changes hands; at least as many armies move in as dice were rolled, all of them in a storm."""
        self.take_over(state, target, state.owner[source])
        left = state.armies[source] - 1
        moving = left if state.manner == STORM else min(3, left)
        state.armies[target] = 0
        self.shift(state, source, target, moving)
        if state.phase == FINISHED:
            state.source, state.target, state.manner = 0, 0, 0
        elif moving == left:
            self.back_to_attack(state)
        else:
            state.phase, state.manner = OCCUPYING, 0

    def take_over(self, state, t, seat):
        """Give a territory to a seat; if its owner has no other, that owner is out, and a sole survivor has won."""
        loser = state.owner[t]
        state.owner[t] = seat
        for other in range(self.size):
            if state.owner[other] == loser:
                return
        state.living &= ~(1 << loser) & 255
        if state.living == 1 << seat:
            state.phase, state.reserve = FINISHED, 0

    def march(self, state):
        """Every army of the seat that stands behind the front moves one step towards it; one stays everywhere.

        Behind means without a foreign neighbour. Beside the front the way is to the strongest territory of the front,
        further back to the first neighbour that is nearer.
        """
        steps, sent = scratch(MOST_TERRITORIES), scratch(MOST_TERRITORIES)
        seat, waiting = state.seat, 0
        for t in range(self.size):
            steps[t], sent[t] = np.uint64(99), np.uint64(0)
            if state.owner[t] == seat:
                if self.is_front(state, t):
                    steps[t] = np.uint64(0)
                elif min(state.movable[t], state.armies[t] - 1) > 0:
                    sent[t] = np.uint64(min(state.movable[t], state.armies[t] - 1))
                    waiting += 1
        far = 0
        while waiting > 0 and far < self.size:
            far += 1
            for t in range(self.size):
                if state.owner[t] == seat and steps[t] == 99:
                    best = NOBODY
                    for i in range(self.degree[t]):
                        other = self.near[t, i]
                        nearer = steps[other] == far - 1 and state.owner[other] == seat
                        if nearer and (best == NOBODY or (far == 1 and state.armies[other] > state.armies[best])):
                            best = other
                    if best != NOBODY:
                        steps[t] = np.uint64(far)
                        if sent[t] > 0:
                            self.shift(state, t, best, np.int64(sent[t]))
                            waiting -= 1

    def can_list(self, state):
        """Can the events be listed? Not those of a battle to the end between very large armies, which is rolled."""
        return state.manner == ROLL or (state.armies[state.source] <= FIT + 1 and state.armies[state.target] <= FIT)

    def outcomes(self, state, out, odds):
        """The losses of both sides: of one roll, or of the whole battle."""
        force, defenders = state.armies[state.source] - 1, state.armies[state.target]
        if state.manner == ROLL:
            pairs = compared(force, defenders)
            for loss in range(pairs + 1):
                out[loss] = pairs - loss | loss << LOSSES
                odds[loss] = ODDS[min(3, force), min(2, defenders), loss]
            return pairs + 1
        forces, won, held = scratch_floats(WIDE), scratch_floats(WIDE), scratch_floats(WIDE)
        for i in range(WIDE):
            forces[i] = won[i] = held[i] = 0.0
        forces[force] = 1.0
        fought(forces, force, defenders, won, held)
        count = 0
        for left in range(force, 0, -1):
            if won[left] > 0.0:
                out[count], odds[count] = force - left | defenders << LOSSES, won[left]
                count += 1
        for left in range(1, defenders + 1):
            if held[left] > 0.0:
                out[count], odds[count] = force | (defenders - left) << LOSSES, held[left]
                count += 1
        return count

    def roll(self, state, rng):
        """Real dice, once or until one side is gone."""
        force, defenders = state.armies[state.source] - 1, state.armies[state.target]
        lost, killed = 0, 0
        while True:
            loss = one_roll(force - lost, defenders - killed, rng)
            lost += compared(force - lost, defenders - killed) - loss
            killed += loss
            if state.manner == ROLL or lost == force or killed == defenders:
                return lost | killed << LOSSES

    def payoff(self, state, out):
        """100 for the last one. At the round limit most territories win, then most armies; equals share."""
        best, sharing = -1, 0
        for seat in range(self.seats):
            rank = 0
            for t in range(self.size):
                if state.owner[t] == seat:
                    rank += 2**24 + state.armies[t]
            out[seat] = rank
            if rank > best:
                best, sharing = rank, 0
            if rank == best:
                sharing += 1
        for seat in range(self.seats):
            out[seat] = 100.0 / sharing if out[seat] == best else 0.0

    def active(self, state, seat):
        return (state.living >> seat) & 1 == 1
