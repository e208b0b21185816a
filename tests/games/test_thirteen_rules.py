"""One test or more for each rule of Thirteen; positions are reached by playing known hands."""
# ruff: noqa: N802

import random
from collections import Counter
from itertools import chain

import pytest

from arena.errors import ConfigError, OptionError
from arena.games import load, play
from arena.games._thirteen import ThirteenState
from arena.games.base import IllegalAction
from arena.games.thirteen import PLUGIN, least_penalty

OPTIONS = PLUGIN.resolve({}, 2)
LAST = "2C 4D 6H 8S TC QD AH 3S 5C 7D 9H JS KC"
"""Cards that do not fit together, for stocks."""


def dealt(
    *hands: str,
    stock: str = LAST,
    discard: str = "9S",
    reshuffles: tuple[str, ...] = (),
    **options: object,
) -> ThirteenState:
    """Return a deal in which seat 0 begins; the size of the hands says which cards are wild."""
    setup = {
        "dealer": len(hands) - 1,
        "hands": [hand.split() for hand in hands],
        "stock": stock.split(),
        "discard": discard,
        "reshuffles": [cards.split() for cards in reshuffles],
        "melds": [],
    }
    return PLUGIN.restore(setup, PLUGIN.resolve(options, len(hands)))


def after(state: ThirteenState, *actions: str) -> ThirteenState:
    for action in actions:
        state = state.apply(action)
    return state


def hand(state: ThirteenState, seat: int) -> str:
    return " ".join(state.observe(seat)["hand"])


def outs(state: ThirteenState) -> list[str]:
    return [action for action in state.legal_actions() if action.startswith("out")]


def refusal(state: ThirteenState, action: str) -> str:
    """Return why an action is illegal, having checked that it is not listed either."""
    assert action not in state.legal_actions()
    with pytest.raises(IllegalAction) as caught:
        state.apply(action)
    assert action in str(caught.value)
    return str(caught.value)


def least(cards: str, wild: str, ace: str = "low") -> int:
    return least_penalty(cards.split(), wild, ace)


@pytest.mark.parametrize(
    ("players", "decks"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)]
)
def test_T01_the_number_of_decks_follows_from_the_number_of_players(
    players: int, decks: int
) -> None:
    record = PLUGIN.deal(players, "seed", 1, OPTIONS).record()
    cards = Counter([*chain(*record["hands"]), *record["stock"], record["discard"]])
    ranks, suits = "A23456789TJQK", "CDHS"
    assert cards == {rank + suit: decks for rank in ranks for suit in suits}


def test_T01_two_to_eight_play() -> None:
    assert PLUGIN.players == range(2, 9)
    for players in (1, 9):
        with pytest.raises(ConfigError, match="which has 2 to 8 players"):
            play("thirteen", [lambda _, legal: legal[0]] * players, seed=1)


def test_T02_the_ace_is_low_and_the_king_high() -> None:
    assert least("AH 2H 3H", "9") == 0
    assert least("JH QH KH", "9") == 0
    assert least("QH KH AH", "9") == 21
    names = PLUGIN.deal(4, "seed", 11, OPTIONS).observe(0)["hand"]
    order = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    assert names == sorted(names, key=order.index)


def test_T03_a_match_has_eleven_deals_of_three_to_thirteen_cards() -> None:
    for number in range(1, 12):
        state = PLUGIN.deal(3, "seed", number, OPTIONS)
        assert state.observe(0)["counts"] == [number + 2] * 3
        assert PLUGIN.match_over([900, 5, 0], number, OPTIONS) == (number == 11)


def test_T04_the_first_dealer_is_drawn_and_the_deal_passes_to_the_left() -> None:
    dealers = Counter(PLUGIN.deal(4, str(n), 1, OPTIONS).record()["dealer"] for n in range(400))
    assert all(60 < dealers[seat] < 140 for seat in range(4))
    in_match = [PLUGIN.deal(4, "seed", number, OPTIONS) for number in range(1, 12)]
    first = in_match[0].record()["dealer"]
    assert [state.record()["dealer"] for state in in_match] == [(first + n) % 4 for n in range(11)]
    assert all(state.to_act == (state.record()["dealer"] + 1) % 4 for state in in_match)


