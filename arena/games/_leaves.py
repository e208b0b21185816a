"""The cards of 13 Leaves: counts by value, the row on the table, the texts of actions."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, repeat
from operator import add
from typing import Any

from arena.games.base import Event, IllegalAction

Counts = tuple[int, ...]
"""A number of cards for each value: 13 of them, for the values 1 to 13."""
Row = tuple[tuple[int, int], ...]
"""The stacks on the table as (value, count), by ascending value."""
Plays = tuple[tuple[tuple[str, ...], ...], ...]
"""By value and the number of cards held: the plays, by ascending count."""

COPIES: Counts = (2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2)
CARDS = sum(COPIES)
HAND_SIZES = {3: 15, 4: 13, 5: 11, 6: 9}
"""Cards in a hand by the number of players (L02)."""
NONE: Counts = (0,) * len(COPIES)
ANY: Counts = (1,) * len(COPIES)
CLOSED = max(COPIES) + 1
"""A number of cards that no play can have."""
VALUES = range(1, len(COPIES) + 1)
_PLAYS = tuple(
    tuple(f"play {value}x{count}" for count in range(1, copies + 1))
    for value, copies in zip(VALUES, COPIES, strict=True)
)
_FROM = tuple(
    tuple(
        tuple(plays[least - 1 : held] for held in range(CLOSED)) for least in range(1, CLOSED + 1)
    )
    for plays in _PLAYS
)
"""By value, by the fewest cards that may be played, from 1, and by those held: the plays."""
FREE: Plays = tuple(plays[0] for plays in _FROM)
"""What may be played on an empty row."""
PASSES = tuple(f"pass {value}" for value in VALUES)
MOVES: dict[str, tuple[int, int]] = {
    action: (value, count)
    for value, plays in zip(VALUES, _PLAYS, strict=True)
    for count, action in enumerate(plays, start=1)
} | {action: (value, 0) for value, action in zip(VALUES, PASSES, strict=True)}
"""The value and the number of cards played of every canonical action, 0 cards for a pass."""
SPELLINGS = {f"play {value}": f"play {value}x1" for value in VALUES}


def needed(row: Row) -> Counts:
    """Return the fewest cards that may be played of each value on a row (L05-L09, L13)."""
    if not row:
        return ANY
    (low, at_low), (high, at_high) = row[0], row[-1]
    if low == high:
        return (at_low,) * len(COPIES)
    between = (CLOSED,) * (high - low - 1)
    return (at_low,) * low + between + (at_high,) * (len(COPIES) - high + 1)


@cache
def plays_between(first: tuple[int, int], last: tuple[int, int]) -> Plays:
    """Return what may be played on a row with these stacks at its ends: thousands of pairs."""
    least = needed((first, last))
    return tuple(plays[fewest - 1] for plays, fewest in zip(_FROM, least, strict=True))


def laid(row: Row, value: int, count: int) -> Row:
    """Return the row after a legal play at one of its ends."""
    if not row:
        return ((value, count),)
    (low, at_low), (high, at_high) = row[0], row[-1]
    if value == low:
        return ((low, at_low + count), *row[1:])
    if value == high:
        return (*row[:-1], (high, at_high + count))
    return ((value, count), *row) if value < low else (*row, (value, count))


def without_one(row: Row, value: int) -> Row:
    """Return the row without one card of a value; raise IllegalAction if there is none (L11)."""
    for i, (other, count) in enumerate(row):
        if other == value:
            left = ((value, count - 1),) if count > 1 else ()
            return row[:i] + left + row[i + 1 :]
    if not row:
        raise IllegalAction(
            f"'pass {value}': nothing lies on the table, so it must be played (L13)"
        )
    raise IllegalAction(f"'pass {value}': no {value} lies on the table (L11)")


def misspelt(action: str) -> str:
    """Return why a text is no action: there are no such cards, or it is written otherwise."""
    found = re.fullmatch(r"(?:play ([0-9]{1,9})(?:x([0-9]{1,9}))?|pass ([0-9]{1,9}))", action)
    if not found or found[2] == "0":
        return "is no action: write 'play VxN' or 'pass V'"
    value = int(found[1] or found[3])
    if value not in VALUES:
        return f"is no action: values are from {VALUES[0]} to {VALUES[-1]} (L01)"
    if int(found[2] or 1) > COPIES[value - 1]:
        return f"is no action: there are {COPIES[value - 1]} cards of value {value} (L01)"
    return "is no action: write 'play VxN' or 'pass V'"


def changed(hands: tuple[Counts, ...], seat: int, value: int, by: int) -> tuple[Counts, ...]:
    """Return the hands with ``by`` more cards of a value in one of them."""
    others, hand = list(hands), list(hands[seat])
    hand[value - 1] += by
    others[seat] = tuple(hand)
    return tuple(others)


def counts_of(cards: Iterable[int]) -> Counts:
    """Return how many there are of each value."""
    counts = list(NONE)
    for value in cards:
        counts[value - 1] += 1
    return tuple(counts)


def cards_of(counts: Iterable[int]) -> list[int]:
    """Return the values, ascending, each as often as it is counted."""
    return list(chain.from_iterable(map(repeat, VALUES, counts)))


def stacked(row: Row) -> Counts:
    """Return the cards that lie on a row."""
    return counts_of(value for value, count in row for _ in range(count))


def plus(counts: Counts, more: Counts) -> Counts:
    """Return the sum, value by value."""
    return tuple(map(add, counts, more))


def minus(counts: Counts, *others: Counts) -> Counts:
    """Return the first counts without all the others, value by value."""
    return tuple(count - sum(less) for count, *less in zip(counts, *others, strict=True))


def dealt(observation: Mapping[str, Any], events: Iterable[Event]) -> list[Counts]:
    """Return hands as they may have been dealt, for a seat that sees this after all the events.

    Of the cards that it cannot see the others hold the lowest.
    """
    known = [list(NONE) for _ in observation["counts"]]
    played = [list(NONE) for _ in known]
    for seat, action in events:
        value, count = MOVES[action]
        seen = known[seat][value - 1]
        known[seat][value - 1] = max(0, seen - count) if count else seen + 1
        played[seat][value - 1] += max(0, count - seen)
    own = observation["seat"]
    held = [tuple(counts) for counts in known]
    hands = [*held[:own], counts_of(observation["hand"]), *held[own + 1 :]]
    table = stacked(observation["table"])
    unseen = cards_of(minus(COPIES, table, tuple(observation["discarded"]), *hands))
    for seat, size in enumerate(observation["counts"]):
        drawn = size - sum(hands[seat])
        hands[seat] = plus(hands[seat], counts_of(unseen[:drawn]))
        del unseen[:drawn]
    return [
        plus(minus(hand, kept), tuple(gone))
        for hand, kept, gone in zip(hands, held, played, strict=True)
    ]
