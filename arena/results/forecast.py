"""What can be said of a league's figures before it is played."""

import math

from arena.results.statistics import MIN_BLOCKS, strata_kept, student_975


def half_width(blocks: int, compositions: int, seats: int, rotations: int) -> float | None:
    """Return half the expected width of the 95 % interval of a bot's share; None below 5 blocks.

    The bot has its ``blocks`` at tables of ``seats`` in so many ``compositions``, and each block
    has a match in each of its ``rotations``. This is the width for bots of equal strength whose
    places are drawn anew in each match. Where one bot is better than another its places vary
    less, and what is luck in the cards of a block cancels out over its rotations.
    """
    if blocks < MIN_BLOCKS:
        return None
    freedom = blocks - strata_kept(blocks, compositions)
    of_match = (seats + 1) / (12 * (seats - 1))
    deviation = math.sqrt(of_match / rotations) * (1.0 - 1.0 / (4 * freedom))
    return student_975(freedom) * deviation / math.sqrt(blocks)
