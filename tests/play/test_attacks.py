"""Attacks by real bots at each level: what holds is what ``SECURITY.md`` says that holds."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import leftovers
import pytest
import zmq
from msgspec.structs import replace
from needed import needed
from rooms import BAD, LIMITS, TERMS, Room, entrant, room
from running import has_ended

from arena.errors import ConfigError
from arena.model import Entrant, Level, Sandbox
from arena.play import sandbox
from arena.play.channel import Channel
from arena.play.log import CAP

pytestmark = pytest.mark.process

DOCUMENT = Path(sandbox.__file__).with_name("SECURITY.md")
LEVELS: tuple[Level, ...] = ("none", "limits", "full")
HELD, NOT_HELD = "held", "not held"
ROW = re.compile(r"^\| .* \| (held|not held) \| (held|not held) \| (held|not held) \| `(\w+)` \|$")
ROWS = {
    match[4]: dict(zip(LEVELS, match.groups()[:3], strict=True))
    for match in map(ROW.match, DOCUMENT.read_text().splitlines())
    if match
}
"""What holds at which level, by attack, as the document has it."""
USER_DEPENDS = {"trace_of_a_stranger"}
"""What a system may forbid where the arena does not."""
FILES = 8 << 20


class Prison:
    """A table with a bot to be attacked, and the other targets."""

    def __init__(self, level: Level, folder: Path) -> None:
        self.level = level
        self.folder = folder
        self.bots = folder / "bots"
        shutil.copytree(BAD.parent, self.bots, ignore=shutil.ignore_patterns("__pycache__"))
        (self.bots / "bot.toml").write_text('command = ["python3", "attacker.py"]\n')
        self.secret = folder / "other" / "secret"
        self.secret.parent.mkdir()
        self.secret.write_text("strategy")
        self.journal = folder / "journal.sqlite"
        self.journal.write_text("all cards")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.stranger = subprocess.Popen(["sleep", "3600"])

    @property
    def terms(self) -> Sandbox:
        return Sandbox(self.level, memory=96 << 20, threads=64, files=FILES)

    def attacker(self, attack: str, own: Room, **env: str) -> Entrant:
        victim = own.pool.get("ann")
        assert victim
        assert victim.channel.path
        place = self.folder / uuid.uuid4().hex
        place.mkdir()
        known = {
            "PLACE": str(place),
            "SECRET": str(self.secret),
            "JOURNAL": str(self.journal),
            "REAL_HOME": str(Path.home()),
            "STOLEN": victim.channel.token,
            "SOCKET": str(victim.channel.path),
            "LISTENER": str(self.listener.getsockname()[1]),
            "ARENA": str(os.getpid()),
            "STRANGER": str(self.stranger.pid),
        }
        if self.level == "none":
            known |= {"HOME": str(place), "TMPDIR": str(place)}
        command = (sys.executable, str(self.bots / "attacker.py"), attack)
        return Entrant(attack, command, str(self.bots), known | env)

    def close(self) -> None:
        self.listener.close()
        self.stranger.kill()
        self.stranger.wait()


@pytest.fixture(scope="module", params=LEVELS)
def prison(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Prison]:
    level = request.param
    try:
        sandbox.settled(Sandbox(level))
    except ConfigError as error:
        needed(f"sandbox at the level full: {error}")
    opened = Prison(level, tmp_path_factory.mktemp("prison"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def held(prison: Prison) -> Iterator[Room]:
    """A room at the level, in which ann has played a match."""
    limits = replace(LIMITS, first_move=20_000)
    with room(replace(TERMS, limits=limits, sandbox=prison.terms)) as own:
        own.play(entrant(name="ann"), entrant(name="bob"))
        yield own


def attack(own: Room, attacker: Entrant) -> tuple[bool, str]:
    """Play a match with the attacker and end it; return whether it has got through, and its log.

    Ann plays the match as if nothing had been.
    """
    before = own.pid("ann")
    result = own.play(attacker, entrant(name="ann"))
    bot = own.pool.get(attacker.name)
    if bot:
        own.pool.stop([bot], "the test is over", 0.5)
    assert own.pid("ann") == before
    assert [fault.seat for fault in result.outcome.faults] in ([], [0])
    said = ""
    for log in (own.folder / "logs").glob(f"{attacker.name}-*.log"):
        said = log.read_text()
        log.unlink()
    told = re.findall(r'^\{"done": .*\}$', said, re.MULTILINE)
    detail = "".join(fault.detail for fault in result.outcome.faults)
    assert told or detail
    return bool(told) and bool(json.loads(told[-1])["done"]), f"{said}\n{detail}"


def check(prison: Prison, name: str, *, done: bool) -> None:
    """Compare what came of an attack with the document."""
    expected = ROWS[name][prison.level] == NOT_HELD
    if not (expected and name in USER_DEPENDS):
        assert done is expected


PLAIN = (
    "one_large_file", "many_files", "others_file", "journal", "home_folder", "others_environment",
    "others_socket", "network", "signal_to_the_arena", "trace_of_a_stranger", "own_folder",
    "kill_of_a_stranger",
)  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_what_a_bot_tries(prison: Prison, held: Room, name: str) -> None:
    done, _ = attack(held, prison.attacker(name, held))
    check(prison, name, done=done)


@pytest.mark.parametrize("name", ["fork_bomb", "memory_bomb"])
def test_what_a_bot_uses_up(prison: Prison, held: Room, name: str) -> None:
    done, said = attack(held, prison.attacker(name, held))
    check(prison, name, done=done)
    if not done and name == "memory_bomb":
        assert "was ended by SIGKILL; it used more than 96M of memory instead of answering" in said


def test_a_message_without_end(prison: Prison, held: Room) -> None:
    done, said = attack(held, prison.attacker("endless_message", held))
    assert "was ended by SIGKILL; it sent a message without end instead of answering" in said
    check(prison, "endless_message", done=done)


def test_the_output_of_a_bot(prison: Prison, held: Room) -> None:
    done, said = attack(held, prison.attacker("endless_output", held))
    assert len(said) <= CAP + 1000
    check(prison, "endless_output", done=done)


def test_a_token_is_good_once(prison: Prison, held: Room) -> None:
    attack(held, prison.attacker("stolen_token", held))
    check(prison, "stolen_token", done=False)


def test_a_guessed_token_is_good_for_nothing(prison: Prison, held: Room) -> None:
    attack(held, prison.attacker("guessed_token", held))
    check(prison, "guessed_token", done=False)
    owner = Entrant("carl", (), str(prison.bots))
    with zmq.Context() as own, closing(Channel(own, owner, held.sockets / "c")) as waiting:
        target = {"STOLEN": waiting.token, "SOCKET": str(waiting.path)}
        attack(held, prison.attacker("guessed_token", held, **target))
        check(prison, "guessed_token", done=waiting.greet())
        assert (waiting.strangers > 0) is (prison.level != "full")


def test_nothing_outside_is_removed_with_the_scratch_folder(prison: Prison, held: Room) -> None:
    attack(held, prison.attacker("links_to_outside", held))
    check(prison, "links_to_outside", done=not prison.secret.exists())
    assert not list(held.sockets.glob("scratch-*/link"))


def test_a_child_that_leaves_everything_behind(prison: Prison, held: Room) -> None:
    mark = uuid.uuid4().hex
    attack(held, prison.attacker("survivor", held, SURVIVOR=mark))
    left = leftovers.remaining("SURVIVOR", mark, 1.0)
    for pid in left:
        os.kill(pid, 9)
        assert has_ended(pid, 5)
    check(prison, "survivor", done=bool(left))


def test_what_a_process_leaves_for_the_next_one(prison: Prison, held: Room) -> None:
    note = f"note-{uuid.uuid4().hex}"
    first = prison.attacker("notes", held, NOTE=note)
    assert not attack(held, first)[0]
    done, _ = attack(held, first)
    for place in ("/tmp", "/dev/shm"):
        Path(place, note).unlink(missing_ok=True)
    check(prison, "notes", done=done)


def test_every_attack_of_the_document_is_tried() -> None:
    tokens = {"stolen_token", "guessed_token"}
    others = "endless_output links_to_outside survivor notes fork_bomb memory_bomb"
    assert ROWS.keys() == {*PLAIN, *tokens, "endless_message", *others.split()}
