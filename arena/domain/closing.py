"""Close an account for good: its user leaves, and the games that were played stay.

It closes a week after the user asked for it, who can keep it until then.

Results of others depend on the games, so bots and games stay, under a name that identifies nobody.
What identifies the user is deleted at once, and the programs of the bots when no match needs them
any more.
"""

import logging
import secrets
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain.accounts import notices
from arena.domain.bots import activation
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.models import (
    AbuseReport,
    IdempotencyKey,
    Match,
    MatchKind,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    User,
    Version,
    VersionArchive,
    VersionBuild,
    VersionCheck,
    VersionStatus,
)

logger = logging.getLogger(__name__)

WAIT = timedelta(days=7)
AGAIN = timedelta(days=1)  # after a refusal
BATCH = 500  # rows of a run for each kind; beat starts another


def obstacle(*, user: User) -> Refused | None:
    """Return why the account cannot be closed now, or None if it can."""
    if user.is_staff:
        return Refused(
            "staff_account",
            _("This is an account of staff. Ask another operator to make it an ordinary one."),
        )
    unfinished = Tournament.objects.exclude(status__in=Tournament.OVER)
    organized = unfinished.alias(organizer_count=Count("organizers"))
    alone = organized.filter(organizer_count=1, organizers=user).order_by("pk")
    if (tournament := alone.first()) is not None:
        text = _(
            "You are the only organizer of %(tournament)s, which is not over. Add another organizer"
            " first, or cancel it."
        )
        return Refused("last_organizer", text % {"tournament": tournament.name})
    entered = TournamentEntrant.objects.filter(
        bot__owner=user, status=TournamentEntrantStatus.ENTERED, tournament__in=unfinished
    ).select_related("tournament", "bot")
    if (entrant := entered.order_by("pk").first()) is not None:
        text = _(
            "Your bot %(bot)s is entered in %(tournament)s, which is not over. Withdraw it first."
        )
        names = {"bot": entrant.bot.name, "tournament": entrant.tournament.name}
        return Refused("entered", text % names)
    if Version.objects.filter(bot__owner=user).in_work().exists():
        text = _("A version of yours is being checked. Try again when that is over.")
        return Refused("being_checked", text)
    return None


@transaction.atomic
def ask(*, user: User) -> datetime:
    """Let the account close after the wait, and tell the user. Return when. Raise Refused."""
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if (refused := obstacle(user=row)) is not None:
        raise refused
    row.closes_at = timezone.now() + WAIT
    row.save(update_fields=["closes_at"])
    text = gettext_noop(
        "Your account closes on %(at)s. Until then you can keep it on the page of your data."
    ) % {"at": row.closes_at.date().isoformat()}
    notices.tell(user=row, text=text, url=reverse("own-data"))
    addresses = EmailAddress.objects.filter(user=row, verified=True).order_by("-primary")
    if address := addresses.values_list("email", flat=True).first():
        send_mail(gettext_noop("Your account will be closed"), text, None, [address])
    user.refresh_from_db()
    return row.closes_at


def keep(*, user: User) -> None:
    """Take back that the account closes. Raise Refused if it does not."""
    if not User.objects.filter(pk=user.pk, closes_at__isnull=False).update(closes_at=None):
        raise Refused("not_closing", _("Your account stays open, so there is nothing to undo."))
    user.refresh_from_db()


def close_due() -> int:
    """Close the accounts whose wait is over. Return how many.

    If one is still needed, its user is told why, and it is tried again the next day.
    """
    closed = 0
    due = User.objects.filter(closes_at__lte=timezone.now(), closed_at=None).order_by("pk")
    for user in due[:BATCH]:
        try:
            close(user=user)
        except Refused as refused:
            logger.info("account_not_closed", extra={"user": user.pk, "code": refused.code})
            User.objects.filter(pk=user.pk).update(closes_at=timezone.now() + AGAIN)
            text = gettext_noop("Your account is not closed yet. %(why)s")
            why = text % {"why": refused.message}
            notices.tell(user=user, text=why, url=reverse("own-data"))
        else:
            closed += 1
    return closed


def close(*, user: User) -> User:
    """Close the account and return its row.

    Raise Refused, also if a tournament still needs one of the versions. Challenges of the user end,
    and rated matches that were made are played. Nobody can sign in with the account any more, and
    its name is free again.
    """
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if (refused := obstacle(user=row)) is not None:
            raise refused
        reason = gettext_noop("The account of its requester was closed.")
        asked = Match.objects.open().filter(kind=MatchKind.CHALLENGE, requested_by=row)
        for match in asked.order_by("pk"):
            lifecycle.cancel(match=match, reason=reason)
        versions = Version.objects.filter(bot__owner=row)
        for version in versions.ready().order_by("pk"):
            activation.retire(version=version)
        versions.waiting().update(status=VersionStatus.RETIRED)
        # Delete what identifies the user.
        EmailAddress.objects.filter(user=row).delete()
        Authenticator.objects.filter(user=row).delete()
        SocialAccount.objects.filter(user=row).delete()
        IdempotencyKey.objects.filter(user=row).delete()
        row.auth_token_set.all().delete()
        row.notices.all().delete()
        row.mail_preferences.all().delete()
        about = Q(user=row) | Q(bot__owner=row)  # a report quotes names and descriptions
        AbuseReport.objects.filter(about | Q(reporter=row)).delete()
        row.webhooks.all().delete()
        row.bots.update(description="", accepts_challenges=False)
        row.username = f"gone-{row.pk}"
        if User.objects.filter(username__iexact=row.username).exists():
            row.username += f"-{secrets.token_hex(4)}"
        row.first_name = row.last_name = row.email = row.ban_reason = ""
        row.banned_at = row.banned_until = row.closes_at = None
        row.set_unusable_password()
        row.is_active = False
        row.closed_at = timezone.now()
        row.save()
    return row


def erase_programs() -> int:
    """Delete the programs of closed accounts that no open match needs. Return how many rows.

    A run deletes a bounded number of programs. What bots wrote in games has a term of its own.
    """
    needed = Match.objects.open().filter(entrants__version=OuterRef("pk"))
    free = Version.objects.filter(~Exists(needed), bot__owner__closed_at__isnull=False)
    checks = VersionCheck.objects.filter(version__in=free)
    erased = checks.exclude(log="", record=None).update(log="", record=None)
    of_versions: list[QuerySet[VersionArchive] | QuerySet[VersionBuild]] = [
        VersionArchive.objects.filter(version__in=free),
        VersionBuild.objects.filter(version__in=free),
    ]
    for rows in of_versions:
        chosen = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
        deleted, _by_model = rows.filter(pk__in=chosen).delete()
        erased += deleted
    return erased
