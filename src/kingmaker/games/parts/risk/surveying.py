"""What the scripted players of Risk look at: totals, continents, neighbours, ways.

Territories, neighbours and seats are always met in the order of the map; of equals the first is taken.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch, scratch_floats
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES

NOWHERE = -1


@kernel
def foreign_near(game, state, t):
    """How many neighbours of a territory belong to another seat than its owner."""
    count = 0
    for i in range(game.degree[t]):
        count += state.owner[game.near[t, i]] != state.owner[t]
    return count


@kernel
def weakest_near(game, state, t):
    """The foreign neighbour with fewest armies, or NOWHERE."""
    best = NOWHERE
    for i in range(game.degree[t]):
        other = game.near[t, i]
        if state.owner[other] != state.owner[t] and (best == NOWHERE or state.armies[other] < state.armies[best]):
            best = other
    return best


@kernel
def armies_of(game, state, seat):
    total = 0
    for t in range(game.size):
        if state.owner[t] == seat:
            total += state.armies[t]
    return total


@kernel
def land_of(game, state, seat):
    count = 0
    for t in range(game.size):
        count += state.owner[t] == seat
    return count


@kernel
def income_of(game, state, seat):
    """The next income of a seat; none if it is out."""
    return game.income(state, seat) if game.active(state, seat) else 0


@kernel
def outnumbers_all(game, state, seat):
    """Has the seat more armies than all others together?"""
    own, others = 0, 0
    for t in range(game.size):
        if state.owner[t] == seat:
            own += state.armies[t]
        else:
            others += state.armies[t]
    return own > others


@kernel
def holder(game, state, home):
    """The seat that holds a continent whole, or NOWHERE."""
    seat = state.owner[game.first[home]]
    for t in range(game.first[home], game.first[home + 1]):
        if state.owner[t] != seat:
            return NOWHERE
    return seat


@kernel
def best_continent(game, state, seat):
    """The continent of the highest bonus that the seat holds, or NOWHERE."""
    best = NOWHERE
    for home in range(game.lands):
        if holder(game, state, home) == seat and (best == NOWHERE or game.bonus[home] > game.bonus[best]):
            best = home
    return best


@kernel
def dangerous(game, state, seat):
    """The last other seat with half of all armies, of all income or of the land, or NOWHERE."""
    armies, income, found = 0, 0, NOWHERE
    for other in range(game.seats):
        armies += armies_of(game, state, other)
        income += income_of(game, state, other)
    for other in range(game.seats):
        much = 2 * armies_of(game, state, other) >= armies or 2 * income_of(game, state, other) >= income
        if other != seat and (much or 2 * land_of(game, state, other) >= game.size) and game.active(state, other):
            found = other
    return found


@kernel
def cheapest(costs, ages, count):
    """Of the territories that were pushed and not yet popped the one that costs least, the latest of equals."""
    best = NOWHERE
    for t in range(count):
        if ages[t] > 0 and (best == NOWHERE or (costs[t], -ages[t]) < (costs[best], -ages[best])):
            best = t
    return best


@kernel
def way_in(game, state, seat, home):
    """A way from one's own land into a continent: (its start, the foreign armies on it); NOWHERE if there is none.

    Best-first search outwards from the borders of the continent; a cost that was pushed is not improved later.
    """
    for t in range(game.first[home], game.first[home + 1]):
        if state.owner[t] == seat:
            return t, 0
    costs, ages, before = scratch_floats(MOST_TERRITORIES), scratch_floats(MOST_TERRITORIES), scratch(MOST_TERRITORIES)
    age = 1.0
    for t in range(game.size):
        ages[t], costs[t], before[t] = 0.0, 0.0, np.uint64(t)
        if game.home[t] == home and (game.is_border[t] or game.lands == 1):
            ages[t] = age
            age += 1.0
    while True:
        t = cheapest(costs, ages, game.size)
        if t == NOWHERE:
            return NOWHERE, 0
        ages[t] = -1.0
        if state.owner[t] == seat:
            total, on = 0, np.int64(before[t])
            while True:
                total += state.armies[on]
                if np.int64(before[on]) == on:
                    return t, total
                on = np.int64(before[on])
        for i in range(game.degree[t]):
            other = game.near[t, i]
            if ages[other] == 0.0:
                own = state.owner[other] == seat
                costs[other] = costs[t] - state.armies[other] if own else costs[t] + state.armies[other]
                ages[other], before[other] = age, np.uint64(t)
                age += 1.0


@kernel
def way_out(game, state, seat, source, home, way):
    """Write a way from a territory into a continent over foreign land; returns (its territories, the armies on it).

    The way begins with the source, whose armies do not count. No territories: there is no way.
    """
    costs, ages, before = scratch_floats(MOST_TERRITORIES), scratch_floats(MOST_TERRITORIES), scratch(MOST_TERRITORIES)
    for t in range(game.size):
        ages[t], costs[t] = 0.0, 0.0
    ages[source], age = 1.0, 2.0
    while True:
        t = cheapest(costs, ages, game.size)
        if t == NOWHERE:
            return 0, 0
        ages[t] = -1.0
        if game.home[t] == home:
            total, count, on = 0, 1, t
            while on != source:
                total += state.armies[on]
                count += 1
                on = np.int64(before[on])
            on = t
            for i in range(count - 1, -1, -1):
                way[i] = on
                on = np.int64(before[on]) if i > 0 else on
            return count, total
        for i in range(game.degree[t]):
            other = game.near[t, i]
            if ages[other] == 0.0 and state.owner[other] != seat:
                inside = game.home[other] == home
                costs[other] = costs[t] - state.armies[other] if inside else costs[t] + state.armies[other]
                ages[other], before[other] = age, np.uint64(t)
                age += 1.0


@kernel
def region(game, state, root, order):
    """The territories connected with `root` under one owner, breadth first, into `order`; returns how many."""
    seen = scratch(MOST_TERRITORIES)
    for t in range(game.size):
        seen[t] = np.uint64(0)
    order[0], seen[root] = np.uint64(root), np.uint64(1)
    count, at = 1, 0
    while at < count:
        t = np.int64(order[at])
        for i in range(game.degree[t]):
            other = game.near[t, i]
            if seen[other] == 0 and state.owner[other] == state.owner[root]:
                seen[other], order[count] = np.uint64(1), np.uint64(other)
                count += 1
        at += 1
    return count


@kernel
def enclosed(game, state, seat, t):
    """Does the seat hold the continent of every neighbour outside the territory's own continent?"""
    for i in range(game.degree[t]):
        home = game.home[game.near[t, i]]
        if home != game.home[t] and holder(game, state, home) != seat:
            return False
    return True


@kernel
def easiest(game, state, seat):
    """The continent with the largest ratio of one's own to foreign armies."""
    best, best_ratio = 0, -1.0
    for home in range(game.lands):
        own, others = 0, 0
        for t in range(game.first[home], game.first[home + 1]):
            if state.owner[t] == seat:
                own += state.armies[t]
            else:
                others += state.armies[t]
        ratio = own / others if others else 1e9
        if ratio > best_ratio:
            best, best_ratio = home, ratio
    return best
