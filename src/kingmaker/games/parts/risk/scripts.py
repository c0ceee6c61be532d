"""Scripts of players of Risk, order by order: what they share, and the script of angry.

Each function takes a game, a state, the player's notes and a random stream, and gives the next order. Between two
orders only the notes are kept; everything else is read from the map again. All attacks go on until one side is gone.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.core.scratch import scratch
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES
from kingmaker.games.parts.risk.orders import (
    ALL,
    END,
    FIGHT,
    FORTIFY,
    HALF,
    NONE,
    OCCUPY,
    ONE,
    PLACE,
    STOP,
    STORM,
    order,
)
from kingmaker.games.parts.risk.surveying import (
    NOWHERE,
    armies_of,
    dangerous,
    enclosed,
    foreign_near,
    holder,
    outnumbers_all,
    way_in,
    way_out,
    weakest_near,
)

NOTES = np.dtype(
    [
        ("turn", np.int32),  # the turn that the notes are about: round and seat
        ("phase", np.int8),
        ("at", np.int16),  # how far a pass over the map has come
        ("wanted", np.uint8),  # continents, one bit each
        ("stopped", np.uint8),  # continents of a dangerous seat that are still to be broken
        ("goal", np.int8),  # the continent that a way leads to
        ("head", np.int8),  # the territory that the way has come to
        ("root", np.int8),
        ("stage", np.int8),  # of an attack: growing, spreading, all out
        ("spreading", np.int8),  # the territory that attacks all its neighbours
        ("share", np.int16),  # armies that move in where that is the rule
        ("moved", np.int8),  # have armies moved into the conquered territory yet?
        ("border", np.int8),  # armies that a border should have
        ("sweep", np.int8),  # the continent that gets the next army
    ],
    align=True,
)
PLACING, ATTACKING, OCCUPYING, FORTIFYING = 0, 1, 3, 4
WHOLE = -1  # as a share: all armies move in
LEAST = 0  # only as many as must
ANYBODY = 1500  # armies with which a player attacks everybody, so that no match stands still
NO_ORDER = -1
UNMET = 99
GROWING, SPREADING, ALL_OUT = range(3)


@kernel
def opened(game, state, notes):
    """Begin new notes where a new turn or phase begins; returns whether a turn did."""
    turn = state.round * 8 + state.seat + 1
    begins = notes.turn != turn
    if begins:
        notes.turn, notes.phase = turn, -1
        notes.stopped, notes.goal, notes.head, notes.sweep = 0, NOWHERE, NOWHERE, 0
    changed = notes.phase != state.phase
    if changed and state.phase != OCCUPYING:
        notes.at, notes.root, notes.spreading, notes.phase = 0, NOWHERE, NOWHERE, state.phase
        notes.stage = GROWING
    return begins


@kernel
def some(kind, source, target, wanted, whole):
    """The order that moves as many as wanted, or the next part of them."""
    amount = ONE
    if wanted >= whole:
        amount = ALL
    elif whole >= 4 and wanted >= whole // 2:
        amount = HALF
    return order(kind, source, target, amount)


@kernel
def hit(notes, source, target, share):
    """Attack until one side is gone; `share` armies move in, unless the player (who has a `border`) has a rule of her
    own for that.
    """
    notes.share, notes.moved = share, 0
    return order(STORM if share == WHOLE and notes.border == 0 else FIGHT, source, target, NONE)


@kernel
def occupied(state, notes):
    """Move in as many armies as the attack was to bring."""
    lacking = notes.share - state.armies[state.target]
    if notes.share == LEAST or lacking <= 0:
        return order(OCCUPY, 0, 0, NONE)
    return some(OCCUPY, 0, 0, lacking, state.armies[state.source] - 1)


@kernel
def angry(game, state, notes, rng):
    """Everything beside the most foes; attack whoever is weaker; follow the front."""
    seat = state.seat
    opened(game, state, notes)
    if state.phase == PLACING:
        best = NOWHERE
        for t in range(game.size):
            if state.owner[t] == seat and (
                best == NOWHERE or foreign_near(game, state, t) > foreign_near(game, state, best)
            ):
                best = t
        return order(PLACE, best, 0, ALL)
    if state.phase == OCCUPYING:
        stays = foreign_near(game, state, state.source) > foreign_near(game, state, state.target)
        return order(OCCUPY, 0, 0, NONE if stays else ALL)
    if state.phase == ATTACKING:
        for step in range(game.size):
            t = (notes.at + step) % game.size
            if state.owner[t] == seat and state.armies[t] > 1:
                weakest = weakest_near(game, state, t)
                if weakest != NOWHERE and state.armies[t] > state.armies[weakest]:
                    notes.at = t + 1
                    return hit(notes, t, weakest, LEAST)
        return order(STOP, 0, 0, NONE)
    while notes.at < game.size:
        t = notes.at
        notes.at += 1
        if state.owner[t] == seat and min(state.movable[t], state.armies[t] - 1) > 0:
            best = NOWHERE
            for i in range(game.degree[t]):
                other = game.near[t, i]
                most = 0 if best == NOWHERE else foreign_near(game, state, best)
                if state.owner[other] == seat and foreign_near(game, state, other) > most:
                    best = other
            here = foreign_near(game, state, t)
            if best != NOWHERE and foreign_near(game, state, best) > here:
                return order(FORTIFY, t, best, ALL)
            if here == 0:
                return order(FORTIFY, t, game.near[t, below(rng, game.degree[t])], ALL)
    return order(END, 0, 0, NONE)


@kernel
def stop_by_placing(game, state, notes):
    """If a seat is dangerous and holds continents: note these, and place all before the cheapest of them."""
    best, best_cost, found = NOWHERE, 0, dangerous(game, state, state.seat)
    if found == NOWHERE:
        return NO_ORDER
    for home in range(game.lands):
        if holder(game, state, home) == found:
            notes.stopped |= 1 << home
            start, cost = way_in(game, state, state.seat, home)
            if start != NOWHERE and (best == NOWHERE or cost < best_cost):
                best, best_cost = start, cost
    return NO_ORDER if best == NOWHERE else order(PLACE, best, 0, ALL)


@kernel
def stop_by_attack(game, state, notes):
    """Break the continents of a dangerous seat, those of the highest bonus first."""
    seat = state.seat
    while notes.stopped != 0:
        if notes.goal == NOWHERE:
            for home in range(game.lands):
                if (notes.stopped >> home) & 1 and (notes.goal == NOWHERE or game.bonus[home] > game.bonus[notes.goal]):
                    notes.goal = home
            notes.at, notes.head = 0, NOWHERE
        goal = notes.goal
        while notes.at < game.size and not inside(game, state, seat, goal):
            t = notes.head if notes.head != NOWHERE and state.owner[notes.head] == seat else notes.at
            if state.owner[t] == seat and state.armies[t] > 1:
                step, cost = way_out(game, state, seat, t, goal)
                if step != NOWHERE and (cost < state.armies[t] or t == notes.head):
                    notes.at = t + 1 if t != notes.head else notes.at
                    notes.head = step
                    return hit(notes, t, step, WHOLE)
            if t == notes.head:
                notes.head = NOWHERE
            else:
                notes.at += 1
        notes.stopped &= ~(1 << goal) & 255
        notes.goal, notes.at = NOWHERE, 0
    return NO_ORDER


@kernel
def inside(game, state, seat, home):
    """Has the seat a territory of the continent?"""
    for t in range(game.first[home], game.first[home + 1]):
        if state.owner[t] == seat:
            return True
    return False


@kernel
def surrounded(game, state, t, seat):
    """How many neighbours of a territory are the seat's; all of them?"""
    count = 0
    for i in range(game.degree[t]):
        count += state.owner[game.near[t, i]] == seat
    return count


