"""A bot that is told and asked what a seat is, and says what it would do there.

What it has not heard yet waits until it is asked for advice or somebody has time for it, and is
then said in the order in which it was said to the seat, so that the bot can remember it as usual.
"""

from collections import deque
from collections.abc import Callable

from msgspec.structs import replace

from arena.model import Limits
from arena.play.bot import Bot
from arena.play.clock import Clock
from arena.play.protocol import Act, Bye, FromArena, MatchStart, Welcome
from arena.play.referee import Answer, Ask, Failure
from arena.play.table import limits_ms


class Adviser:
    """The adviser of one seat in one match.

    ``start`` starts the bot, when it is needed for the first time, or says why there is none;
    ``limits`` are those that the bot has.
    """

    def __init__(self, name: str, start: Callable[[], Bot | Failure], limits: Limits) -> None:
        self.name = name
        self._start = start
        self._limits = limits
        self._bot: Bot | Failure | None = None
        self._clock: Clock | None = None
        self._unheard: deque[FromArena] = deque()
        self._advice: Answer | Failure | None = None

    def told(self, message: FromArena) -> None:
        """Keep what the seat was told or asked."""
        if isinstance(message, MatchStart):
            message = replace(message, limits=limits_ms(self._limits))
        if not isinstance(message, Welcome | Bye):
            self._unheard.append(message)

    @property
    def behind(self) -> bool:
        """Whether the bot runs and has not heard all yet."""
        return isinstance(self._bot, Bot) and bool(self._unheard)

    def keep_up(self) -> None:
        """Say the next thing to the bot that it has not heard, and wait for its answer if any."""
        bot = self._running()
        if isinstance(bot, Failure):
            return
        message = self._unheard.popleft()
        if not isinstance(message, Act):
            bot.send(message)
            if isinstance(message, MatchStart):
                self._clock = Clock(self._limits, bot.now)
            return
        assert self._clock
        ask = Ask(0, message.observation, message.legal, message.events)
        self._advice = bot.ask(ask, self._clock)
        if isinstance(self._advice, Failure):
            self._bot = self._advice

    def advice(self) -> Answer | Failure:
        """Return what the bot does at the newest question, or what came instead of that."""
        self._running()
        while self.behind:
            self.keep_up()
        if isinstance(self._bot, Failure):
            return self._bot
        assert self._advice
        return self._advice

    def _running(self) -> Bot | Failure:
        if self._bot is None:
            self._bot = self._start()
        return self._bot
