"""Run in a box before a bot that speaks tcp: give the arena a socket of the box's own network.

    python -I -S handover.py DESCRIPTOR PORT COMMAND...

listens on the loopback of the box, sends the listening socket to the arena over the descriptor,
and becomes the command. The box has no way to any other network.
"""

import os
import socket
import sys


def main(descriptor: int, port: int, command: list[str]) -> None:
    """Hand the listener over and run the command in place of this program."""
    with (
        socket.create_server(("127.0.0.1", port)) as listener,
        socket.socket(fileno=descriptor) as arena,
    ):
        socket.send_fds(arena, [b"\0"], [listener.fileno()])
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
