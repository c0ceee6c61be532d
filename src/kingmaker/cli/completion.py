"""`kingmaker completion`: let the Tab key complete commands and options.

The script for the shell is written once, to a file of its own; kingmaker does not run when the key is pressed.
"""

from typing import Annotated, Literal

from cyclopts import Parameter

from kingmaker.cli.parts import Flag, Screen
from kingmaker.core.errors import BadParameter

Shell = Literal["bash", "zsh", "fish", "powershell"]


def completion(
    *,
    shell: Annotated[
        Shell | None, Parameter(help="Which shell; the one that runs this if not given.", show_default=False)
    ] = None,
    show: Annotated[bool, Flag, Parameter(help="Print the script and install nothing.")] = False,
) -> None:
    """Install completion by the Tab key in your shell.

    Writes one file into your home folder and, for bash, zsh and powershell, a
    line into the file that the shell reads when it starts.

    Example: kingmaker completion --shell bash
    """
    from cyclopts.completion.detect import ShellDetectionError

    from kingmaker.cli import application

    app = application([], whole=True)
    try:
        script = app.generate_completion(shell=shell) if show else ""
        path = None if show else app.install_completion(shell=shell)
    except ShellDetectionError:
        raise BadParameter("cannot tell which shell this is; name it, as in --shell bash") from None
    except OSError as fault:
        raise BadParameter(f"cannot write the file '{fault.filename}': {fault.strerror}; see it with --show") from None
    if show:
        print(script)
        return
    screen = Screen()
    screen.picture(f"written to {path}")
    screen.remark("it works in every shell that you start from now on")
