"""Records: they survive JSON, they verify, and no field of them can be changed unseen."""

import json
from dataclasses import fields, replace
from itertools import product

import pytest

from engine.chance import Chance
from engine.errors import BadRecord, NewerRecord
from engine.outcome import Result, Termination
from engine.protocol import Fault
from engine.record import (
    Played,
    PlayerId,
    Record,
    Signature,
    forfeit_points,
    sealed,
    verify,
)
from engine.registry import variants
from engine.replay import replay
from engine.version import VERSION
from tests.unit.engine.games import EVERY, caps
from tests.unit.engine.players import MemoryTable, random_player, scripted
from tests.unit.engine.refereed import fails, random_table, record_of

ADDED = {"signature", "chance"}  # after the seal


@EVERY
def test_a_record_survives_json_and_verifies(variant):
    record = record_of(variant)

    text = record.to_json()

    assert Record.from_json(text) == record
    assert Record.from_json(text.encode()).to_json() == text
    assert "\n" not in text
    assert list(record.players) == list(variant.seats)
    verify(Record.from_json(text))


TOLD = {"match": "m_1", "game": 1, "commitment": "cd" * 32, "secret": "ab" * 32, "place": ""}


RECORD = next(
    record
    for rng_seed in range(20)
    if (record := record_of(variants()["general"], rng_seed, {"max_plies": 30})).result.termination
    == "ply_cap"
)
LAST = RECORD.actions[-1]
CHANGES = {
    "format": 2,
    "engine": "0.0.9",
    "variant": "classic@1",
    "options": {**RECORD.options, "max_plies": 31},
    "rng_seed": 99,
    "game": "other",
    "players": {**RECORD.players, "red": PlayerId("somebody else", "ab" * 32)},
    "clock": {**RECORD.clock, "basis": "cpu"},
    "isolation": "docker",
    "actions": RECORD.actions[:-1],
    "result": replace(RECORD.result, points={"red": 1.0, "blue": 0.0}),
    "chain": "0" * 64,
}
SEALED = [field.name for field in fields(Record) if field.name not in ADDED]


@pytest.mark.parametrize("field", SEALED)
def test_a_change_of_any_field_is_noticed(field):
    with pytest.raises(BadRecord):
        verify(replace(RECORD, **{field: CHANGES[field]}))


@pytest.mark.parametrize("detail", ["charged_ms", "action", "seat"])
def test_a_change_inside_an_action_is_noticed(detail):
    changed = replace(LAST, **{detail: {"charged_ms": 9, "action": "a1a2", "seat": "red"}[detail]})

    with pytest.raises(BadRecord, match="hash chain"):
        verify(replace(RECORD, actions=(*RECORD.actions[:-1], changed)))


def forfeit(points, termination=Termination.TIMEOUT, fault="red", actions=RECORD.actions[:10]):
    return replace(RECORD, actions=actions, result=Result(points, termination, fault))


def charged(*costs_ms):
    """Let red's first actions on its turns cost so much."""
    actions = list(RECORD.actions)
    for at, cost_ms in zip(range(2, len(actions), 2), costs_ms, strict=False):
        actions[at] = replace(actions[at], charged_ms=cost_ms)
    return replace(RECORD, actions=tuple(actions))


RED_LOSES = {"red": 0.0, "blue": 1.0}


@pytest.mark.parametrize(
    ("forged", "problem"),
    [
        (replace(RECORD, actions=RECORD.actions[:-1]), "does not end with the last action"),
        (replace(RECORD, actions=(*RECORD.actions, LAST)), "was not asked"),
        (replace(RECORD, actions=RECORD.actions[1:]), "was not asked|cannot be"),
        (replace(RECORD, actions=(Played("red", "FBB", 1),)), "action 1 cannot be"),
        (replace(RECORD, result=replace(RECORD.result, points=RED_LOSES)), "do not lead"),
        (replace(RECORD, result=Result(RED_LOSES, "flag_captured")), "do not lead"),
        (replace(RECORD, result=Result(RED_LOSES, Termination.TIMEOUT, "red")), "do not lead"),
        (replace(RECORD, variant="checkers@1"), "no variant"),
        (replace(RECORD, options={**RECORD.options, "speed": 1}), "no option"),
        (replace(RECORD, options={}), "the record does not tell"),
        (replace(RECORD, players={}), "not complete"),
        (replace(RECORD, clock={}), "the clock is not complete"),
        (replace(RECORD, clock={**RECORD.clock, "basis": "sun"}), "the clock is not complete"),
        (replace(RECORD, clock={**RECORD.clock, "bank_ms": 1.5}), "not in whole milliseconds"),
        (replace(RECORD, clock={**RECORD.clock, "action_ms": 0}), "action 1 costs"),
        (charged(-1), "action 3 costs"),
        (charged(5002), "action 3 costs"),
        (forfeit(RED_LOSES, fault=None), "a forfeit"),
        (forfeit({"red": 0.0, "blue": 0.0}, fault="blue", actions=()), "a forfeit"),
        (forfeit({"red": 0.0, "blue": 0.0}), "a forfeit"),
        (forfeit(RED_LOSES, fault="platform"), "a void game"),
        (forfeit(RED_LOSES, Termination.PLATFORM_FAULT), "a void game"),
        (forfeit(RED_LOSES, Termination.PLATFORM_FAULT, "platform"), "a void game"),
        (forfeit(RED_LOSES, Termination.STARTUP_TIMEOUT), "cannot end in startup_timeout"),
        (forfeit(RED_LOSES, Termination.ILLEGAL_DEPLOYMENT), "cannot end in illegal_deployment"),
        (
            forfeit(RED_LOSES, Termination.ILLEGAL_ACTION, actions=()),
            "cannot end in illegal_action",
        ),
        (forfeit(RED_LOSES, "no_moves"), "does not end with the last action"),
    ],
)
def test_forged_record_with_fitting_chain_found_by_replaying(forged, problem):
    with pytest.raises(BadRecord, match=problem):
        verify(sealed(forged))


