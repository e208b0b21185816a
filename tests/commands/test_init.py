"""``arena init`` as its users meet it."""

import json
from pathlib import Path

import pytest
from running import Place

from arena.commands.init import TEMPLATE
from arena.config import load_league

FILES = [
    ".gitignore",
    "bots/beginner/bot.toml",
    "bots/beginner/main.py",
    "bots/careful/bot.toml",
    "bots/careful/main.py",
    "league.toml",
]


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.process
def test_a_new_league_is_played_at_once_by_the_command_that_is_told(place: Place) -> None:
    made = place.arena("init", "new/league")
    assert (made.returncode, made.stderr) == (0, "")
    assert sorted(contents(place.folder / "new" / "league")) == FILES
    _, enter, command, guide = made.stdout.splitlines()
    assert (enter, command) == ("  cd new/league", "  arena tournament league.toml")
    assert Path(guide.removeprefix("how to write a bot: ")).is_file()
    place.folder /= "new/league"
    played = place.arena(*command.split()[1:], "-q")
    assert (played.returncode, played.stderr) == (0, "")
    table = json.loads((place.folder / "runs" / "league" / "standings.json").read_text())
    assert [row["bot"] for row in table["rows"]] == ["careful", "beginner"]
    assert table["matches"] == 20
    assert not any(sum(row["faults"].values()) for row in table["rows"])


def test_an_empty_folder_is_taken(place: Place) -> None:
    made = place.arena("init", ".")
    assert made.returncode == 0
    assert made.stdout.splitlines()[1] == "  arena tournament league.toml"
    assert sorted(contents(place.folder)) == FILES


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "league.toml"])
def test_a_folder_with_files_is_refused_and_stays_as_it_is(place: Place, name: str) -> None:
    folder = place.folder / "mine"
    folder.mkdir()
    (folder / name).write_text("mine")
    refused = place.arena("init", "mine")
    right = f"arena: mine is not empty, it has {name!r} in it; name a folder that is new or empty\n"
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", right)
    assert contents(folder) == {name: b"mine"}


def test_a_file_is_refused(place: Place) -> None:
    (place.folder / "mine").write_text("mine")
    refused = place.arena("init", "mine")
    right = "arena: mine is a file; name a folder that is new or empty\n"
    assert (refused.returncode, refused.stderr) == (2, right)


def test_the_file_names_no_other_value_than_the_default(tmp_path: Path) -> None:
    written = (TEMPLATE / "league.toml").read_text()
    assert "# seed = 13" in written
    told = tmp_path / "told.toml"
    bots = f'path = "{TEMPLATE}/bots/*"'
    told.write_text(
        written.replace("# start", "start")
        .replace("# first", "first")
        .replace("# move", "move")
        .replace('path = "bots/*"', bots)
    )
    assert load_league(told).terms.limits == load_league(TEMPLATE / "league.toml").terms.limits
