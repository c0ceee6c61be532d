"""The script of evil_pixie: she wants the continents that are nearly hers, guards their borders, and hunts the weak."""

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.games.parts.risk.orders import ALL, END, FORTIFY, NONE, OCCUPY, PLACE, STOP, order
from kingmaker.games.parts.risk.scripts import (
    ATTACKING,
    LEAST,
    NO_ORDER,
    OCCUPYING,
    PLACING,
    all_out,
    hit,
    occupied,
    opened,
    some,
    stop_by_attack,
    stop_by_placing,
    towards,
)
from kingmaker.games.parts.risk.surveying import (
    NOWHERE,
    armies_of,
    easiest,
    enclosed,
    foreign_near,
    holder,
    outnumbers_all,
    weakest_near,
)


@kernel
def want(game, state, notes, armies):
    """Note the continents that so many new armies might win."""
    seat, notes.wanted = state.seat, 0
    for home in range(game.lands):
        need = 0
        for t in range(game.size):
            if game.home[t] == home:
                need += -state.armies[t] if state.owner[t] == seat else state.armies[t]
            elif state.owner[t] == seat:
                for i in range(game.degree[t]):
                    if game.home[game.near[t, i]] == home:
                        need -= state.armies[t]
                        break
        if need * game.lands < armies:
            notes.wanted |= 1 << home


@kernel
def in_need(game, state, notes, home):
    """Does a wanted continent need help: is it not held, or has it an open border with too few armies?"""
    if holder(game, state, home) != state.seat:
        return True
    for t in range(game.first[home], game.first[home + 1]):
        if game.is_border[t] and state.armies[t] <= notes.border and not enclosed(game, state, state.seat, t):
            return True
    return False


