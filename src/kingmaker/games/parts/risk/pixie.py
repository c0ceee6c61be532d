"""The script of evil_pixie: she wants the continents that are nearly hers, guards their borders, and hunts the weak."""

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
from kingmaker.games.parts.risk.blocks import all_out, end_of_attack
from kingmaker.games.parts.risk.orders import ALL, END, FORTIFY, NONE, OCCUPY, PLACE, STOP, order
from kingmaker.games.parts.risk.scripts import (
    ALL_OUT,
    ATTACKING,
    GROWING,
    HUNTING,
    LEAST,
    NEW_PHASE,
    NEW_TURN,
    NO_ORDER,
    OCCUPYING,
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
    stopping = stop_by_placing(game, state, notes)
    if stopping != NO_ORDER:
        return stopping
    if begins == NEW_TURN:
        if outnumbers_all(game, state, state.seat):
            notes.stage = ALL_OUT
        else:
            want(game, state, notes, state.reserve)
    if notes.stage == ALL_OUT:
        return level(game, state, notes)
    if notes.wanted == 0:
        return order(PLACE, towards(game, state, notes, easiest(game, state, state.seat)), 0, ALL)
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
    """The next attack: on the dangerous, in wanted continents, on the weak, in the end on everybody."""
    found = stop_by_attack(game, state, notes)
    if found == NO_ORDER and notes.stage == GROWING:
        found = conquering(game, state, notes)
        if found == NO_ORDER:
            notes.stage, notes.prey, notes.at, notes.beside = HUNTING, 0, 0, 0
    if found == NO_ORDER and notes.stage == HUNTING:
        found = hunting(game, state, notes)
        if found == NO_ORDER:
            end_of_attack(game, state, notes)
    return all_out(game, state, notes) if found == NO_ORDER else found


@kernel
def conquering(game, state, notes):
    """Continent by continent: every attack with a margin if it is wanted, and one if another seat holds it whole."""
    seat = state.seat
    while notes.at < game.size:
        x = notes.at
        home = game.home[x]
        while (notes.wanted >> home) & 1 and state.owner[x] != seat and notes.beside < game.degree[x]:
            a = game.near[x, notes.beside]
            notes.beside += 1
            if state.owner[a] == seat and state.armies[a] > 1.3 * state.armies[x]:
                return hit(notes, a, x, LEAST)
        notes.at, notes.beside = notes.at + 1, 0
        held_by = holder(game, state, home)
        if notes.at == game.first[home + 1] and held_by >= 0 and held_by != seat:
            for b in range(game.first[home], game.first[home + 1]):
                for i in range(game.degree[b]):
                    a = game.near[b, i]
                    if state.owner[a] == seat and state.armies[a] > state.armies[b]:
                        return hit(notes, a, b, LEAST)
    return NO_ORDER


@kernel
def hunting(game, state, notes):
    """Seat by seat: attack every territory of one with less than a fifth of her armies, from all sides."""
    seat = state.seat
    while notes.prey < game.seats:
        begins = notes.at == 0 and notes.beside == 0
        strong = armies_of(game, state, seat) <= 5 * armies_of(game, state, notes.prey)
        if notes.prey == seat or (begins and strong):
            notes.at = game.size
        while notes.at < game.size:
            x = notes.at
            while state.owner[x] == notes.prey and notes.beside < game.degree[x]:
                a = game.near[x, notes.beside]
                notes.beside += 1
                if state.owner[a] == seat and state.armies[a] > 1:
                    return hit(notes, a, x, LEAST)
            notes.at, notes.beside = notes.at + 1, 0
        notes.prey, notes.at = notes.prey + 1, 0
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
    """Continent by continent: one that is held sends armies to its borders and balances these; elsewhere armies go to
    a neighbour in a held continent, or to where a foe is weakest.
    """
    seat = state.seat
    while notes.at < 2 * game.size:
        home = game.home[notes.at // 2]
        first, size = game.first[home], game.first[home + 1] - game.first[home]
        t = first + (notes.at - 2 * first) % size
        balancing, held = notes.at >= 2 * first + size, holder(game, state, home) == seat
        spare, best = min(state.movable[t], state.armies[t] - 1), NOWHERE
        if state.owner[t] == seat and spare > 0:
            for i in range(game.degree[t]):
                other = game.near[t, i]
                inside = game.home[other] == home
                if balancing:
                    surplus = (state.armies[t] - state.armies[other]) // 2
                    if held and inside and game.is_border[t] and game.is_border[other] and surplus > 0:
                        return some(FORTIFY, t, other, surplus, spare)
                elif best == NOWHERE and held:
                    if inside and inwards(game, state, other) < inwards(game, state, t):
                        best = other
                elif best == NOWHERE and holder(game, state, game.home[other]) == seat:
                    best = other
            if best == NOWHERE and not balancing and not held:
                best = to_the_weakest(game, state, t)
        notes.at += 1
        if best != NOWHERE:
            return order(FORTIFY, t, best, ALL)
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
    if is_placing(state):
        return placed(game, state, notes, begins)
    if begins == NEW_TURN or (begins == NEW_PHASE and notes.stopped != 0):
        want(game, state, notes, 0)
    if state.phase == OCCUPYING:
        return moved_in(game, state, notes)
    if state.phase == ATTACKING:
        found = attacked(game, state, notes)
        return found if found != NO_ORDER else order(STOP, 0, 0, NONE)
    return fortified(game, state, notes)
