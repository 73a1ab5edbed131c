"""Matches that count no longer: what that changes, and the word of staff that makes it so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.ratings import rating_table
from arena.domain.ratings.rating_table import NO_GAMES, RatingTable
from arena.models import (
    Annulment,
    Bot,
    Entrant,
    Ladder,
    Match,
    RatingAdjustment,
    User,
)


@dataclass(frozen=True, slots=True)
class Change:
    """A line of the leaderboard as it is and as it would be: rank and number."""

    entrant: Entrant
    rank_before: int
    rank_after: int
    before: float
    after: float


def matches_of(*, ladder: Ladder, bot: Bot) -> list[Match]:
    """Return the bot's matches that can be annulled, in the order in which they were rated.

    They are those of the open season: what is archived stays as it is.
    """
    rows = rating_table.rated_matches(
        ladder=ladder, after=rating_table.season_begins_after(ladder=ladder)
    )
    return list(rows.filter(annulment=None, entrants__version__bot=bot).distinct())


def preview(*, matches: Sequence[Match]) -> list[Change]:
    """Return the leaderboard as it would be without these matches, best first; nothing is changed.

    Only the active entrants are on it. Raise Refused like `annul`.
    """
    ladder = _ladder_of(matches)
    _check(ladder, matches)
    after = rating_table.at_season_start(ladder=ladder)
    _play_on(after, ladder, matches)
    entrants = list(ladder.entrants.filter(active=True).select_related("bot__owner", "version"))
    before = {entrant.bot_id: entrant.rating for entrant in entrants}
    then = {bot: after.number(bot) for bot in before}
    at, at_then = ranks(before), ranks(then)
    changes = [
        Change(
            entrant=entrant,
            rank_before=at[entrant.bot_id],
            rank_after=at_then[entrant.bot_id],
            before=before[entrant.bot_id],
            after=then[entrant.bot_id],
        )
        for entrant in entrants
    ]
    return sorted(changes, key=lambda change: (change.rank_after, change.rank_before))


def annul(*, matches: Sequence[Match], by: User, reason: str) -> Annulment:
    """Let these matches count no longer: the ladder stands as if they had not been played.

    They are finished, rated, not annulled, of one ladder and of its open season; else Refused. The
    annulment takes the ladder's next finish number; what it does to numbers and counts is written
    as adjustments, and no event is touched. The season is played again before the lock is taken;
    under it, only what came in meanwhile. Where that was another annulment or the season's end,
    Refused: the preview is not true any more.
    """
    ladder = _ladder_of(matches)
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. It is public."), field="reason")
    after = rating_table.at_season_start(ladder=ladder)
    turns = ladder.annulments.count()
    _play_on(after, ladder, matches)
    with transaction.atomic():
        locked = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        if (locked.season_number, locked.annulments.count()) != (ladder.season_number, turns):
            raise Refused(
                "ladder_moved_on",
                _("Somebody else corrected the ladder meanwhile. Look at the preview again."),
            )
        _check(locked, matches)
        _play_on(after, locked, matches)
        return _store(locked, after, matches, by, reason.strip())


def _ladder_of(matches: Sequence[Match]) -> Ladder:
    ladders = Ladder.objects.filter(pk__in={match.ladder_id for match in matches})
    if len(ladders) != 1:
        raise Refused("one_ladder", _("Choose matches of one ladder, and at least one."))
    return ladders[0]


def _check(ladder: Ladder, matches: Sequence[Match]) -> None:
    """Refuse where one of the matches cannot be annulled; looks at the rows as they are stored."""
    rated = Match.objects.rated().finished()
    standing = rated.filter(
        pk__in=[match.pk for match in matches],
        finish_number__gt=rating_table.season_begins_after(ladder=ladder),
    ).values_list("pk", flat=True)
    wrong = {match.pk: match for match in matches}
    for match_pk in standing:
        wrong.pop(match_pk)
    if wrong:
        raise Refused(
            "not_annullable",
            _(
                "Only finished rated matches of the open season can be annulled, and once:"
                " not %(match)s."
            )
            % {"match": next(iter(wrong.values()))},
        )


def _play_on(book: RatingTable, ladder: Ladder, without: Sequence[Match]) -> None:
    """Move the book on over all that stands but these, to the last match that has finished."""
    ladder.refresh_from_db(fields=["next_finish_number"])
    until = ladder.next_finish_number
    left_out = {match.pk for match in without}
    standing = rating_table.rated_matches(ladder=ladder, after=book.place, until=until)
    rating_table.replay(book=book, matches=standing.filter(annulment=None), without=left_out)
    book.place = until - 1


def _store(
    ladder: Ladder, after: RatingTable, matches: Sequence[Match], by: User, reason: str
) -> Annulment:
    place = ladder.next_finish_number
    annulment = Annulment.objects.create(ladder=ladder, finish_number=place, by=by, reason=reason)
    before = rating_table.present(ladder=ladder)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(annulment=annulment)
    rows = list(rating_table.adjustments(before, after))
    for row in rows:
        row.ladder, row.annulment, row.finish_number = ladder, annulment, place
    RatingAdjustment.objects.bulk_create(rows, batch_size=rating_table.CHUNK)
    _correct_entrants(ladder, after, {before.bots[row.version_id] for row in rows})
    ladder.next_finish_number += 1
    ladder.save(update_fields=["next_finish_number"])
    return annulment


def _correct_entrants(ladder: Ladder, after: RatingTable, bots: set[int]) -> None:
    entrants = list(ladder.entrants.filter(bot__in=bots))
    for entrant in entrants:
        counts = after.counts.get(entrant.version_id, NO_GAMES)
        entrant.rating, entrant.games = after.number(entrant.bot_id), counts.games
        entrant.wins, entrant.draws, entrant.losses = counts
    columns = ["rating", "games", "wins", "draws", "losses"]
    Entrant.objects.bulk_update(entrants, columns, batch_size=rating_table.CHUNK)


def ranks(numbers: Mapping[int, float]) -> dict[int, int]:
    """Return the rank of each by its number; equal numbers share one."""
    first: dict[float, int] = {}
    for place, number in enumerate(sorted(numbers.values(), reverse=True), start=1):
        first.setdefault(number, place)
    return {key: first[number] for key, number in numbers.items()}
