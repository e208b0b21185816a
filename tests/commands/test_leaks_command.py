"""``arena verify --leaks`` as its users meet it."""

from collections.abc import Callable
from pathlib import Path

import pytest
import scripted
from msgspec.structs import replace

from arena.play.again import questions

RESULTS = tuple(scripted.play_all(scripted.LEAGUE))
Arena = Callable[..., tuple[int, str, str]]


def decisions(*places: int) -> int:
    """Return how many decisions some of the matches have."""
    chosen = [RESULTS[place] for place in places]
    return sum(questions(r, seat) for r in chosen for seat in range(len(r.outcome.seats)))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    scripted.record(scripted.LEAGUE, iter(RESULTS), tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ((), range(len(RESULTS))),
        (("--sample", "4"), (0, 12, 24, 36)),
        (("--sample", "1000"), range(len(RESULTS))),
        (("--match", RESULTS[5].outcome.match, "--match", RESULTS[7].outcome.match[:12]), (5, 7)),
    ],
)
def test_it_says_what_was_checked(
    arena: Arena, run: Path, words: tuple[str, ...], places: tuple[int, ...]
) -> None:
    count = "1 match" if len(places) == 1 else f"{len(places)} matches"
    said = f"{run}: {count}, {decisions(*places)} decisions: no seat was sent what it could not see"
    assert arena("verify", run, "--leaks", *words) == (0, f"{said}\n", "")


def test_a_leak_is_named_with_its_match(arena: Arena, tmp_path: Path) -> None:
    terms = replace(scripted.LEAGUE.terms, game="whispers:OBSERVATION", options={})
    league = replace(scripted.LEAGUE, terms=terms)
    results = list(scripted.play_all(league, lambda *_: {}))
    scripted.record(league, iter(results), tmp_path)
    code, out, err = arena("verify", tmp_path, "--leaks")
    assert (code, out) == (1, "")
    assert err.startswith(f"arena: {tmp_path}: match {results[0].outcome.match}: seat ")
    assert "of what it was sent depends on what it cannot see:\n  sent: " in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sample", "3"), "--sample goes with --leaks"),
        (("--match", "ab"), "--match goes with --leaks"),
        (("--leaks", "--match", "ab", "--sample", "3"), "--match and --sample: give one of them"),
        (("--leaks", "--head", "0" * 16), "--head goes without --leaks"),
        (("--leaks", "--match", "nothing"), "has no match 'nothing'"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    arena: Arena, run: Path, words: tuple[str, ...], said: str
) -> None:
    code, out, err = arena("verify", run, *words)
    assert (code, out) == (2, "")
    assert said in err
