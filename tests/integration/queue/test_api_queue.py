from datetime import timedelta

from django.utils import timezone

from arena.domain.matches import lifecycle
from arena.models import Match, Version
from tests import factories
from tests.integration.api import rows

ROW = {
    *("position", "kind", "status", "waits_for", "reason", "since"),
    *("match", "ladder", "bots", "url"),
}


def test_the_queue_says_what_waits_where_and_why(anyone):
    version, match, taken = factories.make_upload(), rows.match(), rows.match()
    assert lifecycle.claim(match_pk=taken.pk)

    answer = anyone.get("/queue").json()

    listed = answer["results"]
    assert [(row["position"], row["kind"], row["match"], row["waits_for"]) for row in listed] == [
        (None, "ladder", taken.public_id, "nothing"),
        (1, "version", None, "runner"),
        (2, "ladder", match.public_id, "runner"),
    ]
    assert [row["ladder"] for row in listed] == ["general", None, "general"]
    assert listed[1]["bots"] == [str(version.bot)]
    assert [len(row["bots"]) for row in listed] == [2, 1, 0]  # not before a runner begins
    assert [set(row) for row in listed] == [ROW] * 3
    assert listed[2]["reason"] == "Waits for a free runner. 1 job is before it."
    assert (answer["in_work"], answer["waiting"], answer["runners"]) == (1, 2, 1)
    assert (answer["next"], answer["previous"], answer["alarm"]) == (None, None, None)


def test_alarm_and_wait_for_first_game_are_public(anyone, settings):
    settings.QUEUE_ALARM_S = 60
    match, played = rows.match(), factories.make_ready()
    uploaded = timezone.now() - timedelta(seconds=100)
    Match.objects.filter(pk=match.pk).update(queued_at=timezone.now() - timedelta(seconds=90))
    Version.objects.filter(pk=played.pk).update(
        created_at=uploaded, first_game_at=uploaded + timedelta(seconds=40)
    )
    factories.make_upload()

    answer = anyone.get("/queue").json()

    assert answer["alarm"]["limit_s"] == 60
    assert answer["alarm"]["oldest_s"] >= 90
    assert answer["results"][0]["waits_for"] == "fleet"
    assert answer["runners"] == 0
    found = answer["first_game"]
    assert (found["p50_s"], found["counted"], found["waiting"]) == (40.0, 1, 3)


def test_mine_is_what_concerns_my_bots(anyone, signed_in):
    mine = factories.make_ready()
    factories.make_upload()
    match = rows.match(mine)
    factories.claim(match)
    rows.match(mine)  # its place would tell two owners that their bots meet

    listed = signed_in(mine.bot.owner).get("/queue?mine=true").json()["results"]

    assert [(row["match"], row["position"]) for row in listed] == [(match.public_id, None)]
    refused = anyone.get("/queue?mine=true")
    assert (refused.status_code, refused.json()["code"]) == (401, "not_signed_in")


def test_owner_sees_waiting_match_and_others_idle_reason(anyone, signed_in):
    version = factories.make_ready(variants=["general"])
    Version.objects.filter(pk=version.pk).update(paused_at=timezone.now(), pause_reason="crashes")

    (entry,) = anyone.get(f"/bots/{version.bot}").json()["entries"]

    assert entry["idle"] == {"why": "version_paused", "reason": "crashes", "until": None}
    rows.match(version)
    owner = signed_in(version.bot.owner)
    idle = [who.get(f"/bots/{version.bot}").json()["entries"][0]["idle"] for who in (owner, anyone)]
    assert idle == [None, entry["idle"]]


def test_pages_of_the_queue_follow_each_other(anyone):
    for _ in range(3):
        rows.match()

    first = anyone.get("/queue?page_size=2").json()
    second = anyone.get(first["next"]).json()

    assert [row["position"] for row in first["results"] + second["results"]] == [1, 2, 3]
    assert second["next"] is None
    assert anyone.get(second["previous"]).json()["results"][0]["position"] == 1
