"""The wire: no bytes from a bot may raise anything but BadMessage."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.outcome import Termination
from engine.protocol import (
    LINE_CAP_BYTES,
    Act,
    BadMessage,
    Fault,
    Ready,
    act_message,
    decode,
    encode,
    end_message,
    parse_act,
    parse_ready,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(line=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_message_or_a_bad_message(line):
    for parse in (decode, parse_ready, parse_act):
        words = refusal_of(parse, line)
        assert words.isprintable()
        assert len(words) < 1000


def refusal_of(parse, line):
    """Say why a line is refused; nothing where it is not."""
    try:
        parse(line)
    except BadMessage as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"", "the line is not JSON"),
        (b"a4a5", "the line is not JSON"),
        (b'{"action":"a4a5"}{}', "not JSON"),
        (b'["a4a5"]', "not a JSON object"),
        (b'"a4a5"', "not a JSON object"),
        (b'{"action":"a","action":"b"}', "a key stands twice"),
        (b'{"action":"a","belief":{"x":1,"x":2}}', "a key stands twice"),
        (b'{"action":"a","belief":NaN}', "NaN is not JSON"),
        (b'{"action":"a","belief":-Infinity}', "-Infinity is not JSON"),
        (b'{"action":"a","belief":1e999}', "a number is too large"),
        (b'{"action":"a","belief":9007199254740993}', "a number is too large"),
        (b'{"action":"a","belief":' + b"9" * 4000 + b"}", "a number is too large"),
        (b'{"action":"\\ud800"}', "half a character"),
        (b'{"action":"a","\\udfff":1}', "half a character"),
        (b'{"action":"a","belief":' + b"[" * 20 + b"]" * 20 + b"}", "nested too deeply"),
        (b'{"action":"a","belief":' + b"[" * 1500 + b"]" * 1500 + b"}", "nested too deeply"),
        (b'{"a":' * 650 + b"1" + b"}" * 650, "nested too deeply"),
        (b'{"action":"\xff"}', "not UTF-8"),
        (b'{"action":"' + b"a" * LINE_CAP_BYTES + b'"}', "is longer than 4096"),
        (b'{"move":"a4a5"}', "a key that is not known"),
        (b'{"note":"hm"}', 'needs "action"'),
        (b'{"action":["a4a5"]}', 'needs "action"'),
        (b'{"action":"a4a5","note":7}', '"note" must be a text'),
    ],
)
def test_a_bad_line_is_refused_in_words(line, problem):
    with pytest.raises(BadMessage) as refusal:
        parse_act(line)

    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    "line", [b"S3CRET", b'{"action":"a","S3CRET":1}', b'{"S3CRET":1,"S3CRET":2}', b'["S3CRET"]']
)
def test_a_refusal_repeats_nothing_of_a_line_that_may_hold_private_notes(line):
    with pytest.raises(BadMessage) as refusal:
        parse_act(line)

    assert "S3CRET" not in str(refusal.value)


def test_answers_are_read():
    assert parse_ready(b'{"type":"ready"}') == Ready(legal=True)
    assert parse_ready(b'{"type":"ready","legal":false}\r') == Ready(legal=False)
    assert parse_act(b' {"action":"a4a5"} ') == Act("a4a5")
    assert parse_act('{"action":"a4a5","note":"é","belief":{"b1":[0.5]}}'.encode()) == Act(
        "a4a5", "é", {"b1": [0.5]}
    )


@pytest.mark.parametrize("line", [b'{"type":"act"}', b"{}", b'{"type":"ready","legal":null}'])
def test_a_wrong_first_line_is_refused(line):
    with pytest.raises(BadMessage):
        parse_ready(line)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(value=JSON)
def test_what_is_encoded_is_one_line_of_ascii_or_an_error(value):
    try:
        line = encode({"value": value})
    except ValueError:
        return
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert json.loads(line) == {"value": value}


def test_messages_are_rounded_so_that_no_line_tells_more_than_whole_milliseconds():
    view = {"ply": 3, "phase": "turn"}

    line = act_message(view=view, events=[], legal=["a4a5"], bank_ms=99.6, used_ms=0.4)

    assert json.loads(line) == {
        "type": "act",
        "ply": 3,
        "phase": "turn",
        "view": view,
        "events": [],
        "legal": ["a4a5"],
        "clock": {"bank_ms": 100, "used_ms": 0},
    }


def test_a_void_game_ends_without_points():
    line = end_message(outcome=None, termination="platform_fault")

    assert json.loads(line) == {"type": "end", "outcome": None, "termination": "platform_fault"}


def test_every_fault_is_a_termination():
    assert {Termination(fault) for fault in Fault} <= set(Termination)
