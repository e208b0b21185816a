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
            **{
                name: importlib.import_module(name)
                for name in ("features", "hands", "outlook", "tree")
            }
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
        "stock": 30,
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

    def worth(left: str) -> float:
        value: float = judge.kept(hand_of(f"{left} KD"), hand_of(left))
        return value

    assert worth("2C 2D 2H TC JC 9D") > worth("2C 2D 2H QC KC 9D") > worth("2C 2D 4H 8C KC TD")


def test_takes_from_the_pile_tell_that_a_rival_is_near_its_end(search: SimpleNamespace) -> None:
    hand = "2C 2D 2H 5C 6C KD QH"
    thrown = [["KS", None, None], *([card, 0, 1] for card in ("9C", "9D", "9H")), ["3C", 1, None]]
    calm = outlook(search, view(hand), "6")
    near = outlook(search, view(hand, known=[[], ["9C", "9D", "9H"]], discards=thrown), "6")
    assert near.ending > calm.ending
    kept = hand_of(hand), hand_of("2C 2D 2H 5C KD QH")
    assert near.kept(*kept) < calm.kept(*kept)


def test_what_a_rival_did_is_read_from_the_pile(search: SimpleNamespace) -> None:
    pile = [["KS", None, None], ["8C", 0, None], ["QD", 1, 2], ["5D", 2, None], ["2C", 0, 1]]
    seen = view("2C", counts=[1, 1, 1], known=[[], ["2C"], ["QD"]])
    melds = search.hands.Melds("4", "low")

    def rival(seat: int, *more: list[Any]) -> Any:
        return search.features.rival({**seen, "discards": [*pile, *more]}, seat, melds)

    assert rival(2) == (["QD"], 1, True, 5, None)
    assert rival(1) == (["2C"], 1, False, 10, None)
    assert rival(1, ["AH", 1, None]) == (["2C"], 1, True, 1, 10)


@pytest.mark.parametrize("seats", THIRTEEN.players)
@pytest.mark.parametrize("ace", ["low", "high-or-low"])
def test_the_networks_are_told_as_much_as_they_were_fitted_to(
    search: SimpleNamespace, seats: int, ace: str
) -> None:
    options = THIRTEEN.resolve({"ace": ace}, seats)
    for deal in (1, 11):
        state = THIRTEEN.deal(seats, "features", deal, options)
        while (seat := state.to_act) is not None and state.observe(seat)["turn"] < seats + 1:
            seen = state.observe(seat)
            judge = outlook(search, seen, seen["wild"], ace)
            hand = tuple(sorted(seen["hand"]))
            if seen["phase"] == "draw":
                value = judge.stock(hand)
            else:
                value = judge.kept(hand, judge.candidates(hand)[0])
            assert -100 < value < 100
            state = state.apply(list(state.legal_actions())[-1])


@pytest.mark.parametrize(("seats", "says"), [(3, (1.0, 2.0)), (4, (3.0, 4.0)), (5, (3.0, 4.0))])
def test_tables_of_four_and_more_have_networks_of_their_own(
    search: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
    seats: int,
    says: tuple[float, float],
) -> None:
    def says_always(value: float) -> SimpleNamespace:
        return SimpleNamespace(value=lambda _: value)

    monkeypatch.setattr(search.outlook, "SMALL_TABLE", (says_always(1.0), says_always(2.0)))
    monkeypatch.setattr(search.outlook, "LARGE_TABLE", (says_always(3.0), says_always(4.0)))
    hand = "2C 2D 2H TC JC 9D"
    seen = view(hand, counts=[6] * seats, known=[[]] * seats)
    judge = outlook(search, seen, "5")
    assert (
        judge.kept(hand_of(hand), hand_of("2C 2D 2H TC JC")),
        judge.stock(hand_of(hand)),
    ) == says


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


def test_in_a_world_without_a_stock_the_discards_are_drawn(search: SimpleNamespace) -> None:
    state = THIRTEEN.deal(2, "world", 4, THIRTEEN.resolve({}, 2))
    while state.stock:
        state = state.apply("draw stock")
        if state.stock:
            plain = [action for action in state.legal_actions() if action.startswith("discard")]
            state = state.apply(plain[0])
    seen = state.observe(state.to_act)
    world = search.tree.World(state, outlook(search, seen, seen["wild"]))
    pile = {card for card, _, taker in state.discards if taker is None}
    assert {world.next} | {drawn for _, drawn in world.turns} <= pile
    bot = load("search-thirteen")
    bot.match_start({"options": OPTIONS})
    bot.deal_start({"observation": seen})
    assert bot.choose(seen, list(state.legal_actions())) in state.legal_actions()


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
