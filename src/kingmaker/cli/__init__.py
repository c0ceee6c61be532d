"""The command line: one file for each command, and the only room that prints.

Nothing heavy is imported before a command needs it, so `kingmaker --help` answers at once. Every error of the input
ends here as one sentence.
"""

import atexit
import errno
import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

COMMANDS = {  # the file, the function in it, the word on the command line; the sentence opens its docstring
    "games": "List the games, or describe one.",
    "algorithms": "List the algorithms, or describe one.",
    "decide": "Choose one move, and say why.",
    "match": "Let agents play matches against each other and count who wins.",
    "play": "Play against agents, in the terminal.",
    "perft": "Count the positions of the game tree, depth by depth.",
    "tree": "Write down the tree that a search looked at, as JSON or Graphviz DOT.",
    "compare": "Ask all suitable algorithms for their move, and see where and why they disagree.",
    "draw": "Draw a position as an SVG picture.",
    "serve": "Serve the page: play, watch, analyse and look around in a browser.",
    "run": "Play an experiment, or go on with it where it stopped.",
    "status": "Show how far an experiment is, and its results so far.",
    "export": "Write a store's matches or its table for other programs.",
    "report": "Write a report: one HTML file that needs no network, and its plots as PNG and SVG beside it.",
    "replay": "Play recorded matches again, and check that every move is legal and leads to the recorded end.",
    "uci": "Speak UCI, so that chess programs can play against our searches.",
    "bench": "Measure how fast the searches run.",
    "warm": "Compile ahead, on all cores, so that nobody waits later.",
    "completion": "Install completion by the Tab key in your shell.",
    "paper": "Repeat the tables of the sources, with the printed number beside ours.",
    "impact": "Measure the opponent impact of a game: how often a seat can harm another.",
    "tune": "Find the numbers in an agent's text that win most.",
    "check": "Examine a game for faults, above all a game of your own.",
}
BAD_INPUT, INTERRUPTED = 2, 130
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # errors of writing to a device that is full or fails


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, or 2 for bad input such as a faulty game, or 130 after Ctrl-C."""
    if argv is None:
        be_quick()
    try:
        from kingmaker.cli.patience import patient

        with patient():
            code = answered(sys.argv[1:] if argv is None else list(argv))
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        return leave_quietly()
    except OSError as fault:
        if fault.errno not in FULL:
            raise
        leave_quietly()
        sys.stderr.write(f"kingmaker: cannot write the output: {fault.strerror}\n")
        return BAD_INPUT
    if code == INTERRUPTED:
        leave_in_order()
    return code


def be_quick() -> None:
    """Spare a process of our own what nobody needs here: threads that wait for large matrices, for which NumPy asks at
    its import, and the search for garbage that Python ends with.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    atexit.register(gc.freeze)


def answered(argv: list[str]) -> int:
    """Parse the command line and run the command; errors of the input become sentences."""
    from cyclopts import CycloptsError

    from kingmaker.cli.sentences import behind, blamed, plain_warnings, told
    from kingmaker.cli.voice import PLAIN, Voice, complain, explain_waiting, flags_behind
    from kingmaker.core.compiling.waiting import Listener
    from kingmaker.core.errors import KingmakerError

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that has no ≤ shows a question mark
    Voice.level = PLAIN
    Listener.tell = explain_waiting if sys.stderr.isatty() else None
    argv = flags_behind(argv)
    try:
        with plain_warnings():
            return int(application(argv)(argv) or 0)
    except CycloptsError as fault:
        sentence, more = told(fault), ""
    except KingmakerError as fault:
        sentence, more = str(fault), behind(fault)
    except BrokenPipeError:
        raise
    except (Exception, SystemExit) as fault:
        sentence, more = blamed(fault), behind(fault)
        if not sentence:
            raise
    sys.stdout.flush()
    sys.stderr.write(more)
    complain(sentence)
    return BAD_INPUT


def application(argv: list[str], whole: bool = False) -> Any:
    """The parser of the command line; only the command that is asked for is imported, or all commands if `whole`."""
    from importlib import import_module

    from cyclopts import App

    from kingmaker import __version__
    from kingmaker.cli.voice import with_flags

    app = App(
        name="kingmaker",
        help="Search in games of more than two players.\n\nExample: kingmaker "
        'match sticks "maxn(depth=6)" random --games 60\n\n'
        "Every command takes --quiet, to leave out remarks and progress, and --verbose, to tell more.",
        version=__version__,
        help_format="plaintext",
        result_action="return_value",
        exit_on_error=False,
        print_error=False,
        suppress_keyboard_interrupt=False,
    )
    for name, sentence in COMMANDS.items():
        if whole or name in argv[:1]:
            app.command(with_flags(getattr(import_module(f"kingmaker.cli.{name}"), name)), name=name)
        else:
            app.command(f"kingmaker.cli.{name}:{name}", name=name, help=sentence)
    return app


def leave_in_order() -> None:
    """Clean up after Ctrl-C: show the cursor, begin a new line for the prompt, and keep our own exit code."""
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h\n")
    # after a Ctrl-C inside an exec, such as numba's, Python takes the interrupt for uncaught and ends by the signal;
    # another exec resets this
    exec("")


def leave_quietly() -> int:
    """End without an error when the program that reads the output has closed the pipe."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
