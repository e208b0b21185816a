"""What every game must keep, whatever its rules."""

import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import msgspec
import pytest

from arena import games
from arena.errors import OptionError
from arena.games.base import Described, Game, Glance, IllegalAction, Imaginable, Option, State

Chooser = Callable[[tuple[str, ...]], str]
DEALS = 3
"""Deals played at each table size."""
OPTIONS = [(key, option) for key in games.names() for option in games.load(key).options]


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


def first(legal: tuple[str, ...]) -> str:
    return legal[0]


def anything(seed: object) -> Chooser:
    return random.Random(str(seed)).choice


def walk(state: State, choose: Chooser) -> Iterator[State]:
    """Yield all states of a deal, the last one included."""
    while state.to_act is not None:
        yield state
        state = state.apply(choose(state.legal_actions()))
    yield state


def starts(game: Game, deals: int = DEALS) -> Iterator[tuple[int, State]]:
    """Yield first states with their number of players, at tables of every size."""
    for players in game.players:
        options = game.resolve({}, players)
        for number in range(1, deals + 1):
            yield players, game.deal(players, "conformance", number, options)


def everything(state: State, players: int) -> tuple[Any, ...]:
    """Return all that can be read from a state."""
    return (
        state.to_act,
        state.penalties,
        state.truncated,
        state.legal_actions(),
        [state.observe(seat) for seat in range(players)],
        [state.text(seat) for seat in (None, *range(players))],
        state.record(),
    )


def visible(state: State, seat: int) -> tuple[Any, ...]:
    """Return all that a seat can read from a state, observations as bytes."""
    return (
        state.to_act,
        state.truncated,
        state.penalties is None,
        json.dumps(state.observe(seat)).encode(),
        state.text(seat),
        state.legal_actions() if state.to_act == seat else None,
    )


def turns(seats: list[int]) -> int:
    """Return the number of turns; decisions of one seat that follow each other are one."""
    return sum(seat != before for seat, before in zip(seats, [None, *seats], strict=False))


def test_a_game_describes_itself(game: Game) -> None:
    assert game.key in games.names()
    assert game.title
    assert game.rules.strip() == game.rules != ""
    assert len(game.players) > 0
    assert min(game.players) > 1
    assert len({option.name for option in game.options}) == len(game.options)
    assert all(option.help for option in game.options)


def test_all_options_are_resolved_at_every_table(game: Game) -> None:
    for players in game.players:
        options = game.resolve({}, players)
        assert list(options) == [option.name for option in game.options]
        assert game.resolve(options, players) == options == json.loads(json.dumps(options))


@pytest.mark.parametrize(("key", "option"), OPTIONS, ids=lambda part: getattr(part, "name", part))
def test_an_option_out_of_range_is_refused_by_name(key: str, option: Option) -> None:
    game = games.load(key)
    wrong: list[Any] = ["no such choice", 1.5, True, [1]]
    if not option.choices:
        wrong += [option.low - 1, option.high + 1]
    for value in wrong:
        with pytest.raises(OptionError, match=option.name) as caught:
            game.resolve({option.name: value}, game.players[0])
        assert caught.value.key == option.name


def test_an_unknown_option_is_refused(game: Game) -> None:
    with pytest.raises(OptionError, match="unknown option 'no_such_option'"):
        game.resolve({"no_such_option": 1}, game.players[0])


def test_the_same_seed_and_number_give_the_same_deal(game: Game) -> None:
    for players in game.players:
        options = game.resolve({}, players)
        once, again, other, later = (
            everything(game.deal(players, seed, number, options), players)
            for seed, number in (("a", 1), ("a", 1), ("b", 1), ("a", 2))
        )
        assert once == again
        assert once != other
        assert once != later


def test_legal_actions_are_unique_canonical_and_never_missing(game: Game) -> None:
    for players, start in starts(game):
        for state in walk(start, anything(players)):
            legal = state.legal_actions()
            assert len(set(legal)) == len(legal)
            assert (legal == ()) == (state.to_act is None)
            assert [state.canonical(action) for action in legal] == list(legal)


def test_an_illegal_action_is_raised_and_changes_nothing(game: Game) -> None:
    for players, start in starts(game, deals=1):
        states = list(walk(start, anything(players)))
        actions = {action for state in states for action in state.legal_actions()}
        for state in states[::7] + states[-1:]:
            before = everything(state, players)
            legal = state.legal_actions()
            for action in actions.difference(legal) | {
                "",
                "no such action",
                *map(" {}".format, legal),
            }:
                with pytest.raises(IllegalAction):
                    state.apply(action)
            assert everything(state, players) == before


def test_applying_an_action_leaves_the_state_as_it_was(game: Game) -> None:
    for players, start in starts(game, deals=1):
        states = list(walk(start, anything(players)))
        before = [everything(state, players) for state in states]
        for state in states:
            for action in state.legal_actions():
                state.apply(action)
        assert [everything(state, players) for state in states] == before


def test_penalties_come_with_the_end_of_the_deal(game: Game) -> None:
    for players, start in starts(game):
        *states, last = walk(start, anything(players))
        assert all(state.penalties is None and not state.truncated for state in states)
        assert last.penalties is not None
        assert len(last.penalties) == players
        assert min(last.penalties) >= 0


def test_the_house_move_is_legal_and_ends_deals(game: Game) -> None:
    for _, start in starts(game):
        state = start
        while state.to_act is not None:
            assert state.house_move() in state.legal_actions()
            state = state.apply(state.house_move())


