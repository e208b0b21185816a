"""Take any legal action, each equally likely."""

import random

from arena.bot import Observation, run


def choose(_: Observation, legal: list[str]) -> str:
    return random.choice(legal)


if __name__ == "__main__":
    run(choose)
