"""Go out when that is possible, else discard the dearest card that is in no meld."""

from arena.bot import Observation, run

FACES = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}


def choose(observation: Observation, legal: list[str]) -> str:
    wild = observation["wild"]
    if observation["phase"] == "draw":
        top = observation["top"]
        return "draw discard" if top and top[0] == wild else legal[0]
    if legal[0].startswith("out"):
        return legal[0]
    loose: list[str] = observation["best"]["rest"] or observation["hand"]
    useless = [card for card in loose if card[0] != wild] or loose
    return "discard " + max(useless, key=points)


def points(card: str) -> int:
    return FACES.get(card[0]) or int(card[0])


run(choose)