def test_T04_play_is_clockwise() -> None:
    state, order = PLUGIN.deal(3, "seed", 1, OPTIONS), []
    for _ in range(6):
        order.append(state.to_act)
        state = after(state, "draw stock", state.apply("draw stock").house_move())
    first = order[0]
    assert order == [(first + n) % 3 for n in range(6)]


def test_T05_the_rest_is_the_stock_and_its_top_card_begins_the_pile() -> None:
    state = PLUGIN.deal(4, "seed", 5, OPTIONS)
    record, seen = state.record(), state.observe(0)
    assert len(record["stock"]) == seen["stock"] == 104 - 4 * 7 - 1
    assert seen["top"] == record["discard"]
    assert seen["discards"] == [[record["discard"], None, None]]


def test_T06_a_turn_is_a_draw_from_stock_or_pile_and_a_discard() -> None:
    state = dealt("4C 6D KH", "5C 7D QH")
    assert state.legal_actions() == ("draw stock", "draw discard")
    assert hand(state.apply("draw stock"), 0) == "2C 4C 6D KH"
    taken = state.apply("draw discard")
    assert hand(taken, 0) == "4C 6D 9S KH"
    assert taken.legal_actions() == ("discard 4C", "discard 6D", "discard 9S", "discard KH")
    ended = taken.apply("discard 6D")
    assert (ended.to_act, hand(ended, 0), ended.observe(1)["top"]) == (1, "4C 9S KH", "6D")


def test_T06_an_action_of_the_wrong_phase_is_illegal() -> None:
    state = dealt("4C 6D KH", "5C 7D QH")
    assert "(T06)" in refusal(state, "discard 4C")
    assert "(T06)" in refusal(state, "out 4C")
    drawn = state.apply("draw stock")
    assert "(T06)" in refusal(drawn, "draw stock")
    assert "(T06)" in refusal(drawn, "draw discard")


def test_T06_a_card_that_is_not_held_cannot_be_discarded() -> None:
    state = dealt("4C 6D KH", "5C 7D QH").apply("draw stock")
    assert "holds no 5C" in refusal(state, "discard 5C")
    assert "holds no 5C" in refusal(state, "out 5C")


def test_T07_three_or_more_of_a_rank_are_a_set_whatever_their_suits() -> None:
    assert least("5C 5D", "9") == 10
    assert least("5C 5D 5H", "9") == 0
    assert least("5C 5C 5C", "9") == 0
    assert least("5C 5C 5D 5D 5H 5S 5S 5S", "9") == 0


def test_T08_three_or_more_consecutive_ranks_of_a_suit_are_a_run_without_wrapping() -> None:
    assert least("5C 6C 7C", "9") == 0
    assert least("5C 6C 7D", "9") == 18
    assert least("5C 6C 8C", "9") == 19
    assert least("KC AC 2C", "9") == 13
    assert least("QC KC AC", "9") == 21


def test_T09_a_card_belongs_to_one_meld() -> None:
    assert least("AH 2H 3H 3D 3S", "K") == 3
    assert least("4H 5H 6H 6D 6C", "K") == 9


def test_T09_nobody_adds_to_the_melds_of_others() -> None:
    state = after(dealt("5C 5D 5H", "5S KH KD"), "draw discard", "out 9S")
    state = after(state, "draw stock", "discard KD")
    assert state.penalties == (0, 17)


def test_T10_the_rank_of_the_number_of_cards_dealt_is_wild() -> None:
    for number, wild in enumerate("3456789TJQK", 1):
        assert PLUGIN.deal(2, "seed", number, OPTIONS).observe(0)["wild"] == wild


def test_T10_a_wild_stands_for_any_card() -> None:
    assert least("5C 5D 3H", "3") == 0
    assert least("5C 7C 3H", "3") == 0
    assert least("5C 8C 3H 3D", "3") == 0
    assert least("4H 5H 7C 8H KD KS 2C", "7") == 19


def test_T11_a_meld_may_have_any_number_of_wilds() -> None:
    assert least("3C 3D KH", "3") == 0
    assert least("3C 3D 3H", "3") == 0
    assert least("3C 3D 3H 3S KH", "3") == 0


def test_T12_a_wild_may_be_the_card_that_it_is() -> None:
    assert least("6H 7H 8H", "7") == 0
    assert least("7H 7D 7S", "7") == 0
    assert least("5H 6H 7H 7D 8H 9H", "7") == 0


