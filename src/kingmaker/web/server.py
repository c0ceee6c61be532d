"""The server: which view answers which URL, and how it is started."""

import sys
from collections.abc import Sequence
from pathlib import Path
from secrets import randbelow
from typing import Any

from fastapi.middleware.gzip import GZipMiddleware
from nicegui import app, ui

from kingmaker.core.errors import BadParameter
from kingmaker.web import analyse as analyse_view
from kingmaker.web import experiments as experiments_view
from kingmaker.web import gallery as gallery_view
from kingmaker.web import play as play_view
from kingmaker.web import start as start_view
from kingmaker.web import tree as tree_view
from kingmaker.web.caps import Known
from kingmaker.web.desk import Desk, Stopped, Visitor
from kingmaker.web.frame import framed, show_fault

SWITCH = 0.001  # seconds after which Python lets another thread run, so that clicks are answered during a search
SLOWEST = 120  # seconds that a view may take to appear, on a machine that is busy
LOCAL = ("127.0.0.1", "localhost", "::1")


def seed_of(text: str) -> int:
    """The seed that a URL asks for; without one a seed of chance, which stays on the server."""
    if not text:
        return randbelow(2**31)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadParameter(f"expected a seed of up to nine digits, got '{text[:40]}'")
    return int(text)


def welcomed(desk: Desk) -> Visitor | None:
    """The visitor behind the tab that is being opened; its search ends when the tab is closed. None if there are too
    many visitors, which is then told on the page.
    """
    try:
        visitor = desk.welcome()
    except Stopped as fault:
        with framed(""):
            show_fault(fault)
        return None
    client = ui.context.client
    client.on_disconnect(visitor.stop)
    client.on_delete(visitor.leave)
    return visitor


def pages(known: Known, desk: Desk, stores: dict[str, Path], folder: Path | None = None) -> None:
    """Register all views; the operator named `stores`, by short names, and the `folder` of repeated papers."""

    @ui.page("/", title="Kingmaker")
    def start(game: str = "") -> None:
        start_view.build(known, game)

    @ui.page("/play", title="Kingmaker: play", response_timeout=SLOWEST)
    async def play(
        game: str = "sticks", players: str = "", seed: str = "", moves: str = "", position: str = ""
    ) -> None:
        visitor = welcomed(desk)
        if visitor is None:
            return
        with framed("Play"):
            try:
                number = seed_of(seed)
                sitting = await desk.run(
                    visitor, lambda _: play_view.seated(known, game, players, number, moves, position)
                )
            except Exception as fault:
                show_fault(fault)
                return
            words = {"game": game, "players": players, "position": position}
            if not sitting.game.facts.hidden:
                words["seed"] = str(number)
            view = play_view.View(known, desk, visitor, sitting, words)
            ui.context.client.on_connect(lambda: view.start() if view.playing and sitting.chooser is None else None)

    @ui.page("/analyse", title="Kingmaker: analyse", response_timeout=SLOWEST)
    def analyse(game: str = "", position: str = "", seconds: str = "", positions: str = "") -> None:
        if visitor := welcomed(desk):
            analyse_view.build(known, desk, visitor, game, position, seconds, positions)

    @ui.page("/tree", title="Kingmaker: tree", response_timeout=SLOWEST)
    async def tree(game: str = "", agent: str = "", position: str = "", at: str = "") -> None:
        if visitor := welcomed(desk):
            await tree_view.build(known, desk, visitor, game, agent, position, at)

    @ui.page("/experiments", title="Kingmaker: experiments", response_timeout=SLOWEST)
    async def experiments(store: str = "", paper: str = "", first: str = "") -> None:
        if visitor := welcomed(desk):
            await experiments_view.build(stores, folder, desk, visitor, store, paper, first)

    @ui.page("/replay", title="Kingmaker: replay", response_timeout=SLOWEST)
    async def replay(store: str = "", match: str = "0", turn: str = "") -> None:
        if visitor := welcomed(desk):
            await experiments_view.replay(stores, desk, visitor, store, match, turn)

    @ui.page("/gallery", title="Kingmaker: gallery")
    def gallery() -> None:
        gallery_view.build(known)

    @ui.page("/about", title="Kingmaker: about", response_timeout=SLOWEST)
    def about(games: str = "", algorithms: str = "") -> None:
        gallery_view.about(games, algorithms)


def named(paths: Sequence[Path]) -> dict[str, Path]:
    """Stores by the names of their files; a file that is not there is refused."""
    for path in paths:
        if not path.is_file():
            raise BadParameter(f"there is no store '{path}'; run an experiment first")
    return {path.stem: path for path in paths}


def serve(
    files: Sequence[str] = (),
    stores: Sequence[Path] = (),
    host: str = "127.0.0.1",
    port: int = 8080,
    show: bool = False,
    papers: Path | None = None,
) -> Any:
    """Start the page and wait; the files are games of the operator's own, the stores those of experiments."""
    sys.setswitchinterval(SWITCH)
    if papers is not None and not papers.is_dir():
        raise BadParameter(
            f"there is no folder '{papers}' of repeated papers; kingmaker paper all --minutes 5 makes one"
        )
    kept = sorted(papers.glob("*.db")) if papers is not None else []
    known, desk = Known(tuple(files)), Desk()
    pages(known, desk, named([*kept, *stores]), papers)
    app.on_startup(lambda: desk.hurry.submit(start_view.load_ahead, known))
    app.on_exception(lambda fault: None)
    return ui.run(
        host=host,
        port=port,
        title="Kingmaker",
        dark=None,
        show=show,
        reload=False,
        show_welcome_message=False,
        favicon="👑",
        tailwind=False,  # its compiler would run in the browser; the few classes that we use are in frame.py
        gzip_middleware_factory=None if host in LOCAL else GZipMiddleware,
    )
