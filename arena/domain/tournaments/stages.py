"""The life of a tournament from draft to released, one step at a time.

Every step locks the tournament's row, changes its status by compare-and-swap, and writes an entry
into the public log. `by` is the organizer who took the step, or None if the tournament took it by
itself. `revision` is the revision that the organizer saw. If it has changed since, the step raises
Stale and does nothing.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from arena import jobs
from arena.domain.tournaments import (
    announcements,
    changes,
    log,
    messages,
    times,
    unfinished_matches,
    visibility,
)
from arena.domain.tournaments.entry import freezing
from arena.models import NoticeKind, Release, Tournament, TournamentStatus, User, WebhookEvent


@transaction.atomic
def open_registration(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Publish a draft. It takes entries at once, or from `opens_at` on.

    Raise Refused, also if the time of the freeze or the start is past.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(locked, TournamentStatus.DRAFT, into=TournamentStatus.REGISTRATION)
    times.require_to_come(tournament=locked)
    messages.tell_of_draft(tournament=locked)
    return _told(tournament, locked, "opened", by=by, reason=reason)


@transaction.atomic
def freeze(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Pin the version of every entrant by its digest, and set the seeds.

    Raise Refused, also if there are fewer entrants than the tournament or its format needs.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(
        locked,
        TournamentStatus.REGISTRATION,
        into=TournamentStatus.FROZEN,
        frozen_at=timezone.now(),
    )
    frozen = freezing.pin_all(tournament=locked) | {"commitment": locked.commitment}
    return _told(tournament, locked, "frozen", by=by, reason=reason, **frozen)


@transaction.atomic
def start(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Start a tournament. Its first round is drawn a moment later. Tell the owners.

    Raise Refused.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(locked, TournamentStatus.FROZEN, into=TournamentStatus.RUNNING, started_at=timezone.now())
    freezing.require_enough_left(tournament=locked)
    announcements.tell_of_status(tournament=locked, event=WebhookEvent.TOURNAMENT_STARTED)
    jobs.enqueue(jobs.DIRECT, locked.pk)
    if locked.rehearsal_of_id is None:
        kind = NoticeKind.TOURNAMENT_STARTED
        messages.tell_owners(tournament=locked, slugs=["started"], kind=kind)
    return _told(tournament, locked, "started", by=by, reason=reason)


@transaction.atomic
def freeze_and_start(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Freeze the versions, and start at once, whatever time was planned. Raise Refused."""
    freeze(tournament=tournament, by=by, revision=revision, reason=reason)
    return start(tournament=tournament, by=by)


@transaction.atomic
def pause(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Pause a tournament: no match starts and no round is drawn. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    why = _why(reason, by)
    _step(locked, TournamentStatus.RUNNING, into=TournamentStatus.PAUSED, status_reason=why)
    return _told(tournament, locked, "paused", by=by, reason=why)


@transaction.atomic
def resume(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Resume a paused tournament. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(locked, TournamentStatus.PAUSED, into=TournamentStatus.RUNNING, status_reason="")
    jobs.enqueue(jobs.DIRECT, locked.pk)
    unfinished_matches.send_again(tournament=locked)
    return _told(tournament, locked, "resumed", by=by, reason=reason)


@transaction.atomic
def complete(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Complete a tournament after its last round. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(
        locked,
        TournamentStatus.RUNNING,
        into=TournamentStatus.COMPLETED,
        completed_at=timezone.now(),
    )
    if locked.rounds.exclude(release=Release.PUBLIC).exists() and locked.rehearsal_of_id is None:
        messages.tell_organizers(tournament=locked, slugs=["completed"])
    announcements.tell_of_status(tournament=locked, event=WebhookEvent.TOURNAMENT_COMPLETED)
    return _told(tournament, locked, "completed", by=by, reason=reason)


@transaction.atomic
def release(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Release a completed tournament: show all of it to everybody. This is final. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    _step(
        locked,
        TournamentStatus.COMPLETED,
        into=TournamentStatus.RELEASED,
        released_at=timezone.now(),
    )
    announcements.tell_of_release(tournament=locked)
    visibility.publish(tournament=locked)
    if locked.rehearsal_of_id is None:
        kind = NoticeKind.TOURNAMENT_OVER
        messages.tell_owners(tournament=locked, slugs=["released"], kind=kind)
    secret = locked.shown_secret
    return _told(tournament, locked, "released", by=by, reason=reason, secret=secret)


@transaction.atomic
def cancel(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Cancel a tournament with its open matches and rehearsals. This is final. Tell the owners why.

    Do not tell owners about a draft, because they never saw it. Raise Refused, also if an organizer
    gives no reason.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    why = _why(reason, by)
    was_draft = locked.status == TournamentStatus.DRAFT
    running = [status for status in TournamentStatus if status not in changes.FOR_EVER]
    _step(locked, *running, into=TournamentStatus.CANCELLED, status_reason=why)
    ended = unfinished_matches.cancel(tournament=locked, reason=why)
    for rehearsal in locked.rehearsals.exclude(status__in=changes.OVER).order_by("pk"):
        cancel(tournament=rehearsal, by=None, reason=why)
    if not was_draft:
        messages.tell_owners(tournament=locked, slugs=["cancelled"], why=why)
    return _told(tournament, locked, "cancelled", by=by, reason=why, matches=ended)


def _step(
    locked: Tournament,
    *wanted: TournamentStatus,
    into: TournamentStatus,
    **columns: Any,  # noqa: ANN401 - columns of the row
) -> None:
    """Change the status and increase the revision. Raise Refused if the status is not `wanted`."""
    changed: dict[str, Any] = {**columns, "status": into, "revision": locked.revision + 1}
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
    **details: Any,  # noqa: ANN401 - the data of the log entry
) -> Tournament:
    """Write the step into the log, and refresh the caller's row. Return the locked row."""
    log.write(tournament=locked, action=action, by=by, reason=reason.strip(), **details)
    tournament.refresh_from_db()
    return locked


def _why(reason: str, by: User | None) -> str:
    """Return the reason. Raise Refused if an organizer gives none or one that is too long."""
    if by is None:
        return reason.strip()[: changes.REASON_MAX_LENGTH]
    return changes.validate_reason(reason)
