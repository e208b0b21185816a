"""The contract of a rating: one figure for each bot, from all matches at once."""

from collections.abc import Iterable
from typing import Protocol

from arena.results.complete import Block
from arena.results.tables import Ratings

MEAN = 1500.0
"""The mean of all ratings, or the rating of the anchor."""


class Rater(Protocol):
    """A way to rate bots. It is a pure function of the blocks, whatever their order."""

    key: str

    def check(self) -> None:
        """Raise ConfigError, which says what to do, when a package is missing."""

    def rate(self, blocks: Iterable[Block], anchor: str = "") -> Ratings:
        """Return the ratings of all bots of complete blocks.

        ``anchor`` names the bot whose rating is fixed; where it is empty or has no blocks, the mean
        is.
        """
