"""Risk for searches: a move is a plan for a whole turn, and its battles are one chance node.

A plan puts all new armies on one territory and leads from there along a path of conquest, or it holds: all new armies
where they help most, and no attack. Of all paths the few with the highest bids are the moves; a bid is the expected
estimate after the plan. Afterwards every army behind the front moves one step towards it, and the next seat plans.

The chance node of a plan has one outcome for each number of territories taken, with its exact probability and the mean
armies left, of which the three likeliest are kept; a match over plans rolls real dice instead.
"""

import numpy as np

from kingmaker.core.game import CHANCE, OVER
from kingmaker.core.scratch import scratch, scratch_floats
from kingmaker.games.parts.risk.battle import FIT, battle_tables, compared, one_roll
from kingmaker.games.parts.risk.estimates import SEATS, Standing, threat
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES
from kingmaker.games.parts.risk.paths import (
    LONGEST,
    UNLIKELY,
    length_of,
    next_on,
    odds_of,
    promising,
    source_of,
)
from kingmaker.games.risk import FINISHED, PLANNED, Risk

STEPS = 8  # room for LONGEST + 1 numbers
KEPT = 3  # outcomes of a plan that are kept
RARE = 0.02  # less likely ones are not
SHORTLIST = 8  # paths whose bids are computed
BIDS = 9  # room for those and one more
JUDGE = Standing()  # by which bids are made
FRONT, LEFT = 3, 17  # where the armies at the head and the defenders left begin in the number of an outcome
ARMIES = 2**14 - 1


