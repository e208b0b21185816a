"""The running count of the live display."""

from arena.model import Fault, FaultKind, Outcome
from arena.results.tally import Tally, TallyRow


def finished(seats: str, places: tuple[int, ...], *kinds: FaultKind) -> Outcome:
    faults = tuple(Fault(0, 1, 0, kind, None, "") for kind in kinds)
    times: tuple[dict[int, int], ...] = tuple({} for _ in seats)
    return Outcome("m", "c", 1, 1, tuple(seats), places, places, 1, (), faults, "complete", times)


def test_top_bots_come_by_mean_share_then_name() -> None:
    tally = Tally()
    tally.add(finished("cab", (1, 1, 3)))
    tally.add(finished("ab", (1, 2)))
    assert tally.top(9) == (TallyRow("a", 2, 0.875), TallyRow("c", 1, 0.75), TallyRow("b", 2, 0.0))
    assert [row.bot for row in tally.top(1)] == ["a"]


def test_matches_and_faults_are_counted() -> None:
    tally = Tally()
    tally.add(finished("ab", (2, 1), FaultKind.EXITED, FaultKind.ILLEGAL))
    tally.add(finished("ab", (2, 1), FaultKind.ILLEGAL))
    assert tally.matches == 2
    assert tally.faults == {FaultKind.ILLEGAL: 2, FaultKind.EXITED: 1}
