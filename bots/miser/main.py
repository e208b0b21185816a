"""Keep pairs and ends: play whole groups only, small and inner ones first; else pass."""

from arena.bot import Observation, run


def choose(observation: Observation, legal: list[str]) -> str:
    hand = observation["hand"]

    def thrift(action: str) -> tuple[int, int, int]:
        value, count = parse(action)
        held = hand.count(value)
        outer = abs(value - 7)
        if not count:
            return 1, -held, -outer
        return (0 if count == held else 2), count, outer

    return min(legal, key=thrift)


def parse(action: str) -> tuple[int, int]:
    """Return the value and the number of cards played, 0 for a pass."""
    value, _, count = action.split()[1].partition("x")
    return int(value), int(count or 0)


if __name__ == "__main__":
    run(choose)