@pytest.mark.parametrize(
    "fair",
    [
        forfeit(RED_LOSES),
        charged(*[5000] * 11),
        forfeit(RED_LOSES, Termination.STARTUP_TIMEOUT, actions=()),
        forfeit(RED_LOSES, Termination.ILLEGAL_ACTION),
        forfeit(RED_LOSES, Termination.ILLEGAL_DEPLOYMENT, actions=()),
        forfeit({"red": 1.0, "blue": 0.0}, fault="blue", actions=RECORD.actions[:1]),
        forfeit({"red": 0.0, "blue": 0.0}, Termination.CRASH, actions=()),
        forfeit(None, Termination.PLATFORM_FAULT, "platform"),
    ],
)
def test_forfeits_and_void_games_verify(fair):
    verify(sealed(fair))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}\n{}\n", "it is more than one. Read a file of many, one a line, with botkit.data"),
        ("{} 7", "it is not JSON from line 1, column 4 on"),
        ('{\n"format":}', "it is not JSON from line 2, column 10 on"),
        (b"\xff\xfe\x00", "it is not text in UTF-8"),
        ("[" * 100_000, "its values are nested too deeply"),
        ("9" * 5000, "a number has too many digits"),
        ('{"a":{"b":1,"b":1}}', "the key 'b' stands twice in one object, so it says two things"),
        ("[]", "the record is a list and not a JSON object"),
        ('{"engine":"0.4.0"}', "the record does not have the key 'format'"),
    ],
)
def test_non_record_text_is_said_in_words(text, why):
    with pytest.raises(BadRecord) as refused:
        Record.from_json(text)
    assert str(refused.value) == f"not a record of format 1: {why}"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"engine": 4}, "engine is 4 and not text"),
        ({"engine": "new", "note": ""}, "'new' is no version of the engine, such as"),
        ({"options": [["a", 1]]}, "options is a list and not a JSON object"),
        ({"players": {"red": {"name": "a"}}}, "a player does not have the key 'digest'"),
        ({"actions": ["a4a5"]}, 'an action is "a4a5" and not a JSON object'),
        ({"result": {}}, "the result does not have the key 'detail'"),
        (
            {"result": {"outcome": [], "termination": "", "fault": None, "detail": ""}},
            "outcome is a list and not a JSON object",
        ),
        (
            {"result": {"outcome": None, "termination": "tea", "fault": None, "detail": ""}},
            "no game ends in 'tea'",
        ),
        ({"options": {"a": float("inf")}}, "a number is not finite, or values are nested too"),
    ],
)
def test_wrong_part_of_record_is_said_in_words(changed, why):
    words = {**json.loads(RECORD.to_json()), **changed}
    with pytest.raises(BadRecord) as refused:
        Record.from_json(json.dumps(words))
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('"format":1', '"format":1.0'),
        ('"charged_ms":1', '"charged_ms":true'),
        ('"charged_ms":1', '"charged_ms":1,"more":1'),
        ('"seat":"red"', '"seat":null'),
        ('"fault":null', '"fault":[]'),
        ('"rng_seed":', f'"rng_seed":{2**63},"x":'),
        ('"chain":', '"signature":[],"chain":'),
        ('"chain":', '"chance":[],"chain":'),
        ('"chain":', '"chance":{"match":"m_1","game":1,"commitment":"","secret":""},"chain":'),
        *(
            ('"chain":', f'"chance":{json.dumps({**TOLD, **changed})},"chain":')
            for changed in (
                {"game": "1"},
                {"secret": "ab"},
                {"commitment": "AB" * 32},
                {"match": "m\x1b"},
                {"place": "\u00e9"},
                {"more": 1},
            )
        ),
        ('"chain":', '"signature":{"key":"","signed_at":1,"value":""},"chain":'),
    ],
)
def test_a_field_of_another_type_is_refused(good, bad):
    text = RECORD.to_json()
    assert good in text

    with pytest.raises(BadRecord, match="not a record of format 1"):
        Record.from_json(text.replace(good, bad, 1))


