"""Thirteen (Tiga Belas), a rummy game for 2 to 8 players.

Eleven deals with more and more cards: form melds, go out, and keep few points.

The numbers name the rules in messages and tests. A rule marked "house ruling"
settles what the published rules leave open; what is marked with an option can
be changed in a league file.

The cards
  T01  Decks of 52 cards without jokers: one for 2 players, two for 3 or 4, one
       for every two players, rounded up, for more. House ruling for more than
       4 players, and 8 are the most.
  T02  The ace is low, the king is high.
  T03  A match has 11 deals. In deal 1 each player gets 3 cards, in each later
       one a card more, in deal 11 thirteen.
  T04  The first dealer is drawn at random; then the deal passes to the left.
       The player to the left of the dealer begins; play goes clockwise.
  T05  The other cards are the stock, face down. Its top card begins the
       discard pile, face up.

A turn
  T06  The player draws the top card of the stock or of the discard pile, and
       then discards a card.
  T19  If the stock is empty when a turn begins, the top card of the discard
       pile stays and the others are shuffled into a new stock. If there are no
       others the player must take the top discard. House ruling.
  T20  A card just taken from the discard pile may be discarded in the same
       turn. House ruling.

Melds
  T07  A set: three or more cards of one rank. Suits may repeat, and there is no
       upper limit.
  T08  A run: three or more cards of one suit with ranks that follow each other.
       Queen, king, ace and king, ace, 2 are no runs.
  T09  A card belongs to one meld at most, and nobody adds to the melds of
       others.
  T10  The rank that equals the number of cards dealt is wild: 3s in deal 1,
       jacks in deal 9, kings in deal 11. A wild stands for any card.
  T11  A meld may have any number of wilds; three or more wilds alone are a
       meld.
  T12  A wild may also be used as the card that it is. House ruling.
  T13  In a run each wild stands for one rank from ace to king, and no rank is
       there twice: the longest run has 13 cards.
  T22  Option ace. With "high-or-low" ace, 2, 3 and queen, king, ace are runs,
       king, ace, 2 is none; a run has an ace at one end only and 13 cards at
       most, a wild may stand for the high ace, and an ace left over costs 15.
       The default is "low".

The end of a deal
  T14  Going out: after drawing, all cards in the hand but one are in melds, and
       that one is discarded. It may be any card, a wild too. It is possible in
       the first turn, and never forced; that is a house ruling.
  T15  When a player has gone out every other player has one more turn,
       clockwise; the player who went out has none. The next player may take
       the discard; that is a house ruling.
  T16  In these last turns nobody goes out any more: a player whose cards are
       all in melds has penalty 0. House ruling.
  T17  Nothing is laid down before a player goes out, who then shows the melds;
       the others show theirs at the end. The arena arranges every hand for the
       least penalty; that is a house ruling.
  T18  The penalty is the points of the cards in no meld: 1 for an ace, 10 for a
       jack, queen or king, the number for the others. A wild costs what its own
       rank does; that is a house ruling.
  T24  A deal is stopped (truncated) after its 200th turn, all players together,
       and every hand is scored. Option max_turns. House ruling.

The match
  T21  The lowest total after deal 11 wins. Equal totals share the place; that
       is a house ruling.

Actions and what is known
  A card is written as rank and suit: A 2 3 4 5 6 7 8 9 T J Q K and C D H S, so
  that TH is the ten of hearts. "draw stock" and "draw discard" draw; after that
  "out 7H" goes out with the discard 7H, and "discard 7H" only discards. There
  is no other spelling. Legal actions are listed in this order: draw stock, draw
  discard; out before discard, each by rank, then by suit.
  T23  Public: the discard pile with its order, who took which discard, the
       number of cards in each hand and in the stock, who went out, the melds
       shown, the totals. Secret: the hands, but for cards seen taken from the
       discard pile, and the order of the stock.
  T25  The arena plays for a seat at fault: it draws from the stock, or takes
       the discard if that is all there is; it discards the card drawn and never
       goes out. House ruling.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from arena.games import _melds, _thirteen_drawing, _thirteen_edges
from arena.games._cards import NAMES, NUMBERS, RANKS, SUITS, names, numbers
from arena.games._guess import guess
from arena.games._observations import ThirteenObservation
from arena.games._thirteen import ACES, Reshuffles, ThirteenState, start
from arena.games.base import Edge, Face, Glance, Option, State, check_options, rank
from arena.seeds import Chance, Stream, derive

__all__ = [
    "PLUGIN",
    "RANKS",
    "SUITS",
    "ThirteenGame",
    "ThirteenState",
    "best_rest",
    "can_go_out",
    "least_penalty",
    "points",
]

RULES = (__doc__ or "").strip()
DEALS = 11
FEWEST = 3
"""The number of cards in a hand of the first deal."""

SYMBOLS: tuple[tuple[str, str, Literal["", "red"]], ...] = (
    ("C", "♣", ""),
    ("D", "♦", "red"),
    ("H", "♥", "red"),
    ("S", "♠", ""),
)


class ThirteenGame:
    """The rules as a plug-in."""

    key = "thirteen"
    title = "Thirteen"
    players = range(2, 9)
    rules = RULES
    faces: Mapping[str, Face] = MappingProxyType(
        {
            rank + suit: Face(rank.replace("T", "10") + symbol, colour)
            for rank in RANKS
            for suit, symbol, colour in SYMBOLS
        }
    )
    observation = ThirteenObservation
    options: tuple[Option, ...] = (
        Option("ace", "low", "low: ace, 2, 3; high-or-low: queen, king, ace too", choices=ACES),
        Option("max_turns", 200, "turns after which a deal is stopped", low=1, high=1_000_000),
    )

    quick: Mapping[str, Any] = _thirteen_edges.QUICK

    def edges(self, rng: random.Random) -> Iterator[Edge]:
        """Yield deals that chance seldom brings."""
        return _thirteen_edges.edges(rng)

    def draw(self, observation: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return what a seat sees as lines of text."""
        return _thirteen_drawing.drawing(observation, names)

    def remark(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """Return what an action brought about besides what it says."""
        return _thirteen_drawing.remark(before, after)

    def resolve(self, given: Mapping[str, Any], players: int) -> dict[str, Any]:  # noqa: ARG002
        """Return all options, which are the same for every table; raise OptionError."""
        return check_options(self.options, given)

    def deal(
        self,
        players: int,
        seed: str,
        number: int,
        options: Mapping[str, Any],
        chance: Callable[[str], Chance] = Stream,
    ) -> ThirteenState:
        """Return the first state of deal ``number``; after deal 11 the sizes begin again.

        The first dealer is drawn from the match's seed. The cards, by rank, then by suit, are
        shuffled and dealt in blocks, seat 0 first; the next one is the starter, the others are the
        stock, top first. Reshuffle k is of the pile, oldest first, from a seed of its own.
        """
        own = derive(seed, "deal", number)
        first = chance(derive(seed, "dealer")).below(players)
        size = (number - 1) % DEALS + FEWEST
        deck = [card for card in range(len(NAMES)) for _ in range((players + 1) // 2)]
        cards = tuple(chance(own).shuffled(deck))
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
        return start(
            hands,
            stock=cards[players * size + 1 :],
            starter=cards[players * size],
            dealer=(first + number - 1) % players,
            options=options,
            reshuffles=Reshuffles(own, chance),
        )

    def restore(self, setup: Mapping[str, Any], options: Mapping[str, Any]) -> ThirteenState:
        """Return the first state of a deal that was recorded, with its reshuffles.

        Reshuffles after the recorded ones are drawn from a seed made of the first stock.
        """
        recorded = tuple(map(numbers, setup["reshuffles"]))
        return start(
            [numbers(hand) for hand in setup["hands"]],
            stock=numbers(setup["stock"]),
            starter=NUMBERS[setup["discard"]],
            dealer=setup["dealer"],
            options=options,
            reshuffles=Reshuffles(derive("restored", *setup["stock"]), Stream, recorded),
        )

    def imagine(self, glances: Sequence[Glance], options: Mapping[str, Any]) -> ThirteenState:
        """Return a state that may be the real one for all that a seat has seen of its deal."""
        state = self.restore(guess(glances), options)
        for events, _ in glances:
            for _, action in events:
                state = state.apply(action)
        return state

    def match_over(self, totals: Sequence[int], deals: int, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Return whether all deals were played (T03)."""
        return deals >= DEALS

    def places(
        self,
        totals: Sequence[int],
        last: State,  # noqa: ARG002
        options: Mapping[str, Any],  # noqa: ARG002
    ) -> tuple[int, ...]:
        """Return places by totals (T21)."""
        return rank(totals)


def least_penalty(hand: Iterable[str], wild: str, ace: str) -> int:
    """Return the least penalty of a hand of up to 14 cards (T17), for bots that look ahead.

    ``wild`` and ``ace`` are those of an observation.
    """
    cards = sorted(numbers(hand))
    return _melds.least_penalty(cards, RANKS.index(wild), ace_high=ace == ACES[1])


def best_rest(hand: Iterable[str], wild: str, ace: str) -> list[str]:
    """Return the cards in no meld when a hand is arranged for the least penalty."""
    cards = sorted(numbers(hand))
    return names(_melds.arrange(cards, RANKS.index(wild), ace_high=ace == ACES[1]).rest)


def can_go_out(hand: Iterable[str], wild: str, ace: str) -> bool:
    """Return whether all cards of a hand but one, which is discarded, can be in melds (T14)."""
    cards = sorted(numbers(hand))
    return bool(_melds.going_out(cards, RANKS.index(wild), ace_high=ace == ACES[1]))


def points(card: str, ace: str) -> int:
    """Return what a card costs that is in no meld (T18)."""
    return _melds.points(numbers([card]), ace_high=ace == ACES[1])


PLUGIN = ThirteenGame()
