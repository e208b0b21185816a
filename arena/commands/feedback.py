"""Pack what the author of one bot may know of a run."""

import contextlib
import os
import re
import stat
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import click

import arena
from arena import plugins
from arena.commands.figures import standings_of, times_of
from arena.commands.reading import reading
from arena.commands.records import writing
from arena.errors import ConfigError, ReplayError, nearest
from arena.games.base import Game
from arena.league.journal import Journal
from arena.league.places import temporary_folder
from arena.model import Entrant, League
from arena.play import wary
from arena.play.log import CAP, is_log_of
from arena.views.feedback import fault_file, match_files, part, result_files

_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of all files, so that the same run gives the same archive."""


def pack(folder: Path, bot: str, output: Path | None) -> None:
    """Write the archive of a bot's results, matches, faults and logs."""
    with reading(folder) as journal:
        league = journal.league()
        entrants = {entrant.name: entrant for entrant in league.entrants}
        if bot not in entrants:
            raise ConfigError(f"{folder} has no bot {bot!r}{nearest(bot, entrants)}")
        output = output or Path(f"{bot}.zip")
        clean = _without_paths(folder, league, entrants[bot])
        with writing(output) as file, zipfile.ZipFile(file, "w") as archive:
            count = 0
            for name, content in _files(journal, league, folder, bot):
                entry = zipfile.ZipInfo(f"{bot}/{name}", _TIME)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (stat.S_IFREG | 0o644) << 16
                archive.writestr(entry, clean(content))
                count += 1
        click.echo(f"{output}: {count} files for the author of {bot}")


def _files(journal: Journal, league: League, folder: Path, bot: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of every file of the archive."""
    game: Game = plugins.load("games", league.terms.game)
    parts, faults = [], []
    for result in journal.results():
        if bot not in result.outcome.seats:
            continue
        parts.append(part(result, bot))
        own = (fault for fault in result.outcome.faults if fault.seat == parts[-1].seat)
        faults += [(result.outcome.match, fault) for fault in own]
        try:
            for name, content in match_files(result, league, game, bot):
                yield name, content.encode()
        except ReplayError as error:
            raise ReplayError(f"match {result.outcome.match}: {error}") from error
    times = times_of(journal)
    for name, content in result_files(league, bot, standings_of(journal), times, parts):
        yield name, content.encode()
    name, content = fault_file(faults)
    yield name, content.encode()
    yield from _logs(folder / "logs", bot)


def _logs(folder: Path, bot: str) -> Iterator[tuple[str, bytes]]:
    """Yield the logs of a bot's processes.

    A bot may have put a link to another file in the place of one, which is left out.
    """
    for path in sorted(folder.glob("*.log")):
        if not is_log_of(bot, path.name):
            continue
        content = _read(path)
        if content is None:
            click.echo(f"arena: {path} is no file of its own and was left out", err=True)
        else:
            yield f"logs/{path.name}", content


def _read(path: Path) -> bytes | None:
    """Return what is in a file, None if it is a link, has a second name, or is something else."""
    with contextlib.suppress(OSError), wary.opened(path) as descriptor:
        size = os.fstat(descriptor).st_size
        if os.fstat(descriptor).st_nlink == 1:
            cut = f"\n[... {size - CAP} bytes were cut here ...]\n" if size > CAP else ""
            return os.pread(descriptor, CAP, 0) + cut.encode()
    return None


def _without_paths(folder: Path, league: League, entrant: Entrant) -> Callable[[bytes], bytes]:
    """Return a function that puts words for the paths of this machine, as tracebacks have them."""
    known = {
        "<home>": [Path.home()],
        "<temporary>": [temporary_folder()],
        "<python>": [Path(sys.prefix), Path(sys.base_prefix)],
        "<arena>": [Path(arena.__file__).parents[1]],
        "<league>": [Path(league.source).parent],
        "<run>": [folder.absolute()],
        "<bot>": [Path(entrant.folder)],
    }
    words = {
        os.fsencode(path): word.encode()
        for word, paths in known.items()
        for named in paths
        for path in (named, named.resolve())
        if len(path.parts) > 1
    }
    ordered = sorted(words, key=len, reverse=True)
    pattern = re.compile(b"(?:" + b"|".join(map(re.escape, ordered)) + rb")(?![\w-])")
    return lambda content: pattern.sub(lambda found: words[found[0]], content)
