"""The queue: what waits, at which place, for what, and how long it will take."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain import dispatch, fleet, forecasting, matches, versions
from arena.domain.fleet import Durations, Fleet, Row
from arena.domain.forecasting import Job
from arena.models import Match, User, Version

ROWS = 50


class WaitsFor(StrEnum):
    """What something in the queue waits for."""

    NOTHING = "nothing"  # it is in work
    RUNNER = "runner"
    RETRY = "retry"
    TURN = "turn"  # another version of its owner is being checked, or is before it
    FLEET = "fleet"  # no runner shows itself


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the queue.

    `position` counts what waits in the order in which it is expected to begin, from 1; what is in
    work has none. `since` is when it was taken, or came into the queue. `estimate_s` is in how many
    seconds it should begin; None for what is in work, and while no runner shows itself.
    """

    row: Row
    kind: str  # "version", or the kind of the match
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


@dataclass(frozen=True, slots=True)
class _Plan:
    """Everything in the queue, without words; what waits is in the order in which it begins."""

    fleet: Fleet
    waiting: Sequence[Row]
    begins_s: Mapping[Row, float]
    positions: Mapping[Row, int]
    behind_others: Collection[Row]
    longest_wait_s: float


def queue(*, limit: int = ROWS, offset: int = 0, of: User | None = None) -> Queue:
    """Give what is in work and what waits; with `of`, what concerns that user's bots.

    Estimates come from the median of the recent jobs of each ladder and kind, from the runners that
    live (`fleet.look`), from what they have still to do, and from when things may be tried again.
    """
    plan = _plan()
    rows = [*plan.fleet.in_work, *plan.waiting]
    if of is not None:
        own = _own(of)
        rows = [row for row in rows if row in own]
    page = rows[offset : offset + limit]
    shown = {row: row for row in _loaded(page)}
    return Queue(
        places=[_place(plan, shown[row]) for row in page if row in shown],
        in_work=len(plan.fleet.in_work),
        waiting=len(plan.waiting),
        runners=plan.fleet.runners,
        shown_of=len(rows),
        longest_wait_s=plan.longest_wait_s,
    )


def place_of(*, row: Row) -> Place | None:
    """Give the place of one match or version; None for what neither waits nor is in work."""
    plan = _plan()
    return _place(plan, row) if row in plan.begins_s or row in plan.fleet.in_work else None


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


def _plan() -> _Plan:
    rows = _waiting()
    longest_wait_s = fleet.longest_wait_s()
    seen = fleet.look(waited_s=longest_wait_s)
    taken = set(seen.in_work)
    rows = [row for row in rows if row not in taken]
    took = fleet.durations()
    rest_s = {row: _rest_s(row, took) for row in seen.in_work}
    # Where no runner lives, one is supposed, for the order.
    free_s = [*rest_s.values(), *[0.0] * (seen.runners - len(rest_s))] or [0.0]
    turns = {row.bot.owner_id: rest_s[row] for row in rest_s if isinstance(row, Version)}
    begins_s = forecasting.starts(_jobs(rows, took), free_s=free_s, turns=turns)
    order = sorted(range(len(rows)), key=lambda n: (begins_s[n], n))
    waiting = [rows[n] for n in order]
    return _Plan(
        fleet=seen,
        waiting=waiting,
        begins_s={rows[n]: begins_s[n] for n in order},
        positions={rows[n]: position for position, n in enumerate(order, start=1)},
        behind_others=_behind_others(seen.in_work, waiting),
        longest_wait_s=longest_wait_s,
    )


def _waiting() -> list[Row]:
    """Give all that waits: what is due in the order in which it is taken, then what is put off."""
    due = dispatch.waiting_in_order()
    known = set(due)
    put_off: list[Row] = [
        *Match.objects.filter(status__in=matches.WAITING, not_before__isnull=False),
        *Version.objects.filter(status__in=versions.WAITING).select_related("bot"),
    ]
    return due + [row for row in put_off if row not in known]


