"""A deal of Thirteen, decision by decision."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.games._cards import NAMES, NUMBERS, RANKS, Cards, minus, names, numbers, plus
from arena.games._melds import Arrangement, arrange, going_out, least_penalty, points
from arena.games._past import Past, Turn, another
from arena.games.base import IllegalAction
from arena.seeds import Chance, Stream, derive

T = TypeVar("T")
ACES = ("low", "high-or-low")
DRAW_STOCK, DRAW_DISCARD = DRAWS = ("draw stock", "draw discard")
OUTS = tuple(f"out {name}" for name in NAMES)
DISCARDS = tuple(f"discard {name}" for name in NAMES)
MOVES = {
    action: (card, actions is OUTS)
    for actions in (OUTS, DISCARDS)
    for card, action in enumerate(actions)
}
"""The card of every discard and whether it is to go out."""

Discard = tuple[str, int | None, int | None]
"""A card of the pile: its name, the seats that discarded it (None: the deal) and that took it."""


class Reshuffles:
    """The order of the stocks after the first: as recorded, else from a seed.

    All are equal, for what has not been shuffled yet is no part of a state.
    """

    __slots__ = ("_chance", "_recorded", "_seed")

    def __init__(
        self, seed: str, chance: Callable[[str], Chance], recorded: tuple[Cards, ...] = ()
    ) -> None:
        self._seed = seed
        self._chance = chance
        self._recorded = recorded

    def stock(self, number: int, cards: Iterable[int]) -> Cards:
        """Return the new stock of reshuffle ``number`` (from 1); ``cards`` are oldest first."""
        if number <= len(self._recorded):
            return self._recorded[number - 1]
        return tuple(self._chance(derive(self._seed, "reshuffle", number)).shuffled(cards))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reshuffles)

    def __hash__(self) -> int:
        return hash(Reshuffles)


class Setup(Struct, frozen=True):
    """What stays the same during a deal: the cards as dealt (``stock`` top first, without the
    ``starter`` of the discard pile), the dealer, the rank of the wilds, the options."""

    hands: tuple[Cards, ...]
    stock: Cards
    starter: int
    dealer: int
    wild: int
    ace_high: bool
    max_turns: int
    reshuffles: Reshuffles


class ThirteenState(Struct, frozen=True):
    """One moment of a deal.

    ``drawn`` is the card drawn in this turn, None until then. ``discards`` are all since the last
    reshuffle, ``known`` the cards of each hand that all have seen it take, ``stocks`` the new
    stocks so far, ``shown`` the arrangements of the hands that are shown.
    """

    setup: Setup
    to_act: int | None
    hands: tuple[Cards, ...]
    stock: Cards
    drawn: int | None
    discards: tuple[Discard, ...]
    known: tuple[Cards, ...]
    stocks: tuple[Cards, ...]
    turns: tuple[Turn, ...]
    went_out: int | None
    shown: tuple[Arrangement | None, ...]

    @property
    def penalties(self) -> tuple[int, ...] | None:
        """The points of the cards in no meld (T18), None while the deal is on."""
        if self.to_act is not None:
            return None
        return tuple(hand.penalty for hand in self.shown if hand)

    @property
    def truncated(self) -> bool:
        """Whether the deal was stopped by its turn limit (T24) before the last turns (T15)."""
        return self.to_act is None and self._next_seat(self.turns[-1].seat) != self.went_out

    def legal_actions(self) -> tuple[str, ...]:
        """Return the draws, or ways to go out and then discards by rank and suit."""
        if self.to_act is None:
            return ()
        if self.drawn is None:
            return DRAWS if self.stock else (DRAW_DISCARD,)
        hand = self.hands[self.to_act]
        discards = tuple([DISCARDS[card] for card in dict.fromkeys(hand)])
        return tuple([OUTS[card] for card in self._outs(hand)]) + discards

    def canonical(self, action: str) -> str:
        """Return the text unchanged: there is one spelling."""
        return action

    def apply(self, action: str) -> ThirteenState:
        """Return the state after an action; raise IllegalAction with the rule broken."""
        seat = self.to_act
        if seat is None:
            raise IllegalAction(f"{action!r}: the deal is over")
        if action in DRAWS:
            if self.drawn is not None:
                raise IllegalAction(f"{action!r}: a card has been drawn, now discard one (T06)")
            return self._draw_stock(seat) if action == DRAW_STOCK else self._draw_discard(seat)
        if action not in MOVES:
            raise IllegalAction(
                f"{action!r} is no action: write 'draw stock', 'draw discard', 'out 7H' or"
                " 'discard 7H'"
            )
        if self.drawn is None:
            raise IllegalAction(f"{action!r}: a turn begins with a draw (T06)")
        card, out = MOVES[action]
        hand = self.hands[seat]
        if card not in hand:
            raise IllegalAction(f"{action!r}: the hand holds no {NAMES[card]}")
        if out and self.went_out is not None:
            raise IllegalAction(f"{action!r}: seat {self.went_out} has gone out already (T16)")
        if out and card not in self._outs(hand):
            raise IllegalAction(f"{action!r}: the other cards are not all in melds (T14)")
        return self._discard(seat, card, self.drawn, seat if out else self.went_out)

    def house_move(self) -> str:
        """Draw from the stock if there is one, then discard the card drawn (T25)."""
        if self.to_act is None:
            raise IllegalAction("the deal is over")
        return self.legal_actions()[0] if self.drawn is None else DISCARDS[self.drawn]

    def observe(self, seat: int) -> dict[str, Any]:
        """Return the seat's hand and all that is public (T23), as JSON values.

        ``wild`` is a rank, ``ace`` the option; ``phase`` is "draw" or "discard"; ``drawn`` is the
        card that this seat drew in this turn; ``stock`` is a number of cards, ``top`` the top
        discard. ``discards`` are [card, seat that discarded it, seat that took it], oldest first,
        since the last reshuffle; the first of a deal was discarded by none, null. By seat:
        ``counts``; ``known``, cards taken from the pile and still held; ``shown``, the melds after
        going out, else null.
        ``best`` has the least penalty of the hand, and melds and rest that reach it.
        """
        setup = self.setup
        hand = self.hands[seat]
        best = arrange(hand, setup.wild, ace_high=setup.ace_high)
        return {
            "seat": seat,
            "hand": names(hand),
            "wild": RANKS[setup.wild],
            "ace": ACES[setup.ace_high],
            "phase": "draw" if self.drawn is None else "discard",
            "drawn": None if self.drawn is None or seat != self.to_act else NAMES[self.drawn],
            "stock": len(self.stock),
            "top": self._top(),
            "discards": [list(discard) for discard in self.discards],
            "counts": [len(cards) for cards in self.hands],
            "known": [names(cards) for cards in self.known],
            "dealer": setup.dealer,
            "turn": len(self.turns),
            "went_out": self.went_out,
            "shown": self._melds(),
            "best": {
                "penalty": best.penalty,
                "melds": [names(meld) for meld in best.melds],
                "rest": names(best.rest),
            },
        }

    def resample(self, seat: int, rng: random.Random) -> ThirteenState:
        """Return a state with the stock and what is unseen in the other hands drawn anew.

        It agrees with all that the seat has seen: cards taken from the pile, every discard, its
        own draws. Its ``record`` is that of a deal in which the same actions led to it.
        """
        setup = self.setup
        turns = self.turns
        if self.to_act is not None and self.drawn is not None:
            from_pile = self.discards[-1][2] is not None
            turns = (*turns, Turn(self.to_act, self.drawn, from_pile, None))
        past = Past(setup.hands, (setup.stock, *self.stocks), turns, self.hands, self.stock)
        shown = [other for other, arrangement in enumerate(self.shown) if arrangement]
        world = another(past, seat, shown, rng)
        return replace(
            self,
            setup=replace(
                setup,
                hands=world.dealt,
                stock=world.stocks[0],
                reshuffles=Reshuffles(f"{rng.getrandbits(128):032x}", Stream),
            ),
            hands=world.hands,
            stock=world.stock,
            drawn=None if self.drawn is None else world.turns[-1].card,
            stocks=world.stocks[1:],
            turns=world.turns[: len(self.turns)],
        )

    def record(self) -> dict[str, Any]:
        """Return the dealer, the cards as dealt, the new stocks, and the melds at the end by seat.

        ``stock`` and each of ``reshuffles`` are top first, ``discard`` is the first card of the
        pile; ``melds`` is empty before the end.
        """
        setup = self.setup
        return {
            "dealer": setup.dealer,
            "hands": [names(hand) for hand in setup.hands],
            "stock": names(setup.stock),
            "discard": NAMES[setup.starter],
            "reshuffles": [names(stock) for stock in self.stocks],
            "melds": self._melds() if self.to_act is None else [],
        }

    def accepts(self, setup: Mapping[str, Any]) -> bool:
        """Return whether a recorded deal is this one, with melds in any arrangement that is best
        (T17)."""
        own = self.record()
        try:
            melds = msgspec.convert(setup.get("melds"), list[list[list[str]]])
        except msgspec.ValidationError:
            return False
        return (
            {**setup, "melds": own["melds"]} == own
            and len(melds) == len(own["melds"])
            and all(map(self._is_best, self.hands, melds))
        )

    def text(self, seat: int | None = None) -> str:
        """Return the piles and a line for each seat, ``>`` at the one to act.

        In a hand that is shown ``|`` stands between the melds and what is in none.
        """
        setup = self.setup
        lines = [
            f"turn {len(self.turns)}  {RANKS[setup.wild]}s wild  stock {len(self.stock)}"
            f"  discard {self._top() or 'none'}"
        ]
        for other, (hand, shown) in enumerate(zip(self.hands, self.shown, strict=True)):
            marker = ">" if other == self.to_act else " "
            status = "out" if other == self.went_out else ""
            faces = ""
            if shown:
                parts = (*shown.melds, shown.rest) if shown.rest else shown.melds
                faces = " | ".join(" ".join(names(part)) for part in parts)
            elif seat in (None, other):
                faces = " ".join(names(hand))
            lines.append(
                f"{marker} seat {other}  {len(hand):2} cards  {status:3}  {faces}".rstrip()
            )
        return "\n".join(lines)

    def _outs(self, hand: Cards) -> Cards:
        """Return the discards that go out."""
        if self.went_out is not None:
            return ()
        return going_out(hand, self.setup.wild, ace_high=self.setup.ace_high)

    def _top(self) -> str | None:
        """Return the top of the discard pile: the last discard that was not taken."""
        for name, _, taker in reversed(self.discards):
            if taker is None:
                return name
        return None

    def _melds(self) -> list[list[list[str]] | None]:
        """Return the melds shown by each seat, None where the hand is hidden."""
        return [
            None if hand is None else [names(meld) for meld in hand.melds] for hand in self.shown
        ]

    def _is_best(self, hand: Cards, melds: list[list[str]]) -> bool:
        """Return whether the melds are of this hand and leave no more than the least penalty."""
        rest = Counter(names(hand))
        for meld in melds:
            rest.subtract(meld)
        if min(rest.values()) < 0 or any(self._least(numbers(meld)) for meld in melds):
            return False
        left = points(numbers(rest.elements()), ace_high=self.setup.ace_high)
        return left == self._least(hand)

    def _least(self, cards: Cards) -> int:
        return least_penalty(cards, self.setup.wild, ace_high=self.setup.ace_high)

    def _next_seat(self, seat: int) -> int:
        return (seat + 1) % len(self.hands)

    def _draw_stock(self, seat: int) -> ThirteenState:
        if not self.stock:
            raise IllegalAction(f"{DRAW_STOCK!r}: the stock is empty (T19)")
        return ThirteenState(
            self.setup,
            seat,
            _with(self.hands, seat, plus(self.hands[seat], self.stock[0])),
            self.stock[1:],
            self.stock[0],
            self.discards,
            self.known,
            self.stocks,
            self.turns,
            self.went_out,
            self.shown,
        )

    def _draw_discard(self, seat: int) -> ThirteenState:
        name, discarder, _ = self.discards[-1]
        card = NUMBERS[name]
        return ThirteenState(
            self.setup,
            seat,
            _with(self.hands, seat, plus(self.hands[seat], card)),
            self.stock,
            card,
            (*self.discards[:-1], (name, discarder, seat)),
            _with(self.known, seat, plus(self.known[seat], card)),
            self.stocks,
            self.turns,
            self.went_out,
            self.shown,
        )

    def _discard(self, seat: int, card: int, drawn: int, went_out: int | None) -> ThirteenState:
        """End the turn, and the deal if it was the last one; see to the stock (T19)."""
        setup, known, stock, stocks = self.setup, self.known, self.stock, self.stocks
        hands = _with(self.hands, seat, minus(self.hands[seat], card))
        if card in known[seat]:
            known = _with(known, seat, minus(known[seat], card))
        from_pile = self.discards[-1][2] is not None
        turns = (*self.turns, Turn(seat, drawn, from_pile, card))
        discards = (*self.discards, (NAMES[card], seat, None))
        upcoming = self._next_seat(seat)
        over = upcoming == went_out or len(turns) == setup.max_turns
        shown = self.shown
        if over:
            shown = tuple(map(self._arranged, hands))
        elif went_out == seat:
            shown = _with(shown, seat, self._arranged(hands[seat]))
            known = _with(known, seat, hands[seat])
        if not stock and not over:
            pile = [NUMBERS[name] for name, _, taker in discards[:-1] if taker is None]
            if pile:
                stock = setup.reshuffles.stock(len(stocks) + 1, pile)
                stocks, discards = (*stocks, stock), discards[-1:]
        return ThirteenState(
            setup,
            None if over else upcoming,
            hands,
            stock,
            None,
            discards,
            known,
            stocks,
            turns,
            went_out,
            shown,
        )

    def _arranged(self, hand: Cards) -> Arrangement | None:
        return arrange(hand, self.setup.wild, ace_high=self.setup.ace_high)


def start(
    hands: Sequence[Cards],
    *,
    stock: Cards,
    starter: int,
    dealer: int,
    options: Mapping[str, Any],
    reshuffles: Reshuffles,
) -> ThirteenState:
    """Return the first state of a deal: the player to the left of the dealer begins (T04).

    All hands are of one size, which tells the rank of the wilds (T10).
    """
    dealt = tuple(tuple(sorted(hand)) for hand in hands)
    setup = Setup(
        hands=dealt,
        stock=stock,
        starter=starter,
        dealer=dealer,
        wild=len(dealt[0]) - 1,
        ace_high=options["ace"] == ACES[1],
        max_turns=options["max_turns"],
        reshuffles=reshuffles,
    )
    return ThirteenState(
        setup=setup,
        to_act=(dealer + 1) % len(dealt),
        hands=dealt,
        stock=stock,
        drawn=None,
        discards=((NAMES[starter], None, None),),
        known=((),) * len(dealt),
        stocks=(),
        turns=(),
        went_out=None,
        shown=(None,) * len(dealt),
    )


def _with(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the items with another one at a place."""
    return (*items[:at], item, *items[at + 1 :])
