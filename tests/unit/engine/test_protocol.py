"""The wire: no bytes from a bot may raise anything but BadMessage."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protocol import (
    DEPTH_CAP,
    LINE_CAP_BYTES,
    NAME_CAP,
    Act,
    BadMessage,
    Ready,
    decode,
    encode,
    parse_act,
    parse_ready,
)

# Without a table of all characters, which takes seconds to make.
SIGNS = (*map(chr, range(128)), *"é²٣\u2028\u202e\xa0\U0001f600")
TEXT = st.lists(st.sampled_from(SIGNS), max_size=9).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


PIECES = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b" ", b"\t", b"\r", b"\0", b"\\", b"/", b"-", b"."),
    *(b'"action":', b'"belief":', b'"a":1,', b'"a"', b"null", b"true", b"NaN", b"-Infinity", b"0"),
    *(b"1e999", b"1e-999", b"-0.0", b"9" * 20, b"0." + b"3" * 50, b"01", b"+1", b"0x1", b"1_0"),
    *(b"\\ud800", b"\\udc00", b"\\u0000", b"\\x", b"\xef\xbb\xbf", b"\xff", b"\xc0\x80"),
    *(b"\xed\xa0\x80", "\u2028é😀".encode(), b"[" * 30, b"]" * 30, b'{"a":' * 20, b"}" * 20),
)


@st.composite
def broken_lines(draw):
    """Take a good line and put pieces into it and out of it; or pile pieces up to the cap."""
    line = draw(st.sampled_from((b"", b'{"action":"a4a5","note":"hm","belief":{"b1":[0.5,-1]}}')))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(line)))
        piece = draw(st.sampled_from(PIECES)) * draw(st.sampled_from((1, 1, 1, 2, 90)))
        line = line[:at] + piece + line[at + draw(st.integers(0, 3)) :]
    return line


@settings(max_examples=300, derandomize=True)
@given(
    st.one_of(
        broken_lines(),
        st.binary(max_size=200),
        JSON.map(lambda value: json.dumps(value).encode()),
    )
)
def test_a_line_is_plain_data_or_refused(line):
    for parse in (decode, parse_ready, parse_act):
        words = refusal_of(parse, line)
        assert words.isprintable()
        assert len(words) < 1000
    message = {} if refusal_of(decode, line) else decode(line)
    assert is_plain(message, DEPTH_CAP)
    assert json.loads(encode(message)) == message


def is_plain(value, levels):
    """Say in other words than `decode` what may be in a message."""
    if isinstance(value, dict):
        values = [*value, *value.values()]
        return levels > 0 and all(is_plain(each, levels - 1) for each in values)
    if isinstance(value, list):
        return levels > 0 and all(is_plain(each, levels - 1) for each in value)
    if isinstance(value, str):
        return not any(0xD800 <= ord(character) < 0xE000 for character in value)
    if isinstance(value, float):
        return abs(value) < float("inf")
    return value is None or abs(value) <= 2**53


def refusal_of(parse, line):
    """Return why a line is refused; nothing where it is not."""
    try:
        parse(line)
    except BadMessage as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"", "the line is not JSON"),
        (b'{"action":"a\0"}', "the line is not JSON"),
        (b"\xef\xbb\xbf" + b'{"action":"a4a5"}', "the line is not JSON"),
        (b'{"action":"a4a5"}{}', "not JSON"),
        (b'["a4a5"]', "not a JSON object"),
        (b'{"action":"a","action":"b"}', "a key stands twice"),
        (b'{"action":"a","belief":{"x":1,"x":2}}', "a key stands twice"),
        (b'{"action":"a","belief":NaN}', "NaN is not JSON"),
        (b'{"action":"a","belief":1e999}', "a number is too large"),
        (b'{"action":"a","belief":9007199254740993}', "a number is too large"),
        (b'{"action":"\\ud800"}', "half a character"),
        (b'{"action":"a","belief":' + b"[" * 20 + b"]" * 20 + b"}", "nested too deeply"),
        (b'{"action":"\xff"}', "not UTF-8"),
        (b'{"action":"' + b"a" * LINE_CAP_BYTES + b'"}', "is longer than 4096"),
        (b'{"move":"a4a5"}', 'needs "action"'),
        (b'{"action":["a4a5"]}', 'needs "action"'),
        (b'{"action":"a4a5","note":7}', '"note" must be a text'),
    ],
)
def test_a_bad_line_is_refused_in_words(line, problem):
    with pytest.raises(BadMessage) as refusal:
        parse_act(line)

    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    "line", [b"S3CRET", b'{"S3CRET":1}', b'{"S3CRET":1,"S3CRET":2}', b'["S3CRET"]']
)
def test_refusal_repeats_nothing_of_private_line(line):
    with pytest.raises(BadMessage) as refusal:
        parse_act(line)

    assert "S3CRET" not in str(refusal.value)


def test_answers_are_read():
    assert parse_ready(b'{"type":"ready"}') == Ready(legal=True, view="full")
    assert parse_ready(b'{"type":"ready","wants":{"legal":false}}\r') == Ready(legal=False)
    assert parse_ready(b'{"type":"ready","wants":{"view":"first"}}') == Ready(view="first")
    assert parse_ready(b'{"type":"ready","name":"mine","version":"2.1"}') == Ready(
        name="mine", version="2.1"
    )
    assert parse_act(b' {"action":"a4a5"} ') == Act("a4a5")
    assert parse_act('{"action":"a4a5","note":"é","belief":{"b1":[0.5]}}'.encode()) == Act(
        "a4a5", "é", {"b1": [0.5]}
    )


def test_unknown_keys_are_named_and_change_nothing():
    """They may be of a later protocol, so they are no fault."""
    line = b'{"type":"ready","legal":false,"wants":{"view":"first","colour":1},"mood":{"legal":0}}'

    assert parse_ready(line) == Ready(view="first", unknown=("legal", "mood", "wants.colour"))
    assert parse_act(b'{"action":"a4a5","move":"b4b5"}') == Act("a4a5", unknown=("move",))


def test_names_bot_gives_itself_are_cut():
    long = "n" * (NAME_CAP + 1)
    ready = parse_ready(json.dumps({"type": "ready", "name": long, "version": long}).encode())

    assert (ready.name, ready.version) == (long[:-1], long[:-1])


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"act"}',
        b"{}",
        b'{"type":"ready","wants":{"legal":null}}',
        b'{"type":"ready","wants":{"view":"last"}}',
        b'{"type":"ready","wants":{"view":["full"]}}',
        b'{"type":"ready","wants":"all"}',
        b'{"type":"ready","name":7}',
        b'{"type":"ready","version":null}',
    ],
)
def test_a_wrong_first_line_is_refused(line):
    with pytest.raises(BadMessage):
        parse_ready(line)


@settings(max_examples=60, derandomize=True)
@given(value=JSON)
def test_encoded_is_one_ascii_line_or_error(value):
    try:
        line = encode({"value": value})
    except ValueError:
        return
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert json.loads(line) == {"value": value}
