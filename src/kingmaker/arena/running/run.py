"""One session of an experiment: claim the store, open the pool, run what is missing."""

import os
from pathlib import Path

from kingmaker.arena.experiment.code import code_parts, versions
from kingmaker.arena.experiment.declaration import Experiment
from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.live import Running
from kingmaker.arena.results.store import claim_store
from kingmaker.arena.running.coordinator import Coordinator, Watch
from kingmaker.arena.running.pools import Pool, Processes
from kingmaker.core.errors import BadParameter


def run_experiment(
    experiment: Experiment,
    path: Path,
    *,
    workers: int = 0,
    scheduler: str = "",
    accept_changes: bool = False,
    retry_failed: bool = False,
    watch: Watch | None = None,
) -> Running:
    """Play every match that has no row in the store; the same call goes on after any interruption."""
    if workers < 0:
        raise BadParameter(f"expected at least 1 worker, got {workers}")
    text = experiment.as_text()
    schedule = schedule_of(text)
    with claim_store(path, experiment, code_parts(schedule), versions(), accept_changes=accept_changes) as store:
        if retry_failed:
            store.forget_failed()
        if next(store.missing(len(schedule)), None) is None:
            workers = 1  # nothing is left to play
        pool = open_pool(text, workers or os.cpu_count() or 1, scheduler)
        try:
            return Coordinator(schedule, store, pool, watch).run()
        finally:
            pool.close()


def open_pool(text: str, workers: int, scheduler: str) -> Pool:
    """A pool of processes on this machine, or of the workers of a cluster's scheduler."""
    if not scheduler:
        return Processes(text, workers)
    from kingmaker.arena.running.cluster import Cluster

    return Cluster(text, workers, scheduler)
