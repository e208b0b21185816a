"""The data of replays: all states of a match, and for a seat nothing that it did not know."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from matches import played, scenes, states
from msgspec.structs import replace

from arena import games
from arena.errors import ConfigError, ReplayError
from arena.games.base import Game, State
from arena.model import DealRecord, FaultKind, MatchResult, Terms
from arena.play.again import Question, conversation
from arena.play.referee import Failure
from arena.play.staged import Staged
from arena.views.html.replay import replay, step_of

NAMES = ("ann", "bob", "cy", "dee")
PLUGIN = Path(__file__).parents[1] / "e2e" / "plugin"
LATE = Failure(FaultKind.TIMEOUT, "no answer in 1000 ms", 1000.0)
GAMES: dict[str, dict[str, Any]] = {
    "leaves": {},
    "thirteen": {"max_turns": 40},
    "high_card:PLUGIN": {"deals": 3},
}
"""The games, with options of matches that are not too long."""
SAMPLE = 8
"""Decisions of a seat at which another world is tried."""


@pytest.fixture(scope="module", params=GAMES)
def key(request: pytest.FixtureRequest) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PLUGIN))
        yield request.param


@pytest.fixture(scope="module")
def game(key: str) -> Game:
    return games.load(key)


@pytest.fixture(scope="module")
def result(key: str, game: Game) -> MatchResult:
    return played(game, NAMES, options=GAMES[key])


def test_all_states_are_there_in_order(game: Game, result: MatchResult) -> None:
    every = states(result, game)
    shown = scenes(replay(result, game))
    assert [scene["act"] for scene in shown] == [state.to_act for state in every]
    for scene, state in zip(shown, every, strict=True):
        compare(scene, state)


def compare(scene: dict[str, Any], state: State) -> None:
    """Compare a scene of all there is with the observations of all seats."""
    if "text" in scene:
        assert scene["text"] == state.text()
        return
    for seat, name in enumerate(NAMES):
        view = state.observe(seat)
        hand = scene[f"hand{seat}"].replace("|", " ").split()
        assert Counter(hand) == Counter(map(str, view["hand"])), name
        assert not Counter(scene[f"seen{seat}"].replace("|", " ").split()) - Counter(hand)
        if "row" in scene:
            assert scene["row"] == " ".join(f"{value}x{count}" for value, count in view["table"])
            assert scene["gone"] == sum(view["discarded"])
        else:
            pile = scene["pile"].split()
            assert [pile[-1] if pile else None, scene["stock"]] == [view["top"], view["stock"]]
            assert scene["wild"] == view["wild"]


@pytest.mark.parametrize("seat", range(len(NAMES)))
def test_a_seat_is_shown_what_it_was_sent(game: Game, result: MatchResult, seat: int) -> None:
    shown = replay(result, game, seat)
    told = scenes(shown)
    base = [sum(len(deal.actions) + 1 for deal in result.deals[:n]) for n in range(len(told))]
    taken: list[Counter[str]] = []
    for said in conversation(result, Terms(game.key), game, seat):
        if not isinstance(said, Question):
            continue
        scene, sent = told[base[said.deal - 1] + said.index], said.ask.observation
        if "hand" not in sent or "text" in scene or f"text{seat}" in scene:
            assert scene[f"text{seat}"] == said.state.text(seat)
            continue
        assert Counter(scene[f"hand{seat}"].replace("|", " ").split()) == Counter(
            map(str, sent["hand"])
        )
        counts = [scene.get(f"count{other}") for other in range(len(NAMES))]
        assert counts == [
            None if other == seat else count for other, count in enumerate(sent["counts"])
        ]
        seen = [sorted(scene[f"seen{other}"].replace("|", " ").split()) for other in range(4)]
        if "known" in sent:
            assert seen == [sorted(cards) for cards in sent["known"]]
        else:
            taken = taken_by_all(result.deals[said.deal - 1], said.index)
            assert seen == [sorted(cards.elements()) for cards in taken]


def taken_by_all(deal: DealRecord, until: int) -> list[Counter[str]]:
    """Return the cards of 13 Leaves that each seat was seen to take and holds still."""
    taken: list[Counter[str]] = [Counter() for _ in NAMES]
    for seat, action, _ in deal.actions[:until]:
        verb, _, card = action.partition(" ")
        value, _, count = card.partition("x")
        if verb == "pass":
            taken[seat][value] += 1
        else:
            taken[seat] -= Counter({value: int(count)})
    return taken


@pytest.mark.parametrize("seat", range(len(NAMES)))
def test_a_seats_data_are_the_same_whatever_it_cannot_see(
    game: Game, result: MatchResult, seat: int
) -> None:
    rng = random.Random(seat)
    asked = [
        said
        for said in conversation(result, Terms(game.key, result.options), game, seat)
        if isinstance(said, Question)
    ]
    other_worlds = 0
    for question in rng.sample(asked, min(SAMPLE, len(asked))):
        world = question.state.resample(seat, rng)
        here, there = (until(result, game, question, state) for state in (question.state, world))
        assert replay(*here, seat) == replay(*there, seat)
        other_worlds += replay(*here) != replay(*there)
    assert other_worlds


def until(
    result: MatchResult, game: Game, question: Question, state: State
) -> tuple[MatchResult, Game]:
    """Return the deal of a question that breaks off in a state, and a game that deals it so."""
    actions = result.deals[question.deal - 1].actions[: question.index]
    cut = DealRecord(state.record(), actions, None, truncated=False)
    return replace(result, deals=(cut,)), cast(Game, Staged(game, {1: state.record()}.get))


def test_a_seat_is_not_told_the_times_and_faults_of_others(game: Game, key: str) -> None:
    result = played(game, NAMES, options=GAMES[key], failures={1: LATE})
    (fault,) = result.outcome.faults
    assert [shown["kind"] for shown in replay(result, game).faults] == ["timeout"]
    own, other = (replay(result, game, seat) for seat in (fault.seat, (fault.seat + 1) % 4))
    assert [shown["detail"] for shown in own.faults] == [LATE.detail]
    assert other.faults == ()
    for shown in (own, other):
        timed = {
            scene["act"]
            for deal in shown.deals
            for scene, (_, ms, _) in zip(
                scenes(replace(shown, deals=(deal,))), deal["moves"], strict=False
            )
            if ms is not None
        }
        assert timed <= {shown.seat}


def test_a_fault_is_at_the_move_that_was_made_in_its_place() -> None:
    game = games.load("leaves")
    result = played(game, NAMES[:3], failures={30: LATE}, absent={1: LATE})
    absent, late = result.outcome.faults
    assert step_of(result, absent) == 0
    shown = replay(result, game)
    assert [fault["step"] for fault in shown.faults] == [0, step_of(result, late)]
    steps = [
        (number, index)
        for number, deal in enumerate(result.deals, 1)
        for index in range(len(deal.actions) + 1)
    ]
    assert late.action is not None
    assert steps[step_of(result, late)] == (late.deal, late.action + 1)
    _, action, ms = result.deals[late.deal - 1].actions[late.action]
    assert (ms, shown.forfeited) == (None, (1, late.seat))
    assert action in shown.labels


def test_labels_have_the_faces_of_cards() -> None:
    game = games.load("thirteen")
    shown = replay(played(game, NAMES[:2], options={"max_turns": 30}), game)
    assert "draw stock" in shown.labels
    assert any(label.startswith("discard 10") for label in shown.labels)
    assert not any(label[-1] in "CDHS" for label in shown.labels if label.startswith("discard"))


def test_a_match_of_thirteen_takes_less_than_100_kilobytes() -> None:
    game = games.load("thirteen")
    result = played(game, NAMES, options={"max_turns": 80})
    assert sum(len(deal.actions) for deal in result.deals) > 500
    shown = replay(result, game)
    assert shown.size == len(msgspec.json.encode(shown)) < 100_000


def test_there_is_no_such_seat(game: Game, result: MatchResult) -> None:
    with pytest.raises(ConfigError, match="there is no seat 4: the match has 0 to 3"):
        replay(result, game, 4)


def test_a_record_of_other_rules_is_an_error(game: Game, result: MatchResult) -> None:
    wrong = replace(result, block_seed="other")
    with pytest.raises(ReplayError, match="the record does not fit the game"):
        replay(wrong, game)
