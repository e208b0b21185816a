"""The least penalty of a hand of Thirteen, an arrangement that reaches it, and ways to go out.

Only the runs are searched, suit by suit (``_runs``); the rest follows from two facts.

- Cards of a rank that are in no run may as well be one set. ``k`` of them need 3 - k wilds, none
  from 3 on.
- All wilds are alike, and melds can take in any number of them: a set always, a run after
  breaking it up, if need be. So a wild is left over only where nothing melds.

``wild`` is always the rank of the wilds, from 0 to 12.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from arena.games._cards import POINTS, POINTS_HIGH, Cards
from arena.games._runs import HIGH_ACE, KING, SHORTEST, Laid, Runs, lay, runs

_NEEDS = (0, 2, 1, *(0,) * 13)
"""How many wilds make a set of so many cards."""
_ACES = 0x0001_0001_0001_0001
"""The aces among the cards as bits, 16 bits a suit."""

Choice = tuple[int, int, tuple[Runs, ...]]
"""Runs in all four suits: the cards used by rank, packed, the wilds needed, the runs by suit."""


class Arrangement(Struct, frozen=True, gc=False):
    """A hand divided into melds and the rest, and the penalty of the rest.

    Runs come first, by suit, then sets by rank. A run lists its cards upwards, wilds in the place
    of the card that they stand for.
    """

    penalty: int
    melds: tuple[Cards, ...]
    rest: Cards


class _Hand:
    """A hand taken apart. ``total`` counts the cards but wilds by rank, packed; ``ranks`` holds
    (shift in such a number, points) of the ranks that there are, dearest first."""

    def __init__(self, cards: Sequence[int], wild: int, *, ace_high: bool) -> None:
        suits: tuple[list[int], ...] = ([], [], [], [])
        total = wilds = 0
        for card in cards:
            rank = card >> 2
            if rank == wild:
                wilds += 1
            else:
                suits[card & 3].append(rank)
                total += 1 << 4 * rank
        by_rank = POINTS_HIGH if ace_high else POINTS
        ranks = [(by_rank[rank], 4 * rank) for rank in range(13) if total >> 4 * rank & 15]
        self.suits = suits
        self.wilds = wilds
        self.total = total
        self.ranks = [(shift, worth) for worth, shift in sorted(ranks, reverse=True)]
        self.ace_high = ace_high

    def choices(self) -> list[Choice]:
        """Return all choices of runs that the wilds allow; no runs at all is the first."""
        found: list[Choice] = [(0, 0, ())]
        for ranks in self.suits:
            options = runs(tuple(sorted(ranks)), self.wilds, self.ace_high)
            found = [
                (used + more.used, wilds + more.wilds, (*chosen, more))
                for used, wilds, chosen in found
                for more in options
                if wilds + more.wilds <= self.wilds
            ]
        return found

    def best(self) -> tuple[int, Choice]:
        """Return the least that cards but wilds cost, and the first choice that reaches it."""
        best = None
        least = 0
        for choice in self.choices():
            cost = self._cost(self.total - choice[0], self.wilds - choice[1])
            if best is None or cost < least:
                least, best = cost, choice
                if not cost:
                    break
        assert best is not None
        return least, best

    def _cost(self, left: int, wilds: int) -> int:
        """Return what cards in no run cost when the wilds make sets of them."""
        ones, twos = [], []
        for shift, worth in self.ranks:
            count = left >> shift & 15
            if count == 1:
                ones.append(worth)
            elif count == 2:
                twos.append(2 * worth)
        cost = sum(ones) + sum(twos)
        return cost - _saved(ones, twos, wilds)[0] if cost and wilds else cost


def _saved(ones: list[int], twos: list[int], wilds: int) -> tuple[int, int]:
    """Return what wilds save at most, and how many of the first ``ones`` they make sets of.

    ``ones`` and ``twos`` hold the points of ranks with one and with two cards, descending.
    """
    return max(
        (sum(ones[:single]) + sum(twos[: wilds - 2 * single]), single)
        for single in range(min(len(ones), wilds // 2) + 1)
    )


def points(cards: Iterable[int], *, ace_high: bool) -> int:
    """Return the sum of the points of cards in no meld (T18)."""
    by_rank = POINTS_HIGH if ace_high else POINTS
    return sum([by_rank[card >> 2] for card in cards])


def least_penalty(cards: Sequence[int], wild: int, *, ace_high: bool) -> int:
    """Return the least penalty of a hand (T17, T18)."""
    hand = _Hand(cards, wild, ace_high=ace_high)
    least, _ = hand.best()
    if hand.wilds < SHORTEST:
        others = [card for card in cards if card >> 2 != wild]
        if least == points(others, ace_high=ace_high):
            return points(cards, ace_high=ace_high)
    return least


def arrange(cards: Sequence[int], wild: int, *, ace_high: bool) -> Arrangement:
    """Return an arrangement of least penalty, always the same one for the same cards."""
    hand = _Hand(cards, wild, ace_high=ace_high)
    _, (_, _, chosen) = hand.best()
    top = HIGH_ACE if ace_high else KING
    held = Counter(card for card in cards if card >> 2 != wild)
    wilds = sorted(card for card in cards if card >> 2 == wild)
    laid = [
        run
        for suit, more in enumerate(chosen)
        if more.shape
        for run in lay(more.shape, suit, held, top)
    ]
    spare = len(wilds) - sum(run.cards.count(None) for run in laid)
    sets, rest = _sets(sorted(held.elements()), spare, hand.ranks)
    spare -= sum(max(SHORTEST - len(cards), 0) for cards in sets)
    alone = spare if not sets and spare >= SHORTEST else 0
    if laid and not sets and not alone:
        for _ in range(spare):
            laid[0].add_wild(top)
    melds = [*_filled(laid, wilds), *_completed(sets, wilds)]
    if alone:
        melds.append(tuple(wilds))
    elif sets:
        melds[len(laid)] += tuple(wilds)
    elif not laid:
        rest = sorted((*rest, *wilds))
    return Arrangement(points(rest, ace_high=ace_high), tuple(melds), tuple(rest))


def _sets(
    cards: list[int], wilds: int, ranks: list[tuple[int, int]]
) -> tuple[list[list[int]], list[int]]:
    """Return the cards of each set that is best made, by rank, and those of none."""
    groups: dict[int, list[int]] = {}
    for card in cards:
        groups.setdefault(card >> 2, []).append(card)
    sizes = {
        size: [
            (shift >> 2, size * worth)
            for shift, worth in ranks
            if len(groups.get(shift >> 2, ())) == size
        ]
        for size in (1, 2)
    }
    ones, twos = sizes[1], sizes[2]
    _, single = _saved([p for _, p in ones], [p for _, p in twos], wilds)
    melded = {rank for rank, _ in ones[:single] + twos[: wilds - 2 * single]}
    melded |= {rank for rank, group in groups.items() if len(group) >= SHORTEST}
    rest = [card for card in cards if card >> 2 not in melded]
    return [groups[rank] for rank in sorted(melded)], rest


def _filled(laid: list[Laid], wilds: list[int]) -> Iterator[Cards]:
    """Yield the runs with wilds in their gaps, which are taken from ``wilds``."""
    for run in laid:
        yield tuple(wilds.pop(0) if card is None else card for card in run.cards)


def _completed(sets: list[list[int]], wilds: list[int]) -> Iterator[Cards]:
    """Yield the sets with the wilds that they need, which are taken from ``wilds``."""
    for cards in sets:
        yield (*cards, *(wilds.pop(0) for _ in range(SHORTEST - len(cards))))


def going_out(cards: Sequence[int], wild: int, *, ace_high: bool) -> Cards:
    """Return the cards, ascending, that can be discarded so that all others meld (T14).

    ``cards`` are four or more. A choice of runs tells how many wilds it takes to meld everything.
    Leaving out a card of a run takes one more, to stand in its place; leaving out another card
    changes what the set of its rank needs.
    """
    if not _may_go_out(cards, wild, ace_high=ace_high):
        return ()
    hand = _Hand(cards, wild, ace_high=ace_high)
    held = Counter(card for card in cards if card >> 2 != wild)
    found: set[int] = set()
    for used, wilds, chosen in hand.choices():
        left = hand.total - used
        spare = hand.wilds - wilds - sum(_NEEDS[left >> shift & 15] for shift, _ in hand.ranks)
        if spare > 0:
            return tuple(sorted(set(cards)))
        if spare < -2:
            continue
        for card, copies in held.items():
            shift = card & ~3
            count = left >> shift & 15
            in_runs = chosen[card & 3].used >> shift & 15
            if copies > in_runs and _NEEDS[count - 1] - _NEEDS[count] <= spare:
                found.add(card)
    return tuple(sorted(found))


def _may_go_out(cards: Sequence[int], wild: int, *, ace_high: bool) -> bool:
    """Return False where too many cards are in no set or run of their own.

    A wild helps at most four such cards to meld: two on each side of it in a run. One card is
    discarded.
    """
    ranks = [0] * 13
    bits = wilds = 0
    for card in cards:
        rank = card >> 2
        if rank == wild:
            wilds += 1
        else:
            ranks[rank] += 1
            bits |= 1 << 16 * (card & 3) + rank
    limit = 4 * wilds + 1
    if len(cards) - wilds <= limit:
        return True
    if ace_high:
        bits |= (bits & _ACES) << HIGH_ACE
    thirds = bits & bits >> 1 & bits >> 2
    melding = thirds | thirds << 1 | thirds << 2
    if ace_high:
        melding |= melding >> HIGH_ACE & _ACES
    stuck = 0
    for card in cards:
        rank = card >> 2
        if rank != wild and ranks[rank] < SHORTEST and not melding >> 16 * (card & 3) + rank & 1:
            stuck += 1
    return stuck <= limit
