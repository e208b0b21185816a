"""Count the cards: what the rivals took, what is still in the deal, who may go out next.

Each action is judged by the hand that it leaves and by the table that the rivals then meet.
"""

from math import comb

from arena.bot import Bot, Event, Message, Observation, run

VALUES = range(1, 14)
COPIES = (0, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2)

MIDDLE = 0.6
"""What a group in the middle of the cards still in the deal costs more than one at an end."""
COMPANY = 0.29
"""What each of up to three more cards takes off the cost of a group."""
HURRY = 0.6
"""What a card in hand costs when a rival has one card left, half of it for two cards, ..."""


class Counter(Bot):
    """Remembers for each seat how many cards of each value it is known to hold."""

    def deal_start(self, message: Message) -> None:
        self.known = [[0] * 14 for _ in message["observation"]["counts"]]

    def events(self, events: list[Event]) -> None:
        for seat, action in events:
            value, count = parse(action)
            known = self.known[seat]
            known[value] = max(0, known[value] - count) if count else known[value] + 1

    def choose(self, observation: Observation, legal: list[str]) -> str:
        view = View(observation, self.known)
        return min(legal, key=view.cost)


class View:
    """What one decision depends on; lists are by value, from 0 to 13."""

    def __init__(self, observation: Observation, known: list[list[int]]) -> None:
        me, sizes, passed = observation["seat"], observation["counts"], observation["passed"]
        rivals = [seat for seat in range(len(sizes)) if seat != me]
        self.hand: list[int] = [observation["hand"].count(value) for value in range(14)]
        self.table: dict[int, int] = dict(observation["table"])
        self.fewest: int = min(sizes[seat] for seat in rivals)
        live = [0] + [COPIES[value] - observation["discarded"][value - 1] for value in VALUES]
        self.middle = [
            2 * min(sum(live[:value]), sum(live[value + 1 :])) / sum(live) for value in range(14)
        ]
        unseen = [
            live[value]
            - self.hand[value]
            - self.table.get(value, 0)
            - sum(known[seat][value] for seat in rivals)
            for value in range(14)
        ]
        self.rivals: list[tuple[int, list[float]]] = [
            (sizes[seat], uniform(known[seat], unseen, sizes[seat]))
            for seat in rivals
            if not passed[seat]
        ]

    def cost(self, action: str) -> float:
        """Return how bad the position after an action is; 0 is going out."""
        value, count = parse(action)
        hand, table = self.hand.copy(), dict(self.table)
        if count:
            hand[value] -= count
            table[value] = table.get(value, 0) + count
        else:
            hand[value] += 1
            table[value] -= 1
            if len(self.rivals) == 1:
                table.clear()
        least = required(table)
        danger = sum(
            chances[value]
            for size, chances in self.rivals
            for value in VALUES
            if least[value] <= size
        )
        groups = sum(self.group(value, hand[value]) for value in VALUES if hand[value])
        return groups + sum(hand) * (HURRY / self.fewest + danger)

    def group(self, value: int, count: int) -> float:
        """Return how hard it is to get rid of all cards of a value."""
        return 1 + MIDDLE * self.middle[value] - COMPANY * min(count - 1, 3)


def uniform(known: list[int], unseen: list[int], size: int) -> list[float]:
    """Return for each value the chance that all cards of a hand have it."""
    hidden = size - sum(known)
    hands = comb(sum(unseen), hidden)
    return [
        comb(unseen[value], hidden) / hands if known[value] + hidden == size else 0.0
        for value in range(14)
    ]


def required(table: dict[int, int]) -> list[int]:
    """Return for each value how many cards of it must be played on a table, 99 if it is closed."""
    stacks = [value for value, count in table.items() if count]
    if not stacks:
        return [1] * 14
    low, high = min(stacks), max(stacks)
    return [
        min(table[low] if value <= low else 99, table[high] if value >= high else 99)
        for value in range(14)
    ]


def parse(action: str) -> tuple[int, int]:
    """Return the value and the number of cards played, 0 for a pass."""
    value, _, count = action.split()[1].partition("x")
    return int(value), int(count or 0)


if __name__ == "__main__":
    run(Counter)
