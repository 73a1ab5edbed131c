"""What users are told of: once, nothing before the site shows it to them, and with the API's words.

Matches are finished with the role of runners, which has no right to the tables of webhooks.
"""

import json

import pytest
from django.db import transaction

from arena.domain.bots import crash_streaks, versions
from arena.domain.tournaments import exports, releases, stages
from arena.domain.webhooks import outbox, sending, webhooks
from arena.models import (
    CheckStep,
    DeliveryStatus,
    Match,
    Release,
    Version,
    Webhook,
    WebhookDelivery,
)
from tests import embargoes, factories
from tests.factories import claim, make_bot, make_match, make_ready, make_upload, make_user
from tests.integration.tournaments import making

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

HOUR_S = 3600


def told(user=None):
    """Follow what happened and send it. Return the events and subjects of a user's deliveries."""
    outbox.follow()
    sending.deliver()
    rows = WebhookDelivery.objects.order_by("pk")
    if user is not None:
        rows = rows.filter(webhook__user=user)
    return [row.event for row in rows]


@pytest.fixture
def duel(ada):
    """A waiting rated match between bots of Ada and Bob."""
    return make_match(make_ready(make_bot(ada, "raider")), make_ready())


@pytest.fixture
def world(clock):
    """A tournament whose bots were ready long before anybody asked to be told."""
    made = embargoes.make_world()
    clock.move(HOUR_S)
    return made


def test_owner_hears_of_match_once_as_api_shows(ada, hooked, listener, duel, clock, anyone):
    hooked(ada, events=["match.finished"])
    stranger = make_user("stranger")
    hooked(stranger)
    clock.move(60)
    assert factories.play_out(duel, [1, 0])

    assert told() == ["match.finished"]
    clock.move(1)
    assert told() == ["match.finished"]
    (request,) = listener.requests
    said = json.loads(request.body)
    assert said["url"] == f"https://arena.example/matches/{duel.public_id}/"
    assert said["api_url"] == f"https://arena.example/api/v1/matches/{duel.public_id}"
    shown = anyone.get(f"/matches/{duel.public_id}").json()
    assert said["data"]["entrants"] == shown["entrants"]
    assert said["data"]["url"] == f"https://arena.example{shown['url']}"
    assert [each["url"] for each in said["data"]["games"]] == [
        f"https://arena.example{each['url']}" for each in shown["games"]
    ]
    assert said["data"].keys() == shown.keys()


def test_two_bots_of_one_owner_make_one_event(ada, hooked, listener):
    hooked(ada)
    match = make_match(make_ready(make_bot(ada, "one")), make_ready(make_bot(ada, "two")))
    factories.play_out(match, [1, 0])

    assert told().count("match.finished") == 1


def test_webhook_is_not_told_what_preceded_switching_on(ada, hooked, listener, duel, clock):
    factories.play_out(duel, [1, 0])
    clock.move(1)
    hook = hooked(ada)
    assert told() == []

    webhooks.switch_off(webhook=hook)
    clock.move(1)
    factories.play_out(make_match(*Version.objects.order_by("pk")), [1, 0])
    clock.move(1)
    webhooks.switch_on(webhook=hook)
    assert told() == []

    clock.move(1)
    factories.play_out(make_match(*Version.objects.order_by("pk")), [1, 0])
    assert told() == ["match.finished"]


def test_events_without_worker_are_told_unless_long_ago(ada, hooked, listener, duel, clock):
    hooked(ada, events=["match.finished"])
    clock.move(5 * HOUR_S)
    factories.play_out(duel, [1, 0])
    clock.move(60)
    assert told() == ["match.finished"]

    factories.play_out(make_match(*Version.objects.order_by("pk")), [1, 0])
    clock.move((outbox.FOLLOWED_AT_ONCE + outbox.SETTLED).total_seconds() + 1)

    assert outbox.follow() == 0


def test_lagging_webhook_keeps_no_other_waiting(ada, hooked, duel, clock):
    hooked(ada, events=["match.finished"])
    late = hooked(make_user("late"))
    Webhook.objects.filter(pk=late.pk).update(followed_to=clock.after(-30 * 24 * HOUR_S))
    clock.move(60)
    factories.play_out(duel, [1, 0])

    assert outbox.follow() == 1
    assert {hook.followed_to for hook in Webhook.objects.all()} == {clock.now}


def test_added_event_is_told_from_then_on(ada, hooked, listener, duel, clock):
    hook = hooked(ada, events=["tournament.started"])
    clock.move(60)
    factories.play_out(duel, [1, 0])
    clock.move(HOUR_S / 2)
    webhooks.change(webhook=hook, events=["tournament.started", "match.finished"])
    assert told() == []

    clock.move(60)
    factories.play_out(make_match(*Version.objects.order_by("pk")), [1, 0])
    assert told() == ["match.finished"]


