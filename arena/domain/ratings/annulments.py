"""Annulments: staff decides that rated matches no longer count, after a preview."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.ratings import rating_table
from arena.domain.ratings.rating_table import NO_GAMES, RatingTable
from arena.models import Annulment, Bot, Entrant, Ladder, Match, RatingAdjustment, User


@dataclass(frozen=True, slots=True)
class Change:
    """The Elo number of an entrant, and its place by it, before and after a correction."""

    entrant: Entrant
    rank_before: int
    rank_after: int
    before: float
    after: float


def matches_of(*, ladder: Ladder, bot: Bot) -> list[Match]:
    """Return the bot's matches that can be annulled, in the order in which they were rated.

    Only matches of the open season can be: archived seasons do not change.
    """
    rows = rating_table.rated_matches(
        ladder=ladder, after=rating_table.season_begins_after(ladder=ladder)
    )
    return list(rows.filter(annulment=None, entrants__version__bot=bot).distinct())


def preview(*, matches: Sequence[Match]) -> list[Change]:
    """Return what the annulment of these matches would change, without doing it.

    The list has all active entrants, the best of the new leaderboard first. Raise Refused like
    `annul`.
    """
    ladder = _ladder_of(matches)
    _check(ladder, matches)
    after = rating_table.at_season_start(ladder=ladder)
    _play_on(after, ladder, matches)
    entrants = active_entrants(ladder=ladder)
    before = {entrant.bot_id: entrant.elo for entrant in entrants}
    return changes(entrants, before, {bot: after.rating(bot) for bot in before})


def active_entrants(*, ladder: Ladder) -> list[Entrant]:
    """Return the active entrants of a ladder, with their bots, owners and versions."""
    return list(ladder.entrants.filter(active=True).select_related("bot__owner", "version"))


def changes(
    entrants: Sequence[Entrant], before: Mapping[int, float], after: Mapping[int, float]
) -> list[Change]:
    """Compare two leaderboards, given as ratings by bot; the best of the second one first."""
    ranks, ranks_after = rating_table.ranks(before), rating_table.ranks(after)
    rows = [
        Change(
            entrant=entrant,
            rank_before=ranks[entrant.bot_id],
            rank_after=ranks_after[entrant.bot_id],
            before=before[entrant.bot_id],
            after=after[entrant.bot_id],
        )
        for entrant in entrants
    ]
    return sorted(rows, key=lambda row: (row.rank_after, row.rank_before))


def annul(*, matches: Sequence[Match], by: User, reason: str) -> Annulment:
    """Annul these matches: the ladder becomes what it would be if they had not been played.

    Raise Refused unless they are finished, rated, not annulled, and of the open season of one
    ladder. The annulment takes the ladder's next finish number. The changes of ratings and counts
    are stored as adjustments; no rating event changes. The season is replayed before the ladder is
    locked, and the matches that finished meanwhile are replayed under the lock. If another
    annulment or the end of the season came first, the preview is out of date: raise Refused.
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
                _("The ladder was corrected at the same moment. Look at the preview again."),
            )
        _check(locked, matches)
        _play_on(after, locked, matches)
        return _store(locked, after, matches, by, reason.strip())


def _ladder_of(matches: Sequence[Match]) -> Ladder:
    ladders = Ladder.objects.filter(pk__in={match.ladder_id for match in matches})
    if len(ladders) != 1:
        raise Refused("one_ladder", _("Choose at least one match, and only matches of one ladder."))
    return ladders[0]


def _check(ladder: Ladder, matches: Sequence[Match]) -> None:
    """Raise Refused if one of the matches, as they are stored now, cannot be annulled."""
    rows = Match.objects.rated().finished()
    annullable = rows.filter(
        pk__in=[match.pk for match in matches],
        finish_number__gt=rating_table.season_begins_after(ladder=ladder),
    ).values_list("pk", flat=True)
    wrong = {match.pk: match for match in matches}
    for match_pk in annullable:
        wrong.pop(match_pk)
    if wrong:
        raise Refused(
            "not_annullable",
            _(
                "Match %(match)s cannot be annulled. Only finished rated matches of the open"
                " season can, and only once."
            )
            % {"match": next(iter(wrong.values()))},
        )


def _play_on(table: RatingTable, ladder: Ladder, without: Sequence[Match]) -> None:
    """Advance the table by all finished matches that count, except those in `without`."""
    ladder.refresh_from_db(fields=["next_finish_number"])
    until = ladder.next_finish_number
    left_out = {match.pk for match in without}
    rows = rating_table.rated_matches(ladder=ladder, after=table.place, until=until)
    rating_table.replay(table=table, matches=rows.filter(annulment=None), without=left_out)
    table.place = until - 1


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
        entrant.elo, entrant.games = after.rating(entrant.bot_id), counts.games
        entrant.wins, entrant.draws, entrant.losses = counts
    columns = ["elo", "games", "wins", "draws", "losses"]
    Entrant.objects.bulk_update(entrants, columns, batch_size=rating_table.CHUNK)
