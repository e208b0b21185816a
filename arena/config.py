"""Read league files: everything is checked before anything is played."""

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec.structs import replace

from arena import plugins
from arena._reader import Table, read
from arena.entrants import load_bot, read_entrants, shipped_bots
from arena.errors import ConfigError, OptionError, nearest
from arena.games.base import Game
from arena.league.executors.base import Executor
from arena.league.formats.base import Format
from arena.model import (
    USUAL_LEVEL,
    Entrant,
    FaultPolicy,
    League,
    Level,
    Limits,
    OffTurn,
    Sandbox,
    Terms,
)
from arena.results.ratings.base import Rater

__all__ = ["RATING", "load_bot", "load_league", "shipped_bots"]

_KEYS = (
    "name", "game", "seed", "seats", "options", "format", "limits", "faults", "rating",
    "sandbox", "run", "bots",
)  # fmt: skip
_RUN_KEYS = ("workers", "pin", "restart", "executor", "scheduler")
_RESTARTS: tuple[Literal["auto", "match", "never"], ...] = ("auto", "match", "never")
_LEVELS: tuple[Level, ...] = get_args(Level)
_OFF_TURNS: tuple[OffTurn, ...] = get_args(OffTurn)
_FORMAT = "round-robin"
_EXECUTOR = "local"
RATING = "bradley-terry"
"""The usual kind of ratings."""
_CORES = "cores"
_DAY = 86_400_000
MOST_WORKERS = 1024
_MOST_FAULTS = 1_000_000
_MOST_BYTES = 1 << 50
_MOST_THREADS = 1_000_000
_LONGEST_SEED = 100
SEED_FORM = f"a text of 1 to {_LONGEST_SEED} characters"


def load_league(
    path: str | Path,
    *,
    seed: int | str | None = None,
    blocks: int | None = None,
    workers: int | None = None,
    executor: str | None = None,
    scheduler: str | None = None,
) -> League:
    """Return the league of a file.

    ``seed``, ``blocks``, ``workers``, ``executor`` and ``scheduler``, where not None, go before
    what the file says. The name is the file's own without ``.toml`` where none is given, the format
    round-robin, and the defaults of limits and faults are those of ``arena.model``. Raise
    ConfigError, which names file, key and value, for the first thing that is wrong.
    """
    path = Path(path)
    top = read(path).override("seed", seed, "--seed")
    top.allow(_KEYS)
    run = top.section("run").override("workers", workers, "--workers")
    run = run.override("executor", executor, "--executor")
    run = run.override("scheduler", scheduler, "--scheduler")
    run.allow(_RUN_KEYS)
    key, game = _game(top)
    seats = _seats(top, game)
    section = top.section("format").override("blocks", blocks, "--blocks")
    kind, league_format, format_options = _format(section)
    executor, scheduler = _executor(run)
    league = League(
        name=top.name("name", path.stem),
        seed=_seed(top),
        seats=seats,
        terms=Terms(
            game=key,
            options=_options(top, game, seats),
            limits=read_limits(top.section("limits")),
            faults=_faults(top.section("faults")),
            restart=run.choice("restart", "auto", _RESTARTS),
            sandbox=_sandbox(top.section("sandbox"), path.absolute().parent),
        ),
        format=kind,
        format_options=format_options,
        workers=_workers(run),
        pin=run.flag("pin", default=True),
        executor=executor,
        scheduler=scheduler,
        entrants=_entrants(top, path.absolute().parent, (key, game.key), max(seats)),
        source=str(path.absolute()),
    )
    try:
        league_format.fit(league)
    except OptionError as error:
        raise section.refused(error) from None
    rating, anchor = _rating(top, league.entrants)
    return replace(league, rating=rating, anchor=anchor)


def _game(top: Table) -> tuple[str, Game]:
    key = top.text("game")
    if key is None:
        raise top.missing("game", f"one of {', '.join(plugins.names('games'))}")
    return key, _plugin(top, "game", "games", key)


def _plugin(table: Table, key: str, kind: str, name: str) -> Any:
    try:
        return plugins.load(kind, name)
    except ConfigError as error:
        raise ConfigError(f"{table.label(key)}: {error}") from None


def is_seed(text: str) -> bool:
    """Return whether a text may be a seed: it is of ``SEED_FORM``."""
    return 0 < len(text) <= _LONGEST_SEED and text.isprintable()


def _seed(top: Table) -> str:
    """Return the seed as text, empty where none is given."""
    seed = top.values.get("seed", "")
    if isinstance(seed, int) and not isinstance(seed, bool):
        return str(seed)
    if "seed" not in top:
        return ""
    if not (isinstance(seed, str) and is_seed(seed)):
        raise top.wrong("seed", f"must be a whole number or {SEED_FORM}")
    return unicodedata.normalize("NFC", seed)


def _seats(top: Table, game: Game) -> tuple[int, ...]:
    """Return the table sizes in ascending order."""
    valid = f"{game.players.start} to {game.players.stop - 1}"
    if "seats" not in top:
        raise top.missing("seats", f"the size of a table, {valid}, or a list of sizes")
    value = top.values["seats"]
    sizes = value if isinstance(value, list) else [value]
    if not sizes or any(isinstance(size, bool) or not isinstance(size, int) for size in sizes):
        raise top.wrong("seats", f"must be a whole number or a list of them, each from {valid}")
    if any(size not in game.players for size in sizes):
        raise top.wrong("seats", f"is out of range: {game.title} is played by {valid}")
    if len(set(sizes)) < len(sizes):
        raise top.wrong("seats", "has a size twice")
    return tuple(sorted(sizes))


