"""What bots said beside their actions: kept with the game, for the owner and staff, and scored."""

import json
import re
from math import log2

import pytest
from django.urls import reverse

from arena.domain.matches import lifecycle, remarks
from arena.domain.matches.remarks import KEPT_MAX_BYTES, Notebook
from arena.models import GameLog, MatchQuerySet, StaffAction, User
from engine import registry
from engine.remarks import FLOOR, Remark
from engine.variant import FULL
from tests.integration.api import rows

NOTE = "<script>alert(1)</script>\x1b[2J\u202e\0"
CHART = re.compile(
    r'aria-label="What (\w+) believed,[^"]*: \1 from ([\d.]+) to ([\d.]+)'
    r' and counting alone from ([\d.]+) to ([\d.]+)"'
)
TRUE = 0.75  # what red gives the true rank of one piece, and blue the wrong one


def states(record):
    """Yield the seat, the ply and the views before each action that is a ply."""
    variant = registry.find(record.variant)
    state = variant.begin(record.options, record.rng_seed)
    for played in record.actions:
        ply = variant.ply(state)
        if variant.phase(state) != "deploy":
            seat = played.seat
            yield seat, ply + 1, variant.view(state, seat), variant.view(state, FULL)
        variant.apply(state, played.seat, played.action)


def believed(record):
    """Return a remark at each ply, and what it loses: its own bits and those of the counts."""
    said: list[Remark] = []
    lost: dict[str, list[tuple[float, float]]] = {"red": [], "blue": []}
    for seat, ply, view, full in states(record):
        piece = next(piece for piece in view["pieces"] if piece["rank"] is None)
        truth = {each["id"]: each["rank"] for each in full["pieces"]}
        hidden = [truth[each["id"]] for each in view["pieces"] if each["rank"] is None]
        rank = truth[piece["id"]]
        other = "F" if rank != "F" else "B"
        belief = {piece["id"]: {rank if seat == "red" else other: TRUE}}
        said.append(Remark(seat, ply, NOTE, belief))
        bits = -log2(TRUE if seat == "red" else FLOOR)
        lost[seat].append((bits, -log2(hidden.count(rank) / len(hidden))))
    return said, lost


def kept(said, record):
    notebook = Notebook()
    for remark in said:
        notebook.keep(remark)
    return notebook.columns(record=record)


@pytest.fixture
def talkative(db, monkeypatch):
    """Create games in which both bots say something at every ply."""
    columns = kept(believed(rows.played_record())[0], rows.played_record())
    store = lifecycle.store_game

    def store_with_remarks(*, lease, game, played):
        played = type(played)(
            **{name: getattr(played, name) for name in played.__slots__} | {"remarks": columns}
        )
        store(lease=lease, game=game, played=played)

    monkeypatch.setattr(lifecycle, "store_game", store_with_remarks)


@pytest.fixture
def match(talkative):
    """Return a match that is over."""
    return rows.finished_match()


def owner_of(match, position):
    return match.entrants.get(position=position).version.bot.owner


def address(match, number=1):
    return f"/games/{match.public_id}/{number}/remarks"


def page(match, name="game-remarks", number=1):
    return reverse(name, args=[match.public_id, number])


def test_game_score_equals_naive_computation():
    record = rows.played_record()
    said, lost = believed(record)

    columns = kept(said, record)

    for seat in ("red", "blue"):
        bits, prior_bits = map(sum, zip(*lost[seat], strict=True))
        assert columns[seat]["belief_bits"] == pytest.approx(bits)
        assert columns[seat]["belief_prior_bits"] == pytest.approx(prior_bits)
        assert columns[seat]["belief_pieces"] == len(lost[seat]) > 5


def test_owner_reads_one_seat_and_no_other(match, signed_in, client):
    said, _ = believed(rows.played_record())
    for position in (0, 1):
        owner = owner_of(match, position)
        seat = next(seat for seat, at in match.games.first().seats.items() if at == position)
        client.force_login(owner)

        for told in (
            signed_in(owner).get(address(match)).json(),
            client.get(page(match)).json(),
        ):
            assert told == {
                "seats": [
                    {
                        "seat": seat,
                        "cut_at_ply": None,
                        "remarks": [each.as_json() for each in said if each.seat == seat],
                    }
                ]
            }
    assert not StaffAction.objects.exists()


def test_staff_read_all_seats_and_looks_are_logged(match, signed_in, client):
    staff = User.objects.create_user("operator", is_staff=True)
    client.force_login(staff)

    told = [signed_in(staff).get(address(match)).json(), client.get(page(match)).json()]

    for each in told:
        assert [seat["seat"] for seat in each["seats"]] == ["red", "blue"]
    assert StaffAction.objects.filter(target__startswith="remarks of").count() == 1


