"""What has been found out about a bot, as a person reads it."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from arena.check.finding import Finding, Status
from arena.views.grid import cut, printable

_GAP = "  "
_LABEL = 9


def summary(findings: Sequence[Finding], width: int) -> str:
    """Return a row for each check in at most ``width`` cells, and how many came to which end."""
    keys = max(len("check"), *(len(finding.check) for finding in findings))
    states = max(map(len, Status))
    room = width - keys - states - 2 * len(_GAP)
    lines = [_GAP.join(("check".ljust(keys), "result".ljust(states), "what was seen"))]
    for finding in findings:
        detail = printable(finding.detail)
        shown = [cut(detail, room)] if finding.status is Status.FAILED else _wrapped(detail, room)
        margin = _GAP.join((finding.check.ljust(keys), finding.status.ljust(states)))
        for line in shown:
            lines.append(_GAP.join((margin, line)))
            margin = " " * len(margin)
    counts = Counter(finding.status for finding in findings)
    ends = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    return "\n".join([*lines, "", f"{len(findings)} checks: {ends}"])


def failure(finding: Finding) -> Iterator[str]:
    """Yield all that is known of a failed check, line by line."""
    yield f"{finding.check} failed: {printable(finding.detail)}"
    if finding.rule:
        yield from _labelled("rule", [finding.rule])
    yield from _labelled("read", [f'PROTOCOL.md, "{finding.section}"'])
    for frame in finding.messages:
        yield from _labelled(frame.sender, [f"{frame.ms:.1f} ms  {frame.text}"])
    if finding.output:
        yield from _labelled("printed", finding.output.splitlines())
    yield from _labelled("again", [finding.repeat])


def _labelled(label: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield f"    {label.ljust(_LABEL)}{printable(line)}"
        label = ""


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width) or [""]
