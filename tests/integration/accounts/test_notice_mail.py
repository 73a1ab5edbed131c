"""Mail about notices: who gets it, how often, and how it ends."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from arena.domain.accounts import notice_mail, notices
from arena.domain.bots import versions
from arena.domain.tournaments import stages
from arena.domain.tournaments.rehearsal import rehearsals
from arena.models import (
    CheckStep,
    MailPreference,
    Notice,
    NoticeKind,
    OutgoingMail,
    User,
    VersionStatus,
)
from arena.tasks import send_mail as task
from tests.database_role import as_runner
from tests.factories import claim, make_bot, make_ready, make_upload, make_user
from tests.integration.accounts.mailbox import delivered
from tests.integration.bots.test_crash_streaks import crash
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db

SITE = "https://arena.example.org"
REJECTED, PAUSED, FORFEITED, STARTED, OVER = NoticeKind


@pytest.fixture(autouse=True)
def _with_mail(settings):
    settings.SITE_URL = SITE
    settings.HAS_MAIL_SERVER = True


@pytest.fixture
def ada():
    user = make_user("ada")
    confirm(user)
    return user


def confirm(user, address="ada@example.org"):
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)


def tell(user, kind=REJECTED, text="A word.", url="/bots/ada/raider/"):
    return notices.tell(user=user, kind=kind, text=text, url=url)


def written():
    """Return the mails of a run of the worker."""
    mail.outbox.clear()
    notice_mail.write()
    return delivered()


@pytest.mark.parametrize("last", [False, True])
def test_a_rejected_version_is_mailed_to_its_owner(ada, settings, last):
    settings.CHECK_ATTEMPTS = 1
    version = make_upload(make_bot(ada, "raider"))
    lease = claim(version)
    with as_runner():
        if last:
            versions.postpone(lease=lease, reason="The engine was down.")
        else:
            versions.reject(
                lease=lease, step=CheckStep.SCANNED, reason="No main.", log="", took_ms=1
            )

    (message,) = written()

    version.refresh_from_db()
    assert version.status == VersionStatus.REJECTED
    assert message.to == ["ada@example.org"]
    assert message.subject == "[arena.example.org] A version of your bot was rejected"
    assert f"raider v1 was rejected by its checks. {version.reason}" in message.body
    assert f"{SITE}{version.get_absolute_url()}" in message.body


def test_a_paused_bot_is_mailed_to_its_owner(ada):
    crash(make_ready(make_bot(ada, "raider")), make_ready())

    forfeited, message = written()

    assert forfeited.subject == "[arena.example.org] Your bot forfeited a game"
    assert message.subject == "[arena.example.org] Your bot is paused"
    assert "raider v1 is paused." in message.body


def test_tournament_begin_is_mailed_once_per_owner(ada):
    cup = making.make_open()
    for slug in ("raider", "scout"):
        making.enter(cup, make_ready(make_bot(ada, slug)))
    making.enter(cup)
    stages.freeze(tournament=cup, by=None)
    stages.start(tournament=cup, by=None)

    (message,) = written()

    assert message.to == ["ada@example.org"]
    assert f"The tournament {cup.name} begins." in message.body
    assert f"{SITE}{cup.get_absolute_url()}" in message.body
    assert Notice.objects.filter(kind=STARTED).count() == 2
    playing.play_round(playing.go_on(cup))
    for _ in range(2):
        cup = playing.play_round(making.fresh(cup))
    stages.release(tournament=cup, by=None)
    (over,) = written()
    assert over.subject == "[arena.example.org] A tournament with your bot is over"


def test_task_sends_once_whoever_comes_second(ada):
    seen = tell(ada)

    task()

    assert len(mail.outbox) == 1
    assert not notice_mail._decide(seen)
    assert OutgoingMail.objects.count() == 0


def test_burst_is_cut_and_last_mail_says_so(ada):
    for number in range(notice_mail.MAILS_PER_DAY + 5):
        tell(ada, text=f"Word {number}.")
    bob = make_user("bob")
    confirm(bob, "bob@example.org")
    tell(bob)

    sent = written()

    mine = [message for message in sent if message.to == ["ada@example.org"]]
    assert len(mine) == notice_mail.MAILS_PER_DAY == 10
    assert len(sent) == 11
    said = ["This is mail 10 within 24 hours" in message.body for message in mine]
    assert said == [False] * 9 + [True]
    tell(ada)
    assert written() == []
    Notice.objects.update(mail_decided_at=timezone.now() - timedelta(days=1, minutes=1))
    tell(ada)
    assert len(written()) == 1


def test_barred_users_old_news_unconfirmed_addresses_no_mail(ada):
    for column in ({"is_active": False}, {"is_active": True, "banned_at": Now()}):
        User.objects.filter(pk=ada.pk).update(**column)
        tell(ada)
        assert written() == []
    User.objects.filter(pk=ada.pk).update(banned_at=None)
    tell(ada)
    Notice.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert written() == []
    EmailAddress.objects.update(verified=False)
    tell(ada)
    assert written() == []


def test_site_without_mail_and_other_notices_send_none(ada, settings):
    notices.tell(user=ada, text="A word.")
    assert written() == []
    tell(ada)
    settings.SITE_URL = ""
    assert written() == []
    settings.SITE_URL, settings.HAS_MAIL_SERVER = SITE, False
    tell(ada)
    assert written() == []


def test_a_notice_leads_to_no_other_site(ada):
    """A runner can write notices: what it writes must not become another site's address."""
    for url, page in (
        ("https://elsewhere.example/bots/", "/bots/"),
        ("@evil.example/x", "/"),
        (".evil.example/x", "/"),
        ("//evil.example/x", "/x"),
        ("//[", "/"),
        ("", "/"),
    ):
        tell(ada, url=url)

        (message,) = written()

        assert f"What it is about: {SITE}{page}\n" in message.body


