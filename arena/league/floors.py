"""What calibrations of this machine have found, kept for the leagues that are played on it."""

import contextlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.model import League, Limits
from arena.play.meter import available_cores
from arena.results.noise import Calibration

FILE = "calibrations.json"
_DECODER = msgspec.json.Decoder(list[Calibration])


def store() -> Path:
    """Return the file that holds the latest calibrations: in ``ARENA_CACHE``, or else in the user's
    folder for caches."""
    if own := os.environ.get("ARENA_CACHE"):
        return Path(own) / FILE
    cache = os.environ.get("XDG_CACHE_HOME", "")
    folder = cache if os.path.isabs(cache) else os.path.expanduser("~/.cache")
    return Path(folder) / "arena" / FILE


def remember(calibration: Calibration) -> Path:
    """Keep a calibration in the place of an earlier one of its kind; return the file.

    Raise OSError when it cannot be written.
    """
    others = [other for other in _kept() if _kind(other) != _kind(calibration)]
    path = store()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_bytes(msgspec.json.encode([*others, calibration]))
    draft.replace(path)
    return path


def recall(league: League) -> Calibration | None:
    """Return what was found for leagues like this one, the level of its sandbox settled."""
    kind = (
        platform.node(),
        league.workers or available_cores(),
        league.pin,
        league.terms.sandbox.level,
        league.terms.limits.metered,
    )
    return next((kept for kept in _kept() if _kind(kept) == kind), None)


def in_words(calibration: Calibration) -> str:
    """Return a calibration as it is noted in a journal."""
    rare = max(calibration.at_once.p999, calibration.working.p999)
    return (
        f"{calibration.floor:.1f} ms, one decision in a thousand {rare:.1f} ms, with "
        f"{calibration.workers} workers; calibrated {calibration.made}"
    )


def warnings(calibration: Calibration, limits: Limits) -> Iterator[str]:
    """Yield what is to be said of limits that are within the noise."""
    for key, (ms, least) in calibration.within(limits).items():
        if key == "cpu_move":
            found = "decisions took processor time that was not the work in them"
        else:
            found = f"decisions looked up to {calibration.floor:.1f} ms longer than they were"
        yield (
            f"[limits] {key} = {ms} is within the noise of this machine: {found} when it was "
            f"calibrated ({calibration.made}); {least} is the least that is sensible"
        )


def _kept() -> list[Calibration]:
    """Return what is kept; nothing of a file that another version has written."""
    with contextlib.suppress(OSError, msgspec.DecodeError):
        return _DECODER.decode(store().read_bytes())
    return []


def _kind(calibration: Calibration) -> tuple[object, ...]:
    return (
        calibration.machine,
        calibration.workers,
        calibration.pin,
        calibration.sandbox,
        calibration.metered,
    )
