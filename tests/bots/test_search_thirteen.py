"""What the parts of ``search-thirteen`` do: its hands, its outlook, its tree."""

import importlib
import random
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from in_process import load, modules_of

from arena import games

THIRTEEN = games.load("thirteen")
OPTIONS = THIRTEEN.resolve({}, 2)


@pytest.fixture(scope="module")
def search() -> SimpleNamespace:
    """Return the modules of the bot."""
    with modules_of("search-thirteen"):
        return SimpleNamespace(
            **{name: importlib.import_module(name) for name in ("hands", "outlook", "tree")}
        )


def view(hand: str, **more: Any) -> dict[str, Any]:
    """Return what a seat sees at a table of two that has just drawn."""
    cards = hand.split()
    return {
        "seat": 0,
        "hand": cards,
        "counts": [len(cards), len(cards) - 1],
        "discards": [["KS", None, None]],
        "known": [[], []],
        "turn": 4,
        "went_out": None,
        **more,
    }


def outlook(search: SimpleNamespace, seen: Mapping[str, Any], wild: str, ace: str = "low") -> Any:
    return search.outlook.Outlook(seen, search.hands.Melds(wild, ace))


def hand_of(cards: str) -> tuple[str, ...]:
    return tuple(sorted(cards.split()))


@pytest.mark.parametrize("ace", ["low", "high-or-low"])
def test_a_card_that_does_not_help_leaves_the_rest_as_it_is(
    search: SimpleNamespace, ace: str
) -> None:
    rng = random.Random(1)
    helped = 0
    for size in (3, 6, 9, 13):
        wild = search.hands.RANKS[size - 1]
        melds = search.hands.Melds(wild, ace)
        for _ in range(40):
            *cards, card = rng.sample(search.hands.CARDS * 2, size + 1)
            hand = tuple(sorted(cards))
            if melds.helps(card, hand):
                helped += 1
            else:
                more = melds.rest(search.hands.plus(hand, card))
                assert melds.cost(more) == melds.cost([*melds.rest(hand), card])
    assert helped


def test_three_melds_of_three_cannot_go_out(search: SimpleNamespace) -> None:
    melds = search.hands.Melds("8", "low")
    assert not melds.goes_out(hand_of("2C 2D 2H 4C 5C 6C QC QD QH"))
    assert melds.goes_out(hand_of("2C 2D 2H 2S 4C 5C 6C QC QD QH"))
    assert not melds.goes_out(hand_of("2C 2D 2H 4C 5C 6C 7C JD KH"))


def test_to_go_out_a_dearer_card_may_be_left(search: SimpleNamespace) -> None:
    melds = search.hands.Melds("7", "low")
    hand = hand_of("AD AH 3C 6H 7D 7D 7H 8H")
    assert sorted(melds.rest(hand)) == ["AD", "AH"]
    assert melds.goes_out(hand)


def test_cards_that_complete_a_meld(search: SimpleNamespace) -> None:
    completing = search.hands.completing
    assert completing("5H", "7H", "low") == {"6H"}
    assert completing("5H", "6H", "low") == {"4H", "7H"}
    assert completing("QS", "KS", "low") == {"JS"}
    assert completing("QS", "KS", "high-or-low") == {"JS", "AS"}
    assert completing("9C", "9D", "low") == {"9C", "9D", "9H", "9S"}
    assert not completing("9C", "8D", "low")


def test_a_hand_is_worth_more_the_more_cards_let_it_go_out(search: SimpleNamespace) -> None:
    judge = outlook(search, view("2C 2D 2H 5C 6C KD QH"), "6")
    one_end = judge.prospect(hand_of("2C 2D 2H QC KC 9D")).value
    both_ends = judge.prospect(hand_of("2C 2D 2H TC JC 9D")).value
    assert both_ends > one_end > judge.prospect(hand_of("2C 2D 4H 8C KC TD")).value


def test_takes_from_the_pile_tell_that_a_rival_is_near_its_end(search: SimpleNamespace) -> None:
    hand = "2C 2D 2H 5C 6C KD QH"
    calm = outlook(search, view(hand), "6")
    near = outlook(search, view(hand, known=[[], ["9C", "9D", "9H"]]), "6")
    assert near.ending > calm.ending
    left = hand_of("2C 2D 2H 5C KD QH")
    assert near.prospect(left).value < calm.prospect(left).value


def test_a_card_that_lets_the_hand_go_out_is_taken(search: SimpleNamespace) -> None:
    judge = outlook(search, view("2C 2D 2H TC JC 9D"), "6")
    assert judge.draws(hand_of("2C 2D 2H TC JC 9D"), "QC") == ["draw discard"]
    assert judge.draws(hand_of("2C 2D 2H TC JC 9D"), "4S") == ["draw stock"]


def test_after_a_rival_went_out_the_least_is_kept(search: SimpleNamespace) -> None:
    seen = view("2C 2D 2H 5C KC QD 9H", went_out=1)
    assert outlook(search, seen, "6").discards(hand_of("2C 2D 2H 5C KC QD 9H"))[0] in (
        "discard KC",
        "discard QD",
    )


def test_a_world_offers_cards_of_the_seat_before_and_of_the_stock(search: SimpleNamespace) -> None:
    state = THIRTEEN.deal(3, "world", 4, THIRTEEN.resolve({}, 3))
    seat = state.to_act
    judge = outlook(search, state.observe(seat), state.observe(seat)["wild"])
    world = search.tree.World(state.resample(seat, random.Random(1)), judge)
    before = set(state.resample(seat, random.Random(1)).observe((seat - 1) % 3)["hand"])
    assert {offered for offered, _ in world.turns} <= before
    assert not {drawn for _, drawn in world.turns} & set(state.observe(seat)["hand"])


def test_without_simulations_the_first_look_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIMULATIONS", "0")
    bot, state = load("search-thirteen"), THIRTEEN.deal(2, "quick", 8, OPTIONS)
    seat = state.to_act
    bot.match_start({"options": OPTIONS})
    bot.deal_start({"observation": state.observe(seat)})
    bot.choose(state.observe(seat), list(state.legal_actions()))
    drawn = state.apply("draw stock")
    bot.events([[seat, "draw stock"]])
    assert bot.choose(drawn.observe(seat), list(drawn.legal_actions())) in drawn.legal_actions()
