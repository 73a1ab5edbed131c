"""Invariants of notation: what is an action, what is refused, and how an action reads."""

import re
import tomllib
from functools import cache
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, IllegalAction, MalformedAction
from engine.rng import Rng
from engine.variant import FULL, PUBLIC
from tests.unit.engine.games import (
    EVERY,
    actions_met,
    caps,
    folder_of,
    is_opening,
    mutations,
    observers,
    random_game,
    readings,
    some,
    state_within,
    states_within,
)

SHARES = (0, 0.1, 0.4, 0.7, 0.95)
# Without a table of all characters, which takes seconds to make.
SIGNS = (*map(chr, range(128)), *"é²٣\u2028\u202e\xa0\U0001f600")


def candidates(variant, state):
    """Return texts that are actions, nearly actions, or pairs of places on the board."""
    met = actions_met(variant)
    cells = [cell.name for cell in variant.scene(variant.view(state, PUBLIC)).cells]
    pairs = [start + end for start in cells for end in cells]
    return {*met, *mutations(met, Rng(1), 600), *pairs}


def accepted(variant, state, seat, texts):
    """Return those of some texts that a seat may play; what is refused changes nothing."""
    taken, twin = set(), variant.copy(state)
    for text in texts:
        try:
            variant.apply(twin, seat, text)
        except (MalformedAction, IllegalAction):
            continue
        taken.add(text)
        twin = variant.copy(state)
    return taken


@EVERY
@pytest.mark.parametrize(("number", "share"), [*enumerate(SHARES)])
def test_whatever_is_not_listed_is_refused(variant, number, share):
    reading = readings(variant)[number % len(readings(variant))]
    state = state_within(variant, number, share, {**reading, **caps(variant)})
    for seat in variant.seats:
        legal = variant.legal(state, seat)
        if legal is not None:
            texts = candidates(variant, state) | set(legal)
            assert accepted(variant, state, seat, texts) == set(legal)


@EVERY
@settings(max_examples=60, derandomize=True)
@given(data=st.data())
def test_any_text_is_action_malformed_or_illegal(variant, data):
    text = data.draw(texts_near_actions(variant))
    for state, before in stages(variant):
        for seat in variant.seats:
            twin = variant.copy(state)
            try:
                variant.apply(twin, seat, text)
            except EngineError as refusal:
                after = [variant.view(twin, observer) for observer in observers(variant)]
                assert after == before
                assert_readable(refusal, text)


def assert_readable(refusal, text):
    """Hold that a refusal says something, in one line that does not repeat a long text."""
    assert isinstance(refusal, (MalformedAction, IllegalAction))
    assert 10 <= len(str(refusal)) <= 300
    assert "\n" not in str(refusal)
    assert re.fullmatch(r"|[A-E][A-Z]?[0-9]+[a-c]?", getattr(refusal, "rule", ""))
    str(refusal).encode()


@EVERY
def test_unasked_seat_is_refused_whatever_action(variant):
    for state in states_within(variant, 8, (*SHARES, 1), caps(variant)):
        asked = variant.asked(state)
        texts = [text for seat in asked for text in variant.legal(state, seat) or []]
        for seat in set(variant.seats) - set(asked):
            for text in texts or actions_met(variant)[:50]:
                with pytest.raises(IllegalAction if texts else EngineError):
                    variant.apply(variant.copy(state), seat, text)


@EVERY
def test_every_rule_refusal_names_ledger_sentence(variant):
    path = folder_of(variant.slug) / "ledger.toml"
    ledger = {row["id"] for row in tomllib.loads(path.read_text("utf-8"))["sentence"]}

    named: set[str] = set()
    for number, reading in enumerate(readings(variant)):
        for state in states_within(variant, number, SHARES, {**reading, **caps(variant)}):
            texts = some(sorted(candidates(variant, state)), Rng(number), 300)
            for seat, text in product(variant.seats, texts):
                named.add(rule_against(variant, state, seat, text))

    assert len(named) > 3
    assert named - {""} <= ledger


def rule_against(variant, state, seat, text):
    """Return the sentence that forbids an action, or nothing."""
    try:
        variant.apply(variant.copy(state), seat, text)
    except EngineError as refusal:
        return getattr(refusal, "rule", "")
    return ""


@EVERY
def test_action_reads_like_itself_and_no_other(variant):
    """So that a replay can be played again from what it shows."""
    for state, seat, _ in islice(random_game(variant, 9, caps(variant)), 40):
        legal = (seat and variant.legal(state, seat)) or []
        if is_opening(variant, state):
            continue
        read = {action: notation(variant, state, seat, action) for action in legal}

        assert len(set(read.values())) == len(read)
        for action, text in read.items():
            letters = iter(text)
            assert all(letter in letters for letter in action)


def notation(variant, state, seat, action):
    """Return the notation of an action as it is told to who sees all."""
    before = variant.view(state, FULL)
    events = variant.apply(variant.copy(state), seat, action)
    told = [variant.describe(event.seen_by(FULL), before)[0] for event in events]
    (text,) = [text for text in told if text]
    return text


@EVERY
def test_every_observer_is_told_events_with_one_action(variant):
    for state, seat, action in random_game(variant, 1, caps(variant)):
        if not seat:
            break
        opening = is_opening(variant, state)
        for observer in observers(variant):
            before = variant.view(state, observer)
            twin = variant.copy(state)
            events = [event.seen_by(observer) for event in variant.apply(twin, seat, action)]
            told = [variant.describe(event, before) for event in events]
            assert all(sentence for _, sentence in told)
            assert opening or sum(bool(text) for text, _ in told) == 1
            assert all(event["seat"] in variant.seats for event in events if "seat" in event)
            assert opening or events[0]["seat"] == seat


@cache
def texts_near_actions(variant):
    met = actions_met(variant)
    letters = st.sampled_from(sorted(set("".join(met))))
    return (
        st.lists(st.sampled_from(SIGNS), max_size=12).map("".join)
        | st.lists(letters, max_size=2 * max(map(len, met))).map("".join)
        | st.sampled_from(met)
        | st.sampled_from(mutations(met, Rng(2), 500))
    )


@cache
def stages(variant):
    """Return states of all phases of a game, each with all its views, worked out once."""
    return [
        (state, [variant.view(state, observer) for observer in observers(variant)])
        for state in states_within(variant, 5, (*SHARES, 1), caps(variant))
    ]
