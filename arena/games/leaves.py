"""13 Leaves (13 Foglie, 13 Daun), for 3 to 6 players.

Be the first to play all cards of your hand.

The numbers name the rules in messages and tests. A rule marked "house ruling"
settles what the published rules leave open; what is marked with an option can
be changed in a league file.

The cards
  L01  62 cards with values from 1 to 13 and no suits. Copies of a value are
       identical:
         value   1  2  3  4  5  6  7  8  9 10 11 12 13
         copies  2  3  4  5  6  7  8  7  6  5  4  3  2
  L02  Each player gets 15 cards at a table of 3, 13 at 4, 11 at 5 and 9 at 6.
       Option hand_size. The sizes for 3, 4 and 5 are a house ruling.
  L03  The other cards are out of play and unseen for the whole deal.
  L04  The starting seat is drawn at random in every deal; play goes clockwise.
       House ruling for the deals after the first.

Playing
  A deal has rounds. The cards played in a round lie on the table as a row of
  stacks, one stack for each value, in ascending order. The lowest and the
  highest stack are the ends.
  L05  The opener of a round plays one or more cards of one value.
  L06  Each player after that plays one or more cards of one value that is as
       low as the low end or lower, or as high as the high end or higher. All
       values between the ends are closed, also those that have no stack.
  L07  The number of cards played must be at least the number that lies at that
       end, also when the value equals the end: then the cards are added to its
       stack.
  L08  A single stack is both ends: lower, higher and equal values are open,
       each from its count.
  L09  Ends and counts are read from the table as it lies now. A card taken
       changes them at once: a stack of 3 that lost one demands 2, and when an
       end is emptied the next stack becomes the end and what lies beyond is
       open again.

Passing
  L10  A player may pass even if able to play.
  L11  A player who passes takes exactly one card into the hand, of any value
       that lies on the table.
  L12  A player who has passed is out until the next round and cannot play the
       card taken before that.
  L13  While the table is empty passing is not legal, for there is nothing to
       take: the player must play, and may play anything. This is so for the
       opener of a round, and after the only card on the table was taken. House
       ruling.
  L14  The round ends as soon as all players but one have passed. The last one
       to pass takes a card first; then all cards on the table leave the deal,
       and the player who did not pass opens the next round without another
       turn in the old one.

The end of a deal
  L15  The deal ends at once when a play empties a hand.
  L16  The player who went out has penalty 0, each other player 1 for each card
       in hand.
  L21  A deal is stopped (truncated) after its 1000th turn, for cards can
       circulate for ever: nobody has gone out, and every player is charged the
       cards in hand. Option max_turns. House ruling.

The match
  L17  variant "expert", the default: deals are played, each from a fresh
       shuffle, until one or more totals have reached 20 at the end of a deal.
       The lowest total wins. Option target.
  L18  variant "basic": one deal. The player who went out is first and all
       others share the second place; cards in hand are shown and do not rank.
       If the deal is truncated, all share the first place. There is no target.
  L19  Equal totals share the place. House ruling.

Actions and what is known
  "play 7x3" plays three 7s; "play 7" is accepted for "play 7x1". "pass 5"
  passes and takes a 5. There is no other spelling. Legal actions are listed in
  this order: plays by value, then by count; after them passes by value.
  L20  Public: the table, all plays, all passes with the value taken, the
       number of cards in each hand, who has passed, the totals. Secret: the
       other hands and the cards not dealt.
  L22  The arena plays for a seat at fault: the legal play with the most cards,
       of these the one of the lowest value; if there is none, it passes and
       takes the highest value. House ruling.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import getitem
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from arena.errors import OptionError
from arena.games import _leaves_drawing, _leaves_edges
from arena.games._leaves import (
    CARDS,
    CLOSED,
    COPIES,
    FREE,
    HAND_SIZES,
    MOVES,
    NONE,
    PASSES,
    SPELLINGS,
    Counts,
    Plays,
    Row,
    cards_of,
    changed,
    counts_of,
    dealt,
    laid,
    minus,
    misspelt,
    needed,
    plays_between,
    plus,
    stacked,
    without_one,
)
from arena.games._observations import LeavesObservation
from arena.games.base import Edge, Face, Glance, IllegalAction, Option, State, check_options, rank
from arena.seeds import Chance, Stream, derive
from arena.words import plural

__all__ = ["COPIES", "PLUGIN", "LeavesGame", "LeavesState", "start"]

RULES = (__doc__ or "").strip()


class Setup(Struct, frozen=True):
    """What stays the same during a deal: the hands as dealt, the starting seat, the limit."""

    hands: tuple[Counts, ...]
    first: int
    max_turns: int


class LeavesState(Struct, frozen=True, gc=False):
    """One moment of a deal.

    ``plays`` follows from the table: what may be played, by value and the number of cards held.
    ``known`` holds the cards of each hand that all players have seen it take. ``turn`` counts the
    turns played.
    """

    setup: Setup
    to_act: int | None
    hands: tuple[Counts, ...]
    table: Row
    plays: Plays
    passed: tuple[bool, ...]
    discarded: Counts
    known: tuple[Counts, ...]
    turn: int

    def __repr__(self) -> str:
        """Leave out ``plays``, which is long."""
        shown = (key for key in self.__struct_fields__ if key != "plays")
        return f"LeavesState({', '.join(f'{key}={getattr(self, key)!r}' for key in shown)})"

    @property
    def needed(self) -> Counts:
        """The fewest cards of each value that may be played, more than there are if closed."""
        return needed(self.table)

    @property
    def penalties(self) -> tuple[int, ...] | None:
        """The number of cards in each hand (L16), None while the deal is on."""
        return self._sizes() if self.to_act is None else None

    @property
    def truncated(self) -> bool:
        """Whether the deal was stopped by its turn limit (L21)."""
        return self.to_act is None and all(map(any, self.hands))

    def legal_actions(self) -> tuple[str, ...]:
        """Return plays by value then count, then passes by value; () when the deal is over."""
        if self.to_act is None:
            return ()
        actions: list[str] = []
        for plays in filter(None, map(getitem, self.plays, self.hands[self.to_act])):
            actions += plays
        for value, _ in self.table:
            actions.append(PASSES[value - 1])
        return tuple(actions)

    def canonical(self, action: str) -> str:
        """Return ``play 7x1`` for ``play 7`` and every other text unchanged."""
        return SPELLINGS.get(action, action)

    def apply(self, action: str) -> LeavesState:
        """Return the state after a canonical action; raise IllegalAction with the rule broken."""
        seat, move = self.to_act, MOVES.get(action)
        if seat is None:
            raise IllegalAction(f"{action!r}: the deal is over")
        if move is None:
            raise IllegalAction(f"{action!r} {misspelt(action)}")
        value, count = move
        if not count:
            return self._take(seat, value)
        if action in self.plays[value - 1][self.hands[seat][value - 1]]:
            return self._play(seat, value, count)
        raise IllegalAction(f"{action!r}: {self._objection(seat, value, count)}")

    def house_move(self) -> str:
        """Return the largest legal play, of these the lowest; else take the highest card (L22)."""
        legal = self.legal_actions()
        if not legal:
            raise IllegalAction("the deal is over")
        largest = max(legal, key=lambda action: MOVES[action][1])
        return largest if MOVES[largest][1] else legal[-1]

    def observe(self, seat: int) -> dict[str, Any]:
        """Return the seat's hand and all that is public (L20), as JSON values.

        ``hand`` lists the values held, ascending; ``table`` the stacks as [value, count];
        ``counts`` and ``passed`` are by seat; ``discarded`` are 13 numbers, the copies of 1 to 13
        that have left the deal; ``first`` is the starting seat; ``turn`` counts turns played.
        """
        return {
            "seat": seat,
            "hand": cards_of(self.hands[seat]),
            "table": list(map(list, self.table)),
            "counts": list(self._sizes()),
            "passed": list(self.passed),
            "discarded": list(self.discarded),
            "first": self.setup.first,
            "turn": self.turn,
        }

    def resample(self, seat: int, rng: random.Random) -> LeavesState:
        """Return a state with the other hands and the cards not dealt drawn anew.

        Every hand keeps its size and the cards it is known to have taken, so the new state agrees
        with all that was played; its ``record`` is that of the deal that would have led to it.
        """
        kept = (*self.known[:seat], self.hands[seat], *self.known[seat + 1 :])
        pool = cards_of(minus(COPIES, stacked(self.table), self.discarded, *kept))
        rng.shuffle(pool)
        hands = []
        for known, size in zip(kept, self._sizes(), strict=True):
            drawn = size - sum(known)
            hands.append(plus(known, counts_of(pool[:drawn])))
            del pool[:drawn]
        dealt = tuple(
            plus(hand, minus(before, now))
            for hand, before, now in zip(hands, self.setup.hands, self.hands, strict=True)
        )
        return replace(self, setup=replace(self.setup, hands=dealt), hands=tuple(hands))

    def record(self) -> dict[str, Any]:
        """Return the hands as dealt, each an ascending list of values, and the starting seat."""
        hands = [cards_of(hand) for hand in self.setup.hands]
        return {"hands": hands, "first": self.setup.first}

    def text(self, seat: int | None = None) -> str:
        """Return the row on the table and a line for each seat, ``>`` at the one to act."""
        row = " | ".join(" ".join([str(value)] * count) for value, count in self.table)
        lines = [f"turn {self.turn}  table  {row or 'empty'}"]
        for other, (hand, size) in enumerate(zip(self.hands, self._sizes(), strict=True)):
            marker = ">" if other == self.to_act else " "
            status = "out" if not size else "passed" if self.passed[other] else ""
            faces = " ".join(map(str, cards_of(hand))) if seat in (None, other) else ""
            line = f"{marker} seat {other}  {size:2} cards  {status:6}  {faces}"
            lines.append(line.rstrip())
        return "\n".join(lines)

    def _sizes(self) -> tuple[int, ...]:
        return tuple(map(sum, self.hands))

    def _play(self, seat: int, value: int, count: int) -> LeavesState:
        hands = changed(self.hands, seat, value, -count)
        known, table, turn = self.known, laid(self.table, value, count), self.turn + 1
        seen = known[seat][value - 1]
        if seen:
            known = changed(known, seat, value, -min(seen, count))
        over = turn == self.setup.max_turns or hands[seat] == NONE
        return LeavesState(
            self.setup,
            None if over else _next(seat, self.passed),
            hands,
            table,
            plays_between(table[0], table[-1]),
            self.passed,
            self.discarded,
            known,
            turn,
        )

    def _take(self, seat: int, value: int) -> LeavesState:
        table, turn = without_one(self.table, value), self.turn + 1
        passed, upcoming = _after_pass(seat, self.passed)
        discarded = self.discarded
        if True not in passed:
            discarded, table = plus(discarded, stacked(table)), ()
        return LeavesState(
            self.setup,
            None if turn == self.setup.max_turns else upcoming,
            changed(self.hands, seat, value, 1),
            table,
            plays_between(table[0], table[-1]) if table else FREE,
            passed,
            discarded,
            changed(self.known, seat, value, 1),
            turn,
        )

    def _objection(self, seat: int, value: int, count: int) -> str:
        """Return which rule forbids a play."""
        held, least = self.hands[seat][value - 1], self.needed[value - 1]
        if count > held:
            return f"the hand holds {plural(held, 'card')} of value {value} (L05)"
        if least == CLOSED:
            return f"{value} lies between the ends of the row (L06)"
        return f"{value} needs {least} cards or more (L07)"


class LeavesGame:
    """The rules as a plug-in."""

    key = "leaves"
    title = "13 Leaves"
    players = range(3, 7)
    rules = RULES
    faces: Mapping[str, Face] = MappingProxyType({})
    observation = LeavesObservation
    options: tuple[Option, ...] = (
        Option(
            "variant",
            "expert",
            "expert: deals until a total reaches the target; basic: one deal, going out wins",
            choices=("expert", "basic"),
        ),
        Option("target", 20, "the total that ends a match, expert only", low=1, high=1_000),
        Option("hand_size", None, "cards in a hand, by default 15, 13, 11 or 9", low=1, high=20),
        Option("max_turns", 1_000, "turns after which a deal is stopped", low=1, high=1_000_000),
    )

    quick: Mapping[str, Any] = _leaves_edges.QUICK

    def edges(self, rng: random.Random) -> Iterator[Edge]:
        """Yield deals that chance seldom brings."""
        return _leaves_edges.edges(self.players, rng)

    def draw(self, observation: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return what a seat sees as lines of text."""
        return _leaves_drawing.drawing(observation, names)

    def remark(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        """Return what an action brought about besides what it says."""
        return _leaves_drawing.remark(before, after)

    def resolve(self, given: Mapping[str, Any], players: int) -> dict[str, Any]:
        """Return all options for a table; raise OptionError.

        The target is None in the basic variant. An option given as None has its default, so that
        resolved options may be given again.
        """
        chosen = {key: value for key, value in given.items() if value is not None}
        options = check_options(self.options, chosen)
        if options["variant"] == "basic":
            if "target" in chosen:
                raise OptionError("target", "target is for the variant 'expert', not for 'basic'")
            options["target"] = None
        options["hand_size"] = options["hand_size"] or HAND_SIZES[players]
        if players * options["hand_size"] > CARDS:
            raise OptionError(
                "hand_size",
                f"hand_size = {options['hand_size']} is out of range for {players} players: "
                f"1 to {CARDS // players}",
            )
        return options

    def deal(
        self,
        players: int,
        seed: str,
        number: int,
        options: Mapping[str, Any],
        chance: Callable[[str], Chance] = Stream,
    ) -> LeavesState:
        """Return the first state of deal ``number``: the starting seat is drawn, then the cards
        from ones to thirteens are shuffled and dealt in blocks, seat 0 first."""
        stream = chance(derive(seed, "deal", number))
        first, size = stream.below(players), options["hand_size"]
        cards = stream.shuffled(cards_of(COPIES))
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
        return start(hands, first, options["max_turns"])

    def restore(self, setup: Mapping[str, Any], options: Mapping[str, Any]) -> LeavesState:
        """Return the first state of a deal that was recorded."""
        return start(setup["hands"], setup["first"], options["max_turns"])

    def imagine(self, glances: Sequence[Glance], options: Mapping[str, Any]) -> LeavesState:
        """Return a state that may be the real one for all that a seat has seen of its deal."""
        observation = glances[-1][1]
        events = [event for more, _ in glances for event in more]
        hands = map(cards_of, dealt(observation, events))
        state = start(list(hands), observation["first"], options["max_turns"])
        for _, action in events:
            state = state.apply(action)
        return state

    def match_over(self, totals: Sequence[int], deals: int, options: Mapping[str, Any]) -> bool:
        """Return whether the one deal was played (L18), or a total is at the target (L17)."""
        if options["variant"] == "basic":
            return deals > 0
        return max(totals) >= int(options["target"])

    def places(
        self, totals: Sequence[int], last: State, options: Mapping[str, Any]
    ) -> tuple[int, ...]:
        """Return places by totals (L17, L19), or by who went out in the last deal (L18)."""
        if options["variant"] == "expert":
            return rank(totals)
        return rank([penalty > 0 for penalty in last.penalties or ()])


def start(hands: Sequence[Iterable[int]], first: int, max_turns: int) -> LeavesState:
    """Return the first state of a deal in which seat ``first`` begins.

    ``hands`` holds the values dealt to each seat, as in a deal's ``record``.
    """
    dealt = tuple(counts_of(hand) for hand in hands)
    return LeavesState(
        setup=Setup(dealt, first, max_turns),
        to_act=first,
        hands=dealt,
        table=(),
        plays=FREE,
        passed=(False,) * len(dealt),
        discarded=NONE,
        known=(NONE,) * len(dealt),
        turn=0,
    )


def _next(seat: int, passed: Sequence[bool]) -> int:
    """Return the next seat clockwise that has not passed."""
    seat = (seat + 1) % len(passed)
    while passed[seat]:
        seat = (seat + 1) % len(passed)
    return seat


@cache
def _after_pass(seat: int, passed: tuple[bool, ...]) -> tuple[tuple[bool, ...], int]:
    """Return who has passed after this seat has, nobody if that ends the round (L14), and the
    next seat."""
    passed = (*passed[:seat], True, *passed[seat + 1 :])
    if passed.count(False) == 1:
        return (False,) * len(passed), passed.index(False)
    return passed, _next(seat, passed)


PLUGIN = LeavesGame()
