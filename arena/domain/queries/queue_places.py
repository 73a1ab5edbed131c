"""The queue for pages and the API: waiting jobs with position, reason and estimate.

Positions and counts cover all jobs. Of an unannounced match, only the ladder, the state and the
times are shown, and of another match that the viewer may not see, only the position.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.matches import unannounced
from arena.domain.queue import estimates, fleet
from arena.domain.queue.estimates import Key, Outlook
from arena.domain.queue.fleet import Row
from arena.models import Match, MatchKind, User, Version, Viewer

ROWS = 50


class WaitsFor(StrEnum):
    """What a job in the queue waits for."""

    NOTHING = "nothing"  # it is in work
    RUNNER = "runner"
    RETRY = "retry"
    TURN = "turn"  # another version of its owner is checked first, or one of its bots is playing
    FLEET = "fleet"  # no runner is alive


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One row of the queue.

    `position` numbers the waiting jobs from 1 in the expected order, and is None for a job in work.
    `row` is None for a match that the viewer may not see. That of an unannounced match has no
    entrants. `since` is when the job was taken or queued. It probably begins within `estimate_s`,
    which is None for a job in work and while no runner is alive.
    """

    row: Row | None
    kind: str  # "version", or the kind of the match
    status: str
    position: int | None
    waits_for: WaitsFor
    reason: str
    since: datetime | None
    estimate_s: float | None

    @property
    def is_unannounced(self) -> bool:
        """Whether it is a match whose bots are shown when a runner begins, to everybody."""
        return isinstance(self.row, Match) and self.row.is_unannounced


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of the queue, jobs in work first. The counts are those of the whole queue."""

    places: Sequence[QueueRow]
    in_work: int
    waiting: int
    runners: int
    shown_of: int  # the number of rows on all pages
    longest_wait_s: float


def queue(*, viewer: Viewer, limit: int = ROWS, offset: int = 0, of: User | None = None) -> Queue:
    """Return the jobs in work and the waiting jobs; with `of`, only those of that user's bots.

    With `of`, matches that the viewer may not see are left out. Their presence would show that a
    bot is still in a tournament, and the position of an unannounced match would show two owners
    that their bots meet. Estimates use the recent durations of jobs by ladder and kind, the live
    runners (`fleet.look`), their remaining work, and the times of retries.
    """
    seen = estimates.look()
    keys = [*map(estimates.key_of, seen.fleet.in_work), *seen.begins_s]
    if of is not None:
        own = _own(of, viewer)
        keys = [key for key in keys if key in own]
    page = keys[offset : offset + limit]
    rows = _rows(page, viewer)
    hidden = _hidden(rows.values(), viewer)
    places = []
    for key in page:
        if key in rows:
            place = _place(seen, rows[key])
            if key in hidden:  # show only that it exists and how long it waits
                reason = _("A match of a tournament that is not public yet.")
                place = replace(place, row=None, reason=reason)
            places.append(place)
    return Queue(
        places=places,
        in_work=len(seen.fleet.in_work),
        waiting=len(seen.begins_s),
        runners=seen.fleet.runners,
        shown_of=len(keys),
        longest_wait_s=seen.longest_wait_s,
    )


def place_of(*, row: Row, viewer: Viewer) -> QueueRow | None:
    """Return the place of a match or version that the viewer may see, or of an unannounced match.

    Return None if it is not in the queue.
    """
    if not row.is_open:
        return None
    seen = estimates.look()
    key = estimates.key_of(row)
    found = _rows([key], viewer) if key in seen.begins_s or row in seen.fleet.in_work else {}
    return _place(seen, found[key]) if found else None


def all_begin_within_s(*, ladders: Iterable[int]) -> dict[int, float]:
    """Return in how many seconds all rated matches that wait on these ladders should have begun.

    An estimate for each match would show two owners that their bots meet. This one is the same for
    all bots of a ladder. Ladders without an estimate are left out.
    """
    seen = estimates.look()
    if not seen.fleet.runners:
        return {}
    rows = Match.objects.waiting().filter(ladder__in=set(ladders), kind=MatchKind.LADDER)
    found: dict[int, float] = {}
    for pk, ladder in rows.values_list("pk", "ladder"):
        begins_s = seen.begins_s.get(("match", pk), 0.0)
        found[ladder] = max(begins_s, found.get(ladder, 0.0))
    return found


def lasting(seconds: float) -> str:
    """Return a duration as text, in seconds, minutes or hours, as exact as an estimate is."""
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
    """Return the jobs in the queue of the user's bots that the viewer may see."""
    played = Match.objects.visible_to(viewer).open().filter(entrants__version__bot__owner=user)
    checked = Version.objects.open().filter(bot__owner=user)
    return {
        *(("match", pk) for pk in played.order_by().values_list("pk", flat=True)),
        *(("version", pk) for pk in checked.values_list("pk", flat=True)),
    }


