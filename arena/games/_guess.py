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

    Where identical cards leave a choice it is the likeliest at first. If a later card has none,
    the last choice that may be to blame is made anew.
    """
    choices: dict[int, list[int]] = {}
    blamed: dict[int, set[int]] = {}
    chosen: dict[int, int] = {}
    at = 0
    while at < len(steps):
        step = steps[at]
        if isinstance(step, _Got):
            owed[step.seat][step.source] += 1
            at += 1
            continue
        if at not in choices:
            choices[at] = _likeliest_last(step, owed, pools)
            blamed[at] = {k for k in chosen if _touch(steps[k], step)}
        if choices[at]:
            chosen[at] = choices[at].pop()
            owed[step.seat][chosen[at]] -= 1
            pools[chosen[at]][step.card] -= 1
            at += 1
            continue
        last = max(blamed[at])
        blamed[last] |= blamed[at] - {last}
        while at > last:
            choices.pop(at, None)
            at -= 1
            _undo(steps[at], chosen.pop(at, 0), owed, pools)
    return list(chosen.values())


def _touch(one: _Got | _Gave, other: _Gave) -> bool:
    """Return whether a card that was given away bears on the source of another one."""
    return isinstance(one, _Gave) and (one.seat == other.seat or one.card == other.card)


def _likeliest_last(step: _Gave, owed: list[Counter[int]], pools: list[Counter[int]]) -> list[int]:
    """Return the sources that a card may have come from."""
    hand = owed[step.seat]
    chances = {
        source: hand[source] * pool[step.card] / pool.total()
        for source, pool in enumerate(pools)
        if hand[source] and pool[step.card]
    }
    return sorted(chances, key=chances.__getitem__)


def _undo(
    step: _Got | _Gave, source: int, owed: list[Counter[int]], pools: list[Counter[int]]
) -> None:
    """Take back a step; ``source`` is the one that was chosen for a card that was given away."""
    if isinstance(step, _Got):
        owed[step.seat][step.source] -= 1
    else:
        owed[step.seat][source] += 1
        pools[source][step.card] += 1