class RiskPlans(Risk):
    """Risk in plans; the states are those of `risk`."""

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
        plans=2,
        nerve=0.5,
    ):
        super().__init__(seats, map, armies, placing, late_armies, least_income, fortify, growth, limit, cards)
        self.plans, self.nerve = plans, nerve
        self.require(1 <= plans <= SHORTLIST, f"expected 1 to {SHORTLIST} plans beside holding, got {plans}")
        self.require(0 <= nerve <= 1, f"expected a nerve from 0 to 1, got {nerve}")
        self.kept = KEPT
        self.win, self.alive, self.still = battle_tables()
        self.max_moves, self.max_outcomes = plans + 1, LONGEST + 1

    def mover(self, state):
        if state.phase == FINISHED:
            return OVER
        return CHANCE if state.phase == PLANNED else state.seat

    def moves(self, state, seat, out):
        scores, paths = scratch_floats(MOST_TERRITORIES), scratch(MOST_TERRITORIES)
        bids = scratch_floats(BIDS)
        promising(self, state, seat, scores, paths)
        count = 0
        for _ in range(SHORTLIST):
            best = 0
            for t in range(1, self.size):
                if scores[t] > scores[best]:
                    best = t
            if scores[best] == UNLIKELY:
                break
            scores[best] = UNLIKELY
            path = np.int64(paths[best])
            bid = self.bid(state, seat, path)
            at = min(count, self.plans)
            while at > 0 and bids[at - 1] < bid:
                bids[at] = bids[at - 1]
                if at < self.plans:
                    out[at] = out[at - 1]
                at -= 1
            bids[at] = bid
            if at < self.plans:
                out[at] = path
            count = min(count + 1, self.plans)
        out[count] = self.haven(state, seat)
        return count + 1

    def haven(self, state, seat):
        """The territory of the front where new armies help most: against exposure, or for the safety of a continent."""
        best, best_gain, best_danger = 0, -1.0, 0
        if state.reserve == 0:
            return 0
        for home in range(self.lands):
            safe, second, held = 1.0, 1.0, True
            for t in range(self.first[home], self.first[home + 1]):
                held = held and state.owner[t] == seat
                part = state.armies[t] / (state.armies[t] + 0.5 * threat(self, state, t))
                if part < safe:
                    safe, second = part, safe
                elif part < second:
                    second = part
            for t in range(self.first[home], self.first[home + 1]):
                danger = threat(self, state, t)
                if state.owner[t] != seat or danger == 0:
                    continue
                armies = state.armies[t]
                after = armies + state.reserve
                gained = min(1.0, max(0.0, (danger - armies) / (1.0 + armies)))
                gained -= min(1.0, max(0.0, (danger - after) / (1.0 + after)))
                if held and armies / (armies + 0.5 * danger) == safe:
                    gained += 4.0 * self.bonus[home] * (min(second, after / (after + 0.5 * danger)) - safe)
                if gained > best_gain or (gained == best_gain and danger > best_danger):
                    best, best_gain, best_danger = t, gained, danger
        return best

    def bid(self, state, seat, path):
        """The expected estimate of the seat after a plan; the state is changed on the way and restored."""
        numbers, odds, values = scratch(STEPS), scratch_floats(STEPS), scratch_floats(SEATS)
        owners, armies = scratch(STEPS), scratch(STEPS)
        reserve, living, phase = state.reserve, state.living, state.phase
        count, total = self.ends(state, path, numbers, odds), 0.0
        for i in range(count):
            t = source_of(path)
            for step in range(length_of(path) + 1):
                owners[step], armies[step] = np.uint64(state.owner[t]), np.uint64(state.armies[t])
                if step < length_of(path):
                    t = next_on(self, path, step, t)
            self.carry_out(state, path, np.int64(numbers[i]))
            JUDGE.rate(self, state, values)
            total += odds[i] * values[seat]
            t = source_of(path)
            for step in range(length_of(path) + 1):
                state.owner[t], state.armies[t] = np.int64(owners[step]), np.int64(armies[step])
                if step < length_of(path):
                    t = next_on(self, path, step, t)
            state.reserve, state.living, state.phase = reserve, living, phase
        return total

    def expect(self, estimate, state, out):
        """The mean of an estimate over the outcomes of the plan under way, each at the end of the turn; the state is
        changed on the way and restored.
        """
        numbers, odds, values = scratch(STEPS), scratch_floats(STEPS), scratch_floats(SEATS)
        owners, armies = scratch(MOST_TERRITORIES), scratch(MOST_TERRITORIES)
        plan, seat, reserve, living, number = state.plan, state.seat, state.reserve, state.living, state.round
        conquered = state.conquered
        count = self.ends(state, plan, numbers, odds)
        for t in range(self.size):
            owners[t], armies[t] = np.uint64(state.owner[t]), np.uint64(state.armies[t])
        for each in range(self.seats):
            out[each] = 0.0
        for i in range(count):
            self.play(state, CHANCE, np.int64(numbers[i]))
            if state.phase == FINISHED:
                self.payoff(state, values)
            else:
                estimate.rate(self, state, values)
            for each in range(self.seats):
                out[each] += odds[i] * values[each]
            for t in range(self.size):
                state.owner[t], state.armies[t] = np.int64(owners[t]), np.int64(armies[t])
            state.plan, state.seat, state.reserve, state.living, state.round = plan, seat, reserve, living, number
            state.phase, state.conquered = PLANNED, conquered

    def ends(self, state, path, numbers, odds):
        """The outcomes of a plan that are kept, as numbers with their odds; the others go to the nearest of them."""
        chance, front, left = scratch_floats(STEPS), scratch_floats(STEPS), scratch_floats(STEPS)
        odds_of(self, state, path, chance, front, left)
        length, likely = length_of(path), 0
        for j in range(length + 1):
            higher = 0
            for other in range(length + 1):
                if chance[other] > chance[j] or (chance[other] == chance[j] and other < j):
                    higher += 1
            if higher == 0 or (higher < self.kept and chance[j] > RARE):
                likely |= 1 << j
        count, before = 0, 0.0
        for j in range(length + 1):
            if (likely >> j) & 1:
                ahead = min(ARMIES, max(1, int(front[j] + 0.5)))
                behind = min(ARMIES, max(1, int(left[j] + 0.5)))
                numbers[count] = np.uint64(j | ahead << FRONT | behind << LEFT)
                odds[count] = chance[j] + before
                before = 0.0
                count += 1
            elif count == 0 or self.nearer_ahead(likely, length, j):
                before += chance[j]
            else:
                odds[count - 1] += chance[j]
        return count

    def nearer_ahead(self, likely, length, j):
        """Is the next outcome that is kept nearer than the last one? Of equals the last one is taken."""
        for far in range(1, length + 1):
            if j - far >= 0 and (likely >> (j - far)) & 1:
                return False
            if j + far <= length and (likely >> (j + far)) & 1:
                return True
        return False

    def play(self, state, seat, move):
        if seat == CHANCE:
            plan = state.plan
            state.plan, state.phase = 0, 0
            self.carry_out(state, plan, move)
            self.finish(state)
        elif length_of(move) == 0:
            self.add(state, source_of(move), state.reserve)
            self.finish(state)
        else:
            state.plan, state.phase = move, PLANNED

    def carry_out(self, state, path, number):
        """Place the new armies and conquer: as many territories and with as many armies left as the number says."""
        taken, ahead, behind = number & 7, number >> FRONT & ARMIES, number >> LEFT & ARMIES
        t, seat = source_of(path), state.seat
        state.reserve = 0
        for step in range(taken):
            state.armies[t] = 1
            t = next_on(self, path, step, t)
            self.take_over(state, t, seat)
        state.armies[t] = ahead
        if taken < length_of(path):
            state.armies[next_on(self, path, taken, t)] = behind

    def finish(self, state):
        """End a turn: all armies behind the front move one step towards it."""
        state.reserve = 0
        if state.phase == FINISHED:
            return
        if self.fortify_steps == 2:
            for t in range(self.size):
                state.movable[t] = state.armies[t]
            self.march(state)
        self.end_turn(state)

    def may_trade(self, state, seat):
        """In a tree of plans nobody trades cards."""
        return False

    def draws(self, state):
        """Nor draws any."""
        return False

    def can_list(self, state):
        return True

    def outcomes(self, state, out, odds):
        numbers = scratch(STEPS)
        count = self.ends(state, state.plan, numbers, odds)
        for i in range(count):
            out[i] = np.int64(numbers[i])
        return count

    def roll(self, state, rng):
        """Fight the plan with real dice."""
        plan, t = state.plan, source_of(state.plan)
        force, taken = state.armies[t] + state.reserve - 1, 0
        for step in range(length_of(plan)):
            t = next_on(self, plan, step, t)
            defenders = state.armies[t]
            if force < 1 or (step > 0 and not self.dares(force, defenders)):
                return taken | force + 1 << FRONT | defenders << LEFT
            while force > 0 and defenders > 0:
                loss = one_roll(force, defenders, rng)
                force -= compared(force, defenders) - loss
                defenders -= loss
            if defenders > 0:
                return taken | 1 << FRONT | defenders << LEFT
            taken += 1
            force -= 1
        return taken | force + 1 << FRONT | 1 << LEFT

    def dares(self, force, defenders):
        """Is the next battle likely enough to be won?"""
        if force > FIT or defenders > FIT:
            return force * 1.1 > defenders
        return self.win[force, defenders] >= self.nerve

    def admits_plan(self, state):
        """Does the plan lead from a territory of the seat over foreign ones?"""
        plan, t, seen = state.plan, source_of(state.plan), set()
        if plan <= 0 or plan >> (9 + 3 * length_of(plan)) or not 1 <= length_of(plan) <= LONGEST:
            return False
        if t >= self.size or state.owner[t] != state.seat or state.armies[t] + state.reserve < 2 or state.reserve < 0:
            return False
        for step in range(length_of(plan)):
            if plan >> (9 + 3 * step) & 7 >= self.degree[t]:
                return False
            t = next_on(self, plan, step, t)
            if state.owner[t] == state.seat or t in seen:
                return False
            seen.add(t)
        return True

    def admits(self, state):
        """As in `risk`, but battles, occupation and fortifying are within a plan."""
        return state.phase in (0, 1, PLANNED, FINISHED) and super().admits(state)

    def say(self, state, seat, move):
        """`plan ala>kam>jap`, `hold ala`, `stop`; at a chance node `2 taken`."""
        if seat < 0:
            return f"{move & 7} taken, {move >> FRONT & ARMIES} at the head, {move >> LEFT & ARMIES} ahead"
        names, t = [self.names[source_of(move)]], source_of(move)
        if length_of(move) == 0:
            return f"hold {names[0]}" if state.reserve else "stop"
        for step in range(length_of(move)):
            t = next_on(self, move, step, t)
            names.append(self.names[t])
        return f"plan {'>'.join(names)}"
