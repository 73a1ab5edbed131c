"""What a bot reads in a card game, as JSON Schema."""

from engine.schema import COUNT, TEXT, TRUTH, Schema, list_of, object_of, one_of, wire, written
from engine.variants.cards.deck import DECKS, ORDER
from engine.variants.cards.endings import ENDINGS
from engine.variants.cards.notation import ACTION, FILLING, STOP
from engine.variants.cards.state import CHAIN, DEPLOY, FILL, OVER, SEATS, SLOTS, TURN
from engine.variants.cards.views import NAME

LIMIT: Schema = {"type": ["integer", "null"], "minimum": 0}
SLOT: Schema = {"type": "integer", "minimum": 1, "maximum": SLOTS}
SEAT, RANK = one_of(SEATS), one_of(tuple(ORDER))
PLACE: Schema = {"type": "string", "pattern": "^[rb][1-5]$"}
NOTHING: Schema = {"type": "null"}


def schema() -> Schema:
    """Describe the lines of a game: hands, lines and piles, and what happens to them."""
    fighter = object_of({"id": TEXT, "rank": RANK})
    fought = {
        "from": PLACE,
        "to": PLACE,
        "attacker": fighter,
        "defender": fighter,
        "winner": one_of(("attacker", "defender", "none")),
        "boom": TRUTH,
    }
    filled = {"slots": list_of(SLOT), "cards": list_of(TEXT), "ranks": list_of(RANK)}
    return wire(
        variant=NAME,
        seats=SEATS,
        notation={
            DEPLOY: written(
                f"[{ORDER}]{{1,{SLOTS}}}",
                "Rank codes of cards in your hand: one for each slot of your line, from the first.",
                "M5322",
            ),
            TURN: written(
                ACTION.pattern,
                "2x4: slot 2 attacks slot 4. 2s: the spy in it looks at the hand. 2l14: the scout"
                " in it looks at slots 1 and 4. 2f: the flag in it does the trick.",
                "2x4",
                "2s",
                "2l14",
                "3f",
            ),
            CHAIN: written(
                f"[1-{SLOTS}]x[1-{SLOTS}]|{STOP}",
                "Another attack of the card that won, or stop.",
                "2x4",
                STOP,
            ),
            FILL: written(
                FILLING.pattern,
                "A card of your hand for each gap of your line, the lowest slot first.",
                "1=3,4=B",
            ),
        },
        view=_view(),
        events=[
            _event("deployed", {"cards": list_of(TEXT), "deployment": TEXT}, "deployment"),
            _event("fought", fought),
            _event("filled", filled, "ranks"),
            _event("stopped", {}),
            _event("revealed", {"from": PLACE, "card": TEXT, "rank": RANK, "action": TEXT}),
            _event("peeked", {"count": COUNT, "ranks": list_of(RANK)}, "ranks"),
            _event("looked", {"to": PLACE, "card": TEXT, "rank": RANK}, "rank"),
            _event("began", {"turn": COUNT, "no_fight_turns": COUNT}),
            _event("drew", {"count": COUNT, "ranks": list_of(RANK)}, "ranks"),
            _event("redealt", {"count": COUNT, "pile": COUNT, "ranks": list_of(RANK)}, "ranks"),
        ],
        endings=ENDINGS,
        ranks=tuple(ORDER),
    )


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, NOTHING]}


def _view() -> Schema:
    card = object_of({"id": TEXT, "rank": _or_null(RANK), "revealed": TRUTH, "seen": TRUTH})
    seat = {
        "line": {**list_of(_or_null(card)), "minItems": SLOTS, "maxItems": SLOTS},
        "hand": list_of(_or_null(RANK)),
        "pile": COUNT,
        "pile_order": _or_null(list_of(RANK)),
    }
    decks = [
        object_of({rank: {"const": count} for rank, count in deck.items()})
        for deck in DECKS.values()
    ]
    return object_of(
        {
            "variant": {"const": NAME},
            "observer": SEAT,
            "phase": one_of((DEPLOY, TURN, CHAIN, FILL, OVER)),
            "ply": COUNT,
            "to_act": list_of(SEAT),
            "turn": COUNT,
            "no_fight_turns": COUNT,
            "deck": {"oneOf": decks},
            "seats": object_of({name: object_of(seat) for name in SEATS}),
            "removed": list_of(object_of({"id": TEXT, "seat": SEAT, "rank": RANK})),
            "again": _or_null(SLOT),
            "limits": object_of({"max_turns": LIMIT, "no_fight_turns": LIMIT}),
        }
    )


def _event(kind: str, words: dict[str, Schema], *private: str) -> Schema:
    return object_of({"type": {"const": kind}, "seat": SEAT, **words}, optional=private)
