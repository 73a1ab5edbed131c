"""Carrying out an intervention: a dry run, then a confirmation, then an entry in the log.

A dry run applies the intervention in a transaction, loads the standings and rolls back. The
confirmation repeats what the dry run saw: the revision of the tournament, and the matches on which
the decision was based. If either has changed, nothing is done, and the refusal has a new dry run.
"""

from dataclasses import dataclass

from django.db import transaction

from arena import jobs
from arena.domain.formats.types import StandingsRow
from arena.domain.tournaments import changes, log, messages, snapshot, unfinished_matches
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.interventions.base import Effect, Intervention
from arena.models import Tournament, TournamentEntrant, TournamentLogEntry, User
from arena.texts import as_rows_keep_them


@dataclass(frozen=True, slots=True)
class StandingChange:
    """An entrant in the standings before and after the intervention."""

    entrant: TournamentEntrant
    before: StandingsRow
    after: StandingsRow

    @property
    def moves(self) -> bool:
        """Whether its rank changes."""
        return self.before.rank != self.after.rank

    @property
    def changes(self) -> bool:
        """Whether its rank, points or games change."""
        was, would_be = self.before, self.after
        return (was.rank, was.points, was.games) != (would_be.rank, would_be.points, would_be.games)


@dataclass(frozen=True, slots=True)
class InterventionDryRun:
    """The standings after an intervention, each line with the line before it, and notes on it.

    A confirmation repeats `revision` and `seen`.
    """

    lines: tuple[StandingChange, ...]
    notes: tuple[str, ...]
    revision: int
    seen: str

    @property
    def moved(self) -> list[StandingChange]:
        """The lines whose rank changes."""
        return [line for line in self.lines if line.moves]


class PreviewOutdated(changes.Stale):
    """The tournament has changed since the dry run. `fresh` is a new dry run."""

    def __init__(self, fresh: InterventionDryRun) -> None:
        super().__init__(fresh.revision)
        self.fresh = fresh


def preview(
    *, tournament: Tournament, intervention: Intervention, reason: str = ""
) -> InterventionDryRun:
    """Return what an intervention would do, without a change. Raise Refused."""
    with transaction.atomic():
        locked = changes.lock(pk=tournament.pk)
        _effect, dry_run = _apply(locked, intervention, reason)
        transaction.set_rollback(True)
    return dry_run


def perform(
    *,
    tournament: Tournament,
    intervention: Intervention,
    by: User,
    reason: str,
    revision: int,
    seen: str | None = None,
) -> TournamentLogEntry:
    """Apply an intervention after its dry run, and write it with its numbers into the public log.

    `seen` is that of the dry run, or None if the caller compares only the revision. Raise Refused,
    or PreviewOutdated with a new dry run.
    """
    why = changes.validate_reason(reason)
    try:
        entry = _perform(tournament, intervention, by, why, (revision, seen))
    except _Differs:
        fresh = preview(tournament=tournament, intervention=intervention, reason=why)
        raise PreviewOutdated(fresh) from None
    tournament.refresh_from_db()
    return entry


class _Differs(Exception):
    """Roll back an intervention, because its tournament has changed since the dry run."""


@transaction.atomic
def _perform(
    tournament: Tournament,
    intervention: Intervention,
    by: User,
    reason: str,
    seen: tuple[int, str | None],
) -> TournamentLogEntry:
    locked = changes.lock(pk=tournament.pk)
    intervention.require_permission(user=by, tournament=locked)
    if seen[0] != locked.revision:
        raise _Differs
    effect, dry_run = _apply(locked, intervention, reason)
    if seen[1] is not None and seen[1] != dry_run.seen:
        raise _Differs
    changes.bump(tournament=locked)
    jobs.enqueue(jobs.DIRECT, locked.pk)
    moves = [
        [line.entrant.pk, line.before.rank, line.after.rank, line.before.points, line.after.points]
        for line in dry_run.lines
        if line.changes
    ]
    entry = log.write(
        tournament=locked,
        action=intervention.log_action,
        by=by,
        # The numbers include the last round: hide them from those who may not see it.
        round_number=admission.drawn_rounds(tournament=locked) or None,
        reason=reason,
        **{**effect.details, "changes": moves},
    )
    if "entrant" in entry.details and locked.rehearsal_of_id is None:
        entrants = locked.entrants.select_related("bot__owner")
        with as_rows_keep_them():
            text = log.say(entry)
        messages.tell_owner(  # the reason is only in the log
            tournament=locked,
            bot=entrants.get(pk=entry.details["entrant"]).bot,
            slugs=["news"],
            by=by,
            text=text,
        )
    return entry


def _apply(
    locked: Tournament, intervention: Intervention, reason: str
) -> tuple[Effect, InterventionDryRun]:
    if locked.status not in intervention.statuses:
        raise changes.refuse(tournament=locked)
    unfinished_matches.hold(tournament=locked)  # else a new result would look like an effect
    before = snapshot.load(tournament=locked)
    effect = intervention.apply(locked, reason)
    after = snapshot.load(tournament=changes.lock(pk=locked.pk))
    was = {row.entrant: row for row in before.standings}
    lines = (
        StandingChange(after.entrants[row.entrant], was[row.entrant], row)
        for row in after.standings
        if row.entrant in was
    )
    return effect, InterventionDryRun(tuple(lines), effect.notes, locked.revision, effect.seen)