def test_T13_a_wild_in_a_run_stands_for_one_rank_that_is_not_there() -> None:
    assert least("4H 6H 6H 9C", "9") == 4
    assert least("QH KH 9C", "9") == 0
    assert least("AH KH 9C 9D", "9") == 1
    assert least("2C 3C 4C 5C 6C 7C 8C TC JC QC KC 9D 9S", "9") == 0


def test_T14_going_out_leaves_melds_and_one_card_to_discard() -> None:
    state = dealt("5C 5D 5H", "4S KH KD").apply("draw discard")
    assert outs(state) == ["out 9S"]
    assert "(T14)" in refusal(state, "out 5C")
    done = state.apply("out 9S")
    assert done.observe(1)["went_out"] == 0
    assert done.observe(1)["shown"] == [[["5C", "5D", "5H"]], None]


def test_T14_going_out_is_not_forced_and_possible_later() -> None:
    state = dealt("5C 5D 5H", "4S KH KD").apply("draw discard")
    state = after(state, "discard 9S", "draw stock", "discard 2C", "draw discard")
    assert outs(state) == ["out 2C"]


def test_T14_any_card_may_be_the_discard() -> None:
    state = dealt("5C 5D 5H", "4S KH KD", discard="3S").apply("draw discard")
    assert outs(state) == ["out 3S", "out 5C", "out 5D", "out 5H"]


def test_T15_all_others_have_one_more_turn_and_may_take_the_discard() -> None:
    state = dealt("5C 6D KH", "5H 5D 5S", "4S QH QD").apply("draw stock").apply("discard KH")
    state = after(state, "draw discard", "out KH")
    assert state.to_act == 2
    state = state.apply("draw discard")
    assert hand(state, 2) == "4S QD QH KH"
    state = state.apply("discard KH")
    assert (state.to_act, state.penalties) == (0, None)
    state = after(state, "draw stock", "discard 4D")
    assert (state.to_act, state.penalties, state.truncated) == (None, (13, 0, 24), False)


def test_T16_nobody_else_goes_out_but_melded_hands_are_free() -> None:
    state = after(dealt("5C 5D 5H", "6C 6D 6H", "4S QH QD"), "draw discard", "out 9S")
    state = state.apply("draw stock")
    assert outs(state) == []
    assert "seat 0 has gone out already (T16)" in refusal(state, "out 2C")
    state = after(state, "discard 2C", "draw stock", "discard QD")
    assert state.to_act is None
    assert state.penalties == (0, 0, 18)


def test_T17_nothing_is_shown_before_a_player_goes_out() -> None:
    state = dealt("5C 5D 5H", "6C 6D 6H").apply("draw discard")
    assert state.observe(1)["shown"] == [None, None]
    state = state.apply("out 9S")
    assert state.observe(1)["shown"] == [[["5C", "5D", "5H"]], None]
    state = after(state, "draw stock", "discard 2C")
    assert state.record()["melds"] == [[["5C", "5D", "5H"]], [["6C", "6D", "6H"]]]


def test_T17_every_hand_is_arranged_for_the_least_penalty() -> None:
    filler = "2C 2D 4C 4D 6S 8D TD"
    state = dealt(filler, "4H 5H 7C 8H KD KS 2C", stock="QC 9D JD 3H", max_turns=2)
    state = after(state, "draw stock", "discard QC", "draw stock", "discard 9D")
    assert state.penalties is not None
    assert state.penalties[1] == 19
    assert state.observe(1)["best"] == {
        "penalty": 19,
        "melds": [["KD", "KS", "7C"]],
        "rest": ["2C", "4H", "5H", "8H"],
    }


def test_T18_what_cards_in_no_meld_cost() -> None:
    costs = [least(f"{rank}H", "K") for rank in "A23456789TJQK"]
    assert costs == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert least("7H 2C 4D", "7") == 13
    assert least("KH 2C 5D", "K") == 17


def test_T19_an_empty_stock_is_renewed_from_the_pile_but_its_top() -> None:
    state = dealt("4C 6D KH", "5C 7D QH", stock="2C 4D", reshuffles=("9S KH",))
    state = after(state, "draw stock", "discard KH", "draw stock")
    assert (state.observe(0)["stock"], state.observe(0)["top"]) == (0, "KH")
    state = state.apply("discard QH")
    seen = state.observe(0)
    assert (seen["stock"], seen["top"], seen["discards"]) == (2, "QH", [["QH", 1, None]])
    assert state.record()["reshuffles"] == [["9S", "KH"]]
    assert hand(state.apply("draw stock"), 0) == "2C 4C 6D 9S"


