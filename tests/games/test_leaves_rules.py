"""One test or more for each rule of 13 Leaves; positions are reached by playing known hands."""
# ruff: noqa: N802

from collections import Counter
from collections.abc import Sequence

import pytest

from arena.errors import OptionError
from arena.games.base import IllegalAction
from arena.games.leaves import PLUGIN, LeavesState, start

EXPERT = PLUGIN.resolve({}, 4)
BASIC = PLUGIN.resolve({"variant": "basic"}, 4)
IDLE = [1, 1, 13, 13]
"""A hand for a seat that only watches."""


def played(hands: Sequence[list[int]], *actions: str, max_turns: int = 1000) -> LeavesState:
    """Return the state after the actions, in which seat 0 begins."""
    state = start(hands, 0, max_turns)
    for action in actions:
        state = state.apply(action)
    return state


def plays(state: LeavesState) -> list[str]:
    return [action for action in state.legal_actions() if action.startswith("play")]


def passes(state: LeavesState) -> list[str]:
    return [action for action in state.legal_actions() if action.startswith("pass")]


def table(state: LeavesState) -> list[list[int]]:
    shown: list[list[int]] = state.observe(0)["table"]
    return shown


def hand(state: LeavesState, seat: int) -> list[int]:
    cards: list[int] = state.observe(seat)["hand"]
    return cards


def refusal(state: LeavesState, action: str) -> str:
    """Return why an action is illegal, having checked that it is not listed either."""
    assert action not in state.legal_actions()
    with pytest.raises(IllegalAction) as caught:
        state.apply(action)
    return str(caught.value)


def fives_and_sevens(*hands: list[int]) -> LeavesState:
    """Return a table of 5x2 and 7x3, with seat 2 to act and hands for the seats from 2 on."""
    first, second = [1, 2, 3, 5, 5, 5], [1, 7, 7, 7, 13]
    return played([first, second, *hands], "play 5x2", "play 7x3")


def test_L01_the_deck_has_62_cards_with_most_copies_in_the_middle() -> None:
    options = PLUGIN.resolve({"hand_size": 20}, 3)
    most: Counter[int] = Counter()
    for number in range(60):
        hands = PLUGIN.deal(3, "seed", number, options).record()["hands"]
        most |= Counter(card for cards in hands for card in cards)
    copies = dict(zip(range(1, 14), [2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2], strict=True))
    assert dict(most) == copies
    assert sum(copies.values()) == 62


@pytest.mark.parametrize(("players", "size"), [(3, 15), (4, 13), (5, 11), (6, 9)])
def test_L02_hand_size_follows_from_the_number_of_players(players: int, size: int) -> None:
    state = PLUGIN.deal(players, "seed", 1, PLUGIN.resolve({}, players))
    assert state.observe(0)["counts"] == [size] * players


def test_L02_hand_size_is_an_option() -> None:
    state = PLUGIN.deal(6, "seed", 1, PLUGIN.resolve({"hand_size": 10}, 6))
    assert state.observe(0)["counts"] == [10] * 6


def test_L02_hand_size_is_refused_where_the_deck_is_too_small() -> None:
    assert PLUGIN.resolve({"hand_size": 15}, 4)["hand_size"] == 15
    with pytest.raises(OptionError, match="hand_size = 16 is out of range for 4 players: 1 to 15"):
        PLUGIN.resolve({"hand_size": 16}, 4)


def test_L03_cards_not_dealt_never_come_into_play() -> None:
    state = PLUGIN.deal(6, "seed", 1, PLUGIN.resolve({}, 6))
    while state.to_act is not None:
        seen = state.observe(0)
        lying = sum(count for _, count in seen["table"])
        assert sum(seen["counts"]) + lying + sum(seen["discarded"]) == 54
        state = state.apply(state.house_move())


def test_L04_the_starting_seat_is_drawn_in_every_deal() -> None:
    states = [PLUGIN.deal(4, "seed", number, EXPERT) for number in range(400)]
    starts = Counter(state.to_act for state in states)
    assert all(60 < starts[seat] < 140 for seat in range(4))
    assert all(state.to_act == state.observe(2)["first"] for state in states)


