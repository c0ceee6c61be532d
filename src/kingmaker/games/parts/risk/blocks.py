"""Attacks in passes over a front, of which the scripts of yakool and evil_pixie are made.

A pass meets the territories of a front in the order and number that the front had when the pass began; armies and
owners are read afresh at each of them. Each function gives the next attack, or NO_ORDER where the pass has made all.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES
from kingmaker.games.parts.risk.scripts import ALL_OUT, DONE, LEAST, NO_ORDER, RESTING, WHOLE, hit
from kingmaker.games.parts.risk.surveying import (
    NOWHERE,
    armies_of,
    foreign_near,
    outnumbers_all,
    region,
    weakest_near,
)

EXPAND, FILL, MERGE, SPREAD = range(RESTING + 1, RESTING + 5)
ANYBODY = 1500  # armies with which a player attacks everybody, so that no match stands still


@kernel
def begin(game, state, notes, block, root):
    """Begin a pass over the front of the region around the root: its territories beside foreign ones, breadth first."""
    lands = scratch(MOST_TERRITORIES)
    count = region(game, state, root, lands)
    notes.block, notes.hits, notes.fronts, notes.on, notes.beside, notes.target = block, 0, 0, 0, 0, NOWHERE
    for k in range(count):
        if foreign_near(game, state, np.int64(lands[k])) > 0:
            notes.front[notes.fronts] = np.int64(lands[k])
            notes.fronts += 1


@kernel
def expand(game, state, notes):
    """Attack single foreign neighbours that are weaker; all move in."""
    while notes.on < notes.fronts:
        t = notes.front[notes.on]
        notes.on += 1
        if foreign_near(game, state, t) == 1:
            target = weakest_near(game, state, t)
            if state.armies[t] > state.armies[target]:
                notes.hits = 1
                return hit(notes, t, target, WHOLE)
    return NO_ORDER


@kernel
def own_near(game, state, t, seat):
    """How many neighbours of a territory are the seat's."""
    count = 0
    for i in range(game.degree[t]):
        count += state.owner[game.near[t, i]] == seat
    return count


@kernel
def fill(game, state, notes):
    """Attack holes, foreign territories amid one's own, that are weaker; as few as possible move in."""
    seat = state.seat
    while notes.on < notes.fronts:
        t = notes.front[notes.on]
        while notes.beside < game.degree[t]:
            x = game.near[t, notes.beside]
            notes.beside += 1
            hole = state.owner[x] != seat and own_near(game, state, x, seat) == game.degree[x]
            if hole and state.armies[t] > state.armies[x]:
                notes.hits = 1
                return hit(notes, t, x, LEAST)
        notes.on, notes.beside = notes.on + 1, 0
    return NO_ORDER


@kernel
def joined(game, state, x, seat):
    """The armies of the seat beside a foreign territory that have no other foe."""
    armies = 0
    for i in range(game.degree[x]):
        a = game.near[x, i]
        if state.owner[a] == seat and foreign_near(game, state, a) == 1:
            armies += state.armies[a]
    return armies


@kernel
def merge(game, state, notes):
    """Attack a single foreign neighbour from all territories that have no other foe, if together they are more."""
    seat = state.seat
    while notes.on < notes.fronts:
        t = notes.front[notes.on]
        if notes.target == NOWHERE and foreign_near(game, state, t) == 1:
            x = weakest_near(game, state, t)
            if own_near(game, state, x, seat) >= 2 and joined(game, state, x, seat) > state.armies[x]:
                notes.target = x
        x = notes.target
        while x != NOWHERE and state.owner[x] != seat and notes.beside < game.degree[x]:
            a = game.near[x, notes.beside]
            notes.beside += 1
            if state.owner[a] == seat and state.armies[a] > 1 and foreign_near(game, state, a) == 1:
                notes.hits = 1
                return hit(notes, a, x, WHOLE)
        notes.on, notes.beside, notes.target = notes.on + 1, 0, NOWHERE
    return NO_ORDER


@kernel
def spread(game, state, notes, factor):
    """Attack all foreign neighbours of a territory that outnumbers them together; each gets an equal part."""
    seat = state.seat
    while notes.on < notes.fronts:
        t = notes.front[notes.on]
        if notes.beside == 0:
            against, number = 0, 0
            for i in range(game.degree[t]):
                if state.owner[game.near[t, i]] != seat:
                    against += state.armies[game.near[t, i]]
                    number += 1
            larger = number > 0 and state.armies[t] > factor * against
            notes.part = max(1, state.armies[t] // number) if larger else 0
        while notes.part > 0 and state.armies[t] > 1 and notes.beside < game.degree[t]:
            x = game.near[t, notes.beside]
            notes.beside += 1
            if state.owner[x] != seat:
                notes.hits = 1
                return hit(notes, t, x, notes.part)
        notes.on, notes.beside = notes.on + 1, 0
    return NO_ORDER


@kernel
def grow(game, state, notes, root):
    """Expand until that attacks no more, fill once, merge until that attacks no more; all again if one of them did."""
    while True:
        if notes.block == RESTING:
            notes.grown = 0
            begin(game, state, notes, EXPAND, root)
        if notes.block == EXPAND:
            found = expand(game, state, notes)
        elif notes.block == FILL:
            found = fill(game, state, notes)
        else:
            found = merge(game, state, notes)
        if found != NO_ORDER:
            return found
        if notes.block == FILL:
            begin(game, state, notes, MERGE, root)
        elif notes.hits:
            notes.grown = 1
            begin(game, state, notes, notes.block, root)
        elif notes.block == EXPAND:
            begin(game, state, notes, FILL, root)
        else:
            notes.block = RESTING
            if not notes.grown:
                return NO_ORDER


@kernel
def spread_on(game, state, notes, root, factor):
    """Spread until that attacks no more."""
    while True:
        if notes.block != SPREAD:
            begin(game, state, notes, SPREAD, root)
        found = spread(game, state, notes, factor)
        if found != NO_ORDER:
            return found
        notes.block = RESTING
        if not notes.hits:
            return NO_ORDER


@kernel
def end_of_attack(game, state, notes):
    """Go on to the last stage: all out if the seat has more armies than all others together, or very many."""
    due = outnumbers_all(game, state, state.seat) or armies_of(game, state, state.seat) > ANYBODY
    notes.stage = ALL_OUT if due else DONE
    notes.at, notes.waved, notes.block = 0, 0, RESTING


@kernel
def all_out(game, state, notes):
    """Grow and spread from every territory in turn, again and again, against any odds."""
    while notes.stage == ALL_OUT:
        while notes.at < game.size:
            t = notes.at
            if state.owner[t] == state.seat:
                found = NO_ORDER
                if notes.block != SPREAD:
                    found = grow(game, state, notes, t)
                if found == NO_ORDER:
                    found = spread_on(game, state, notes, t, 0.01)
                if found != NO_ORDER:
                    notes.waved = 1
                    return found
            notes.at += 1
        if not notes.waved:
            notes.stage = DONE
        notes.at, notes.waved = 0, 0
    return NO_ORDER
