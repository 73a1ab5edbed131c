"""Notes and beliefs: what is kept of them, what is dropped, and how far off they were."""

import json
from collections import Counter
from dataclasses import astuple
from itertools import product
from math import log2

import pytest
from jsonschema import Draft202012Validator

from engine.remarks import FLOOR, BadBelief, Remark, check_belief, score, score_by_ply
from engine.variant import FULL
from tests.unit.engine.games import EVERY, READINGS, caps, states_within
from tests.unit.engine.players import MemoryTable
from tests.unit.engine.refereed import ARMY, player, referee

SHARES = (0, 0.1, 0.3, 0.6, 0.9)
BELIEVED: dict[str, dict[str, float]] = {
    "b1": {"F": 0.5, "B": 0.25},
    "b2": {"B": 1},
    "b24": {"9": 1},
}
BAD = [
    [],
    "b1",
    7,
    True,
    {"b1": 0.5},
    {"b1": {"F": "0.5"}},
    {"b1": {"F": True}},
    {"b1": {"F": None}},
    {"b1": {"F": -0.1}},
    {"b1": {"F": 1.02}},
    {"b1": {"F": 0.6, "B": 0.5}},
    {"b1": {"X": 0.1}},
    {"b1": {"F": 0.1}, "r1": {"F": 0.1}},
    {"b31": {"F": 0.1}},
    {"": {}},
    {"\x1b[31m" * 20: {"F": 0.1}},
]


def saying(action, **more):
    return json.dumps({"action": action, **more}).encode()


def played(*said, seat="red"):
    """Return record, remarks and log of a game: one seat says lines, the other moves to and fro."""
    quiet = [saying(action) for action in ("a6a5", "a5a6", "a6a5")]
    seats = {"red": player(*said), "blue": player(*quiet)}
    table = MemoryTable(seats)
    kept: list[Remark] = []
    options = {"max_plies": 2 * len(said)}
    record = referee(None, None, table=table, options=options, keep=kept.append)
    return record, kept, table.notes[seat]


def faces(view, variant):
    return {piece.id: piece.face for piece in variant.scene(view).pieces}


@pytest.mark.parametrize(("variant", "options"), READINGS)
def test_hidden_from_seat_is_faceless_and_allows_truth(variant, options):
    met = 0
    states = states_within(variant, 1, SHARES, {**options, **caps(variant)})
    for state, seat in product(states, variant.seats):
        view = variant.view(state, seat)
        seen, truth = faces(view, variant), faces(variant.view(state, FULL), variant)
        hidden = variant.hidden(view)
        met += len(hidden)
        for piece, counts in hidden.items():
            assert seen[piece] is None
            assert counts[truth[piece]] > 0
            assert min(counts.values()) >= 0
        here = Counter(truth[piece] for piece in hidden)
        for piece, counts in hidden.items():
            assert all(here[rank] <= counts[rank] for rank in here), piece
    assert bool(met) == bool(belief_schema(variant).get("additionalProperties"))


@EVERY
def test_belief_may_name_only_hidden_from_seat(variant):
    for state, seat in product(states_within(variant, 3, SHARES, caps(variant)), variant.seats):
        view = variant.view(state, seat)
        hidden = variant.hidden(view)
        named = {*faces(variant.view(state, FULL), variant), *faces(view, variant), "nobody", ""}
        for piece in named:
            belief = {piece: dict.fromkeys(list(hidden.get(piece, {}))[:4], 0.25)}
            if piece in hidden:
                assert check_belief(variant, view, belief) == belief
            else:
                with pytest.raises(BadBelief):
                    check_belief(variant, view, belief)


def belief_schema(variant):
    return variant.schema()["$defs"]["answer"]["properties"]["belief"]


@EVERY
def test_variant_schema_says_what_belief_is(variant):
    check = Draft202012Validator(belief_schema(variant)).is_valid
    view = variant.view(states_within(variant, 1, [0.5], caps(variant))[0], variant.seats[0])
    hidden = variant.hidden(view)

    assert check({})
    assert check({piece: dict.fromkeys(ranks, 0.05) for piece, ranks in hidden.items()})
    bad: tuple[object, ...] = ([], *({"b1": it} for it in ({"X": 0.1}, {"F": 2}, {"F": -1}, 1)))
    for belief in bad:
        assert not check(belief)


def test_seat_remarks_are_kept_with_ply():
    record, kept, log = played(
        saying("h3h4", note="<b>\x1b[2J", belief=BELIEVED),
        saying("h4h3"),
        saying("h3h4", belief={}),
    )
    red = [Remark("red", 1, "<b>\x1b[2J", BELIEVED)]

    assert kept == red
    assert log == []
    assert kept[0].as_json() == {"ply": 1, "note": "<b>\x1b[2J", "belief": BELIEVED}
    assert record == played(saying("h3h4"), saying("h4h3"), saying("h3h4"))[0]


def test_deployment_note_has_ply_0_refused_not_kept():
    kept: list[Remark] = []
    red = [b'{"type":"ready"}', saying(ARMY, note="up"), saying("a4a9", note="far")]
    replies = iter(red)

    record = referee(lambda _message: next(replies), player(), keep=kept.append)

    assert record.result.termination == "illegal_action"
    assert kept == [Remark("red", 0, "up")]


@pytest.mark.parametrize("belief", BAD, ids=repr)
def test_bad_belief_dropped_with_warning_is_no_fault(belief):
    moves = ("h3h4", "h4h3", "h3h4")
    record, kept, log = played(*(saying(move, note=move, belief=belief) for move in moves))

    assert record == played(*map(saying, moves))[0]
    assert [(said.note, said.belief) for said in kept] == [(move, None) for move in moves]
    assert len(log) == 1
    assert log[0].startswith("warning: the arena drops a belief: ")
    assert log[0].isprintable()


def test_score_is_log_loss_against_truth_and_counts():
    record, kept, _ = played(
        saying("h3h4", belief=BELIEVED), saying("h4h3"), saying("h3h4", belief={"b1": {"F": 0.25}})
    )
    truth = {f"b{number}": rank for number, rank in enumerate(ARMY, start=1)}
    naive, prior = [], []
    for believed in (BELIEVED, {"b1": {"F": 0.25}}):
        for piece, ranks in believed.items():
            naive.append(-log2(ranks.get(truth[piece]) or FLOOR))
            prior.append(-log2(ARMY.count(truth[piece]) / len(ARMY)))

    assert truth["b24"] == "S"  # ruled out, which costs 10 bits
    assert naive == [1, 0, 10, 2]
    found = score(record, kept)
    assert found.keys() == {"red"}
    assert astuple(found["red"]) == pytest.approx((sum(naive), sum(prior), 4))
    by_ply = score_by_ply(record, kept)["red"]
    assert {ply: astuple(each) for ply, each in by_ply.items()} == {
        1: pytest.approx((sum(naive[:3]), sum(prior[:3]), 3)),
        5: pytest.approx((naive[3], prior[3], 1)),
    }


def test_sum_rounding_lifted_above_1_gains_nothing():
    record, kept, _ = played(saying("h3h4", belief={"b1": {"F": 1, "B": 0.01}}))

    assert score(record, kept)["red"].bits == pytest.approx(log2(1.01))
