"""Card games: random hands per second beside OpenSpiel's, the time of a redeal, the bytes of a state, and the seconds
that a hand takes: with open cards at depth 8, to the end of the trick, and with hidden cards by PIMC.

Hands are dealt and played by random cards on both sides; OpenSpiel has no Spades for single seats. Redeals are timed
one by one at positions of random hands, for every seat.
"""

import random
import time
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from bench import peer
from bench.interleaved import Run, Runner, race
from bench.random_hands import dealer
from bench.row import Row, at_least, at_most
from kingmaker import load_agent, load_game
from kingmaker.core.game import CHANCE, OVER, Game
from kingmaker.core.rng import below, stream
from kingmaker.core.secrets import redealt
from kingmaker.core.turn import rolled

GAMES = {"hearts": -26.0, "spades": 130.0, "go_fish": 13.0}  # and the sum of all payoffs
THEIRS = "hearts(pass_cards=False,must_break_hearts=False,no_pts_on_first_trick=False)"
PEERS = {"hearts": THEIRS, "go_fish": "go_fish(players=3,initial_cards=5)"}
TIMES_LOOP, TIMES_BOTS = 10.0, 2.0  # our hands per second over OpenSpiel's
TYPICAL, WORST, BYTES = 20.0, 1000.0, 512  # microseconds, microseconds, bytes of a state
LONG = 100.0  # microseconds; redeals that take longer are timed again
FISHING = ("go_fish", "go_fish(seats=2)", "go_fish(seats=6)")
VARIANTS = ("hearts", "hearts(rules='parlour')", "spades", "spades(bids=True, nil=True, bags=True)")
WORLDS, SECONDS = "pimc(maxn(depth=6), deals=20, by=mean)", 2.0  # of a hand on one core
SEARCHES = ("maxn(depth=8, quiet=3)", "max_prob(depth=8, quiet=3)")
ALIKE = {"hearts": "composition(rank=0, standing=1)", "spades": "holding(rank=0, standing=1)"}  # for equivalent cards


def run(quick: bool) -> Iterator[Row]:
    yield from hands(3 if quick else 9, 20_000, 40)
    for text in (*VARIANTS, *FISHING):
        game = load_game(text)
        yield at_most(f"{text}: a state", game.State.itemsize, f"{game.State.itemsize} bytes", BYTES, " bytes")
    for text in (*VARIANTS[:3], *FISHING):
        yield from redeals(load_game(text), 5_000 if quick else 100_000)
    row = whole_hand(load_game("hearts"), WORLDS, 1 if quick else 3)
    yield at_most(row.what, row.value, row.text, SECONDS, " s")
    for name, alike in ALIKE.items():
        for agent in (*SEARCHES, f"maxn(depth=8, quiet=3, estimate='{alike}')"):
            yield whole_hand(load_game(f"{name}(open=True)"), agent, 1)


def hands(rounds: int, ours: int, theirs: int) -> Iterator[Row]:
    """Random hands per second, ours in one call for many hands, OpenSpiel's by the usual loop and by its bots."""
    runners = [Runner(name, in_one_call(load_game(name), total, ours)) for name, total in GAMES.items()]
    for name, text in PEERS.items() if peer.installed() else ():
        runners.append(Runner(f"{name}, open_spiel", partial(loop, text, theirs)))
        runners.append(Runner(f"{name}, open_spiel's bots", partial(bots, text, theirs)))
    best = race(runners, rounds)
    for name, found in best.items():
        yield Row(f"{name}: random hands", found.speed, f"{found.speed:,.0f} hands/s".replace(",", " "))
    for name, (who, least) in product(PEERS, (("open_spiel", TIMES_LOOP), ("open_spiel's bots", TIMES_BOTS))):
        if f"{name}, {who}" in best:
            ratio = best[name].speed / best[f"{name}, {who}"].speed
            yield at_least(f"{name}: random hands, ratio to {who}", ratio, f"{ratio:.1f}", least, "")


def in_one_call(game: Game, total: float, count: int) -> Any:
    """A run of so many random hands in one call; a hand with another sum of payoffs is a fault."""
    play = dealer(game, 1)

    def timed() -> Run:
        started = time.perf_counter()
        wrong = play(count, total)
        seconds = time.perf_counter() - started
        if wrong:
            raise AssertionError(f"{wrong} of {count} hands of {game} do not pay {total:g} in all")
        return Run(count, seconds)

    return timed


def loop(text: str, count: int) -> Run:
    """Hands by the usual loop in Python over OpenSpiel's legal actions, the deal drawn card by card."""
    import pyspiel

    rng, game = random.Random(1), pyspiel.load_game(text)
    started = time.perf_counter()
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return Run(count, time.perf_counter() - started)


def bots(text: str, count: int) -> Run:
    """Hands of OpenSpiel's random bots, each dealt and played in C++ by one call."""
    import pyspiel

    game = pyspiel.load_game(text)
    players = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    started = time.perf_counter()
    for seed in range(count):
        pyspiel.evaluate_bots(game.new_initial_state(), players, seed)
    return Run(count, time.perf_counter() - started)


def redeals(game: Game, count: int) -> Iterator[Row]:
    """The median and the longest time of a redeal, by the clock of the processor. One that seems long is repeated with
    the same luck, and its shortest time counts: the others are interrupts of the machine.
    """
    times, rng = [], stream(1, "worlds")
    deal = redealt.compiled.direct(game, game.new(), 0, rng)
    deal(game, game.new(), 0, rng)

    def timed(state: Any, seat: int, luck: int) -> float:
        world, rng.word = game.copy(state), luck
        started = time.thread_time_ns()
        deal(game, world, seat, rng)
        return (time.thread_time_ns() - started) / 1000

    for state in on_the_way(game):
        for seat in range(game.seats):
            luck = int(rng.word)
            times.append(timed(state, seat, luck))
            if times[-1] > LONG:
                times[-1] = min(times[-1], *(timed(state, seat, luck) for _ in range(4)))
        if len(times) >= count:
            break
    typical, worst = float(np.median(times)), max(times)
    yield at_most(f"{game}: a redeal, typical", typical, f"{typical:.1f} µs", TYPICAL, " µs")
    yield at_most(f"{game}: a redeal, the longest of {len(times)}", worst, f"{worst:.0f} µs", WORST, " µs")


def on_the_way(game: Game, seed: int = 0) -> Iterator[Any]:
    """Positions of random hands, one after the other, without an end; the first deal has this number."""
    rng = stream(2, "way")
    while True:
        state = game.new(seed)
        seed += 1
        with np.errstate(over="ignore"):
            while game.mover(state) != OVER:
                yield state
                mover, legal = game.mover(state), game.legal(state)
                game.play(state, mover, rolled(game, state, rng) if mover == CHANCE else legal[below(rng, len(legal))])


def whole_hand(game: Game, agent: str, count: int) -> Row:
    """The seconds that one core takes for a hand of four such agents, the mean of some hands."""
    search = load_agent(agent)
    search.prepare(game)
    started = time.process_time()
    for seed in range(count):
        state = game.new(seed)
        while game.mover(state) != OVER:
            state = game.after(state, search.decide(game, state).move)
    seconds = (time.process_time() - started) / count
    return Row(f"{game}, four of {agent}: a hand", seconds, f"{seconds:.2f} s")
