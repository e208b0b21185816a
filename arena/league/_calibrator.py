"""A bot that uses the processor for the milliseconds that WORK_MS tells, and then answers."""

import os
import time
from typing import Any

from arena.bot import run


def main() -> None:
    """Play first actions until the arena wants no more."""
    seconds = float(os.environ["WORK_MS"]) / 1000

    def choose(_observation: dict[str, Any], legal: list[str]) -> str:
        until = time.thread_time() + seconds
        while seconds and time.thread_time() < until:
            pass
        return legal[0]

    run(choose)


if __name__ == "__main__":
    main()
