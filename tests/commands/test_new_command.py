"""``arena new`` as its users meet it: a bot of one's own from each starter."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
import tomli
from running import Place

from arena.commands.new import languages

LANGUAGES = languages()
Arena = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_there_is_a_starter_in_each_language() -> None:
    assert list(LANGUAGES) == ["cpp", "go", "java", "javascript", "python", "rust"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_has_the_name_of_its_folder_and_plays_what_was_asked(
    arena: Arena, tmp_path: Path, language: str
) -> None:
    code, out, err = arena("new", "mine", "--language", language, "--game", "thirteen")
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "watch it play: arena match thirteen ./mine random --show"
    assert "starter-" not in "".join(files(tmp_path / "mine").values())
    bot = tomli.loads((tmp_path / "mine" / "bot.toml").read_text())
    assert (bot["name"], bot["games"]) == ("mine", ["thirteen"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_is_what_git_has_of_its_starter_but_for_its_name(
    arena: Arena, tmp_path: Path, language: str
) -> None:
    assert arena("new", "mine", "--language", language)[0] == 0
    for name, text in files(tmp_path / "mine").items():
        original = LANGUAGES[language] / name
        assert text == original.read_text(encoding="utf-8").replace(f"starter-{language}", "mine")


def test_what_was_built_of_a_starter_stays_behind(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "bots"
    starter = shipped / "starter-basic"
    for name in ("bot.toml", ".hidden", "src/a.bas", "target/a", ".arena-build/log", "Cargo.lock"):
        (starter / name).parent.mkdir(parents=True, exist_ok=True)
        (starter / name).write_text("10 PRINT starter-basic\n")
    monkeypatch.setattr("arena.commands.new.shipped_bots", lambda: shipped)
    assert arena("new", "mine", "--language", "basic")[0] == 0
    assert files(tmp_path / "mine") == dict.fromkeys(
        ("bot.toml", ".hidden", "src/a.bas"), "10 PRINT mine\n"
    )


@pytest.mark.parametrize(
    "name", ["Mine", "4th", "my bot", "-mine", "mine.py", "bücher", "x" * 65, "all", "build"]
)
def test_a_name_that_build_tools_refuse_is_refused(arena: Arena, tmp_path: Path, name: str) -> None:
    code, _, err = arena("new", "--language", "python", "--", name)
    assert code == 2
    assert f"{name!r} cannot be the name of a new bot" in err
    assert files(tmp_path) == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--language", "pyton"], "there is no starter in 'pyton'; did you mean 'python'?"),
        (["--language", "c"], "there is no starter in 'c'; known: cpp, go, java"),
        (["--language", "ruby"], "rust; a bot in any other language: "),
        (["--language", "go", "--game", "leavs"], "no game 'leavs'; did you mean 'leaves'?"),
        ([], "--language is missing: one of cpp, go, java, javascript, python, rust"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(
    arena: Arena, tmp_path: Path, words: list[str], message: str
) -> None:
    code, _, err = arena("new", "mine", *words)
    assert code == 2
    assert message in err
    assert files(tmp_path) == {}


def test_nothing_is_written_over(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    code, _, err = arena("new", "mine", "--language", "python")
    assert (code, err) == (2, "arena: mine is there already: nothing was written\n")
    assert files(tmp_path) == {}


def test_a_folder_that_cannot_be_written_is_told(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = arena("new", "file/mine", "--language", "python")
    assert code == 1
    assert "the bot 'mine' cannot be written: " in err


@pytest.mark.process
@pytest.mark.parametrize("game", ["leaves", "thirteen"])
def test_a_new_bot_plays_by_the_command_that_is_told(place: Place, game: str) -> None:
    made = place.arena("new", "bots/mine", "--language", "python", "--game", game)
    program, *words = shlex.split(made.stdout.splitlines()[-1].removeprefix("watch it play: "))
    assert program == "arena"
    played = place.arena(*words, "--option", "max_turns=30")
    assert (played.returncode, played.stderr) == (0, "")
    assert "0 mine" in played.stdout