def test_L04_play_goes_clockwise() -> None:
    state = start([[5, 6], [6, 7], [7, 8]], 1, 1000)
    order = [state.to_act]
    for action in ("play 6x1", "play 7x1"):
        state = state.apply(action)
        order.append(state.to_act)
    assert order == [1, 2, 0]


def test_L05_the_opener_plays_any_number_of_one_value() -> None:
    state = played([[3, 8, 8, 8], IDLE, IDLE])
    assert state.legal_actions() == ("play 3x1", "play 8x1", "play 8x2", "play 8x3")
    assert table(state.apply("play 8x2")) == [[8, 2]]
    assert hand(state.apply("play 8x2"), 0) == [3, 8]


def test_L06_values_up_to_the_low_end_and_from_the_high_end_are_open() -> None:
    state = played([[1, 5], [1, 8], [2, 5, 6, 7, 8, 12], IDLE], "play 5x1", "play 8x1")
    assert plays(state) == ["play 2x1", "play 5x1", "play 8x1", "play 12x1"]


def test_L06_inner_values_are_closed_even_if_never_filled() -> None:
    state = played([[1, 6], [1, 5], [1, 8], [6, 7, 9]], "play 6x1", "play 5x1", "play 8x1")
    assert "between the ends of the row (L06)" in refusal(state, "play 6x1")
    assert "between the ends of the row (L06)" in refusal(state, "play 7x1")


def test_L07_a_play_has_at_least_as_many_cards_as_lie_at_the_end() -> None:
    state = fives_and_sevens([4, 4, 4, 5, 8, 8, 8, 8], IDLE)
    assert plays(state) == ["play 4x2", "play 4x3", "play 8x3", "play 8x4"]
    assert "4 needs 2 cards or more (L07)" in refusal(state, "play 4x1")
    assert table(state.apply("play 8x4")) == [[5, 2], [7, 3], [8, 4]]


def test_L07_cards_equal_to_an_end_are_added_to_its_stack() -> None:
    state = fives_and_sevens([5, 5, 7, 7, 7], IDLE)
    assert plays(state) == ["play 5x2", "play 7x3"]
    assert table(state.apply("play 5x2")) == [[5, 4], [7, 3]]
    assert table(state.apply("play 7x3")) == [[5, 2], [7, 6]]


def test_L07_nobody_plays_more_cards_than_the_hand_holds() -> None:
    state = played([[4, 4, 9], IDLE, IDLE])
    assert "the hand holds 2 cards of value 4" in refusal(state, "play 4x3")


def test_L08_a_single_value_is_both_ends() -> None:
    state = played([[1, 6, 6], [2, 2, 3, 6, 6, 9, 9, 10], IDLE], "play 6x2")
    assert plays(state) == ["play 2x2", "play 6x2", "play 9x2"]


def test_L09_counts_are_read_again_after_a_take() -> None:
    state = fives_and_sevens([9, 9], [5, 5, 6, 6, 6, 7, 7, 8, 8], IDLE).apply("pass 7")
    assert table(state) == [[5, 2], [7, 2]]
    assert plays(state) == ["play 5x2", "play 7x2", "play 8x2"]


def test_L09_end_is_recomputed_after_a_take() -> None:
    state = fives_and_sevens([9], [9], [2, 2, 2, 6, 6, 6, 6, 8, 8]).apply("pass 5")
    assert table(state) == [[5, 1], [7, 3]]
    state = state.apply("pass 5")
    assert table(state) == [[7, 3]]
    assert plays(state) == ["play 2x3", "play 6x3", "play 6x4"]
    assert "8 needs 3 cards or more" in refusal(state, "play 8x2")


def test_L09_an_emptied_end_moves_inward() -> None:
    hands = [[1, 6], [1, 5], [1, 9], [1, 1], [1, 1, 7, 8, 9]]
    state = played(hands, "play 6x1", "play 5x1", "play 9x1", "pass 9")
    assert plays(state) == ["play 1x1", "play 1x2", "play 7x1", "play 8x1", "play 9x1"]


def test_L10_a_player_may_pass_though_able_to_play() -> None:
    state = played([[1, 5], [6, 7], IDLE], "play 5x1")
    assert plays(state)
    assert state.apply("pass 5").observe(0)["passed"] == [False, True, False]


