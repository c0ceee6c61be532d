"""Shared by all tests: reproducible hypothesis runs and the option to write the golden records anew."""

import signal
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "kingmaker", deadline=None, derandomize=True, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("kingmaker")
# a shell starts what runs in the background deaf to Ctrl-C, and so would be all that the tests start and interrupt
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption(
        "--record-golden", action="store_true", help="write the golden records anew instead of comparing with them"
    )


@pytest.fixture
def recording(request):
    return request.config.getoption("--record-golden")


@pytest.fixture(autouse=True)
def usual_depth_of_calls():
    """An interpreted search may raise Python's limit of nested calls; no other test is to notice."""
    usual = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(usual)


@pytest.fixture
def wrapping():
    """Words wrap around without a warning, as they do inside a search."""
    with np.errstate(over="ignore"):
        yield
