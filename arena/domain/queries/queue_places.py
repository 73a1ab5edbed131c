"""The queue: what waits, at which place, for what, and how long it will take.

Places and counts are those of all that waits. Of a match that the viewer may not see only the place
is told.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.queue import estimates, fleet
from arena.domain.queue.estimates import Key, Outlook
from arena.domain.queue.fleet import Row
from arena.models import Match, Release, User, Version, Viewer

ROWS = 50


class WaitsFor(StrEnum):
    """What something in the queue waits for."""

    NOTHING = "nothing"  # it is in work
    RUNNER = "runner"
    RETRY = "retry"
    TURN = "turn"  # another version of its owner is checked first, or one of its bots is playing
    FLEET = "fleet"  # no runner shows itself


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the queue.

    `position` counts what waits in the order in which it is expected to begin, from 1; what is in
    work has none. `row` is None for a match that the viewer may not see. `since` is when it was
    taken, or came into the queue. `estimate_s` is in how many seconds it should begin; None for
    what is in work, and while no runner shows itself.
    """

    row: Row | None
    kind: str  # "version", or the kind of the match
    status: str
    position: int | None
    waits_for: WaitsFor
    reason: str
    since: datetime | None
    estimate_s: float | None


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of the queue, what is in work first; the counts are of all of it."""

    places: Sequence[Place]
    in_work: int
    waiting: int
    runners: int
    shown_of: int  # how many there are to page through
    longest_wait_s: float


def queue(*, viewer: Viewer, limit: int = ROWS, offset: int = 0, of: User | None = None) -> Queue:
    """Return what is in work and what waits; with `of`, what concerns that user's bots.

    With `of`, what the viewer may not see is left out: that it is there says that a bot plays on.

    Estimates come from what jobs of each ladder and kind took lately, from the runners that
    live (`fleet.look`), from what they have still to do, and from when things may be tried again.
    """
    seen = estimates.look()
    keys = [*map(estimates.key_of, seen.fleet.in_work), *seen.begins_s]
    if of is not None:
        own = _own(of, viewer)
        keys = [key for key in keys if key in own]
    page = keys[offset : offset + limit]
    rows = _rows(page)
    hidden = _hidden(rows.values(), viewer)
    return Queue(
        places=[
            _veiled(seen, rows[key]) if key in hidden else _place(seen, rows[key])
            for key in page
            if key in rows
        ],
        in_work=len(seen.fleet.in_work),
        waiting=len(seen.begins_s),
        runners=seen.fleet.runners,
        shown_of=len(keys),
        longest_wait_s=seen.longest_wait_s,
    )


def place_of(*, row: Row) -> Place | None:
    """Return the place of one match or version that is seen; None for what is not in the queue."""
    if not row.is_open:
        return None
    seen = estimates.look()
    key = estimates.key_of(row)
    found = _rows([key]) if key in seen.begins_s or row in seen.fleet.in_work else {}
    return _place(seen, found[key]) if found else None


def lasting(seconds: float) -> str:
    """Say a duration in whole seconds, minutes or hours: an estimate is no more exact than that."""
    minutes, rest = divmod(max(1, round(seconds)), 60)
    hours, minutes_left = divmod(minutes, 60)
    if not minutes:
        return _("%(count)s s") % {"count": rest}
    if not hours:
        return _("%(count)s min") % {"count": minutes}
    if not minutes_left:
        return _("%(count)s h") % {"count": hours}
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes_left}


def _own(user: User, viewer: Viewer) -> set[Key]:
    """Return what is in the queue, concerns the user's bots, and may be seen."""
    played = Match.objects.visible_to(viewer).open().filter(entrants__version__bot__owner=user)
    checked = Version.objects.open().filter(bot__owner=user)
    return {
        *(("match", pk) for pk in played.order_by().values_list("pk", flat=True)),
        *(("version", pk) for pk in checked.values_list("pk", flat=True)),
    }


