"""How a bot answers what was asked in a recorded match, as lines that can be read."""

from arena.model import Entrant, MatchResult, Seat
from arena.play.again import Reaction
from arena.play.referee import Answer, Failure
from arena.views.grid import first_line, printable


def version_line(result: MatchResult, seat: Seat, entrant: Entrant, *, replaced: bool) -> str:
    """Return which version of a bot played, and what is in its seat now."""
    then = result.fingerprints[seat] if seat < len(result.fingerprints) else ""
    line = f"{result.outcome.seats[seat]}, seat {seat}, played as version {then or 'unknown'}"
    version = f"version {entrant.fingerprint}" if entrant.fingerprint else "of no known version"
    if replaced:
        return f"{line}; {entrant.name}, {version}, has its seat now"
    if entrant.fingerprint == then:
        return f"{line}, and has not changed"
    return f"{line}; it has changed: {version}"


def difference_lines(reaction: Reaction, seat: Seat) -> list[str]:
    """Return what differs from the record and the table as the seat saw it; nothing if the same."""
    if reaction.same:
        return []
    question = reaction.question
    return [
        "",
        *question.state.text(seat).splitlines(),
        f"deal {question.deal}, action {question.index}: "
        f"recorded {_words(question.recorded)}, now {_words(reaction.now)}",
    ]


def _words(reply: Answer | Failure) -> str:
    if isinstance(reply, Answer):
        return printable(reply.action)
    return f"a fault, {reply.kind.value}: {printable(first_line(reply.detail))}"
