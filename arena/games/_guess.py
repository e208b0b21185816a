"""A deal of Thirteen that may be the real one for all that one seat has seen of it.

The words are those of ``_past``. What the seat cannot know is told by no event: which cards others
were dealt and drew. It is only known that a card was in a hand when it was discarded, so for every
discard one source is chosen that had the card and had given one to that hand.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from arena.games._cards import NAMES, NUMBERS, names, numbers
from arena.games._past import END, draw_again
from arena.games.base import Glance


class _Got(NamedTuple):
    """Another hand got a card from a source."""

    seat: int
    source: int


class _Gave(NamedTuple):
    """Another hand discarded a card that did not come from the pile, or showed one at ``END``."""

    seat: int
    turn: int
    card: int


_Steps = Sequence[_Got | _Gave]


class _Deal:
    """The deal as a seat knows it, event by event.

    ``pools`` holds for each source the cards of which it is not known where they went, ``lengths``
    the size of each new stock, ``kept`` the cards of each hand that came from the pile. ``drawn``
    tells what the seat itself drew, by turn.
    """

    def __init__(self, first: Mapping[str, Any], drawn: Mapping[int, int]) -> None:
        seats = len(first["counts"])
        decks = (seats + 1) // 2
        self.first = first
        self.drawn = drawn
        self.pile = [NUMBERS[first["top"]]]
        seen = Counter([*self.pile, *numbers(first["hand"])])
        self.pools = [Counter({card: decks - seen[card] for card in range(len(NAMES))})]
        self.lengths = [first["stock"]]
        self.left = first["stock"]
        self.kept: list[Counter[int]] = [Counter() for _ in range(seats)]
        self.draws: list[tuple[int, int, int]] = []
        self.steps: list[_Got | _Gave] = []
        self.turn = 0

    def see(self, seat: int, action: str) -> None:
        """Take in an event."""
        if action == "draw stock":
            self._draw(seat)
        elif action == "draw discard":
            self.kept[seat][self.pile.pop()] += 1
        else:
            self._discard(seat, NUMBERS[action.split()[1]])

    def show(self, seat: int, cards: Sequence[int]) -> None:
        """Take in the cards of a hand that is shown."""
        hidden = Counter(cards) - self.kept[seat]
        self.steps += [_Gave(seat, END, card) for card in sorted(hidden.elements())]

    def _draw(self, seat: int) -> None:
        source = len(self.lengths) - 1
        self.left -= 1
        self.draws.append((self.turn, seat, source))
        if seat == self.first["seat"]:
            self.pools[source][self.drawn[self.turn]] -= 1
        else:
            self.steps.append(_Got(seat, source))

    def _discard(self, seat: int, card: int) -> None:
        if self.kept[seat][card]:
            self.kept[seat][card] -= 1
        elif seat != self.first["seat"]:
            self.steps.append(_Gave(seat, self.turn, card))
        self.pile.append(card)
        self.turn += 1
        if not self.left and len(self.pile) > 1:
            self.pools.append(Counter(self.pile[:-1]))
            self.left = len(self.pile) - 1
            self.lengths.append(self.left)
            del self.pile[:-1]


def guess(glances: Sequence[Glance]) -> dict[str, Any]:
    """Return the record of a deal that agrees with all glances of a seat, the fresh deal first."""
    first, last = glances[0][1], glances[-1][1]
    own = {seen["turn"]: NUMBERS[seen["drawn"]] for _, seen in glances if seen["drawn"] is not None}
    deal = _Deal(first, own)
    for events, _ in glances:
        for seat, action in events:
            deal.see(seat, action)
    if last["went_out"] not in (None, last["seat"]):
        deal.show(last["went_out"], numbers(last["known"][last["went_out"]]))
    hands, stocks = _cards(deal)
    return {
        "dealer": first["dealer"],
        "hands": [names(hand) for hand in hands],
        "stock": names(stocks[0]),
        "discard": first["top"],
        "reshuffles": [names(stock) for stock in stocks[1:]],
        "melds": [],
    }


def _cards(deal: _Deal) -> tuple[list[list[int]], list[list[int]]]:
    """Return the hands and the stocks, each as it was when it was new."""
    me, size = deal.first["seat"], deal.first["counts"][0]
    owed = [Counter({0: size}) for _ in deal.kept]
    uses: dict[tuple[int, int], list[tuple[int, int]]] = {}
    given = [step for step in deal.steps if isinstance(step, _Gave)]
    for step, source in zip(given, _sources(deal.steps, owed, deal.pools), strict=True):
        uses.setdefault((step.seat, source), []).append((step.turn, step.card))
    unseen = [sorted(pool.elements()) for pool in deal.pools]
    drawn = dict(deal.drawn)
    hands = []
    for seat, more in enumerate(owed):
        hand = list(numbers(deal.first["hand"]))
        for source, pool in enumerate(unseen if seat != me else ()):
            held = uses.get((seat, source), [])
            held += [(END, pool.pop()) for _ in range(more[source])]
            times = [turn for turn, by, at in deal.draws if (by, at) == (seat, source)]
            draw_again(times, held, drawn, random.Random(0))
            if source == 0:
                hand = [card for _, card in held]
        hands.append(hand)
    order = [drawn[turn] for turn, _, _ in deal.draws] + unseen[-1]
    starts = [sum(deal.lengths[:number]) for number in range(len(deal.lengths))]
    return hands, [
        order[start : start + length] for start, length in zip(starts, deal.lengths, strict=True)
    ]


def _sources(steps: _Steps, owed: list[Counter[int]], pools: list[Counter[int]]) -> list[int]:
    """Return the source of every card that is given away, and take it from ``owed`` and ``pools``.

    The card with the fewest sources left is seen to first. Where there is a choice it is the
    likeliest at first; if a card is left without a source the last choice is made anew.
    """
    search = _Search(steps, owed, pools)
    chosen: list[tuple[int, list[int]]] = []
    while search.open:
        at, options = search.tightest()
        while not options:
            at, options = chosen.pop()
            search.take_back(at)
        search.choose(at, options.pop())
        chosen.append((at, options))
    return search.close()


class _Search:
    """Cards that were given away, by number, and what is left of each source for each hand.

    ``room[seat, source]`` has for each card that the seat gave away how many cards of the source
    it held then and did not give away. ``open`` are the cards without a source.
    """

    def __init__(self, steps: _Steps, owed: list[Counter[int]], pools: list[Counter[int]]) -> None:
        self.owed = owed
        self.pools = pools
        self.gave: list[_Gave] = []
        self.order: list[int] = []
        self.room: dict[tuple[int, int], list[int]] = {
            (seat, source): [] for seat in range(len(owed)) for source in range(len(pools))
        }
        for step in steps:
            if isinstance(step, _Got):
                owed[step.seat][step.source] += 1
                continue
            self.order.append(len(self.room[step.seat, 0]))
            self.gave.append(step)
            for source in range(len(pools)):
                self.room[step.seat, source].append(owed[step.seat][source])
        self.source: dict[int, int] = {}
        self.open = dict.fromkeys(range(len(self.gave)))
        self.options = {at: self._options(at) for at in self.open}

    def tightest(self) -> tuple[int, list[int]]:
        """Return the open card with the fewest sources, and these, the likeliest last."""
        at = min(self.open, key=lambda at: len(self.options[at]))
        step = self.gave[at]

        def chance(source: int) -> float:
            pool = self.pools[source]
            return self.owed[step.seat][source] * pool[step.card] / pool.total()

        return at, sorted(self.options[at], key=chance)

    def choose(self, at: int, source: int) -> None:
        """Take a card from a source."""
        self.source[at] = source
        del self.open[at]
        self._move(at, source, -1)

    def take_back(self, at: int) -> None:
        """Let a card have no source again."""
        self.open[at] = None
        self._move(at, self.source.pop(at), 1)

    def close(self) -> list[int]:
        """Return the sources in the order of the steps."""
        return [self.source[at] for at in range(len(self.gave))]

    def _move(self, at: int, source: int, by: int) -> None:
        step = self.gave[at]
        room = self.room[step.seat, source]
        for later in range(self.order[at], len(room)):
            room[later] += by
        self.owed[step.seat][source] += by
        self.pools[source][step.card] += by
        for other in self.open:
            if self.gave[other].seat == step.seat or self.gave[other].card == step.card:
                self.options[other] = self._options(other)

    def _options(self, at: int) -> list[int]:
        """Return the sources that a card may have come from."""
        step, order = self.gave[at], self.order[at]
        return [
            source
            for source, pool in enumerate(self.pools)
            if pool[step.card] and min(self.room[step.seat, source][order:]) > 0
        ]
