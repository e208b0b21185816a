"""Sort the outcomes of a run into complete blocks, which alone are evidence."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import structs

from arena.model import Outcome
from arena.results.tables import Incomplete

Block = tuple[Outcome, ...]
"""All matches of a block, one for each rotation."""


class CompleteBlocks:
    """Yields complete blocks, in the order in which they became complete.

    ``rotations`` gives the matches of a complete block by table size. A block whose matches are
    those of another one, move for move and card for card, is left out and counted in ``repeated``:
    which one of them is left out makes no difference to any figure. The outcomes are taken one by
    one and not kept once their block is complete.
    """

    def __init__(self, outcomes: Iterable[Outcome], rotations: Mapping[int, int]) -> None:
        self._outcomes = outcomes
        self._rotations = rotations
        self._pending: dict[str, list[Outcome]] = {}
        self._seen: set[int] = set()
        self.repeated = 0

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks; raise ValueError when one has a rotation twice or more matches than
        rotations."""
        complete: set[str] = set()
        for outcome in self._outcomes:
            block = outcome.block_id
            matches = self._pending.setdefault(block, [])
            if block in complete or any(match.rotation == outcome.rotation for match in matches):
                raise ValueError(f"match {outcome.match} is one too many for its block {block}")
            matches.append(_slim(outcome))
            if len(matches) == self._rotations[len(outcome.seats)]:
                complete.add(block)
                found = tuple(self._pending.pop(block))
                if not self._is_repeated(found):
                    yield found

    @property
    def incomplete(self) -> tuple[Incomplete, ...]:
        """Return the blocks of which matches are missing still, by their id."""
        return tuple(
            Incomplete(
                block=block,
                bots=tuple(sorted(matches[0].seats)),
                played=len(matches),
                rotations=self._rotations[len(matches[0].seats)],
            )
            for block, matches in sorted(self._pending.items())
        )

    def _is_repeated(self, block: Block) -> bool:
        if not all(match.digest for match in block):
            return False
        content = hash(frozenset(map(_content, block)))
        repeated = content in self._seen
        self._seen.add(content)
        self.repeated += repeated
        return repeated


def _slim(outcome: Outcome) -> Outcome:
    """Return the outcome without what is long and does not count."""
    faults = tuple(structs.replace(fault, detail="", output="", log="") for fault in outcome.faults)
    return structs.replace(outcome, times=(), spent=(), lag=None, faults=faults)


def _content(match: Outcome) -> tuple[object, ...]:
    """Return all that standings need of a match but its number in the league."""
    faults = tuple((fault.seat, fault.kind) for fault in match.faults)
    return (
        match.seats, match.digest, match.totals, match.places, match.deals, match.forfeited,
        faults, match.stale,
    )  # fmt: skip
