"""bubblewrap: what a kill leaves of a box is ended, and boxes that are used are not."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from needed import needed
from running import has_ended

from arena.play import bubblewrap, visible
from arena.play.visible import View

SECONDS = 10.0


@contextmanager
def box(*more: str, passed: tuple[int, ...] = ()) -> Iterator[subprocess.Popen[str]]:
    """Start a box that reads its standard input to the end."""
    words, why_not = bubblewrap.command()
    if not words:
        needed(f"bubblewrap: {why_not}")
    view = View(words, Path("/"), 1 << 20, visible.languages())
    with subprocess.Popen(
        (*view.words(), *more, "--", "/bin/cat"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=passed, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def half_made() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a box whose maker waits before it is made; yield it and the box's first process."""
    with ExitStack() as stack:
        told, tells = os.pipe()
        waits, goes_on = os.pipe()
        stack.callback(lambda: [os.close(end) for end in (told, waits, goes_on)])
        more = ("--info-fd", str(tells), "--userns-block-fd", str(waits))
        process = stack.enter_context(box(*more, passed=(tells, waits)))
        os.close(tells)
        assert b"child-pid" in os.read(told, 1000)
        yield process, children(process.pid)[0]


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.process
def test_a_box_whose_maker_was_killed_before_it_was_made_is_ended() -> None:
    with half_made() as (maker, first):
        maker.kill()
        maker.wait(SECONDS)
        bubblewrap.end_lost_boxes()
        assert has_ended(first, SECONDS)


@pytest.mark.process
def test_boxes_that_are_used_or_being_made_are_left_alone() -> None:
    with box() as used, half_made() as (maker, first):
        bubblewrap.end_lost_boxes()
        assert not has_ended(first, 0.2)
        assert maker.poll() is None
        assert used.communicate("still here", SECONDS)[0] == "still here"
        maker.kill()
        maker.wait(SECONDS)
        bubblewrap.end_lost_boxes()
        assert has_ended(first, SECONDS)
