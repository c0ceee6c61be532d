"""The page in a real browser: Debian's chromium, driven by playwright, without a download of its own.

A missing browser is a reported skip, and a failure where the environment variable CI is set.
"""

import asyncio
import os
import queue
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import aiohttp
import numpy as np
import pytest
from bench.page import opened as opened_tab
from bench.page import plain_environment
from socketio.exceptions import SocketIOError

from kingmaker import load_game
from kingmaker.arena.experiment.code import code_parts, versions
from kingmaker.arena.experiment.declaration import read_experiment
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.store import claim_store
from kingmaker.arena.running.run import run_experiment
from kingmaker.core.game import OVER
from kingmaker.core.rng import stream
from kingmaker.games import GAMES

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LIVE = '[aria-live="polite"]'
SIGN = """
['[aria-live="polite"]', '.km-moves', '.km-options', '.km-board'].map((each) => {
  const found = document.querySelector(each);
  return found ? found.innerHTML : '';
}).join('|')
"""
CHANGED = f"(before) => ({SIGN}) !== before"
CLICK = f"""
() => {{  // at once, for what is shown may change between two calls, and a second click may take the first one back
  const before = {SIGN};
  const text = document.querySelector('[aria-live="polite"]').innerText;
  if (!text.includes('your move')) return [before, text];
  const lit = [...document.querySelectorAll('.km-board .k-lit')];
  const all = lit.length ? lit : [...document.querySelectorAll('.km-options button')];
  if (all.length) all[0].dispatchEvent(new MouseEvent('click', {{ bubbles: true }}));
  return [before, text];
}}
"""
PATIENCE = 300_000  # milliseconds; a busy machine is no fault

pytestmark = pytest.mark.browser


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


EXPERIMENT = """
question = "Who wins at sticks?"
game = "sticks(seats=2, sticks=5)"
starts = 10
[agents]
one = "random"
two = "random"
"""


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    """An experiment of which nothing was played yet, and its store."""
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "small.toml").write_text(EXPERIMENT)
    declared = read_experiment(folder / "small.toml")

    with claim_store(folder / "small.db", declared, code_parts(schedule_of(declared.as_text())), versions()):
        pass
    return declared, folder / "small.db"


