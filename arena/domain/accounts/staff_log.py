"""What staff does, written down for good; nothing here is ever changed or taken back."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone

from arena.domain.accounts import permissions
from arena.models import Bot, StaffAction, User

LOOK = "look"
LOOKS_ONCE_IN = timedelta(hours=1)
TARGET_LENGTH = 200
URL_LENGTH = 200


def note(
    *,
    by: User,
    action: str,
    target: str,
    url: str = "",
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> StaffAction:
    """Write down that `by` did `action` to `target`, whose page is at `url`.

    `details` are the numbers that go with it, as JSON has them. Called in the transaction that does
    it, so that neither is there without the other.
    """
    return StaffAction.objects.create(
        by=by,
        action=action,
        target=target[:TARGET_LENGTH],
        url=url[:URL_LENGTH],
        reason=reason,
        details=dict(details or {}),
    )


def note_look(
    *, by: User | AnonymousUser, bots: Iterable[Bot], what: str, url: str
) -> StaffAction | None:
    """Write down that staff looked into what is for the owners of these bots: logs, evidence.

    Nothing is noted of those who look into their own, nor twice in an hour of the same thing, since
    a page may ask for itself every few seconds; then None.
    """
    others = sorted({str(bot) for bot in bots if not permissions.may_edit_bot(by, bot)})
    if not others or not isinstance(by, User):
        return None
    recent = timezone.now() - LOOKS_ONCE_IN
    shown = f"{what}, {', '.join(others)}"[:TARGET_LENGTH]
    if StaffAction.objects.filter(by=by, action=LOOK, target=shown, at__gt=recent).exists():
        return None
    return note(by=by, action=LOOK, target=shown, url=url)


def log(
    *, by: str = "", action: str = "", text: str = "", since: date | None = None
) -> QuerySet[StaffAction]:
    """Return what staff did, latest first, filtered by person, kind, text and first day."""
    rows = StaffAction.objects.select_related("by").order_by("-at", "-pk")
    if by:
        rows = rows.filter(by__username=by)
    if action:
        rows = rows.filter(action=action)
    if text:
        rows = rows.filter(Q(target__icontains=text) | Q(reason__icontains=text))
    if since:
        rows = rows.filter(at__date__gte=since)
    return rows


def actions() -> list[str]:
    """Return the kinds of doings that the log has, by name."""
    return list(StaffAction.objects.order_by("action").values_list("action", flat=True).distinct())
