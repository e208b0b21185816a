"""A toy game that whispers: secrets of one seat come to be known to another, or do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from arena.games.base import IllegalAction, rank
from arena.seeds import Chance, Stream, derive


class Whispers(Struct, frozen=True):
    """A deal of the toy game: every seat has a secret number and says "high" or "low", twice.

    ``leak`` names the way in which the number of one seat comes to be known to another.
    """

    numbers: tuple[int, ...]
    leak: str
    said: tuple[str, ...] = ()

    @property
    def to_act(self) -> int | None:
        players = len(self.numbers)
        if len(self.said) == 2 * players:
            return None
        first = self.numbers[0] if self.leak == "turns" else 0
        return (first + len(self.said)) % players

    @property
    def penalties(self) -> tuple[int, ...] | None:
        players = len(self.numbers)
        return None if self.to_act is not None else (self.said.count("high"),) * players

    @property
    def truncated(self) -> bool:
        return False

    def legal_actions(self) -> tuple[str, ...]:
        if self.to_act is None:
            return ()
        swapped = self.leak == "legal" and self._whisper(self.to_act) % 2
        return ("low", "high") if swapped else ("high", "low")

    def canonical(self, action: str) -> str:
        return action

    def apply(self, action: str) -> Whispers:
        if action not in self.legal_actions():
            raise IllegalAction(action)
        return replace(self, said=(*self.said, action))

    def house_move(self) -> str:
        return "low"

    def observe(self, seat: int) -> dict[str, Any]:
        last = len(self.said) == 2 * len(self.numbers) - 1
        first = self.leak == "start" and not self.said and seat != self.to_act
        heard = {"whisper": self._whisper(seat)} if self.leak == "observation" and last else {}
        return {
            "number": self.numbers[seat],
            **heard,
            **({"first": self.numbers[0]} if first else {}),
        }

    def resample(self, seat: int, rng: random.Random) -> Whispers:
        drawn = [rng.randrange(10) for _ in self.numbers]
        return replace(self, numbers=(*drawn[:seat], self.numbers[seat], *drawn[seat + 1 :]))

    def record(self) -> dict[str, Any]:
        return {"numbers": list(self.numbers)}

    def text(self, seat: int | None = None) -> str:
        heard = self._whisper(seat) if self.leak == "text" and seat is not None else "nothing"
        return f"seat {seat} has heard {heard}"

    def _whisper(self, seat: int) -> int:
        return self.numbers[seat - 1]


class WhisperGame:
    """Two deals of whispers; without a ``leak`` nobody ever hears one."""

    key = "whispers"
    title = "Whispers"
    players = range(2, 5)

    def __init__(self, leak: str) -> None:
        self._leak = leak

    def resolve(self, _given: object, _players: int) -> dict[str, Any]:
        return {}

    def deal(
        self,
        players: int,
        seed: str,
        number: int,
        _options: object,
        chance: Callable[[str], Chance] = Stream,
    ) -> Whispers:
        stream = chance(derive(seed, number))
        return Whispers(tuple(stream.below(10) for _ in range(players)), self._leak)

    def restore(self, setup: Mapping[str, Any], _options: object) -> Whispers:
        return Whispers(tuple(setup["numbers"]), self._leak)

    def match_over(self, _totals: object, deals: int, _options: object) -> bool:
        return deals == 2

    def places(self, totals: Sequence[int], *_: object) -> tuple[int, ...]:
        return rank(totals)


QUIET = WhisperGame("")
OBSERVATION = WhisperGame("observation")
LEGAL = WhisperGame("legal")
TURNS = WhisperGame("turns")
START = WhisperGame("start")
