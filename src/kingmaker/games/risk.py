"""Risk: hold territories, roll dice for others, be the only one left.

A turn places new armies, attacks as often as wanted with real dice, and moves armies one step at the end. The map is
data (`games/parts/risk/maps.py`); the choices are those of the source: no cards, land dealt at random, armies spread
evenly.

    I. Zuckerman, A. Felner, S. Kraus. Mixing Search Strategies for Multi-Player Games. IJCAI 2009.

Differs from the source: a round limit ends a match that would go on for ever; then most territories win, of those with
equally many the one with most armies, and equals share the win.
"""

import numpy as np

from kingmaker.core.game import CHANCE, OVER, Facts, Game
from kingmaker.core.rng import below, shuffle
from kingmaker.core.scratch import scratch_floats
from kingmaker.games.parts.risk.battle import FIT, ODDS, WIDE, compared, fought, one_roll
from kingmaker.games.parts.risk.cards import KINDS_OF_CARDS, SETS, TOO_MANY, Cards
from kingmaker.games.parts.risk.estimates import Mars, Standing, Worth
from kingmaker.games.parts.risk.maps import Map
from kingmaker.games.parts.risk.marching import Marching
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
    ROLL,
    STOP,
    STORM,
    TRADE,
    order,
    part,
)
from kingmaker.games.parts.risk.texts import Texts

PLACING, ATTACKING, BATTLE, OCCUPYING, FORTIFYING, PLANNED, FINISHED, TRADING, DRAWING, DEPLOYING = range(10)
MOST_INCOME = 5_000  # from continents, whose bonuses may grow
LOSSES = 14  # bits of the attacker's losses in the number of a chance event


class Risk(Texts, Cards, Marching, Game):
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
        cards=False,
    ):
        self.seats, self.map, self.armies, self.placing = seats, map, armies, placing
        self.late_armies, self.least_income, self.fortify, self.limit = late_armies, least_income, fortify, limit
        self.growth, self.cards = growth, cards
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
        known = ("even", "random", "players")
        self.require(placing in known, f"expected placing 'even', 'random' or 'players', got '{placing}'")
        self.require(0 <= least_income <= 100, f"expected a least income of 0 to 100 armies, got {least_income}")
        self.require(fortify in ("lux", "one", "none"), f"expected fortify 'lux', 'one' or 'none', got '{fortify}'")
        self.require(0 <= growth <= 100, f"expected a growth of 0 to 100 percent a round, got {growth}")
        self.require(1 <= limit <= 10_000, f"expected a limit of 1 to 10000 rounds, got {limit}")
        self.fortify_steps = ("none", "one", "lux").index(fortify)
        self.max_moves = max(len(SETS) + 1, 6 * len(board.edges) + 3 * self.size + 2)
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
                ("hand", np.int8, (seats + 1 if cards else 1, KINDS_OF_CARDS)),  # cards; the last row is the pile
                ("sets", np.int16),  # that were traded
                ("conquered", np.int8),  # with cards: has the seat conquered in this turn?
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
            left = 0 if self.placing == "players" else self.army_of(seat) - len(held)
            for t in held:
                if self.placing == "even":
                    state.armies[t] += left // len(held)
            shuffled = np.array(held)
            shuffle(rng, shuffled, len(held))
            for i in range(left % len(held) if self.placing == "even" else left):
                state.armies[shuffled[i] if self.placing == "even" else held[below(rng, len(held))]] += 1
        state.living = 2**self.seats - 1
        if self.cards:
            state.hand[self.seats] = [self.deck(kind) for kind in range(KINDS_OF_CARDS)]
        self.deploy(state, 0)

    def mover(self, state):
        if state.phase == FINISHED:
            return OVER
        return CHANCE if state.phase in (BATTLE, DRAWING) else state.seat

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

    def begin_turn(self, state, seat):
        state.seat, state.reserve = seat, self.income(state, seat)
        state.conquered = 0
        if self.may_trade(state, seat):
            state.phase = TRADING
        else:
            self.begin_placing(state)

    def begin_placing(self, state):
        state.phase = PLACING if state.reserve > 0 else ATTACKING

    def end_turn(self, state):
        """A card for a conquest, then the next living seat, or the end by the round limit."""
        for t in range(self.size):
            state.movable[t] = 0
        if state.phase != DRAWING and self.draws(state):
            state.phase = DRAWING
            return
        seat = state.seat + 1
        while True:
            if seat >= self.seats:
                seat = 0
                state.round += 1
            if (state.living >> seat) & 1:
                break
            seat += 1
        if state.round >= self.limit:
            state.phase, state.seat, state.reserve, state.conquered = FINISHED, 0, 0, 0
        else:
            self.begin_turn(state, seat)

    def moves(self, state, seat, out):
        count = 0
        if state.phase in (PLACING, DEPLOYING):
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
        elif state.phase == TRADING:
            count = self.list_trades(state, seat, out)
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
            if state.phase == DRAWING:
                self.take_card(state, move)
                self.end_turn(state)
            else:
                self.lose(state, move & (2**LOSSES - 1), move >> LOSSES)
            return
        kind, source, target, amount = move & 15, move >> 4 & 63, move >> 10 & 63, move >> 16
        if kind == PLACE:
            placed = part(amount, state.reserve)
            self.add(state, source, placed)
            state.reserve -= placed
            if state.reserve == 0 and state.phase == DEPLOYING:
                self.deploy(state, seat + 1)
            elif state.reserve == 0:
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
        elif kind == TRADE:
            self.trade(state, source)
        elif kind == KEEP:
            self.begin_placing(state)
        else:
            if kind == FORTIFY:
                sent = part(amount, min(state.movable[source], state.armies[source] - 1))
                self.shift(state, source, target, sent)
                state.movable[source] -= sent
            elif kind == MARCH:
                self.march(state)
            if kind != FORTIFY or self.fortify_steps == 1:
                self.end_turn(state)

    def back_to_attack(self, state):
        state.source, state.target, state.manner, state.phase = 0, 0, 0, ATTACKING
        if self.cards and self.cards_of(state, state.seat) >= TOO_MANY:
            state.phase = TRADING

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
        loser = state.owner[target]
        self.take_over(state, target, state.seat)
        if self.cards:
            state.conquered = 1
            if not self.active(state, loser):
                self.pass_on(state, loser, state.seat)
        left = state.armies[source] - 1
        moving = left if state.manner == STORM else min(3, left)
        state.armies[target] = 0
        self.shift(state, source, target, moving)
        if state.phase == FINISHED:
            state.source, state.target, state.manner, state.conquered = 0, 0, 0, 0
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

    def can_list(self, state):
        """Can the events be listed? Not those of a battle to the end between very large armies, which is rolled."""
        small = state.phase == DRAWING or state.manner == ROLL
        return small or (state.armies[state.source] <= FIT + 1 and state.armies[state.target] <= FIT)

    def outcomes(self, state, out, odds):
        """The losses of both sides: of one roll, or of the whole battle; or the kind of a card."""
        if state.phase == DRAWING:
            return self.list_cards(state, out, odds)
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
        """Real dice, once or until one side is gone; or a card from the pile."""
        if state.phase == DRAWING:
            return self.roll_card(state, rng)
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

    def expect(self, estimate, state, out):
        """What an estimate expects of a plan under way; only a tree of plans has any."""
        estimate.rate(self, state, out)

    def active(self, state, seat):
        return (state.living >> seat) & 1 == 1
