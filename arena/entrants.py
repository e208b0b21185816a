"""Find bots: a folder with a bot.toml, a command line, a bot that comes with the arena."""

import glob
import os
import shlex
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from arena import fingerprint
from arena._reader import Table, name_fault, read
from arena.errors import ConfigError, similar
from arena.model import BOT_FILE, Entrant
from arena.play.build import find_program

MANUAL = "manual"
ANY_GAME = "*"
_BOT_KEYS = (
    "name", "description", "games", "python", "command", "build", "transport", "env", "prewarmed",
)  # fmt: skip
_ENTRY_KEYS = ("path", "name", "command", "env", "transport", "active", "prewarmed")
_TRANSPORTS: tuple[Literal["ipc", "tcp"], ...] = ("ipc", "tcp")


def shipped_bots() -> Path:
    """Return the folder of the bots that come with the arena."""
    packaged = Path(__file__).with_name("_bots")
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "bots"


def load_bot(reference: str, *, base: Path, game: str | None = None) -> Entrant:
    """Return the bot that a person named in one word or one quoted command line.

    ``reference`` is a folder with a bot.toml, relative to ``base``; the name of a shipped bot; a
    command line, run in ``base``; or ``manual``, a bot that is started by hand. A bot that does
    not play ``game`` is refused. Raise ConfigError.
    """
    base = base.resolve()
    if reference == MANUAL:
        return Entrant(name=MANUAL, command=(), folder=str(base), manual=True)
    if folder := _bot_folder(reference, base):
        return _load_folder(folder, () if game is None else (game,))
    if os.path.isdir(base / reference):
        raise ConfigError(f"bot {reference!r}: there is no {BOT_FILE} in {base / reference}")
    is_program = os.path.isfile(base / reference)
    try:
        words = [reference] if is_program else shlex.split(reference)
    except ValueError as error:
        raise ConfigError(f"bot {reference!r} is no command line: {error}") from None
    if len(words) < 2 and not is_program:
        folders = _bot_folders("*", shipped_bots()) + _bot_folders("*", base)
        hint = similar(reference, [MANUAL, *_names(folders)])
        raise ConfigError(
            f"there is no bot {reference!r}: no folder with a {BOT_FILE}, "
            f"no bot that comes with the arena, no program{hint}"
        )
    table = Table(f"bot {reference!r}", "", {"command": words})
    command = _command(table, base, {})
    return Entrant(
        name=_command_name(words, base),
        command=command,
        folder=str(base),
        fingerprint=_fingerprint(table, fingerprint.of_command, base, command),
    )


