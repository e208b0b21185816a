"""A game of which some deals begin as one likes."""

from collections.abc import Callable, Mapping
from typing import Any

from arena.games.base import Game, State


class Staged:
    """A game with the deals for which ``setup``, given their number from 1, has a record."""

    def __init__(self, game: Game, setup: Callable[[int], Mapping[str, Any] | None]) -> None:
        self._game = game
        self._setup = setup

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def deal(self, players: int, seed: str, number: int, options: Mapping[str, Any]) -> State:
        """Return the first state of a deal."""
        setup = self._setup(number)
        if setup is None:
            return self._game.deal(players, seed, number, options)
        return self._game.restore(setup, options)
