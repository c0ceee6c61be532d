"""Take the pictures of the page for the documentation, in Debian's chromium: `python docs/take_pictures.py`.

They are to be looked at before they are kept.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.page import served

from kingmaker.arena.experiment.declaration import read_experiment
from kingmaker.arena.running.run import run_experiment
from kingmaker.web.tree import EXAMPLES

PICTURES = Path(__file__).parent / "pictures"
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
    "page_hearts": ("/play?game=hearts&players=person|random|random|random", "your move", 1100, "light"),
    "page_phone": ("/play?game=chess&players=person|random&seed=5", "your move", 390, "dark"),
    "page_analyse": (f"/analyse?game={quote(FIGURE)}&seconds=0.05", "paranoid plays 0 and not 2", 1100, "light"),
    "page_tree": (f"/tree?game={quote(FIGURE)}&agent=paranoid(depth=2)", "One ply more", 1100, "dark"),
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
                    viewport={"width": width, "height": 700}, color_scheme=scheme, device_scale_factor=0.8
                )
                page = context.new_page()
                page.set_default_timeout(300_000)
                page.goto(address + path)
                page.get_by_text(text).first.wait_for()
                if name == "page_large_tree":
                    page.get_by_role("button", name="All").click()
                    page.wait_for_function("document.querySelector('canvas').dataset.nodes == 5461")
                page.wait_for_timeout(1500)
                page.screenshot(path=PICTURES / f"{name}.png")
                context.close()
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
