"""What users report to staff: users, bots and tournaments; and how staff closes a report."""

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.domain.accounts import notices, permissions, quotas, staff_log
from arena.domain.errors import Refused
from arena.models import AbuseReport, Bot, Tournament, User

LONGEST_TEXT = 2000  # characters, of a report and of the note on it

Subject = User | Bot | Tournament


def report(*, by: User, subject: Subject, reason: str, text: str) -> AbuseReport:
    """Report something to staff. Raise Refused or OverQuota.

    A user has one open report about a subject, and cannot report what is theirs.
    """
    if not permissions.may_report(by):
        raise Refused("not_signed_in", _("Only users of this site can report. Sign in."))
    if by == subject or (isinstance(subject, Bot) and permissions.may_edit_bot(by, subject)):
        raise Refused("own_subject", _("This is yours. You can only report what others do."))
    stripped = _require_text(text, field="text")
    if isinstance(subject, User):
        field, quoted = "user", subject.username
    else:
        field = "bot" if isinstance(subject, Bot) else "tournament"
        quoted = f"{subject.name}\n\n{subject.description}".strip()
    with transaction.atomic():
        quotas.check(user=by, kind=quotas.Quota.REPORTS)
        try:
            with transaction.atomic():
                return AbuseReport.objects.create(
                    reporter=by,
                    reason=reason,
                    text=stripped,
                    quoted=quoted,
                    **{field: subject},
                )
        except IntegrityError as exc:
            message = _("You have already reported this. Staff will look at it.")
            raise Refused("already_reported", message) from exc


def open_reports() -> QuerySet[AbuseReport]:
    """Return the open reports with what they are about, oldest first."""
    return of_subjects().filter(closed_at=None)


def of_subjects() -> QuerySet[AbuseReport]:
    """Return all reports with what they are about, oldest first."""
    return AbuseReport.objects.select_related(
        "reporter", "user", "bot__owner", "tournament", "closed_by"
    ).order_by("created_at", "pk")


@transaction.atomic
def close(*, report: AbuseReport, by: User, decision: str, note: str) -> None:
    """Close a report, and tell its reporter that staff has looked at it. Raise Refused."""
    why = _require_text(note, field="note")
    changed = AbuseReport.objects.filter(pk=report.pk, closed_at=None).update(
        closed_at=timezone.now(), closed_by=by, decision=decision, note=why
    )
    if not changed:
        raise Refused("report_closed", _("This report is closed already. Go back to the list."))
    report.refresh_from_db()
    staff_log.note(
        by=by,
        action="close_report",
        target=str(report),
        url=report.get_absolute_url(),
        reason=why,
        details={"decision": decision},
    )
    # What was reported is not named: staff may just have renamed it.
    at = report.created_at.date().isoformat()
    text = gettext_noop("Staff has looked at your report of %(at)s. Thank you for it.") % {"at": at}
    notices.tell(user=report.reporter, text=text)


def _require_text(text: str, *, field: str) -> str:
    stripped = text.strip()
    if not stripped:
        raise Refused("no_text", _("Write what is wrong, in a sentence or two."), field=field)
    if len(stripped) > LONGEST_TEXT:
        message = _("The text has more than %(most)d characters. Shorten it.")
        raise Refused("long_text", message % {"most": LONGEST_TEXT}, field=field)
    return stripped
