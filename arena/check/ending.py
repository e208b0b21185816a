"""Whether a bot goes when it is told to, and when the arena is gone."""

from arena.check.check import Check
from arena.check.finding import Seen, Wrong
from arena.check.lab import Lab
from arena.play.cell import exit_text
from arena.play.process import BYE_SECONDS
from arena.play.protocol import Bye

CLEAN = exit_text(0)
BYE_MS = round(BYE_SECONDS * 1000)
ALONE_SECONDS = 3.0
"""How long a bot may go on when its standard input has ended. No arena waits for it then, and it
may look for that now and then, as ``arena.bot`` does, and be on a busy machine."""


def checks() -> list[Check]:
    """Return the checks of this group."""
    return [
        Check("bye", "bye", _bye, plays=False),
        Check("stdin", "The process", _stdin, plays=False),
    ]


def _bye(lab: Lab) -> Seen:
    with lab.session() as session:
        session.greet()
        session.bot.send(Bye("the check of bye"))
        ending = session.exits(BYE_SECONDS)
        if not ending:
            raise Wrong(f"still runs {BYE_MS} ms after bye; the arena then ends it by SIGTERM")
    return Seen(f"{ending} after bye", noted=ending != CLEAN)


def _stdin(lab: Lab) -> Seen:
    with lab.session() as session:
        session.greet()
        process = session.bot.process
        assert process
        process.close_stdin()
        ending = session.exits(ALONE_SECONDS)
        if not ending:
            raise Wrong(
                f"still runs {ALONE_SECONDS:g} s after the end of its standard input: "
                "it would outlive an arena that was killed"
            )
    return Seen(f"{ending} at the end of its standard input", noted=ending != CLEAN)
