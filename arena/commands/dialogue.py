"""A person at the terminal, in a seat of a match: is shown the table and types the moves."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import click

from arena.commands.console import Console
from arena.errors import Interrupted
from arena.games import cited, objection
from arena.games.base import Drawn, Game, Glance, Imaginable, State
from arena.model import Fault, Seat
from arena.play.adviser import Adviser
from arena.play.protocol import Act, DealStart, FromArena, MatchStart
from arena.play.referee import Answer, Watcher
from arena.views.grid import cut, first_line, printable
from arena.views.moves import menu, understood
from arena.views.paint import Paint
from arena.views.seat import WIDTH, happened, labels, refusal, table
from arena.views.transcript import Transcript

HELP = """
  a number   play the move of that number; its words do as well
  ?          say which rule forbids the move that you typed last
  ? MOVE     say which rule forbids MOVE
  h          ask {adviser} for a hint
  t          show the table again
  r          print the rules
  q          quit: the match ends here and is not recorded
"""
_LONGEST_HINT = 200
"""Letters of what a bot answers when it is no move."""
_WHY = re.compile(r"(?:\?|why not|why)\s*(.*)", re.IGNORECASE)


class Quit(Interrupted):
    """The person wants no more."""


class Dialogue(Watcher):
    """The player of a ``Person``, who watches the match as well.

    What the seat may know comes in messages. Of the match itself only actions are shown, which
    are public, and the seat's own view of the end of a deal.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seat: Seat,
        console: Console,
        adviser: Adviser,
        paint: Paint,
    ) -> None:
        self._game = game
        self._seats = labels(names)
        self._seat = seat
        self._console = console
        self._adviser = adviser
        self._paint = paint
        self._transcript = Transcript(names, seat, paint)
        self._options: dict[str, Any] = {}
        self._glances: list[Glance] = []
        self._end: dict[str, Any] = {}
        self.totals: tuple[int, ...] = (0,) * len(names)
        self.deal = 0

    def told(self, message: FromArena) -> None:
        """Take in a message of the arena."""
        self._adviser.told(message)
        if isinstance(message, MatchStart):
            self._options = message.options
        if isinstance(message, DealStart):
            self.deal = message.deal
            self._glances = [((), message.observation)]
            _print(["", f"Deal {message.deal}"])

    def asked(self, act: Act) -> str:
        """Show the table and return the move that is typed; raise Quit or Interrupted."""
        self._adviser.told(act)
        self._glances.append((act.events, act.observation))
        self._show(act)
        refused = ""
        while True:
            text = self._line(len(act.legal))
            why = _WHY.fullmatch(text)
            if why:
                self._explain(why[1] or refused, act)
            elif not self._obeys(text, act):
                move = understood(text, act.legal, self._game.faces)
                against = self._objection(move, act)
                if not against:
                    return move
                refused = move
                more = "; ? tells more" if cited(self._game, against) else ""
                _print(map(self._paint, textwrap.wrap(against + more, WIDTH)))

    def decision(
        self, state: State, seat: Seat, action: str, ms: float | None, fault: Fault | None
    ) -> None:
        """Show what a seat has done, and what that brought about."""
        before, self._end = (s.observe(self._seat) for s in (state, state.apply(action)))
        _print(happened(self._seats[seat], self._paint(printable(action)), ms, fault))
        if isinstance(self._game, Drawn) and (remark := self._game.remark(before, self._end)):
            _print([f"    {remark}"])

    def deal_end(self, penalties: tuple[int, ...], totals: tuple[int, ...]) -> None:
        """Show the table as the seat sees it at the end, and the penalties."""
        self.totals = totals
        self._draw(self._end)
        _print(self._transcript.deal_end(penalties, totals))

    def _show(self, act: Act) -> None:
        self._draw(act.observation)
        _print(["", *menu(act.legal, self._paint, WIDTH)])

    def _draw(self, observation: dict[str, Any]) -> None:
        _print(["", *map(self._paint, table(self._game, observation, self._seats))])

    def _line(self, moves: int) -> str:
        """Return the next line that is typed; meanwhile the adviser hears what it has not heard."""
        click.echo(f"\nyour move, 1 to {moves} (? for help): ", nl=False)
        while self._adviser.behind and not self._console.is_waiting():
            self._adviser.keep_up()
        line = self._console.line()
        if not self._console.is_terminal:
            click.echo(printable(line or ""))
        if line is None:
            raise Quit("there is no more input")
        return line

    def _obeys(self, text: str, act: Act) -> bool:
        """Do what a text commands, if it is a command."""
        match text.lower():
            case "":
                pass
            case "q" | "quit":
                raise Quit("you quit")
            case "help":
                self._help()
            case "h" | "hint":
                self._hint(act)
            case "t" | "table":
                self._show(act)
            case "r" | "rules":
                _print(self._game.rules.splitlines())
            case _:
                return False
        return True

    def _help(self) -> None:
        _print(HELP.format(adviser=self._adviser.name).splitlines())

    def _explain(self, text: str, act: Act) -> None:
        """Say why a move is not legal; without one, what can be typed."""
        if not text:
            self._help()
            return
        move = understood(text, act.legal, self._game.faces)
        if against := self._objection(move, act):
            _print(map(self._paint, refusal(self._game, against)))
        else:
            _print([f"{self._paint(printable(move))} is legal"])

    def _objection(self, move: str, act: Act) -> str:
        """Return what the game says against a move, empty if it is legal."""
        if move in act.legal:
            return ""
        if re.fullmatch("[0-9]+", move):
            return f"there is no move {move[:20]}: they are 1 to {len(act.legal)}"
        if not isinstance(self._game, Imaginable):
            return f"{printable(move)!r} is not one of the legal moves"
        state = self._game.imagine(self._glances, self._options)
        return printable(objection(state, move[:60]))

    def _hint(self, act: Act) -> None:
        click.echo(f"{self._adviser.name}: ", nl=False)
        advice = self._adviser.advice()
        if not isinstance(advice, Answer):
            detail = cut(printable(first_line(advice.detail)), _LONGEST_HINT)
            click.echo(f"no hint, {advice.kind.value}: {detail}")
        elif advice.action in act.legal:
            number = act.legal.index(advice.action) + 1
            click.echo(f"{number} {self._paint(printable(advice.action))}")
        else:
            action = cut(printable(advice.action), _LONGEST_HINT)
            click.echo(f"{action!r}, which is not legal")


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
