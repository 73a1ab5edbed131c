"""What an owner does on the pages of versions, and what everybody sees there."""

import pytest
from django.utils import timezone

from arena.domain.accounts import notices
from arena.domain.bots import trials
from arena.domain.ratings import refits
from arena.models import RatingEvent, Version, VersionTrial
from tests import factories

pytestmark = pytest.mark.django_db


PLAYS = 'badge-good">plays now'


@pytest.fixture
def two():
    older = factories.make_ready()
    return older, factories.make_ready(older.bot)


@pytest.fixture
def owner(client, two):
    client.force_login(two[0].bot.owner)
    return client


def text(response):
    return " ".join(response.content.decode().split())


def act(client, version, action, **form):
    return client.post(f"{version.get_absolute_url()}{action}/", form, follow=True)


def test_an_owner_lets_an_older_version_play_again(owner, two):
    older, newer = two
    assert f"{older.get_absolute_url()}activate/" in text(owner.get(older.bot.get_absolute_url()))

    response = act(owner, older, "activate")

    older.bot.refresh_from_db()
    assert older.bot.active_version == older
    assert "Version 1 plays now." in text(response)
    assert response.redirect_chain == [(older.get_absolute_url(), 302)]
    assert PLAYS in text(owner.get(older.get_absolute_url()))
    assert PLAYS not in text(owner.get(newer.get_absolute_url()))


def test_retiring_asks_first_and_says_what_happens(owner, two):
    older, newer = two
    asked = text(owner.get(newer.get_absolute_url()))
    assert "Retire version 2 permanently" in asked
    assert "the bot leaves its ladders" in asked
    assert "the bot leaves its ladders" not in text(owner.get(older.get_absolute_url()))

    response = act(owner, newer, "retire")

    newer.refresh_from_db()
    assert newer.status == "retired"
    assert "Version 2 is retired." in text(response)
    assert "Retire" not in text(response).split("<main")[1].replace("retired", "")
    assert "This version is retired. This cannot be undone." in text(act(owner, newer, "activate"))


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


def test_owner_begins_trial_and_everybody_follows(owner, client, two):
    older, newer = two

    response = act(owner, older, "try", against="2", activates="yes")

    trial = VersionTrial.objects.get()
    assert (trial.version, trial.against, trial.activates) == (older, newer, True)
    assert "Is version 1 better than version 2?" in text(response)
    client.logout()
    page = text(client.get(older.get_absolute_url()))
    assert 'hx-trigger="every 3s"' in page
    assert "0 pairs won, 0 level, 0 lost" in page
    assert "0.00. From 2.94 on it is better, up to -2.94 it is not." in page
    assert "Cancel the trial" not in page
    client.force_login(older.bot.owner)
    again = act(client, older, "try", against="2")
    assert "This version is already on trial on this ladder." in text(again)


def test_old_trial_in_plain_elo_has_no_bars(client, two):
    trial = trials.start(version=two[1])
    VersionTrial.objects.filter(pk=trial.pk).update(
        margin=None, status="better", ended_at=timezone.now()
    )

    page = text(client.get(two[1].get_absolute_url()))

    assert "Version 2 is better than version 1." in page
    assert "From 2.94 on it is better" not in page
    assert client.get(f"/api/v1/trials/{trial.public_id}").json()["judgement"] is None


def test_trial_takes_previous_or_named_version(owner, two):
    for against in ("9", "x", "²"):
        response = act(owner, two[1], "try", against=against)
        assert f"has no version {against}." in text(response)

    act(owner, two[1], "try", against="")
    assert VersionTrial.objects.get().against == two[0]


def test_a_trial_is_cancelled_by_its_owner_alone(client, two):
    trial = trials.start(version=two[1])
    client.force_login(factories.make_user())
    assert client.post(f"/trials/{trial.public_id}/cancel/").status_code == 403

    client.force_login(two[0].bot.owner)
    response = client.post(f"/trials/{trial.public_id}/cancel/", follow=True)

    assert "The trial against version 1 was cancelled." in text(response)
    assert 'hx-trigger="every 3s"' not in text(response)


def test_verdict_said_in_words_with_games_used(client, two):
    trial = trials.start(version=two[1])
    verdicts = {
        "better": "Version 2 is better than version 1.",
        "worse": "Version 2 is worse than version 1.",
        "unknown": "It is not known yet if version 2 is better than version 1.",
    }
    counts = {"head": [1, 2, 3, 4, 5], "panel": [0] * 9}
    for status, said in verdicts.items():
        VersionTrial.objects.filter(pk=trial.pk).update(
            status=status, ended_at=timezone.now(), counts=counts, games=30
        )

        page = text(client.get(f"{two[1].get_absolute_url()}trials/"))

        assert said in page
        assert "30 games" in page
        assert "9 pairs won, 3 level, 3 lost" in page


def test_version_page_shows_its_record(client, two):
    version, opponent = two[1], factories.make_ready()
    for points in ([1.0, 1.0], [0.0, 0.5]):
        factories.play_out(factories.make_match(version, opponent), points)
        refits.refresh(ladder=factories.get_ladder())

    page = text(client.get(version.get_absolute_url()))

    assert "2-1-1".replace("-", "\N{EN DASH}") in page
    last = RatingEvent.objects.filter(version=version).latest("finish_number").after
    assert f"→ <strong>{last:.0f}</strong>" in page


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


def test_messages_counted_in_header_and_marked_read(client):
    user = factories.make_user()
    notices.tell(user=user, text="<b>one</b>", url="/bots/")
    notices.tell(user=factories.make_user(), text="of another")
    client.force_login(user)
    page = text(client.get("/notices/"))
    assert "&lt;b&gt;one&lt;/b&gt;" in page
    assert "of another" not in page
    assert 'badge-accent">1<span' in text(client.get("/bots/"))

    after = text(client.post("/notices/read/", follow=True))

    assert "Mark all as read" not in after
    assert 'badge-accent">1<span' not in after


def test_message_pages_lead_to_each_other(client):
    user = factories.make_user()
    for number in range(31):
        notices.tell(user=user, text=f"message {number}")
    client.force_login(user)

    first = client.get("/notices/")
    second = client.get(f"/notices/{first.context['older']}")

    assert 'rel="next">Older</a>' in text(first)
    assert "message 0" not in text(first)
    assert "message 0" in text(second)
    assert 'rel="prev">Newer</a>' in text(second)
    back = client.get(f"/notices/{second.context['newer']}")
    assert (back.context["notices"], back.context["older"]) == (
        first.context["notices"],
        first.context["older"],
    )
    assert client.get("/notices/?page=2").context["notices"] == second.context["notices"]
