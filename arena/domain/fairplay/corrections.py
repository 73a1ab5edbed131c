"""What staff does to matches and ladders: first on trial, then for good and with a note of it.

A dry run has a digest of what it shows. Whoever confirms sends it along; where the same thing would
do something else by now, nothing is done and the new dry run comes with the refusal.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.accounts import staff_log
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.ratings import annulments, seasons
from arena.domain.ratings.annulments import Change
from arena.domain.ratings.rating_table import RatingTable
from arena.models import Annulment, Bot, Entrant, Ladder, Match, MatchKind, Season, User

LINES_SHOWN = 500  # of a dry run on a page
FIRST_SHOWN = 10  # of a season's final order: what the confirmation of its end stands for


@dataclass(frozen=True, slots=True)
class DryRun:
    """The leaderboard as it would be, best first, and the digest of what is confirmed by it.

    `until` is the latest finish number among the matches, or on the ladder where there are none.
    """

    ladder: Ladder
    matches: Sequence[Match]
    changes: Sequence[Change]
    digest: str
    until: int

    @property
    def moved(self) -> list[Change]:
        """Those whose rank would be another."""
        return [row for row in self.changes if row.rank_before != row.rank_after]

    @property
    def lines(self) -> Sequence[Change]:
        """What a page has room for: every line, or of very many the first that change."""
        if len(self.changes) <= LINES_SHOWN:
            return self.changes
        return [row for row in self.changes if _is_seen(row)][:LINES_SHOWN]


class NotAsPreviewed(Refused):
    """It would do something else than the dry run showed; `fresh` is what it would do now."""

    def __init__(self, fresh: DryRun) -> None:
        super().__init__(
            "not_as_previewed",
            _("Matches that finished meanwhile change the result. Look at the preview again."),
        )
        self.fresh = fresh


def choose(
    *, ladder: Ladder, bot: Bot, since: date | None = None, until: int | None = None
) -> list[Match]:
    """Return a bot's matches that can be annulled: all, or those finished since a day (UTC).

    With `until`, only those up to this finish number.
    """
    return [
        match
        for match in annulments.matches_of(ladder=ladder, bot=bot)
        if (since is None or (match.finished_at is not None and match.finished_at.date() >= since))
        and (until is None or (match.finish_number or 0) <= until)
    ]


def try_annulment(*, chosen: Sequence[Match]) -> DryRun:
    """Show what annulling these matches would do. Raise Refused."""
    changes = annulments.preview(matches=chosen)
    until = max(match.finish_number or 0 for match in chosen)
    return DryRun(chosen[0].ladder, chosen, changes, _digest_of(chosen, changes), until)


def annul(*, chosen: Sequence[Match], by: User, reason: str, seen: str) -> Annulment:
    """Annul matches as a dry run with the digest `seen` showed it, and note it.

    What was done is compared with what was seen under the lock on the ladder, and taken back where
    they differ. Raise NotAsPreviewed, Refused.
    """
    try:
        return _annul_as_seen(chosen, by, reason, seen)
    except _Differs:
        raise NotAsPreviewed(try_annulment(chosen=chosen)) from None


def try_end(*, ladder: Ladder) -> DryRun:
    """Show what the end of the ladder's season would do to the numbers."""
    ladder.refresh_from_db()
    entrants = _entrants(ladder)
    before = {entrant.bot_id: entrant.rating for entrant in entrants}
    book = RatingTable(numbers=dict(before))
    book.reset(place=ladder.next_finish_number)
    changes = _changes(entrants, before, {bot: book.number(bot) for bot in before})
    return DryRun(
        ladder, (), changes, _digest_of_end(ladder, changes), ladder.next_finish_number - 1
    )


def end_season(*, ladder: Ladder, by: User, reason: str, seen: str) -> Season:
    """End the ladder's season as a dry run with the digest `seen` showed it, and note it.

    The digest stands for the season and its first ten, in order. Raise NotAsPreviewed, Refused.
    """
    _check_reason(reason)
    with transaction.atomic():
        locked = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        fresh = try_end(ladder=locked)
        if fresh.digest != seen:
            raise NotAsPreviewed(fresh)
        season = seasons.end(ladder=locked, by=by)
        staff_log.note(
            by=by,
            action="end_season",
            target=str(season),
            url=season.get_absolute_url(),
            reason=reason.strip(),
            details={"finish_number": season.last_finish_number},
        )
    return season


def void(*, match: Match, by: User, reason: str) -> Match:
    """End an open match as the platform's fault and queue it again, and note it. Raise Refused."""
    _check_reason(reason)
    with transaction.atomic():
        again = lifecycle.void(match=match, reason=reason.strip())
        _note(match, "void", by, reason, {"rerun": again.public_id})
    return again


