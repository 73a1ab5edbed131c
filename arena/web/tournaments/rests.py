"""Who rests in a round: where everybody meets everybody and they are odd, somebody does."""

from collections.abc import Sequence

from arena.domain.formats import groups
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import TournamentEntrant

ROUND_ROBINS = ("round_robin", "double_round_robin")


def of_round(picture: TournamentSnapshot, number: int) -> Sequence[TournamentEntrant]:
    """Return those who are in no pairing of a round and rest; nobody where nobody ever rests.

    A bye is a pairing, and who is out of a bracket does not rest.
    """
    if not _has_rests(picture, number):
        return []
    meetings = [each for each in picture.state.meetings if each.round == number]
    paired = {pk for meeting in meetings for pk in meeting.entrants}
    there = [entry for entry in picture.state.entries if entry.is_in(number)]
    return [picture.entrants[entry.id] for entry in there if entry.id not in paired]


def _has_rests(picture: TournamentSnapshot, number: int) -> bool:
    if picture.tournament.format == "groups_playoff":
        return number <= groups.group_rounds(picture.state)
    return picture.tournament.format in ROUND_ROBINS
