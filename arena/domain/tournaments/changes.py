"""How an organizer changes a tournament: under its lock, at the revision that the organizer saw."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.models import Tournament, TournamentStatus, User

NOT_STARTED = (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION, TournamentStatus.FROZEN)
UNDER_WAY = (TournamentStatus.FROZEN, TournamentStatus.RUNNING, TournamentStatus.PAUSED)
OVER = (TournamentStatus.COMPLETED, TournamentStatus.RELEASED, TournamentStatus.CANCELLED)
FOR_EVER = (TournamentStatus.RELEASED, TournamentStatus.CANCELLED)

REASON_MAX_LENGTH = 500  # characters, the limit of the columns of tournaments and matches

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
    """The tournament was changed in the meantime. `revision` is its revision now."""

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
    """Return a tournament with its ladder, read again and locked until the transaction ends."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("ladder").get(pk=pk)


def require_organizer(*, user: User, tournament: Tournament) -> None:
    """Raise Refused if the user may not organize the tournament."""
    if not permissions.may_organize(user, tournament):
        text = _("Only organizers of this tournament may do that. Ask one of them.")
        raise Refused("not_an_organizer", text)


def begin(*, tournament: Tournament, by: User | None, revision: int | None) -> Tournament:
    """Return the tournament, read again and locked for a change. Raise Refused or Stale."""
    locked = lock(pk=tournament.pk)
    if by is not None:
        require_organizer(user=by, tournament=locked)
    if revision is not None and revision != locked.revision:
        raise Stale(locked.revision)
    return locked


def bump(*, tournament: Tournament) -> None:
    """Increase the revision of a locked tournament. Write the log entry of the change after it."""
    tournament.revision += 1
    tournament.save(update_fields=["revision"])


def refuse(*, tournament: Tournament) -> Refused:
    """Return a Refused that says what is possible in the current status of the tournament."""
    status = TournamentStatus(tournament.status)
    text = _("This cannot be done now. %(what_now)s") % {"what_now": _WHAT_NOW[status]}
    return Refused("wrong_status", text)


def validate_reason(reason: str) -> str:
    """Return the reason of an organizer without surrounding spaces. It is public and is kept.

    Raise Refused if it is empty or has more than REASON_MAX_LENGTH characters.
    """
    why = reason.strip()
    if not why:
        raise Refused("no_reason", _("Give a reason. It is public and is kept."), field="reason")
    if len(why) > REASON_MAX_LENGTH:
        text = _("A reason has at most %(most)d characters. This one has %(has)d. Shorten it.")
        numbers = {"most": REASON_MAX_LENGTH, "has": len(why)}
        raise Refused("long_reason", text % numbers, field="reason")
    return why
