"""A toy game, and the driving of a referee by hand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from arena.games.base import IllegalAction, Option, check_options, rank
from arena.model import FaultPolicy, Fixture, MatchResult, Terms
from arena.play.referee import Answer, Ask, Failure, Play, Reply, Request
from arena.seeds import Stream, derive

WORDS = ("less", "more", *(f"word {number}" for number in range(3, 31)))


class ToyState(Struct, frozen=True):
    """Seats take turns to say "less", "more" or another word; each "more" is a penalty point."""

    to_act: int | None
    first: int
    said: tuple[int, ...]
    left: int
    words: tuple[str, ...]

    @property
    def penalties(self) -> tuple[int, ...] | None:
        return self.said if self.to_act is None else None

    @property
    def truncated(self) -> bool:
        return False

    def legal_actions(self) -> tuple[str, ...]:
        return () if self.to_act is None else self.words

    def canonical(self, action: str) -> str:
        return {"-": "less", "+": "more"}.get(action, action)

    def apply(self, action: str) -> "ToyState":
        if action not in self.legal_actions():
            raise IllegalAction(action)
        seat = self.to_act or 0
        said = list(self.said)
        said[seat] += action == "more"
        return replace(
            self,
            to_act=(seat + 1) % len(said) if self.left > 1 else None,
            said=tuple(said),
            left=self.left - 1,
        )

    def house_move(self) -> str:
        return "less"

    def observe(self, seat: int) -> dict[str, Any]:
        return {"seat": seat, "left": self.left}

    def record(self) -> dict[str, Any]:
        return {"first": self.first}


class ToyGame:
    """Deals of ``rounds`` turns a seat, ``deals`` of them in a match."""

    key = "toy"
    players = range(2, 7)
    options = (
        Option("rounds", 3, "turns of each seat in a deal", low=1, high=1000),
        Option("deals", 1, "deals in a match", low=1, high=1000),
        Option("words", 2, "words that may be said", low=2, high=30),
    )

    def resolve(self, given: Mapping[str, Any], _players: int) -> dict[str, Any]:
        return check_options(self.options, given)

    def deal(self, players: int, seed: str, number: int, options: Mapping[str, Any]) -> ToyState:
        first = Stream(derive(seed, number)).below(players)
        return ToyState(
            first, first, (0,) * players, players * options["rounds"], WORDS[: options["words"]]
        )

    def match_over(self, _totals: Sequence[int], deals: int, options: Mapping[str, Any]) -> bool:
        return deals >= int(options["deals"])

    def places(
        self, totals: Sequence[int], _last: ToyState, _options: Mapping[str, Any]
    ) -> tuple[int, ...]:
        return rank(totals)


TOY: Any = ToyGame()


def fixture(
    *seats: str, block: int = 1, rotation: int = 1, match: str = "m1", seed: str = ""
) -> Fixture:
    composition = "+".join(sorted(seats))
    seed = seed or f"{composition} {block}"
    return Fixture(match, seats, composition, block, rotation, seed)


def terms(tolerate: int = 0, **options: Any) -> Terms:
    return Terms("toy", options, faults=FaultPolicy(tolerate))


def drive(
    match: Play, answer: Callable[[Ask], Answer | Failure]
) -> tuple[list[Request], MatchResult]:
    """Play a match to its end; return all that the referee wanted, and the result."""
    requests: list[Request] = []
    reply: Reply = None
    try:
        while True:
            request = match.send(reply)
            requests.append(request)
            reply = answer(request) if isinstance(request, Ask) else None
    except StopIteration as end:
        return requests, end.value


def script(*replies: str | Failure) -> Callable[[Ask], Answer | Failure]:
    """Return an answerer that says these in order, one a question of 1 ms, then "less"."""
    waiting = list(replies)

    def answer(ask: Ask) -> Answer | Failure:
        reply = waiting.pop(0) if waiting else ask.legal[0]
        return Answer(reply, 1.0) if isinstance(reply, str) else reply

    return answer


def by_seat(faults: Mapping[int, Sequence[str | Failure | None]]) -> Callable[[Ask], Any]:
    """Return an answerer that takes each seat's replies from its own list, None for "less"."""
    waiting = {seat: list(replies) for seat, replies in faults.items()}

    def answer(ask: Ask) -> Answer | Failure:
        own = waiting.get(ask.seat)
        reply = (own.pop(0) if own else None) or ask.legal[0]
        return Answer(reply, 1.0) if isinstance(reply, str) else reply

    return answer


def of_type(requests: Iterable[Request], kind: type[Any]) -> list[Any]:
    return [request for request in requests if isinstance(request, kind)]
