"""Marks of pages: a mark is another one when a page may have changed for those who watch it.

A mark is made only of what everybody in its audience may see. So it stays the same, whatever
happens in a round that is not shown to them: a new mark would tell that a hidden game has ended.
The number of queries depends on the kinds of subjects, and not on how many there are.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, Max, Sum

from arena.domain.matches import live
from arena.domain.tournaments import log, visibility
from arena.models import (
    ANYBODY,
    Match,
    Release,
    Tournament,
    TournamentLogEntry,
    TournamentRound,
    Version,
    Viewer,
)

MARK_LENGTH = 16
Seen = tuple[object, ...]  # values that the audience may see, in an order that is always the same


class Shows(StrEnum):
    """What a page shows."""

    MATCHES = "matches"
    QUEUE = "queue"
    MATCH = "match"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page shows and for whom: a match by its id, a tournament by its short name.

    `audience` is the narrowest release that the visitor may see of it.
    """

    kind: Shows
    name: str = ""
    audience: Release = Release.PUBLIC

    @property
    def topic(self) -> str:
        """The name under which streams of the same subject are one."""
        return f"{self.kind}:{self.name}:{self.audience}"


def of_tournament(*, tournament: Tournament, viewer: Viewer) -> Subject:
    """Return the subject of the pages of a tournament, which the viewer may see."""
    audience = visibility.audience(tournament=tournament, viewer=viewer)
    return Subject(Shows.TOURNAMENT, tournament.slug, audience)


def marks(*, subjects: Collection[Subject]) -> dict[Subject, str]:
    """Return the mark of each subject. One that is over, hidden or gone is left out."""
    seen: dict[Subject, Seen] = {}
    kinds = {subject.kind for subject in subjects}
    if Shows.MATCHES in kinds:
        seen[Subject(Shows.MATCHES)] = _matches()
    if Shows.QUEUE in kinds:
        seen[Subject(Shows.QUEUE)] = _queue()
    if Shows.MATCH in kinds:
        seen |= _single_matches([subject for subject in subjects if subject.kind == Shows.MATCH])
    if Shows.TOURNAMENT in kinds:
        seen |= _tournaments([subject for subject in subjects if subject.kind == Shows.TOURNAMENT])
    return {
        subject: hashlib.sha256(repr(seen[subject]).encode()).hexdigest()[:MARK_LENGTH]
        for subject in subjects
        if subject in seen
    }


def _matches() -> Seen:
    """Return what is public of the open matches, and the one that finished last."""
    public = Match.objects.visible_to(ANYBODY)
    rows = public.open().order_by("status").values_list("status")
    last = public.filter(finished_at__isnull=False).order_by("-finished_at").values_list("pk")
    return (*rows.annotate(Count("pk"), Sum("pk")), last.first())


def _queue() -> Seen:
    """Return which jobs are in work and which wait. The queue counts all of them for everybody.

    Nothing else of a job counts here, because the queue says no more of a hidden match.
    """
    return tuple(
        tuple(rows.aggregate(Count("pk"), Sum("pk"), Max("queued_at"), Max("taken_at")).items())
        for rows in (
            Match.objects.in_work(),
            Match.objects.waiting(),
            Version.objects.in_work(),
            Version.objects.waiting(),
        )
    )


def _single_matches(subjects: Sequence[Subject]) -> dict[Subject, Seen]:
    """Return the status and the running game of each match, as long as its release is the same."""
    states = live.states(match_ids={subject.name for subject in subjects})
    return {
        subject: (state.status, state.game)
        for subject in subjects
        if (state := states.get(subject.name)) and state.release == subject.audience
    }


def _tournaments(subjects: Sequence[Subject]) -> dict[Subject, Seen]:
    """Return of each tournament what its audience may see of status, rounds, log and matches."""
    names = {subject.name for subject in subjects}
    of = {"tournament__slug__in": names}
    statuses = dict(Tournament.objects.filter(slug__in=names).values_list("slug", "status"))
    rounds = TournamentRound.objects.filter(**of).order_by("tournament_id", "number")
    log_entries = TournamentLogEntry.objects.filter(**of).order_by("round_number", "action")
    matches = Match.objects.filter(pairing__round__tournament__slug__in=names)
    matches = matches.order_by("pairing__round__number", "status")
    drawn = list(rounds.values_list("tournament__slug", "number", "release", "finished_at"))
    written = list(
        log_entries.values_list("tournament__slug", "round_number", "action").annotate(Max("pk"))
    )
    played = list(
        matches.values_list(
            "pairing__round__tournament__slug", "pairing__round__number", "status"
        ).annotate(Count("pk"), Sum("pk"))
    )
    shown: dict[Subject, Seen] = {}
    for subject in subjects:
        own = [row[1:] for row in drawn if row[0] == subject.name]
        releases = [Release(release) for _number, release, _finished_at in own]
        seen = visibility.first_rounds(releases, audience=subject.audience)
        private = () if subject.audience == Release.HIDDEN else log.PRIVATE
        if subject.name in statuses:
            shown[subject] = (
                statuses[subject.name],
                own[:seen],
                len(own) > seen,  # pages say whether there are more, but not how many
                [
                    row
                    for row in written
                    if row[0] == subject.name and (row[1] or 0) <= seen and row[2] not in private
                ],
                [row for row in played if row[0] == subject.name and row[1] <= seen],
            )
    return shown
