"""Lower the penalty of the hand with every card, and go out as soon as possible."""

from arena.bot import Observation, run
from arena.games.thirteen import RANKS, least_penalty


def choose(observation: Observation, legal: list[str]) -> str:
    hand = observation["hand"]
    if observation["phase"] == "draw":
        taken = [*hand, observation["top"]]
        least = min(penalty(without(taken, card), observation) for card in set(taken))
        return legal[-1] if least < observation["best"]["penalty"] else legal[0]
    if legal[0].startswith("out"):
        return legal[0]

    def loss(action: str) -> tuple[int, int]:
        card = action.split()[1]
        rest = without(hand, card)
        return penalty(rest, observation), sum(fits(card, other) for other in rest)

    return min(legal, key=loss)


def penalty(hand: list[str], observation: Observation) -> int:
    return least_penalty(hand, observation["wild"], observation["ace"])


def without(hand: list[str], card: str) -> list[str]:
    rest = hand.copy()
    rest.remove(card)
    return rest


def fits(card: str, other: str) -> bool:
    """Return whether two cards may meet in a meld."""
    if card[0] == other[0]:
        return True
    return card[1] == other[1] and abs(RANKS.index(card[0]) - RANKS.index(other[0])) < 3


if __name__ == "__main__":
    run(choose)
