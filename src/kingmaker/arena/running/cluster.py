"""Where matches are played when one machine is not enough: the workers of a dask.distributed scheduler.

The scheduler itself gives a dead worker's matches to other workers. Matches that have killed several workers come back
as WorkerDied and are then treated as on one machine. Each future is released as soon as its matches have come back, so
the memory of neither side grows.
"""

from importlib import import_module
from typing import Any

from kingmaker.arena.running.pools import Done, Numbers, Unreachable, WorkerDied
from kingmaker.arena.running.worker import play_numbers
from kingmaker.core.errors import BadParameter

ANSWER = 15.0  # seconds that a scheduler may take to answer


class Cluster:
    """Workers of a scheduler at an address, or of one of our own (`local`)."""

    def __init__(self, text: str, workers: int, address: str) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise BadParameter("--scheduler needs dask.distributed; install kingmaker[dist]") from None
        self.text, self.address, self.local = text, address, None
        self.waiting: dict[Numbers, Any] = {}
        if address == "local":
            # no retries by the scheduler, because the coordinator counts attempts itself
            import_module("dask").config.set({"distributed.scheduler.allowed-failures": 0})
            self.local = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
            )
        elif "://" not in address:
            raise BadParameter(f"expected local or an address like tcp://host:8786 for --scheduler, got '{address}'")
        try:
            self.client = distributed.Client(self.local or address, timeout=ANSWER, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as fault:
            raise Unreachable(
                f"the scheduler at {address} does not answer ({type(fault).__name__}); is it running there?"
            ) from None
        self.count_workers()

    def count_workers(self) -> None:
        self.width = max(1, sum(self.client.nthreads().values()))

    def submit(self, numbers: Numbers, done: Done) -> None:
        def finished(future: Any) -> None:
            self.waiting.pop(numbers, None)
            try:
                if future.status == "finished":
                    outcome: Any = future.result(timeout=ANSWER)
                else:
                    outcome = (
                        WorkerDied()
                        if future.status in ("cancelled", "lost")
                        else told(future.exception(timeout=ANSWER))
                    )
            except Exception as fault:
                outcome = told(fault)
            future.release()
            done(numbers, outcome)

        future = self.client.submit(play_numbers, self.text, list(numbers), pure=False)
        self.waiting[numbers] = future
        future.add_done_callback(finished)

    def renew(self) -> None:
        """Only check the connection: the scheduler and its nannies replace dead workers themselves."""
        self.check()

    def abandon(self) -> None:
        self.check()
        self.client.restart(timeout=60, wait_for_workers=False)

    def check(self) -> None:
        if self.client.status != "running":
            raise Unreachable(
                f"the scheduler at {self.address} is gone; what was played is stored, run the same command to go on"
            )
        self.count_workers()

    def close(self) -> None:
        self.waiting.clear()
        self.client.close(timeout=5)
        if self.local is not None:
            self.local.close(timeout=10)


def told(fault: Any) -> BaseException:
    """An exception of the cluster; all those that mean the end of a worker become WorkerDied."""
    if type(fault).__name__ in (
        "KilledWorker",
        "CancelledError",
        "FutureCancelledError",
        "CommClosedError",
        "TimeoutError",
    ):
        return WorkerDied()
    return fault if isinstance(fault, BaseException) else WorkerDied()