@kernel
def level(game, state, notes):
    """Answer every foreign stack that nobody outnumbers; what is left goes round the front, one each."""
    seat = state.seat
    while notes.at < game.size:
        x = notes.at
        last, matched = NOWHERE, False
        for i in range(game.degree[x]):
            other = game.near[x, i]
            if state.owner[x] != seat and state.owner[other] == seat:
                last = other
                matched = matched or state.armies[other] > state.armies[x]
        if last != NOWHERE and not matched and state.armies[last] <= state.armies[x]:
            lacking = max(1, state.armies[x] - state.armies[last])
            if lacking in (1, state.reserve // 2) or lacking >= state.reserve:
                notes.at += 1
            return some(PLACE, last, 0, lacking, state.reserve)
        notes.at += 1
    for step in range(game.size):
        t = (notes.at - game.size + step) % game.size
        if state.owner[t] == seat and foreign_near(game, state, t) > 0:
            notes.at = game.size + t + 1
            return some(PLACE, t, 0, 1, state.reserve)
    return NO_ORDER


@kernel
def placed(game, state, notes, begins):
    """Where the next armies go."""
    seat = state.seat
    stopping = stop_by_placing(game, state, notes)
    if stopping != NO_ORDER:
        want(game, state, notes, 0)
        return stopping
    if outnumbers_all(game, state, seat):
        return level(game, state, notes)
    if begins:
        want(game, state, notes, state.reserve)
    if notes.wanted == 0:
        return order(PLACE, towards(game, state, notes, easiest(game, state, seat)), 0, ALL)
    for step in range(game.lands):
        home = (notes.sweep + step) % game.lands
        if (notes.wanted >> home) & 1 and in_need(game, state, notes, home):
            notes.sweep = home + 1
            return some(PLACE, towards(game, state, notes, home), 0, 1, state.reserve)
    return level(game, state, notes)


@kernel
def moved_in(game, state, notes):
    """How many armies follow into a conquered territory: by where the foes are, else by what is wanted."""
    if notes.moved:
        return occupied(state, notes)
    here, there = foreign_near(game, state, state.source), foreign_near(game, state, state.target)
    if here > there:
        return order(OCCUPY, 0, 0, NONE)
    if there > here:
        return order(OCCUPY, 0, 0, ALL)
    if here == 0:
        wants_here = (notes.wanted >> game.home[state.source]) & 1
        wants_there = (notes.wanted >> game.home[state.target]) & 1
        if wants_here != wants_there:
            return order(OCCUPY, 0, 0, NONE if wants_here else ALL)
    notes.moved, notes.share = 1, (state.armies[state.source] + state.armies[state.target]) // 2
    return occupied(state, notes)


@kernel
def attacked(game, state, notes):
    """The next attack: wanted continents, one on each continent that another holds, the weak, everybody."""
    seat = state.seat
    if notes.spreading != NOWHERE:
        return NO_ORDER
    while notes.at < game.size:
        x = notes.at
        home = game.home[x]
        if (notes.wanted >> home) & 1 and state.owner[x] != seat:
            for i in range(game.degree[x]):
                a = game.near[x, i]
                if state.owner[a] == seat and state.armies[a] > 1 and state.armies[a] > 1.3 * state.armies[x]:
                    return hit(notes, a, x, LEAST)
        notes.at += 1
        held_by = holder(game, state, home)
        if notes.at == game.first[home + 1] and held_by >= 0 and held_by != seat:
            for b in range(game.first[home], game.first[home + 1]):
                for i in range(game.degree[b]):
                    a = game.near[b, i]
                    if state.owner[a] == seat and state.armies[a] > max(1, state.armies[b]):
                        return hit(notes, a, b, LEAST)
    own = armies_of(game, state, seat)
    for x in range(game.size):
        if state.owner[x] != seat and own > 5 * armies_of(game, state, state.owner[x]):
            for i in range(game.degree[x]):
                a = game.near[x, i]
                if state.owner[a] == seat and state.armies[a] > 1:
                    return hit(notes, a, x, LEAST)
    return NO_ORDER


@kernel
def inwards(game, state, t):
    """How far a territory of a held continent is from the continent's borders, going inside it; 99 if too far."""
    if game.is_border[t]:
        return 0
    best = 99
    for i in range(game.degree[t]):
        other = game.near[t, i]
        if game.home[other] == game.home[t]:
            if game.is_border[other]:
                return 1
            for j in range(game.degree[other]):
                last = game.near[other, j]
                if game.home[last] == game.home[t] and game.is_border[last]:
                    best = min(best, 2)
    return best


@kernel
def fortified(game, state, notes):
    """Held continents send armies to their borders and balance these; elsewhere armies go where a foe is weakest."""
    seat = state.seat
    while notes.at < game.size:
        t = notes.at
        notes.at += 1
        spare = min(state.movable[t], state.armies[t] - 1)
        if state.owner[t] != seat or spare <= 0:
            continue
        best = NOWHERE
        if holder(game, state, game.home[t]) == seat:
            for i in range(game.degree[t]):
                other = game.near[t, i]
                nearer = game.home[other] == game.home[t] and inwards(game, state, other) < inwards(game, state, t)
                if nearer and best == NOWHERE:
                    best = other
        else:
            for i in range(game.degree[t]):
                other = game.near[t, i]
                if state.owner[other] == seat and holder(game, state, game.home[other]) == seat and best == NOWHERE:
                    best = other
            if best == NOWHERE:
                best = to_the_weakest(game, state, t)
        if best != NOWHERE:
            return order(FORTIFY, t, best, ALL)
    while notes.at < 2 * game.size:
        t = notes.at - game.size
        spare = min(state.movable[t], state.armies[t] - 1)
        if state.owner[t] == seat and spare > 0 and game.is_border[t] and holder(game, state, game.home[t]) == seat:
            for i in range(game.degree[t]):
                other = game.near[t, i]
                surplus = (state.armies[t] - state.armies[other]) // 2
                if game.home[other] == game.home[t] and game.is_border[other] and surplus > 0:
                    return some(FORTIFY, t, other, surplus, spare)
        notes.at += 1
    return order(END, 0, 0, NONE)


@kernel
def to_the_weakest(game, state, t):
    """The own neighbour beside the weakest foe, if the territory itself is beside none or a stronger one."""
    here = weakest_near(game, state, t)
    best, least = NOWHERE, 10**6 if here == NOWHERE else state.armies[here]
    for i in range(game.degree[t]):
        other = game.near[t, i]
        if state.owner[other] == state.owner[t]:
            foe = weakest_near(game, state, other)
            if foe != NOWHERE and state.armies[foe] < least:
                best, least = other, state.armies[foe]
    return best


@kernel
def evil_pixie(game, state, notes, rng):
    """The next order."""
    begins = opened(game, state, notes)
    if notes.border == 0:
        notes.border = 7 + below(rng, 15)
    if begins and state.phase != PLACING:
        want(game, state, notes, 0)
    if state.phase == PLACING:
        return placed(game, state, notes, begins)
    if state.phase == OCCUPYING:
        return moved_in(game, state, notes)
    if state.phase == ATTACKING:
        found = stop_by_attack(game, state, notes)
        if found == NO_ORDER:
            found = attacked(game, state, notes)
        if found == NO_ORDER:
            found = all_out(game, state, notes)
        return found if found != NO_ORDER else order(STOP, 0, 0, NONE)
    return fortified(game, state, notes)
