"""What is said when something is wrong, to the letter, with the exit code."""

from collections.abc import Callable
from pathlib import Path

import pytest
from snapshots import same_as_snapshot

from arena import config
from arena.cli import _parameters
from arena.league.journal import FILE, Journal
from arena.model import Entrant, League, MatchResult, Outcome, Terms

Arena = Callable[[str], str]

LEAGUE = """\
game = "leaves"
seats = 3
[[bots]]
name = "a"
command = ["true"]
[[bots]]
name = "b"
command = ["true"]
[[bots]]
name = "c"
command = ["true"]
"""
ERRORS = {
    "errors": (
        "tornament league.toml",
        "--verbose",
    ),
    "errors-tournament": (
        "tournament",
        "tournament leage.toml",
        "tournament .",
        "tournament journal.sqlite",
        "tournament league.toml --workers 0",
        "tournament league.toml --workers many",
        "tournament league.toml --blocks 0",
        f"tournament league.toml --blocks {1 << 63}",
        "tournament league.toml --seed ''",
        "tournament league.toml --for 0s",
        "tournament league.toml --for soon",
        "tournament league.toml --for 1001d",
        "tournament league.toml --out league.toml",
        "tournament league.toml --out league.toml/run",
        "tournament league.toml --out run",
        "tournament league.toml --out broken",
        "tournament league.toml --quite",
        "tournament league.toml other.toml",
    ),
    "errors-match": (
        "match",
        "match leaves",
        "match leafs first first first",
        "match os:path first first first",
        "match leaves first",
        "match leaves first first frist",
        "match leaves first first ./nowhere",
        "match leaves first first 'no-such-program --fast'",
        "match leaves first first first --option target",
        "match leaves first first first --option target=high",
        "match leaves first first first --option target=0",
        "match leaves first first first --option taget=5",
    ),
    "errors-check": (
        "check",
        "check nowhere",
        "check manual",
        "check first --game chess",
        "check first --only play",
        "check first --only plays-leaves-7",
        "check first --limit move=0",
        "check first --limit moves=100",
        "check first --limit move=fast",
        "check first --limit move",
    ),
    "errors-compare": (
        "compare",
        "compare first",
        "compare first first",
        "compare first nobody --against first --against first",
        "compare first first --margin nan",
        "compare first first --alpha nan",
        "compare first first --alpha 0",
        "compare first first --max-blocks 0",
        "compare first first --against first --against first --seed ''",
    ),
    "errors-standings": (
        "standings",
        "standings nowhere",
        "standings .",
        "standings league.toml",
        "standings broken",
        "standings run --table losses",
        "standings run --by luck",
        "standings run --format pdf",
    ),
    "errors-replay": (
        "replay run",
        "replay nowhere ab",
        "replay run zz",
        "replay run ''",
        "replay run ab",
        "replay run ab12 --seat 3",
        "replay run ab12 --seat -1",
        "replay run ab12 --seat one",
        "replay run ab12 --html --seat 3",
        "replay run zz --open",
        "replay run ab12 --output nowhere/page.html",
    ),
    "errors-rules": (
        "rules",
        "rules leafs",
        "rules arena.games.leaves:GAME",
    ),
}


def result(match: str) -> MatchResult:
    outcome = Outcome(
        match=match,
        composition="c",
        block=1,
        rotation=1,
        seats=("a", "b", "c"),
        totals=(0, 0, 0),
        places=(1, 1, 1),
        deals=0,
        forfeited=(),
        faults=(),
        ended="complete",
        times=({}, {}, {}),
    )
    return MatchResult(outcome, "leaves", {}, "seed", ())


@pytest.fixture
def files(tmp_path: Path) -> None:
    """A league file, a run of another league, and a broken run."""
    (tmp_path / "league.toml").write_text(LEAGUE)
    (tmp_path / "run").mkdir()
    entrants = tuple(Entrant(name, ("true",), "/") for name in "abc")
    terms = Terms(game="leaves", options={"target": 5})
    options = {"blocks": 10, "rotations": "all"}
    old = League("old", "1", (3,), terms, "round-robin", options, entrants)
    journal = Journal.create(tmp_path / "run", old)
    for match in ("ab12", "ab34"):
        journal.add(result(match))
    journal.close()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / FILE).write_text("no journal" * 100)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", ERRORS)
def test_what_is_said_when_something_is_wrong(name: str, arena: Arena) -> None:
    said = [arena(line) for line in ERRORS[name]]
    assert not any("Traceback" in text or "[exit 0]" in text for text in said)
    same_as_snapshot(name, "\n".join(said))


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("line", [line for lines in ERRORS.values() for line in lines])
def test_usage_and_configuration_end_with_2_and_a_damaged_run_with_1(
    line: str, arena: Arena
) -> None:
    code = 1 if "broken" in line else 2
    assert arena(line).endswith(f"[exit {code}]\n")


@pytest.mark.usefixtures("files")
def test_nothing_is_written_when_a_league_is_refused(arena: Arena, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    text = (tmp_path / "league.toml").read_text()
    (tmp_path / "league.toml").write_text(text.replace("seats", "seets"))
    assert "[exit 2]" in arena("tournament league.toml")
    assert sorted(tmp_path.rglob("*")) == before


def test_no_command_takes_more_workers_than_a_league_file() -> None:
    assert _parameters.MOST_WORKERS == config.MOST_WORKERS
