"""Records matches of OpenSpiel's Chinese Checkers, whole turns, for a test to play along with.

Run by a Python that has open_spiel; Kingmaker is not needed and not used:

    python tests/games/chinese_checkers_by_open_spiel.py tests/golden/chinese_checkers_open_spiel.json
"""

import json
import random
import sys
import zlib

STOP = 726  # the action that ends a chain of hops


def turns(state):
    """Every (cell, goal) that a turn can come to, with a list of actions that leads there."""
    seat, found = state.current_player(), {}
    for action in state.legal_actions():
        if action == STOP:
            found[-1, -1] = [STOP]
            continue
        cell, seen = action // 6, {action // 6}
        follow(state, seat, cell, [action], seen, found)
    return found


def follow(state, seat, cell, actions, seen, found):
    after = state.clone()
    goal = int(after.action_to_string(seat, actions[-1]).replace("=>", "->").split("->")[1])
    after.apply_action(actions[-1])
    hopping = "hopping" in str(after)
    if (cell, goal) not in found:
        found[cell, goal] = [*actions, STOP] if hopping else actions
    elif not hopping or goal in seen:
        return
    seen.add(goal)
    if hopping:
        for action in after.legal_actions():
            if action != STOP:
                landing = int(after.action_to_string(seat, action).split("=>")[1])
                if landing not in seen:
                    follow(after, seat, cell, [*actions, action], seen, found)


def places(state):
    """Row and column of each cell in the picture."""
    rows = str(state).splitlines()[:17]
    return [(row, column) for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != " "]


def recorded(pyspiel, players, seed):
    """One match: mostly the turn that comes nearest to the far tip, sometimes any."""
    rng, state = random.Random(seed), pyspiel.load_game("chinese_checkers", {"players": players}).new_initial_state()
    spots = places(state)
    tips = {2: (120, 0), 3: (120, 98, 22), 4: (120, 98, 0, 22), 6: (120, 98, 10, 0, 22, 110)}[players]
    moves = []
    while not state.is_terminal():
        found = turns(state)
        row, column = spots[tips[state.current_player()]]

        def toil(cell, row=row, column=column):
            return 3 * (spots[cell][0] - row) ** 2 + (spots[cell][1] - column) ** 2

        choice = rng.choice(sorted(found))
        if rng.random() < 0.8:
            choice = min(sorted(found), key=lambda turn: toil(turn[1]) - toil(turn[0]))
        text = " ".join(f"{cell}-{goal}" for cell, goal in sorted(found))
        moves.append([*choice, len(found), zlib.crc32(text.encode())])
        for action in found[choice]:
            state.apply_action(action)
    return {"players": players, "turns": moves, "returns": state.returns()}


def main():
    import pyspiel

    matches = [recorded(pyspiel, players, seed) for players in (2, 3, 4, 6) for seed in (1, 2)]
    with open(sys.argv[1], "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(match, separators=(",", ":")) for match in matches) + "\n]\n")


if __name__ == "__main__":
    main()
