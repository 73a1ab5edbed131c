"""In which order entrants are seeded."""

from django.db.models import F, OuterRef, Subquery

from arena.models import Entrant, Tournament, TournamentEntrant, TournamentEntrantStatus


def order(*, tournament: Tournament) -> list[TournamentEntrant]:
    """Return those who are in, the strongest first; bots, owners and versions loaded.

    By the seeds that organizers gave, then by the number on the ladder, bots that were never on it
    last, then by when they entered. From the freeze on everybody has a seed. `ladder_rating` has
    the number, None where there is none.
    """
    numbers = Entrant.objects.filter(ladder=tournament.ladder_id, bot=OuterRef("bot"))
    rows = tournament.entrants.filter(status=TournamentEntrantStatus.ENTERED)
    return list(
        rows.select_related("bot__owner", "bot__active_version", "version")
        .annotate(ladder_rating=Subquery(numbers.values("rating")[:1]))
        .order_by(
            F("seed").asc(nulls_last=True),
            F("ladder_rating").desc(nulls_last=True),
            "entered_at",
            "pk",
        )
    )


def give(*, tournament: Tournament) -> list[TournamentEntrant]:
    """Seed those who are in from 1 on, for good; return them in that order."""
    entrants = order(tournament=tournament)
    tournament.entrants.update(seed=None)  # a seed is never given twice, even for a moment
    for seed, entrant in enumerate(entrants, start=1):
        entrant.seed = seed
    TournamentEntrant.objects.bulk_update(entrants, ["seed"])
    return entrants
