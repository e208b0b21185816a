"""The rules of the games, for use in a program of your own.

A game deals; a state is immutable, and ``apply`` returns the next one::

    >>> from arena import games
    >>> leaves = games.load("leaves")
    >>> options = leaves.resolve({"max_turns": 200}, players=4)
    >>> state = leaves.deal(4, "my seed", 1, options)
    >>> state.legal_actions()[:3]
    ('play 2x1', 'play 2x2', 'play 3x1')
    >>> state = state.apply("play 2x2")
    >>> state.observe(0)["table"]
    [[2, 2]]

What a seat cannot see is drawn anew by ``resample``, which is what search needs::

    >>> import random
    >>> seat = state.to_act
    >>> world = state.resample(seat, random.Random(1))
    >>> world.observe(seat) == state.observe(seat)
    True

A bot has no state, but it can imagine one from what it has been shown since the deal began: the
events and the observation of ``deal_start`` and of every ``act``::

    >>> glances = [([], leaves.deal(4, "my seed", 1, options).observe(seat))]
    >>> glances.append(([[1, "play 2x2"]], state.observe(seat)))
    >>> leaves.imagine(glances, options).legal_actions() == state.legal_actions()
    True

``play`` plays a whole match. A policy is a function of an observation and the legal actions, the
same as the ``choose`` of a bot::

    >>> def first(observation, legal):
    ...     return legal[0]
    >>> def last(observation, legal):
    ...     return legal[-1]
    >>> games.play("leaves", [first, last, first, last], seed=13)
    Result(totals=(4, 33, 0, 33), places=(2, 3, 1, 3), deals=2, decisions=66)

``objection`` says why an action is not legal, and ``cited`` gives the rules that it names::

    >>> games.objection(state, "pass 7")
    "'pass 7': no 7 lies on the table (L11)"

``arena.games.base`` holds the contract of games and states; ``arena rules leaves`` prints rules.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from arena import plugins
from arena.errors import ConfigError
from arena.games._objections import cited, objection
from arena.games._race import race
from arena.games.base import Game, Glance, IllegalAction, Imaginable, Option, Policy, State

__all__ = [
    "Game",
    "Glance",
    "IllegalAction",
    "Imaginable",
    "Option",
    "Policy",
    "Result",
    "State",
    "cited",
    "load",
    "names",
    "objection",
    "play",
    "race",
]


class Result(Struct, frozen=True):
    """A match that was played: totals and places by seat, the number of deals and decisions."""

    totals: tuple[int, ...]
    places: tuple[int, ...]
    deals: int
    decisions: int


def names() -> tuple[str, ...]:
    """Return the keys of all games, sorted."""
    return plugins.names("games")


def load(key: str) -> Game:
    """Return the game of a key, or ``module:OBJECT``; raise ConfigError if there is none."""
    game: Game = plugins.load("games", key)
    return game


def play(
    game: Game | str,
    policies: Sequence[Policy],
    seed: int | str,
    options: Mapping[str, Any] | None = None,
) -> Result:
    """Play a match in this process, one policy a seat, and return its result.

    The deals are those of a league's match whose block has this seed. A policy is given the
    state's observation with ``deal``, from 1, and ``totals``, those before the deal. Raise
    ConfigError for a game or a number of players that there is not, OptionError for options that
    cannot be used, and IllegalAction for an answer that is not legal.
    """
    rules = load(game) if isinstance(game, str) else game
    if len(policies) not in rules.players:
        fits = f"{rules.players[0]} to {rules.players[-1]}"
        raise ConfigError(f"{len(policies)} policies for {rules.key}, which has {fits} players")
    chosen = rules.resolve(options or {}, len(policies))
    totals, deals, decisions = [0] * len(policies), 0, 0
    while True:
        deals += 1
        state = rules.deal(len(policies), str(seed), deals, chosen)
        while (seat := state.to_act) is not None:
            observation = {**state.observe(seat), "deal": deals, "totals": list(totals)}
            answer = policies[seat](observation, state.legal_actions())
            state = state.apply(state.canonical(answer))
            decisions += 1
        totals = [total + more for total, more in zip(totals, state.penalties or (), strict=True)]
        if rules.match_over(totals, deals, chosen):
            places = rules.places(totals, state, chosen)
            return Result(tuple(totals), places, deals, decisions)
