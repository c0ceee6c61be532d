"""Run `kingmaker` with some arguments in a process of its own, and write down which functions of the house it calls.

    python -m tests.docs.walking FILE ARGUMENTS...

FILE gets a JSON list of [file, function] in the order of their first call. Matches of an experiment are played in this
process, so that what a worker does is seen, too.
"""

import json
import sys
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import kingmaker

HOUSE = str(Path(kingmaker.__file__).resolve().parent)


class Here:
    """Stands in for worker processes: what is submitted runs at once."""

    def __init__(self, *_given: Any, **_named: Any) -> None:
        pass

    def submit(self, play: Any, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(play(*arguments))
        return future

    def shutdown(self, **_named: Any) -> None:
        pass


def walked(arguments: list[str]) -> tuple[int, list[tuple[str, str]]]:
    """The exit code of a command, and the functions that it called."""
    from kingmaker.arena.running import pools
    from kingmaker.cli import main

    pools.ProcessPoolExecutor = Here  # type: ignore[assignment,misc]
    called: dict[tuple[str, str], None] = {}

    def note(frame: Any, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(HOUSE):
            called.setdefault((code.co_filename[len(HOUSE) + 1 :], code.co_qualname))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        code = main(arguments)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return code, list(called)


if __name__ == "__main__":
    code, called = walked(sys.argv[2:])
    Path(sys.argv[1]).write_text(json.dumps(called))
    sys.exit(code)
