"""The contract of a game, in words and types.

A game is a module of ``arena.games`` whose constant ``PLUGIN`` is a ``Game``. It is pure: no
clock, no file, no live random source. Chance comes from the seed that ``deal`` is given.

All actions are public. What is secret about one, such as the face of a card drawn, is chance and
not part of the action's text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, Protocol, TypedDict, runtime_checkable

from msgspec import Meta, Struct

from arena.errors import OptionError, nearest
from arena.seeds import Chance, Stream

Count = Annotated[int, Meta(ge=0)]
Seat = Annotated[int, Meta(ge=0)]


class Observation(TypedDict):
    """What a bot is told of a moment of any game: what ``State.observe`` returns, with the number
    of the deal and the penalties of the match before it."""

    deal: Annotated[int, Meta(ge=1)]
    totals: list[Count]


class IllegalAction(ValueError):
    """The action is not legal in this state; nothing was changed.

    The text says why, with the id of the rule in parentheses if one forbids it.
    """


class State(Protocol):
    """One moment of a deal. Immutable: ``apply`` returns the next one."""

    @property
    def to_act(self) -> int | None:
        """The seat that is to act, None when the deal is over."""

    @property
    def penalties(self) -> tuple[int, ...] | None:
        """The penalty of each seat, None while the deal is on."""

    @property
    def truncated(self) -> bool:
        """Whether the deal was stopped by its turn limit."""

    def legal_actions(self) -> tuple[str, ...]:
        """Return the legal actions in the game's documented order; () when the deal is over."""

    def canonical(self, action: str) -> str:
        """Return the canonical spelling of an action, or the text unchanged if it has none."""

    def apply(self, action: str) -> State:
        """Return the state after a canonical action; raise IllegalAction if it is not legal."""

    def house_move(self) -> str:
        """Return the action that the arena plays for a seat at fault."""

    def observe(self, seat: int) -> dict[str, Any]:
        """Return what the seat may know, as JSON values, and nothing more."""

    def resample(self, seat: int, rng: random.Random) -> State:
        """Return a state that the seat cannot tell from this one, unseen cards drawn anew."""

    def record(self) -> dict[str, Any]:
        """Return the chance in the deal so far (hands, first seat, ...), as JSON values."""

    def text(self, seat: int | None = None) -> str:
        """Return the table as lines of text: all hands, or what one seat sees."""


@runtime_checkable
class Lenient(Protocol):
    """What a state has as well if its ``record`` is one of several that are right."""

    def accepts(self, setup: Mapping[str, Any]) -> bool:
        """Return whether a recorded deal is this one as far as the rules go."""


@runtime_checkable
class Described(Protocol):
    """What a game has as well if it tells the shape of its observations.

    ``observation`` is a class like ``Observation``, which it inherits from.
    """

    observation: type[Observation]


