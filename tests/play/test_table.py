"""Tables and their pool: processes kept and replaced, bots started by hand, interrupts."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import leftovers
import pytest
from msgspec.structs import replace
from rooms import BAD, LIMITS, TERMS, Room, entrant, room
from toys import fixture

from arena.games.leaves import PLUGIN as LEAVES
from arena.model import FaultKind, Limits, Terms
from arena.play import pool as pool_module
from arena.play import protocol
from arena.play.bot import Bot
from arena.play.clock import Clock
from arena.play.interrupt import Interrupt
from arena.play.referee import Ask, Failure

pytestmark = pytest.mark.process

ANN, BOB, CYD = (entrant(name=name) for name in ("ann", "bob", "cyd"))


def pids(own: Room, *names: str) -> list[int | None]:
    return [own.pid(name) for name in names]


def test_a_match_of_leaves_is_played_to_its_end() -> None:
    with room() as own:
        terms = replace(TERMS, game="leaves", options={"variant": "basic"})
        result = own.play(ANN, BOB, CYD, terms=terms, game=LEAVES)
        outcome = result.outcome
        assert (outcome.ended, outcome.faults, outcome.stale) == ("complete", (), (0, 0, 0))
        assert outcome.deals == 1
        assert sorted(outcome.places)[0] == 1
        answers = sum(sum(times.values()) for times in outcome.times)
        assert answers == len(result.deals[0].actions)


def test_an_answer_that_lay_in_the_socket_for_too_long_is_late() -> None:
    times = iter((time.monotonic(), time.monotonic() + 10))
    with room() as own:
        bot = own.pool.seat(fixture("ann"), [ANN], ())[0]
        assert isinstance(bot, Bot)
        reply = bot.ask(Ask(0, {}, ("less",), []), Clock(LIMITS, lambda: next(times)))
        assert isinstance(reply, Failure)
        assert reply.kind == FaultKind.TIMEOUT
        assert reply.detail == f"answered after {reply.ms:.1f} ms, 3000 ms were allowed"
        assert reply.ms == pytest.approx(10_000, abs=1)


def test_tcp_serves_as_well_as_ipc() -> None:
    with room() as own:
        result = own.play(*(replace(bot, transport="tcp") for bot in (ANN, BOB)))
        assert result.outcome.faults == ()
        assert list(own.sockets.iterdir()) == []
        bot = own.pool.get("ann")
        assert bot
        assert bot.channel.endpoint.startswith("tcp://127.0.0.1:")


def test_a_huge_frame_is_named_over_tcp_too(tmp_path: Path) -> None:
    with room() as own:
        bad = replace(entrant("Huge", ONCE=str(tmp_path / "once")), transport="tcp")
        (fault,) = own.play(bad, ANN, BOB).outcome.faults
        assert fault.kind == FaultKind.MALFORMED
        assert "a frame of more than 1048576 bytes" in fault.detail


def test_processes_are_kept_between_matches() -> None:
    with room(replace(TERMS, restart="auto")) as own:
        own.play(ANN, BOB, block=1)
        before = pids(own, "ann", "bob")
        own.play(BOB, ANN, block=2)
        assert pids(own, "ann", "bob") == before


def test_auto_replaces_a_process_before_a_block_that_it_has_met() -> None:
    with room(replace(TERMS, restart="auto")) as own:
        own.play(ANN, BOB, block=1)
        own.play(ANN, CYD, block=1)
        before = pids(own, "ann", "bob", "cyd")
        own.play(BOB, ANN, block=1)
        after = pids(own, "ann", "bob", "cyd")
        assert [a == b for a, b in zip(before, after, strict=True)] == [False, False, True]
        assert len(own.pids) == 5


def test_auto_replaces_a_process_before_the_same_cards_at_another_table() -> None:
    with room(replace(TERMS, restart="auto")) as own:
        own.play(ANN, BOB, seed="twin")
        before = pids(own, "ann")
        own.play(ANN, CYD, seed="twin")
        assert pids(own, "ann") != before


def test_auto_forgets_the_blocks_of_the_process_before() -> None:
    with room(replace(TERMS, restart="auto")) as own:
        for block in (1, 2):
            own.play(ANN, BOB, block=block)
        own.play(ANN, BOB, block=1)
        before = pids(own, "ann", "bob")
        own.play(ANN, BOB, block=2)
        assert pids(own, "ann", "bob") == before


def test_match_replaces_processes_before_every_match() -> None:
    with room(replace(TERMS, restart="match")) as own:
        for block in (1, 2):
            own.play(ANN, BOB, block=block)
        assert len(own.pids) == 4


def test_never_keeps_processes_for_blocks_that_they_have_met() -> None:
    with room(replace(TERMS, restart="never")) as own:
        for _ in range(3):
            own.play(ANN, BOB, block=1)
        assert len(own.pids) == 2


def test_a_suspended_bot_is_not_started() -> None:
    with room() as own:
        result = own.play(ANN, BOB, CYD, suspended={"bob"})
        (fault,) = result.outcome.faults
        assert (fault.seat, fault.kind) == (1, FaultKind.NOT_READY)
        assert fault.detail == "suspended: it did not get ready 3 times in a row"
        assert result.outcome.places == (1, 3, 1)
        assert own.pid("bob") is None
        assert len(own.pids) == 2


def test_idle_processes_beyond_the_number_kept_are_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_module, "KEPT", 1)
    with room() as own:
        own.play(ANN, BOB)
        bob = own.pid("bob")
        own.play(ANN, CYD)
        own.play(CYD, entrant(name="dan"))
        assert own.pid("bob") is None
        assert None not in pids(own, "ann", "cyd", "dan")
        if leftovers.can_look():
            assert bob not in leftovers.remaining("ROOM", own.mark, 0)


def test_a_void_match_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with room() as own:
        monkeypatch.setattr(LEAVES, "match_over", None)
        with pytest.raises(TypeError):
            own.play(ANN, BOB, CYD, game=LEAVES, terms=replace(TERMS, options={"max_turns": 9}))
        own.pool.clear("the match is void")
        assert pids(own, "ann", "bob", "cyd") == [None] * 3
        if leftovers.can_look():
            assert not leftovers.remaining("ROOM", own.mark, 0)


@pytest.fixture(params=["no pidfd", "kernel without pidfd"])
def _without_pidfd(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_pid: int) -> int:
        raise OSError("not here")

    if request.param == "kernel without pidfd":
        monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
    else:
        monkeypatch.delattr(os, "pidfd_open", raising=False)
        monkeypatch.delattr(os, "waitid", raising=False)


@pytest.mark.usefixtures("_without_pidfd")
@pytest.mark.parametrize(
    ("switch", "kind", "says"),
    [
        ("ExitsAtStart", FaultKind.NOT_READY, "exited with status 3 before it said hello"),
        ("ExitsInMatch", FaultKind.EXITED, "exited with status 4 instead of answering"),
        ("ForksAndExits", FaultKind.EXITED, "exited with status 0 instead of answering"),
    ],
)
def test_an_exit_is_noticed_without_pidfd(
    switch: str, kind: FaultKind, says: str, tmp_path: Path
) -> None:
    bad = entrant(switch, ONCE=str(tmp_path / "once"))
    with room() as own:
        (fault,) = own.play(ANN, bad, BOB).outcome.faults
        assert (fault.kind, fault.detail) == (kind, says)
        assert own.play(ANN, bad, BOB).outcome.faults == ()


@pytest.mark.usefixtures("_without_pidfd")
def test_an_exit_after_the_match_is_no_fault_without_pidfd(tmp_path: Path) -> None:
    bad = entrant("ExitsAfterMatchEnd", ONCE=str(tmp_path / "once"))
    with room() as own:
        for _ in range(2):
            assert own.play(ANN, bad).outcome.faults == ()
        assert len(own.pids) == 3


class User:
    """Starts bots by hand when the pool announces them."""

    def __init__(self, *switches: str) -> None:
        self.waiting = list(switches)
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, endpoint: str, token: str) -> None:
        assert name == "you"
        own = {"ARENA_ENDPOINT": endpoint, "ARENA_TOKEN": token}
        self.started.append(
            subprocess.Popen(
                (sys.executable, str(BAD), self.waiting.pop(0)),
                env=os.environ | own,
                stdin=subprocess.PIPE,
            )
        )

    def close(self) -> None:
        for process in self.started:
            assert process.stdin
            process.stdin.close()
            process.wait(10)


YOU = replace(entrant(name="you"), manual=True, command=())
BRIEF = replace(TERMS, limits=Limits(start=10_000, first_move=3_000, move=150))


@contextlib.contextmanager
def by_hand(*switches: str, terms: Terms = BRIEF) -> Iterator[tuple[Room, User]]:
    """A room and a user who starts a bot with the next switch each time one is asked for."""
    user = User(*switches)
    with room(terms, announce=user.start) as own, contextlib.closing(user):
        yield own, user


def test_a_bot_started_by_hand_has_no_limits_and_is_kept() -> None:
    with by_hand("Slow") as (own, user):
        for block in (1, 2):
            result = own.play(YOU, ANN, block=block)
            assert result.outcome.faults == ()
            assert max(ms or 0 for seat, _, ms in result.deals[0].actions if seat == 0) > 150
        assert own.pids == {own.pid("ann")}
        assert len(user.started) == 1


@pytest.mark.parametrize("restart", ["auto", "match"])
def test_a_bot_started_by_hand_is_never_replaced(restart: Any) -> None:
    with by_hand("Bot", terms=replace(BRIEF, restart=restart)) as (own, user):
        for _ in range(2):
            assert own.play(YOU, ANN).outcome.faults == ()
        assert len(user.started) == 1


def test_the_exit_of_a_bot_started_by_hand_is_noticed_and_another_is_asked_for() -> None:
    with by_hand("ExitsInMatch", "Bot") as (own, _):
        (fault,) = own.play(YOU, ANN, BOB).outcome.faults
        assert fault.kind == FaultKind.EXITED
        assert fault.detail == "closed its connection instead of answering"
        assert own.play(YOU, ANN, BOB).outcome.faults == ()


def test_a_bot_started_by_hand_that_left_between_matches_is_asked_for_again() -> None:
    with by_hand("ExitsAfterMatchEnd", "Bot") as (own, user):
        for _ in range(2):
            assert own.play(YOU, ANN).outcome.faults == ()
        assert len(user.started) == 2


class Stop(Exception):
    """What an interrupt raises in these tests."""


class Stopper:
    """A pipe that the runner may write to, watched while bots are waited for."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        self._pulled = False
        self.interrupt = Interrupt(self._read, self._stop)

    def pull(self) -> None:
        if not self._pulled:
            self._pulled = True
            os.write(self._write, b"x")

    def _stop(self) -> None:
        os.read(self._read, 1)
        raise Stop

    def close(self) -> None:
        os.close(self._read)
        os.close(self._write)


