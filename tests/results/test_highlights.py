"""Which matches are worth a look."""

from collections.abc import Iterable

from msgspec.structs import replace
from results.leagues import outcome

from arena.model import Fault, FaultKind, Outcome
from arena.results.highlights import CLOSE, MOST, SAME, Highlights


def match(number: int, totals: tuple[int, ...], *kinds: FaultKind) -> Outcome:
    """Return a match in which seat 0 has these faults, and forfeits if there are any."""
    faults = tuple(Fault(0, 1, None, kind, None, "") for kind in kinds)
    return replace(
        outcome(("a", "b", "c"), number, 1, (1, 2, 3)),
        match=f"{number:04}",
        totals=totals,
        faults=faults,
        forfeited=(0,) if kinds else (),
    )


def chosen(matches: Iterable[Outcome]) -> list[tuple[str, str]]:
    highlights = Highlights()
    for one in matches:
        highlights.add(one)
    return [(each.outcome.match, each.why) for each in highlights.chosen]


def test_first_and_last_are_chosen_and_then_the_closest_the_earlier_of_those_alike() -> None:
    far = [match(n, (0, 50, 90)) for n in range(1, 30)]
    far[10:17] = [match(11 + n, (8, 8, 20)) for n in range(7)]
    far[20] = match(21, (8, 8, 9))
    far[25] = match(26, (0, 0, 0))
    assert chosen(far) == [
        ("0001", "first"),
        ("0029", "last"),
        ("0026", "close"),
        ("0021", "close"),
        *((f"{11 + n:04}", "close") for n in range(CLOSE - 2)),
    ]


def test_a_match_that_was_forfeited_is_not_close_but_one_of_each_kind_is_chosen() -> None:
    kinds = [FaultKind.ILLEGAL, FaultKind.EXITED, FaultKind.ILLEGAL]
    matches = [match(n, (5, 5, 5), kind) for n, kind in enumerate(kinds, 2)]
    first, last = match(1, (0, 9, 9)), match(9, (0, 8, 9))
    assert chosen([first, *matches, last]) == [
        ("0001", "first"),
        ("0009", "last"),
        ("0002", "fault"),
        ("0003", "fault"),
    ]


def test_some_faults_of_a_kind_are_kept_and_not_too_many_in_all() -> None:
    highlights = Highlights()
    for number in range(300):
        highlights.add(match(number, (1, 2, 3), FaultKind.ILLEGAL))
    assert len(highlights.faults) == SAME
    for number in range(300):
        names = (f"bot {number}", "b", "c")
        highlights.add(replace(match(number, (1, 2, 3), FaultKind.CPU), seats=names))
    assert len(highlights.faults) == MOST


def test_nothing_is_chosen_of_nothing() -> None:
    assert chosen([]) == []
