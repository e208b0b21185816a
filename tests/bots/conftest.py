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