class AtDealStart:
    """Pulls when a deal starts."""

    def __init__(self, stopper: Stopper) -> None:
        self._stopper = stopper

    def deal_start(self, *_: Any) -> None:
        self._stopper.pull()

    def decision(self, *_: Any) -> None:
        pass

    def deal_end(self, *_: Any) -> None:
        pass

    def match_end(self, *_: Any) -> None:
        pass


@pytest.fixture
def stopper() -> Iterator[Stopper]:
    created = Stopper()
    yield created
    created.close()


FOR_EVER = Limits(3_600_000, 3_600_000, 3_600_000)


@pytest.mark.parametrize("switch", ["Bot", "Slow", "Hangs", "NeverConnects", "IgnoresSigterm"])
def test_an_interrupt_goes_through_and_closing_leaves_nothing(
    switch: str, stopper: Stopper
) -> None:
    terms = replace(TERMS, limits=FOR_EVER)
    with room(terms, interrupt=stopper.interrupt) as own:
        if switch == "NeverConnects":
            stopper.pull()

        def play_on() -> None:
            while True:  # a bot that answers at once is not always waited for in its first match
                own.play(entrant(switch), ANN, BOB, watcher=AtDealStart(stopper))

        with pytest.raises(Stop):
            play_on()


def test_a_match_that_is_not_finished_ends_for_its_bots_with_bye(stopper: Stopper) -> None:
    heard: list[protocol.FromArena] = []

    def listen(bot: str, sender: str, frame: bytes) -> None:
        if (bot, sender) == ("ann", "arena"):
            heard.append(protocol.decode_arena(frame))

    with room(replace(TERMS, limits=FOR_EVER), interrupt=stopper.interrupt, wire=listen) as own:
        with pytest.raises(Stop):
            own.play(ANN, entrant("Hangs"), BOB, watcher=AtDealStart(stopper))
        own.pool.close()
    kinds = [type(message) for message in heard]
    assert kinds[:3] == [protocol.Welcome, protocol.MatchStart, protocol.DealStart]
    assert heard[-1] == protocol.Bye("no more matches are played")
    assert protocol.DealEnd not in kinds
    assert protocol.MatchEnd not in kinds


def test_an_interrupt_that_does_not_raise_changes_nothing(stopper: Stopper) -> None:
    calls = []
    quiet = Interrupt(
        stopper.interrupt.descriptor, lambda: calls.append(os.read(quiet.descriptor, 1))
    )
    stopper.pull()
    with room(interrupt=quiet) as own:
        assert own.play(ANN, BOB).outcome.faults == ()
    assert calls == [b"x"]


def test_all_bots_of_a_room_are_gone_within_two_seconds() -> None:
    stubborn = [entrant("IgnoresSigterm", name=f"bot{n}") for n in range(4)]
    with room(replace(TERMS, limits=LIMITS, options={"rounds": 1})) as own:
        assert own.play(*stubborn).outcome.faults == ()
        assert len(own.pids) == 4
