"""The script of yakool: he holds a continent, grows from it, and breaks those of a seat that becomes dangerous."""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.risk.blocks import all_out, end_of_attack, grow, spread_on
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES
from kingmaker.games.parts.risk.orders import ALL, END, FORTIFY, NONE, PLACE, STOP, order
from kingmaker.games.parts.risk.scripts import (
    ATTACKING,
    DONE,
    FOR_A_CARD,
    GROWING,
    LEAST,
    NO_ORDER,
    OCCUPYING,
    SPREADING,
    UNMET,
    hit,
    is_placing,
    occupied,
    opened,
    some,
    stop_by_attack,
    stop_by_placing,
    towards,
)
from kingmaker.games.parts.risk.surveying import (
    NOWHERE,
    best_continent,
    easiest,
    foreign_near,
    income_of,
    outnumbers_all,
    region,
    weakest_near,
)


@kernel
def yakool(game, state, notes, rng):
    """Hold a continent and grow from it; break those of a dangerous seat."""
    seat = state.seat
    lands = scratch(MOST_TERRITORIES)
    opened(game, state, notes)
    if is_placing(state):
        stopping = stop_by_placing(game, state, notes)
        if stopping != NO_ORDER:
            return stopping
        home = best_continent(game, state, seat)
        if home == NOWHERE:
            return order(PLACE, towards(game, state, notes, easiest(game, state, seat)), 0, ALL)
        return evenly(game, state, game.first[home], lands)
    if state.phase == OCCUPYING:
        return occupied(state, notes)
    if state.phase == ATTACKING:
        found = attacked(game, state, notes)
        return found if found != NO_ORDER else order(STOP, 0, 0, NONE)
    return forward(game, state, notes, lands)


@kernel
def evenly(game, state, start, lands):
    """Place where the front of a region has fewest armies, one by one: as many as go there before another is next."""
    count = region(game, state, start, lands)
    best, second, later = NOWHERE, NOWHERE, False
    for k in range(count):
        t = np.int64(lands[k])
        if foreign_near(game, state, t) > 0:
            if best == NOWHERE or state.armies[t] < state.armies[best]:
                best, second, later = t, best, False
            elif second == NOWHERE or state.armies[t] < state.armies[second]:
                second, later = t, True
    lacking = state.reserve
    if second != NOWHERE:  # of equals the first one is next
        lacking = state.armies[second] - state.armies[best] + (1 if later else 0)
    return some(PLACE, best, 0, max(lacking, state.reserve // 100), state.reserve)


@kernel
def attacked(game, state, notes):
    """The next attack: on the dangerous, then from the root's region, in the end on everybody."""
    found = stop_by_attack(game, state, notes)
    if found == NO_ORDER and notes.stage == GROWING:
        found = grow(game, state, notes, root(game, state, notes))
        if found == NO_ORDER:
            notes.stage = SPREADING
            if best_continent(game, state, state.seat) != NOWHERE and not bold(game, state, state.seat):
                end_of_attack(game, state, notes)
    if found == NO_ORDER and notes.stage == SPREADING:
        found = spread_on(game, state, notes, root(game, state, notes), 1.2)
        if found == NO_ORDER:
            end_of_attack(game, state, notes)
    if found == NO_ORDER:
        found = all_out(game, state, notes)
    if found == NO_ORDER and game.cards and not state.conquered and notes.stage == DONE:
        notes.stage = FOR_A_CARD
        found = easiest_hit(game, state, notes)
    return found


@kernel
def easiest_hit(game, state, notes):
    """The attack with the best ratio of armies, if the target has fewer."""
    source, target, best = NOWHERE, NOWHERE, 1.0
    for t in range(game.size):
        if state.owner[t] == state.seat and foreign_near(game, state, t) > 0:
            weakest = weakest_near(game, state, t)
            ratio = state.armies[t] / state.armies[weakest]
            if ratio > best:
                source, target, best = t, weakest, ratio
    return hit(notes, source, target, LEAST) if source != NOWHERE else NO_ORDER


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
