"""The order in which entrants are seeded."""

from django.db.models import F, OuterRef, Subquery

from arena.models import Entrant, Tournament, TournamentEntrant


def order(*, tournament: Tournament) -> list[TournamentEntrant]:
    """Return the entered entrants, strongest first, with bots, owners and versions loaded.

    The order is: seeds that organizers set, then rating on the ladder (bots without a rank last),
    then time of entry. After the freeze every entrant has a seed. `ladder_rating` is the rating, or
    None without a rank.
    """
    numbers = Entrant.objects.filter(
        ladder=tournament.ladder_id, bot=OuterRef("bot"), best_rank__isnull=False
    )
    rows = tournament.entrants.entered()
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
