"""The arena that the tests of bot processes talk with."""

from collections.abc import Iterator

import pytest
import zmq
from fake_arena import FakeArena


@pytest.fixture
def arena() -> Iterator[FakeArena]:
    with zmq.Context() as context:
        fake = FakeArena(context)
        yield fake
        fake.close()


@pytest.fixture(autouse=True, scope="session")
def quick_search() -> Iterator[None]:
    """Let the bots that search do as little of it as has any effect."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIMULATIONS", "60")
        yield
