"""Every line of a game is what the schema of its variant says."""

import json

import pytest
from jsonschema import Draft202012Validator

from engine.registry import variants
from engine.schema import answer_in
from tests.unit.engine.games import EVERY, caps, readings
from tests.unit.engine.refereed import random_table, record_of

GAMES = [
    pytest.param(variant, options, id=f"{slug}-{number}")
    for slug, variant in variants().items()
    for number, options in enumerate([{}, *({**r, **caps(variant)} for r in readings(variant))])
]
MANY = 20  # lines of one game that are held against the schema, evenly spread


def lines_of(variant, options, rng_seed=3):
    """Return all lines that the seats of a random game get."""
    return played(variant, options, rng_seed)[1]


def played(variant, options, rng_seed=3):
    """Return the record of a random game, and all lines that its seats get."""
    table = random_table(variant, rng_seed)
    record = record_of(variant, rng_seed, options, table=table)
    return record, [message for seat in variant.seats for message in table.messages(seat)]


def closed(schema):
    """Return a schema under which an object has the keys that are described and no others."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    described = isinstance(schema.get("properties"), dict)
    return {**inner, "additionalProperties": False} if described else inner


@pytest.mark.parametrize(("variant", "options"), GAMES)
def test_every_line_of_a_game_fits(variant, options):
    """Every action, too, is written as its phase says."""
    schema = closed(variant.schema())
    if not options:  # it is the same for all
        Draft202012Validator.check_schema(schema)
    record, lines = played(variant, options)

    assert {line["type"] for line in lines} == {"start", "act", "end"}
    checks = {
        kind: Draft202012Validator({**schema, "oneOf": [{"$ref": f"#/$defs/{kind}"}]})
        for kind in ("start", "act", "end")
    }
    for line in lines[:: max(1, len(lines) // MANY)]:
        checks[line["type"]].validate(line)
    met = actions_by_phase(variant, record)
    assert met.keys() <= {*schema["$defs"]["act"]["properties"]["phase"]["enum"]}
    for phase, actions in met.items():
        check = Draft202012Validator({**answer_in(schema, phase), "$defs": schema["$defs"]})
        assert [action for action in actions if not check.is_valid({"action": action})] == []


def actions_by_phase(variant, record):
    """Return what was played in each phase, and some of what was legal."""
    state = variant.begin(record.options, record.rng_seed)
    met: dict[str, list[str]] = {}
    for played in record.actions:
        met.setdefault(variant.phase(state), []).append(played.action)
        met[variant.phase(state)] += (variant.legal(state, played.seat) or [])[:9]
        variant.apply(state, played.seat, played.action)
    return met


@EVERY
@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ('{"type":"ready"}', True),
        ('{"type":"ready","wants":{"legal":false,"view":"first"},"name":"mine"}', True),
        ('{"type":"ready","wants":{"later":1},"later":{}}', True),
        ('{"action":"a4a5","note":"hm","belief":{}}', True),
        ('{"action":["a4a5"]}', False),
        ('{"move":"a4a5"}', False),
        ('{"type":"ready","wants":{"legal":null}}', False),
        ('{"type":"ready","wants":{"view":"last"}}', False),
    ],
)
def test_bot_lines_fit_as_referee_reads_them(variant, line, fits):
    assert Draft202012Validator(variant.schema()).is_valid(json.loads(line)) is fits
