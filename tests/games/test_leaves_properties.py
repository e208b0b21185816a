"""What holds in every deal of 13 Leaves, by random play."""

import hashlib
import random
import struct
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.base import IllegalAction
from arena.games.leaves import PLUGIN, LeavesState, start

COPIES = [2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2]
EVERY_ACTION = [
    *(f"play {value}x{n}" for value, most in enumerate(COPIES, 1) for n in range(1, most + 1)),
    *(f"pass {value}" for value in range(1, 14)),
]


@st.composite
def positions(draw: st.DrawFn) -> tuple[LeavesState, list[str]]:
    """Return a state that random play reached, and the actions that led to it."""
    players = draw(st.integers(3, 6))
    rng = random.Random(draw(st.integers(0, 2**32)))
    options = PLUGIN.resolve({"hand_size": draw(st.integers(1, 62 // players))}, players)
    state = PLUGIN.deal(players, str(rng.random()), draw(st.integers(1, 99)), options)
    actions: list[str] = []
    for _ in range(draw(st.integers(0, 60))):
        if state.to_act is None:
            break
        actions.append(rng.choice(state.legal_actions()))
        state = state.apply(actions[-1])
    return state, actions


def allowed(state: LeavesState) -> list[str]:
    """Return the legal actions as the rules L05 to L13 say it, read from what is observed."""
    assert state.to_act is not None
    seen = state.observe(state.to_act)
    row = dict(seen["table"])
    actions = []
    for action in EVERY_ACTION:
        verb, _, rest = action.partition(" ")
        value, _, count = rest.partition("x")
        if verb == "pass":
            fits = int(value) in row
        else:
            ends = [low for low in [min(row, default=0)] if row and int(value) <= low]
            ends += [high for high in [max(row, default=0)] if row and int(value) >= high]
            fits = seen["hand"].count(int(value)) >= int(count) and (
                not row or any(int(count) >= row[end] for end in ends)
            )
        if fits:
            actions.append(action)
    return actions


def counted(cards: list[int]) -> list[int]:
    return [cards.count(value) for value in range(1, 14)]


@given(positions())
def test_legal_actions_are_those_of_the_rules_in_order(
    position: tuple[LeavesState, list[str]],
) -> None:
    state, _ = position
    if state.to_act is not None:
        assert list(state.legal_actions()) == allowed(state) != []


@given(positions())
def test_the_fewest_cards_that_may_be_played_are_those_of_the_legal_plays(
    position: tuple[LeavesState, list[str]],
) -> None:
    state, _ = position
    if state.to_act is not None:
        held = zip(state.needed, state.hands[state.to_act], strict=True)
        plays = [
            f"play {value}x{count}"
            for value, (least, most) in enumerate(held, 1)
            for count in range(least, most + 1)
        ]
        assert plays == [action for action in state.legal_actions() if action.startswith("play")]


def test_a_state_is_shown_without_what_follows_from_its_table() -> None:
    shown = repr(start([[5], [6], [7]], 0, 9))
    assert shown.startswith("LeavesState(setup=Setup(hands=((0,")
    assert shown.endswith(", turn=0)")
    assert "plays" not in shown


@given(positions())
def test_exactly_the_legal_actions_can_be_applied(
    position: tuple[LeavesState, list[str]],
) -> None:
    state, _ = position
    for action in EVERY_ACTION:
        if action in state.legal_actions():
            assert state.apply(action).turn == state.turn + 1
        else:
            with pytest.raises(IllegalAction, match=action):
                state.apply(action)


@given(positions())
def test_no_card_is_lost_or_made(position: tuple[LeavesState, list[str]]) -> None:
    state, _ = position
    hands = [state.observe(seat)["hand"] for seat in range(len(state.hands))]
    lying = [value for value, count in state.observe(0)["table"] for _ in range(count)]
    inside = counted([*lying, *(card for hand in hands for card in hand)])
    dealt = counted([card for hand in state.record()["hands"] for card in hand])
    gone = state.observe(0)["discarded"]
    assert [a + b for a, b in zip(inside, gone, strict=True)] == dealt
    assert all(there <= most for there, most in zip(dealt, COPIES, strict=True))


@given(positions(), st.integers(0, 5), st.randoms(use_true_random=False))
def test_a_resampled_deal_has_the_same_public_history(
    position: tuple[LeavesState, list[str]], seat: int, rng: random.Random
) -> None:
    state, actions = position
    world = state.resample(seat % len(state.hands), rng)
    record = world.record()
    again = start(record["hands"], record["first"], state.setup.max_turns)
    for action in actions:
        again = again.apply(action)
    assert again == world
    dealt = counted([card for hand in record["hands"] for card in hand])
    assert all(there <= most for there, most in zip(dealt, COPIES, strict=True))


def test_a_taken_card_stays_in_its_hand_until_it_is_played() -> None:
    hands = [[1, 5, 5, 5, 9], [2, 5, 12], [3, 7, 8]]
    state = start(hands, 0, 1000).apply("play 5x3").apply("pass 5").apply("pass 5")
    worlds = [state.resample(0, random.Random(n)) for n in range(50)]
    assert all(5 in world.observe(1)["hand"] for world in worlds)
    assert all(5 in world.observe(2)["hand"] for world in worlds)
    state = state.apply("play 1x1").apply("play 5x1")
    worlds = [state.resample(0, random.Random(n)) for n in range(50)]
    assert not all(5 in world.observe(1)["hand"] for world in worlds)
    assert all(5 in world.observe(2)["hand"] for world in worlds)


def test_resampling_reaches_hands_and_cards_not_dealt() -> None:
    state = PLUGIN.deal(3, "seed", 1, PLUGIN.resolve({"hand_size": 1}, 3))
    worlds = [state.resample(0, random.Random(n)) for n in range(600)]
    assert {world.observe(1)["hand"][0] for world in worlds} == set(range(1, 14))


def test_the_cards_of_a_deal_can_be_derived_by_another_program() -> None:
    seed = hashlib.sha256(b'["my seed","deal",2]').hexdigest()[:32]
    words: Iterator[int] = iter(
        struct.unpack(">512I", hashlib.shake_256(seed.encode()).digest(2048))
    )

    def below(n: int) -> int:
        return next(word for word in words if word < 2**32 // n * n) % n

    first = below(4)
    cards = [value for value, copies in enumerate(COPIES, 1) for _ in range(copies)]
    for i in range(61, 0, -1):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    hands = [sorted(cards[seat * 13 : seat * 13 + 13]) for seat in range(4)]
    state = PLUGIN.deal(4, "my seed", 2, PLUGIN.resolve({}, 4))
    assert state.record() == {"hands": hands, "first": first}


@pytest.mark.parametrize(
    "action",
    ["", "play", "play 7x", "play 07x1", "play 7x01", "play 7 x1", " play 7x1", "Play 7x1",
     "play 7x1\n", "play 7x9", "play 0x1", "play 14x1", "play ７x1", "pass", "pass 0", "take 7",
     "play -7x1"],
)  # fmt: skip
def test_every_other_spelling_is_illegal(action: str) -> None:
    state = start([[7, 7], [8, 8], [9, 9]], 0, 1000)
    assert state.canonical(action) == action
    with pytest.raises(IllegalAction, match="is no action: "):
        state.apply(action)


def test_play_without_a_count_means_one_card() -> None:
    state = start([[7, 7], [8, 8], [9, 9]], 0, 1000)
    assert state.canonical("play 7") == "play 7x1"
    assert state.canonical("pass 7") == "pass 7"
    with pytest.raises(IllegalAction):
        state.apply("play 7")


def test_text_shows_all_hands_or_those_that_a_seat_sees() -> None:
    state = start([[1, 1, 4, 5, 5], [2, 7, 7, 7], [3, 10]], 0, 1000)
    state = state.apply("play 5x2").apply("play 7x3").apply("pass 7").apply("play 1x2")
    assert state.text() == (
        "turn 4  table  1 1 | 5 5 | 7 7\n"
        "  seat 0   1 cards          4\n"
        "> seat 1   1 cards          2\n"
        "  seat 2   3 cards  passed  3 7 10"
    )


def test_text_of_one_seat_hides_the_other_hands() -> None:
    state = start([[5, 5], [2, 12], [3, 10]], 0, 1000).apply("play 5x2")
    assert state.text(1) == (
        "turn 1  table  5 5\n"
        "  seat 0   0 cards  out\n"
        "  seat 1   2 cards          2 12\n"
        "  seat 2   2 cards"
    )


def test_the_rules_name_every_rule_and_option() -> None:
    assert all(f"L{number:02}" in PLUGIN.rules for number in range(1, 23))
    assert all(option.name in PLUGIN.rules for option in PLUGIN.options)
