"""A league as its file would have it."""

import tomli
from msgspec.structs import replace

from arena.model import Entrant, League, Sandbox, Terms
from arena.views.html.settings import league_text

LEAGUE = League(
    name='a "quoted" \\ name',
    seed="13",
    seats=(3, 4),
    terms=Terms("leaves", {"variant": "basic"}, sandbox=Sandbox(read=("/home/me/book",))),
    format="gauntlet",
    format_options={"blocks": 5, "candidates": ["ann"]},
    entrants=(
        Entrant("ann", ("python3", "/home/me/ann.py"), "/home/me", env={"KEY": "secret"}),
        Entrant("bob", (), "/home/me/bob", active=False),
    ),
    rating="bradley-terry",
)


def test_it_is_toml_with_all_that_the_results_depend_on() -> None:
    found = tomli.loads(league_text(LEAGUE, seed=True))
    assert (found["name"], found["seed"], found["seats"]) == (LEAGUE.name, "13", [3, 4])
    assert found["format"] == {"kind": "gauntlet", "blocks": 5, "candidates": ["ann"]}
    assert found["limits"]["move"] == LEAGUE.terms.limits.move
    assert found["options"] == {"variant": "basic"}
    assert found["rating"]["kind"] == "bradley-terry"
    assert [bot["name"] for bot in found["bots"]] == ["ann", "bob"]
    assert found["bots"][1]["active"] is False


def test_it_holds_no_secret_and_no_path() -> None:
    text = league_text(LEAGUE, seed=False)
    assert "secret" not in text
    assert "/home/me" not in text
    assert tomli.loads(text)["seed"].startswith("hidden")
    assert tomli.loads(text)["bots"][0]["env"] == {"KEY": "…"}
    assert tomli.loads(text)["sandbox"]["read"] == ["…"]


def test_sections_without_a_key_are_left_out() -> None:
    plain = replace(LEAGUE, rating="", terms=Terms(game="leaves"))
    assert tomli.loads(league_text(plain, seed=True)).keys().isdisjoint({"rating", "options"})
