"""Mail of the site: it waits as rows, which a worker of its own sends.

A request only stores the mail, so a mail server that is down or hangs delays no answer. A row is
deleted once a server has taken it. If a worker ends between the two, the mail is sent twice.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone

from arena import jobs
from arena.models import OutgoingMail

logger = logging.getLogger(__name__)

ATTEMPTS = 10
FIRST_DELAY = timedelta(minutes=1)  # doubled after each attempt
BATCH = 50  # mails of one job
PERMANENT = 500  # from this reply code on, a server would refuse the same again


class Outbox(BaseEmailBackend):
    """The mail backend of the site. It stores what Django sends, and sends a job for each mail."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the mails. Return how many. Raise ValueError for a mail with an attachment."""
        rows = [
            OutgoingMail.objects.create(content=_content(email_message))
            for email_message in email_messages
        ]
        for row in rows:
            jobs.enqueue(jobs.SEND_MAIL, row.pk)
        return len(rows)


def _content(mail: EmailMessage) -> dict[str, object]:
    if mail.attachments:
        raise ValueError("The outbox stores no attachments.")
    return {
        "subject": str(mail.subject),
        "body": str(mail.body),
        "from_email": mail.from_email,
        "to": list(mail.to),
        "cc": list(mail.cc),
        "bcc": list(mail.bcc),
        "reply_to": list(mail.reply_to),
        "headers": dict(mail.extra_headers),
        "alternatives": [[*alternative] for alternative in getattr(mail, "alternatives", ())],
    }


def deliver() -> int:
    """Send the mails that are due, the oldest first, up to a batch. Return how many were sent."""
    due = OutgoingMail.objects.filter(not_before__lte=timezone.now()).order_by("not_before", "pk")
    return sum(_deliver(row) for row in due[:BATCH])


def _deliver(row: OutgoingMail) -> bool:
    """Send a mail, unless another worker has just claimed it. Return whether it was sent.

    The claim sets the time of the next attempt, so a worker that ends meanwhile loses nothing.
    """
    next_at = timezone.now() + FIRST_DELAY * 2**row.attempt
    claimed = OutgoingMail.objects.filter(pk=row.pk, attempt=row.attempt)
    if not claimed.update(attempt=F("attempt") + 1, not_before=next_at):
        return False
    transport = get_connection(settings.MAIL_TRANSPORT)
    try:
        EmailMultiAlternatives(**row.content, connection=transport).send()
    except (OSError, ValueError) as problem:  # smtplib raises the first, headers the second
        # The words of the mail or of the server stay out of the log, as they may quote the mail.
        codes = []
        if isinstance(problem, SMTPRecipientsRefused):
            codes = sorted(code for code, _reply in problem.recipients.values())
        elif isinstance(problem, SMTPResponseException):
            codes = [problem.smtp_code]
        is_last = row.attempt + 1 >= ATTEMPTS or (
            isinstance(problem, SMTPRecipientsRefused) and min(codes, default=0) >= PERMANENT
        )
        if is_last:
            row.delete()
        logger.log(
            logging.ERROR if is_last else logging.WARNING,
            "mail_given_up" if is_last else "mail_not_sent",
            extra={
                "mail": row.pk,
                "attempt": row.attempt + 1,
                "why": type(problem).__name__,
                "codes": codes,
            },
        )
        return False
    row.delete()
    return True