def test_a_match_that_is_committed_late_is_told(ada, hooked, listener, duel, clock):
    hooked(ada, events=["match.finished"])
    finished_at = clock.after(10)
    clock.move(200)
    assert told() == []
    factories.play_out(duel, [1, 0])
    Match.objects.update(finished_at=finished_at)  # its transaction had to wait for the ladder

    assert told() == ["match.finished"]


def test_owner_is_told_version_is_ready_or_rejected(ada, hooked, listener):
    hooked(ada, events=["version.checked"])
    ready = make_ready(make_bot(ada, "raider"))
    rejected = make_upload(ready.bot)
    make_ready()
    lease = claim(rejected)
    versions.begin_step(lease=lease, step=CheckStep.SMOKE)
    assert told() == ["version.checked"], "one that is being checked"
    versions.reject(
        lease=lease, step=CheckStep.SMOKE, reason="It lost.", log="a private line", took_ms=1
    )

    assert told() == ["version.checked"] * 2
    said = [json.loads(request.body) for request in listener.requests]
    assert [each["data"]["status"] for each in said] == ["ready", "rejected"]
    assert said[1]["data"]["reason"] == "It lost."
    assert said[1]["url"] == "https://arena.example/bots/ada/raider/versions/2/"
    assert "private" not in listener.requests[1].body


def test_owner_is_told_of_each_bot_pause(ada, hooked, listener, clock, settings):
    settings.CRASH_STREAK = 1
    hooked(ada, events=["bot.paused"])
    mine, other = make_ready(make_bot(ada, "raider")), make_ready()
    for _ in range(2):
        clock.move(60)
        match = make_match(mine, other)
        lost = []
        for game in match.games.order_by("number"):
            seat = next(seat for seat, position in game.seats.items() if position == 0)
            rest = next(name for name in game.seats if name != seat)
            lost.append(({seat: 0.0, rest: 1.0}, seat))
        factories.finish_with(match, *lost)
        told()
        crash_streaks.resume(version=Version.objects.get(pk=mine.pk))

    assert told() == ["bot.paused"] * 2
    assert "forfeited" in json.loads(listener.requests[0].body)["data"]["pause_reason"]


def test_owners_and_organizers_are_told_tournament_starts_ends(
    hooked, listener, ada, django_user_model
):
    tournament = making.make_open(ada, release="hidden")
    owner = making.enter(tournament).bot.owner
    other = making.enter(tournament).bot.owner
    stranger = make_user("stranger")
    for user in (ada, owner, stranger):
        hooked(user, events=["tournament.started", "tournament.completed"])
    stages.freeze(tournament=tournament, by=ada)
    stages.start(tournament=tournament, by=ada)
    assert told(ada) == told(owner) == ["tournament.started"]

    stages.complete(tournament=tournament, by=None)
    assert told(ada) == told(owner) == ["tournament.started", "tournament.completed"]
    assert told(stranger) == told(other) == []
    said = {
        request.headers["x-drapeau-event"]: json.loads(request.body)["data"]
        for request in listener.requests
    }
    assert said["tournament.completed"]["slug"] == tournament.slug
    revisions = {json.loads(request.body)["data"]["revision"] for request in listener.requests}
    assert None in revisions, "owners do not see it"


def test_nobody_is_told_of_a_rehearsal(hooked, ada, world):
    hooked(world.organizer)
    rehearsal = embargoes.make_rehearsal(world)
    row = rehearsal.rounds.create(number=1, release=Release.HIDDEN)
    stages.complete(tournament=rehearsal, by=None)

    assert row.release == Release.HIDDEN
    assert told() == []


def test_a_step_that_is_taken_back_tells_nobody(hooked, world):
    hooked(world.organizer)
    with transaction.atomic():
        stages.complete(tournament=world.tournament, by=None)
        assert WebhookDelivery.objects.count() == 1
        transaction.set_rollback(True)

    assert told() == []


def test_owner_hears_nothing_of_hidden_round_until_release(
    hooked, listener, world, clock, signed_in
):
    hooked(world.owner)
    hooked(world.organizer)
    hooked(world.stranger)
    clock.move(60)
    embargoes.draw_round(world)
    assert world.played.status == "finished"

    assert told(world.owner) == told(world.stranger) == []
    assert told(world.organizer) == []  # has no bot in the match
    assert listener.requests == []

    clock.move(HOUR_S)
    told()
    releases.set_release(
        tournament=world.tournament, round_number=1, release=Release.ENTRANTS, by=world.organizer
    )
    assert told(world.owner) == told(world.organizer) == ["tournament.round_released"]
    assert told(world.stranger) == []
    shown = signed_in(world.owner).get("/tournaments/stars/rounds/1").json()
    sent = [json.loads(request.body) for request in listener.requests]
    said = next(each for each in sent if each["data"] == {"tournament": "stars", **shown})
    assert world.played.public_id in said["data"]["pairings"][0]["matches"]
    assert said["url"] == "https://arena.example/tournaments/stars/rounds/1/"

    releases.set_release(
        tournament=world.tournament, round_number=1, release=Release.PUBLIC, by=world.organizer
    )
    assert told(world.owner) == ["tournament.round_released"], "the owner saw the round before"


