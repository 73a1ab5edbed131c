"""Mail about notices: which kinds a user wants, and the mails themselves.

The worker that sends mail writes them, because runners, which write notices, know no address. It
decides once about each notice.
"""

from collections.abc import Collection
from datetime import timedelta
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from arena.models import MailPreference, Notice, NoticeKind, User
from arena.texts.accounts import MAIL_BODY, MAIL_BODY_OF_LAST, MAIL_SUBJECTS

MAILS_PER_DAY = 10  # to one user, in any 24 hours
DAY = timedelta(days=1)
WORTH_MAILING = timedelta(days=1)  # an older notice is old news, as after an outage of the mail
BATCH = 200  # notices of one job
SALT = "arena.stop-mail"


def is_on() -> bool:
    """Return whether the site writes mail about notices: it needs its own address for the links."""
    return bool(settings.SITE_URL)


def address_of(*, user: User) -> str:
    """Return the address that the mail goes to: the primary one if it is confirmed, or nothing."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return confirmed.values_list("email", flat=True).first() or ""


def wanted(*, user: User) -> list[NoticeKind]:
    """Return the kinds of notices that the user wants as mail: all, except the refused ones."""
    refused = set(user.mail_preferences.filter(is_wanted=False).values_list("kind", flat=True))
    return [kind for kind in NoticeKind if kind not in refused]


def choose(*, user: User, kinds: Collection[str]) -> None:
    """Store which kinds of notices the user wants as mail: these and no others."""
    with transaction.atomic():
        for kind in NoticeKind:
            _prefer(user, kind, is_wanted=kind in kinds)


def stop(*, user: User, kind: NoticeKind) -> None:
    """End the mail about one kind of notices."""
    _prefer(user, kind, is_wanted=False)


def stop_token(*, user: User, kind: NoticeKind) -> str:
    """Return what allows its holder to end the mail about a kind of notices to the user."""
    return signing.dumps([user.pk, kind], salt=SALT)


def of_stop_token(token: str) -> tuple[User, NoticeKind] | None:
    """Return the user and the kind that a token is for, or None if the site did not make it.

    Tokens have no end, because mails are kept. Without an open account there is no mail to end.
    """
    try:
        user_pk, kind = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=user_pk, is_active=True).first()
    return (user, NoticeKind(kind)) if user and kind in NoticeKind else None


def write() -> int:
    """Store the mails about the notices that have a kind and are new, up to a batch.

    Return how many mails. There are none without the address of the site and a mail server.
    """
    if not is_on() or not settings.HAS_MAIL_SERVER:
        return 0
    oldest = timezone.now() - WORTH_MAILING
    due = Notice.objects.filter(mail_decided_at=None, created_at__gte=oldest).exclude(kind="")
    return sum(_decide(notice) for notice in due.order_by("created_at", "pk")[:BATCH])


def _decide(notice: Notice) -> bool:
    """Store the mail about a notice or none, unless another worker has. Return whether it did."""
    now = timezone.now()
    with transaction.atomic():
        # Locked, so that two workers do not exceed the limit together.
        user = User.objects.select_for_update(no_key=True).get(pk=notice.user_id)
        address = address_of(user=user) if user.is_active and not user.is_banned else ""
        mailed = Notice.objects.filter(user=user, is_mailed=True, mail_decided_at__gt=now - DAY)
        left = MAILS_PER_DAY - mailed.count()
        is_mailed = bool(address) and left > 0 and notice.kind in wanted(user=user)
        due = Notice.objects.filter(pk=notice.pk, mail_decided_at=None)
        if not due.update(mail_decided_at=now, is_mailed=is_mailed) or not is_mailed:
            return False
        kind = NoticeKind(notice.kind)
        stop_url = _url("mail-stop", stop_token(user=user, kind=kind))
        body = MAIL_BODY_OF_LAST if left == 1 else MAIL_BODY
        names = {
            "user": user.username,
            "text": notice.text,
            "page": f"{settings.SITE_URL}{_path(notice.url)}",
            "limit": MAILS_PER_DAY,
            "stop": stop_url,
            "preferences": _url("mail-preferences"),
        }
        headers = {
            "Auto-Submitted": "auto-generated",
            "List-Unsubscribe": f"<{stop_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        site = urlsplit(settings.SITE_URL).netloc
        subject = MAIL_SUBJECTS[kind] % {"site": site}
        EmailMessage(subject, body % names, to=[address], headers=headers).send()
    return True


def _path(url: str) -> str:
    """Return the path of a page of this site, or that of the home page if it is none.

    A runner can write notices, and a mail must not lead to where it wants.
    """
    try:
        path = urlsplit(url).path
    except ValueError:
        return "/"
    return path if path.startswith("/") and not path.startswith("//") else "/"


def _url(route: str, *words: str) -> str:
    return f"{settings.SITE_URL}{reverse(route, args=words)}"


def _prefer(user: User, kind: NoticeKind, *, is_wanted: bool) -> None:
    MailPreference.objects.update_or_create(user=user, kind=kind, defaults={"is_wanted": is_wanted})
