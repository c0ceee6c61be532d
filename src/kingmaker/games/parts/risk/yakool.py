"""The script of yakool: he holds a continent, grows from it, and breaks those of a seat that becomes dangerous."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES
from kingmaker.games.parts.risk.orders import ALL, END, FORTIFY, NONE, PLACE, STOP, order
from kingmaker.games.parts.risk.scripts import (
    ALL_OUT,
    ATTACKING,
    GROWING,
    NO_ORDER,
    OCCUPYING,
    PLACING,
    SPREADING,
    UNMET,
    all_out,
    occupied,
    opened,
    some,
    spread,
    stop_by_attack,
    stop_by_placing,
    towards,
    trio,
)
from kingmaker.games.parts.risk.surveying import (
    NOWHERE,
    best_continent,
    easiest,
    foreign_near,
    income_of,
    outnumbers_all,
    region,
)


@kernel
def yakool(game, state, notes, rng):
    """Hold a continent and grow from it; break those of a dangerous seat."""
    seat = state.seat
    lands = scratch(MOST_TERRITORIES)
    opened(game, state, notes)
    if state.phase == PLACING:
        stopping = stop_by_placing(game, state, notes)
        if stopping != NO_ORDER:
            return stopping
        home = best_continent(game, state, seat)
        if home == NOWHERE:
            return order(PLACE, towards(game, state, notes, easiest(game, state, seat)), 0, ALL)
        count = region(game, state, game.first[home], lands)
        best, second = NOWHERE, NOWHERE
        for k in range(count):
            t = np.int64(lands[k])
            if foreign_near(game, state, t) > 0:
                if best == NOWHERE or state.armies[t] < state.armies[best]:
                    best, second = t, best
                elif second == NOWHERE or state.armies[t] < state.armies[second]:
                    second = t
        lacking = state.reserve if second == NOWHERE else state.armies[second] - state.armies[best] + 1
        return some(PLACE, best, 0, max(lacking, state.reserve // 100), state.reserve)
    if state.phase == OCCUPYING:
        return occupied(state, notes)
    if state.phase == ATTACKING:
        found = stop_by_attack(game, state, notes)
        if found != NO_ORDER:
            return found
        if notes.stage == GROWING:
            count = region(game, state, root(game, state, notes), lands)
            found = trio(game, state, notes, lands, count)
            if found != NO_ORDER:
                return found
            calm = best_continent(game, state, seat) != NOWHERE and not bold(game, state, seat)
            notes.stage = ALL_OUT if calm else SPREADING
        if notes.stage == SPREADING:
            count = region(game, state, root(game, state, notes), lands)
            found = spread(game, state, notes, lands, count, 1.2)
            if found != NO_ORDER:
                return found
            notes.stage = ALL_OUT
        found = all_out(game, state, notes)
        return found if found != NO_ORDER else order(STOP, 0, 0, NONE)
    return forward(game, state, notes, lands)


@kernel
def forward(game, state, notes, lands):
    """In the region of the root every territory behind the front sends its armies to where it was met from, breadth
    first from the front.
    """
    seat = state.seat
    count = region(game, state, root(game, state, notes), lands)
    queue, before = scratch(MOST_TERRITORIES), scratch(MOST_TERRITORIES)
    met, at = 0, 0
    for t in range(game.size):
        before[t] = np.uint64(UNMET)
    for k in range(count):
        t = np.int64(lands[k])
        if foreign_near(game, state, t) > 0:
            queue[met], before[t] = lands[k], lands[k]
            met += 1
    while at < met:
        t = np.int64(queue[at])
        at += 1
        for i in range(game.degree[t]):
            other = game.near[t, i]
            if state.owner[other] == seat and before[other] == UNMET:
                queue[met], before[other] = np.uint64(other), np.uint64(t)
                met += 1
    while notes.at < game.size:
        t = notes.at
        notes.at += 1
        spare = min(state.movable[t], state.armies[t] - 1)
        if state.owner[t] == seat and spare > 0 and before[t] != UNMET and before[t] != t:
            return order(FORTIFY, t, np.int64(before[t]), ALL)
    return order(END, 0, 0, NONE)


@kernel
def root(game, state, notes):
    """The territory from whose region a player grows: in the best continent held, else the strongest."""
    seat = state.seat
    if notes.root == NOWHERE or state.owner[notes.root] != seat:
        home = best_continent(game, state, seat)
        notes.root = game.first[home] if home != NOWHERE else strongest(game, state, seat)
    return notes.root


@kernel
def strongest(game, state, seat):
    best = NOWHERE
    for t in range(game.size):
        if state.owner[t] == seat and (best == NOWHERE or state.armies[t] > state.armies[best]):
            best = t
    return best


@kernel
def bold(game, state, seat):
    """Has the seat less than the mean income, more than anybody else, or most of all armies?"""
    own, others, highest = income_of(game, state, seat), 0, 0
    for other in range(game.seats):
        if other != seat:
            others += income_of(game, state, other)
            highest = max(highest, income_of(game, state, other))
    return own < others // game.seats or own > highest or outnumbers_all(game, state, seat)