@contextmanager
def served(command, **where):
    """A process that serves the page at the port that is its last argument, and the address."""
    port = free_port()
    with subprocess.Popen([*command, str(port)], env=plain_environment(), **where) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            while True:
                try:
                    urlopen(f"{address}/gallery/none").close()
                except HTTPError:
                    break  # it answers
                except OSError:
                    assert process.poll() is None
                    time.sleep(0.1)
            yield process, address
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def server(tmp_path_factory, experiment):
    """The page as an operator starts it, in a process of its own."""
    log = tmp_path_factory.mktemp("server") / "log"
    command = [sys.executable, "-m", "kingmaker", "serve", "--store", str(experiment[1]), "--port"]
    with log.open("w") as told, served(command, stdout=told, stderr=told) as (_, address):
        yield address
        assert "Traceback" not in log.read_text()


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("there is no chromium; install it with apt-get install chromium")
        pytest.skip("there is no chromium, so the page is not tested in a browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture
def opened(browser, server):
    """Opens a view; afterwards nothing was asked of other servers and nothing was complained of."""
    faults, contexts = [], []

    def open_view(path, width=1440, scheme="light", heard=None):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("request", lambda each: faults.append(each.url) if not each.url.startswith((server, "data:")) else None)
        if heard is not None:
            page.on("websocket", lambda wire: wire.on("framereceived", lambda frame: heard.append(str(frame))))
            page.on("response", lambda answer: heard.append(answer.text()) if "text/html" in kind(answer) else None)
        page.goto(server + path)
        return page

    def kind(answer):
        return answer.headers.get("content-type", "")

    yield open_view
    for context in contexts:
        context.close()
    assert faults == []


ENDGAME = "4k3/8/8/8/8/8/8/R3K3 w - - 97 80"  # three plies before the rule of fifty moves
LATE = "six turns before the end of a random match"
MATCHES = [
    ("abalone(rounds=2)", ""),
    ("backgammon(layout='hyper')", ""),
    ("bingo(seats=2)", LATE),
    ("chess", ENDGAME),
    ("chinese_checkers(seats=3, radius=2, rounds=3)", ""),
    ("explicit_tree(tree=[[[5, 3, 2], [7, 2, 1]], [[3, 5, 2], [6, 4, 0]]])", ""),
    ("go_fish(seats=2, ranks=4)", ""),
    ("hearts(ranks=4)", ""),
    ("light_bike(seats=3, width=4, height=4, starts='distinct')", ""),
    ("random_tree(chance=2)", ""),
    ("risk(map='duel', seats=2, armies=3, limit=2)", ""),
    ("series(sticks(sticks=5), hands=2)", ""),
    ("spades(ranks=3)", ""),
    ("sticks", ""),
]


def test_every_game_is_among_those_that_are_played():
    assert {game.partition("(")[0] for game, _ in MATCHES} == set(GAMES)


def late(game):
    """A position shortly before the end of a match."""
    state, rng, out, before = game.new(5), stream(5, "late"), np.zeros(game.max_moves, np.int32), []
    with np.errstate(over="ignore"):
        while (seat := game.mover(state)) != OVER:
            before.append(game.notation(state))
            game.play(state, seat, game.any_move(state, seat, rng, out) if seat >= 0 else game.roll(state, rng))
    return before[-6]


def play_out(page):
    """Click on what is lit until the match is over; every click waits for its effect."""
    page.locator(LIVE).first.wait_for()
    while True:
        before, text = page.evaluate(CLICK)
        if "wins" in text or "share" in text:
            return text
        page.wait_for_function(CHANGED, arg=before)


@pytest.mark.parametrize(("game", "position"), MATCHES, ids=[game.partition("(")[0] for game, _ in MATCHES])
def test_a_match_is_played_to_its_end_by_clicks(game, position, opened):
    players = "|".join(["person", *["random"] * (load_game(game).seats - 1)])
    position = late(load_game(game)) if position == LATE else position
    page = opened(f"/play?game={quote(game)}&players={quote(players)}&seed=5&position={quote(position)}")
    assert "payoffs" in play_out(page)
    assert page.locator(".km-moves [data-at]").count() >= 2


def test_hidden_cards_are_not_in_the_traffic(opened):
    """Of 16 cards a person has 4, and at most 4 lie in the trick; without hiding, every picture would show all."""
    heard = []
    page = opened("/play?game=hearts(ranks=4)&players=person|random|random|random", heard=heard)
    page.locator(".k-lit").first.wait_for()
    for _ in range(3):
        before, _ = page.evaluate(CLICK)
        page.wait_for_function(f"{CHANGED} && document.querySelector('.k-lit')", arg=before)
    pictures = [frame for frame in heard if "k-card" in frame]
    assert len(pictures) >= 4
    for frame in pictures:
        assert 0 < frame.count("k-card k-edge") <= 8
    assert not any("seed=" in frame for frame in heard), "the deal could be made again from it"


RUBBISH = [
    *(None, 7, -1, 2**60, 0.5, True, [], ["1"], {}, {"spot": "1"}),
    *("", "x" * 3000, "<b>", "\0", "row 1", "9,9", "∞"),
]
ADDRESSES = [
    "/play?game=%00",
    "/play?game=../../etc/passwd",
    "/play?game=sticks&players=" + "|" * 400,
    "/play?game=sticks&moves=" + "0:1;" * 300,
    "/play?game=sticks&seed=99999999999999999999",
    "/play?game=sticks&position=%ff%fe",
    "/analyse?game=((((&seconds=nan&positions=99999999",
    "/tree?game=sticks&agent=uci(sh)&at=-5",
    "/experiments?store=../small&first=-1",
    "/experiments?paper=../../etc",
    "/replay?store=small&match=1e9&turn=x",
    "/about?games=../../../etc/passwd",
    "/about?algorithms=" + "a" * 5000,
]
MATCH = "/play?game=sticks&players=person|random|random&seed=5"


async def pester(server):
    """Send ten thousand events that no page would send, and bad addresses; then play on in a new tab.

    A tab that sends without a pause may miss the server's question whether it is still there, and is then gone for the
    server; so a new tab goes on where one was closed.
    """
    luck, sent = random.Random(11), 0
    while sent < 10_000:
        async with opened_tab(server, MATCH) as tab:
            try:
                for _ in range(1000):
                    word = luck.choice(RUBBISH) if sent % 3 else luck.choices(RUBBISH, k=3)
                    await tab.send(luck.choice([tab.board, tab.options]), word)
                    sent += 1
                    await asyncio.sleep(0)
            except SocketIOError:
                continue
    async with aiohttp.ClientSession() as session:
        for path in ADDRESSES:
            async with session.get(server + path) as answer:
                assert answer.status == 200, path
                await answer.read()
    async with opened_tab(server, MATCH) as tab:
        return await tab.click(luck, seconds=PATIENCE / 1000)


def test_ten_thousand_malformed_events_and_bad_addresses_are_survived(server):
    with ThreadPoolExecutor(1) as pool:  # the main thread has playwright's event loop
        assert pool.submit(asyncio.run, pester(server)).result() is not None


def test_the_algorithms_answer_one_by_one_and_tell_why(opened):
    tree = quote("explicit_tree(tree=[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]],[[6,4,0],[2,3,5]]])")
    page = opened(f"/analyse?game={tree}&seconds=0.05")
    page.get_by_text("paranoid plays 0 and not 2").wait_for()
    assert page.locator(".km-table tbody tr").count() >= 10


TREE = quote("explicit_tree(tree=[[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]]],[[[6,4,0],[2,3,5]],[[1,2,3],[3,2,1]]]])")


def test_a_tree_is_opened_three_levels_by_the_mouse_and_walked_by_keys(opened):
    page = opened(f"/tree?game={TREE}&agent=maxn(depth=3)")
    canvas = page.locator("canvas")
    canvas.wait_for()
    page.get_by_role("button", name="Close").click()
    page.wait_for_function("document.querySelector('canvas').dataset.nodes == 3")
    for row, count in ((8, 5), (9, 7), (1, 9)):
        x, y = page.evaluate("(row) => getElement(+document.querySelector('canvas').id.slice(1)).spot(row)", row)
        canvas.click(position={"x": x, "y": y})
        page.wait_for_function("(count) => document.querySelector('canvas').dataset.nodes == count", arg=count)
    page.get_by_text("seat 1 is to move; seat 0: 3, seat 1: 5, seat 2: 2").wait_for()
    canvas.focus()
    page.keyboard.press("ArrowDown")
    page.get_by_text("0 → 0", exact=True).wait_for()
    page.wait_for_url("**at=2")
    with page.expect_download() as saved:
        page.get_by_role("button", name="SVG").click()
    assert saved.value.suggested_filename == "tree.svg"


def test_an_experiment_is_followed_to_its_end(opened, experiment):
    declared, path = experiment
    page = opened("/experiments?store=small", width=390)
    page.get_by_text("0 of 20 matches, 0 failed").wait_for()
    page.get_by_text("It is read again every two seconds.").wait_for()
    run_experiment(declared, path, workers=1)
    page.get_by_text("20 of 20 matches, 0 failed").wait_for()
    page.locator(".km-plots svg").nth(1).wait_for()
    page.get_by_role("link", name="19", exact=True).click()
    page.get_by_text("Turn 1 of").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Turn 2 of").wait_for()
    page.wait_for_url("**turn=1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_lit_spots_answer_to_the_keyboard_and_arrows_look_back(opened):
    page = opened("/play?game=sticks&players=person|random|random&seed=5")
    page.locator(".k-lit").first.focus()
    page.keyboard.press("Enter")
    page.locator(".km-moves [data-at]").nth(2).wait_for()
    page.locator("body").click(position={"x": 5, "y": 400})
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Before turn 3 of 3").wait_for()
    assert "moves=0%3A" in page.url, "the address holds the match"


ENDLESS = """
import sys
from kingmaker.core.guard import interpret
from kingmaker.web import caps, desk, server, sitting

caps.MOST_SECONDS = desk.MOST_SECONDS = 1e9  # no search ends by itself
think, game = sitting.Sitting.think, caps.Known.game

def interpreted(self, text):
    found = game(self, text)
    interpret(found)
    return found

def told(self, watch=None):
    print("begun", flush=True)
    think(self, watch)
    print("ended", flush=True)

sitting.Sitting.think, caps.Known.game = told, interpreted
server.serve(port=int(sys.argv[1]))
"""


def test_a_closed_tab_stops_its_search_in_the_server(browser):
    """The search has no limit, so that it ends only because nobody waits for it."""
    with served([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE) as (process, address):
        said = queue.Queue()
        threading.Thread(target=lambda: [said.put(line.strip()) for line in process.stdout], daemon=True).start()
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        players = quote("person|mcts(seconds=1000000, solver=false)|random")
        page.goto(f"{address}/play?game=sticks&players={players}&seed=5")
        page.locator(".k-lit").first.wait_for()
        page.evaluate(CLICK)
        assert said.get(timeout=PATIENCE / 1000) == b"begun"
        page.get_by_text("The agents are thinking").wait_for()
        page.close()
        assert said.get(timeout=PATIENCE / 1000) == b"ended"


VIEWS = {  # an address, and what is there once the view is complete
    "/": "button:has-text('Only watch')",
    "/play?game=hearts&players=person|random|random|random": ".k-lit",
    "/gallery": ".km-small svg",
    "/analyse": ".km-board svg",
    f"/tree?game={TREE}&agent=maxn(depth=3)": "canvas",
    "/experiments?store=small": ".km-table table",
    "/experiments?paper=multi_minimax/fig8": ".km-table table",
    "/about?algorithms=paranoid": ".km-docs h1",
}


NAMELESS = """
() => [...document.querySelectorAll('button, a[href], input, canvas, [role=slider], [role=img], .k-lit')]
  .filter((each) => {
    const told = [each.getAttribute('aria-label'), each.textContent, each.closest('label')?.textContent];
    return !told.some((text) => text && text.trim()) && each.offsetParent !== null;
  })
  .map((each) => each.outerHTML.slice(0, 200))
"""
PALE = """
() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number).concat([1]).slice(0, 4);
  const over = (top, below) => top.slice(0, 3).map((each, i) => each * top[3] + below[i] * (1 - top[3]));
  const ground = (node) => {
    if (!node) return [255, 255, 255];
    const own = parts(getComputedStyle(node).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(node.parentElement));
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((each) => (each /= 255) <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const node of document.querySelectorAll('body *:not(svg *)')) {
    const own = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
    if (!own || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const below = ground(node);
    const [one, other] = [light(over(parts(getComputedStyle(node).color), below)), light(below)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) found.push([node.textContent.trim().slice(0, 60), Math.round(10 * ratio) / 10]);
  }
  return found;
}
"""


def test_views_fit_a_phone_and_a_desk_in_light_and_dark(opened, server):
    """All in one tab, which keeps what it has loaded. Nothing is wider than the window, everything that can be used has
    a name for screen readers, and the contrast of all text outside of drawings is at least 4.5.
    """
    page = opened("/", width=390)
    for path, sign in VIEWS.items():
        page.goto(server + path)
        page.add_style_tag(content="* { transition: none !important }")
        page.locator(sign).first.wait_for()
        for width, scheme in ((390, "light"), (390, "dark"), (1440, "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(
                "(dark) => document.body.classList.contains('body--dark') === dark", arg=scheme == "dark"
            )
            page.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width)
            assert page.evaluate(PALE) == [], f"{path} in {scheme}"
        assert page.evaluate(NAMELESS) == [], path
        page.set_viewport_size({"width": 390, "height": 900})
        page.emulate_media(color_scheme="light")
