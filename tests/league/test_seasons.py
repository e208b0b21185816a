"""Seasons: versions of a bot, the stages of a run, and whose results count."""

from collections.abc import Iterable

import playing
from msgspec.structs import replace

from arena.league.seasons import begun, by_version, changes, continued, current, labels
from arena.model import League, Outcome, Stage


def changed(some: League, name: str, fingerprint: str) -> League:
    """Return the league file's league when the files of a bot have changed."""
    return replace(
        some,
        stages=(),
        entrants=tuple(
            replace(
                bot, original="", fingerprint=fingerprint if bot.name == name else bot.fingerprint
            )
            for bot in some.entrants
        ),
    )


def bots(outcomes: Iterable[Outcome]) -> set[str]:
    return {name for outcome in outcomes for name in outcome.seats}


SOME = playing.league("round-robin", 4, (3,), blocks=1)
RUN = playing.played(SOME)
NEW = continued(SOME, changed(SOME, "a", "1234567890abcdef"), RUN)
ALL = playing.played(NEW, RUN)


def test_a_changed_bot_plays_its_matches_anew_and_nobody_else_does() -> None:
    new = ALL[len(RUN) :]
    assert len(new) == 9
    assert all("a" in match.seats for match in new)
    assert not {match.match for match in new} & {match.match for match in RUN}
    seats = {(match.seats, match.block_id) for match in RUN}
    assert not seats & {(match.seats, match.block_id) for match in new}


def test_only_matches_of_bots_as_they_are_count() -> None:
    table = list(current(NEW, ALL))
    assert len(table) == 12
    assert {match.identities[match.seats.index("a")] for match in table if "a" in match.seats} == {
        "a/1234567890abcdef"
    }
    assert list(current(SOME, RUN)) == RUN


def test_versions_are_told_apart_by_their_fingerprints() -> None:
    assert labels(NEW) == {"a": "a@a1"}
    assert bots(by_version(NEW, ALL)) == {"a", "b", "c", "d", "a@a1"}
    assert [match.match for match in by_version(NEW, ALL)] == [match.match for match in ALL]
    third = continued(NEW, changed(SOME, "a", "1234500000000000"), ALL)
    assert labels(third) == {"a": "a@a1", "a/1234567890abcdef": "a@123456"}
    assert third.active[0] == "a/1234500000000000"


def test_a_version_that_comes_back_has_its_results_again() -> None:
    back = continued(NEW, changed(SOME, "a", "a1"), ALL)
    assert list(current(back, ALL)) == RUN
    assert playing.missing(back, ALL) == []
    assert labels(back) == {"a/1234567890abcdef": "a@1234"}


def test_a_bot_that_has_not_played_may_change_as_it_likes() -> None:
    without = [match for match in RUN if "a" not in match.seats]
    again = continued(SOME, changed(SOME, "a", "other"), without)
    assert again.active == ("a", "b", "c", "d")
    assert changes(SOME, again) == []


def test_a_retired_bot_keeps_its_version_without_its_files() -> None:
    gone = replace(
        changed(NEW, "a", ""), entrants=playing.retired(changed(NEW, "a", ""), "a").entrants
    )
    retired = continued(NEW, gone, ALL)
    assert retired.active == ("b", "c", "d")
    assert list(current(retired, ALL)) == list(current(NEW, ALL))
    back = continued(retired, changed(SOME, "a", "1234567890abcdef"), ALL)
    assert back.active == NEW.active


def test_people_are_told_of_a_change_once() -> None:
    (text,) = changes(SOME, NEW)
    assert text.startswith("a has changed since it played: it plays its matches anew")
    assert "now of a@a1 (arena standings RUN --versions)" in text
    assert changes(NEW, continued(NEW, changed(SOME, "a", "1234567890abcdef"), ALL)) == []


def test_stages_begin_where_what_is_to_be_played_changes() -> None:
    options = SOME.format_options
    first = Stage(0, ("a", "b", "c", "d"), options)
    second = Stage(12, ("a/1234567890abcdef", "b", "c", "d"), options)
    assert SOME.stages == (first,)
    assert NEW.stages == (first, second)
    assert continued(NEW, changed(SOME, "a", "1234567890abcdef"), ALL).stages == NEW.stages
    third = continued(NEW, changed(SOME, "a", "other"), RUN)
    assert third.stages == (first, replace(second, bots=("a/other", "b", "c", "d")))


def test_a_run_from_before_there_were_stages_goes_on() -> None:
    old = replace(changed(SOME, "a", "a1"), stages=())
    assert continued(old, changed(SOME, "a", "a1"), RUN) == begun(old)