def _jobs(rows: Sequence[Row], took: Durations) -> list[Job]:
    now = timezone.now()
    takes_s = took.medians(fleet.kind_of(row) for row in rows)
    return [
        Job(
            takes_s=takes_s[fleet.kind_of(row)],
            ready_s=(row.not_before - now).total_seconds() if row.not_before else 0.0,
            turn=row.bot.owner_id if isinstance(row, Version) else None,
        )
        for row in rows
    ]


def _rest_s(row: Row, took: Durations) -> float:
    elapsed_s = (timezone.now() - row.taken_at).total_seconds() if row.taken_at else 0.0
    return forecasting.remaining_s(took.of(fleet.kind_of(row)), elapsed_s=elapsed_s)


def _own(user: User) -> set[Row]:
    """Give what is in the queue and concerns the user's bots."""
    played = Match.objects.filter(status__in=(*matches.WAITING, *matches.IN_WORK))
    checked = Version.objects.filter(status__in=(*versions.WAITING, *versions.IN_WORK))
    return {
        *played.filter(entrants__version__bot__owner=user).distinct(),
        *checked.filter(bot__owner=user),
    }


def _loaded(rows: Sequence[Row]) -> list[Row]:
    """Read the rows again, with what a page says of them."""
    played = [row.pk for row in rows if isinstance(row, Match)]
    checked = [row.pk for row in rows if isinstance(row, Version)]
    return [
        *Match.objects.filter(pk__in=played)
        .select_related("ladder")
        .prefetch_related("entrants__version__bot__owner"),
        *Version.objects.filter(pk__in=checked).select_related("bot__owner"),
    ]


def _place(plan: _Plan, row: Row) -> Place:
    position = plan.positions.get(row)
    waits_for = _waits_for(plan, row)
    knows = position is not None and plan.fleet.runners
    return Place(
        row=row,
        kind=fleet.kind_of(row)[1],
        position=position,
        waits_for=waits_for,
        reason=_reason(plan, row, waits_for),
        since=row.queued_at if position else row.taken_at,
        estimate_s=plan.begins_s[row] if knows else None,
    )


def _waits_for(plan: _Plan, row: Row) -> WaitsFor:
    if row not in plan.positions:
        return WaitsFor.NOTHING
    if row.not_before and row.not_before > timezone.now():
        return WaitsFor.RETRY
    if row in plan.behind_others:
        return WaitsFor.TURN
    return WaitsFor.RUNNER if plan.fleet.runners else WaitsFor.FLEET


def _behind_others(in_work: Iterable[Row], waiting: Iterable[Row]) -> set[Row]:
    """Give the versions that wait for another one of their owner."""
    behind, owners = set[Row](), {row.bot.owner_id for row in in_work if isinstance(row, Version)}
    for row in waiting:
        if isinstance(row, Version):
            if row.bot.owner_id in owners:
                behind.add(row)
            owners.add(row.bot.owner_id)
    return behind


def _reason(plan: _Plan, row: Row, waits_for: WaitsFor) -> str:
    now = timezone.now()
    match waits_for:
        case WaitsFor.NOTHING:
            return _("A runner is at work on it.")
        case WaitsFor.RETRY:
            assert row.not_before is not None  # noqa: S101 - narrows the type
            return _("It is tried again in %(time)s: %(why)s") % {
                "time": lasting((row.not_before - now).total_seconds()),
                "why": row.waiting_reason,
            }
        case WaitsFor.TURN:
            return _("Another version of its owner is checked first.")
        case WaitsFor.FLEET:
            return _no_runner(plan)
        case WaitsFor.RUNNER:
            before = plan.positions[row] - 1
            words = ngettext(
                "Waits for a free runner; %(count)s is before it.",
                "Waits for a free runner; %(count)s are before it.",
                before,
            )
            said = (
                words % {"count": before} if before else _("Waits for a free runner, as the next.")
            )
            return f"{said} {row.waiting_reason}" if row.attempt and row.waiting_reason else said


def _no_runner(plan: _Plan) -> str:
    sign = plan.fleet.last_sign
    if sign is None:
        return _("No runner has taken anything yet.")
    lasts = lasting((timezone.now() - sign).total_seconds())
    return _("No runner has taken anything for %(time)s.") % {"time": lasts}
