"""The life of a tournament: from draft to released, one step at a time.

Every step is taken under the lock on the tournament's row, by compare-and-swap of its status, and
leaves an entry in the public log. `by` is the organizer who took it, None where the tournament took
it by itself. `revision` is what the organizer looked at: where it is another one by now, nothing is
done.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena import jobs
from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.domain.tournaments import log, messages, openmatches, times, visibility
from arena.domain.tournaments.entry import freezing
from arena.models import (
    Release,
    Tournament,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)

NOT_STARTED = (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION, TournamentStatus.FROZEN)
UNDER_WAY = (TournamentStatus.FROZEN, TournamentStatus.RUNNING, TournamentStatus.PAUSED)
OVER = (TournamentStatus.COMPLETED, TournamentStatus.RELEASED, TournamentStatus.CANCELLED)
FOR_EVER = (TournamentStatus.RELEASED, TournamentStatus.CANCELLED)

REASON_MAX_LENGTH = 500  # characters, as many as a tournament and a match keep

_WHAT_NOW = {
    TournamentStatus.DRAFT: gettext_lazy("It is a draft: open the registration first."),
    TournamentStatus.REGISTRATION: gettext_lazy(
        "Bots are being entered: freeze their versions first, or cancel it."
    ),
    TournamentStatus.FROZEN: gettext_lazy("Its versions are frozen: start it, or cancel it."),
    TournamentStatus.RUNNING: gettext_lazy(
        "It is being played: pause it, correct single pairings in the console, or cancel it."
    ),
    TournamentStatus.PAUSED: gettext_lazy("It is paused: resume it, or cancel it."),
    TournamentStatus.COMPLETED: gettext_lazy("All rounds have been played: release it."),
    TournamentStatus.RELEASED: gettext_lazy("It is over and public. This cannot be undone."),
    TournamentStatus.CANCELLED: gettext_lazy(
        "It was cancelled. This cannot be undone. Make a new one."
    ),
}


class Stale(Refused):
    """Somebody else changed the tournament meanwhile; `revision` is what it is now."""

    def __init__(self, revision: int) -> None:
        super().__init__(
            "stale",
            _(
                "Another organizer or a new round changed the tournament meanwhile. Nothing was"
                " done. Look at it again, then decide."
            ),
        )
        self.revision = revision


def lock(*, pk: int) -> Tournament:
    """Hold a tournament until the transaction ends; return it fresh, with its ladder."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("ladder").get(pk=pk)


def require_organizer(*, user: User, tournament: Tournament) -> None:
    """Raise Refused for a user who does not decide about the tournament."""
    if not permissions.may_organize(user, tournament):
        raise Refused(
            "not_an_organizer",
            _("Only organizers of this tournament may do that. Ask one of them."),
        )


def begin(*, tournament: Tournament, by: User | None, revision: int | None) -> Tournament:
    """Lock the tournament for a change; return it fresh. Raise Refused, Stale."""
    locked = lock(pk=tournament.pk)
    if by is not None:
        require_organizer(user=by, tournament=locked)
    if revision is not None and revision != locked.revision:
        raise Stale(locked.revision)
    return locked


def bump(*, tournament: Tournament) -> None:
    """Count a change to a tournament that is held. Its log entry is written after it."""
    tournament.revision += 1
    tournament.save(update_fields=["revision"])


def refuse(*, tournament: Tournament) -> Refused:
    """Return the refusal of what cannot be done where the tournament stands, and what can be."""
    status = TournamentStatus(tournament.status)
    said = _("This cannot be done now. %(what_now)s") % {"what_now": _WHAT_NOW[status]}
    return Refused("wrong_status", said)


def validate_reason(reason: str) -> str:
    """Return a reason of organizers, which is public and kept, without the spaces around it.

    Raise Refused for none, or a very long one.
    """
    why = reason.strip()
    if not why:
        raise Refused("no_reason", _("Give a reason. It is public and is kept."), field="reason")
    if len(why) > REASON_MAX_LENGTH:
        said = _("A reason has at most %(most)d characters. This one has %(has)d. Shorten it.")
        numbers = {"most": REASON_MAX_LENGTH, "has": len(why)}
        raise Refused("long_reason", said % numbers, field="reason")
    return why


@transaction.atomic
def open_registration(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Publish a draft. Entries are taken at once, or from `opens_at` on. Raise Refused.

    Refused too where it would be frozen or started at once, as that time is past.
    """
    locked = begin(tournament=tournament, by=by, revision=revision)
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
    locked = begin(tournament=tournament, by=by, revision=revision)
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
    locked = begin(tournament=tournament, by=by, revision=revision)
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
    locked = begin(tournament=tournament, by=by, revision=revision)
    why = _why(reason, by)
    _step(locked, (TournamentStatus.RUNNING,), TournamentStatus.PAUSED, status_reason=why)
    return _told(tournament, locked, "paused", by=by, reason=why)


@transaction.atomic
def resume(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Go on with one that is paused. Raise Refused."""
    locked = begin(tournament=tournament, by=by, revision=revision)
    _step(locked, (TournamentStatus.PAUSED,), TournamentStatus.RUNNING, status_reason="")
    jobs.enqueue(jobs.DIRECT, locked.pk)
    openmatches.send_again(tournament=locked)
    return _told(tournament, locked, "resumed", by=by, reason=reason)


@transaction.atomic
def complete(
    *, tournament: Tournament, by: User | None, revision: int | None = None, reason: str = ""
) -> Tournament:
    """Note that the last round is played. Raise Refused."""
    locked = begin(tournament=tournament, by=by, revision=revision)
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
    locked = begin(tournament=tournament, by=by, revision=revision)
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
    locked = begin(tournament=tournament, by=by, revision=revision)
    why = _why(reason, by)
    was_draft = locked.status == TournamentStatus.DRAFT
    running = [status for status in TournamentStatus if status not in FOR_EVER]
    _step(locked, running, TournamentStatus.CANCELLED, status_reason=why)
    ended = openmatches.cancel(tournament=locked, reason=why)
    for rehearsal in locked.rehearsals.exclude(status__in=OVER).order_by("pk"):
        cancel(tournament=rehearsal, by=None, reason=why)
    if not was_draft:
        messages.tell_owners(tournament=locked, slugs=["cancelled"], why=why)
    return _told(tournament, locked, "cancelled", by=by, reason=why, matches=ended)


def _require(locked: Tournament, wanted: Collection[TournamentStatus]) -> None:
    if locked.status not in wanted:
        raise refuse(tournament=locked)


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
        raise refuse(tournament=locked)
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
        return reason.strip()[:REASON_MAX_LENGTH]
    return validate_reason(reason)


def _still_in(locked: Tournament) -> int:
    return locked.entrants.filter(status=TournamentEntrantStatus.ENTERED).count()
