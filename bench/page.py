"""How fast is the page? Ten tabs play at once while agents search, and a real browser draws a tree of 5000 nodes.

The tabs speak the page's own protocol on this machine, so that ten browsers do not take the processor from the server.
A click counts from when it is sent until the board with its effect has arrived.
"""

import asyncio
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import aiohttp
import socketio

from bench.row import Row, at_most

TABS, CLICK, MANY, FIRST, TREE = 10, 100, 250, 2000, 500  # tabs; milliseconds
VISITS = 3  # times that the first view is opened
ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
CLIENT = re.compile(r"'client_id': '([-0-9a-f]+)'")
LIT = re.compile(r'class="k-spot k-lit[^"]*" data-spot="([^"]*)"')
MOVE = re.compile(r'data-move="(-?\d+)"')
MATCHES = (  # what is played at the tabs in turn
    ("light_bike(seats=3, starts=distinct)", "person|paranoid(seconds=0.5)|paranoid(seconds=0.5)"),
    ("chess", "person|alpha_beta(seconds=0.5)"),
    ("sticks(seats=3, sticks=40)", "person|maxn(seconds=0.5)|random"),
    ("chinese_checkers(seats=3, radius=2)", "person|paranoid(seconds=0.5)|random"),
    ("hearts", "person|random|random|random"),
)


def plain_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NICEGUI"))}


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The page in a process of its own; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kingmaker", "serve", "--port", str(port), *options]
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": plain_environment()}
    with subprocess.Popen(command, **quiet) as process:
        try:
            for _ in range(600):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


class Tab:
    """One tab: what it was sent, and a way to click."""

    def __init__(self, elements: dict[str, Any], client: str) -> None:
        self.elements, self.client, self.wire = elements, client, socketio.AsyncClient()
        self.wire.on("update", self.update)
        self.changed = asyncio.Event()
        self.board, self.options = (self.listening(word) for word in ("data-spot", "data-move"))

    def listening(self, word: str) -> tuple[str, str]:
        """The element whose clicks are of this kind, and its listener."""
        for name, element in self.elements.items():
            for each in element.get("events", ()):
                if each["type"] == "click" and word in (each["js_handler"] or ""):
                    return name, each["listener_id"]
        raise LookupError(f"nothing on the page listens to {word}")

    def shown(self, element: str) -> str:
        return str(self.elements[element].get("props", {}).get("innerHTML", ""))

    async def update(self, message: Any) -> None:
        for name, element in message.items():
            if name in self.elements and element is not None:
                self.elements[name] = element
        if self.board[0] in message:
            self.changed.set()

    async def send(self, listener: tuple[str, str], word: Any) -> None:
        event = {"id": int(listener[0]), "client_id": self.client, "listener_id": listener[1]}
        await self.wire.emit("event", event | {"args": [json.dumps(word)]})

    async def click(self, luck: random.Random, seconds: float = 30.0) -> float | None:
        """Click a spot that is lit, or press a button; the milliseconds until the board has changed."""
        lit, moves = LIT.findall(self.shown(self.board[0])), MOVE.findall(self.shown(self.options[0]))
        if not moves:
            return None
        self.changed.clear()
        began = time.perf_counter()
        await (self.send(self.board, luck.choice(lit)) if lit else self.send(self.options, luck.choice(moves)))
        await asyncio.wait_for(self.changed.wait(), seconds)
        return 1000 * (time.perf_counter() - began)


@asynccontextmanager
async def opened(address: str, path: str) -> AsyncIterator[Tab]:
    """Open a view as a browser does."""
    async with aiohttp.ClientSession() as session, session.get(address + path) as answer:
        text = await answer.text()
    whole, client = ELEMENTS.search(text), CLIENT.search(text)
    assert whole is not None
    assert client is not None
    written = whole[1].replace("&#36;", "$").replace("&#96;", "`").replace("&lt;", "<").replace("&gt;", ">")
    tab = Tab(json.loads(written.replace("&amp;", "&")), client[1])
    ids = f"document_id={uuid4()}&tab_id={uuid4()}"
    query = f"client_id={client[1]}&next_message_id=0&implicit_handshake=true&{ids}"
    await tab.wire.connect(f"{address}?{query}", socketio_path="/_nicegui_ws/socket.io", transports=["websocket"])
    try:
        yield tab
    finally:
        await tab.wire.disconnect()


