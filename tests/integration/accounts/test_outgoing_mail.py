"""Mail waits as rows, and a worker sends it: a mail server that is down slows nobody."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage, send_mail
from django.test import Client
from django.utils import timezone

from arena.domain.accounts import outgoing_mail
from arena.models import OutgoingMail
from arena.tasks import send_mail as task
from tests.clocks import Clock
from tests.factories import make_user
from tests.integration.accounts.mailbox import delivered, mail_server

pytestmark = pytest.mark.django_db

REFUSED = "550 no such user"
BUSY = "451 try again later"


@pytest.fixture(autouse=True)
def _patience(settings):
    settings.EMAIL_TIMEOUT = 60  # for a busy machine


def ask_for_a_reset(address="ada@example.org"):
    return Client().post("/accounts/password/reset/", {"email": address})


def write(to="ada@example.org"):
    send_mail("A subject", "A secret text", None, [to])


def test_mail_leaves_from_the_address_of_the_setting(settings):
    settings.DEFAULT_FROM_EMAIL = "Arena <arena@example.org>"
    ada = make_user("ada")
    ada.email = "ada@example.org"
    ada.save()
    with mail_server(settings) as server:
        assert ask_for_a_reset().status_code == 302
        task()

    (mail,) = server.mails
    assert "From: Arena <arena@example.org>" in mail
    assert "To: ada@example.org" in mail
    assert "/accounts/password/reset/key/" in mail
    assert not OutgoingMail.objects.exists()


def test_mail_has_all_written_into_it():
    words: dict[str, Any] = {
        "subject": "A subject",
        "body": "A text",
        "from_email": "from@example.org",
        **{name: [f"{name}@example.org"] for name in ("to", "cc", "bcc", "reply_to")},
    }
    mail = EmailMessage(**words, headers={"X-Kind": "notice"})
    outgoing_mail.Outbox().send_messages([mail])

    (sent,) = delivered()

    assert {name: getattr(sent, name) for name in words} == words
    assert sent.extra_headers == {"X-Kind": "notice"}


def test_a_mail_with_an_attachment_is_refused():
    mail = EmailMessage("A subject", "A text", to=["to@example.org"])
    mail.attach("board.txt", "a1", "text/plain")

    with pytest.raises(ValueError, match="no attachments"):
        mail.send()


def test_a_request_leaves_the_mail_server_alone(settings):
    with mail_server(settings, GREETING=None) as server:
        assert ask_for_a_reset().status_code == 302

    assert server.callers == 0
    assert OutgoingMail.objects.count() == 1


def test_worker_message_has_mail_id_and_no_words(monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(
        "arena.jobs.app.send_task", lambda *args, **kwargs: sent.append((args, kwargs))
    )
    with django_capture_on_commit_callbacks(execute=True):
        ask_for_a_reset()

    ((name,), options) = sent[0]
    assert name == "arena.send_mail"
    assert options["args"] == [OutgoingMail.objects.get().pk]
    assert len(sent) == 1


@pytest.mark.parametrize(
    ("replies", "why", "codes"),
    [
        ({"GREETING": None}, "SMTPServerDisconnected", []),
        ({"GREETING": "554 not now"}, "SMTPConnectError", [554]),
        ({"DATA": BUSY}, "SMTPDataError", [451]),
        ({"RCPT": BUSY}, "SMTPRecipientsRefused", [451]),
    ],
)
def test_mail_not_taken_is_sent_later(settings, caplog, replies, why, codes):
    if None in replies.values():  # it keeps the client waiting
        settings.EMAIL_TIMEOUT = 1
    write()
    with mail_server(settings, **replies):
        assert outgoing_mail.deliver() == 0
        assert outgoing_mail.deliver() == 0
    (failed,) = caplog.records
    assert (failed.message, failed.levelname) == ("mail_not_sent", "WARNING")
    assert (failed.attempt, failed.why, failed.codes) == (1, why, codes)

    OutgoingMail.objects.update(not_before=timezone.now())
    settings.EMAIL_TIMEOUT = 60
    with mail_server(settings) as server:
        assert outgoing_mail.deliver() == 1

    assert "A secret text" in server.mails[0]


def test_time_until_next_attempt_doubles_and_attempts_bounded(settings, caplog, monkeypatch):
    clock = Clock(monkeypatch)
    write()
    delays = []
    with mail_server(settings, RCPT=BUSY) as server:
        while row := OutgoingMail.objects.first():
            outgoing_mail.deliver()
            if OutgoingMail.objects.exists():
                row.refresh_from_db()
                delays.append((row.not_before - clock.now) / timedelta(minutes=1))
                clock.now = row.not_before

    assert delays == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    assert server.callers == outgoing_mail.ATTEMPTS
    assert caplog.records[-1].message == "mail_given_up"
    assert caplog.records[-1].levelname == "ERROR"


def test_mail_to_missing_receiver_given_up_at_once(settings, caplog):
    write()
    with mail_server(settings, RCPT=REFUSED):
        outgoing_mail.deliver()

    assert [(each.message, each.codes) for each in caplog.records] == [("mail_given_up", [550])]
    assert not OutgoingMail.objects.exists()


def test_no_log_has_words_of_mail_or_server(settings, caplog):
    write()
    with mail_server(settings, DATA="554 A secret text of ada@example.org"):
        outgoing_mail.deliver()

    (failed,) = caplog.records
    assert failed.exc_info is None
    assert not [part for part in ("secret", "ada@", "subject") if part in str(vars(failed))]


def test_mail_with_unwritable_header_holds_no_other_up(settings, caplog):
    OutgoingMail.objects.create(content={"subject": "two\nlines", "to": ["a@example.org"]})
    write()

    assert len(delivered()) == 1
    assert [each.why for each in caplog.records] == ["BadHeaderError"]


def test_mail_claimed_by_another_worker_is_left(settings):
    write()
    seen = OutgoingMail.objects.get()
    with mail_server(settings, RCPT=BUSY) as server:
        outgoing_mail.deliver()
        assert not outgoing_mail._deliver(seen)

    assert server.callers == 1
