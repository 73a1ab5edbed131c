"""How a tournament is changed: under its lock, by an organizer, at the revision that was seen."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.models import Tournament, TournamentStatus, User

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