WITH_ALL = replace(
    RECORD,
    chance=Chance("m_1", 1, 1, "cd" * 32, "ab" * 32, "cup", "round 1"),
    signature=Signature("key", "2026-11-24T12:00:00Z", "00"),
)
OBJECTS = {
    "the record": lambda words: words,
    "a player": lambda words: words["players"]["blue"],
    "an action": lambda words: words["actions"][-1],
    "the result": lambda words: words["result"],
    "the signature": lambda words: words["signature"],
    "the chance": lambda words: words["chance"],
}


@pytest.mark.parametrize("name", OBJECTS)
def test_unknown_key_refused_because_no_seal_covers_it(name):
    words = json.loads(WITH_ALL.to_json())
    assert Record.from_json(json.dumps(words)) == WITH_ALL
    OBJECTS[name](words)["note"] = "hello"

    with pytest.raises(BadRecord, match=f"format 1: {name} has the key 'note'") as refused:
        Record.from_json(json.dumps(words))
    assert not isinstance(refused.value, NewerRecord)

    words["engine"] = "99.0.0"
    with pytest.raises(NewerRecord, match=f"{name} has the key 'note', the record was made by"):
        Record.from_json(json.dumps(words))

    words["format"] = 2
    with pytest.raises(NewerRecord, match=r"format 2 .* take a newer version of Drapeau"):
        Record.from_json(json.dumps(words))


@pytest.mark.parametrize("engine", ["0.5.1", "0.6", "1", "0.10.0", "99.0.0.1"])
def test_record_of_newer_engine_refused_with_both_versions(engine):
    newer = sealed(replace(RECORD, engine=engine))
    problem = (
        f"made by engine {engine} and this is engine {VERSION}: take a newer version of Drapeau"
    )

    assert Record.from_json(newer.to_json()) == newer
    with pytest.raises(BadRecord, match=problem):
        verify(newer)
    with pytest.raises(BadRecord, match=problem):
        replay(newer, "public")


@pytest.mark.parametrize("engine", [VERSION, "0.4", "0.3.0"])
def test_record_of_this_or_older_engine_played_again(engine):
    verify(sealed(replace(RECORD, engine=engine)))


@pytest.mark.parametrize("engine", ["", "test", "1.", "v1", "1.0-beta", "1" * 10, "\u0661"])
def test_invalid_engine_version_is_refused(engine):
    with pytest.raises(BadRecord, match=f"is no version of the engine, such as {VERSION}"):
        verify(sealed(replace(RECORD, engine=engine)))


def failing(variant, rng_seed, seat, acts):
    """Seat random players, of whom one crashes when it is asked to act for the nth time."""
    table = random_table(variant, rng_seed)
    fine = random_player(rng_seed + 50)
    left = [acts]

    def answer(message):
        left[0] -= message["type"] == "act"
        return fails(Fault.CRASH) if left[0] < 0 else fine(message)

    return MemoryTable({**table.players, seat: answer})


@EVERY
def test_forfeit_of_any_seat_verifies_and_costs_game(variant):
    for seat in variant.seats:
        for acts in (0, 1, 2, 5):
            table = failing(variant, 10 * acts, seat, acts)
            record = record_of(variant, acts, caps(variant), table=table)

            verify(Record.from_json(record.to_json()))
            assert record.result.fault in ((seat,) if acts == 0 else (seat, None))
            if record.result.fault is not None:
                assert record.result.points == forfeit_points(variant, (seat,))


@EVERY
def test_seats_failing_at_once_lose_first_is_named(variant):
    for failing in (variant.seats, variant.seats[1:], variant.seats[-1:]):
        crashing = {seat: scripted(fails(Fault.CRASH)) for seat in failing}
        table = MemoryTable({**random_table(variant, 1).players, **crashing})
        record = record_of(variant, table=table)

        spared = {side: {*seats}.isdisjoint(failing) for side, seats in variant.sides.items()}
        assert (record.result.fault, record.result.points) == (failing[0], spared)
        assert record.result.detail == "; ".join(f"{seat}: it did" for seat in failing)
        verify(record)


@EVERY
def test_forfeit_falls_on_asked_and_costs_side_alone(variant):
    record = record_of(variant, 3, caps(variant))
    half = record.actions[: len(record.actions) // 2]
    state = variant.begin(record.options, record.rng_seed)
    for played in half:
        variant.apply(state, played.seat, played.action)

    verified = {
        (seat, points)
        for seat in variant.seats
        for points in product((0.0, 0.5, 1.0), repeat=len(variant.sides))
        if verifies(variant, replace(record, actions=half), seat, points)
    }

    (asked,) = variant.asked(state)
    assert verified == {(asked, tuple(forfeit_points(variant, (asked,)).values()))}


def verifies(variant, record, fault, points):
    claimed = Result(dict(zip(variant.sides, points, strict=True)), Termination.TIMEOUT, fault)
    try:
        verify(sealed(replace(record, result=claimed)))
    except BadRecord:
        return False
    return True
