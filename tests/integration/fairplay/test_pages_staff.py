import re

import pytest
from django.urls import reverse

from arena.domain.fairplay import corrections
from arena.domain.ratings import recomputation, refits
from arena.models import Annulment, Match, StaffAction
from tests.factories import get_ladder, make_match, make_ready, play_duel

pytestmark = pytest.mark.django_db


def played(*results, versions=None):
    """Play a match of two bots for each result, and give the matches."""
    one, two = versions or (make_ready(), make_ready())
    return [play_duel(one, two, *result) for result in results]


def hidden(text, name):
    """Return the value of a hidden field of the page."""
    (value,) = re.findall(rf'name="{name}" value="([^"]*)"', text)
    return value


def test_bot_matches_annulled_as_dry_run_showed(client, operator):
    versions = make_ready(), make_ready()
    rows = played([1, 1], [1, 0], [1, 1], versions=versions)
    bot = versions[0].bot
    address = f"/staff/annul/?ladder=classic&bot={bot}"
    client.force_login(operator)

    shown = client.get(address)
    text = shown.content.decode()
    assert "Classic without 3 matches" in text
    after = {row.entrant.bot_id: row.after for row in shown.context["dry_run"].changes}
    done = client.post(
        address,
        {"digest": hidden(text, "digest"), "until": hidden(text, "until"), "reason": "farmed"},
    )

    assert done.url == "/ladders/classic/"
    refits.refresh(ladder=get_ladder())
    assert {entrant.bot_id: entrant.rating for entrant in get_ladder().entrants.all()} == after
    assert Annulment.objects.get().matches.count() == len(rows)
    assert StaffAction.objects.get().reason == "farmed"
    assert "farmed" in client.get("/ladders/classic/").content.decode()
    assert recomputation.rerate(ladder=get_ladder()) == []


def test_a_season_is_ended_as_shown(client, operator):
    played([1, 1], [1, 0])
    address = "/staff/ladders/classic/season/"
    client.force_login(operator)
    shown = client.get(address)
    text = shown.content.decode()

    done = client.post(
        address,
        {"digest": hidden(text, "digest"), "until": hidden(text, "until"), "reason": "new year"},
    )

    assert done.url == "/ladders/classic/seasons/1/"
    assert StaffAction.objects.get().action == "end_season"


def test_voiding_open_match_leads_to_new_match(client, operator):
    match = make_match()
    client.force_login(operator)
    assert (
        "Void and play again" in client.get(f"/staff/matches/{match.public_id}/").content.decode()
    )

    done = client.post(reverse("staff-act", args=[match.public_id, "void"]), {"reason": "broken"})

    again = Match.objects.get(rerun_of=match)
    assert done.url == again.get_absolute_url()
    assert "Play it again" not in client.get(f"/staff/matches/{match.public_id}/").content.decode()
    client.post(reverse("staff-act", args=[again.public_id, "cancel"]), {"reason": "not needed"})
    assert "Play it again" in client.get(f"/staff/matches/{again.public_id}/").content.decode()


def test_large_ladder_shows_only_lines_that_change(client, operator, monkeypatch):
    played([1, 1])
    rows = played([1, 1], versions=(make_ready(), make_ready()))
    address = f"/staff/annul/?match={rows[0].public_id}"
    client.force_login(operator)
    assert client.get(address).content.decode().count("<tr") == 1 + 4

    monkeypatch.setattr(corrections, "LINES_SHOWN", 3)

    text = client.get(address).content.decode()
    dry_run = client.get(address).context["dry_run"]
    changed = [row for row in dry_run.changes if row.before != row.after or row in dry_run.moved]
    assert dry_run.lines == changed[:3]
    assert text.count("<tr") == 1 + len(dry_run.lines)
    assert f"The first {len(dry_run.lines)} lines that change are shown." in text
