"""The log of what staff does. Its entries are never changed or deleted."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils import timezone

from arena.domain.accounts import permissions
from arena.models import Bot, StaffAction, User

LOOK = "look"
LOOK_INTERVAL = timedelta(hours=1)
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
    """Record that `by` did `action` to `target`, whose page is at `url`.

    `details` are further values, as JSON. Call it in the transaction of the action, so that both
    are stored or neither.
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
    """Record that staff looked at private data of these bots: logs or evidence.

    Return None, and record nothing, if the bots are the user's own, or if the same look was
    recorded in the last hour, since a page may refresh itself every few seconds.
    """
    others = sorted({str(bot) for bot in bots if not permissions.may_edit_bot(by, bot)})
    if not others or not isinstance(by, User):
        return None
    recent = timezone.now() - LOOK_INTERVAL
    shown = f"{what}, {', '.join(others)}"[:TARGET_LENGTH]
    if StaffAction.objects.filter(by=by, action=LOOK, target=shown, at__gt=recent).exists():
        return None
    return note(by=by, action=LOOK, target=shown, url=url)


def log(
    *, by: str = "", action: str = "", text: str = "", since: date | None = None
) -> QuerySet[StaffAction]:
    """Return the actions of staff, latest first, filtered by person, kind, text and first day."""
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
    """Return the kinds of actions in the log, sorted."""
    return list(StaffAction.objects.order_by("action").values_list("action", flat=True).distinct())