def _rows(keys: Sequence[Key]) -> dict[Key, Row]:
    """Read rows with what a page says of them."""
    wanted = {name: [pk for kind, pk in keys if kind == name] for name in ("match", "version")}
    found: list[Row] = [
        *Match.objects.filter(pk__in=wanted["match"])
        .select_related("ladder")
        .prefetch_related("entrants__version__bot__owner"),
        *Version.objects.filter(pk__in=wanted["version"]).select_related("bot__owner"),
    ]
    return {estimates.key_of(row): row for row in found}


def _hidden(rows: Iterable[Row], viewer: Viewer) -> set[Key]:
    """Return the matches among them that the viewer may not see."""
    some = {row.pk for row in rows if isinstance(row, Match) and row.release != Release.PUBLIC}
    if not some:
        return set()
    seen = Match.objects.visible_to(viewer).filter(pk__in=some)
    return {("match", pk) for pk in some - set(seen.values_list("pk", flat=True))}


def _veiled(seen: Outlook, row: Row) -> Place:
    """Return the place of a hidden match: only that it exists and how long it waits."""
    said = _("A match of a tournament that is not shown yet.")
    return replace(_place(seen, row), row=None, reason=said)


def _place(seen: Outlook, row: Row) -> Place:
    key = estimates.key_of(row)
    position = seen.positions.get(key)
    waits_for = _waits_for(seen, row)
    return Place(
        row=row,
        kind=fleet.kind_of(row)[1],
        status=row.status,
        position=position,
        waits_for=waits_for,
        reason=_reason(seen, row, waits_for),
        since=row.queued_at if position else row.taken_at,
        estimate_s=seen.begins_s[key] if position and seen.fleet.runners else None,
    )


def _waits_for(seen: Outlook, row: Row) -> WaitsFor:
    key = estimates.key_of(row)
    if key not in seen.positions:
        return WaitsFor.NOTHING
    if row.not_before and row.not_before > timezone.now():
        return WaitsFor.RETRY
    if not seen.fleet.runners:
        return WaitsFor.FLEET
    return WaitsFor.TURN if key in seen.behind or _has_busy_bot(seen, row) else WaitsFor.RUNNER


def _has_busy_bot(seen: Outlook, row: Row) -> bool:
    if isinstance(row, Version):
        return False
    return any(entrant.version.bot_id in seen.busy_bots for entrant in row.entrants.all())


def _reason(seen: Outlook, row: Row, waits_for: WaitsFor) -> str:
    match waits_for:
        case WaitsFor.NOTHING:
            return _("A runner is working on it.")
        case WaitsFor.RETRY:
            return _retry(row)
        case WaitsFor.FLEET:
            return _no_runner(seen)
        case WaitsFor.TURN if isinstance(row, Version):
            return _("Another version of its owner is checked first.")
        case WaitsFor.TURN:
            return _("One of its bots is in another match, so matches of other bots go first.")
        case WaitsFor.RUNNER:
            said = _next(seen.positions[estimates.key_of(row)] - 1)
            return f"{said} {row.waiting_reason}" if row.attempt and row.waiting_reason else said


def _next(before: int) -> str:
    if not before:
        return _("Next in line for a free runner.")
    words = ngettext(
        "Waiting for a free runner, with %(count)s job before it.",
        "Waiting for a free runner, with %(count)s jobs before it.",
        before,
    )
    return words % {"count": before}


def _retry(row: Row) -> str:
    wait_s = (row.not_before - timezone.now()).total_seconds() if row.not_before else 0.0
    if not row.waiting_reason:
        return _("It will be retried in %(time)s.") % {"time": lasting(wait_s)}
    words = _("It will be retried in %(time)s: %(why)s")
    return words % {"time": lasting(wait_s), "why": row.waiting_reason}


def _no_runner(seen: Outlook) -> str:
    sign = seen.fleet.last_sign
    if sign is None:
        return _("No runner has taken a job yet.")
    lasts = lasting((timezone.now() - sign).total_seconds())
    return _("No runner has taken a job for %(time)s.") % {"time": lasts}
