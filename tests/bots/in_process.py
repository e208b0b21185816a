"""Play matches with the shipped bots in this process, under the real referee."""

import os
import random
import runpy
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import msgspec

from arena import games
from arena.bot import Bot, Choose
from arena.model import Fixture, MatchResult, Terms
from arena.play.referee import Answer, Ask, Reply, Request, Tell, play_match

BOTS = Path(__file__).parents[2] / "bots"
SHIPPED = tuple(sorted(path.parent.name for path in BOTS.glob("*/bot.toml")))
NAMES = tuple(name for name in SHIPPED if not name.startswith("starter-"))
"""Bots that import ``arena.bot``."""


def players_of(game: str) -> tuple[str, ...]:
    """Return the names of the shipped bots that play a game."""
    plays = {
        name: tomllib.loads((BOTS / name / "bot.toml").read_text(encoding="utf-8"))["games"]
        for name in NAMES
    }
    return tuple(name for name in NAMES if {"*", game} & set(plays[name]))


class Plain(Bot):
    """A bot without a memory."""

    def __init__(self, function: Choose) -> None:
        self.choose = function


def load(name: str) -> Bot:
    """Return the bot that the program of a shipped bot hands to ``run``."""
    with mock.patch("arena.bot.run") as run, modules_of(name):
        runpy.run_path(str(BOTS / name / "main.py"), run_name="__main__")
    (player,) = run.call_args.args
    return player() if isinstance(player, type) else Plain(player)


@contextmanager
def modules_of(name: str) -> Iterator[None]:
    """Let the modules beside a bot's program be imported, and forget them afterwards: those of
    another bot may have the same names."""
    folder = str(BOTS / name)
    with mock.patch.object(sys, "path", [folder, *sys.path]):
        yield
    for key, module in list(sys.modules.items()):
        if os.path.dirname(getattr(module, "__file__", None) or "") == folder:
            del sys.modules[key]


def play(bots: Sequence[Bot], seed: str, game: str = "leaves") -> MatchResult:
    """Play a match; ``bots`` by seat, ``seed`` for the deals and for the bots' chance."""
    names = tuple(f"bot {seat}" for seat in range(len(bots)))
    fixture = Fixture("match", names, "composition", 1, 0, seed)
    rules = games.load(game)
    match = play_match(fixture, Terms(game), rules, {})
    random.seed(seed)
    for seat, bot in enumerate(bots):
        options = rules.resolve({}, len(bots))
        bot.match_start({"game": game, "options": options, "seat": seat, "seed": seed})
    reply: Reply = None
    while True:
        try:
            request = match.send(reply)
        except StopIteration as end:
            return end.value
        reply = _serve(bots, request)


def shares(result: MatchResult) -> list[float]:
    """Return the share of each seat: over the others, 1 for each one ahead of and ½ for a tie."""
    places = result.outcome.places
    return [
        (sum((place < other) + (place == other) / 2 for other in places) - 0.5) / (len(places) - 1)
        for place in places
    ]


def _serve(bots: Sequence[Bot], request: Request) -> Reply:
    if isinstance(request, Tell):
        for seat, message in request.messages:
            _tell(bots[seat], msgspec.to_builtins(message))
        return None
    assert isinstance(request, Ask), request
    bot = bots[request.seat]
    bot.events(msgspec.to_builtins(request.events))
    return Answer(bot.choose(request.observation, list(request.legal)), 0.0)


def _tell(bot: Bot, message: dict[str, object]) -> None:
    if "events" in message:
        bot.events(message["events"])
    getattr(bot, str(message["type"]))(message)
