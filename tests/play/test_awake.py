"""The clock that stands still while the arena is stopped."""

from arena.play.awake import ASLEEP, LOOK, Awake


class Times:
    """A source of time that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_goes_on_as_long_as_somebody_looks() -> None:
    times = Times()
    awake = Awake(times)
    before = awake()
    for _ in range(20):
        times.now += ASLEEP
        awake()
    assert awake() - before == 20 * ASLEEP


def test_it_stands_still_while_the_arena_is_stopped() -> None:
    times = Times()
    awake = Awake(times)
    before = awake()
    times.now += 3600.0
    assert awake() - before == LOOK
    times.now += 0.5
    assert awake() - before == LOOK + 0.5


def test_however_often_the_arena_is_stopped_time_goes_on() -> None:
    times = Times()
    awake = Awake(times)
    before = awake()
    for _ in range(8):
        times.now += 60.0
        awake()
    assert awake() - before == 8 * LOOK


def test_what_the_arena_takes_for_itself_is_left_out() -> None:
    times = Times()
    awake = Awake(times)
    before = awake()
    times.now += 0.5
    awake.leave_out(0.5)
    assert awake() == before
    times.now += 5.0
    awake.leave_out(5.0)
    assert awake() == before
