"""The organizers of a tournament besides its creator. Staff may organize every tournament."""

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.accounts import notices
from arena.domain.errors import Refused
from arena.domain.tournaments import changes, log
from arena.models import Tournament, User
from arena.texts import as_rows_keep_them
from arena.texts.tournaments import MESSAGES

MOST = 20


@transaction.atomic
def add(*, tournament: Tournament, by: User, username: str, revision: int | None = None) -> User:
    """Add an organizer and return the user. Raise Refused or Stale."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    user = User.objects.filter(username=username.strip().removeprefix("@"), is_active=True).first()
    if user is None:
        message = _("There is no user called %(name)s. Write the name as on the page of the user.")
        raise Refused("unknown_user", message % {"name": username.strip()[:40]}, field="username")
    if locked.organizers.filter(pk=user.pk).exists():
        message = _("%(name)s is already an organizer.")
        raise Refused("is_organizer", message % {"name": user}, field="username")
    if locked.organizers.count() >= MOST:
        message = _("It already has %(most)d organizers, the maximum. Remove one of them first.")
        raise Refused("too_many_organizers", message % {"most": MOST}, field="username")
    locked.organizers.add(user)
    _share(locked)
    changes.bump(tournament=locked)
    log.write(tournament=locked, action="organizer_added", by=by, name=user.username, user=user.pk)
    with as_rows_keep_them():
        text = MESSAGES["organizer_added"] % {"tournament": locked.name, "by": by}
    notices.tell(user=user, text=text, url=locked.get_absolute_url())
    tournament.refresh_from_db()
    return user


@transaction.atomic
def remove(*, tournament: Tournament, by: User, user: User, revision: int | None = None) -> None:
    """Remove an organizer, but not the last one. Raise Refused or Stale."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    if not locked.organizers.filter(pk=user.pk).exists():
        text = _("%(name)s is not an organizer.")
        raise Refused("not_an_organizer", text % {"name": user}, field="username")
    if locked.organizers.count() == 1:
        text = _("%(name)s is the only organizer. Add another one first.")
        raise Refused("last_organizer", text % {"name": user}, field="username")
    locked.organizers.remove(user)
    _share(locked)
    changes.bump(tournament=locked)
    log.write(
        tournament=locked, action="organizer_removed", by=by, name=user.username, user=user.pk
    )
    tournament.refresh_from_db()


def _share(locked: Tournament) -> None:
    """Set the organizers of the rehearsals to the organizers of the tournament."""
    for rehearsal in locked.rehearsals.all():
        rehearsal.organizers.set(locked.organizers.all())
