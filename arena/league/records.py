"""The public record of a match; ``RECORDS.md`` beside this file describes its shape."""

from typing import Any

import msgspec

from arena import __version__
from arena.model import DealRecord, Fault, MatchResult

FORMAT = 1


def as_record(result: MatchResult) -> dict[str, Any]:
    """Return a match as JSON values of format 1."""
    outcome = result.outcome
    return {
        "format": FORMAT,
        "arena": __version__,
        "match": outcome.match,
        "game": result.game,
        "options": result.options,
        "seed": result.block_seed,
        "block": outcome.block,
        "rotation": outcome.rotation,
        "seats": outcome.seats,
        "identities": outcome.identities,
        "fingerprints": result.fingerprints,
        "deals": [_deal(deal) for deal in result.deals],
        "totals": outcome.totals,
        "places": outcome.places,
        "forfeited": outcome.forfeited,
        "faults": [_fault(fault) for fault in outcome.faults],
        "ended": outcome.ended,
    }


def as_line(result: MatchResult) -> str:
    """Return a match as one line of JSON."""
    return msgspec.json.encode(as_record(result)).decode()


def _deal(deal: DealRecord) -> dict[str, Any]:
    return {
        **deal.setup,
        "actions": deal.actions,
        "penalties": deal.penalties,
        "truncated": deal.truncated,
    }


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "deal": fault.deal - 1 if fault.deal else None,
        "action": fault.action,
        "kind": fault.kind,
        "ms": fault.ms,
        "cpu": fault.cpu,
        "detail": fault.detail,
    }
