"""The life of a tournament: from draft to released, one step at a time.

Every step is taken under the lock on the tournament's row, by compare-and-swap of its status, and
writes an entry into the public log. `by` is the organizer who took it, or None if the tournament
took it by itself. `revision` is what the organizer saw: nothing is done if it has changed since.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from arena import jobs
from arena.domain.tournaments import changes, log, messages, openmatches, times, visibility
from arena.domain.tournaments.entry import freezing
from arena.models import (
    Release,
    Tournament,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)


@transaction.atomic
def open_registration(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Publish a draft. Entries are taken at once, or from `opens_at` on. Raise Refused.

    Refused too where it would be frozen or started at once, as that time is past.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(locked, (TournamentStatus.DRAFT,), TournamentStatus.REGISTRATION)
    times.require_to_come(tournament=locked)
    messages.tell_of_draft(tournament=locked)
    return _told(tournament, locked, "opened", by=by, reason=reason)


@transaction.atomic
def freeze(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Pin the version of every entrant by its digest, and seed them. Raise Refused.

    Refused where fewer are there than it needs, or than its format can be played by.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(
        locked,
        (TournamentStatus.REGISTRATION,),
        TournamentStatus.FROZEN,
        frozen_at=timezone.now(),
    )
    frozen = freezing.pin_all(tournament=locked)
    return _told(tournament, locked, "frozen", by=by, reason=reason, **frozen)


@transaction.atomic
def start(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Begin to play: the first round is drawn a moment later. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _require(locked, (TournamentStatus.FROZEN,))
    freezing.require_enough_left(tournament=locked, entrants=_still_in(locked))
    _step(
        locked,
        (TournamentStatus.FROZEN,),
        TournamentStatus.RUNNING,
        started_at=timezone.now(),
    )
    jobs.enqueue(jobs.DIRECT, locked.pk)
    return _told(tournament, locked, "started", by=by, reason=reason)


@transaction.atomic
def pause(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Hold it: no match of it is begun and no round drawn. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    why = _why(reason, by)
    _step(locked, (TournamentStatus.RUNNING,), TournamentStatus.PAUSED, status_reason=why)
    return _told(tournament, locked, "paused", by=by, reason=why)


@transaction.atomic
def resume(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Go on with one that is paused. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(locked, (TournamentStatus.PAUSED,), TournamentStatus.RUNNING, status_reason="")
    jobs.enqueue(jobs.DIRECT, locked.pk)
    openmatches.send_again(tournament=locked)
    return _told(tournament, locked, "resumed", by=by, reason=reason)


@transaction.atomic
def complete(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Note that the last round is played. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(
        locked,
        (TournamentStatus.RUNNING,),
        TournamentStatus.COMPLETED,
        completed_at=timezone.now(),
    )
    if locked.rounds.exclude(release=Release.PUBLIC).exists() and locked.rehearsal_of_id is None:
        messages.tell_organizers(tournament=locked, slugs=["completed"])
    return _told(tournament, locked, "completed", by=by, reason=reason)


@transaction.atomic
def release(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Show all of a tournament that is over to everybody, for ever. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(
        locked,
        (TournamentStatus.COMPLETED,),
        TournamentStatus.RELEASED,
        released_at=timezone.now(),
    )
    visibility.publish(tournament=locked)
    return _told(tournament, locked, "released", by=by, reason=reason)


@transaction.atomic
def cancel(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """End it for good, with its matches and rehearsals that are not over; owners are told why.

    Not of a draft, which they could never look at. Raise Refused, also without a reason.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    why = _why(reason, by)
    was_draft = locked.status == TournamentStatus.DRAFT
    running = [status for status in TournamentStatus if status not in changes.FOR_EVER]
    _step(locked, running, TournamentStatus.CANCELLED, status_reason=why)
    ended = openmatches.cancel(tournament=locked, reason=why)
    for rehearsal in locked.rehearsals.exclude(status__in=changes.OVER).order_by("pk"):
        cancel(tournament=rehearsal, by=None, reason=why)
    if not was_draft:
        messages.tell_owners(tournament=locked, slugs=["cancelled"], why=why)
    return _told(tournament, locked, "cancelled", by=by, reason=why, matches=ended)


def _require(locked: Tournament, wanted: Collection[TournamentStatus]) -> None:
    if locked.status not in wanted:
        raise changes.refuse(tournament=locked)


def _step(
    locked: Tournament,
    wanted: Collection[TournamentStatus],
    into: TournamentStatus,
    **columns: Any,  # noqa: ANN401 - columns of the row
) -> None:
    """Turn the status, and count it. Raise Refused where the tournament stands elsewhere."""
    changed: Mapping[str, Any] = {**columns, "status": into, "revision": locked.revision + 1}
    rows = Tournament.objects.filter(pk=locked.pk, status__in=wanted, revision=locked.revision)
    if not rows.update(**changed):
        raise changes.refuse(tournament=locked)
    for name, value in changed.items():
        setattr(locked, name, value)


def _told(
    tournament: Tournament,
    locked: Tournament,
    action: str,
    *,
    by: User | None,
    reason: str,
    **details: Any,  # noqa: ANN401 - what the log keeps of it
) -> Tournament:
    """Write the step into the log; the caller's row is as fresh as what is returned."""
    log.write(tournament=locked, action=action, by=by, reason=reason.strip(), **details)
    tournament.refresh_from_db()
    return locked


def _why(reason: str, by: User | None) -> str:
    """Return the reason, which is kept. Raise Refused where there is none, or a very long one."""
    if by is None:
        return reason.strip()[: changes.REASON_MAX_LENGTH]
    return changes.validate_reason(reason)


def _still_in(locked: Tournament) -> int:
    return locked.entrants.filter(status=TournamentEntrantStatus.ENTERED).count()
