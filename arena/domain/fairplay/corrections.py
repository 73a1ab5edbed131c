"""Corrections of matches and ladders by staff: a dry run, then the action with a log entry.

A dry run has a digest of what would be done, and a confirmation contains the digest. If that is
something else by then, nothing is done, and the refusal contains the new dry run.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.accounts import staff_log
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.ratings import annulments, seasons
from arena.domain.ratings.annulments import Change
from arena.models import Annulment, Bot, Ladder, Match, MatchKind, Season, User

LINES_SHOWN = 500  # of a dry run on a page
MOST_FIT_S = 5.0  # what a fit may take while somebody waits for a page; a dry run needs two


@dataclass(frozen=True, slots=True)
class CorrectionDryRun:
    """What a correction would do, and the digest that a confirmation must contain.

    `changes` of the leaderboard are best first; the end of a season changes no rating. `until` is
    the latest finish number of the matches, or of the ladder if there are no matches.
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
    """The correction would be another than in the dry run. `fresh` is a new dry run."""

    def __init__(self, fresh: CorrectionDryRun) -> None:
        super().__init__(
            "not_as_previewed",
            _("The matches or the ladder have changed since the preview. Look at it again."),
        )
        self.fresh = fresh


def require_short_fit(*, ladder: Ladder) -> None:
    """Raise Refused if a request cannot wait for a fit of the ladder: the command `annul` can."""
    if ladder.fitted_in_s > MOST_FIT_S:
        raise Refused(
            "fit_too_long",
            _(
                "To rate %(ladder)s again takes about %(seconds)d seconds, which is too long here."
                " Ask the operator to run the command “annul”."
            )
            % {"ladder": ladder, "seconds": ladder.fitted_in_s},
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
    ladder = chosen[0].ladder
    return CorrectionDryRun(ladder, chosen, changes, _digest(ladder, chosen), until)


def annul(*, chosen: Sequence[Match], by: User, reason: str, seen: str) -> Annulment:
    """Annul matches and log it, if they are those of the dry run with the digest `seen`.

    The ladder must have been corrected by nobody else since. Raise NotAsPreviewed or Refused.
    """
    with transaction.atomic():
        # Without a match there is no ladder to look at, and `annulments` refuses.
        if not chosen or _digest(_locked(chosen[0].ladder), chosen) == seen:
            annulment = annulments.annul(matches=chosen, by=by, reason=reason)
            staff_log.note(
                by=by,
                action="annul",
                target=_listed(annulment.ladder, chosen),
                url=annulment.ladder.get_absolute_url(),
                reason=annulment.reason,
                details={
                    "matches": [match.public_id for match in chosen],
                    "finish_number": annulment.finish_number,
                },
            )
            return annulment
    raise NotAsPreviewed(try_annulment(chosen=chosen))


def try_end(*, ladder: Ladder) -> CorrectionDryRun:
    """Return the dry run of the end of the ladder's season."""
    return CorrectionDryRun(ladder, (), (), _digest(ladder, ()), ladder.next_finish_number - 1)


def end_season(*, ladder: Ladder, by: User, reason: str, seen: str) -> Season:
    """End the ladder's season and log it, if it is that of the dry run with the digest `seen`.

    Raise NotAsPreviewed or Refused.
    """
    _check_reason(reason)
    with transaction.atomic():
        locked = _locked(ladder)
        if _digest(locked, ()) != seen:
            raise NotAsPreviewed(try_end(ladder=locked))
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


def _is_seen(row: Change) -> bool:
    """Return whether the rank or the rounded rating changes."""
    before, after = (
        None if rating is None else round(rating) for rating in (row.before, row.after)
    )
    return (row.rank_before, before) != (row.rank_after, after)


def _locked(ladder: Ladder) -> Ladder:
    return Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)


def _digest(ladder: Ladder, chosen: Sequence[Match]) -> str:
    """Return a digest of the matches, and of the corrections of the ladder before."""
    past = [ladder.slug, ladder.season_number, ladder.annulments.count()]
    what = [*past, sorted(match.public_id for match in chosen)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:32]