def distinct(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return bots with a number behind the name of each whose name is taken by one before it."""
    taken: set[str] = set()
    named = []
    for entrant in entrants:
        name, number = entrant.name, 1
        while _as_file(name) in taken:
            number += 1
            name = f"{entrant.name}-{number}"
        taken.add(_as_file(name))
        named.append(replace(entrant, name=name))
    return named


def as_of_now(entrant: Entrant) -> Entrant:
    """Return a bot of an earlier league as its files are today, with its name of then.

    Raise ConfigError when they are gone.
    """
    folder = Path(entrant.folder)
    if not entrant.command:
        raise ConfigError(f"{entrant.name} cannot play: the league file has no command")
    if not os.path.isdir(folder):
        raise ConfigError(f"{entrant.name} cannot play: its folder {folder} is gone")
    if os.path.isfile(folder / BOT_FILE):
        now = _load_folder(folder, ())
        return replace(
            now,
            name=entrant.name,
            env=entrant.env,
            transport=entrant.transport,
            prewarmed=entrant.prewarmed,
        )
    return replace(entrant, fingerprint=fingerprint.of_command(folder, entrant.command))


def games_of(reference: str, *, base: Path) -> tuple[str, ...]:
    """Return the games that the bot.toml of a bot names, ``("*",)`` where nothing is said."""
    folder = _bot_folder(reference, base.resolve())
    return _games(read(folder / BOT_FILE)) if folder else (ANY_GAME,)


def read_entrants(
    entries: Sequence[Table], *, base: Path, games: Collection[str]
) -> tuple[Entrant, ...]:
    """Return the bots of a league's ``[[bots]]`` sections, in their order.

    Paths are relative to ``base``, the league file's folder. ``games`` are the names of the
    league's game. An inactive bot needs no folder or program any more. Raise ConfigError.
    """
    found = [
        (entry, entrant)
        for entry in entries
        for entrant in _read_entry(entry, base.resolve(), games)
    ]
    _check_names(found)
    return tuple(entrant for _, entrant in found)


def _read_entry(entry: Table, base: Path, games: Collection[str]) -> list[Entrant]:
    entry.allow(_ENTRY_KEYS)
    active = entry.flag("active", default=True)
    if entry.either("path", "command") == "command":
        return [_command_entrant(entry, base, active=active)]
    folders = _folders(entry, base, active=active)
    if len(folders) > 1 and "name" in entry:
        raise entry.wrong("name", f"cannot be the name of {len(folders)} bots")
    if active:
        return [_adapted(entry, _load_folder(folder, games)) for folder in folders]
    return [_retired(entry, folder) for folder in folders]


def _command_entrant(entry: Table, base: Path, *, active: bool) -> Entrant:
    if "name" not in entry:
        raise entry.missing("name", "a bot with a command needs a name")
    env = entry.environment("env")
    command = _command(entry, base, env) if active else ()
    return Entrant(
        name=entry.name("name", ""),
        command=command,
        folder=str(base),
        env=env,
        transport=entry.choice("transport", "ipc", _TRANSPORTS),
        active=active,
        fingerprint=_fingerprint(entry, fingerprint.of_command, base, command) if active else "",
        prewarmed=_prewarmed(entry, command, env, default=False),
    )


def _adapted(entry: Table, entrant: Entrant) -> Entrant:
    """Return a bot with what the league says over what its bot.toml says."""
    env = {**entrant.env, **entry.environment("env")}
    return replace(
        entrant,
        name=entry.name("name", entrant.name),
        env=env,
        transport=entry.choice("transport", entrant.transport, _TRANSPORTS),
        prewarmed=_prewarmed(entry, entrant.command, env, default=entrant.prewarmed),
    )


def _prewarmed(
    table: Table, command: Sequence[str], env: Mapping[str, str], *, default: bool
) -> bool:
    """Return whether a bot is to be a fork of an interpreter that runs already, which must be the
    interpreter that its script wants, in an environment that is not read at its start."""
    if not table.flag("prewarmed", default=default):
        return False
    if len(command) != 2 or command[0] != sys.executable:
        raise table.wrong("prewarmed", "is for bots whose bot.toml has 'python'")
    for name in env:
        if name.startswith("PYTHON"):
            raise ConfigError(
                f"{table.label('env')}: {name} cannot be set for a bot that is prewarmed: "
                "Python reads it when it starts"
            )
    return True


def _retired(entry: Table, folder: Path) -> Entrant:
    """Return an inactive bot: only its name matters, so its files may be gone."""
    name = folder.name
    if "name" not in entry and os.path.isfile(folder / BOT_FILE):
        name = read(folder / BOT_FILE).name("name", name)
    return Entrant(name=entry.name("name", name), command=(), folder=str(folder), active=False)


def _folders(entry: Table, base: Path, *, active: bool) -> list[Path]:
    """Return the folders of a ``path``, at least one; those of active bots have a bot.toml."""
    pattern = entry.text("path") or ""
    folder = base / pattern
    folders = _bot_folders(pattern, base)
    if folders:
        return folders
    if not os.path.isdir(folder) and any(sign in pattern for sign in "*?["):
        raise entry.wrong("path", f"matches no folder with a {BOT_FILE}")
    if not active:
        return [folder]
    if os.path.isdir(folder):
        raise entry.wrong("path", f"has no {BOT_FILE} in it")
    if os.path.isfile((shipped := shipped_bots() / pattern) / BOT_FILE):
        raise entry.wrong(
            "path", f"is no folder here; the bot that comes with the arena: {shipped}"
        )
    siblings = _bot_folders("*", folder.parent)
    raise entry.wrong("path", f"is no folder{similar(folder.name, _names(siblings))}")


def _bot_folder(reference: str, base: Path) -> Path | None:
    """Return the folder with a bot.toml, in ``base`` or of a shipped bot, None for none."""
    for folder in (base / reference, shipped_bots() / reference):
        if reference and os.path.isfile(folder / BOT_FILE):
            return _absolute(folder)
    return None


def _bot_folders(pattern: str, base: Path) -> list[Path]:
    """Return the folders with a bot.toml that a path or pattern names, sorted and absolute."""
    found = [pattern] if os.path.isdir(base / pattern) else glob.glob(pattern, root_dir=base)
    folders = sorted(base / name for name in found)
    return [_absolute(folder) for folder in folders if os.path.isfile(folder / BOT_FILE)]


def _absolute(folder: Path) -> Path:
    """Return an absolute path that keeps the name of a link to a folder."""
    return folder.resolve() if folder.name == ".." else folder.parent.resolve() / folder.name


def _names(paths: Iterable[Path]) -> list[str]:
    return [path.name for path in paths]


def _load_folder(folder: Path, games: Collection[str]) -> Entrant:
    """Return the bot of a folder; refuse it if it plays none of ``games``, unless that is empty."""
    table = read(folder / BOT_FILE)
    table.allow(_BOT_KEYS)
    table.text("description")
    build = table.texts("build") if "build" in table else ()
    plays = _games(table)
    if games and ANY_GAME not in plays and not set(games).intersection(plays):
        raise table.wrong("games", f"does not have the game to be played, {sorted(games)[0]!r}")
    env = table.environment("env")
    command = _command(table, folder, env)
    return Entrant(
        name=table.name("name", folder.name),
        command=command,
        folder=str(folder),
        env=env,
        transport=table.choice("transport", "ipc", _TRANSPORTS),
        fingerprint=_fingerprint(
            table, partial(fingerprint.of_folder, built=bool(build)), folder, command
        ),
        build=build,
        prewarmed=_prewarmed(table, command, env, default=False),
    )


def _games(table: Table) -> tuple[str, ...]:
    return table.texts("games") if "games" in table else (ANY_GAME,)


def _fingerprint(
    table: Table,
    kind: Callable[[Path, Sequence[str]], str],
    folder: Path,
    command: Sequence[str],
) -> str:
    try:
        return kind(folder, command)
    except OSError as error:
        raise ConfigError(f"{table.file}: a file of the bot cannot be read: {error}") from None


def _command(table: Table, folder: Path, env: Mapping[str, str]) -> tuple[str, ...]:
    """Return the argument list of ``python`` or ``command`` with its program found."""
    if table.either("python", "command") == "command":
        program, *arguments = table.texts("command")
        return (_program(table, folder, program, env.get("PATH")), *arguments)
    script = table.text("python") or ""
    if not os.path.isfile(folder / script):
        raise table.wrong("python", f"is no file in {folder}{similar(script, _files(folder))}")
    return (sys.executable, str(folder / script))


def _program(table: Table, folder: Path, program: str, path: str | None) -> str:
    """Return the absolute path of a program in the bot's folder or on PATH.

    One with a "/" in its name need not be there yet if the bot has a build.
    """
    if found := find_program(program, folder, path):
        return found
    local = os.path.join(folder, program)
    if os.path.isfile(local):
        raise table.wrong("command", f"cannot be started: {local} is not executable (chmod +x)")
    if "/" in program and "build" in table:
        return local
    if "/" in program:
        hint = similar(os.path.basename(program), _files(Path(local).parent))
        problem = f"there is no program {local}{hint}"
    else:
        on_path = (path or os.environ.get("PATH", os.defpath)).split(os.pathsep)
        names = {name for place in (str(folder), *on_path) for name in _files(Path(place))}
        problem = f"there is no program {program!r} in {folder} or on PATH{similar(program, names)}"
        if "build" in table:
            problem += f"; install it, or write './{program}' if the build makes it"
    raise table.wrong("command", f"cannot be started: {problem}")


def _files(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return []


def _command_name(words: Sequence[str], base: Path) -> str:
    """Return a name for a command: its last file, such as ``mine`` of ``node mine.js``."""
    files = [word for word in words if os.path.isfile(base / word)]
    name = Path((files or words[:1])[-1]).stem
    fault = name_fault(name)
    if fault:
        raise ConfigError(f"bot {shlex.join(words)!r}: the name {name!r} {fault}")
    return name


def _check_names(found: Iterable[tuple[Table, Entrant]]) -> None:
    """Refuse two bots of one name."""
    seen: dict[str, tuple[Table, Entrant]] = {}
    for entry, entrant in found:
        key = _as_file(entrant.name)
        if key in seen:
            both = (seen[key], (entry, entrant))
            names = " and ".join(dict.fromkeys(repr(bot.name) for _, bot in both))
            places = " and ".join(
                f"{table.place.rstrip(': ')} ({bot.folder})" for table, bot in both
            )
            raise ConfigError(
                f"{entry.file}: two bots are called {names}: {places}; "
                "give one of them another name"
            )
        seen[key] = (entry, entrant)


def _as_file(name: str) -> str:
    """Return what is the same for names that would share a log file."""
    return unicodedata.normalize("NFC", name).casefold()
