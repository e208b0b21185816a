"""Processor time of decisions and of the rest, exactly and with few readings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.play.spending import FRESH_SECONDS, LONG_SECONDS, Spending


class Bot:
    """A bot whose times are made up; ``readings`` counts how often its processor time is read."""

    def __init__(self, *, exact: bool, cores: int = 1) -> None:
        self.now = 50.0
        self.used = 3.0
        self.readings = 0
        self.spending = Spending(self._read, self.now, exact=exact, cores=cores)
        self.readings = 0

    def _read(self) -> float:
        self.readings += 1
        return self.used

    def wait(self, seconds: float, used: float = 0.0) -> None:
        self.now += seconds
        self.used += used

    def decide(self, seconds: float, used: float) -> float | None:
        if self.now > self.spending.due:
            self.spending.begin(self.now)
        self.wait(seconds, used)
        if seconds > self.spending.long:
            return self.spending.end(self.now, seconds)
        self.spending.unread += seconds
        return None

    @property
    def split(self) -> tuple[float, float]:
        self.spending.close()
        return self.spending.on_turn, self.spending.off_turn


SHORT = LONG_SECONDS / 2


def test_quick_bots_are_hardly_read() -> None:
    bot = Bot(exact=False)
    for _ in range(100):
        assert bot.decide(SHORT, SHORT / 2) is None
    assert bot.readings <= 100 * SHORT / FRESH_SECONDS + 1
    assert bot.split == (pytest.approx(100 * SHORT / 2), pytest.approx(0))


def test_an_exact_count_is_read_at_both_ends() -> None:
    bot = Bot(exact=True)
    for _ in range(100):
        assert bot.decide(SHORT, SHORT / 2) == pytest.approx(SHORT / 2)
    assert bot.readings == 200


def test_a_long_decision_after_a_long_wait_is_known_as_well_as_exactly() -> None:
    for exact in (True, False):
        bot = Bot(exact=exact, cores=1)
        bot.wait(1.0, 0.5)
        assert bot.decide(2.0, 3.0) == pytest.approx(3.0)
        assert bot.split == (pytest.approx(3.0), pytest.approx(0.5))


def test_what_quick_decisions_cannot_have_used_was_used_off_turn() -> None:
    bot = Bot(exact=False)
    for _ in range(50):
        bot.wait(4 * SHORT, 4 * SHORT)
        bot.decide(SHORT, 0.0)
    on_turn, off_turn = bot.split
    assert on_turn + off_turn == pytest.approx(200 * SHORT)
    assert on_turn <= 50 * SHORT + 1e-9
    assert off_turn >= 150 * SHORT - 1e-9


def test_what_could_be_of_a_decision_on_many_cores_is_counted_for_it() -> None:
    for cores, off_turn in ((1, 0.004), (4, 0.0)):
        bot = Bot(exact=False, cores=cores)
        bot.wait(0.005, 0.004)
        bot.decide(0.002, 0.002)
        assert bot.split[1] == pytest.approx(off_turn)


@given(
    exact=st.booleans(),
    parts=st.lists(
        st.tuples(st.floats(0, 0.1), st.floats(0, 1), st.floats(0, 0.1), st.floats(0, 1)),
        max_size=30,
    ),
)
def test_nothing_is_lost_and_no_bot_is_blamed_for_more_than_it_did(
    exact: bool, parts: list[tuple[float, float, float, float]]
) -> None:
    bot = Bot(exact=exact)
    pondered = worked = 0.0
    for waited, share_waiting, taken, share_taking in parts:
        bot.wait(waited, waited * share_waiting)
        bot.decide(taken, taken * share_taking)
        pondered += waited * share_waiting
        worked += taken * share_taking
    on_turn, off_turn = bot.split
    assert on_turn + off_turn == pytest.approx(pondered + worked)
    assert off_turn <= pondered + 1e-9
    if exact:
        assert off_turn == pytest.approx(pondered)


def test_nothing_is_due_where_nothing_is_known() -> None:
    for exact in (True, False):
        spending = Spending(None, 50.0, exact=exact, cores=1)
        assert not spending.known
        assert spending.due > 1e9
        assert spending.long > 1e9
