"""Take the first legal action."""

from arena.bot import Observation, run


def choose(_: Observation, legal: list[str]) -> str:
    return legal[0]


run(choose)
