"""League files: what is read, and one row for each thing that can be wrong."""

import contextlib
import json
import os
import re
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.config import load_league
from arena.entrants import shipped_bots
from arena.errors import ConfigError, installing
from arena.model import Entrant, FaultPolicy, Limits, Sandbox

LEAGUE = """\
name = "autumn"
game = "leaves"
seed = 13
seats = [4, 3]
[options]
variant = "expert"
target = 15
[format]
kind = "round-robin"
blocks = 7
rotations = "all"
[limits]
start = 9_000
first_move = 4_000
move = 500
bank = 20
cpu_move = 300
cpu_match = 5_000
off_turn = "fault"
off_turn_ms = 200
[faults]
tolerate = 1
suspend = 2
[sandbox]
level = "limits"
memory = "256M"
threads = 32
files = "2G"
read = ["bots/one", "/usr"]
[run]
workers = 3
pin = false
restart = "match"
executor = "local"
[[bots]]
path = "bots/one"
[[bots]]
path = "bots/two"
name = "second"
env = { LEVEL = "3" }
transport = "tcp"
[[bots]]
name = "stranger"
command = ["bots/my run", "--fast"]
env = { LEVEL = "2" }
[[bots]]
path = "submissions/*"
[[bots]]
path = "bots/gone"
active = false
"""