def test_run_reads_tournament_once_and_retry_does_not(hooked, listener, world, clock, monkeypatch):
    for user in (world.owner, world.organizer):
        hooked(user, events=["tournament.round_released"])
    embargoes.draw_round(world)
    releases.set_release(
        tournament=world.tournament, round_number=1, release=Release.ENTRANTS, by=world.organizer
    )
    read, whole = [], exports.document

    def document(**given):
        read.append(given["rounds"])
        return whole(**given)

    monkeypatch.setattr(exports, "document", document)
    listener.status = 500
    sending.deliver()
    assert read == [1]
    listener.status = 200
    clock.move(HOUR_S)
    sending.deliver()

    assert read == [1]
    assert len({request.body for request in listener.requests}) == 2
    assert len(listener.requests) == 4


def test_waiting_delivery_is_dropped_when_round_hidden_again(hooked, listener, world, clock):
    hooked(world.owner)
    clock.move(60)
    embargoes.draw_round(world, release=Release.PUBLIC)
    outbox.follow()
    assert WebhookDelivery.objects.get().event == "match.finished"
    releases.set_release(
        tournament=world.tournament, round_number=1, release=Release.HIDDEN, by=world.organizer
    )
    sending.deliver()

    assert listener.requests == []
    row = WebhookDelivery.objects.get()
    assert (row.status, row.body) == (DeliveryStatus.WITHHELD, "")


def test_failed_attempt_is_not_repeated_once_round_hidden(hooked, listener, world, clock):
    hooked(world.owner)
    clock.move(60)
    embargoes.draw_round(world, release=Release.PUBLIC)
    listener.status = 500
    assert told() == ["match.finished"]
    releases.set_release(
        tournament=world.tournament, round_number=1, release=Release.HIDDEN, by=world.organizer
    )
    listener.status = 200
    clock.move(HOUR_S)
    told()
    webhooks.send_again(delivery=WebhookDelivery.objects.get())
    told()

    assert len(listener.requests) == 1
    assert WebhookDelivery.objects.get().status == DeliveryStatus.WITHHELD


def test_tournament_release_tells_of_rounds_that_were_hidden(hooked, listener, world):
    hooked(world.owner, events=["tournament.round_released"])
    embargoes.draw_round(world)
    stages.complete(tournament=world.tournament, by=None)
    assert told() == []
    stages.release(tournament=world.tournament, by=world.organizer, reason="Done.")

    assert told() == ["tournament.round_released"]
    assert json.loads(listener.requests[0].body)["data"]["number"] == 1


def test_user_who_may_not_sign_in_hears_nothing(ada, hooked, listener, duel):
    hooked(ada)
    ada.is_active = False
    ada.save()
    factories.play_out(duel, [1, 0])

    assert told() == []


def test_webhook_with_too_many_waiting_gets_no_more(ada, hooked, duel, monkeypatch, clock):
    hook = hooked(ada, events=["match.finished"])
    for _ in range(2):
        webhooks.test(webhook=hook)
    factories.play_out(duel, [1, 0])
    monkeypatch.setattr(outbox, "WAITING_MAX", 2)
    assert outbox.follow() == 0

    monkeypatch.setattr(outbox, "WAITING_MAX", 3)
    assert outbox.follow() == 1


def test_the_queries_do_not_grow_with_the_matches(
    django_assert_max_num_queries, ada, hooked, clock
):
    hooked(ada, events=["match.finished"])
    mine, other = make_ready(make_bot(ada)), make_ready()
    for _ in range(4):
        factories.play_out(make_match(mine, other), [1, 0])
    with django_assert_max_num_queries(12):
        assert outbox.follow() == 4
    assert Webhook.objects.get().followed_to == clock.now


def test_quiet_run_queries_nothing_already_delivered(django_assert_num_queries, ada, hooked, duel):
    hooked(ada)
    hooked(duel.entrants.exclude(version__bot__owner=ada).get().version.bot.owner)
    factories.play_out(duel, [1, 0])
    assert outbox.follow() > 0
    with django_assert_num_queries(6):  # webhooks, matches, versions twice, deliveries, the time
        assert outbox.follow() == 0
