"""Check what a record says of the bots' conduct: faults, forfeits, house moves, clocks."""

import json
from collections.abc import Collection, Iterator, Sequence

import msgspec

from arena.model import DealRecord, Fault, FaultKind, FaultPolicy, Limits, Outcome, bucket

Moment = tuple[int, int]
"""A deal, from 1, and the index of an action in it; (0, -1) is before the first deal."""
ROUNDING = 0.01
"""Milliseconds by which a recorded time may differ from the one that was measured."""
_TOLERABLE = (FaultKind.ILLEGAL, FaultKind.MALFORMED, FaultKind.TIMEOUT, FaultKind.CPU)


class Difference(Exception):
    """Something recorded is not what it should be; the text says what."""


def expect(what: str, found: object, right: object) -> None:
    """Raise Difference unless the record has what is right, both as JSON values."""
    if _plain(found) != _plain(right):
        raise Difference(f"{what} should be {_short(right)}, the record has {_short(found)}")


def forfeits(policy: FaultPolicy, outcome: Outcome) -> dict[int, Moment]:
    """Return when each seat forfeits by its faults; raise Difference if the match says else."""
    moments: dict[int, Moment] = {}
    passed: dict[int, int] = {}
    before = (0, -1, -1)
    for fault in outcome.faults:
        expect("the seat of a fault", 0 <= fault.seat < len(outcome.seats), True)
        expect(f"the faults of seat {fault.seat} after its forfeit", fault.seat in moments, False)
        start = [fault.kind is FaultKind.NOT_READY, fault.deal == 0, fault.action is None]
        expect("a bot not ready, before all deals, without a question", start, start[:1] * 3)
        moment = (fault.deal, -1 if fault.action is None else fault.action)
        expect("faults in the order of play", before < (*moment, fault.seat), True)
        before = (*moment, fault.seat)
        if fault.kind in _TOLERABLE and passed.get(fault.seat, 0) < policy.tolerate:
            passed[fault.seat] = passed.get(fault.seat, 0) + 1
        else:
            moments[fault.seat] = moment
    expect("the forfeits", outcome.forfeited, list(moments))
    return moments


def check_house_moves(
    outcome: Outcome, deals: Sequence[DealRecord], forfeited: dict[int, Moment]
) -> None:
    """Check that the house plays at each fault and after each forfeit, and never else."""
    faults = {(fault.seat, fault.deal, fault.action) for fault in outcome.faults if fault.deal}
    for seat, number, index, ms in _moves(deals):
        gone = seat in forfeited and (number, index) > forfeited[seat]
        house = gone or (seat, number, index) in faults
        where = f"of action {index} of deal {number}"
        expect(f"whether the house made the move {where}", ms is None, house)
        faults.discard((seat, number, index))
    expect("faults without a move of their seat", list(faults), [])


def check_clocks(
    limits: Limits, outcome: Outcome, deals: Sequence[DealRecord], unlimited: Collection[str] = ()
) -> None:
    """Check that answers were in time and that those called late were late.

    Bots named in ``unlimited`` had no limits.
    """
    faults = {(fault.seat, fault.deal, fault.action): fault for fault in outcome.faults}
    players = len(outcome.seats)
    limit, bank = [float(limits.first_move)] * players, [float(limits.bank)] * players
    slack = 0.0
    for seat, number, index, ms in _moves(deals):
        fault = faults.get((seat, number, index))
        taken = fault.ms if fault else ms
        if taken is None or outcome.seats[seat] in unlimited:
            continue
        slack += ROUNDING
        over = taken - limit[seat]
        what = f"{taken} ms for action {index} of deal {number} within the limits"
        if _was_late(fault):
            expect(what, over <= bank[seat] - slack, False)
        elif fault is None or fault.kind in (FaultKind.ILLEGAL, FaultKind.CPU):
            expect(what, over <= bank[seat] + slack, True)
        limit[seat] = float(limits.move)
        bank[seat] -= min(max(over, 0.0), bank[seat])


def check_times(outcome: Outcome, deals: Sequence[DealRecord]) -> None:
    """Check that the histograms are those of the recorded times."""
    expect("the number of histograms", len(outcome.times), len(outcome.seats))
    expect("the number of seats with stale answers", len(outcome.stale), len(outcome.seats))
    _check_measured(outcome)
    for seat, times in enumerate(outcome.times):
        taken = sorted(ms for who, _, _, ms in _moves(deals) if who == seat and ms is not None)
        expect(f"the number of times of seat {seat}", sum(times.values()), len(taken))
        expect(f"counts of times of seat {seat} below 1", min(times.values(), default=1) < 1, False)
        found = [index for index, count in sorted(times.items()) for _ in range(count)]
        for ms, index in zip(taken, found, strict=True):
            near = bucket(ms - ROUNDING) <= index <= bucket(ms + ROUNDING)
            expect(f"{ms} ms of seat {seat} in bucket {index}", near, True)


def _check_measured(outcome: Outcome) -> None:
    """Check that what was measured beside the clocks is there for every seat, and no less than
    nothing."""
    if outcome.spent:
        expect("the number of seats with processor time", len(outcome.spent), len(outcome.seats))
    for seat, spent in enumerate(outcome.spent):
        least = min(msgspec.structs.astuple(spent)) if spent else 0.0
        expect(f"whether times spent by seat {seat} are below 0", least < 0, False)
    lag = [figure or 0 for figure in msgspec.structs.astuple(outcome.lag)] if outcome.lag else [0]
    expect("whether the arena's own times are below 0", min(lag) < 0, False)


def _was_late(fault: Fault | None) -> bool:
    return fault is not None and fault.kind is FaultKind.TIMEOUT


def _moves(deals: Sequence[DealRecord]) -> Iterator[tuple[int, int, int, float | None]]:
    """Yield seat, deal, index and milliseconds of every action."""
    for number, deal in enumerate(deals, 1):
        for index, (seat, _, ms) in enumerate(deal.actions):
            yield seat, number, index, ms


def _plain(value: object) -> object:
    """Return the value as it is after a journey through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _short(value: object) -> str:
    text = json.dumps(_plain(value))
    return text if len(text) <= 200 else f"{text[:200]}..."
