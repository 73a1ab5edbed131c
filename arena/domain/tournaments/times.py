"""The times when a tournament takes entries, is frozen and starts: in order, not in the past."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.utils import timezone

from arena.domain.errors import Refused
from arena.models import Tournament
from arena.texts.tournaments import BEFORE, PAST

TIMES = ("opens_at", "freezes_at", "starts_at")
LATE_BY = timedelta(minutes=1)  # people send a form a little after they fill it in


def faults(*, tournament: Tournament, changed: Collection[str]) -> dict[str, list[str]]:
    """Return the errors of the times by field, or an empty dict.

    Only `changed` times are compared with the present.
    """
    errors: dict[str, list[str]] = {}
    earlier = ""
    for name in TIMES:
        at = getattr(tournament, name)
        if not isinstance(at, datetime):
            continue
        if name in changed and _is_past(at):
            errors[name] = [str(PAST["now"])]
        elif earlier and at < getattr(tournament, earlier):
            errors[name] = [str(BEFORE[earlier])]
        earlier = name
    if tournament.freezes_at == tournament.starts_at and "starts_at" in errors:
        errors.pop("freezes_at", None)  # it was copied from the start
    return errors


def require_to_come(*, tournament: Tournament) -> None:
    """Raise Refused if the time of the freeze or of the start is already past."""
    for name in ("freezes_at", "starts_at"):
        at = getattr(tournament, name)
        if at is not None and _is_past(at):
            shown = timezone.localtime(at).strftime("%Y-%m-%d %H:%M %Z")
            raise Refused("times_past", str(PAST[name] % {"at": shown}), field=name)


def _is_past(at: datetime) -> bool:
    return at < timezone.now() - LATE_BY
