"""What a check is."""

from collections.abc import Callable

from msgspec import Struct

from arena.check.finding import Seen
from arena.check.lab import Lab


class Check(Struct, frozen=True):
    """One thing that a bot must do right.

    ``section`` is the heading of PROTOCOL.md about it. ``run`` returns what was seen or raises
    Wrong. ``plays`` is whether it needs matches, ``game`` the game that it is about, ``size`` the
    only size of tables that it is about.
    """

    key: str
    section: str
    run: Callable[[Lab], Seen]
    plays: bool = True
    game: str = ""
    size: int = 0
