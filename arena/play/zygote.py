"""A Python interpreter that has loaded what bots import, and becomes one by each fork.

    python -P -m arena.play.zygote DESCRIPTOR PARENT

serves the ``Launcher`` of the process PARENT over one end of a pair of sockets, and ends with it.
What is told of a bot, its token too, is read after the fork only, by the process that becomes the
bot: no other has it in its memory.
"""

import atexit
import ctypes
import gc
import importlib
import io
import json
import os
import resource
import signal
import socket
import sys
import threading
import types
from pathlib import Path
from typing import Any

LOADED = ("arena.bot", "msgspec.json")
READY = b"ready"
"""What a fork says that is about to run a bot; any other says what is the matter."""
LARGEST = 1 << 16
"""Bytes of the longest message but the orders of a fork, which have no bound."""
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38


def main(descriptor: int, parent: int) -> None:
    """Fork when the launcher asks for it until it is gone; in each fork be the bot."""
    end_with(parent)
    for name in LOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=descriptor) as launcher:
        bot = _serve(launcher)
    if bot:
        order = _confined(bot)
        _play(order["script"])


def end_with(parent: int) -> None:
    """Let the kernel kill this process as soon as its parent is gone."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _serve(launcher: socket.socket) -> socket.socket | None:
    """Do what is asked; return the socket of its own in a fork, None when nobody asks any more."""
    zygote = os.getpid()
    while True:
        frame, received, _, _ = socket.recv_fds(launcher, LARGEST, 1)
        if not frame:
            return None
        request = json.loads(frame)
        answer: int | None
        if received:
            answer = os.fork()
            if not answer:
                end_with(zygote)
                return socket.socket(fileno=received[0])
            os.close(received[0])
        elif request["reap"]:
            answer = os.waitstatus_to_exitcode(os.waitpid(request["pid"], 0)[1])
        else:
            answer = peek(request["pid"])
        launcher.send(json.dumps(answer).encode())


def peek(pid: int) -> int | None:
    """Return the return code of a child that has ended, without reaping it, None while it runs."""
    result = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    if result is None:
        return None
    return result.si_status if result.si_code == os.CLD_EXITED else -result.si_status


def _confined(bot: socket.socket) -> dict[str, Any]:
    """Enter the surroundings that the launcher sends, and say so; return all that it sent.

    The process ends when it cannot enter them, after it has said why not.
    """
    with bot:
        _, descriptors, _, _ = socket.recv_fds(bot, 1, 2)
        with bot.makefile("rb") as told:
            order: dict[str, Any] = json.load(told)
        try:
            _enter(order, descriptors)
        except (OSError, ValueError) as error:
            bot.send(str(error).encode("utf-8", "backslashreplace"))
            os._exit(1)
        bot.send(READY)
    return order


def _enter(order: dict[str, Any], descriptors: list[int]) -> None:
    os.setsid()
    for path in order["entrances"]:
        Path(path).write_text(str(os.getpid()))
    for kind, most in order["limits"]:
        resource.setrlimit(kind, (most, most))
    if order["no_new_privs"]:
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    stdin, log = descriptors
    for source, target in ((stdin, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.close(stdin)
    os.close(log)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])


def _play(script: str) -> None:
    """Run a script as ``python SCRIPT`` does, and end the process with its status."""
    sys.argv[:] = sys.orig_argv[1:] = [script]
    sys.path.insert(0, os.path.dirname(os.path.realpath(script)))
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    status = 0
    try:
        with io.open_code(script) as file:
            code = compile(file.read(), script, "exec", dont_inherit=True)
        exec(code, module.__dict__)
    except SystemExit as leaving:
        status = _status(leaving)
    except BaseException as error:
        own = error.__traceback__
        below = own and own.tb_next
        sys.excepthook(type(error), error.with_traceback(below), below)
        status = 1
    _end(status)


def _status(leaving: SystemExit) -> int:
    if leaving.code is None or isinstance(leaving.code, int):
        return leaving.code or 0
    print(leaving.code, file=sys.stderr)
    return 1


def _end(status: int) -> None:
    """End as an interpreter does, without taking apart what it shares with the zygote: that would
    copy most of its memory."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream and not stream.closed:
            stream.flush()
    os._exit(status & 0xFF)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl failed")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
