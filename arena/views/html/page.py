"""The shell of every page: one file with its style, script and data inside, which loads nothing.

A content security policy allows the page's own style and script, by their hashes, and nothing
else: what a bot or a league file says cannot become either. So no element has a style attribute
or a handler of its own.
"""

import base64
import functools
import hashlib
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

if TYPE_CHECKING:
    from jinja2 import Environment

_ESCAPES = str.maketrans({"&": "\\u0026", "<": "\\u003c", ">": "\\u003e"})
"""What could end a script element or begin another, as JSON may write it."""


class Part(Struct, frozen=True):
    """A part of a page: its HTML, in which everything is escaped, and what that needs.

    ``script`` has functions that are called at once, in strict mode; ``data`` is what they read:
    the values by the ids of the elements that hold them as JSON.
    """

    body: str
    style: str = ""
    script: str = ""
    data: dict[str, Any] = field(default_factory=dict)


def page(title: str, parts: Sequence[Part], *, lead: str = "") -> str:
    """Return a page of these parts, with a line of text below its title if there is a ``lead``."""
    style = "\n".join([text("page.css"), *_each(part.style for part in parts)])
    script = "\n".join(_each(part.script for part in parts))
    return (
        environment()
        .get_template("page.html")
        .render(
            title=title,
            lead=lead,
            style=style,
            script=script,
            style_hash=_hash(style),
            script_hash=_hash(script),
            bodies=[part.body for part in parts],
            data={name: json(value) for part in parts for name, value in part.data.items()},
        )
    )


@functools.cache
def environment() -> "Environment":
    """Return the templates of this folder; they escape whatever is put into them."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def text(name: str) -> str:
    """Return a file of this folder."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def json(value: object) -> str:
    """Return values as JSON that can stand inside a script element."""
    encoded = msgspec.json.encode(value).decode()
    return encoded.translate(_ESCAPES)


def _each(texts: Iterable[str]) -> list[str]:
    """Return the texts that are not empty, each of them once."""
    return list(dict.fromkeys(filter(None, texts)))


def _hash(content: str) -> str:
    """Return the hash by which a policy allows an element with this content."""
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