def test_always_taking_the_first_legal_action_ends_a_deal(game: Game) -> None:
    for _, start in starts(game):
        *_, last = walk(start, first)
        assert last.to_act is None


def test_observations_have_the_shape_that_the_game_tells(game: Game) -> None:
    if not isinstance(game, Described):
        pytest.skip(f"{game.key} does not tell the shape of its observations")
    for players, start in starts(game):
        for number, state in enumerate(walk(start, anything(players))):
            seen = {**state.observe(number % players), "deal": 1, "totals": [0] * players}
            assert seen.keys() == get_type_hints(game.observation).keys()
            msgspec.convert(json.loads(json.dumps(seen)), game.observation)


def test_a_deal_ends_within_its_turn_limit(game: Game) -> None:
    limits = []
    for players in game.players:
        for limit in (1, 2, 7, 40):
            options = game.resolve({"max_turns": limit}, players)
            start = game.deal(players, "limit", limit, options)
            *states, last = walk(start, anything(limit))
            played = turns([state.to_act for state in states if state.to_act is not None])
            assert played <= limit
            if last.truncated:
                limits.append(limit)
                assert played == limit
    assert {1, 2} <= set(limits)


def test_a_seat_cannot_tell_a_resampled_state_from_the_real_one(game: Game) -> None:
    for players, start in starts(game):
        rng = random.Random(players)
        for state in itertools.islice(walk(start, anything(players)), 0, None, 3):
            for seat in range(players):
                assert visible(state.resample(seat, rng), seat) == visible(state, seat)


def test_a_seat_imagines_a_state_that_agrees_with_all_that_it_has_seen(game: Game) -> None:
    if not isinstance(game, Imaginable):
        pytest.skip(f"{game.key} cannot be imagined")
    for players, start in starts(game, deals=1):
        options, rng = game.resolve({}, players), random.Random(players)
        glances: list[list[Glance]] = [[([], start.observe(seat))] for seat in range(players)]
        heard: list[list[tuple[int, str]]] = [[] for _ in range(players)]
        played: list[str] = []
        for number, state in enumerate(walk(start, lambda _, played=played: played[-1])):
            if (seat := state.to_act) is None:
                break
            glances[seat].append((heard[seat], state.observe(seat)))
            heard[seat] = []
            if number % 7 == 0:
                world = game.imagine(glances[seat], options)
                for like in (world, world.resample(seat, rng)):
                    assert visible(like, seat) == visible(state, seat)
                    assert replayed(game, like, played, options) == everything(like, players)
            played.append(rng.choice(state.legal_actions()))
            for events in heard:
                events.append((seat, played[-1]))


def replayed(
    game: Game, world: State, actions: list[str], options: dict[str, Any]
) -> tuple[Any, ...]:
    """Return all that can be read when the actions are played in the deal of a world."""
    state = game.restore(world.record(), options)
    for action in actions:
        state = state.apply(action)
    return everything(state, len(state.observe(0)["counts"]))


def test_resampling_changes_what_a_seat_cannot_see(game: Game) -> None:
    for _, start in starts(game, deals=1):
        rng = random.Random(1)
        worlds = [start.resample(0, rng) for _ in range(10)]
        assert all(world.text() != start.text() for world in worlds)
        assert len({json.dumps(world.record()) for world in worlds}) > 1


def test_a_resampled_state_can_be_played_to_its_end(game: Game) -> None:
    for players, start in starts(game, deals=1):
        rng = random.Random(players)
        for state in list(walk(start, anything(players)))[::5]:
            *_, last = walk(state.resample(0, rng), rng.choice)
            assert last.penalties is not None


def test_a_deal_is_replayed_from_its_seed_and_actions(game: Game) -> None:
    for players in game.players:
        options = game.resolve({}, players)
        state = game.deal(players, "replay", 1, options)
        choose, actions, texts = anything(players), [], [state.text()]
        while state.to_act is not None:
            actions.append(choose(state.legal_actions()))
            state = state.apply(actions[-1])
            texts.append(state.text())
        again = game.deal(players, "replay", 1, json.loads(json.dumps(options)))
        replayed = [again.text()]
        for action in actions:
            again = again.apply(action)
            replayed.append(again.text())
        assert replayed == texts
        assert everything(again, players) == everything(state, players)


def test_observations_and_records_are_json(game: Game) -> None:
    for players, start in starts(game, deals=1):
        for state in walk(start, anything(players)):
            for value in (state.record(), *map(state.observe, range(players))):
                assert json.loads(json.dumps(value)) == value


def test_observations_tell_nothing_that_the_arena_adds(game: Game) -> None:
    _, state = next(starts(game))
    assert not {"deal", "totals"} & set(state.observe(0))


def test_a_match_ends_with_a_place_for_every_seat(game: Game) -> None:
    for players in game.players:
        options = game.resolve({}, players)
        totals, deals, over = [0] * players, 0, False
        while not over:
            deals += 1
            *_, last = walk(game.deal(players, "match", deals, options), anything(deals))
            totals = [a + b for a, b in zip(totals, last.penalties or (), strict=True)]
            over = game.match_over(totals, deals, options)
            assert deals < 1000
        places = game.places(totals, last, options)
        assert len(places) == players
        assert all(place == 1 + sum(other < place for other in places) for place in places)
