"""Journal files: what can be read of them, or a complaint; a head vouches for all matches."""

import contextlib
import itertools
import tempfile
from pathlib import Path

import scripted

from arena.errors import ArenaError
from arena.league.formats.round_robin import PLUGIN as ROUND_ROBIN
from arena.league.journal import FILE, Journal

FOLDER = tempfile.TemporaryDirectory(prefix="arena-fuzz-")
RUN = Path(FOLDER.name) / "run"
FIXTURES = itertools.islice(ROUND_ROBIN.plan(scripted.LEAGUE).fixtures(), 4)
RESULTS = [scripted.play(scripted.LEAGUE, fixture) for fixture in FIXTURES]
scripted.record(scripted.LEAGUE, iter(RESULTS), RUN)
with contextlib.closing(Journal.read(RUN)) as whole:
    HEAD = whole.head()
OLD = Path(__file__).parents[2] / "league" / "data" / "schema-1.sqlite"
SEEDS = [(RUN / FILE).read_bytes(), OLD.read_bytes()]


def run(data: bytes) -> None:
    (RUN / FILE).write_bytes(data)
    try:
        with contextlib.closing(Journal.read(RUN)) as journal:
            _read(journal)
    except ArenaError as complaint:
        text = str(complaint)
        assert str(RUN) in text, text
    assert (RUN / FILE).read_bytes() == data


def _read(journal: Journal) -> None:
    proof = journal.prove()
    results = list(journal.results())
    if proof and proof.head == HEAD:
        assert results == RESULTS
    list(journal.outcomes())
    for read in (journal.played, journal.voids, journal.sandboxes, journal.floors, journal.league):
        read()
    assert all(line.isprintable() for line in journal.losses), journal.losses
