"""Tournaments for tests: rows of any size in any status, and rounds that are played at once."""

from django.utils import timezone

from arena.domain.formats import catalogue
from arena.domain.tournaments import log
from arena.models import (
    Match,
    Tournament,
    TournamentEntrant,
    TournamentStatus,
)
from tests import factories
from tests.integration.tournaments import making

SECRET = "20261122" * 8
SEEDED = (
    TournamentStatus.FROZEN,
    TournamentStatus.RUNNING,
    TournamentStatus.PAUSED,
    TournamentStatus.COMPLETED,
    TournamentStatus.RELEASED,
)


def make_tournament(entrants=4, status=TournamentStatus.RUNNING, slug="", ladder=None, **columns):
    """Return a tournament with so many entrants, each with a ready version; pinned where frozen.

    A round robin on the ladder `classic` unless `columns` say otherwise. `organizers[0]` is who
    made it.
    """
    organizer = columns.pop("created_by", None) or factories.make_user()
    now = timezone.now()
    slug = slug or f"cup{Tournament.objects.count() + 1}"
    defaults = {
        "name": slug.title(),
        "ladder": ladder or factories.get_ladder(),
        "format": "round_robin",
        "secret": SECRET,
        "frozen_at": now if status in SEEDED else None,
        "started_at": now if status in SEEDED[1:] else None,
        "completed_at": now if status in SEEDED[3:] else None,
    }
    values = {**defaults, **columns}
    values.setdefault("tie_breaks", list(catalogue.find(values["format"]).tie_breaks))
    made = Tournament.objects.create(slug=slug, status=status, created_by=organizer, **values)
    made.organizers.add(organizer)
    if status == TournamentStatus.CANCELLED:
        log.write(tournament=made, action="opened")  # or nobody would know of it
    for number, version in enumerate(making.ready_for(made, entrants), start=1):
        pinned = {"version": version, "digest": version.digest, "seed": number}
        TournamentEntrant.objects.create(
            tournament=made,
            bot=version.bot,
            entered_by=version.bot.owner,
            **(pinned if status in SEEDED else {}),
        )
    return made


def open_matches(tournament):
    """Return the matches of a tournament that are not over, in the order of rounds and pairings."""
    rows = Match.objects.filter(pairing__round__tournament=tournament)
    ordered = rows.order_by("pairing__round__number", "pairing__number", "leg", "pk")
    return [match for match in ordered if match.is_open]


def play(match, *points):
    """Finish a match of two with these points of position 0, one number per game."""
    assert factories.play_out(match, points)


def play_by_seed(tournament):
    """Finish all open matches of two: the higher seed wins both games."""
    seeds = dict(tournament.entrants.values_list("version", "seed"))
    for match in open_matches(tournament):
        first, second = (entrant.version_id for entrant in match.entrants.order_by("position"))
        points = 1.0 if seeds[first] < seeds[second] else 0.0
        play(match, points, points)