def cancel(*, match: Match, by: User, reason: str) -> None:
    """End an open match for good without a result, and note it. Raise Refused.

    Not one of a tournament, which would play it again: its console awards the pairing.
    """
    _check_reason(reason)
    if match.kind == MatchKind.TOURNAMENT:
        said = _(
            "A tournament needs its result. Award the pairing in the console, or void the match."
        )
        raise Refused("match_of_a_tournament", said)
    with transaction.atomic():
        if not lifecycle.cancel(match=match, reason=reason.strip()):
            raise Refused("match_over", _("The match is over already."))
        _note(match, "cancel", by, reason, {})


def rerun(*, match: Match, by: User, reason: str) -> Match:
    """Queue a match again that was cancelled or failed, and note it. Raise Refused."""
    _check_reason(reason)
    with transaction.atomic():
        again = lifecycle.rerun(match=match)
        _note(match, "rerun", by, reason, {"rerun": again.public_id})
    return again


class _Differs(Exception):
    """Takes back what was done, as it is not what was seen."""


@transaction.atomic
def _annul_as_seen(chosen: Sequence[Match], by: User, reason: str, seen: str) -> Annulment:
    annulment = annulments.annul(matches=chosen, by=by, reason=reason)
    changes = _done(annulment)
    if _digest_of(chosen, changes) != seen:
        raise _Differs
    staff_log.note(
        by=by,
        action="annul",
        target=_listed(annulment.ladder, chosen),
        url=annulment.ladder.get_absolute_url(),
        reason=annulment.reason,
        details={
            "matches": [match.public_id for match in chosen],
            "finish_number": annulment.finish_number,
            "changes": [_told(row) for row in changes if row.before != row.after],
        },
    )
    return annulment


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. It is kept."), field="reason")


def _note(match: Match, action: str, by: User, reason: str, details: dict[str, str]) -> None:
    staff_log.note(
        by=by,
        action=action,
        target=_listed(match.ladder, [match]),
        url=match.get_absolute_url(),
        reason=reason.strip(),
        details=details,
    )


def _listed(ladder: Ladder, chosen: Sequence[Match]) -> str:
    if len(chosen) == 1:
        return f"match {chosen[0].public_id} ({ladder})"
    return f"{len(chosen)} matches ({ladder})"


def _entrants(ladder: Ladder) -> list[Entrant]:
    return list(ladder.entrants.filter(active=True).select_related("bot__owner", "version"))


def _done(annulment: Annulment) -> list[Change]:
    """Return what an annulment did; the caller still holds the lock under which it was made."""
    entrants = _entrants(annulment.ladder)
    after = {entrant.bot_id: entrant.rating for entrant in entrants}
    changed = annulment.adjustments.values_list("version__bot", "before")
    before = {**after, **{bot: number for bot, number in changed if bot in after}}
    return _changes(entrants, before, after)


def _changes(
    entrants: Sequence[Entrant], before: Mapping[int, float], after: Mapping[int, float]
) -> list[Change]:
    ranks, ranks_then = annulments.ranks(before), annulments.ranks(after)
    rows = [
        Change(
            entrant=entrant,
            rank_before=ranks[entrant.bot_id],
            rank_after=ranks_then[entrant.bot_id],
            before=before[entrant.bot_id],
            after=after[entrant.bot_id],
        )
        for entrant in entrants
    ]
    return sorted(rows, key=lambda row: (row.rank_after, row.rank_before))


def _told(row: Change) -> list[object]:
    """Return a line of a dry run as people see it: whose, both ranks, both numbers, whole."""
    return [
        str(row.entrant.bot), row.rank_before, row.rank_after, round(row.before), round(row.after),
    ]  # fmt: skip


def _is_seen(row: Change) -> bool:
    """Return whether people see the line change: its rank, or its number as it is shown."""
    _bot, rank_before, rank_after, before, after = _told(row)
    return (rank_before, before) != (rank_after, after)


def _digest_of(chosen: Iterable[Match], changes: Iterable[Change]) -> str:
    """Digest the matches, and every line that anybody would see change."""
    lines = [_told(row) for row in changes if _is_seen(row)]
    return _digest([sorted(match.public_id for match in chosen), sorted(lines, key=str)])


def _digest_of_end(ladder: Ladder, changes: Sequence[Change]) -> str:
    first = [str(row.entrant.bot) for row in changes[:FIRST_SHOWN]]
    return _digest([ladder.slug, ladder.season_number, first])


def _digest(what: object) -> str:
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:32]
