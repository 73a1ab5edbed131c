"""Corrections of matches and ladders by staff: a dry run, then the action with a log entry.

A dry run has a digest of what it shows, and a confirmation contains the digest. If the action would
have another effect by then, nothing is done, and the refusal contains the new dry run.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.accounts import staff_log
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.ratings import annulments, rating_table, seasons
from arena.domain.ratings.annulments import Change
from arena.domain.ratings.rating_table import RatingTable
from arena.models import Annulment, Bot, Ladder, Match, MatchKind, Season, User

LINES_SHOWN = 500  # of a dry run on a page
MOST_REPLAYED = 5_000  # matches of a season that are replayed while somebody waits for a page
FIRST_SHOWN = 10  # of a season's final order: those that the digest of its end covers


@dataclass(frozen=True, slots=True)
class CorrectionDryRun:
    """The changes of the leaderboard, best first, and the digest that a confirmation must contain.

    `until` is the latest finish number of the matches, or of the ladder if there are no matches.
    """

    ladder: Ladder
    matches: Sequence[Match]
    changes: Sequence[Change]
    digest: str
    until: int

    @property
    def moved(self) -> list[Change]:
        """The entrants whose rank would change."""
        return [row for row in self.changes if row.rank_before != row.rank_after]

    @property
    def lines(self) -> Sequence[Change]:
        """The lines for a page: all, or, if there are very many, the first that change."""
        if len(self.changes) <= LINES_SHOWN:
            return self.changes
        return [row for row in self.changes if _is_seen(row)][:LINES_SHOWN]


class NotAsPreviewed(Refused):
    """The effect would differ from the dry run. `fresh` is a new dry run."""

    def __init__(self, fresh: CorrectionDryRun) -> None:
        super().__init__(
            "not_as_previewed",
            _("Matches have finished since the preview and change its outcome. Look at it again."),
        )
        self.fresh = fresh


def require_short_season(*, ladder: Ladder) -> None:
    """Raise Refused if a request cannot replay the ladder's season: the command `annul` can."""
    played = ladder.next_finish_number - 1 - rating_table.season_begins_after(ladder=ladder)
    if played > MOST_REPLAYED:
        raise Refused(
            "season_too_long",
            _(
                "The open season of %(ladder)s has about %(matches)s matches. An annulment replays"
                " all of them, which takes too long here. Ask the operator to run the command"
                " “annul”, or end the season first."
            )
            % {"ladder": ladder, "matches": played},
        )


def choose(
    *, ladder: Ladder, bot: Bot, since: date | None = None, until: int | None = None
) -> list[Match]:
    """Return a bot's matches that can be annulled, finished since a day (UTC) if given.

    With `until`, only those up to this finish number.
    """
    return [
        match
        for match in annulments.matches_of(ladder=ladder, bot=bot)
        if (since is None or (match.finished_at is not None and match.finished_at.date() >= since))
        and (until is None or (match.finish_number or 0) <= until)
    ]


def try_annulment(*, chosen: Sequence[Match]) -> CorrectionDryRun:
    """Return what the annulment of these matches would change. Raise Refused."""
    changes = annulments.preview(matches=chosen)
    until = max(match.finish_number or 0 for match in chosen)
    return CorrectionDryRun(chosen[0].ladder, chosen, changes, _digest_of(chosen, changes), until)


