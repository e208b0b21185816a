"""Shed as many cards as possible; else take the card that the hand has most of."""

from arena.bot import Observation, run


def choose(observation: Observation, legal: list[str]) -> str:
    hand = observation["hand"]

    def appeal(action: str) -> tuple[int, int]:
        value, _, count = action.split()[1].partition("x")
        return int(count or 0), hand.count(int(value))

    return max(legal, key=appeal)


if __name__ == "__main__":
    run(choose)
