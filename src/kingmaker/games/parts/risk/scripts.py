"""Scripts of players of Risk, order by order: their notes, what they share, and the script of angry.

Each function takes a game, a state, the player's notes and a random stream, and gives the next order. Between two
orders only the notes are kept; everything else is read from the map again. All attacks go on until one side is gone.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.rng import below
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
    dangerous,
    enclosed,
    foreign_near,
    holder,
    way_in,
    way_out,
    weakest_near,
)

NOTES = np.dtype(
    [
        ("turn", np.int32),  # the turn that the notes are about: round and seat
        ("phase", np.int8),
        ("stage", np.int8),  # of the phase
        ("at", np.int16),  # how far a pass over the map has come
        ("beside", np.int8),  # and how far over the neighbours there
        ("wanted", np.uint8),  # continents, one bit each
        ("stopped", np.uint8),  # continents of a dangerous seat that are still to be broken
        ("goal", np.int8),  # the continent that a way leads to
        ("way", np.int8, (MOST_TERRITORIES,)),  # the way, from its source
        ("steps", np.int8),  # its length; 0 if there is none
        ("step", np.int8),  # how far it was gone
        ("root", np.int8),
        ("block", np.int8),  # what the present pass over a front attacks
        ("front", np.int8, (MOST_TERRITORIES,)),  # the front, as it was when the pass began
        ("fronts", np.int8),
        ("on", np.int8),  # how far the pass has come
        ("target", np.int8),  # the territory that several attack
        ("hits", np.int8),  # has the pass attacked? has the trio, have all passes?
        ("grown", np.int8),
        ("waved", np.int8),
        ("prey", np.int8),  # the seat that is hunted
        ("part", np.int16),  # armies that move into each neighbour
        ("share", np.int16),  # armies that move in where that is the rule
        ("moved", np.int8),  # have armies moved into the conquered territory yet?
        ("border", np.int8),  # armies that a border should have
        ("sweep", np.int8),  # the continent that gets the next army
    ],
    align=True,
)
PLACING, ATTACKING, OCCUPYING, FORTIFYING, DEPLOYING = 0, 1, 3, 4, 9
WHOLE = -1  # as a share: all armies move in
LEAST = 0  # only as many as must
NO_ORDER = -1
UNMET = 99
SAME, NEW_PHASE, NEW_TURN = range(3)
GROWING, SPREADING, HUNTING, ALL_OUT, DONE, FOR_A_CARD = range(6)  # stages
RESTING = 0  # no pass over a front is under way


@kernel
def opened(game, state, notes):
    """Begin new notes where a new turn or phase begins; returns NEW_TURN, NEW_PHASE or SAME."""
    turn = state.round * 8 + state.seat + 1
    begins = SAME
    if state.phase == DEPLOYING:  # armies before the first turn are placed like any others
        begins, notes.turn, notes.stopped = NEW_TURN, 0, 0
    elif notes.turn != turn:
        begins = NEW_TURN
        notes.turn, notes.phase = turn, -1
        notes.stopped, notes.goal, notes.steps, notes.sweep = 0, NOWHERE, 0, 0
    changed = notes.phase != state.phase
    if changed and state.phase != OCCUPYING:
        begins = max(begins, NEW_PHASE)
        notes.at, notes.beside, notes.root, notes.phase = 0, 0, NOWHERE, state.phase
        notes.stage, notes.block = GROWING, RESTING
    return begins


@kernel
def is_placing(state):
    return state.phase in (PLACING, DEPLOYING)


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
    if is_placing(state):
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
    """Break the continents of a dangerous seat, those of the highest bonus first, by the first way that leads there."""
    seat = state.seat
    while notes.stopped != 0:
        if notes.goal == NOWHERE:
            for home in range(game.lands):
                if (notes.stopped >> home) & 1 and (notes.goal == NOWHERE or game.bonus[home] > game.bonus[notes.goal]):
                    notes.goal = home
            notes.at, notes.steps = 0, 0
        arrived = False
        while not arrived and notes.at < game.size:
            if notes.steps == 0:
                notes.step, t = 0, notes.at
                if state.owner[t] == seat and state.armies[t] > 1:
                    notes.steps, cost = way_out(game, state, seat, t, notes.goal, notes.way)
                    if notes.steps > 0 and cost >= state.armies[t]:
                        notes.steps = 0
            if notes.steps > 0 and state.owner[notes.way[notes.step]] == seat:
                head = notes.way[notes.step]
                arrived = notes.step == notes.steps - 1
                if not arrived and state.armies[head] > 1:
                    notes.step += 1
                    return hit(notes, head, notes.way[notes.step], WHOLE)
            notes.at, notes.steps = notes.at + 1, 0
        notes.stopped &= ~(1 << notes.goal) & 255
        notes.goal, notes.at = NOWHERE, 0
    return NO_ORDER


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
