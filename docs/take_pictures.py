"""Take the pictures of the page for the documentation, in Debian's chromium: `python docs/take_pictures.py`.

They are to be looked at before they are kept.
"""

import shutil
import sys
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.page import served
from tests.web.test_browser import LATE, MATCHES, late, play_out

from kingmaker import load_game
from kingmaker.arena.experiment.declaration import read_experiment
from kingmaker.arena.running.run import run_experiment
from kingmaker.web.tree import EXAMPLES

PICTURES = Path(__file__).parent / "pictures"
DEEP = "explicit_tree(tree=[[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]]],[[[6,4,0],[2,3,5]],[[1,2,3],[3,2,1]]]])"
STAR = "chinese_checkers(seats=3, radius=3)"
PLAYERS = "person|paranoid(seconds=0.3)|mp_mix(seconds=0.3, td=5, to=5)"
FIGURE = "explicit_tree(tree=[[[5,3,2],[7,2,1]],[[3,5,2],[6,4,0]],[[6,4,0],[2,3,5]]])"
EXPERIMENT = """
question = "Who wins at sticks?"
game = "sticks(seats=3, sticks=15)"
starts = 20
[agents]
maxn = "maxn(depth=4)"
paranoid = "paranoid(depth=4)"
luck = "random"
"""
VIEWS = {  # name: path, what to wait for, width, colours
    "page_start": ("/", "Only watch", 1100, "light"),
    "page_play": (f"/play?game={quote(STAR)}&players={quote(PLAYERS)}&seed=5", "your move", 1440, "light"),
    "page_hearts": ("/play?game=hearts&players=person|random|random|random", "your move", 1100, "light"),
    "page_phone": ("/play?game=chess&players=person|random&seed=5", "your move", 390, "dark"),
    "page_analyse": (f"/analyse?game={quote(FIGURE)}&seconds=0.05", "paranoid plays 0 and not 2", 1100, "light"),
    "page_tree": (f"/tree?game={quote(DEEP)}&agent=paranoid(depth=3)", "One ply more", 1100, "dark"),
    "page_large_tree": ("/tree?" + "&".join(
        f"{key}={quote(text)}" for key, text in zip(("game", "agent"), EXAMPLES["thousands of nodes"], strict=True)
    ), "One ply more", 1100, "light"),
    "page_experiment": ("/experiments?store=sticks", "120 of 120", 1100, "light"),
    "page_replay": ("/replay?store=sticks&match=7&turn=3", "Turn 4 of", 1100, "light"),
    "page_paper": ("/experiments?paper=multi_minimax/fig8", "not played", 1100, "dark"),
    "page_gallery": ("/gallery", "Algorithms", 1100, "light"),
    "page_about": ("/about?algorithms=paranoid", "all of them", 1100, "light"),
}  # fmt: skip


def main(wanted: list[str]) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "sticks.toml").write_text(EXPERIMENT)
        store = Path(folder) / "sticks.db"
        run_experiment(read_experiment(Path(folder) / "sticks.toml"), store, workers=1)
        with served("--store", str(store)) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, (path, text, width, scheme) in VIEWS.items():
                if wanted and name not in wanted:
                    continue
                context = browser.new_context(
                    viewport={"width": width, "height": 860 if name == "page_analyse" else 700},
                    color_scheme=scheme,
                    device_scale_factor=0.8,
                )
                page = context.new_page()
                page.set_default_timeout(120_000)
                page.goto(address + path)
                page.get_by_text(text).first.wait_for()
                if "tree" in name:
                    page.get_by_role("button", name="All").click()
                if name == "page_large_tree":
                    page.wait_for_function("document.querySelector('canvas').dataset.nodes == 5461")
                for turn in range(4 if name == "page_play" else 0):
                    page.locator(".km-options button").last.click()
                    page.locator(".km-moves [data-at]").nth(3 * turn + 2).wait_for()
                    page.get_by_text(text).first.wait_for()
                page.mouse.move(0, 0)
                page.evaluate("window.scrollTo(0, 0)")
                page.wait_for_timeout(1500)
                page.screenshot(path=PICTURES / f"{name}.png")
                context.close()
            if not wanted or "page_games" in wanted:
                all_games(browser, address)
            browser.close()


def all_games(browser: Any, address: str) -> None:
    """A picture of the last view of every game, each played to its end by clicks."""
    tiles = ""
    for game, position in MATCHES:
        rules = load_game(game)
        players, place = (
            "|".join(["person", *["random"] * (rules.seats - 1)]),
            late(rules) if position == LATE else position,
        )
        page = browser.new_page(viewport={"width": 390, "height": 600}, device_scale_factor=0.46)
        page.set_default_timeout(120_000)
        page.goto(f"{address}/play?game={quote(game)}&players={quote(players)}&seed=5&position={quote(place)}")
        play_out(page)
        page.wait_for_timeout(500)
        tiles += f'<img src="data:image/png;base64,{b64encode(page.screenshot()).decode()}">'
        page.close()
    sheet = browser.new_page(viewport={"width": 7 * 184, "height": 2 * 280})
    sheet.set_content(f'<body style="margin: 0; display: flex; flex-wrap: wrap; gap: 5px">{tiles}')
    sheet.screenshot(path=PICTURES / "page_games.png")


if __name__ == "__main__":
    main(sys.argv[1:])
