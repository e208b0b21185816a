"""The program that fits the networks of ``search-thirteen``."""

import importlib
import random
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from in_process import BOTS, modules_of

SHIPPED = BOTS / "search-thirteen"


@pytest.fixture(scope="module")
def bot() -> Iterator[SimpleNamespace]:
    """Return the modules of the bot."""
    with modules_of("search-thirteen"):
        yield SimpleNamespace(
            **{name: importlib.import_module(name) for name in ("fit", "network")}
        )


def test_what_a_deal_gives_is_as_long_as_what_the_shipped_networks_see(
    bot: SimpleNamespace,
) -> None:
    gathered = bot.fit.gather(3, seed=1)
    for name in ("kept", "stock"):
        with np.load(SHIPPED / f"{name}.npz") as stored:
            assert {len(features) for features, _ in gathered[name]} == {len(stored["weights1"])}


def test_a_hand_is_told_half_of_what_comes_next_and_half_of_the_end(
    bot: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.fit, "LAMBDA", 0.5)
    learner = bot.fit.Learner(random.Random(1))
    for value, chance, before in [(1.0, False, None), (4.0, False, [0.5]), (2.0, True, None)]:
        learner.kept.append(bot.fit.Kept([value], value, chance, before))
    told = list(learner.told(8.0))
    assert told == [
        ("kept", [2.0], 8.0),
        # what came after chance had a part in it is not told, only what was said of it
        ("stock", [0.5], (4.0 + 2.0) / 2),
        ("kept", [1.0], (4.0 + 2.0) / 2),
    ]


def test_a_fitted_network_tells_what_it_was_fitted_to(bot: SimpleNamespace) -> None:
    rng = np.random.default_rng(1)
    seen = rng.standard_normal((4000, 5)) * [1, 1, 1, 10, 0] + [0, 0, 3, 0, 7]
    told = 2 * seen[:, 0] - np.abs(seen[:, 1]) + 0.1 * seen[:, 3]
    samples = [
        (list(map(float, features)), float(y)) for features, y in zip(seen, told, strict=True)
    ]
    weights = bot.fit.fit(samples, seed=1)
    shipped = bot.network.Network("kept")
    shipped.use(weights)
    found = [shipped.value(features) for features, _ in samples[:500]]
    assert np.mean((found - told[:500]) ** 2) < 0.1 * told.var()
