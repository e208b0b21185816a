"""The decoding of frames: strict about types, indifferent to unknown keys."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.play import protocol
from arena.play.protocol import Action, Hello, Malformed, Pong, decode, excerpt

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(["type", "id", "action", "protocol", "token", "name", "version"])
TYPES = st.sampled_from(["hello", "action", "pong", "act", "bye"])
NEAR_MISSES = st.dictionaries(KEYS, JSON | TYPES).map(lambda value: json.dumps(value).encode())


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (b'{"type":"hello","protocol":1,"token":"t"}', Hello(1, "t")),
        (
            b'{"type":"hello","protocol":2,"token":"t","name":"n","version":"v"}',
            Hello(2, "t", "n", "v"),
        ),
        (b' { "id" : 3, "action" : "pass 5", "type" : "action" } ', Action(3, "pass 5")),
        ('{"type":"action","id":1,"action":"♥\\u2665"}'.encode(), Action(1, "♥♥")),
        (b'{"type":"pong","id":-1}', Pong(-1)),
    ],
)
def test_messages_of_a_bot_are_decoded(frame: bytes, message: object) -> None:
    assert decode(frame) == message


def test_unknown_keys_are_ignored() -> None:
    assert decode(b'{"type":"pong","id":1,"mood":{"good":[1,null]}}') == Pong(1)


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        (b"", "truncated"),
        (b"hello", "malformed"),
        (b"null", "Expected `object`"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field `type`"),
        (b'{"id":1}', "missing required field `type`"),
        (b'{"type":"shout","id":1}', "Invalid value 'shout' - at `$.type`"),
        (b'{"type":"act","id":1}', "Invalid value 'act'"),
        (b'{"type":"' + b"x" * 900_000 + b'"}', "Invalid value 'xxx"),
        (b'{"type":7}', "at `$.type`"),
        (b'{"type":"action","id":1}', "missing required field `action`"),
        (b'{"type":"action","id":"1","action":"x"}', "Expected `int`, got `str` - at `$.id`"),
        (b'{"type":"action","id":1.0,"action":"x"}', "Expected `int`, got `float`"),
        (b'{"type":"action","id":true,"action":"x"}', "Expected `int`, got `bool`"),
        (b'{"type":"action","id":1,"action":null}', "Expected `str`, got `null` - at `$.action`"),
        (b'{"type":"action","id":1,"action":["x"]}', "Expected `str`, got `array`"),
        (b'{"type":"pong","id":1}{"type":"pong","id":1}', "trailing characters"),
        (b"{'type':'pong','id':1}", "malformed"),
        (b'{"type":"action","id":1,"action":"\xff"}', "Invalid UTF-8"),
        (b'{"type":"action","id":1,"action":"\\ud800"}', "truncated"),
        (b'{"type":"pong","id":' + b"9" * 5000 + b"}", "out of range"),
        (b'{"type":"pong","id":1,"x":' + b"[" * 200_000, "recursion depth"),
    ],
)
def test_what_is_no_message_of_a_bot_is_malformed_and_says_why(
    frame: bytes, complaint: str
) -> None:
    with pytest.raises(Malformed) as error:
        decode(frame)
    assert complaint in str(error.value)
    assert str(error.value).endswith(f"; got {excerpt(frame)}")
    assert len(str(error.value)) < 1000


@given(st.one_of(st.binary(), JSON.map(lambda value: json.dumps(value).encode()), NEAR_MISSES))
def test_no_bytes_make_decoding_raise_anything_else(frame: bytes) -> None:
    with contextlib.suppress(Malformed):
        assert isinstance(decode(frame), Hello | Action | Pong)


@given(st.binary())
def test_an_excerpt_is_short_printable_and_ascii(frame: bytes) -> None:
    text = excerpt(frame, 20)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < 300


def test_an_excerpt_says_how_long_the_frame_was() -> None:
    assert excerpt(b"abc") == "'abc'"
    assert excerpt(b"abcdef", 3) == "'abc'... (6 bytes)"


def test_messages_of_the_arena_come_back_as_they_were_sent() -> None:
    act = protocol.Act(4, {"hand": [1, 2]}, ("pass 1",), [(2, "play 1x1")], 1000)
    frame = protocol.encode(act)
    assert protocol.decode_arena(frame) == act
    assert json.loads(frame) == {
        "type": "act",
        "id": 4,
        "observation": {"hand": [1, 2]},
        "legal": ["pass 1"],
        "events": [[2, "play 1x1"]],
        "ms": 1000,
    }
