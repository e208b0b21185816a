"""The bots that come with the arena: what they play is legal, repeatable and ranked as told."""

from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_process import BOTS, NAMES, load, play, players_of, shares

from arena.bot import Bot
from arena.entrants import load_bot

BLOCKS = 12
SEARCHING = ("search-leaves", "search-thirteen")
"""They have tests of their own."""
LEAVES = tuple(name for name in players_of("leaves") if name not in SEARCHING)
THIRTEEN = tuple(name for name in players_of("thirteen") if name not in SEARCHING)
SEEDS = st.text("ab", max_size=9)


def share(name: str, others: list[str], game: str = "leaves", blocks: int = BLOCKS) -> float:
    """Return the mean share of a bot against others over some blocks, in all rotations."""
    found = []
    for block in range(blocks):
        for rotation in range(len(others) + 1):
            seats = [*others[rotation:], name, *others[:rotation]]
            result = play([load(bot) for bot in seats], f"block {block}", game)
            found.append(shares(result)[seats.index(name)])
    return mean(found)


def test_the_bots_are_there() -> None:
    assert LEAVES == ("counter", "first", "greedy", "miser", "random")
    assert THIRTEEN == ("first", "random", "rummy-greedy", "rummy-watcher")


@pytest.mark.parametrize("name", NAMES)
def test_bot_can_be_named_to_the_arena(name: str, tmp_path: Path) -> None:
    game = "leaves" if name in players_of("leaves") else "thirteen"
    entrant = load_bot(name, base=tmp_path, game=game)
    assert (entrant.name, entrant.folder) == (name, str(BOTS / name))


@settings(max_examples=40)
@given(names=st.lists(st.sampled_from(LEAVES), min_size=3, max_size=6), seed=SEEDS)
def test_bots_play_legal_actions_at_every_table(names: list[str], seed: str) -> None:
    assert play([load(name) for name in names], seed).outcome.faults == ()


@settings(max_examples=10)
@given(names=st.permutations(LEAVES), seed=SEEDS)
def test_bots_repeat_themselves_given_the_seed(names: list[str], seed: str) -> None:
    once, again = (play([load(name) for name in names], seed) for _ in range(2))
    assert once == again


def test_bots_keep_nothing_from_one_match_to_the_next() -> None:
    kept = [load(name) for name in LEAVES]
    play(kept, "another match")
    assert play(kept, "match") == play([load(name) for name in LEAVES], "match")


@settings(max_examples=1)
@given(names=st.lists(st.sampled_from(THIRTEEN), min_size=2, max_size=4), seed=SEEDS)
def test_bots_of_thirteen_play_legal_actions_and_repeat_themselves(
    names: list[str], seed: str
) -> None:
    once, again = (play([load(name) for name in names], seed, "thirteen") for _ in range(2))
    assert once.outcome.faults == ()
    assert once == again


@pytest.mark.parametrize("others", [1, 3])
def test_rummy_greedy_beats_random(others: int) -> None:
    assert share("rummy-greedy", ["random"] * others, "thirteen", blocks=1) > 0.9


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("others", "blocks"), [(1, 80), (3, 20)])
def test_rummy_watcher_beats_rummy_greedy(others: int, blocks: int) -> None:
    assert share("rummy-watcher", ["rummy-greedy"] * others, "thirteen", blocks) > 0.53


def test_greedy_beats_random() -> None:
    assert share("greedy", ["random"] * 3) > 0.9


def test_counter_beats_greedy() -> None:
    assert share("counter", ["greedy"] * 3) > 0.7


def test_counter_beats_miser() -> None:
    assert share("counter", ["miser"] * 3) > 0.6


def test_greedy_sheds_most_and_of_equals_the_value_it_holds_most_of() -> None:
    observation = {"hand": [3, 3, 8, 8, 8, 9]}
    legal = ["play 3x1", "play 3x2", "play 8x1", "play 8x2", "pass 5"]
    assert load("greedy").choose(observation, legal) == "play 8x2"


def test_greedy_takes_what_pairs_best() -> None:
    observation = {"hand": [3, 8, 8, 9]}
    assert load("greedy").choose(observation, ["pass 3", "pass 5", "pass 8"]) == "pass 8"


def test_miser_passes_before_it_breaks_a_pair() -> None:
    observation = {"hand": [3, 3, 9]}
    assert load("miser").choose(observation, ["play 3x1", "pass 2", "pass 9"]) == "pass 9"


def test_miser_plays_small_inner_groups_first() -> None:
    observation = {"hand": [1, 6, 8, 8, 13]}
    legal = ["play 1x1", "play 6x1", "play 8x1", "play 8x2", "play 13x1"]
    assert load("miser").choose(observation, legal) == "play 6x1"


class TestCounter:
    """What ``counter`` does with its knowledge, at a table of three."""

    def choose(self, bot: Bot, hand: list[int], legal: list[str]) -> str:
        """Return the choice when 7 lies on the table and the next player has one card left."""
        observation = {
            "seat": 0,
            "hand": hand,
            "table": [[7, 1]],
            "counts": [len(hand), 1, 9],
            "passed": [False, False, False],
            "discarded": [0] * 13,
        }
        return bot.choose(observation, legal)

    def bot(self, events: list[list[object]]) -> Bot:
        counter = load("counter")
        counter.deal_start({"observation": {"counts": [15, 15, 15]}})
        counter.events(events)
        return counter

    def test_goes_out_when_it_can(self) -> None:
        legal = ["play 8x1", "play 8x2", "pass 7"]
        assert self.choose(self.bot([]), [8, 8], legal) == "play 8x2"

    @pytest.mark.parametrize(("taken", "choice"), [(5, "play 3x1"), (8, "play 12x1")])
    def test_closes_the_value_of_a_last_card_that_was_taken(self, taken: int, choice: str) -> None:
        bot = self.bot([[1, f"pass {taken}"]])
        assert self.choose(bot, [3, 12], ["play 3x1", "play 12x1"]) == choice

    def test_forgets_a_taken_card_that_was_played(self) -> None:
        legal = ["play 3x1", "play 12x1"]
        played = self.bot([[1, "pass 5"], [1, "play 5x1"], [1, "pass 8"]])
        assert self.choose(played, [3, 12], legal) == "play 12x1"
