"""Paths of conquest: a number for each, the odds of how far one leads, and which look promising.

A path leads from a territory of one's own over foreign ones, each beside the one before. All survivors of a battle move
on and one army stays behind everywhere. Its number holds the source in six bits, the length in three, and for each step
in three bits which neighbour of the last territory is next.
"""

import numpy as np

from kingmaker.core.kernel import kernel
from kingmaker.core.scratch import scratch, scratch_floats
from kingmaker.games.parts.grid import BIT, NOTHING, popcount
from kingmaker.games.parts.risk.battle import FIT, WIDE, fought
from kingmaker.games.parts.risk.maps import MOST_TERRITORIES

LONGEST = 5
FORCE_LOST, DEFENDERS_LOST = 0.9208, 1.0792  # mean losses of a roll of three dice against two
BEAM = 6  # partial paths of one length that are followed from one source
LEAST_CHANCE = 0.35  # a step, or a path, that is less likely to succeed is not tried
HEADS, CODES, TAKEN = 0, 16, 32  # where the beam keeps its whole numbers; the second half of each is the next length
FORCES, CHANCES, SCORES = 0, 16, 32  # and its other numbers
BEAM_ROOM = 48
UNLIKELY = -1e300


@kernel
def source_of(path):
    return path & 63


@kernel
def length_of(path):
    return path >> 6 & 7


@kernel
def next_on(game, path, step, t):
    """The territory after `t` on a path."""
    return game.near[t, path >> (9 + 3 * step) & 7]


@kernel
def lengthened(path, step, neighbour):
    """The path with one step more, to that neighbour of its last territory."""
    return path + (1 << 6) + (neighbour << (9 + 3 * step))


@kernel
def odds_of(game, state, path, chance, front, left):
    """The odds of a path: chance[j] is the probability that exactly j territories are taken, front[j] the mean number
    of armies that stand at its head then, left[j] the mean number of defenders in the next territory.

    The first battle is fought; each further one only by a force that wins it with probability `game.nerve` at least.
    The distribution over forces is carried along exactly; of a force above FIT only the mean.
    """
    forces, won, held = scratch_floats(WIDE), scratch_floats(WIDE), scratch_floats(WIDE)
    for i in range(WIDE):
        forces[i] = 0.0
    length, t = length_of(path), source_of(path)
    force = state.armies[t] + state.reserve - 1
    for j in range(length + 1):
        chance[j] = front[j] = left[j] = 0.0
    most = 0
    if force <= FIT:
        forces[force], most = 1.0, force
    for j in range(length):
        t = next_on(game, path, j, t)
        defenders = state.armies[t]
        if most == 0:
            rolls = max((force - FIT) / FORCE_LOST, (defenders - FIT) / DEFENDERS_LOST)
            if defenders - DEFENDERS_LOST * rolls < 1.0:
                force = int(force - defenders * FORCE_LOST / DEFENDERS_LOST + 0.5) - 1
                if force <= FIT:
                    force = max(0, force)
                    forces[force], most = 1.0, max(1, force)
                continue
            most = max(1, int(force - FORCE_LOST * rolls + 0.5))
            defenders = min(FIT, int(defenders - DEFENDERS_LOST * rolls + 0.5))
            forces[most] = 1.0
        for i in range(most + 1):
            if forces[i] > 0.0 and (
                i == 0 or defenders > FIT or (j > 0 and game.win[i, min(FIT, defenders)] < game.nerve)
            ):
                chance[j] += forces[i]
                front[j] += forces[i] * (i + 1)
                left[j] += forces[i] * defenders
                forces[i] = 0.0
        if defenders > FIT:
            break
        for i in range(max(most, defenders) + 1):
            won[i] = held[i] = 0.0
        fought(forces, most, defenders, won, held)
        for i in range(1, defenders + 1):
            chance[j] += held[i]
            front[j] += held[i]
            left[j] += held[i] * i
        for i in range(most):
            forces[i] = won[i + 1]
        forces[most] = 0.0
        most = max(1, most - 1)
    if most == 0:
        chance[length], front[length] = 1.0, force + 1.0
    for i in range(most + 1):
        chance[length] += forces[i]
        front[length] += forces[i] * (i + 1)
    for j in range(length + 1):
        if chance[j] > 0.0:
            front[j] /= chance[j]
            left[j] /= chance[j]


