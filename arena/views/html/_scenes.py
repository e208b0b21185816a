"""What a replay shows of a state: a scene, which is a flat dictionary of texts and numbers.

A script draws scenes and knows no rules. It knows these keys, ``0`` standing for a seat; a key that
is missing is as it was in the scene before:

- ``act``: the seat to act, None when the deal is over.
- ``hand0``: the cards that the seat holds; ``count0``: how many, where they are not told.
- ``seen0``: those of them that all players have seen.
- ``state0``: a word on the seat, such as "passed".
- ``row``: the stacks on the table, as ``7x3``. ``gone``: how many cards have left the deal.
- ``stock``: how many cards it has. ``pile``: the cards of the discard pile, the newest last.
- ``wild``: the rank of the wild cards.
- ``note``: a line on what may be played, or what is going on.
- ``mark``: where the card that was moved lies now, ``row``, ``pile`` or a seat, and the card.
- ``text``: the table of a game without drawings; ``text0``: what the seat sees of it.

Cards stand with spaces between them. In a hand ``|`` ends each meld, and what is in none is last.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from arena.games.base import State
from arena.games.leaves import COPIES, LeavesState
from arena.games.thirteen import ThirteenState
from arena.model import Seat
from arena.words import plural

S = TypeVar("S", contravariant=True)
Scene = dict[str, Any]
Last = tuple[Seat, str] | None
"""The action that led to a state, None if it is a fresh deal."""


class Painter(Protocol[S]):
    """Draws the states of deals as scenes, in the order in which they were.

    ``deck`` is what the script has to know of the cards: their ``kind``, "" if none are drawn.
    """

    deck: Mapping[str, Any]

    def scene(self, state: S, last: Last) -> Scene:
        """Return the scene of a state."""


def painter_of(state: State | None, seats: Sequence[Seat], viewer: Seat | None) -> Painter[Any]:
    """Return what draws states like this one: all there is, or what the seat ``viewer`` knew.

    ``state`` is None where no deal was played.
    """
    if isinstance(state, LeavesState):
        return _Leaves(viewer)
    if isinstance(state, ThirteenState):
        return _Thirteen(viewer)
    return _Text(seats, viewer)


class _Leaves:
    deck: Mapping[str, Any] = {"kind": "leaves", "copies": COPIES}

    def __init__(self, viewer: Seat | None) -> None:
        self._viewer = viewer

    def scene(self, state: LeavesState, last: Last) -> Scene:
        scene: Scene = {
            "act": state.to_act,
            "row": " ".join(f"{value}x{count}" for value, count in state.table),
            "gone": sum(state.discarded),
            "note": _demands(state),
            "mark": _leaves_mark(last),
        }
        for seat, (hand, known) in enumerate(zip(state.hands, state.known, strict=True)):
            if self._viewer in (None, seat):
                scene[f"hand{seat}"] = _values(hand)
            else:
                scene[f"count{seat}"] = sum(hand)
            scene[f"seen{seat}"] = _values(known)
            scene[f"state{seat}"] = "passed" if state.passed[seat] else "" if any(hand) else "out"
        return scene


def _values(counts: Iterable[int]) -> str:
    return " ".join(str(value) for value, count in enumerate(counts, 1) for _ in range(count))


def _demands(state: LeavesState) -> str:
    """Say what the row asks for of the seat that is to act."""
    if state.to_act is None:
        return "The deal was stopped by its turn limit." if state.truncated else ""
    if not state.table:
        return "Anything may be played."
    low, high = state.table[0][0], state.table[-1][0]
    at_low, at_high = state.needed[0], state.needed[-1]
    if low == high:
        return f"Any value: {plural(at_low, 'card')} or more."
    return (
        f"Up to {low}: {plural(at_low, 'card')} or more. "
        f"From {high}: {plural(at_high, 'card')} or more."
    )


def _leaves_mark(last: Last) -> str:
    if not last:
        return ""
    seat, (verb, card) = last[0], last[1].split()
    return f"row {card.partition('x')[0]}" if verb == "play" else f"{seat} {card}"


class _Thirteen:
    deck: Mapping[str, Any] = {"kind": "suits"}

    def __init__(self, viewer: Seat | None) -> None:
        self._viewer = viewer
        self._arranged: Scene = {}

    def scene(self, state: ThirteenState, last: Last) -> Scene:
        seats = range(len(state.hands))
        viewers = seats if self._viewer is None else [self._viewer]
        views = {seat: state.observe(seat) for seat in viewers}
        public = views[viewers[0]]
        out = public["went_out"]
        scene: Scene = {
            "act": state.to_act,
            "stock": public["stock"],
            "pile": " ".join(card for card, _, taker in public["discards"] if taker is None),
            "wild": public["wild"],
            "note": _progress(state),
            "mark": self._mark(last, views, public),
        }
        for seat in seats:
            if seat in views:
                self._arranged[f"hand{seat}"] = self._hand(views[seat])
            else:
                scene[f"count{seat}"] = public["counts"][seat]
            scene[f"seen{seat}"] = _known(public, seat)
            words = ["dealer"] * (seat == public["dealer"]) + ["out"] * (seat == out)
            scene[f"state{seat}"] = ", ".join(words)
        return scene | self._arranged

    def _hand(self, view: Mapping[str, Any]) -> str:
        """Return the melds of a hand and what is in none; a card just drawn is put behind all."""
        before = self._arranged.get(f"hand{view['seat']}")
        if view["drawn"] and before is not None:
            return f"{before} {view['drawn']}"
        best = view["best"]
        return _grouped([*best["melds"], best["rest"]])

    def _mark(
        self, last: Last, views: Mapping[Seat, Mapping[str, Any]], public: Mapping[str, Any]
    ) -> str:
        """Return where the card lies that was moved, nothing if the card is not to be seen."""
        if not last:
            return ""
        seat, (verb, card) = last[0], last[1].split()
        if verb != "draw":
            return f"pile {card}"
        if card == "discard":
            return f"{seat} {public['discards'][-1][0]}"
        return f"{seat} {views[seat]['drawn']}" if seat in views else ""


def _known(public: Mapping[str, Any], seat: Seat) -> str:
    """Return what all know of a hand: all of it if the seat has gone out and shown its melds."""
    known = list(public["known"][seat])
    melds = public["shown"][seat] if seat == public["went_out"] else None
    if not melds or len(known) != public["counts"][seat]:
        return " ".join(known)
    for card in itertools.chain(*melds):
        known.remove(card)
    return _grouped([*melds, known])


def _grouped(groups: Iterable[Iterable[str]]) -> str:
    return "|".join(map(" ".join, groups))


def _progress(state: ThirteenState) -> str:
    if state.truncated:
        return "The deal was stopped by its turn limit."
    if state.went_out is None:
        return ""
    what = "These are the last turns." if state.to_act is not None else "The deal is over."
    return f"Seat {state.went_out} went out. {what}"


class _Text:
    """For games that the script cannot draw: their own texts."""

    deck: Mapping[str, Any] = {"kind": ""}

    def __init__(self, seats: Sequence[Seat], viewer: Seat | None) -> None:
        self._seats = seats
        self._viewer = viewer

    def scene(self, state: State, last: Last) -> Scene:  # noqa: ARG002
        """Return the scene; a seat is not told how the table lies when a deal is over."""
        scene: Scene = {"act": state.to_act}
        if self._viewer is None:
            scene["text"] = state.text()
        if state.to_act is not None:
            told = self._seats if self._viewer is None else [self._viewer]
            scene |= {f"text{seat}": state.text(seat) for seat in told}
        return scene
