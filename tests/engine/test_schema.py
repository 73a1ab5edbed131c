"""Every line of a game is what the schema of its variant says."""

import json
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator, ValidationError

from engine.clock import ClockSpec
from engine.record import PlayerId
from engine.referee import play
from engine.registry import variants
from tests.engine.players import MemoryTable, random_player

VARIANTS = list(variants().values())
OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"max_plies": None, "no_attack_plies": 100, "reveal_after_fight": "forget"},
)


def lines_of(variant, options):
    table = MemoryTable({seat: random_player(n) for n, seat in enumerate(variant.seats)})
    play(
        variant,
        options=options,
        rng_seed=3,
        game="g",
        players={seat: PlayerId(seat, "") for seat in variant.seats},
        clock=ClockSpec(),
        table=table,
        isolation="memory",
    )
    return [message for seat in variant.seats for message in table.messages(seat)]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.slug)
def test_every_line_of_a_game_fits(variant, options):
    schema = variant.schema()
    Draft202012Validator.check_schema(schema)
    lines = lines_of(variant, options)

    assert {line["type"] for line in lines} == {"start", "act", "end"}
    for line in lines:
        only = {**schema, "oneOf": [{"$ref": f"#/$defs/{line['type']}"}]}
        Draft202012Validator(only).validate(line)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.slug)
@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ('{"type":"ready"}', True),
        ('{"type":"ready","legal":false}', True),
        ('{"action":"a4a5","note":"hm","belief":{"b1":[0.5]}}', True),
        ('{"action":["a4a5"]}', False),
        ('{"move":"a4a5"}', False),
        ('{"type":"ready","legal":null}', False),
    ],
)
def test_what_a_bot_writes_fits_as_the_referee_reads_it(variant, line, fits):
    assert Draft202012Validator(variant.schema()).is_valid(json.loads(line)) is fits


def test_a_line_with_one_key_too_many_is_caught():
    variant = VARIANTS[0]
    leaking = replace(
        variant, view=lambda state, seat: {**variant.view(state, seat), "enemy_flag": "a1"}
    )
    act = next(line for line in lines_of(leaking, {}) if line["type"] == "act")

    with pytest.raises(ValidationError):
        Draft202012Validator(variant.schema()).validate(act)
