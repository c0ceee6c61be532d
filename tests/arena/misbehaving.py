"""A game whose moves do to their worker what their name says; played by agents that do nothing wrong."""

import math
import os
import signal
import time

from kingmaker import OVER, Facts, Game


class Table:
    """The state: how many moves were made."""

    def __init__(self):
        self.made = 0


class Wild(BaseException):
    """What no `except Exception` catches."""


class Misbehaving(Game):
    """Each seat moves once; in one of four starts `fault` happens, in the method that `where` names."""

    State = Table
    max_moves = 2
    facts = Facts(seats=(2, 8), low=0.0, high=1.0)

    def __init__(self, seats=2, fault="crash", where="play", moment=0.0):
        self.seats, self.fault, self.where, self.moment = seats, fault, where, moment

    def start(self, state, rng):
        state.word = int(rng.word)
        state.chosen = state.word % 4 == 0
        if self.where == "start":
            self.happen()

    def mover(self, state):
        return state.made if state.made < self.seats else OVER

    def moves(self, state, seat, out):
        if self.where == "moves" and state.chosen and state.made == 1:
            self.happen()
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, seat, move):
        time.sleep(self.moment)
        if self.where == "play" and state.chosen and state.made == 1:
            self.happen()
        state.made += 1

    def happen(self):
        if self.fault == "crash":
            raise ZeroDivisionError("nothing to divide by")
        if self.fault == "leave":
            raise SystemExit(3)
        if self.fault == "interrupt":
            raise KeyboardInterrupt
        if self.fault == "wild":
            raise Wild("no exception of the usual kind")
        if self.fault == "sleep":
            time.sleep(3600)
        if self.fault == "loop":
            while True:
                pass
        if self.fault == "exit":
            os._exit(9)
        if self.fault == "kill":
            os.kill(os.getpid(), signal.SIGKILL)

    def payoff(self, state, out):
        for seat in range(self.seats):
            out[seat] = 1.0 if (state.word >> 8) % self.seats == seat else 0.0
        if self.where == "payoff" and state.chosen:
            self.happen()
            out[0] = {"undefined": math.nan, "infinite": -math.inf}.get(self.fault, out[0])

    def notation(self, state):
        return f"{state.word} {state.made}"

    def position(self, text):
        state = Table()
        state.word, state.made = map(int, text.split())
        state.chosen = state.word % 4 == 0
        return state
