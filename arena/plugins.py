"""Find a plug-in by its key: a module of the package, ``module:OBJECT``, or an entry point.

Inside the package a folder is a plug-in point and a module in it is one of its kind: the file's
name, with ``-`` for ``_``, is the key, and its constant ``PLUGIN`` is the object.
"""

import importlib
import pkgutil
from importlib.metadata import entry_points
from typing import Any

from arena.errors import ConfigError, nearest

FOLDERS = {
    "games": "arena.games",
    "formats": "arena.league.formats",
    "executors": "arena.league.executors",
}
_NOT_PLUGINS = {"base"}


def names(kind: str) -> tuple[str, ...]:
    """Return the keys of all plug-ins of a kind (a key of ``FOLDERS``), sorted."""
    package = importlib.import_module(FOLDERS[kind])
    own = {
        info.name.replace("_", "-")
        for info in pkgutil.iter_modules(package.__path__)
        if not info.name.startswith("_") and info.name not in _NOT_PLUGINS
    }
    return tuple(sorted(own | {entry.name for entry in entry_points(group=f"arena.{kind}")}))


def load(kind: str, key: str) -> Any:
    """Return the plug-in ``key`` of a kind; raise ConfigError with the nearest valid name."""
    if ":" in key:
        return _load_object(kind, key)
    if key not in names(kind):
        raise ConfigError(f"there is no {kind[:-1]} {key!r}{nearest(key, names(kind))}")
    for entry in entry_points(group=f"arena.{kind}", name=key):
        return entry.load()
    return importlib.import_module(f"{FOLDERS[kind]}.{key.replace('-', '_')}").PLUGIN


def _load_object(kind: str, key: str) -> Any:
    module, _, name = key.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except Exception as error:
        raise ConfigError(f"the {kind[:-1]} {key!r} cannot be loaded: {error}") from error
