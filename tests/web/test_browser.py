"""The page in a real browser: Debian's chromium, driven by playwright, without a download of its own.

A missing browser is a reported skip, and a failure where the environment variable CI is set.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from urllib.parse import quote
from urllib.request import urlopen

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LIVE = '[aria-live="polite"]'
CLICK = """
() => {
  const lit = [...document.querySelectorAll('.km-board .k-lit')];
  const own = new Set(['Hint', 'Resign', 'Undo', 'New', 'Analyse']);
  const word = (each) => each.innerText.split('\\n').pop();
  const buttons = [...document.querySelectorAll('button')].filter((each) => !own.has(word(each)));
  const all = lit.length ? lit : buttons;
  if (all.length) all[0].dispatchEvent(new MouseEvent('click', { bubbles: true }));
  return all.length;
}
"""

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The page as an operator starts it, in a process of its own."""
    port = free_port()
    command = [sys.executable, "-m", "kingmaker", "serve", "--port", str(port)]
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NICEGUI"))}
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("w") as told, subprocess.Popen(command, stdout=told, stderr=told, env=plain) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(300):
                try:
                    urlopen(f"{address}/gallery").close()
                    break
                except OSError:
                    assert process.poll() is None, log.read_text()
                    time.sleep(0.1)
            yield address
            assert "Traceback" not in log.read_text()
        finally:
            process.terminate()


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

    def open_view(path, width=1440, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("request", lambda each: faults.append(each.url) if not each.url.startswith((server, "data:")) else None)
        page.goto(server + path)
        return page

    yield open_view
    for context in contexts:
        context.close()
    assert faults == []


GAMES = [
    ("sticks", 3),
    ("light_bike(width=4,height=4,starts='distinct')", 3),
    ("hearts(ranks=4)", 4),
    ("go_fish(seats=2,ranks=4)", 2),
    ("risk(map='duel',seats=2,armies=3,limit=2)", 2),
]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_match_is_played_to_its_end_by_clicks(game, seats, opened):
    players = "|".join(["person", *["random"] * (seats - 1)])
    page = opened(f"/play?game={quote(game)}&players={quote(players)}&seed=5")
    told = page.locator(LIVE).first
    told.wait_for()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        text = told.inner_text()
        if "wins" in text or "share" in text:
            break
        if "your move" in text:
            page.evaluate(CLICK)
        page.wait_for_timeout(20)
    assert "payoffs" in told.inner_text()
    assert page.locator(".km-moves [data-at]").count() >= seats


def test_lit_spots_answer_to_the_keyboard_and_arrows_look_back(opened):
    page = opened("/play?game=sticks&players=person|random|random&seed=5")
    page.locator(".k-lit").first.focus()
    page.keyboard.press("Enter")
    page.locator(".km-moves [data-at]").nth(2).wait_for()
    page.locator("body").click(position={"x": 5, "y": 400})
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Before turn 3 of 3").wait_for()
    assert "moves=0%3A" in page.url, "the address holds the match"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/play?game=hearts&players=person|random|random|random", "/gallery", "/analyse"])
def test_views_fit_a_phone_in_light_and_dark(path, scheme, opened):
    page = opened(path, width=390, scheme=scheme)
    page.locator("header").wait_for()
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    dark = page.evaluate("document.body.classList.contains('body--dark')")
    assert dark == (scheme == "dark")