def _options(top: Table, game: Game, seats: tuple[int, ...]) -> dict[str, Any]:
    """Return the game's options as given, once they fit tables of every size."""
    options = top.section("options")
    for players in seats:
        try:
            game.resolve(options.values, players)
        except OptionError as error:
            where = f" (at tables of {players})" if len(seats) > 1 else ""
            raise ConfigError(f"{options.refused(error)}{where}") from None
    return dict(options.values)


def _format(table: Table) -> tuple[str, Format, dict[str, Any]]:
    """Return the format, its key before it and all its options after it."""
    kind = table.text("kind") or _FORMAT
    given: Mapping[str, Any] = {key: value for key, value in table.values.items() if key != "kind"}
    try:
        league_format: Format = _plugin(table, "kind", "formats", kind)
        return kind, league_format, league_format.check(given)
    except OptionError as error:
        raise table.refused(error) from None


def read_limits(table: Table) -> Limits:
    """Return the limits that a table has, the defaults of the others; raise ConfigError."""
    default = Limits()
    table.allow(Limits.__struct_fields__)
    return Limits(
        start=table.whole("start", default.start, low=1, high=_DAY),
        first_move=table.whole("first_move", default.first_move, low=1, high=_DAY),
        move=table.whole("move", default.move, low=1, high=_DAY),
        bank=table.whole("bank", default.bank, low=0, high=_DAY),
        cpu_move=table.whole("cpu_move", default.cpu_move, low=0, high=_DAY),
        cpu_match=table.whole("cpu_match", default.cpu_match, low=0, high=_DAY),
        off_turn=table.choice("off_turn", default.off_turn, _OFF_TURNS),
        off_turn_ms=table.whole("off_turn_ms", default.off_turn_ms, low=1, high=_DAY),
    )


def _faults(table: Table) -> FaultPolicy:
    default = FaultPolicy()
    table.allow(FaultPolicy.__struct_fields__)
    return FaultPolicy(
        tolerate=table.whole("tolerate", default.tolerate, low=0, high=_MOST_FAULTS),
        suspend=table.whole("suspend", default.suspend, low=1, high=_MOST_FAULTS),
    )


def _sandbox(table: Table, base: Path) -> Sandbox:
    """Return the sandbox; what may be read is relative to ``base``."""
    default = Sandbox()
    table.allow(Sandbox.__struct_fields__)
    read = table.texts("read") if table.values.get("read", []) != [] else ()
    for path in read:
        if not (base / path).exists():
            raise table.wrong("read", f"cannot be read: there is nothing at {base / path}")
    return Sandbox(
        level=table.choice("level", USUAL_LEVEL, _LEVELS),
        memory=table.size("memory", default.memory, low=16 << 20, high=_MOST_BYTES),
        threads=table.whole("threads", default.threads, low=8, high=_MOST_THREADS),
        files=table.size("files", default.files, low=1 << 20, high=_MOST_BYTES),
        read=tuple(str(base / path) for path in read),
    )


def _workers(run: Table) -> int | None:
    """Return the number of workers, None for one a core."""
    value = run.values.get("workers", _CORES)
    if value == _CORES:
        return None
    if isinstance(value, str):
        raise run.wrong("workers", f'must be "{_CORES}" or a whole number')
    return run.whole("workers", 1, low=1, high=MOST_WORKERS)


def _executor(run: Table) -> tuple[str, str]:
    """Return the key of the executor, and the address of its scheduler or nothing."""
    name, scheduler = run.text("executor") or _EXECUTOR, run.text("scheduler") or ""
    executor: Executor = _plugin(run, "executor", "executors", name)
    try:
        executor.check(scheduler)
    except OptionError as error:
        raise run.refused(error) from None
    except ConfigError as error:
        raise ConfigError(f"{run.label('executor')}: {error}") from None
    return name, scheduler


def _rating(top: Table, entrants: tuple[Entrant, ...]) -> tuple[str, str]:
    """Return the kind of the ratings that the file asks for, or nothing, and their anchor."""
    if "rating" not in top:
        return "", ""
    table = top.section("rating")
    table.allow(("kind", "anchor"))
    kind = table.text("kind") or RATING
    rater: Rater = _plugin(table, "kind", "ratings", kind)
    try:
        rater.check()
    except ConfigError as error:
        raise ConfigError(f"{table.label('kind')}: {error}") from None
    anchor = table.text("anchor") or ""
    names = [entrant.name for entrant in entrants]
    if anchor and anchor not in names:
        raise table.wrong("anchor", f"is none of the bots{nearest(anchor, names)}")
    return kind, anchor


def _entrants(top: Table, base: Path, games: tuple[str, str], largest: int) -> tuple[Entrant, ...]:
    """Return the league's bots, enough of them active for the largest table."""
    if not top.sections("bots"):
        raise top.missing("bots", "a [[bots]] section for each bot, with path, or name and command")
    entrants = read_entrants(top.sections("bots"), base=base, games=games)
    active = [entrant.name for entrant in entrants if entrant.active]
    if len(active) < largest:
        raise top.wrong(
            "seats",
            f"needs {largest} bots at a table, and {len(active)} are active: "
            f"{', '.join(active) or 'none'}",
        )
    return entrants
