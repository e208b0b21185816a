"""The matches of a run that its page shows, as far as there is room and time for them."""

import contextlib
import time
from collections.abc import Container, Iterable

from arena import plugins
from arena.errors import ArenaError
from arena.games.base import Game
from arena.league.journal import Journal
from arena.results.highlights import Chosen
from arena.views.html.replay import replay, step_of, viewer
from arena.views.html.report import Entry, Sample

ROOM = 2_500_000
"""Bytes of a page that replays may take."""
SECONDS = 2.0
"""After this time no more of them are made."""


def sample(journal: Journal, chosen: Iterable[Chosen], hidden: Container[str]) -> Sample:
    """Return the chosen matches with a viewer of as many as there is room and time for.

    In the list alone are matches of other rules than today's, those that were changed, and those
    of ``hidden`` blocks: their cards are dealt again in matches that are still to be played.
    """
    game: Game = plugins.load("games", journal.league().terms.game)
    entries, replays = [], []
    room, end = ROOM, time.monotonic() + SECONDS
    for one in chosen:
        step = None
        may_be_seen = one.outcome.block_id not in hidden
        if may_be_seen and room > 0 and time.monotonic() < end:
            with contextlib.suppress(ArenaError):
                result = journal.result(one.outcome.match)
                shown = replay(result, game)
                step = step_of(result, one.fault) if one.fault else 0
                room -= shown.size
                replays.append(shown)
        entries.append(Entry(one.outcome, one.why, one.fault, step))
    return Sample(entries, viewer(replays)) if replays else Sample(entries)