def test_T19_cards_that_were_taken_are_not_shuffled() -> None:
    state = dealt("4C 6D KH", "5C 7D QH", stock="2C", reshuffles=("6D",))
    state = after(state, "draw discard", "discard 6D", "draw stock", "discard 2C")
    assert state.observe(0)["stock"] == 1
    assert state.record()["reshuffles"] == [["6D"]]


def test_T19_the_order_of_the_new_stock_comes_from_the_seed_of_the_deal() -> None:
    stocks = []
    for seed in ("a", "a", "b"):
        state = PLUGIN.deal(2, seed, 11, OPTIONS)
        while not state.record()["reshuffles"]:
            state = state.apply(state.house_move())
        (stock,) = state.record()["reshuffles"]
        pile = [state.record()["discard"], *state.record()["stock"]]
        assert sorted(stock) == sorted(pile[:-1])
        stocks.append(stock)
    assert stocks[0] == stocks[1] != stocks[2]


def test_T19_with_nothing_to_shuffle_the_top_discard_must_be_taken() -> None:
    state = dealt("4C 6D KH", "5C 7D QH", stock="")
    for _ in range(3):
        assert state.legal_actions() == ("draw discard",)
        assert "(T19)" in refusal(state, "draw stock")
        state = after(state, "draw discard", "discard 9S")
    assert state.record()["reshuffles"] == []


def test_T20_a_card_just_taken_may_be_discarded() -> None:
    state = after(dealt("4C 6D KH", "5C 7D QH"), "draw discard", "discard 9S")
    assert state.observe(1)["discards"] == [["9S", None, 0], ["9S", 0, None]]


def test_T21_the_lowest_total_wins_and_equal_totals_share_the_place() -> None:
    last = dealt("4C 6D KH", "5C 7D QH")
    assert PLUGIN.places([40, 7, 40, 90], last, OPTIONS) == (2, 1, 2, 4)


def test_T22_an_ace_may_be_high() -> None:
    assert least("AH 2H 3H", "9", "high-or-low") == 0
    assert least("QH KH AH", "9", "high-or-low") == 0
    assert least("KH AH 2H", "9", "high-or-low") == 27
    assert least("KH QH 9C", "9", "high-or-low") == 0
    assert least("AH KH 9C", "9", "high-or-low") == 0
    assert least("AH", "9", "high-or-low") == 15
    whole = " ".join(f"{rank}H" for rank in "A2345678TJQKA")
    assert least(f"{whole} 9C", "9", "high-or-low") == 0


def test_T22_the_option_decides() -> None:
    hands = "QH KH 5S", "4S 6H 6D"
    low = dealt(*hands, discard="AH").apply("draw discard")
    high = dealt(*hands, discard="AH", ace="high-or-low").apply("draw discard")
    assert (outs(low), outs(high)) == ([], ["out 5S"])
    assert low.observe(0)["best"]["penalty"] == 26
    assert high.observe(0)["best"]["penalty"] == 5
    with pytest.raises(OptionError, match="ace = 'hi'"):
        PLUGIN.resolve({"ace": "hi"}, 2)


def test_T23_what_is_public_and_what_is_secret() -> None:
    state = dealt("4C 6D KH", "5C 7D QH", "5H 7S QC").apply("draw discard").apply("discard KH")
    state = after(state, "draw stock", "discard QH", "draw discard")
    assert state.observe(0) == {
        "seat": 0,
        "hand": ["4C", "6D", "9S"],
        "wild": "3",
        "ace": "low",
        "phase": "discard",
        "drawn": None,
        "stock": 12,
        "top": "KH",
        "discards": [["9S", None, 0], ["KH", 0, None], ["QH", 1, 2]],
        "counts": [3, 3, 4],
        "known": [["9S"], [], ["QH"]],
        "dealer": 2,
        "turn": 2,
        "went_out": None,
        "shown": [None, None, None],
        "best": {"penalty": 19, "melds": [], "rest": ["4C", "6D", "9S"]},
    }
    assert state.observe(2)["drawn"] == "QH"
    assert state.apply("discard QH").observe(0)["known"] == [["9S"], [], []]


