"""The choice between actions by simulations in common worlds."""

import itertools
import random
from collections.abc import Callable

from arena import games


def noisy(means: dict[str, float], asked: list[tuple[str, int]]) -> Callable[[str, int], float]:
    """Return values that differ from world to world much more than from action to action."""

    def value(action: str, world: int) -> float:
        asked.append((action, world))
        return means[action] + 10 * random.Random(world).random()

    return value


def test_the_best_action_is_found_behind_the_luck_that_all_share() -> None:
    asked: list[tuple[str, int]] = []
    value = noisy({"a": 0.1, "b": 0.3, "c": 0.2}, asked)
    assert games.race("abc", value, 90) == "b"
    assert len(asked) <= 90


def test_actions_meet_the_same_worlds_in_order() -> None:
    asked: list[tuple[str, int]] = []
    games.race("ab", lambda action, world: asked.append((action, world)) or 0.0, 40)
    assert asked == [(action, world) for world in range(20) for action in "ab"]


def test_an_action_that_has_fallen_behind_is_given_up() -> None:
    asked: list[tuple[str, int]] = []
    means = {"a": 1.0, "b": 0.0, "c": 1.0}
    assert games.race("abc", noisy(means, asked), 300) == "a"
    assert sum(action == "b" for action, _ in asked) < sum(action == "c" for action, _ in asked)


def test_the_favourite_is_kept_unless_another_one_is_clearly_ahead() -> None:
    luck = [1.0, -0.9]

    def value(action: str, world: int) -> float:
        return luck[world % 2] if action == "b" else 0.0

    assert games.race("ab", value, 40) == "b"
    assert games.race("ab", value, 40, margin=1.0) == "a"
    assert games.race("ab", lambda action, _: float(action == "b"), 40, margin=9.0) == "b"


def test_a_race_ends_when_it_is_told_to() -> None:
    asked: list[tuple[str, int]] = []
    looks = itertools.count()
    value = noisy({"a": 0.0, "b": 0.0}, asked)
    games.race("ab", value, 1000, stop=lambda: next(looks) == 2)
    assert max(world for _, world in asked) == 19


def test_one_action_or_too_few_simulations_need_no_world() -> None:
    asked: list[tuple[str, int]] = []
    value = noisy({"a": 0.0, "b": 5.0}, asked)
    assert games.race(["a"], value, 1000) == "a"
    assert games.race("ab", value, 3) == "a"
    assert asked == []
