"""`kingmaker serve`: the page in a browser."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kingmaker.cli.parts import Flag
from kingmaker.cli.voice import say_aside, write
from kingmaker.core.errors import BadParameter, Mismatch


def serve(
    *,
    games: Annotated[
        tuple[str, ...], Parameter(name="--game", help="A file with a game of your own, which the page then offers.")
    ] = (),
    stores: Annotated[
        tuple[Path, ...], Parameter(name="--store", help="A store of an experiment, which the page then shows, live.")
    ] = (),
    papers: Annotated[
        Path | None, Parameter(help="The folder in which `kingmaker paper` keeps its stores; the page shows them.")
    ] = None,
    host: Annotated[str, Parameter(help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="The port to listen on.")] = 8080,
    open: Annotated[bool, Flag, Parameter(help="Open a browser.")] = False,
) -> None:
    """Serve the page: play, watch, analyse and look around in a browser.

    It needs the extra `web` (pip install "kingmaker[web]") and no network: all
    that a browser loads comes from this server. Ctrl-C ends it.

    Example: kingmaker serve --port 9000
    """
    if not 1 <= port <= 65535:
        raise BadParameter(f"expected a port from 1 to 65535, got --port {port}")
    try:
        from kingmaker.web.server import LOCAL
        from kingmaker.web.server import serve as served
    except ImportError as fault:
        raise Mismatch(f"the page needs NiceGUI ({fault}); install it with pip install 'kingmaker[web]'") from None
    if host not in LOCAL:
        say_aside(
            f"listening on {host}: whoever reaches this machine on port {port} can play and search here; "
            "there are limits, but no passwords and no encryption"
        )
    write(f"the page is at http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}\n")
    served(games, stores, host, port, open, papers)