@runtime_checkable
class Drawn(Protocol):
    """What a game has as well if it draws the table for a person who plays."""

    def draw(self, observation: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return what a seat sees as lines of text of at most 78 characters, hand last.

        ``names`` are what the seats are called, by seat, and of at most 20 characters.
        """

    def remark(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """Return what an action brought about besides what it says, empty if nothing.

        ``before`` and ``after`` are what a seat sees of the moments around it.
        """


Policy = Callable[[dict[str, Any], tuple[str, ...]], str]
"""Chooses one of the legal actions, given what the seat may know."""


class Edge(Struct, frozen=True):
    """Deals that chance seldom brings, for a bot in ``seat`` to be checked with.

    ``setup`` returns the ``State.record`` with which deal ``number`` (from 1) begins, None for one
    by chance; it is a possible deal. All other seats play by ``policy``. ``meets`` is whether an
    observation and the legal actions are what the edge is about.
    """

    name: str
    players: int
    seat: int
    options: Mapping[str, Any]
    setup: Callable[[int], Mapping[str, Any] | None]
    policy: Policy
    meets: Callable[[dict[str, Any], tuple[str, ...]], bool]


@runtime_checkable
class Rehearsed(Protocol):
    """What a game has as well if bots can be checked with more than deals by chance."""

    quick: Mapping[str, Any]
    """Options of matches that are soon over."""

    def edges(self, rng: random.Random) -> Iterator[Edge]:
        """Yield edges at tables of all sizes, the various kinds before the same kind again."""


Event = Sequence[Any]
"""A public action: (seat, action)."""
Glance = tuple[Sequence[Event], Mapping[str, Any]]
"""What a seat is shown at once: the events since its last glance, and its observation."""


@runtime_checkable
class Imaginable(Protocol):
    """What a game has as well if a bot can search in it, which has glances and no state."""

    def imagine(self, glances: Sequence[Glance], options: Mapping[str, Any]) -> State:
        """Return a state that may be the real one for all that a seat has seen of its deal.

        ``glances`` are those of one seat, from the fresh deal on: at each of its decisions, and
        maybe others. ``options`` are resolved ones. What is unseen is not drawn at random: that is
        done by ``resample``, which gives any number of such states from one.
        """


class Option(Struct, frozen=True):
    """One option of a game. ``choices`` are the valid texts, or ``low`` to ``high`` the numbers."""

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


class Face(Struct, frozen=True):
    """How a word of a game's texts looks on a good terminal; ``colour`` is "red" or empty."""

    text: str
    colour: Literal["", "red"] = ""


class Game(Protocol):
    """The rules of one game."""

    key: str
    title: str
    players: range
    """Table sizes that can be played."""
    options: tuple[Option, ...]
    rules: str
    """The rules and house rulings as text, printed by ``arena rules``."""
    faces: Mapping[str, Face]
    """Words of actions and of ``State.text`` that have a better look, such as card names."""

    def resolve(self, given: Mapping[str, Any], players: int) -> dict[str, Any]:
        """Return all options for a table, defaults filled in; raise OptionError."""

    def deal(
        self,
        players: int,
        seed: str,
        number: int,
        options: Mapping[str, Any],
        chance: Callable[[str], Chance] = Stream,
    ) -> State:
        """Return the first state of deal ``number`` (from 1) of a match.

        ``seed`` is the match's; ``options`` are resolved ones. All chance comes from ``chance``
        called with seeds derived from ``seed``, so the cards are a pure function of the arguments.
        """

    def restore(self, setup: Mapping[str, Any], options: Mapping[str, Any]) -> State:
        """Return the first state of a deal whose final ``State.record`` is ``setup``."""

    def match_over(self, totals: Sequence[int], deals: int, options: Mapping[str, Any]) -> bool:
        """Return whether the match ends after so many deals with these totals."""

    def places(
        self, totals: Sequence[int], last: State, options: Mapping[str, Any]
    ) -> tuple[int, ...]:
        """Return the place of each seat after the match; ``last`` is its last deal's last state."""


def accepts(state: State, setup: Mapping[str, Any]) -> bool:
    """Return whether the state says itself that a recorded deal is this one, see ``Lenient``."""
    return isinstance(state, Lenient) and state.accepts(setup)


def rank(keys: Sequence[Any]) -> tuple[int, ...]:
    """Return places from sort keys, lowest first; equal keys share a place: 1, 1, 3, 4."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def check_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``given`` over the defaults; raise OptionError naming key, value and what fits."""
    known = {option.name: option for option in options}
    for key, value in given.items():
        if key not in known:
            raise OptionError(key, f"unknown option {key!r}{nearest(key, known)}")
        _check_value(known[key], value)
    return {name: given.get(name, option.default) for name, option in known.items()}


def _check_value(option: Option, value: Any) -> None:
    if option.choices:
        if value not in option.choices:
            raise OptionError(
                option.name, f"{option.name} = {value!r}{nearest(value, option.choices)}"
            )
    elif isinstance(value, bool) or not isinstance(value, int):
        raise OptionError(
            option.name,
            f"{option.name} = {value!r} must be a whole number from {option.low} to {option.high}",
        )
    elif not option.low <= value <= option.high:
        raise OptionError(
            option.name, f"{option.name} = {value} is out of range: {option.low} to {option.high}"
        )
