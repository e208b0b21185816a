"""A worker process: plays the fixtures that the runner sends, one at a time.

It is started as ``python -m arena.league.executors._worker DESCRIPTOR`` with one end of a pipe.
When the runner closes the pipe, or is gone, the worker stops its bots and ends.
"""

import contextlib
import os
import sys
import traceback
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path

from arena import plugins
from arena.games.base import Game
from arena.league.executors import _messages as wire
from arena.league.room import is_full
from arena.model import Void
from arena.play.interrupt import Interrupt
from arena.play.pool import Pool
from arena.play.table import play_at_table


class Stopped(Exception):
    """The runner wants no more of this worker."""


class Orders:
    """The runner's orders, read while a match is played as well."""

    def __init__(self, pipe: "Connection[bytes, bytes]") -> None:
        self._pipe = pipe
        self._waiting: deque[wire.Play] = deque()

    @property
    def interrupt(self) -> Interrupt:
        """What a table has to look after while it waits for a bot."""
        return Interrupt(self._pipe.fileno(), self._read)

    def setup(self) -> wire.Setup:
        order = self._receive()
        assert isinstance(order, wire.Setup)
        return order

    def next(self) -> wire.Play:
        """Return the next order to play; raise Stopped when no more will come."""
        while not self._waiting:
            self._read()
        return self._waiting.popleft()

    def report(self, message: wire.FromWorker) -> None:
        try:
            self._pipe.send_bytes(wire.encode(message))
        except OSError:
            raise Stopped from None

    def _read(self) -> None:
        order = self._receive()
        assert isinstance(order, wire.Play)
        self._waiting.append(order)

    def _receive(self) -> wire.ToWorker:
        try:
            return wire.decode_order(self._pipe.recv_bytes())
        except (EOFError, OSError):
            raise Stopped from None


def main(descriptor: int) -> None:
    """Work until the runner closes the pipe."""
    orders = Orders(Connection(descriptor))
    with contextlib.suppress(Stopped):
        setup = orders.setup()
        if setup.core is not None:
            os.sched_setaffinity(0, {setup.core})
        _work(orders, setup)


def _work(orders: Orders, setup: wire.Setup) -> None:
    sockets = Path(setup.sockets)
    pool = Pool(
        setup.terms,
        sockets=sockets,
        logs=Path(setup.logs),
        label=setup.label,
        interrupt=orders.interrupt,
        changed=lambda pids: orders.report(wire.Running(pids)),
        hidden=[Path(setup.logs).parent, *(Path(bot.folder) for bot in setup.entrants)],
    )
    try:
        with contextlib.suppress(Stopped):
            while True:
                order = orders.next()
                orders.report(_play(order, setup, pool))
    finally:
        with contextlib.suppress(Stopped):
            pool.close()
    with contextlib.suppress(OSError):
        sockets.rmdir()


def _play(order: wire.Play, setup: wire.Setup, pool: Pool) -> wire.Finished | wire.Voided:
    """Play one fixture; an exception of the arena's own makes it void, and so does a fault of a
    bot when the disk is full: it may have failed for that."""
    entrants = {entrant.name: entrant for entrant in setup.entrants}
    game: Game = plugins.load("games", setup.terms.game)
    try:
        result = play_at_table(
            order.fixture,
            [entrants[name] for name in order.fixture.seats],
            terms=setup.terms,
            game=game,
            pool=pool,
            suspended=order.suspended,
        )
    except Stopped:
        raise
    except Exception:
        pool.clear("the match is void")
        return wire.Voided(Void(order.fixture.id, traceback.format_exc()))
    if result.outcome.faults and is_full(Path(setup.logs)):
        return wire.Voided(Void(order.fixture.id, f"bots cannot print: {setup.logs} has no room"))
    return wire.Finished(result)


if __name__ == "__main__":
    main(int(sys.argv[1]))