async def plays(address: str, number: int, clicks: int) -> list[float]:
    """Play at one tab, with a new match when one is over; returns the milliseconds of each click."""
    luck, found = random.Random(number), list[float]()
    game, players = MATCHES[number % len(MATCHES)]
    while len(found) < clicks:
        async with opened(address, f"/play?game={quote(game)}&players={quote(players)}") as tab:
            idle = 0
            while len(found) < clicks and idle < 300:
                taken = await tab.click(luck)
                idle = idle + 1 if taken is None else 0
                found += [] if taken is None else [taken]
                await asyncio.sleep(0.1 if taken is None else 0.3)
    return found


async def together(address: str, clicks: int) -> list[float]:
    await asyncio.gather(*(plays(address, number, 2) for number in range(TABS)))  # everything is compiled by now
    return sorted(
        each for tab in await asyncio.gather(*(plays(address, n, clicks) for n in range(TABS))) for each in tab
    )


async def during_a_search(address: str, clicks: int) -> list[float]:
    """Clicks of one tab while another's agent searches for seconds, and a third's is compiled first."""
    game, agent = quote("light_bike(seats=2, starts=distinct)"), quote("maxn(seconds=9)|maxn(seconds=9)")
    compiling = quote("backgammon"), quote("person|maxn(depth=1)")
    found, luck = list[float](), random.Random(7)
    async with (
        opened(address, f"/play?game={game}&players=person|{agent.split('%7C')[0]}") as searching,
        opened(address, f"/play?game={compiling[0]}&players={compiling[1]}") as other,
        opened(address, "/play?game=chess&players=person|random") as tab,
    ):
        await searching.click(luck)
        await other.click(luck)
        while len(found) < clicks:
            taken = await tab.click(luck)
            found += [] if taken is None else [taken]
            await asyncio.sleep(0.1)
    return sorted(found)


@contextmanager
def chromium() -> Iterator[Any]:
    """A page in a browser that has loaded nothing yet."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser.new_page(viewport={"width": 1440, "height": 900})
        browser.close()


def first_view(address: str) -> float:
    """Milliseconds until the first view can be used."""
    with chromium() as page:
        began = time.perf_counter()
        page.goto(address)
        page.get_by_role("button", name="Only watch").wait_for()
        return 1000 * (time.perf_counter() - began)


def drawn(address: str) -> float:
    """Milliseconds of laying out and drawing a tree of 5461 nodes."""
    game, agent = quote("random_tree(seats=3, branching=4, height=6)"), quote("maxn(depth=6)")
    with chromium() as page:
        page.goto(f"{address}/tree?game={game}&agent={agent}", timeout=120_000)
        page.locator("canvas").wait_for()
        page.get_by_role("button", name="All").click()
        page.wait_for_function("document.querySelector('canvas').dataset.nodes == 5461", timeout=60_000)
        return float(page.locator("canvas").get_attribute("data-milliseconds") or "nan")


def run(quick: bool) -> Iterator[Row]:
    clicks = 10 if quick else 40
    if shutil.which("chromium"):
        with served() as address:
            first, *later = (first_view(address) for _ in range(VISITS))
        said = f"{first:.0f} ms (then {', '.join(f'{each:.0f}' for each in later)} in other new browsers)"
        yield at_most("the first view of a new server in chromium", first, said, FIRST, " ms")
    with served() as address:
        many = asyncio.run(together(address, clicks))
        alone = asyncio.run(during_a_search(address, clicks))
        for what, found, most in (
            (f"{TABS} tabs that play at once: a click, 95th percentile", many, MANY),
            ("a click while others search and compile, 95th percentile", alone, CLICK),
        ):
            late, middle = found[int(0.95 * (len(found) - 1))], found[len(found) // 2]
            yield at_most(what, late, f"{late:.0f} ms (median {middle:.0f}, {len(found)} clicks)", most, " ms")
        if shutil.which("chromium"):
            tree = drawn(address)
            yield at_most("a tree of 5461 nodes laid out and drawn", tree, f"{tree:.0f} ms", TREE, " ms")


if __name__ == "__main__":
    for row in run("--quick" in sys.argv):
        print(f"{row.what}: {row.text}, {row.target}{'' if row.ok else ', missed'}")
