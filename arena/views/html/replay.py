"""A match as it was played, to be looked at step by step on a page.

All states are computed here, by the game itself; the script that shows them knows no rules. A step
is a position of the match: each deal has one as it is dealt and one after each of its moves, and
they are counted from 0 through all deals. A link to one is ``#match=ID&step=N``.

What a seat knew is shown by the script from the same data, which hold all hands. Data made for one
seat hold nothing else than what this seat knew.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from arena.errors import ConfigError
from arena.games.base import Game, State
from arena.model import DealRecord, Fault, MatchResult, Seat
from arena.views.grid import printable, quoted
from arena.views.html._scenes import Painter, Scene, painter_of
from arena.views.html.page import Part, page, text
from arena.views.paint import Paint, faced
from arena.views.played import moves

DATA = "replay-data"
"""The id of the element with the data."""


class Replay(Struct, frozen=True):
    """A match as the script takes it: plain values.

    ``deals`` have their ``start``, a scene, and ``moves``: the place in ``labels`` of what was
    done, the milliseconds (None for a house move, or where they are not told), and what is other in
    the scene after it: ``[start, removed, added]`` stands for a text that is changed in one place.
    """

    match: str
    title: str
    names: tuple[str, ...]
    options: dict[str, Any]
    seat: Seat | None
    deck: Mapping[str, Any]
    labels: tuple[str, ...]
    deals: tuple[dict[str, Any], ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    forfeited: tuple[Seat, ...]
    faults: tuple[dict[str, Any], ...]

    @property
    def size(self) -> int:
        """The bytes that it takes in a page."""
        return len(msgspec.json.encode(self))


def replay(result: MatchResult, game: Game, seat: Seat | None = None) -> Replay:
    """Return a recorded match to be looked at, with ``seat`` only what that seat knew.

    Raise ConfigError when there is no such seat, ReplayError when the record does not fit the
    game.
    """
    outcome = result.outcome
    if seat is not None and seat not in range(len(outcome.seats)):
        raise ConfigError(f"there is no seat {seat}: the match has 0 to {len(outcome.seats) - 1}")
    players = range(len(outcome.seats))
    starts = [
        game.deal(len(players), result.block_seed, number, result.options)
        for number in range(1, len(result.deals) + 1)
    ]
    painter = painter_of(starts[0] if starts else None, players, seat)
    recorder = _Recorder(painter, faced(game), seat)
    deals = tuple(map(recorder.deal, starts, result.deals))
    return Replay(
        match=outcome.match,
        title=game.title,
        names=tuple(map(printable, outcome.seats)),
        options=result.options,
        seat=seat,
        deck=painter.deck,
        labels=tuple(recorder.labels),
        deals=deals,
        totals=outcome.totals,
        places=outcome.places,
        forfeited=outcome.forfeited,
        faults=tuple(
            _fault(result, fault) for fault in outcome.faults if seat in (None, fault.seat)
        ),
    )


def step_of(result: MatchResult, fault: Fault) -> int:
    """Return the step with the move that was made in place of a bot at fault, 0 before all."""
    if not fault.deal:
        return 0
    moved = [len(deal.actions) for deal in result.deals]
    before = sum(moved[: fault.deal - 1]) + fault.deal - 1
    last = moved[fault.deal - 1]
    return before + (last if fault.action is None else min(fault.action + 1, last))


def viewer(replays: Sequence[Replay]) -> Part:
    """Return the part of a page that shows replays, the first of them unless a link names one."""
    return Part(
        body=text("replay.html"),
        style=text("replay.css"),
        script=text("cards.js") + text("replay.js"),
        data={DATA: list(replays)},
    )


def replay_page(shown: Replay) -> str:
    """Return a page with one replay."""
    seen = "" if shown.seat is None else f", as seat {shown.seat} saw it"
    heading = Part('<h2 class="hidden">Replay</h2>')
    title = f"{shown.title}, match {shown.match}{seen}"
    return page(title, [heading, viewer([shown])], lead=f"Penalties: {_ranking(shown)}")


def _ranking(shown: Replay) -> str:
    """Return the names with their totals, the first place first."""
    seats = sorted(range(len(shown.names)), key=lambda seat: shown.places[seat])
    return ", ".join(
        f"{shown.names[seat]} {shown.totals[seat]}"
        + (" (forfeited)" if seat in shown.forfeited else "")
        for seat in seats
    )


class _Labels(dict[str, int]):
    """Numbers of texts, in the order in which they are asked for."""

    def __missing__(self, label: str) -> int:
        self[label] = len(self)
        return self[label]


class _Recorder:
    """Writes down the deals of a match, as ``viewer`` may know them."""

    def __init__(self, painter: Painter[State], paint: Paint, viewer: Seat | None) -> None:
        self.labels = _Labels()
        self._painter = painter
        self._paint = paint
        self._viewer = viewer

    def deal(self, state: State, deal: DealRecord) -> dict[str, Any]:
        """Return a deal that begins with a state; raise ReplayError if it does not fit."""
        start = scene = self._painter.scene(state, None)
        written = []
        for move in moves(state, deal):
            after = self._painter.scene(move.after, (move.seat, move.action))
            told = self._viewer in (None, move.seat)
            label = self.labels[self._paint(move.action)]
            written.append((label, move.ms if told else None, _changes(scene, after)))
            scene = scene | after
        return {
            "start": start,
            "moves": written,
            "penalties": deal.penalties,
            "truncated": deal.truncated,
        }


def _changes(before: Scene, after: Scene) -> Scene:
    """Return what is other in a scene than in the one before it."""
    return {
        key: _change(before.get(key), value)
        for key, value in after.items()
        if key not in before or before[key] != value
    }


def _change(before: object, after: object) -> object:
    """Return a value, or the one place in which it is another text, if that is shorter."""
    if not isinstance(before, str) or not isinstance(after, str):
        return after
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    change = (start, len(before) - start - end, after[start : len(after) - end])
    return change if len(change[2]) + 8 < len(after) else after


def _shared(one: str, other: str) -> int:
    """Return with how many characters both texts begin."""
    return sum(
        1
        for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )


def _fault(result: MatchResult, fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "step": step_of(result, fault),
        "kind": fault.kind.value,
        "ms": fault.ms,
        "detail": quoted(fault.detail),
        "output": quoted(fault.output),
    }
