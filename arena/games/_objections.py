"""Why an action is not legal, in the words of the game's rules."""

import re

from arena.games.base import Game, IllegalAction, State

_CITED = re.compile(r"\(([A-Z]\d\d)\)")
_RULE = re.compile(r"^  ([A-Z]\d\d)  (.*(?:\n {7}.*)*)", re.MULTILINE)


def objection(state: State, action: str) -> str:
    """Return what the game says against an action, empty if it is legal."""
    try:
        state.apply(state.canonical(action))
    except IllegalAction as error:
        return str(error)
    return ""


def cited(game: Game, text: str) -> tuple[str, ...]:
    """Return the rules whose ids a text has in parentheses, such as ``(L06)``.

    Each is an id with the lines of the rule, as ``Game.rules`` has them; ids that are not there are
    left out.
    """
    rules = {found[1]: f"{found[1]}  {found[2]}" for found in _RULE.finditer(game.rules)}
    return tuple(rules[key] for key in dict.fromkeys(_CITED.findall(text)) if key in rules)