def _rows(keys: Sequence[Key], viewer: Viewer) -> dict[Key, Row]:
    """Return the rows with everything that a page shows."""
    wanted = {name: {pk for kind, pk in keys if kind == name} for name in ("match", "version")}
    unnamed = unannounced.among(pks=wanted["match"], viewer=viewer)
    found: list[Row] = [
        *unnamed,
        *Match.objects.filter(pk__in=wanted["match"] - {row.pk for row in unnamed})
        .select_related("ladder")
        .prefetch_related("entrants__version__bot__owner"),
        *Version.objects.filter(pk__in=wanted["version"]).select_related("bot__owner"),
    ]
    return {estimates.key_of(row): row for row in found}


def _hidden(rows: Iterable[Row], viewer: Viewer) -> set[Key]:
    """Return the matches among the rows that the viewer may not see and that are announced."""
    some = {row.pk for row in rows if isinstance(row, Match) and row.entrants.all()}
    if not some:
        return set()
    seen = Match.objects.visible_to(viewer).filter(pk__in=some)
    return {("match", pk) for pk in some - set(seen.values_list("pk", flat=True))}


def _place(seen: Outlook, row: Row) -> QueueRow:
    key = estimates.key_of(row)
    position = seen.positions.get(key)
    waits_for = _waits_for(seen, row)
    return QueueRow(
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
    has_busy_bot = isinstance(row, Match) and any(
        entrant.version.bot_id in seen.busy_bots for entrant in row.entrants.all()
    )
    return WaitsFor.TURN if key in seen.behind or has_busy_bot else WaitsFor.RUNNER


def _reason(seen: Outlook, row: Row, waits_for: WaitsFor) -> str:
    match waits_for:
        case WaitsFor.NOTHING:
            return _("A runner is working on it.")
        case WaitsFor.RETRY:
            return _retry_text(row)
        case WaitsFor.FLEET:
            return _no_runner_text(seen)
        case WaitsFor.TURN if isinstance(row, Version):
            return _("Another version of its owner is checked first.")
        case WaitsFor.TURN:
            return _("One of its bots is playing another match. Other jobs go first.")
        case WaitsFor.RUNNER:
            text = _position_text(seen.positions[estimates.key_of(row)] - 1)
            return f"{text} {row.waiting_reason}" if row.attempt and row.waiting_reason else text


def _position_text(before: int) -> str:
    if not before:
        return _("Waits for a free runner. It is next.")
    text = ngettext(
        "Waits for a free runner. %(count)s job is before it.",
        "Waits for a free runner. %(count)s jobs are before it.",
        before,
    )
    return text % {"count": before}


def _retry_text(row: Row) -> str:
    wait_s = (row.not_before - timezone.now()).total_seconds() if row.not_before else 0.0
    if not row.waiting_reason:
        return _("It is retried in %(time)s.") % {"time": lasting(wait_s)}
    text = _("It is retried in %(time)s: %(why)s")
    return text % {"time": lasting(wait_s), "why": row.waiting_reason}


def _no_runner_text(seen: Outlook) -> str:
    sign = seen.fleet.last_sign
    if sign is None:
        return _("No runner has taken a job yet.")
    lasts = lasting((timezone.now() - sign).total_seconds())
    return _("No runner has taken a job for %(time)s.") % {"time": lasts}
