"""Read a TOML file key by key, so that every complaint names file, key and value."""

import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Self, TypeVar

import tomli
from msgspec import Struct, field
from msgspec.structs import replace

from arena.errors import ConfigError, OptionError, nearest, similar

T = TypeVar("T", bound=str)
_INTEGERS = range(-(1 << 63), 1 << 63)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SIZE = re.compile(r"([0-9]{1,12})([KMG])")
_SHOWN = 60
LARGEST = 16 << 20
"""Bytes of the largest file: a bot of a stranger comes with one."""
_LONGEST_NAME = 40


class Table(Struct, frozen=True):
    """A table of a file. ``place`` leads to it, such as ``"[limits] "``, and is empty for the
    top of the file; ``labels`` names values that were given elsewhere than in the file."""

    file: str
    place: str
    values: Mapping[str, Any]
    labels: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def override(self, key: str, value: Any, label: str) -> Self:
        """Return the table with another value, called ``label``; itself if the value is None."""
        if value is None:
            return self
        if isinstance(value, int) and value not in _INTEGERS:
            raise ConfigError(f"{label} is a whole number of more than 64 bits")
        return replace(self, values={**self.values, key: value}, labels={**self.labels, key: label})

    def label(self, key: str) -> str:
        """Return where a value stands: ``league.toml: [limits] move``."""
        return self.labels.get(key, f"{self.file}: {self.place}{_written(key)}")

    def wrong(self, key: str, message: str) -> ConfigError:
        """Return the error for a value that is there."""
        return ConfigError(f"{self.label(key)} = {shown(self.values[key])} {message}")

    def missing(self, key: str, message: str) -> ConfigError:
        """Return the error for a value that is not there."""
        return ConfigError(f"{self.label(key)} is missing: {message}")

    def refused(self, error: OptionError) -> ConfigError:
        """Return the error for a value that a game or a format refuses."""
        label, text = self.label(error.key), str(error)
        if text.startswith(f"{error.key} "):
            return ConfigError(label + text.removeprefix(error.key))
        return ConfigError(f"{label}: {text}")

    def allow(self, known: Collection[str]) -> None:
        """Raise ConfigError if there is a key that is not known."""
        for key in self.values:
            if key not in known:
                raise ConfigError(f"{self.label(key)}: unknown key{nearest(key, known)}")

    def either(self, first: str, second: str) -> str:
        """Return which of two keys is there; raise ConfigError unless one alone is."""
        if (first in self.values) == (second in self.values):
            found = "both are there" if first in self.values else "neither is there"
            raise ConfigError(f"{self.label(first)} or {second}: one is needed, {found}")
        return first if first in self.values else second

    def text(self, key: str) -> str | None:
        """Return a text, which is not empty, or None where there is none."""
        if key not in self.values:
            return None
        if not _is_text(self.values[key]):
            raise self.wrong(key, "must be a text in quotes, not empty")
        return str(self.values[key])

    def name(self, key: str, default: str) -> str:
        """Return a name that can also be the name of a file."""
        name = self.text(key) or default
        fault = name_fault(name)
        if fault:
            raise ConfigError(f"{self.label(key)} = {shown(name)} {fault}")
        return name

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, which is not empty."""
        value = self.values[key]
        if not (isinstance(value, list) and value and all(map(_is_text, value))):
            raise self.wrong(key, 'must be a list of texts, such as ["first", "second"]')
        return tuple(value)

    def environment(self, key: str) -> dict[str, str]:
        """Return environment variables; none where the key is not there."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, 'must be a table of texts, such as { LEVEL = "2" }')
        for name, text in value.items():
            if not _is_text(name) or "=" in name or not isinstance(text, str) or "\0" in text:
                raise self.wrong(
                    key, f'must be a table of texts: {_written(name)} = "..." in quotes'
                )
        return dict(value)

    def whole(self, key: str, default: int, *, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, f"must be a whole number from {low} to {high}")
        if not low <= value <= high:
            raise self.wrong(key, f"is out of range: {low} to {high}")
        return value

    def size(self, key: str, default: int, *, low: int, high: int) -> int:
        """Return a size in bytes, written as a number with K, M or G, from ``low`` to ``high``."""
        value = self.values.get(key)
        if key not in self.values:
            return default
        match = _SIZE.fullmatch(value) if isinstance(value, str) else None
        if not match:
            raise self.wrong(key, 'must be a size such as "512M", with K, M or G')
        size = int(match[1]) << {"K": 10, "M": 20, "G": 30}[match[2]]
        if not low <= size <= high:
            raise self.wrong(key, f'is out of range: "{low >> 20}M" to "{high >> 30}G"')
        return size

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false, without quotes")
        return value

    def choice(self, key: str, default: T, choices: tuple[T, ...]) -> T:
        """Return the one of the choices that the value is."""
        value = self.values.get(key, default)
        for choice in choices:
            if value == choice:
                return choice
        raise self.wrong(key, f"is not valid{nearest(value, choices)}")

    def section(self, key: str) -> "Table":
        """Return the table of a section, an empty one where it is not there."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"must be a section of its own: [{key}]")
        return Table(self.file, f"[{key}] ", value)

    def sections(self, key: str) -> tuple["Table", ...]:
        """Return the tables of a repeated section, such as ``[[bots]]``."""
        value = self.values.get(key, [])
        if not (isinstance(value, list) and all(isinstance(entry, dict) for entry in value)):
            raise self.wrong(key, f"must be sections of their own: [[{key}]]")
        return tuple(
            Table(self.file, f"[[{key}]] number {number}: ", entry)
            for number, entry in enumerate(value, 1)
        )


def read(path: Path) -> Table:
    """Return the top table of a TOML file; raise ConfigError where it cannot be read."""
    if os.path.isdir(path):
        raise ConfigError(f"{path} is a folder, not a file{similar(path, _toml_files(path))}")
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                raise ConfigError(f"{path} is too large: at most {LARGEST >> 20} MiB are read")
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        hint = similar(path, _toml_files(path.parent))
        raise ConfigError(f"there is no file {path}{hint}") from None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from None
    values = _parse(str(path), data)
    for key, number in _integers(values):
        if number not in _INTEGERS:
            raise ConfigError(f"{path}: {key} is a whole number of more than 64 bits")
    return Table(str(path), "", values)


def shown(value: object) -> str:
    """Return a value as one short line of printable text."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def name_fault(name: str) -> str:
    """Return why a text cannot be a name, which is also a file's name; empty if it can."""
    if len(name) > _LONGEST_NAME:
        return f"is too long for a name: {len(name)} characters, at most {_LONGEST_NAME}"
    if not name.isprintable() or "/" in name or name != name.strip() or name.startswith("."):
        return "cannot be a name: no '/', no control characters, no space or '.' in front"
    return "" if name else "is no name: it is empty"


def _parse(file: str, data: bytes) -> dict[str, Any]:
    try:
        return tomli.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{file} is not UTF-8 text (at line {line}): {error.reason}") from None
    except RecursionError:
        raise ConfigError(f"{file} is not TOML: too deeply nested") from None
    except ValueError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from None


def _integers(values: Any, key: str = "") -> Iterator[tuple[str, int]]:
    """Yield every integer below a value, with the key that leads to it."""
    if isinstance(values, dict):
        for name, value in values.items():
            yield from _integers(value, f"{key}.{_written(name)}" if key else _written(name))
    elif isinstance(values, list):
        for value in values:
            yield from _integers(value, key)
    elif isinstance(values, int):
        yield key, values


def _written(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else shown(key)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != "" and "\0" not in value


def _toml_files(folder: Path) -> list[str]:
    return [str(file) for file in folder.glob("*.toml")] if os.path.isdir(folder) else []