@kernel
def looked_up(table, force, defenders):
    """A battle table between two whole forces."""
    low = int(force)
    part = force - low
    return table[low, defenders] * (1.0 - part) + table[min(FIT, low + 1), defenders] * part


@kernel
def gain(game, holders, own, t):
    """What taking a territory adds to one's growth or takes from another's, in armies a turn."""
    home = game.home[t]
    size, bonus = game.first[home + 1] - game.first[home], game.bonus[home]
    mine = popcount(own & game.home_bits[home])
    before, after = mine / size, (mine + 1.0) / size
    value = 1.0 / 3.0 - 0.3 * bonus * before**5
    value += 3.2 * bonus if mine + 1 == size else 0.3 * bonus * after**5
    if mine == 0 and holders[home] > 0:
        value += 2.4 * bonus
    return value


@kernel
def follow(game, state, seat, source, own, holders, worth, best_scores, best_paths):
    """Try paths from one source by a beam, and keep the best one to every destination.

    Forces are carried as means. A step counts its chance to be reached times what it gains, less the armies it costs,
    plus a part of those it kills; `worth` is what one army a turn is worth in armies.
    """
    whole, real = scratch(BEAM_ROOM), scratch_floats(BEAM_ROOM)
    count, now, then = 1, 0, 8
    whole[HEADS], whole[CODES], whole[TAKEN] = np.uint64(source), np.uint64(source), NOTHING
    real[FORCES], real[CHANCES], real[SCORES] = state.armies[source] + state.reserve - 1.0, 1.0, 0.0
    for step in range(LONGEST):
        found = 0
        for k in range(count):
            t, force = np.int64(whole[HEADS + now + k]), real[FORCES + now + k]
            for i in range(game.degree[t]):
                other = game.near[t, i]
                taken = whole[TAKEN + now + k]
                if (own | taken) & BIT[other] != NOTHING or force < 1.0:
                    continue
                defenders = state.armies[other]
                if force > FIT or defenders > FIT:
                    win = 1.0 if force * 1.1 > defenders else 0.0
                    alive = max(1.0, force - defenders * FORCE_LOST / DEFENDERS_LOST)
                    still = 1.0
                else:
                    win = looked_up(game.win, force, defenders)
                    alive = looked_up(game.alive, force, defenders)
                    still = looked_up(game.still, force, defenders)
                chance = real[CHANCES + now + k]
                if win < LEAST_CHANCE or chance * win < LEAST_CHANCE:
                    continue
                score = real[SCORES + now + k] + chance * (
                    win * worth * gain(game, holders, own | taken, other)
                    - 0.8 * (force - win * alive)
                    + 0.25 * (defenders - (1.0 - win) * still)
                )
                code = lengthened(np.int64(whole[CODES + now + k]), step, i)
                if score > best_scores[other]:
                    best_scores[other], best_paths[other] = score, np.uint64(code)
                at = found
                if found == BEAM:
                    at = 0
                    for m in range(1, BEAM):
                        if real[SCORES + then + m] < real[SCORES + then + at]:
                            at = m
                    if score <= real[SCORES + then + at]:
                        continue
                else:
                    found += 1
                whole[HEADS + then + at], whole[CODES + then + at] = np.uint64(other), np.uint64(code)
                whole[TAKEN + then + at] = taken | BIT[other]
                real[FORCES + then + at], real[CHANCES + then + at] = alive - 1.0, chance * win
                real[SCORES + then + at] = score
        count, now, then = found, then, now


@kernel
def promising(game, state, seat, best_scores, best_paths):
    """Write the best path to every destination in reach, by a quick score; UNLIKELY where there is none."""
    holders = scratch(MOST_TERRITORIES)
    own, armies = NOTHING, 0
    for t in range(game.size):
        best_scores[t] = UNLIKELY
        armies += state.armies[t]
        if state.owner[t] == seat:
            own |= BIT[t]
    for home in range(game.lands):
        holder = state.owner[game.first[home]]
        for t in range(game.first[home], game.first[home + 1]):
            if state.owner[t] != holder:
                holder = seat
        holders[home] = np.uint64(0 if holder == seat else 1)
    for source in range(game.size):
        front = own & BIT[source] != NOTHING and game.near_bits[source] & ~own != NOTHING
        if front and state.armies[source] + state.reserve > 1:
            follow(game, state, seat, source, own, holders, armies / 28.0, best_scores, best_paths)
