"""`wants_view = "first"`: what a bot keeps up to date itself is what it would have been sent."""

import json

import pytest

from botkit import Conversation
from tests.unit.botkit.folded import LONG, differing
from tests.unit.engine.games import EVERY, READINGS, caps, readings
from tests.unit.engine.players import KitTable, RandomBot
from tests.unit.engine.refereed import record_of


@pytest.mark.parametrize(("variant", "options"), READINGS)
def test_events_since_view_make_next_one(variant, options):
    views, difference = differing(variant, {**caps(variant, LONG), **options}, 1)

    assert difference is None
    assert views > 0


class Frugal(RandomBot):
    wants_view = "first"


@EVERY
@pytest.mark.parametrize("reading", [0, 1])
def test_bot_sees_same_whatever_it_is_sent(variant, reading):
    options = {**caps(variant), **readings(variant)[reading % len(readings(variant))]}
    full, frugal = (KitTable(variant.seats, kind) for kind in (RandomBot, Frugal))

    records = [record_of(variant, 5, options, table=table) for table in (full, frugal)]

    assert records[0].to_json() == records[1].to_json()
    for seat in variant.seats:
        assert full.bots[seat].seen == frugal.bots[seat].seen
        acts = [m for m in frugal.messages(seat) if m["type"] == "act"]
        assert ["view" in act for act in acts] == [True] + [False] * (len(acts) - 1)
        assert frugal.messages(seat)[-1]["view"] == full.messages(seat)[-1]["view"]


def test_game_of_unknown_family_asks_for_full_views():
    game = Conversation(Frugal)
    start = {"type": "start", "seat": "red", "variant": "new@1", "options": {}, "rng_seed": 1}
    game.receive(json.dumps({**start, "clock": {}}).encode())
    act = {"type": "act", "ply": 0, "phase": "turn", "events": [], "legal": ["a"], "clock": {}}
    view = {"variant": "new@1", "observer": "red", "phase": "turn", "ply": 0}
    view |= {"to_act": ["red"], "limits": {}}
    game.receive(json.dumps({**act, "view": view}).encode())

    with pytest.raises(ValueError, match="full"):
        game.receive(json.dumps(act).encode())
