"""The same rows from a dask.distributed cluster; needs the extra `dist`."""

import socket
import subprocess
import sys

import pytest

from kingmaker.arena.experiment.schedule import schedule_of
from kingmaker.arena.results.store import open_store
from kingmaker.arena.running.pools import Unreachable
from kingmaker.arena.running.run import run_experiment
from kingmaker.arena.running.worker import play_numbers
from kingmaker.core.errors import BadParameter
from tests.arena.test_coordinator import CALM, HERE, comparable, stored, wait_for, wild


def test_a_local_cluster_gives_the_same_rows(tmp_path, small):
    running = run_experiment(small, tmp_path / "s.db", workers=2, scheduler="local")
    assert running.done == 18
    total = len(schedule_of(small.as_text()))
    assert stored(tmp_path / "s.db") == comparable(play_numbers(small.as_text(), list(range(total))).results)


def test_a_match_that_kills_its_workers_is_stored_as_failed(tmp_path, written):
    experiment = written(wild("exit").replace("starts = 6", "starts = 5"))
    running = run_experiment(experiment, tmp_path / "s.db", workers=2, scheduler="local")
    assert running.done == 10
    assert 0 < running.failed < 10
    with open_store(tmp_path / "s.db") as store:
        faults = {text for status, text in store.rows("status, fault") if status == "failed"}
    assert faults == {"its worker died in each of 2 attempts to play it alone"}


def test_a_scheduler_that_does_not_answer_is_told(tmp_path, small):
    with pytest.raises(Unreachable, match=r"the scheduler at tcp://127.0.0.1:9 does not answer"):
        run_experiment(small, tmp_path / "s.db", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(
        BadParameter, match="expected local or an address like tcp://host:8786 for --scheduler, got 'nowhere'"
    ):
        run_experiment(small, tmp_path / "s.db", scheduler="nowhere")


def free_port():
    """A port of this machine that nobody uses at this moment."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def answers(port):
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def test_a_scheduler_that_dies_in_the_middle_loses_nothing(tmp_path, written):
    experiment = written(CALM.format(file=HERE / "misbehaving.py"))
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--no-dashboard",
    ]
    worker = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        address,
        "--nthreads",
        "1",
        "--no-dashboard",
        "--no-nanny",
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    processes = [subprocess.Popen(command, **quiet)]
    wait_for(lambda: answers(port))
    processes.append(subprocess.Popen(worker, **quiet))

    def strike(running):
        if running.done > 40:
            processes[0].kill()

    try:
        with pytest.raises(
            Unreachable, match=r"the scheduler at .* is gone; what was played is stored, run the same command to go on"
        ):
            run_experiment(experiment, tmp_path / "s.db", scheduler=address, watch=strike)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    with open_store(tmp_path / "s.db") as store:
        assert store.count() > 40
    running = run_experiment(experiment, tmp_path / "s.db", workers=1)
    assert (running.done, running.failed) == (360, 0)
    assert stored(tmp_path / "s.db") == comparable(play_numbers(experiment.as_text(), list(range(360))).results)