@kernel
def trio(game, state, notes, lands, count):
    """Expand into single weaker neighbours, fill holes, merge regions: the first such attack, or NO_ORDER."""
    seat = state.seat
    for k in range(count):
        t = np.int64(lands[k])
        if foreign_near(game, state, t) == 1:
            target = weakest_near(game, state, t)
            if state.armies[t] > max(1, state.armies[target]):
                return hit(notes, t, target, WHOLE)
    for k in range(count):
        t = np.int64(lands[k])
        for i in range(game.degree[t]):
            other = game.near[t, i]
            hole = state.owner[other] != seat and surrounded(game, state, other, seat) == game.degree[other]
            if hole and state.armies[t] > max(1, state.armies[other]):
                return hit(notes, t, other, LEAST)
    for k in range(count):
        t = np.int64(lands[k])
        if foreign_near(game, state, t) == 1:
            target = weakest_near(game, state, t)
            if surrounded(game, state, target, seat) >= 2:
                joined, first = 0, NOWHERE
                for i in range(game.degree[target]):
                    other = game.near[target, i]
                    if state.owner[other] == seat and foreign_near(game, state, other) == 1:
                        joined += state.armies[other]
                        if first == NOWHERE and state.armies[other] > 1:
                            first = other
                if joined > state.armies[target] and first != NOWHERE:
                    return hit(notes, first, target, WHOLE)
    return NO_ORDER


