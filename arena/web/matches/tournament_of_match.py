"""The tournament of a match, as the page of the match shows it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.domain.formats import catalogue
from arena.domain.tournaments import snapshot, visibility
from arena.models import Match, Pairing, Tournament, Viewer
from arena.web.tournaments import round_names


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """A tournament and the name of the match in it (Round 3, Final), whose page is `url`."""

    tournament: Tournament
    title: str
    url: str


def of(*, match: Match, viewer: Viewer) -> MatchEvent | None:
    """Return the tournament of a match; None for a ladder match or if the viewer may not see it."""
    if match.pairing_id is None:
        return None
    rows = Pairing.objects.select_related("round__tournament__ladder")
    pairing = rows.get(pk=match.pairing_id)
    tournament, number = pairing.round.tournament, pairing.round.number
    seen = visibility.rounds_seen(tournament=tournament, viewer=viewer)
    if number > seen:
        return None
    return MatchEvent(
        tournament=tournament,
        title=_title(tournament, pairing, seen),
        url=f"{pairing.round.get_absolute_url()}#pairing-{pairing.number}",
    )


def _title(tournament: Tournament, pairing: Pairing, seen: int) -> str:
    """Return the name of the round; in a bracket, this needs all rounds that the viewer may see."""
    number = pairing.round.number
    if not catalogue.find(tournament.format).has_bracket:
        return _("Round %(number)d") % {"number": number}
    picture = snapshot.load(tournament=tournament, rounds=seen)
    part = round_names.parts_of_round(picture, number).get((number, pairing.number))
    return part or round_names.of_round(picture, number).title
