"""Whether a bot gets ready: its hello, the time to it, and that it stays in touch."""

from arena.check.check import Check
from arena.check.finding import SECTIONS, Seen, Wrong
from arena.check.lab import Lab
from arena.model import FaultKind
from arena.play.referee import Failure

STARTS = 3
CLOSE = 0.5
"""The part of a limit beyond which a time is told to be close to it."""


def checks() -> list[Check]:
    """Return the checks of this group."""
    return [
        Check("handshake", "hello", _handshake, plays=False),
        Check("start", "Clocks", _start, plays=False),
        Check("ping", "ping", _ping, plays=False),
    ]


def _handshake(lab: Lab) -> Seen:
    with lab.session() as session:
        took = session.greet()
    return Seen(f"hello came {took:.0f} ms after the start")


def _start(lab: Lab) -> Seen:
    times = []
    for _ in range(STARTS):
        with lab.session() as session:
            times.append(session.greet())
    slowest, limit = max(times), lab.limits.start
    close = slowest > limit * CLOSE
    detail = f"slowest of {STARTS} starts: {slowest:.0f} ms of {limit} ms"
    return Seen(detail + (", which is close" if close else ""), close, {"start_max_ms": slowest})


def _ping(lab: Lab) -> Seen:
    """Ping a bot that has not played, then one that has, twice."""
    with lab.session() as session:
        session.greet()
        _must_answer(session.ping())
    for game in lab.games:
        with lab.ready() as session:
            session.play(lab.quick(game, "ping"))
            for _ in range(2):
                failure = session.ping()
                if failure and failure.kind is FaultKind.EXITED:
                    return Seen("answered; but it exits when a match has ended", noted=True)
                _must_answer(failure)
    return Seen(f"answered before and after a match{lab.note}")


def _must_answer(failure: Failure | None) -> None:
    if failure:
        raise Wrong(
            f"{failure.detail}: the arena takes a new process for the next match",
            SECTIONS[failure.kind] if failure.kind is not FaultKind.TIMEOUT else "ping",
            hangs=failure.kind is FaultKind.TIMEOUT,
        )