def test_L11_a_pass_takes_one_card_of_any_value_on_the_table() -> None:
    state = played([[1, 6], [1, 5], [1, 8, 8], [9]], "play 6x1", "play 5x1", "play 8x2")
    assert passes(state) == ["pass 5", "pass 6", "pass 8"]
    inner = state.apply("pass 6")
    assert (table(inner), hand(inner, 3)) == ([[5, 1], [8, 2]], [6, 9])
    end = state.apply("pass 8")
    assert (table(end), hand(end, 3)) == ([[5, 1], [6, 1], [8, 1]], [8, 9])


def test_L11_what_does_not_lie_on_the_table_cannot_be_taken() -> None:
    state = fives_and_sevens(IDLE, IDLE)
    assert "no 6 lies on the table (L11)" in refusal(state, "pass 6")


def test_L12_who_has_passed_is_out_until_the_next_round() -> None:
    hands = [[1, 2, 3, 4, 5], IDLE, [1, 6, 7], [1, 8, 9]]
    state = played(hands, "play 5x1", "pass 5")
    assert state.to_act == 2
    state = state.apply("play 6x1").apply("play 8x1").apply("play 4x1")
    assert state.to_act == 2
    assert state.observe(1)["passed"] == [False, True, False, False]


def test_L13_with_an_empty_table_the_player_must_play_and_may_play_anything() -> None:
    state = played([[1, 5], [2, 3], [4, 4, 9], IDLE], "play 5x1", "pass 5")
    assert table(state) == []
    assert state.legal_actions() == ("play 4x1", "play 4x2", "play 9x1")
    assert "nothing lies on the table" in refusal(state, "pass 5")


def test_L13_those_who_passed_stay_out_when_the_table_is_refilled() -> None:
    state = played([[1, 5], [2, 3], [4, 4, 9], IDLE], "play 5x1", "pass 5", "play 4x1")
    state = state.apply("play 13x1")
    assert state.to_act == 0
    assert state.apply("pass 4").to_act == 2


def test_L14_the_last_one_to_pass_takes_a_card_and_then_the_table_leaves_the_deal() -> None:
    state = played([[1, 5, 5, 5], [2], [3]], "play 5x3", "pass 5")
    assert state.observe(0)["discarded"] == [0] * 13
    state = state.apply("pass 5")
    assert (hand(state, 1), hand(state, 2)) == ([2, 5], [3, 5])
    assert table(state) == []
    assert state.observe(0)["discarded"] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]


def test_L14_who_did_not_pass_opens_the_next_round_in_which_all_play() -> None:
    state = played([[1, 5], [2, 6, 7], [3]], "play 5x1", "play 6x1", "pass 5", "pass 6")
    assert state.to_act == 1
    assert state.observe(0)["passed"] == [False] * 3
    assert state.legal_actions() == ("play 2x1", "play 7x1")


def test_L14_taking_the_only_card_as_the_last_one_to_pass_ends_the_round() -> None:
    state = played([[1, 5, 5], [2], [3]], "play 5x2", "pass 5", "pass 5")
    assert (state.to_act, table(state)) == (0, [])
    assert state.observe(0)["discarded"] == [0] * 13


@pytest.mark.parametrize("hands", [[[5, 5], IDLE, IDLE], [[1, 5, 5], [6, 6], IDLE]])
def test_L15_the_deal_ends_at_once_when_a_hand_is_empty(hands: list[list[int]]) -> None:
    state = played(hands, "play 5x2")
    if state.to_act is not None:
        state = state.apply("play 6x2")
    assert state.to_act is None
    assert state.legal_actions() == ()
    assert refusal(state, "play 1x1") == "'play 1x1': the deal is over"
    assert not state.truncated


def test_L16_penalties_are_the_cards_in_hand() -> None:
    state = played([[1, 5, 5], [6, 6], [3, 3, 3, 4, 4]], "play 5x2")
    assert state.penalties is None
    assert state.apply("play 6x2").penalties == (1, 0, 5)


@pytest.mark.parametrize(
    ("totals", "over"), [((0, 19, 3, 19), False), ((0, 20, 3, 4), True), ((9, 31, 22, 0), True)]
)
def test_L17_an_expert_match_ends_when_a_total_reaches_the_target(
    totals: tuple[int, ...], over: bool
) -> None:
    assert PLUGIN.match_over(totals, 3, EXPERT) is over


