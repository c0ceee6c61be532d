"""`kingmaker run` in a process of its own, for tests that kill it."""

import sys
from pathlib import Path

if __name__ == "__main__":
    from kingmaker.cli.run import run
    from kingmaker.core.errors import KingmakerError

    try:
        sys.exit(run(Path(sys.argv[1]), store=Path(sys.argv[2]), workers=int(sys.argv[3])))
    except KingmakerError as fault:
        sys.exit(f"kingmaker: {fault}")
