"""The console of organizers: what it shows, what it does, and to whom."""

import re

import pytest

from arena.domain.tournaments import stages
from arena.domain.tournaments.rounds import directing
from arena.models import Match, Tournament
from arena.web.tournaments.views.console import DONE, STAGES
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.pages_consoling import act_url, text, url

pytestmark = pytest.mark.django_db


def test_in_the_last_round_it_promises_no_other(client):
    cup = playing.begin(4, format="swiss", format_options={"rounds": 2})
    client.force_login(making.organizer(cup))
    assert "The next round is drawn automatically" in text(client.get(url(cup)))
    cup = playing.play_round(cup)
    assert "This is the last round. It ends with the 2 open pairings." in text(client.get(url(cup)))

    playing.finish(playing.matches_of(cup, 2)[0])

    said = text(client.get(url(cup)))
    assert "This is the last round. It ends with the 1 open pairing." in said
    assert "next round is drawn" not in said


def test_failed_match_comes_first_with_possible_acts(console, cup):
    match = playing.matches_of(cup)[0]
    Match.objects.filter(pk=match.pk).update(status="failed", failure="no engine")
    stages.pause(tournament=cup, by=None, reason="a match failed")

    page = console.get(url(cup))

    said = text(page)
    assert "Paused: a match failed" in said
    failure = f"Pairing 1.{match.pairing.number}: {match} has no result: no engine"
    assert said.index(failure) < said.index("What happens next")
    assert act_url(cup, "rerun", match=match.public_id) in page.content.decode()


def test_pairings_of_any_round_can_be_viewed(console, cup):
    first = playing.matches_of(cup)[0]
    cup = playing.play_round(cup)
    second = playing.matches_of(cup, 2)[0]

    shown = {}
    for asked in ("1", "2", "99", "x", "-1", "²"):
        said = text(console.get(url(cup), {"round": asked}))
        shown[asked] = (first.public_id in said, second.public_id in said)

    # What is open is always there; a round that is not, is the last one.
    assert shown.pop("1") == (True, True)
    assert set(shown.values()) == {(False, True)}


def test_a_tournament_is_taken_through_its_stages(client):
    cup = making.make_draft(release="hidden")
    client.force_login(making.organizer(cup))

    def step(action, **data):
        page = client.get(url(cup))
        assert url(cup, "stage", action) in page.content.decode()
        revision = re.findall(r'name="revision" value="(\d+)"', page.content.decode())[0]
        answer = client.post(url(cup, "stage", action), {"revision": revision, **data})
        assert str(DONE[action]) in text(client.get(answer.url))
        return making.fresh(cup).status

    assert step("open") == "registration"
    making.enter(cup)
    making.enter(cup)
    assert step("freeze") == "frozen"
    assert step("start") == "running"
    assert step("pause", reason="a look at it") == "paused"
    assert step("resume") == "running"
    playing.play_round(playing.go_on(cup))
    assert url(cup, "stage", "cancel") not in client.get(url(cup)).content.decode()
    assert step("release") == "released"
    page = client.get(url(cup)).content.decode()
    assert not [action for action in STAGES if url(cup, "stage", action) in page]
    assert url(cup, "rehearsal") not in page


def test_missed_freeze_is_told_with_what_helps(client):
    cup = making.make_open(min_entrants=3)
    making.enter(cup)
    client.force_login(making.organizer(cup))
    waiting = text(client.get(url(cup)))
    Tournament.objects.update(freezes_at=making.ahead(minutes=-5))
    directing.advance_all()

    page = client.get(url(cup))

    said = text(page)
    assert "Nothing needs attention." in waiting
    assert "1 bot is entered; at least 3 are needed." in waiting
    assert "It is not frozen, though its time has come. The tournament has 1 entrant" in said
    assert "frozen automatically" not in said
    assert url(cup, "stage", "freeze") not in page.content.decode()
    assert act_url(cup, "postpone").rstrip("?") in page.content.decode()
    assert "waits for entrants" in text(client.get("/tournaments/"))
    making.enter(cup)
    making.enter(cup)
    assert url(cup, "stage", "freeze") in client.get(url(cup)).content.decode()
    directing.advance_all()
    assert making.fresh(cup).status == "frozen"


def test_freeze_is_offered_where_ladder_fills_places(client):
    making.rated(1600), making.rated(1700)
    cup = making.make_open(entry_policy="ladder", top_n=2)
    client.force_login(making.organizer(cup))

    page = client.get(url(cup))

    assert url(cup, "stage", "freeze") in page.content.decode()
    assert not cup.entrants.exists()


def test_impossible_or_stale_step_says_why(console, cup):
    cup = making.fresh(cup)
    answers = [
        console.post(url(cup, "stage", "start"), {"revision": cup.revision}),
        console.post(url(cup, "stage", "pause"), {"revision": cup.revision}),
        console.post(url(cup, "stage", "pause"), {"revision": 1, "reason": "mine"}),
        console.post(url(cup, "stage", "pause"), {"revision": "x", "reason": "mine"}),
    ]

    assert [answer.status_code for answer in answers] == [400] * 4
    assert "pause it, correct single pairings" in text(answers[0])
    assert "Give a reason" in text(answers[1])
    assert "changed the tournament meanwhile" in text(answers[2])
    assert making.fresh(cup).status == "running"
    assert console.post(f"/tournaments/{cup.slug}/manage/delete/").status_code == 404


def test_a_rehearsal_is_started_looked_at_and_deleted(client):
    cup = making.make_open()
    client.force_login(making.organizer(cup))
    address = url(cup, "rehearsal")
    assert "Start the rehearsal" in text(client.get(address))

    assert client.post(address).url == address

    rehearsal = Tournament.objects.get(rehearsal_of=cup)
    page = client.get(address)
    assert rehearsal.name in text(page)
    assert "not yet A crash" in text(page)
    part = client.get(address, headers={"HX-Request": "true"})
    assert "<main" in page.content.decode()
    assert "<main" not in part.content.decode()
    assert 'hx-trigger="every 5s"' in part.content.decode()
    assert client.post(address).status_code == 400  # one at a time
    stages.cancel(tournament=rehearsal, by=making.organizer(cup), reason="seen enough")
    assert "not seen A crash" in text(client.get(address))
    assert client.get(url(rehearsal, "rehearsal")).status_code == 200
    assert client.get(url(rehearsal)).status_code == 200
    assert client.post(url(rehearsal, "discard")).url == address
    assert not Tournament.objects.filter(rehearsal_of=cup).exists()
    assert client.post(url(cup, "discard")).status_code == 404
