"""A banned user cannot use the site, and the user's bots do not play."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from arena.domain import moderation
from arena.domain.bots import challenges, probes, trials
from arena.domain.errors import Refused
from arena.domain.ladders import idle_reasons
from arena.domain.matches import lifecycle
from arena.domain.queue import matchmaking
from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.models import (
    Entrant,
    Match,
    MatchKind,
    MatchStatus,
    StaffAction,
    TournamentEntrant,
    TournamentEntrantStatus,
    User,
)
from tests.factories import get_ladder, make_bot, make_match, make_ready, make_user
from tests.integration.accounts.browsers import PASSWORD, is_signed_in, sign_in
from tests.integration.api import rows
from tests.integration.bots import trial_rows
from tests.integration.tournaments import making, pages_consoling

pytestmark = pytest.mark.django_db

WHY = "Three accounts that lost to each other."


@pytest.fixture
def ada():
    return make_user("ada")


def ban(user, operator, until=None):
    moderation.ban(user=user, by=operator, reason=WHY, until=until)


def in_days(days):
    return timezone.now() + timedelta(days=days)


def test_staff_bans_on_user_page_and_logs_it(client, ada, operator):
    client.force_login(operator)
    day = in_days(7).date()

    shown = client.get("/staff/users/ada/").content.decode()
    done = client.post("/staff/users/ada/ban/", {"until": day.isoformat(), "reason": WHY})

    assert "Ban the user" in shown
    assert done.url == "/staff/users/ada/"
    ada.refresh_from_db()
    assert ada.is_banned
    assert (ada.banned_until.date(), ada.ban_reason) == (day, WHY)
    noted = StaffAction.objects.get()
    assert (noted.by, noted.action, noted.target, noted.reason) == (
        operator,
        "ban",
        "user ada",
        WHY,
    )
    assert noted.details == {"until": ada.banned_until.isoformat()}
    assert WHY in client.get(done.url).content.decode()
    assert WHY not in client.get("/@ada/").content.decode()  # staff and the user alone read it


def test_page_shows_beforehand_what_ban_does(client, ada, her_version, operator):
    rated, asked = make_match(her_version, make_ready()), make_match(her_version, make_ready())
    Match.objects.filter(pk=asked.pk).update(kind=MatchKind.CHALLENGE, requested_by=ada)
    opened, frozen, own = making.make_open(), making.make_open(), making.make_draft(ada)
    for cup in (opened, frozen):
        making.enter(cup, her_version)
        making.enter(cup)
    stages.freeze(tournament=frozen, by=making.organizer(frozen))
    client.force_login(operator)

    said = pages_consoling.text(client.get("/staff/users/ada/"))

    assert f"no more matches {her_version.bot} " in said
    assert "Matches that are cancelled 1 Matches that are still played 1 " in said
    assert f"Taken out before the freeze {her_version.bot} ( {opened.name} )" in said
    assert f"Withdrawn {her_version.bot} ( {frozen.name} )" in said
    assert f"without this organizer {own.name} " in said
    ban(ada, operator)
    asked.refresh_from_db()
    assert asked.status == MatchStatus.CANCELLED
    assert Match.objects.get(pk=rated.pk).status == rated.status


def test_admin_keeps_nobody_out_who_still_plays(client, ada, operator):
    client.force_login(operator)

    form = client.get(f"/admin/arena/user/{ada.pk}/change/").content.decode()

    assert 'name="username"' in form
    assert 'name="is_active"' not in form


@pytest.mark.parametrize("days", [7, None])
def test_who_signs_in_reads_until_when_and_why(client, ada, operator, days):
    until = days and in_days(days)
    ban(ada, operator, until)

    wrong, answer = sign_in(client, password="a wrong one"), sign_in(client)

    assert (wrong.status_code, answer.status_code) == (200, 403)
    assert WHY not in wrong.content.decode()
    text = answer.content.decode()
    assert WHY in text
    assert ("for good" in text) is (until is None)
    assert until is None or f"until {until:%-d %b %Y}" in text
    assert not is_signed_in(client)


def test_an_open_session_ends_and_says_why(client, ada, operator):
    sign_in(client)
    assert is_signed_in(client)
    ban(ada, operator)

    stream = client.get("/matches/changes/", headers={"Accept": "text/event-stream"})
    answer = client.get("/")

    assert stream.status_code == answer.status_code == 403
    assert WHY in answer.content.decode()
    assert client.get("/").status_code == 200
    assert not is_signed_in(client)


def test_banned_user_has_and_gets_no_token(client, ada, operator):
    headers = {"Authorization": f"Bearer {rows.token(ada)}"}
    ban(ada, operator)
    words = {"username": "ada", "password": PASSWORD, "name": "laptop"}

    refused = client.get("/api/v1/me", headers=headers)
    asked, wrong = (
        client.post("/api/v1/tokens", {**words, **changed}, content_type="application/json").json()
        for changed in ({}, {"password": "x"})
    )

    assert refused.status_code == 403
    assert refused["Content-Type"] == "application/problem+json"
    assert WHY in refused.json()["detail"]
    assert (asked["code"], asked["banned_until"]) == ("banned", None)
    assert wrong["code"] == "wrong_credentials"
    assert ada.auth_token_set.count() == 1
    until = in_days(3)
    User.objects.filter(pk=ada.pk).update(banned_until=until)
    problem = client.get("/api/v1/me", headers=headers).json()
    assert (problem["code"], problem["banned_until"]) == (
        "banned",
        until.isoformat().replace("+00:00", "Z"),
    )
    moderation.lift(user=ada, by=operator, reason="A mistake.")
    assert client.get("/api/v1/me", headers=headers).status_code == 200


def test_ban_ends_on_its_day_or_when_lifted(client, ada, operator):
    ban(ada, operator, in_days(1))
    User.objects.filter(pk=ada.pk).update(banned_until=timezone.now())
    assert sign_in(client).status_code == 302
    client.logout()

    ban(ada, operator)
    moderation.lift(user=ada, by=operator, reason="A mistake.")

    assert sign_in(client).status_code == 302
    assert ada.notices.first().text.startswith("Staff has lifted the ban")
    assert StaffAction.objects.get(action="lift_ban").reason == "A mistake."
    with pytest.raises(Refused, match="not banned"):
        moderation.lift(user=ada, by=operator, reason="Again.")


def test_bots_not_paired_until_ban_is_lifted(ada, her_version, operator):
    other, another = make_ready(), make_ready()
    ban(ada, operator)

    made = matchmaking.fill_ladder(ladder=get_ladder(), wanted=8, random=Random(1))

    assert made
    assert her_version.pk not in versions_of(made)
    reasons = idle_reasons.of_bot(bot=her_version.bot, viewer=None)
    assert {each.reason for each in reasons.values()} == {"Its owner is banned."}
    Match.objects.all().delete()
    moderation.lift(user=ada, by=operator, reason="A mistake.")
    made = matchmaking.fill_ladder(ladder=get_ladder(), wanted=8, random=Random(1))
    assert versions_of(made) == {her_version.pk, other.pk, another.pk}
    assert Entrant.objects.filter(bot=her_version.bot, active=True).count() == 2  # as before


def versions_of(matches):
    return {entrant.version_id for match in matches for entrant in match.entrants.all()}


def test_what_waits_is_cancelled_except_rated_matches(ada, her_version, operator):
    rated, running, asked = (make_match(her_version, make_ready()) for _ in range(3))
    Match.objects.filter(pk__in=[running.pk, asked.pk]).update(
        kind=MatchKind.CHALLENGE, requested_by=ada
    )
    assert lifecycle.claim(match_pk=running.pk)

    ban(ada, operator)

    states = dict(Match.objects.values_list("pk", "status"))
    assert states[asked.pk] == MatchStatus.CANCELLED
    assert states[running.pk] == MatchStatus.LEASED
    assert states[rated.pk] == rated.status


def test_challenges_of_the_bot_are_refused(ada, her_version, operator):
    own = make_ready()
    ban(ada, operator)

    with pytest.raises(Refused) as refused:
        challenges.ask(
            by=own.bot.owner, own=own.bot, opponents=[fresh(her_version).bot], ladder=get_ladder()
        )

    assert refused.value.code == "owner_banned"


def fresh(version):
    return type(version).objects.select_related("bot__owner").get(pk=version.pk)


def test_no_probe_is_sent(her_version, ada, operator):
    make_ready()
    make_ready()
    type(her_version).objects.update(next_probe_at=timezone.now())
    ban(ada, operator)

    sent = probes.send(random=Random(1))

    assert sent
    probed = {match.entrants.get(position=0).version_id for match in sent}
    assert her_version.pk not in probed


def test_ban_ends_entries_before_start_and_while_running(ada, operator):
    opened, frozen, running = making.make_open(), making.make_open(), making.make_open()
    for cup in (opened, frozen, running):
        making.enter(cup, making_ready(ada))
        making.enter(cup)
        making.enter(cup)
    for cup in (frozen, running):
        stages.freeze(tournament=cup, by=making.organizer(cup))
    stages.start(tournament=running, by=making.organizer(running))

    ban(ada, operator)

    states = TournamentEntrant.objects.filter(bot__owner=ada).values_list("status", flat=True)
    assert set(states) == {TournamentEntrantStatus.WITHDRAWN}
    assert TournamentEntrant.objects.entered().count() == 6
    assert making.log(opened)[-1] == "left"
    assert making.log(frozen)[-1] == making.log(running)[-1] == "withdrawn"
    late = making_ready(ada)
    with pytest.raises(Refused) as refused:
        entries.enter(tournament=opened, bot=late.bot, by=making.organizer(opened))
    assert refused.value.code == "owner_banned"


def making_ready(owner):
    return fresh(make_ready(make_bot(owner)))


@pytest.mark.parametrize(
    ("until", "reason", "code"),
    [(-1, WHY, "times_past"), (None, " ", "no_reason"), (None, "x" * 1001, "long_reason")],
)
def test_ban_needs_reason_future_day_and_no_staff(ada, operator, until, reason, code):
    with pytest.raises(Refused) as refused:
        moderation.ban(user=ada, by=operator, reason=reason, until=until and in_days(until))
    with pytest.raises(Refused, match="This is an account of staff"):
        ban(operator, operator)

    assert refused.value.code == code
    ada.refresh_from_db()
    assert ada.banned_at is None
    assert not StaffAction.objects.exists()


def test_a_trial_waits_until_the_ban_is_lifted(ada, her_version, operator):
    newer = make_ready(her_version.bot)
    trial = trials.start(version=newer, against=her_version)
    ban(ada, operator)

    trials.advance()

    assert not trial_rows.open_matches(trial).exists()
    moderation.lift(user=ada, by=operator, reason="A mistake.")
    trials.advance()
    assert trial_rows.open_matches(trial).exists()
