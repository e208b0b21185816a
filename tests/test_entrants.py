"""The bots that `arena match` is given by hand."""

import stat
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import as_of_now, distinct, load_bot, shipped_bots
from arena.errors import ConfigError
from arena.model import Entrant


def bare(entrant: Entrant) -> Entrant:
    """Return the entrant without its fingerprint, which has tests of its own."""
    return replace(entrant, fingerprint="")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "my bot"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "mine"\ngames = ["leaves"]\npython = "main.py"\n')
    (folder / "main.py").write_text("")
    program = tmp_path / "run me"
    program.write_text("#!/bin/sh\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "plain.py").write_text("")
    (tmp_path / "empty").mkdir()
    return tmp_path


def refusal(reference: str, base: Path, game: str | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        load_bot(reference, base=base, game=game)
    return str(caught.value)


def test_manual_is_a_bot_without_a_command(base: Path) -> None:
    assert load_bot("manual", base=base) == Entrant("manual", (), str(base), manual=True)


@pytest.mark.parametrize("reference", ["my bot", "./my bot", "my bot/", "empty/../my bot"])
def test_a_folder_with_a_bot_file_is_a_bot(base: Path, reference: str) -> None:
    folder = base / "my bot"
    expected = Entrant("mine", (sys.executable, f"{folder}/main.py"), str(folder))
    assert bare(load_bot(reference, base=base, game="leaves")) == expected


def test_a_link_to_a_folder_lends_the_bot_its_name(base: Path) -> None:
    (base / "my bot" / "bot.toml").write_text('python = "main.py"\n')
    (base / "ada").symlink_to(base / "my bot")
    assert load_bot("ada", base=base).name == "ada"


def test_the_name_of_a_shipped_bot_is_a_bot(base: Path) -> None:
    folder = shipped_bots() / "greedy"
    assert load_bot("greedy", base=base).folder == str(folder)


def test_a_folder_goes_before_a_shipped_bot_of_the_same_name(base: Path) -> None:
    (base / "my bot").rename(base / "greedy")
    assert load_bot("greedy", base=base).folder == str(base / "greedy")


def test_a_quoted_command_line_is_a_bot(base: Path) -> None:
    bot = load_bot("sh plain.py --level '3 4'", base=base)
    assert (bot.name, bot.folder, bot.command[1:]) == (
        "plain",
        str(base),
        ("plain.py", "--level", "3 4"),
    )
    assert Path(bot.command[0]).is_absolute()


def test_an_executable_file_is_a_bot(base: Path) -> None:
    expected = Entrant("run me", (f"{base}/run me",), str(base))
    assert bare(load_bot("run me", base=base)) == expected


@pytest.mark.parametrize(
    ("reference", "part"),
    [
        ("my bto", "bot 'my bto': command = ['my', 'bto'] cannot be started: there is no program"),
        ("gredy", "did you mean 'greedy'?"),
        ("mine", "there is no bot 'mine': no folder with a bot.toml, no bot that comes with"),
        (" ", "there is no bot ' '"),
        ("empty", "bot 'empty': there is no bot.toml in "),
        ("sh 'x", "is no command line: No closing quotation"),
        ("plain.py", "plain.py is not executable (chmod +x)"),
        ("no-such-program-x y", "there is no program 'no-such-program-x' in "),
    ],
)
def test_what_is_no_bot_is_refused(base: Path, reference: str, part: str) -> None:
    assert part in refusal(reference, base)


def test_a_bot_for_another_game_is_refused(base: Path) -> None:
    assert "does not have the game to be played, 'thirteen'" in refusal("my bot", base, "thirteen")


def test_a_bot_of_an_earlier_league_is_read_again_and_keeps_its_name(base: Path) -> None:
    then = replace(load_bot("my bot", base=base), name="called otherwise", env={"LEVEL": "2"})
    assert as_of_now(then) == then
    (base / "my bot" / "other.py").write_text("pass")
    (base / "my bot" / "bot.toml").write_text('python = "other.py"\n')
    now = as_of_now(then)
    assert now.command[-1].endswith("other.py")
    assert now.fingerprint != then.fingerprint
    assert (now.name, now.env) == (then.name, then.env)


def test_a_command_of_an_earlier_league_is_hashed_again(base: Path) -> None:
    then = load_bot("sh plain.py", base=base)
    assert as_of_now(then) == then
    (base / "plain.py").write_text("pass")
    now = as_of_now(then)
    assert bare(now) == bare(then)
    assert now.fingerprint != then.fingerprint


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"command": ()}, "mine cannot play: the league file has no command"),
        ({"folder": "/no/such/folder"}, "mine cannot play: its folder /no/such/folder is gone"),
    ],
)
def test_a_bot_of_an_earlier_league_that_is_gone_is_named(
    base: Path, changes: dict[str, object], part: str
) -> None:
    with pytest.raises(ConfigError, match=part):
        as_of_now(replace(load_bot("my bot", base=base), **changes))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("a b", "a b"),
        ("a a a", "a a-2 a-3"),
        ("a-2 a a", "a-2 a a-3"),
        ("a a a-2", "a a-2 a-2-2"),
        ("a A", "a A-2"),
    ],
)
def test_each_bot_of_a_table_gets_a_name_of_its_own(names: str, expected: str) -> None:
    found = distinct(Entrant(name, (), "") for name in names.split())
    assert [entrant.name for entrant in found] == expected.split()


def test_a_bot_in_python_may_be_prewarmed(base: Path) -> None:
    file = base / "my bot" / "bot.toml"
    file.write_text('python = "main.py"\nprewarmed = true\nenv = { LEVEL = "2" }\n')
    assert load_bot("my bot", base=base).prewarmed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('command = ["sh"]\nprewarmed = true', "prewarmed = true is for bots whose bot.toml has"),
        ('python = "main.py"\nprewarmed = 1', "prewarmed = 1 must be true or false"),
        (
            'python = "main.py"\nprewarmed = true\nenv = { PYTHONHASHSEED = "0" }',
            "env: PYTHONHASHSEED cannot be set for a bot that is prewarmed",
        ),
    ],
)
def test_what_cannot_be_prewarmed_is_told(base: Path, text: str, message: str) -> None:
    (base / "my bot" / "bot.toml").write_text(text)
    assert message in refusal("my bot", base)
