"""Figures of the rules in process, beside the machine's own speed and a peer's."""

import json
import random
import statistics
import time

from bench_figure import Figure, rounds_of

from arena.games import load
from arena.games._melds import arrange, least_penalty

PEER = "OpenSpiel's gin rummy"
RANKS = "A23456789TJQK"
CARDS = [rank + suit for rank in RANKS for suit in "CDHS"]


def random_play(key: str, players: int, seconds: float) -> float:
    """Return decisions per second of random play of a game in this process."""
    game, rng = load(key), random.Random(1)
    options = game.resolve({}, players)
    decisions, deals, start = 0, 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        deals += 1
        state = game.deal(players, "bench", deals, options)
        while state.to_act is not None:
            state = state.apply(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions / spent


def open_spiel_play(seconds: float) -> float:
    """Return decisions per second of random play of OpenSpiel's gin rummy, 0 without it."""
    try:
        import pyspiel
    except ImportError:
        return 0.0
    game, rng = pyspiel.load_game("gin_rummy"), random.Random(1)
    decisions, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return decisions / spent


def json_dumps() -> float:
    """Return microseconds of ``json.dumps`` of an observation of 1,300 bytes."""
    event = {"seat": 2, "action": "play 7x3", "hand": 11, "ms": 0.31}
    observation = {"hand": list(range(13)), "events": [event] * 22}
    observation["pad"] = "x" * (1300 - len(json.dumps(observation)) - 9)
    start, count = time.perf_counter(), 20_000
    for _ in range(count):
        json.dumps(observation).encode()
    return (time.perf_counter() - start) / count * 1e6


def rule_figures(rounds: int, seconds: float) -> list[Figure]:
    """Measure random play, beside the machine's own speed and OpenSpiel's where it is there."""
    median = rounds_of(
        rounds,
        {
            "leaves": lambda: random_play("leaves", 4, seconds),
            "thirteen": lambda: random_play("thirteen", 2, seconds),
            "peer": lambda: open_spiel_play(seconds),
            "json": json_dumps,
        },
    )
    figures = [
        Figure("json.dumps of 1,300 bytes", median["json"], "µs"),
        Figure("random play of 13 Leaves", median["leaves"], "decisions/s", 250_000, 300_000),
        Figure("random play of Thirteen, 2 seats", median["thirteen"], "decisions/s"),
    ]
    if not median["peer"]:
        figures.append(Figure("extra bench is missing: no OpenSpiel", 0.0, "", 0.75, 1.0))
    else:
        ratio = median["thirteen"] / median["peer"]
        figures += [
            Figure(PEER, median["peer"], "decisions/s"),
            Figure(f"Thirteen / {PEER}", ratio, "", 0.75, 1.0),
        ]
    return figures


def meld_figures(hands: int) -> list[Figure]:
    """Time the least penalty over hands met in play, and over random hands of four decks."""
    met = [milliseconds(*hand) for hand in met_in_play(deals=110)]
    rng = random.Random(2)
    worst = max(milliseconds(*random_hand(rng)) for _ in range(hands))
    return [
        Figure("least penalty, mean over play", statistics.mean(met), "ms", 0.3, least=False),
        Figure(f"worst of {hands:,} hands of 14", worst, "ms", 20.0, least=False),
    ]


Hand = tuple[list[int], int]
"""Cards, ascending, and the rank of the wilds."""


def milliseconds(cards: list[int], wild: int) -> float:
    """Return how long it takes to arrange a hand, for either ace."""
    start = time.perf_counter()
    least_penalty(cards, wild, ace_high=False)
    arrange(cards, wild, ace_high=True)
    return (time.perf_counter() - start) * 1e3 / 2


def met_in_play(deals: int) -> list[Hand]:
    """Return the hands of the seats to act in deals of random play."""
    game, rng = load("thirteen"), random.Random(3)
    options = game.resolve({}, 4)
    met: list[Hand] = []
    for number in range(1, deals + 1):
        state = game.deal(4, "bench", number, options)
        while state.to_act is not None:
            seen = state.observe(state.to_act)
            met.append((sorted(map(CARDS.index, seen["hand"])), RANKS.index(seen["wild"])))
            state = state.apply(rng.choice(state.legal_actions()))
    return met


def random_hand(rng: random.Random) -> Hand:
    """Return 14 cards of four decks, any number of them wild."""
    wild = rng.randrange(13)
    wilds = [card for card in range(52) if card >> 2 == wild] * 4
    others = [card for card in range(52) if card >> 2 != wild] * 4
    count = rng.randint(0, 14)
    return sorted(rng.sample(wilds, count) + rng.sample(others, 14 - count)), wild