def test_nobody_else_reads_a_word(match, anyone, signed_in, client):
    game = f"/games/{match.public_id}/1"
    public = [
        *(anyone.get(f"{game}/replay?view={view}").content for view in ("red", "blue", FULL)),
        anyone.get(f"{game}/record").content,
        client.get(page(match, "game-replay")).content,
        client.get(page(match, "game")).content,
    ]
    answers = [caller.get(address(match)) for caller in (anyone, signed_in(rows.user()))]
    answers.append(client.get(page(match)))
    client.force_login(rows.user())
    answers.append(client.get(page(match)))

    assert [answer.status_code for answer in answers] == [401, 403, 404, 404]
    texts = [*public, *(answer.content for answer in answers)]
    assert not any(b"alert(1)" in text for text in texts)
    assert not any(b"belief" in text or page(match).encode() in text for text in public)


def test_game_is_not_told_before_match_is_over(talkative, signed_in, client):
    match = rows.half_played_match()
    assert GameLog.objects.filter(game__match=match, belief_pieces__gt=0).count() == 2
    owner = owner_of(match, 0)
    client.force_login(owner)

    assert signed_in(owner).get(address(match)).status_code == 409
    assert client.get(page(match)).status_code == 404
    assert page(match) not in client.get(page(match, "game")).content.decode()
    version = match.entrants.get(position=0).version
    assert remarks.scores(version=version, viewer=owner) == []


def test_beliefs_are_charted_for_who_may_know(match, client):
    _, lost = believed(rows.played_record())
    owner, stranger = owner_of(match, 0), rows.user()
    staff = User.objects.create_user("operator", is_staff=True)
    seats = [seat for seat, at in match.games.first().seats.items() if at == 0]

    shown = {}
    for who in (None, stranger, owner, staff):
        client.logout()
        if who:
            client.force_login(who)
        text = client.get(page(match, "game")).content.decode()
        shown[who] = CHART.findall(text)

    figures = {
        seat: [f"{pairs[end][which]:.1f}" for which in (0, 1) for end in (0, -1)]
        for seat, pairs in lost.items()
    }
    assert shown[None] == shown[stranger] == []
    assert shown[owner] == [(seat.capitalize(), *figures[seat]) for seat in seats]
    assert [seat for seat, *_ in shown[staff]] == ["Red", "Blue"]


def test_oversized_remarks_and_later_are_cut_with_mark():
    size = len('{"note":"","ply":1}') + 1
    said = [
        Remark("red", 1, "x" * (KEPT_MAX_BYTES // 2)),
        Remark("red", 3, "y" * (KEPT_MAX_BYTES // 2 - 2 * size)),
        Remark("red", 5, "z" * 2 * size),
        Remark("red", 7, "small"),
        Remark("blue", 8, "small"),
    ]

    columns = kept(said, rows.played_record())
    (red,) = remarks.documents(logs=[GameLog(seat="red", **columns["red"])])
    (blue,) = remarks.documents(logs=[GameLog(seat="blue", **columns["blue"])])

    assert (red["cut_at_ply"], [each["ply"] for each in red["remarks"]]) == (5, [1, 3])
    assert (blue["cut_at_ply"], blue["remarks"]) == (None, [{"ply": 8, "note": "small"}])
    assert len(json.dumps(red, separators=(",", ":"))) < KEPT_MAX_BYTES + 100


def test_version_page_tells_owner_how_good_beliefs_are(match, client):
    version = match.entrants.get(position=0).version
    record = rows.played_record()
    _, lost = believed(record)
    both = [*lost["red"], *lost["blue"]]  # it played each colour once

    (told,) = remarks.scores(version=version, viewer=version.bot.owner)

    assert told.pieces == len(both)
    assert told.bits == pytest.approx(sum(bits for bits, _ in both) / len(both))
    assert told.prior_bits == pytest.approx(sum(bits for _, bits in both) / len(both))
    client.force_login(version.bot.owner)
    assert "How good its beliefs are" in client.get(version.get_absolute_url()).content.decode()
    client.force_login(rows.user())
    assert "beliefs" not in client.get(version.get_absolute_url()).content.decode()


def test_score_has_nothing_hidden_from_viewer(match, monkeypatch):
    version = match.entrants.get(position=0).version
    owner = version.bot.owner
    assert remarks.scores(version=version, viewer=owner)

    monkeypatch.setattr(MatchQuerySet, "visible_to", lambda rows, viewer: rows.none())

    assert remarks.scores(version=version, viewer=owner) == []