def test_L17_the_target_is_an_option_and_the_lowest_total_wins() -> None:
    options = PLUGIN.resolve({"target": 50}, 4)
    last = played([[5], IDLE, IDLE], "play 5x1")
    assert not PLUGIN.match_over((0, 49, 3, 4), 3, options)
    assert PLUGIN.match_over((7, 50, 3, 4), 3, options)
    assert PLUGIN.places((7, 50, 3, 4), last, options) == (3, 4, 1, 2)


def test_L18_a_basic_match_is_one_deal_ranked_by_who_went_out() -> None:
    last = played([[1, 5], [6], [3, 3], IDLE], "play 5x1", "play 6x1")
    assert PLUGIN.match_over(last.penalties or (), 1, BASIC)
    assert PLUGIN.places(last.penalties or (), last, BASIC) == (2, 1, 2, 2)


def test_L18_a_truncated_basic_match_has_no_loser() -> None:
    last = played([[1, 5], [6, 7], [3, 3]], "play 5x1", max_turns=1)
    assert PLUGIN.places(last.penalties or (), last, BASIC) == (1, 1, 1)


def test_L18_the_target_is_refused_with_the_basic_variant() -> None:
    assert BASIC["target"] is None
    with pytest.raises(OptionError, match="not for 'basic'") as caught:
        PLUGIN.resolve({"variant": "basic", "target": 20}, 4)
    assert caught.value.key == "target"


def test_L19_equal_totals_share_the_place() -> None:
    last = played([[5], IDLE, IDLE], "play 5x1")
    assert PLUGIN.places((8, 3, 21, 3), last, EXPERT) == (3, 1, 4, 1)


def test_L20_a_seat_sees_its_hand_and_what_is_public() -> None:
    state = fives_and_sevens([9, 4, 9], IDLE).apply("pass 7")
    assert state.observe(2) == {
        "seat": 2,
        "hand": [4, 7, 9, 9],
        "table": [[5, 2], [7, 2]],
        "counts": [4, 2, 4, 4],
        "passed": [False, False, True, False],
        "discarded": [0] * 13,
        "first": 0,
        "turn": 3,
    }


def test_L21_a_deal_is_stopped_after_its_last_turn_and_all_are_charged() -> None:
    state = played([[1, 5], [2], [3, 3]], "play 5x1", "pass 5", max_turns=3)
    assert (state.to_act, state.truncated) == (2, False)
    state = state.apply("play 3x1")
    assert (state.to_act, state.truncated) == (None, True)
    assert state.penalties == (1, 2, 1)


def test_L21_a_deal_can_be_stopped_by_a_pass() -> None:
    state = played([[1, 5], [2], [3, 3]], "play 5x1", "pass 5", max_turns=2)
    assert (state.to_act, state.truncated, state.penalties) == (None, True, (1, 2, 2))


def test_L21_going_out_on_the_last_turn_is_going_out() -> None:
    state = played([[1, 5], [6], IDLE], "play 5x1", "play 6x1", max_turns=2)
    assert (state.truncated, state.penalties) == (False, (1, 0, 4))


def test_L21_the_limit_is_1000_turns_or_the_option() -> None:
    assert EXPERT["max_turns"] == 1000
    state = PLUGIN.deal(4, "seed", 1, PLUGIN.resolve({"max_turns": 1}, 4))
    assert state.apply(state.house_move()).truncated


def test_L22_the_house_plays_the_most_cards_of_the_lowest_value() -> None:
    assert played([[2, 4, 4, 4, 6, 6, 6, 9, 9], IDLE, IDLE]).house_move() == "play 4x3"
    assert fives_and_sevens([4, 4, 8, 8, 8], IDLE).house_move() == "play 8x3"


def test_L22_with_no_play_the_house_takes_the_highest_value() -> None:
    assert fives_and_sevens([6, 6, 8, 8], IDLE).house_move() == "pass 7"


def test_L22_there_is_no_house_move_after_the_deal() -> None:
    with pytest.raises(IllegalAction, match="the deal is over"):
        played([[5], IDLE, IDLE], "play 5x1").house_move()
