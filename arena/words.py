"""Numbers in the words of messages and tables."""


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 match``, ``3 matches``."""
    ending = "" if count == 1 else "es" if noun.endswith(("ch", "s")) else "s"
    return f"{count} {noun}{ending}"


def span(low: int, high: int) -> str:
    """Return what lies from one number to another: ``3``, ``3 to 5``."""
    return str(low) if low == high else f"{low} to {high}"


def escaped(text: str) -> str:
    """Return a text with an escape for each character that a terminal might obey."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
