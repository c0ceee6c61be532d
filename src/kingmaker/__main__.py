"""`python -m kingmaker` is `kingmaker`."""

from kingmaker.cli import main

raise SystemExit(main())