@kernel
def spread(game, state, notes, lands, count, factor):
    """Attack all foreign neighbours of a territory that outnumbers them together: the next such attack."""
    seat = state.seat
    while True:
        t = notes.spreading
        if t != NOWHERE and state.owner[t] == seat and state.armies[t] > 1:
            for i in range(game.degree[t]):
                other = game.near[t, i]
                if other >= notes.at and state.owner[other] != seat:
                    notes.at = other + 1
                    return hit(notes, t, other, notes.share if notes.share > 0 else 1)
        notes.spreading = NOWHERE
        for k in range(count):
            t, against, number = np.int64(lands[k]), 0, 0
            if state.armies[t] > 1:
                for i in range(game.degree[t]):
                    other = game.near[t, i]
                    if state.owner[other] != seat:
                        against += state.armies[other]
                        number += 1
                if number > 0 and state.armies[t] > factor * against:
                    notes.spreading, notes.at, notes.share = t, 0, state.armies[t] // number
                    break
        if notes.spreading == NOWHERE:
            return NO_ORDER


@kernel
def all_out(game, state, notes):
    """Attack wherever it is possible at all."""
    lands, count = scratch(MOST_TERRITORIES), 0
    if not outnumbers_all(game, state, state.seat) and armies_of(game, state, state.seat) <= ANYBODY:
        return NO_ORDER
    for t in range(game.size):
        if state.owner[t] == state.seat:
            lands[count] = np.uint64(t)
            count += 1
    found = trio(game, state, notes, lands, count) if notes.spreading == NOWHERE else NO_ORDER
    return found if found != NO_ORDER else spread(game, state, notes, lands, count, 0.01)


@kernel
def towards(game, state, notes, home):
    """Where an army goes that is to help in a continent: its weakest open border, its widest front, or the way in."""
    seat, best = state.seat, NOWHERE
    if holder(game, state, home) == seat:
        for t in range(game.first[home], game.first[home + 1]):
            fewest = best == NOWHERE or state.armies[t] < state.armies[best]
            if fewest and game.is_border[t] and not enclosed(game, state, seat, t):
                best = t
        return best if best != NOWHERE else game.first[home]
    most = 0
    for t in range(game.first[home], game.first[home + 1]):
        if state.owner[t] == seat:
            count = 0
            for i in range(game.degree[t]):
                other = game.near[t, i]
                count += game.home[other] == home and state.owner[other] != seat
            if count > most:
                best, most = t, count
    if best != NOWHERE:
        return best
    start, _ = way_in(game, state, seat, home)
    return start
