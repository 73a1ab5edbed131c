"""Annulments: staff decides that rated matches no longer count, after a preview."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.ratings import rating_events, refits
from arena.domain.ratings.fit import Fit
from arena.domain.ratings.rating_events import NO_GAMES
from arena.models import Annulment, Bot, Entrant, Ladder, Match, User

COUNTS = ("games", "wins", "draws", "losses")


@dataclass(frozen=True, slots=True)
class Change:
    """The rating of an entrant, and its place by it, with some matches and without them.

    A rating is None if no match rates the version.
    """

    entrant: Entrant
    rank_before: int
    rank_after: int
    before: float | None
    after: float | None


def matches_of(*, ladder: Ladder, bot: Bot) -> list[Match]:
    """Return the bot's matches that can be annulled, in the order in which they were rated.

    Only matches of the open season can be: archived seasons do not change.
    """
    with transaction.atomic():
        rating_events.locked(ladder=ladder)
    rows = rating_events.rated_matches(
        ladder=ladder, after=rating_events.season_begins_after(ladder=ladder)
    )
    return list(rows.filter(annulment=None, entrants__version__bot=bot).distinct())


def preview(*, matches: Sequence[Match]) -> list[Change]:
    """Return what the annulment of these matches would change, without doing it.

    Two fits of all matches are compared, with these matches and without them. The list has all
    active entrants, the best of the new leaderboard first. Raise Refused like `annul`.
    """
    with transaction.atomic():
        ladder = rating_events.locked(ladder=_ladder_of(matches))
    _check(ladder, matches)
    place = ladder.next_finish_number - 1
    left_out = frozenset(match.pk for match in matches)
    rows = ladder.entrants.filter(active=True).select_related("bot__owner", "version")
    entrants = list(rows)
    before, after = (
        _ratings(entrants, refits.at(ladder=ladder, place=place, without=without))
        for without in (frozenset[int](), left_out)
    )
    ranks, ranks_after = refits.ranks(before), refits.ranks(after)
    changes = [
        Change(
            entrant=entrant,
            rank_before=ranks[entrant.bot_id],
            rank_after=ranks_after[entrant.bot_id],
            before=before[entrant.bot_id],
            after=after[entrant.bot_id],
        )
        for entrant in entrants
    ]
    return sorted(changes, key=lambda row: (row.rank_after, row.rank_before))


def annul(*, matches: Sequence[Match], by: User, reason: str) -> Annulment:
    """Annul these matches: the next fit leaves them out, and so do the counts of games.

    Raise Refused unless they are finished, rated, not annulled, and of the open season of one
    ladder. The annulment takes the ladder's next finish number; no rating event changes.
    """
    ladder = _ladder_of(matches)
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. It is public."), field="reason")
    with transaction.atomic():
        ladder = rating_events.locked(ladder=ladder)
        _check(ladder, matches)
        place = ladder.next_finish_number
        annulment = Annulment.objects.create(
            ladder=ladder, finish_number=place, by=by, reason=reason.strip()
        )
        Match.objects.filter(pk__in=[match.pk for match in matches]).update(annulment=annulment)
        _count_again(ladder, matches)
        ladder.next_finish_number += 1
        ladder.save(update_fields=["next_finish_number"])
    return annulment


def _ratings(entrants: Sequence[Entrant], fitted: Fit) -> dict[int, float | None]:
    return {
        entrant.bot_id: refits.columns(fitted, entrant.version_id)["rating"] for entrant in entrants
    }


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
        finish_number__gt=rating_events.season_begins_after(ladder=ladder),
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


def _count_again(ladder: Ladder, matches: Sequence[Match]) -> None:
    """Set the counts of the entrants that played these matches."""
    bots = Bot.objects.filter(versions__match_entries__match__in=[match.pk for match in matches])
    entrants = ladder.entrants.filter(bot__in=bots).lock()  # before the events are counted
    tallies = rating_events.tallies(
        ladder=ladder, after=rating_events.season_begins_after(ladder=ladder)
    )
    for entrant in entrants:
        tally = tallies.get(entrant.version_id)
        counts = tally.counts if tally else NO_GAMES
        for name, count in rating_events.as_columns(counts).items():
            setattr(entrant, name, count)
    Entrant.objects.bulk_update(entrants, COUNTS, batch_size=rating_events.CHUNK)
