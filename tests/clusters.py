"""A dask scheduler and its workers as processes of their own, to be killed and cut off at will."""

import contextlib
import json
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from running import LIMIT_SECONDS, Place

LEAVE_SECONDS = 10
"""How long a process has to leave in order."""


class Cluster:
    """A scheduler on the loopback, and workers with one thread each."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.workers: list[subprocess.Popen[bytes]] = []
        self._file = place.folder / "scheduler.json"
        self._scheduler: subprocess.Popen[bytes] | None = None
        self._port = "0"

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self._port}"

    @property
    def port(self) -> int:
        return int(self._port)

    def start_scheduler(self) -> None:
        """Start the scheduler, on the port that it had before, and wait until it is there."""
        self._file.unlink(missing_ok=True)
        self._scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", self._port, "--dashboard-address", ":0",
            "--scheduler-file", str(self._file),
        )  # fmt: skip
        deadline = time.monotonic() + LIMIT_SECONDS
        while not (self._file.exists() and self._file.read_text()):
            assert time.monotonic() < deadline, "the scheduler does not say where it is"
            time.sleep(0.05)
        self._port = json.loads(self._file.read_text())["address"].rpartition(":")[2]

    def start_worker(self, address: str = "", **environment: str) -> "subprocess.Popen[bytes]":
        worker = self._start(
            "worker", address or self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--local-directory", str(self.place.temporary), **environment,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def kill_scheduler(self) -> None:
        if self._scheduler:
            self._scheduler.kill()
            self._scheduler.wait()

    def keep(self, count: int, address: str = "") -> None:
        """Start workers until there are so many that have not ended."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < count:
            self.start_worker(address)

    def bots(self, seconds: float = 0.0) -> list[str]:
        """Return the commands of bots, and of those who start them, that are there after
        ``seconds``."""
        deadline = time.monotonic() + seconds
        while True:
            commands = self.place.processes().values()
            found = [command for command in commands if "distributed.cli" not in command]
            if not found or time.monotonic() >= deadline:
                return found
            time.sleep(0.02)

    def close(self) -> None:
        """End all of it as somebody would who leaves in order, if that works."""
        for process in [*self.workers, *filter(None, [self._scheduler])]:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LEAVE_SECONDS)
            process.kill()
            process.wait()

    def _start(self, what: str, *words: str, **environment: str) -> "subprocess.Popen[bytes]":
        with (self.place.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{what}", *words],
                cwd=self.place.folder,
                env=self.place.environment | environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )


class Wire:
    """A port that leads to another one, and connections over it that can be cut."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ended = False

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """Cut all connections; new ones can be made."""
        with self._lock:
            for end in self._pairs:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    @contextlib.contextmanager
    def up(self) -> Iterator["Wire"]:
        self._thread.start()
        yield self
        self._ended = True
        self._thread.join()

    def _serve(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            while not self._ended:
                for key, _ in selector.select(0.1):
                    end = key.fileobj
                    assert isinstance(end, socket.socket)
                    if end is self._listener:
                        self._connect(selector)
                    elif end in self._pairs:
                        self._pass_on(selector, end)
            for end in [self._listener, *self._pairs]:
                end.close()

    def _connect(self, selector: selectors.BaseSelector) -> None:
        ours, _ = self._listener.accept()
        try:
            theirs = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            ours.close()
            return
        with self._lock:
            self._pairs |= {ours: theirs, theirs: ours}
        selector.register(ours, selectors.EVENT_READ)
        selector.register(theirs, selectors.EVENT_READ)

    def _pass_on(self, selector: selectors.BaseSelector, end: socket.socket) -> None:
        other = self._pairs[end]
        data = b""
        with contextlib.suppress(OSError):
            data = end.recv(1 << 16)
        with contextlib.suppress(OSError):
            other.sendall(data)
        if not data:
            with self._lock:
                for one in (end, other):
                    selector.unregister(one)
                    del self._pairs[one]
                    one.close()
