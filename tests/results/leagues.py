"""Made-up leagues of bots with planted strengths."""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from arena.games.base import rank
from arena.model import Outcome


def league(
    strengths: Mapping[str, float],
    *,
    seats: int,
    blocks: int,
    rng: np.random.Generator,
    luck: float = 1.0,
    seat: float = 0.0,
) -> Iterator[Outcome]:
    """Yield the matches of a round robin with all rotations.

    A bot's result is its strength and normal noise of 1; ``luck`` is the deviation of what the
    deals give each seat, the same in all rotations, ``seat`` what seat 0 has in every block.
    """
    for names in itertools.combinations(sorted(strengths), seats):
        for block in range(1, blocks + 1):
            deals = luck * rng.normal(size=seats)
            deals[0] += seat
            order = [names[i] for i in rng.permutation(seats)]
            for turn in range(seats):
                table = tuple(order[turn:] + order[:turn])
                results = (
                    np.array([strengths[name] for name in table]) + deals + rng.normal(size=seats)
                )
                yield outcome(
                    table, block, turn + 1, rank([round(-x, 1) for x in results.tolist()])
                )


def outcome(
    seats: tuple[str, ...], block: int, rotation: int, places: tuple[int, ...], digest: str = ""
) -> Outcome:
    """Return a match without faults."""
    composition = " ".join(sorted(seats))
    return Outcome(
        match=f"{composition} {block} {rotation}",
        composition=composition,
        block=block,
        rotation=rotation,
        seats=seats,
        totals=tuple(3 * place for place in places),
        places=places,
        deals=1,
        forfeited=(),
        faults=(),
        ended="complete",
        times=({},) * len(seats),
        stale=(0,) * len(seats),
        digest=digest,
    )
