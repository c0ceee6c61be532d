"""The replies of several opponents that are listed at one node."""

from kingmaker.core.kernel import kernel


@kernel
def swap_replies(work, ply, i, j):
    """Exchange two listed replies together with the seats that make them."""
    work.moves[ply, i], work.moves[ply, j] = work.moves[ply, j], work.moves[ply, i]
    work.repliers[ply, i], work.repliers[ply, j] = work.repliers[ply, j], work.repliers[ply, i]