def test_T24_a_deal_is_stopped_after_its_last_turn() -> None:
    state = dealt("4C 6D KH", "5C 7D QH", max_turns=2)
    state = after(state, "draw stock", "discard KH", "draw stock")
    assert (state.to_act, state.truncated) == (1, False)
    state = state.apply("discard QH")
    assert (state.to_act, state.truncated, state.penalties) == (None, True, (12, 16))


def test_T24_going_out_too_late_for_last_turns_is_truncated() -> None:
    state = dealt("5C 5D 5H", "4S KH KD", max_turns=1)
    state = after(state, "draw discard", "out 9S")
    assert (state.to_act, state.truncated, state.penalties) == (None, True, (0, 24))
    whole = dealt("5C 5D 5H", "4S KH KD", max_turns=2)
    whole = after(whole, "draw discard", "out 9S", "draw stock", "discard KD")
    assert (whole.to_act, whole.truncated) == (None, False)


def test_T25_the_house_draws_from_the_stock_and_discards_what_it_drew() -> None:
    state = dealt("5C 5D 5H", "4S KH KD")
    assert state.house_move() == "draw stock"
    assert state.apply("draw stock").house_move() == "discard 2C"
    assert "out 2C" in state.apply("draw stock").legal_actions()
    empty = dealt("5C 5D 5H", "4S KH KD", stock="")
    assert empty.house_move() == "draw discard"
    assert empty.apply("draw discard").house_move() == "discard 9S"


def test_legal_actions_are_listed_by_kind_then_rank_then_suit() -> None:
    state = dealt("3C 5D 5H", "4S KH KD", stock="5D 4C").apply("draw stock")
    assert state.legal_actions() == (
        "out 3C",
        "out 5D",
        "out 5H",
        "discard 3C",
        "discard 5D",
        "discard 5H",
    )


@pytest.mark.parametrize(
    "action",
    ["", "draw", "draw Stock", "draw  stock", "out", "discard", "discard 10H", "discard 7h",
     "discard H7", "discard 7H ", "discard 1H", "play 7x1", "out  7H"],
)  # fmt: skip
def test_there_is_no_other_spelling(action: str) -> None:
    state = dealt("4C 6D KH", "5C 7D QH")
    assert state.canonical(action) == action
    for phase in (state, state.apply("draw stock")):
        with pytest.raises(IllegalAction, match="write 'draw stock', 'draw discard', 'out 7H' or"):
            phase.apply(action)


def test_nothing_is_played_after_the_end() -> None:
    state = dealt("5C 5D 5H", "4S KH KD", max_turns=1)
    state = after(state, "draw discard", "out 9S")
    with pytest.raises(IllegalAction, match="over"):
        state.apply("draw stock")
    with pytest.raises(IllegalAction, match="over"):
        state.house_move()


def test_text_shows_all_hands_or_those_that_a_seat_sees() -> None:
    state = dealt("4C 6D KH", "5C 7D QH").apply("draw stock")
    assert state.text() == (
        "turn 0  3s wild  stock 12  discard 9S\n"
        "> seat 0   4 cards       2C 4C 6D KH\n"
        "  seat 1   3 cards       5C 7D QH"
    )
    assert state.text(1) == (
        "turn 0  3s wild  stock 12  discard 9S\n"
        "> seat 0   4 cards\n"
        "  seat 1   3 cards       5C 7D QH"
    )


def test_text_shows_melds_after_going_out_to_all() -> None:
    state = after(dealt("5C 5D 5H", "5S KH KD"), "draw discard", "out 9S")
    assert state.text(1).splitlines()[1] == "  seat 0   3 cards  out  5C 5D 5H"
    state = after(state, "draw stock", "discard KD")
    assert state.text(0).splitlines()[2] == "  seat 1   3 cards       2C 5S KH"


def test_text_fits_a_terminal() -> None:
    rng = random.Random(1)
    for number in range(9, 12):
        state = PLUGIN.deal(8, "seed", number, OPTIONS)
        while state.to_act is not None:
            assert max(map(len, state.text().splitlines())) <= 80
            state = state.apply(rng.choice(state.legal_actions()))
        assert max(map(len, state.text().splitlines())) <= 80


def test_the_rules_name_every_rule_and_option() -> None:
    assert load("thirteen") is PLUGIN
    assert all(f"  T{number:02}  " in PLUGIN.rules for number in range(1, 26))
    assert all(option.name in PLUGIN.rules for option in PLUGIN.options)
    assert max(map(len, PLUGIN.rules.splitlines())) <= 80
