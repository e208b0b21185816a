"""What all tests share: fixed hypothesis settings, and no process that survives the run."""

import os
import signal
import uuid
from collections.abc import Iterator

import leftovers
import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ("running",)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    """A shell has what runs in its background ignore SIGINT, and all that is started there."""

os.environ["ARENA_REPORT"] = "no"
"""Most leagues of tests are not looked at; those that are say ``--report``."""

settings.register_profile(
    "arena", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arena")


@pytest.fixture(scope="session", autouse=True)
def no_process_survives() -> Iterator[None]:
    """Fail when a process that a test started, or one of its children, is still there."""
    run = uuid.uuid4().hex
    os.environ[leftovers.MARK] = run
    yield
    del os.environ[leftovers.MARK]
    if leftovers.can_look():
        assert not leftovers.remaining(leftovers.MARK, run), "the tests left processes behind"
