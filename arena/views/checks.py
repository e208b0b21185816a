"""What has been found out about a bot, as a person reads it."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from arena.check.finding import Finding, Status
from arena.views.grid import cut, printable, printed
from arena.words import plural

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
    return "\n".join([*lines, "", f"{plural(len(findings), 'check')}: {ends}"])


def failures(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the failed checks, line by line; of those alike only the first has its messages."""
    told = set()
    for finding in findings:
        sort = finding.check.partition("-")[0], finding.detail.partition(":")[0]
        yield ""
        yield from failure(finding, brief=sort in told)
        told.add(sort)


def failure(finding: Finding, *, brief: bool = False) -> Iterator[str]:
    """Yield all that is known of a failed check, or just what it was and how to repeat it."""
    yield f"{finding.check} failed: {printable(finding.detail)}"
    if finding.rule:
        yield from _labelled("rule", [finding.rule])
    if not brief:
        yield from _labelled("read", [f'PROTOCOL.md, "{finding.section}"'])
        for frame in finding.messages:
            yield from _labelled(frame.sender, [f"{frame.ms:.1f} ms  {frame.text}"])
        if finding.output:
            yield from _labelled("printed", printed(finding.output))
    yield from _labelled("again", [finding.repeat])


def _labelled(label: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield f"    {label.ljust(_LABEL)}{printable(line)}"
        label = ""


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width) or [""]