def test_whoever_has_link_ends_mail_of_its_kind(ada):
    tell(ada)
    (message,) = written()
    headers = message.extra_headers
    assert headers["List-Unsubscribe"].startswith(f"<{SITE}/account/mail/stop/")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers["List-Unsubscribe"].strip("<>") in message.body
    stranger = Client(enforce_csrf_checks=True)
    path = headers["List-Unsubscribe"].strip("<>").removeprefix(SITE)

    assert "Stop this mail" in stranger.get(path).content.decode()
    assert not MailPreference.objects.exists()
    done = stranger.post(path, {"List-Unsubscribe": "One-Click"})

    assert done.status_code == 200
    assert "ada gets no more mail of this kind" in done.content.decode()
    assert notice_mail.wanted(user=ada) == [PAUSED, FORFEITED, STARTED, OVER]
    tell(ada)
    tell(ada, PAUSED)
    assert [each.subject for each in written()] == ["[arena.example.org] Your bot is paused"]


def test_forged_link_or_closed_account_ends_nothing(client, ada):
    token = notice_mail.stop_token(user=ada, kind=REJECTED)
    path = f"/account/mail/stop/{token[:-1]}{'a' if token[-1] != 'a' else 'b'}/"

    for answer in (client.get(path), client.post(path)):
        assert answer.status_code == 404
        assert "This link is damaged" in answer.content.decode()
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert client.post(f"/account/mail/stop/{token}/").status_code == 404
    assert not MailPreference.objects.exists()


def test_a_user_chooses_the_kinds(client, ada):
    client.force_login(ada)
    assert client.get("/account/mail/").content.decode().count(" checked") == 5

    answer = client.post("/account/mail/", {"kinds": [PAUSED]}, follow=True)

    assert "Your choice is stored." in answer.content.decode()
    assert answer.content.decode().count(" checked") == 1
    assert notice_mail.wanted(user=ada) == [PAUSED]
    client.post("/account/mail/", {"kinds": list(NoticeKind)})
    assert notice_mail.wanted(user=ada) == list(NoticeKind)


def test_a_rehearsal_tells_nobody(ada):
    cup = making.make_open()
    making.enter(cup, make_ready(make_bot(ada, "raider")))
    making.enter(cup)
    stages.freeze(tournament=cup, by=None)
    rehearsals.start(tournament=cup, by=making.organizer(cup))

    assert not Notice.objects.filter(kind=STARTED).exists()
