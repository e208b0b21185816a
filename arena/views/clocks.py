"""What the organiser of a league should know of its clocks when it has been played."""

import textwrap
from collections.abc import Iterator

from arena.model import Limits
from arena.results.times import Times
from arena.words import plural

BUSY = 0.1
"""A bot that uses more of a core than this while it is not asked is told of."""
ENOUGH_MS = 1000
"""Processor time that is worth telling of."""
DISTURBING = 0.1
"""A wait of the arena that is longer than this share of the move limit is told of."""


def remarks(times: Times, limits: Limits) -> Iterator[str]:
    """Yield what is suspicious about the times of a league, one line each."""
    if times.idle:
        yield (
            f"{times.idle} of {plural(times.late, 'late answer')} had less than half of their time "
            "on a processor: the machine is too busy, or the bots waited for something else"
        )
    for bot in times.bots:
        if bot.off_turn and bot.waiting and bot.off_turn > max(BUSY * bot.waiting, ENOUGH_MS):
            yield (
                f"{bot.bot} used {100 * bot.off_turn / bot.waiting:.0f}% of a core while it was "
                "not asked, and may have slowed down others; "
                '[limits] off_turn = "fault" forbids that'
            )
    longest = times.arena.longest_wait if times.arena else None
    if longest and longest > limits.move * DISTURBING:
        yield (
            f"the arena itself had to wait {longest:.0f} ms for a processor, and bots may have "
            f"lost as much of their {limits.move} ms: the machine is too busy"
        )


def fitted(remark: str, columns: int | None) -> str:
    """Return a remark in lines for a terminal of that many columns, in one line for none."""
    return textwrap.fill(remark, columns, subsequent_indent="  ") if columns else remark
