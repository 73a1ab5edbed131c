"""What an owner does on the pages of versions, and what everybody sees there."""

import pytest
from django.utils import timezone

from arena.domain.bots import trials
from arena.models import Version, VersionTrial

pytestmark = pytest.mark.django_db


PLAYS = 'badge-good">plays now'


@pytest.fixture
def owner(client, two):
    client.force_login(two[0].bot.owner)
    return client


def text(response):
    return " ".join(response.content.decode().split())


def act(client, version, action, **form):
    return client.post(f"{version.get_absolute_url()}{action}/", form, follow=True)


def test_owner_activates_tries_and_retires_versions(owner, two):
    older, newer = two

    response = act(owner, older, "activate")

    older.bot.refresh_from_db()
    assert older.bot.active_version == older
    assert "Version 1 plays now." in text(response)
    assert response.redirect_chain == [(older.get_absolute_url(), 302)]
    assert [PLAYS in text(owner.get(each.get_absolute_url())) for each in two] == [True, False]

    for against in ("9", "x", "²"):
        assert f"has no version {against}." in text(act(owner, newer, "try", against=against))
    begun = text(act(owner, newer, "try", against="", activates="yes"))
    trial = VersionTrial.objects.get()
    assert (trial.version, trial.against, trial.activates) == (newer, older, True)
    assert "Is version 2 better than version 1?" in begun
    assert "0 pairs won, 0 level, 0 lost" in begun
    again = act(owner, newer, "try", against="1")
    assert "This version is already on trial on this ladder." in text(again)
    ended = owner.post(f"/trials/{trial.public_id}/cancel/", follow=True)
    assert "The trial against version 1 was cancelled." in text(ended)

    assert "the bot leaves its ladders" in text(owner.get(older.get_absolute_url()))
    assert "Version 1 is retired." in text(act(owner, older, "retire"))
    older.refresh_from_db()
    assert older.status == "retired"
    assert "This version is retired. This cannot be undone." in text(act(owner, older, "activate"))


def test_paused_version_says_why_and_owner_resumes(owner, two):
    newer = two[1]
    Version.objects.filter(pk=newer.pk).update(
        paused_at=timezone.now(), pause_reason="It <crashed>.", next_probe_at=timezone.now()
    )
    page = text(owner.get(newer.get_absolute_url()))
    assert "It &lt;crashed&gt;." in page
    assert "Next try:" in page
    assert "paused" in text(owner.get(newer.bot.get_absolute_url()))

    act(owner, newer, "resume")

    assert "Next try:" not in text(owner.get(newer.get_absolute_url()))


def test_old_trial_in_plain_elo_has_no_bars(client, two):
    trial = trials.start(version=two[1])
    VersionTrial.objects.filter(pk=trial.pk).update(
        margin=None, status="better", ended_at=timezone.now()
    )

    page = text(client.get(two[1].get_absolute_url()))

    assert "Version 2 is better than version 1." in page
    assert "From 2.94 on it is better" not in page
    assert client.get(f"/api/v1/trials/{trial.public_id}").json()["judgement"] is None


def test_owner_chooses_to_try_new_versions_first(owner, two):
    bot = two[0].bot
    address = f"{bot.get_absolute_url()}gate/"

    response = owner.post(address, {"first": "yes"}, follow=True)

    bot.refresh_from_db()
    assert bot.gate_new_versions
    assert "Let new versions play at once" in text(response)
    owner.post(address, {"first": "no"})
    bot.refresh_from_db()
    assert not bot.gate_new_versions