def annul(*, chosen: Sequence[Match], by: User, reason: str, seen: str) -> Annulment:
    """Annul matches and log it, if the effect is that of the dry run with the digest `seen`.

    The comparison happens under the lock on the ladder; a different effect is rolled back. Raise
    NotAsPreviewed or Refused.
    """
    with transaction.atomic():
        annulment = annulments.annul(matches=chosen, by=by, reason=reason)
        # The ladder is still locked, so the entrants have the ratings of the annulment.
        entrants = annulments.active_entrants(ladder=annulment.ladder)
        after = {entrant.bot_id: entrant.elo for entrant in entrants}
        changed = annulment.adjustments.values_list("version__bot", "before")
        before = {**after, **{bot: rating for bot, rating in changed if bot in after}}
        changes = annulments.changes(entrants, before, after)
        if _digest_of(chosen, changes) == seen:
            staff_log.note(
                by=by,
                action="annul",
                target=_listed(annulment.ladder, chosen),
                url=annulment.ladder.get_absolute_url(),
                reason=annulment.reason,
                details={
                    "matches": [match.public_id for match in chosen],
                    "finish_number": annulment.finish_number,
                    "changes": [_shown(row) for row in changes if row.before != row.after],
                },
            )
            return annulment
        transaction.set_rollback(True)
    raise NotAsPreviewed(try_annulment(chosen=chosen))


def try_end(*, ladder: Ladder) -> CorrectionDryRun:
    """Return what the end of the ladder's season would change."""
    ladder.refresh_from_db()
    entrants = annulments.active_entrants(ladder=ladder)
    before = {entrant.bot_id: entrant.elo for entrant in entrants}
    table = RatingTable(ratings=dict(before))
    table.reset(place=ladder.next_finish_number)
    changes = annulments.changes(entrants, before, {bot: table.rating(bot) for bot in before})
    digest = _digest(
        [ladder.slug, ladder.season_number, [str(row.entrant.bot) for row in changes[:FIRST_SHOWN]]]
    )
    return CorrectionDryRun(ladder, (), changes, digest, ladder.next_finish_number - 1)


def end_season(*, ladder: Ladder, by: User, reason: str, seen: str) -> Season:
    """End the ladder's season and log it, if the dry run still has the digest `seen`.

    The digest covers the season and its first ten bots in order. Raise NotAsPreviewed or Refused.
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
    """Void an open match: end it as the platform's fault, queue it again, and log it.

    Raise Refused.
    """
    _check_reason(reason)
    with transaction.atomic():
        again = lifecycle.void(match=match, reason=reason.strip())
        _note(match, "void", by, reason, {"rerun": again.public_id})
    return again


def cancel(*, match: Match, by: User, reason: str) -> None:
    """Cancel an open match without a result, and log it. Raise Refused.

    A match of a tournament cannot be cancelled, because the tournament would play it again.
    """
    _check_reason(reason)
    if match.kind == MatchKind.TOURNAMENT:
        raise Refused(
            "match_of_a_tournament",
            _(
                "A tournament needs this match. Award its pairing in the console of the tournament,"
                " or void the match."
            ),
        )
    with transaction.atomic():
        if not lifecycle.cancel(match=match, reason=reason.strip()):
            raise Refused("match_over", _("The match is already over."))
        _note(match, "cancel", by, reason, {})


def rerun(*, match: Match, by: User, reason: str) -> Match:
    """Queue a cancelled or failed match again, and log it. Raise Refused."""
    _check_reason(reason)
    with transaction.atomic():
        again = lifecycle.rerun(match=match)
        _note(match, "rerun", by, reason, {"rerun": again.public_id})
    return again


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. It is kept in the log."), field="reason")


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


def _shown(row: Change) -> list[object]:
    """Return a line of a dry run as people see it: bot, both ranks, both ratings rounded."""
    return [
        str(row.entrant.bot), row.rank_before, row.rank_after, round(row.before), round(row.after),
    ]  # fmt: skip


def _is_seen(row: Change) -> bool:
    """Return whether the rank or the rounded rating changes."""
    _bot, rank_before, rank_after, before, after = _shown(row)
    return (rank_before, before) != (rank_after, after)


def _digest_of(chosen: Iterable[Match], changes: Iterable[Change]) -> str:
    """Return a digest of the matches and of every line that visibly changes."""
    lines = [_shown(row) for row in changes if _is_seen(row)]
    return _digest([sorted(match.public_id for match in chosen), sorted(lines, key=str)])


def _digest(what: object) -> str:
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:32]
