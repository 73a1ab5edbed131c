"""The queue for pages and the API: waiting jobs with position and reason.

Positions and counts cover all jobs. Of an unannounced match, only the ladder, the state and the
times are shown, and of another match that the viewer may not see, only the position.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.matches import unannounced
from arena.domain.queue import dispatch, fleet
from arena.domain.queue.fleet import Fleet, Row
from arena.models import ANYBODY, Match, MatchEntrant, User, Version, Viewer

ROWS = 50
LATEST = 20  # matches that show the pace

Key = tuple[str, int]  # "match" or "version", and the id


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

    `position` numbers the waiting jobs from 1 in the order in which runners take them, and is None
    for a job in work. `row` is None for a match that the viewer may not see. That of an unannounced
    match has no entrants. `since` is when the job was taken or queued.
    """

    row: Row | None
    kind: str  # "version", or the kind of the match
    status: str
    position: int | None
    waits_for: WaitsFor
    reason: str
    since: datetime | None

    @property
    def is_unannounced(self) -> bool:
        """Whether it is a match whose bots are shown when a runner begins, to everybody."""
        return isinstance(self.row, Match) and self.row.is_unannounced


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of the queue, jobs in work first. The counts are those of the whole queue.

    The latest `LATEST` matches began within `latest_began_s`, which is None if fewer have begun.
    """

    places: Sequence[QueueRow]
    in_work: int
    waiting: int
    runners: int
    shown_of: int  # the number of rows on all pages
    longest_wait_s: float
    latest_began_s: float | None


@dataclass(frozen=True, slots=True)
class _Outlook:
    """The whole queue by key: the waiting jobs are numbered from 1.

    `behind` are the versions that wait for another version of their owner, and `busy_bots` the bots
    that play a public match now.
    """

    fleet: Fleet
    positions: Mapping[Key, int]
    behind: Collection[Key]
    busy_bots: Collection[int]
    longest_wait_s: float


def queue(*, viewer: Viewer, limit: int = ROWS, offset: int = 0, of: User | None = None) -> Queue:
    """Return the jobs in work and the waiting jobs; with `of`, only those of that user's bots.

    With `of`, matches that the viewer may not see are left out. Their presence would show that a
    bot is still in a tournament, and the position of an unannounced match would show two owners
    that their bots meet.
    """
    seen = _look()
    keys = [*map(_key_of, seen.fleet.in_work), *seen.positions]
    if of is not None:
        played = Match.objects.visible_to(viewer).open().filter(entrants__version__bot__owner=of)
        checked = Version.objects.open().filter(bot__owner=of)
        own = {
            *(("match", pk) for pk in played.order_by().values_list("pk", flat=True)),
            *(("version", pk) for pk in checked.values_list("pk", flat=True)),
        }
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
    begun = Match.objects.filter(taken_at__isnull=False).order_by("-taken_at")
    latest = begun.values_list("taken_at", flat=True)[LATEST - 1 : LATEST].first()
    return Queue(
        places=places,
        in_work=len(seen.fleet.in_work),
        waiting=len(seen.positions),
        runners=seen.fleet.runners,
        shown_of=len(keys),
        longest_wait_s=seen.longest_wait_s,
        latest_began_s=(timezone.now() - latest).total_seconds() if latest else None,
    )


def place_of(*, row: Row, viewer: Viewer) -> QueueRow | None:
    """Return the place of a match or version that the viewer may see, or of an unannounced match.

    Return None if it is not in the queue.
    """
    if not row.is_open:
        return None
    seen = _look()
    key = _key_of(row)
    rows = _rows([key], viewer) if key in seen.positions or row in seen.fleet.in_work else {}
    return _place(seen, rows[key]) if rows else None


def lasting(seconds: float) -> str:
    """Return a duration as text: in whole seconds below a minute, and else in whole minutes."""
    minutes, rest = divmod(max(1, round(seconds)), 60)
    hours, minutes_left = divmod(minutes, 60)
    if not minutes:
        return _("%(count)s s") % {"count": rest}
    if not hours:
        return _("%(count)s min") % {"count": minutes}
    if not minutes_left:
        return _("%(count)s h") % {"count": hours}
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes_left}


def _look() -> _Outlook:
    longest_wait_s = fleet.longest_wait_s()
    seen = fleet.look(waited_s=longest_wait_s)
    # All waiting jobs are in the order in which runners take them: first those that are due. The
    # value is the owner of a version, and None for a match.
    matches = Match.objects.runnable().of_bots().values_list("not_before", "pk")
    checks = Version.objects.waiting().values_list("not_before", "pk", "bot__owner")
    now = timezone.now()
    jobs: list[tuple[datetime, Key, int | None]] = [
        *((not_before or now, ("match", pk), None) for not_before, pk in matches),
        *((not_before or now, ("version", pk), owner) for not_before, pk, owner in checks),
    ]
    later = {key: owner for _not_before, key, owner in sorted(jobs)}
    due = [item.key for item in dispatch.order() if item.key in later]
    waiting = {key: later.pop(key) for key in due} | later
    for row in seen.in_work:  # taken since then
        waiting.pop(_key_of(row), None)
    owners = {row.bot.owner_id for row in seen.in_work if isinstance(row, Version)}
    behind = set[Key]()
    for key, owner in waiting.items():
        if owner is not None:
            if owner in owners:
                behind.add(key)
            owners.add(owner)
    playing = MatchEntrant.objects.filter(
        match__in=Match.objects.visible_to(ANYBODY).of_bots().in_work()
    )
    return _Outlook(
        fleet=seen,
        positions={key: position for position, key in enumerate(waiting, start=1)},
        behind=behind,
        busy_bots=set(playing.values_list("version__bot", flat=True)),
        longest_wait_s=longest_wait_s,
    )


def _key_of(row: Row) -> Key:
    return ("match" if isinstance(row, Match) else "version"), row.pk


def _rows(keys: Sequence[Key], viewer: Viewer) -> dict[Key, Row]:
    """Return the rows with everything that a page shows."""
    wanted = {name: {pk for kind, pk in keys if kind == name} for name in ("match", "version")}
    unnamed = unannounced.among(pks=wanted["match"], viewer=viewer)
    rows: list[Row] = [
        *unnamed,
        *Match.objects.filter(pk__in=wanted["match"] - {row.pk for row in unnamed})
        .select_related("ladder")
        .prefetch_related("entrants__version__bot__owner"),
        *Version.objects.filter(pk__in=wanted["version"]).select_related("bot__owner"),
    ]
    return {_key_of(row): row for row in rows}


def _hidden(rows: Iterable[Row], viewer: Viewer) -> set[Key]:
    """Return the matches among the rows that the viewer may not see and that are announced."""
    some = {row.pk for row in rows if isinstance(row, Match) and row.entrants.all()}
    if not some:
        return set()
    seen = Match.objects.visible_to(viewer).filter(pk__in=some)
    return {("match", pk) for pk in some - set(seen.values_list("pk", flat=True))}


def _place(seen: _Outlook, row: Row) -> QueueRow:
    key = _key_of(row)
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
    )


def _waits_for(seen: _Outlook, row: Row) -> WaitsFor:
    key = _key_of(row)
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


def _reason(seen: _Outlook, row: Row, waits_for: WaitsFor) -> str:
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
            text = _position_text(seen.positions[_key_of(row)] - 1)
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


def _no_runner_text(seen: _Outlook) -> str:
    sign = seen.fleet.last_sign
    if sign is None:
        return _("No runner has taken a job yet.")
    lasts = lasting((timezone.now() - sign).total_seconds())
    return _("No runner has taken a job for %(time)s.") % {"time": lasts}
