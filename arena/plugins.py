"""Find a plug-in by its key: a module of the package, ``module:OBJECT``, or an entry point.

Inside the package a folder is a plug-in point and a module in it is one of its kind: the file's
name, with ``-`` for ``_``, is the key, and its constant ``PLUGIN`` is the object.
"""

import importlib
import importlib.util
import pkgutil
from typing import TYPE_CHECKING, Any

from arena.errors import ConfigError, nearest

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

FOLDERS = {
    "games": "arena.games",
    "formats": "arena.league.formats",
    "executors": "arena.league.executors",
    "ratings": "arena.results.ratings",
}
_METHODS = {"games": "resolve", "formats": "check", "executors": "open", "ratings": "rate"}
"""A method by which an object of each kind is known."""
_NOT_PLUGINS = {"base"}


def names(kind: str) -> tuple[str, ...]:
    """Return the keys of all plug-ins of a kind (a key of ``FOLDERS``), sorted."""
    package = importlib.import_module(FOLDERS[kind])
    own = {
        info.name.replace("_", "-")
        for info in pkgutil.iter_modules(package.__path__)
        if _is_plugin(info.name)
    }
    return tuple(sorted(own | _entry_points(kind).keys()))


def load(kind: str, key: str) -> Any:
    """Return the plug-in ``key`` of a kind; raise ConfigError with the nearest valid name."""
    if ":" in key:
        return _load_object(kind, key)
    module = f"{FOLDERS[kind]}.{key.replace('-', '_')}"
    if _is_plugin(key.replace("-", "_")) and importlib.util.find_spec(module):
        return importlib.import_module(module).PLUGIN
    entries = _entry_points(kind)
    if key not in entries:
        raise ConfigError(f"there is no {kind[:-1]} {key!r}{nearest(key, names(kind))}")
    return entries[key].load()


def _is_plugin(module: str) -> bool:
    return module.isidentifier() and not module.startswith("_") and module not in _NOT_PLUGINS


def _entry_points(kind: str) -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=f"arena.{kind}")}


def _load_object(kind: str, key: str) -> Any:
    module, _, name = key.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except Exception as error:
        raise ConfigError(f"the {kind[:-1]} {key!r} cannot be loaded: {error}") from error
    if not hasattr(found, _METHODS[kind]):
        raise ConfigError(f"{key!r} is no {kind[:-1]}")
    return found
