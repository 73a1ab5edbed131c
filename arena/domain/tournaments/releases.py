"""Set who sees a round of a tournament."""

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.tournaments import announcements, changes, log
from arena.domain.tournaments.visibility import narrower
from arena.models import (
    Match,
    Release,
    Tournament,
    TournamentLogEntry,
    TournamentStatus,
    User,
)


@transaction.atomic
def set_release(
    *,
    tournament: Tournament,
    round_number: int,
    release: Release,
    by: User | None,
    revision: int | None = None,
) -> TournamentLogEntry:
    """Set who sees a round, and return the log entry. Later rounds are never more visible.

    Raise Stale, or Refused if the round does not exist, if more people would see it than an earlier
    round, if the tournament is released, or if a rehearsal would become visible.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    if locked.status == TournamentStatus.RELEASED:
        raise changes.refuse(tournament=locked)
    rounds = {row.number: row for row in locked.rounds.order_by("number")}
    if round_number not in rounds:
        text = _("There is no round %(number)d yet. Rounds drawn so far: %(count)d.")
        numbers = {"number": round_number, "count": len(rounds)}
        raise Refused("unknown_round", text % numbers, field="round")
    if locked.rehearsal_of_id is not None and release != Release.HIDDEN:
        text = _("Only the organizers can see a rehearsal.")
        raise Refused("rehearsal_hidden", text, field="release")
    for row in rounds.values():
        if row.number < round_number and narrower(Release(row.release), release) != release:
            text = _("Fewer people can see round %(number)d. Show that round first.")
            raise Refused("release_order", text % {"number": row.number}, field="release")
    before = Release(rounds[round_number].release)
    for row in rounds.values():
        if row.number >= round_number:
            wanted = release if row.number == round_number else Release(row.release)
            row.release = narrower(wanted, release)
            row.save(update_fields=["release"])
            Match.objects.filter(pairing__round=row).update(release=row.release)
    changes.bump(tournament=locked)
    announcements.tell_of_round(row=rounds[round_number], before=before)
    entry = log.write(
        tournament=locked,
        action="release_set",
        by=by,
        round_number=round_number,
        release=str(release),
    )
    tournament.refresh_from_db()
    return entry
