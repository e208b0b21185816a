"""What is looked after while the arena waits for bots."""

import select
from collections.abc import Callable


class Interrupt:
    """Something to look after while a match is played: what to call when a descriptor is ready."""

    def __init__(self, descriptor: int, call: Callable[[], None]) -> None:
        self.descriptor = descriptor
        self._call = call
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def look(self) -> None:
        """Make the call if the descriptor is ready; an exception of it goes through."""
        if self._poll.poll(0):
            self._call()
