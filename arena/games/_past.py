"""Another past of a deal of Thirteen that one seat cannot tell from the real one.

A card in a hand came from a **source**: the deal or the first stock (0), the stock after the k-th
reshuffle (k), or the discard pile (-1). Unseen cards of one source are alike: each may be in any
of the places where there are such cards. It is open, too, which of its draws brought a seat which
of its cards, if only each was there before it was discarded.
"""

import random
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from arena.games._cards import Cards

PILE = -1
END = 1 << 30
"""A time after all turns."""

_Key = tuple[int, int]
"""A seat and a source."""
_Uses = list[tuple[int, int]]
"""When cards were discarded, as (turn, card); ``END`` for those that are still held."""


class Turn(NamedTuple):
    """A turn: the card that was drawn, whether from the pile, and the discard, None if due."""

    seat: int
    card: int
    from_pile: bool
    discard: int | None


class Past(NamedTuple):
    """A deal up to now: the hands as dealt, each stock as it was when new (top first), the turns,
    and what has come of it: the hands, and the stock that is left."""

    dealt: tuple[Cards, ...]
    stocks: tuple[Cards, ...]
    turns: tuple[Turn, ...]
    hands: tuple[Cards, ...]
    stock: Cards


def another(past: Past, seat: int, shown: Collection[int], rng: random.Random) -> Past:
    """Return a past with the same public history that ``seat`` cannot tell from this one.

    The hands of the seats ``shown`` are public. Where identical cards of several decks have
    different sources, which of them was discarded stays as it was.
    """
    trace = _Trace(past)
    pools: dict[int, list[int]] = defaultdict(list)
    pools[trace.last] += past.stock
    others = [other for other in range(len(past.hands)) if other != seat]
    for other in others:
        for source in range(len(past.stocks)):
            cards = trace.held[other, source]
            if other in shown:
                trace.uses[other, source] += [(END, card) for card in cards]
            else:
                pools[source] += cards
    for source in sorted(pools):
        pools[source].sort()
        rng.shuffle(pools[source])
    hands, dealt = list(past.hands), list(past.dealt)
    drawn = [turn.card for turn in past.turns]
    for other in others:
        hand = trace.held[other, PILE].copy()
        for source in range(len(past.stocks)):
            uses = trace.uses[other, source]
            if other not in shown:
                uses += [(END, pools[source].pop()) for _ in trace.held[other, source]]
            hand += [card for time, card in uses if time == END]
            draw_again(trace.draws[other, source], uses, drawn, rng)
            if source == 0:
                dealt[other] = tuple(sorted(card for _, card in uses))
        hands[other] = tuple(sorted(hand))
    turns = tuple(turn._replace(card=card) for turn, card in zip(past.turns, drawn, strict=True))
    stock = tuple(pools[trace.last])
    return Past(tuple(dealt), _stocks(past, turns, stock), turns, tuple(hands), stock)


class _Trace:
    """Where cards came from. By seat and source: ``held`` are the cards in the hand, ``uses`` the
    discards, ``draws`` the turns in which one was drawn; ``last`` is the newest source."""

    def __init__(self, past: Past) -> None:
        self.held: dict[_Key, list[int]] = defaultdict(list)
        self.uses: dict[_Key, _Uses] = defaultdict(list)
        self.draws: dict[_Key, list[int]] = defaultdict(list)
        self.last = len(past.stocks) - 1
        for seat, cards in enumerate(past.dealt):
            self.held[seat, 0] += cards
        source, left = 0, len(past.stocks[0])
        for time, turn in enumerate(past.turns):
            if turn.from_pile:
                self.held[turn.seat, PILE].append(turn.card)
            else:
                if not left:
                    source, left = source + 1, len(past.stocks[source + 1])
                left -= 1
                self.held[turn.seat, source].append(turn.card)
                self.draws[turn.seat, source].append(time)
            if turn.discard is not None:
                self._discard(time, turn.seat, turn.discard)

    def _discard(self, time: int, seat: int, card: int) -> None:
        """Take the card from the hand, of several the one that has been seen, or the oldest."""
        for source in range(PILE, self.last + 1):
            if card in self.held[seat, source]:
                self.held[seat, source].remove(card)
                self.uses[seat, source].append((time, card))
                return


def draw_again(
    times: list[int], uses: _Uses, drawn: list[int] | dict[int, int], rng: random.Random
) -> None:
    """Let each of the draws, the last first, be of a card that is not used before.

    Take it out of ``uses`` and write it into ``drawn``, at the number of the turn.
    """
    for time in reversed(times):
        use = rng.choice([use for use in uses if use[0] >= time])
        uses.remove(use)
        drawn[time] = use[1]


def _stocks(past: Past, turns: tuple[Turn, ...], left: Cards) -> tuple[Cards, ...]:
    """Return the stocks from which the cards of the turns were drawn in their order."""
    order = [turn.card for turn in turns if not turn.from_pile] + list(left)
    stocks = []
    for stock in past.stocks:
        stocks.append(tuple(order[: len(stock)]))
        del order[: len(stock)]
    return tuple(stocks)
