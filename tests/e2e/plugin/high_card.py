"""A game in one file outside of arena: each seat has three cards and plays one; low cards pay."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from arena.games.base import Face, IllegalAction, Option, State, check_options, rank
from arena.seeds import Chance, Stream, derive

CARDS = range(1, 53)


class HighCardState(Struct, frozen=True):
    hands: tuple[tuple[int, ...], ...]
    played: tuple[int, ...]

    @property
    def to_act(self) -> int | None:
        return len(self.played) if len(self.played) < len(self.hands) else None

    @property
    def penalties(self) -> tuple[int, ...] | None:
        if self.to_act is not None:
            return None
        return tuple(max(self.played) - card for card in self.played)

    @property
    def truncated(self) -> bool:
        return False

    def legal_actions(self) -> tuple[str, ...]:
        seat = self.to_act
        return () if seat is None else tuple(f"card {card}" for card in self.hands[seat])

    def canonical(self, action: str) -> str:
        return action

    def apply(self, action: str) -> "HighCardState":
        if action not in self.legal_actions():
            raise IllegalAction(f"{action!r} is not held")
        return replace(self, played=(*self.played, int(action.split()[1])))

    def house_move(self) -> str:
        return self.legal_actions()[0]

    def observe(self, seat: int) -> dict[str, Any]:
        return {"seat": seat, "hand": list(self.hands[seat]), "played": list(self.played)}

    def resample(self, seat: int, rng: random.Random) -> "HighCardState":
        seen = {*self.hands[seat], *self.played}
        pool = [card for card in CARDS if card not in seen]
        rng.shuffle(pool)
        hands = []
        for other, hand in enumerate(self.hands):
            if other == seat:
                hands.append(hand)
                continue
            kept = self.played[other : other + 1]
            hands.append(tuple(sorted((*kept, *(pool.pop() for _ in hand[len(kept) :])))))
        return replace(self, hands=tuple(hands))

    def record(self) -> dict[str, Any]:
        return {"hands": [list(hand) for hand in self.hands]}

    def text(self, seat: int | None = None) -> str:
        lines = [f"played {list(self.played)}"]
        for other, hand in enumerate(self.hands):
            lines.append(f"seat {other} {list(hand) if seat in (None, other) else ''}".rstrip())
        return "\n".join(lines)


class HighCard:
    key = "high-card"
    title = "High Card"
    players = range(2, 5)
    options: tuple[Option, ...] = (Option("deals", 2, "deals of a match", low=1, high=9),)
    rules = "Play the highest of three cards; every other card pays the difference."
    faces: Mapping[str, Face] = {}

    def resolve(self, given: Mapping[str, Any], _players: int) -> dict[str, Any]:
        return check_options(self.options, given)

    def deal(
        self,
        players: int,
        seed: str,
        number: int,
        _options: Mapping[str, Any],
        chance: Callable[[str], Chance] = Stream,
    ) -> HighCardState:
        cards = chance(derive(seed, "deal", number)).shuffled(CARDS)
        hands = tuple(tuple(sorted(cards[3 * seat : 3 * seat + 3])) for seat in range(players))
        return HighCardState(hands, ())

    def restore(self, setup: Mapping[str, Any], _options: Mapping[str, Any]) -> HighCardState:
        return HighCardState(tuple(map(tuple, setup["hands"])), ())

    def match_over(self, _totals: Sequence[int], deals: int, options: Mapping[str, Any]) -> bool:
        return deals >= int(options["deals"])

    def places(
        self, totals: Sequence[int], _last: State, _options: Mapping[str, Any]
    ) -> tuple[int, ...]:
        return rank(totals)


PLUGIN = HighCard()