def write_bot(folder: Path, text: str = 'python = "main.py"\n') -> Path:
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(text)
    (folder / "main.py").write_text("")
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a space and a bracket in its path, and the bots of LEAGUE in it."""
    place = tmp_path_factory.mktemp("league") / "my [own] leagues"
    write_bot(place / "bots" / "one")
    write_bot(
        place / "bots" / "two",
        'name = "two"\ndescription = "…"\ngames = ["leaves"]\npython = "main.py"\n'
        'build = ["make", "all"]\ntransport = "ipc"\nenv = { A = "1", LEVEL = "9" }\n',
    )
    write_bot(place / "submissions" / "ada")
    write_bot(place / "submissions" / "bob")
    (place / "submissions" / "notes").mkdir()
    program = place / "bots" / "my run"
    program.write_text("#!/bin/sh\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (place / "bots" / "plain").write_text("")
    write_bot(place / "other" / "thirteen", 'games = ["thirteen"]\npython = "main.py"\n')
    write_bot(place / "other" / "both", 'python = "main.py"\ncommand = ["sh"]\n')
    write_bot(place / "other" / "neither", 'name = "neither"\n')
    write_bot(place / "other" / "lost", 'python = "mian.py"\n')
    write_bot(place / "other" / "unbuilt", 'command = ["./out"]\nbuild = ["cc", "a b.c"]\n')
    write_bot(place / "other" / "bare", 'command = ["no-such-x"]\nbuild = ["cc", "a b.c"]\n')
    write_bot(place / "other" / "odd", 'python = "main.py"\nspeed = 1\n')
    write_bot(place / "other" / "build", 'python = "main.py"\nbuild = "make"\n')
    write_bot(place / "other" / "games", 'python = "main.py"\ngames = "leaves"\n')
    write_bot(place / "other" / "broken", "python = \n")
    return place


def write(place: Path, text: str | bytes) -> Path:
    file = place / "league.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def changed(old: str, new: str) -> str:
    """Return LEAGUE with the one line that starts with ``old`` changed."""
    pattern = re.compile(rf"^{re.escape(old)}.*$", re.MULTILINE)
    assert pattern.search(LEAGUE), old
    return pattern.sub(lambda _: new, LEAGUE, count=1)


def refusal(file: Path, **given: object) -> str:
    with pytest.raises(ConfigError) as caught:
        load_league(file, **given)  # type: ignore[arg-type]
    assert caught.value.exit_code == 2
    message = str(caught.value)
    assert "\n" not in message
    home = str(file.parent.resolve())
    return message.replace(str(file), file.name).replace(home, "~")


def test_every_key_is_read(place: Path) -> None:
    league = load_league(write(place, LEAGUE))
    home = place.resolve()
    assert (league.name, league.seed, league.seats) == ("autumn", "13", (3, 4))
    assert league.terms.game == "leaves"
    assert league.terms.options == {"variant": "expert", "target": 15}
    assert league.terms.limits == Limits(9000, 4000, 500, 20, 300, 5000, "fault", 200)
    assert league.terms.faults == FaultPolicy(tolerate=1, suspend=2)
    assert league.terms.restart == "match"
    read = (f"{home}/bots/one", "/usr")
    assert league.terms.sandbox == Sandbox("limits", 256 << 20, 32, 2 << 30, read)
    assert league.format == "round-robin"
    assert league.format_options["blocks"] == 7
    assert league.format_options["rotations"] == "all"
    assert (league.workers, league.pin, league.executor) == (3, False, "local")
    assert league.source == str(place / "league.toml")
    bots, submissions = home / "bots", home / "submissions"
    assert tuple(replace(entrant, fingerprint="") for entrant in league.entrants) == (
        Entrant("one", (sys.executable, f"{bots}/one/main.py"), f"{bots}/one"),
        Entrant(
            "second",
            (sys.executable, f"{bots}/two/main.py"),
            f"{bots}/two",
            {"A": "1", "LEVEL": "3"},
            "tcp",
            build=("make", "all"),
        ),
        Entrant("stranger", (f"{bots}/my run", "--fast"), str(home), {"LEVEL": "2"}),
        Entrant("ada", (sys.executable, f"{submissions}/ada/main.py"), f"{submissions}/ada"),
        Entrant("bob", (sys.executable, f"{submissions}/bob/main.py"), f"{submissions}/bob"),
        Entrant("gone", (), f"{bots}/gone", active=False),
    )


def test_what_is_left_out_has_the_documented_default(place: Path) -> None:
    league = load_league(
        write(place, 'game="leaves"\nseats=3\nbots=[{path="submissions/*"}, {path="bots/one"}]')
    )
    assert (league.name, league.seed, league.seats) == ("league", "", (3,))
    assert (league.terms.limits, league.terms.faults) == (Limits(), FaultPolicy())
    assert league.terms.sandbox == Sandbox("auto")
    assert (league.terms.options, league.terms.restart) == ({}, "auto")
    assert (league.format, league.workers, league.pin) == ("round-robin", None, True)


def test_overrides_go_before_the_file(place: Path) -> None:
    league = load_league(write(place, LEAGUE), seed="other", blocks=2, workers=1)
    assert (league.seed, league.format_options["blocks"], league.workers) == ("other", 2, 1)


def test_a_seed_means_the_same_as_a_number_and_as_a_text(place: Path) -> None:
    file = write(place, LEAGUE)
    assert load_league(file, seed="13") == load_league(file, seed=13) == load_league(file)


def test_crlf_and_a_byte_order_mark_change_nothing(place: Path) -> None:
    plain = load_league(write(place, LEAGUE))
    windows = b"\xef\xbb\xbf" + LEAGUE.replace("\n", "\r\n").encode()
    assert load_league(write(place, windows)) == plain


def test_a_relative_path_is_read_from_where_the_user_is(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = load_league(write(place, LEAGUE))
    monkeypatch.chdir(place)
    assert load_league("league.toml") == whole


def test_a_program_is_looked_up_on_path(place: Path) -> None:
    league = load_league(write(place, changed("command", 'command = ["sh", "x.sh"]')))
    program, argument = league.entrants[2].command
    assert Path(program).is_absolute()
    assert (Path(program).name, argument) == ("sh", "x.sh")


def test_the_example_league_is_valid() -> None:
    league = load_league(Path(__file__).parent.parent / "configs" / "league.toml")
    names = [entrant.name for entrant in league.entrants]
    assert sorted(names) == ["counter", "first", "greedy", "miser", "random"]


def test_an_inactive_bot_may_have_lost_its_files(place: Path) -> None:
    text = changed('command = ["bots/my run"', 'command = ["not there"]\nactive = false')
    assert load_league(write(place, text)).entrants[2].command == ()


ROWS = [
    ("seats", "seat = 4", "seat: unknown key; did you mean 'seats'?"),
    ("target", "targt = 4", "[options] targt: unknown option 'targt'; did you mean 'target'?"),
    ("target", "target = 0", "[options] target = 0 is out of range"),
    ("target", "hand_size = 18", "[options] hand_size = 18 is out of range", "(at tables of 4)"),
    ("variant", 'variant = "exprt"', "[options] variant = 'exprt'; did you mean 'expert'?"),
    ("game", 'game = "leafs"', "game: there is no game 'leafs'; did you mean 'leaves'?"),
    ("game", "game = 4", "game = 4 must be a text in quotes, not empty"),
    ("game", 'game = ""', "game = '' must be a text in quotes, not empty"),
    ("game", "", "game is missing: one of ", "leaves"),
    ("game", 'game = "no.such:GAME"', "game: the game 'no.such:GAME' cannot be loaded"),
    ("game", 'game = ":GAME"', "game: the game ':GAME' cannot be loaded"),
    ("game", 'game = "os:path"', "game: 'os:path' is no game"),
    ("name", 'name = "a/b"', "name = 'a/b' cannot be a name: no '/'"),
    ("name", 'name = ".."', "name = '..' cannot be a name"),
    ("name", 'name = "a\\u0007"', r"name = 'a\x07' cannot be a name"),
    ("name", f'name = "{"x" * 41}"', "is too long for a name: 41 characters, at most 40"),
    ("seed", "seed = true", "seed = true must be a whole number or a text"),
    ("seed", "seed = 1.5", "seed = 1.5 must be a whole number or a text"),
    ("seed", 'seed = ""', "seed = '' must be a whole number or a text of 1 to 100 characters"),
    ("seed", f"seed = {10**30}", "league.toml: seed is a whole number of more than 64 bits"),
    ("seed", f"seed = {'9' * 5000}", "league.toml is not TOML: "),
    ("seed", f"seed = 0x{'f' * 5000}", "seed is a whole number of more than 64 bits"),
    ("seats", "", "seats is missing: the size of a table, 3 to 6, or a list of sizes"),
    ("seats", "seats = 7", "seats = 7 is out of range: 13 Leaves is played by 3 to 6"),
    ("seats", "seats = [4, 1]", "seats = [4, 1] is out of range: 13 Leaves is played by 3 to 6"),
    ("seats", "seats = true", "seats = true must be a whole number or a list of them"),
    ("seats", "seats = nan", "seats = nan must be a whole number or a list of them"),
    ("seats", "seats = []", "seats = [] must be a whole number or a list of them, each from 3"),
    ("seats", "seats = [3, 3]", "seats = [3, 3] has a size twice"),
    ("seats", "seats = 6", "seats = 6 needs 6 bots at a table, and 5 are active: one, second,"),
    ("[limits]", "[limit]", "limit: unknown key; did you mean 'limits'?"),
    ("kind", 'kind = "round robin"', "[format] kind: there is no format 'round robin'; did you"),
    ("kind", 'kind = "os:path"', "[format] kind: 'os:path' is no format"),
    ("blocks", "block = 1", "[format] block: ", "did you mean 'blocks'?"),
    ("blocks", "blocks = 0", "[format] blocks: 0 must be a whole number from 1"),
    ("blocks", "blocks = true", "[format] blocks: True must be a whole number from 1"),
    ("move", "mvoe = 5", "[limits] mvoe: unknown key; did you mean 'move'?"),
    ("move", "move = -1", "[limits] move = -1 is out of range: 1 to 86400000"),
    ("move", "move = 0", "[limits] move = 0 is out of range: 1 to 86400000"),
    ("move", "move = 1.0", "[limits] move = 1.0 must be a whole number from 1 to 86400000"),
    ("move", "move = inf", "[limits] move = inf must be a whole number"),
    ("move", "move = true", "[limits] move = true must be a whole number"),
    ("cpu_move", "cpu_move = -1", "[limits] cpu_move = -1 is out of range: 0 to 86400000"),
    ("off_turn", 'off_turn = "faults"', "[limits] off_turn = 'faults' is not valid; did you mean"),
    ("off_turn_ms", "off_turn_ms = 0", "[limits] off_turn_ms = 0 is out of range: 1 to 86400000"),
    ("bank", 'bank = "2 s"', "[limits] bank = '2 s' must be a whole number from 0 to 86400000"),
    ("tolerate", "tolerate = -1", "[faults] tolerate = -1 is out of range: 0 to 1000000"),
    ("suspend", "suspend = 0", "[faults] suspend = 0 is out of range: 1 to 1000000"),
    ("level", 'level = "ful"', "[sandbox] level = 'ful' is not valid; did you mean 'full'?"),
    ("level", "levle = 1", "[sandbox] levle: unknown key; did you mean 'level'?"),
    ("memory", "memory = 512", "[sandbox] memory = 512 must be a size such as \"512M\""),
    ("memory", 'memory = "512"', "[sandbox] memory = '512' must be a size such as \"512M\""),
    ("memory", 'memory = "15M"', "[sandbox] memory = '15M' is out of range: \"16M\" to \"10"),
    ("threads", "threads = 7", "[sandbox] threads = 7 is out of range: 8 to 1000000"),
    ("files", 'files = "0K"', "[sandbox] files = '0K' is out of range: \"1M\""),
    ("read", 'read = "/usr"', "[sandbox] read = '/usr' must be a list of texts"),
    ("read", 'read = ["/usr", "no"]', "[sandbox] read = ['/usr', 'no']", "nothing at ~/no"),
    ("workers", 'workers = "all"', "[run] workers = 'all' must be \"cores\" or a whole number"),
    ("workers", "workers = 0", "[run] workers = 0 is out of range: 1 to 1024"),
    ("workers", "workers = []", "[run] workers = [] must be a whole number"),
    ("pin", "pin = 1", "[run] pin = 1 must be true or false, without quotes"),
    ("restart", 'restart = "nevr"', "[run] restart = 'nevr' is not valid; did you mean 'never'?"),
    ("executor", 'executor = "locl"', "[run] executor: there is no executor 'locl'; did you mean"),
    ("executor", "quiet = true", "[run] quiet: unknown key; known: executor, pin, "),
    ("seats", "seats = 4 4", "league.toml is not TOML: ", "line 4, column 11"),
    ("seats", "seats = 4\nseats = 4", "league.toml is not TOML: ", "line 5, column"),
    ("seats", f"seats = {'[' * 9999}", "league.toml is not TOML: "),
]  # fmt: skip


PATH_ROWS = [
    ("paht = 'x'", ": paht: unknown key; did you mean 'path'?"),
    ("", ": path or command: one is needed, neither is there"),
    ("path = 'x'\ncommand = ['x']", ": path or command: one is needed, both are there"),
    (
        "path = 'greedy'",
        ": path = 'greedy' is no folder here; the bot that comes with the arena: "
        f"{shipped_bots() / 'greedy'}",
    ),
    ("path = 'bots/onne'", ": path = 'bots/onne' is no folder; did you mean 'one'?"),
    ("path = 'submissions/notes'", ": path = 'submissions/notes' has no bot.toml in it"),
    ("path = 'x*'", ": path = 'x*' matches no folder with a bot.toml"),
    ("path = 'x*'\nactive = false", ": path = 'x*' matches no folder with a bot.toml"),
    (r'path = "\u0000"', r": path = '\x00' must be a text in quotes, not empty"),
    (f"path = '{'x' * 9999}'", f": path = '{'x' * 56}... is no folder"),
    ("path = 'submissions/*'\nname = 'x'", ": name = 'x' cannot be the name of 2 bots"),
    (
        "path = 'bots/one'\nname = ' x'",
        ": name = ' x' cannot be a name: no '/', no control characters, no space or '.' in front",
    ),
    ("path = 'bots/one'\nactive = 0", ": active = 0 must be true or false, without quotes"),
    (
        "path = 'bots/one'\nenv = { A = 1 }",
        ": env = {'A': 1} must be a table of texts: A = \"...\" in quotes",
    ),
    (
        "path = 'bots/one'\nenv = { 'A=B' = '1' }",
        ": env = {'A=B': '1'} must be a table of texts: 'A=B' = \"...\" in quotes",
    ),
    (
        "path = 'bots/one'\nenv = 'A'",
        ": env = 'A' must be a table of texts, such as { LEVEL = \"2\" }",
    ),
    (
        "path = 'bots/one'\ntransport = 'udp'",
        ": transport = 'udp' is not valid; known: ipc, tcp",
    ),
]

COMMAND_ROWS = [
    ("bots/my run", ' must be a list of texts, such as ["first", "second"]'),
    ([], ' must be a list of texts, such as ["first", "second"]'),
    ([""], ' must be a list of texts, such as ["first", "second"]'),
    (
        ["bots/my rum"],
        " cannot be started: there is no program ~/bots/my rum; did you mean 'my run'?",
    ),
    (["bots/plain"], " cannot be started: ~/bots/plain is not executable (chmod +x)"),
    (
        ["no-such-program-x"],
        " cannot be started: there is no program 'no-such-program-x' in ~ or on PATH",
    ),
]

BOT_FILE_ROWS = [
    ("thirteen", ": games = ['thirteen'] does not have the game to be played, 'leaves'"),
    ("both", ": python or command: one is needed, both are there"),
    ("neither", ": python or command: one is needed, neither is there"),
    (
        "lost",
        ": python = 'mian.py' is no file in ~/other/lost; did you mean 'main.py'?",
    ),
    (
        "bare",
        ": command = ['no-such-x'] cannot be started: there is no program 'no-such-x' "
        "in ~/other/bare or on PATH; install it, or write './no-such-x' if the build makes it",
    ),
    (
        "odd",
        ": speed: unknown key; "
        "known: build, command, description, env, games, name, prewarmed, python, transport",
    ),
    ("build", ': build = \'make\' must be a list of texts, such as ["first", "second"]'),
    ("games", ': games = \'leaves\' must be a list of texts, such as ["first", "second"]'),
    ("broken", " is not TOML: Invalid value (at line 1, column 10)"),
]


@pytest.mark.parametrize("row", ROWS, ids=[row[1][:40] or f"no {row[0]}" for row in ROWS])
def test_what_is_wrong_is_named_with_what_would_be_right(place: Path, row: tuple[str, ...]) -> None:
    old, new, *parts = row
    message = refusal(write(place, changed(old, new)))
    for part in parts:
        assert part in message


@pytest.mark.parametrize(("lines", "message"), PATH_ROWS)
def test_a_bot_that_cannot_be_used_is_named_by_its_number(
    place: Path, lines: str, message: str
) -> None:
    file = write(place, changed('path = "bots/one"', lines))
    assert refusal(file) == f"league.toml: [[bots]] number 1{message}"


@pytest.mark.parametrize(("command", "message"), COMMAND_ROWS)
def test_a_command_that_cannot_be_started_is_refused(
    place: Path, command: object, message: str
) -> None:
    file = write(place, changed("command", f"command = {json.dumps(command)}"))
    assert refusal(file) == f"league.toml: [[bots]] number 3: command = {command!r}{message}"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "path = 'submissions/ada'",
            "two bots are called 'ada': [[bots]] number 1 (~/submissions/ada) and "
            "[[bots]] number 4 (~/submissions/ada); give one of them another name",
        ),
        (
            "path = 'bots/two'\nname = 'Stranger'",
            "two bots are called 'Stranger' and 'stranger': [[bots]] number 1 (~/bots/two) and "
            "[[bots]] number 3 (~); give one of them another name",
        ),
    ],
)
def test_two_bots_of_one_name_are_refused(place: Path, lines: str, message: str) -> None:
    file = write(place, changed('path = "bots/one"', lines))
    assert refusal(file) == f"league.toml: {message}"


def test_a_command_needs_a_name(place: Path) -> None:
    message = refusal(write(place, changed('name = "stranger"', "")))
    assert message.endswith("number 3: name is missing: a bot with a command needs a name")


@pytest.mark.parametrize(("folder", "message"), BOT_FILE_ROWS)
def test_what_is_wrong_in_a_bot_file_is_named_with_that_file(
    place: Path, folder: str, message: str
) -> None:
    file = write(place, changed('path = "bots/one"', f"path = 'other/{folder}'"))
    assert refusal(file) == f"~/other/{folder}/bot.toml{message}"


@pytest.mark.parametrize("bots", ["", "bots = []\n"])
def test_a_league_without_bots_is_refused(place: Path, bots: str) -> None:
    text = f'game = "leaves"\nseats = 3\n{bots}'
    assert "bots is missing: a [[bots]] section for each bot" in refusal(write(place, text))


@pytest.mark.parametrize("key", ["options", "format", "limits", "faults", "run"])
def test_a_section_that_is_none_is_refused(place: Path, key: str) -> None:
    text = f'game = "leaves"\nseats = 3\n{key} = 4\nbots = [{{ path = "submissions/*" }}]\n'
    assert f"{key} = 4 must be a section of its own: [{key}]" in refusal(write(place, text))


def test_bots_that_are_no_sections_are_refused(place: Path) -> None:
    text = 'game = "leaves"\nseats = 3\nbots = ["a"]\n'
    assert "bots = ['a'] must be sections of their own: [[bots]]" in refusal(write(place, text))


def test_an_override_is_named_as_the_user_gave_it(place: Path) -> None:
    file = write(place, LEAGUE)
    assert refusal(file, workers=0) == "--workers = 0 is out of range: 1 to 1024"
    assert refusal(file, blocks=0).startswith("--blocks: 0 must be a whole number")
    assert refusal(file, seed="").startswith("--seed = '' must be a whole number or a text")


def test_a_file_that_is_not_there_is_named_with_the_nearest(place: Path) -> None:
    write(place, LEAGUE)
    message = refusal(place / "leage.toml")
    assert re.fullmatch(r"there is no file .*leage\.toml; did you mean '.*league\.toml'\?", message)


def test_a_folder_is_no_league_file(place: Path) -> None:
    assert "is a folder, not a file" in refusal(place / "bots")


def test_a_file_that_is_too_large_is_not_read_to_its_end(place: Path) -> None:
    file = write(place, LEAGUE)
    os.truncate(file, 1 << 40)
    assert refusal(file).endswith("league.toml is too large: at most 16 MiB are read")


def test_a_file_below_a_file_is_not_there(place: Path) -> None:
    assert "there is no file" in refusal(write(place, LEAGUE) / "x.toml")


def test_text_that_is_not_utf8_is_named_with_its_line(place: Path) -> None:
    message = refusal(write(place, b'name = "a"\ngame = "\xe4"\n'))
    assert "is not UTF-8 text (at line 2)" in message


VALUES = st.one_of(
    st.sampled_from(
        ["nan", "-inf", "1e999", "0x7fff_ffff_ffff_ffff", "1979-05-27", "07:32:00", "{}", "[[]]"]
    ),
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.booleans().map(json.dumps),
    st.text(max_size=12).map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.lists(st.integers(-9, 99).map(str), max_size=4).map(lambda items: f"[{', '.join(items)}]"),
    st.lists(st.text(max_size=6).map(json.dumps), max_size=3).map(
        lambda items: f"[{', '.join(items)}]"
    ),
    st.sampled_from(["[]", "{ a = 1 }", "{ PATH = '' }", "'*'", "'..'", "'/'", "'a:b'", "':'"]),
)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """Return LEAGUE with a few values, lines or characters changed."""
    lines = LEAGUE.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        lines[at] = draw(
            st.one_of(
                VALUES.map(lambda value, line=line: f"{line.partition('=')[0]}= {value}"),
                VALUES.map(lambda value, line=line: f"{line}\nname = {value}"),
                st.sampled_from(["", *LEAGUE.splitlines()]),
                st.text(max_size=3).map(lambda text, line=line: line[:4] + text + line[5:]),
            )
        )
    return "\n".join(lines)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=mutations())
def test_any_mutation_loads_or_is_refused(place: Path, text: str) -> None:
    file = write(place, text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(ConfigError):
        league = load_league(file)
        assert len({entrant.name for entrant in league.entrants}) == len(league.entrants)


def test_ratings_are_those_that_the_file_asks_for(place: Path) -> None:
    league = load_league(write(place, LEAGUE))
    assert (league.rating, league.anchor) == ("", "")
    league = load_league(write(place, f"{LEAGUE}\n[rating]\n"))
    assert (league.rating, league.anchor) == ("bradley-terry", "")
    league = load_league(
        write(place, f'{LEAGUE}\n[rating]\nanchor = "{league.entrants[0].name}"\n')
    )
    assert league.anchor == league.entrants[0].name


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('anchor = "nobody"', "[rating] anchor = 'nobody' is none of the bots; known: "),
        ("anchor = 5", "[rating] anchor = 5 must be a text"),
        ('kind = "bradley"', "[rating] kind: there is no rating 'bradley'"),
        ('method = "x"', "[rating] method: unknown key; known: anchor, kind"),
    ],
)
def test_wrong_ratings_are_refused(place: Path, line: str, message: str) -> None:
    assert message in refusal(write(place, f"{LEAGUE}\n[rating]\n{line}\n"))


def test_a_rating_without_its_package_is_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    text = refusal(write(place, f"{LEAGUE}\n[rating]\n"))
    assert f"[rating] kind: ratings need the package choix: {installing('ratings')}" in text
