"""What a tournament means for the visitor's own bots: entered or not, and what they play next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.domain.formats.types import PairingState
from arena.domain.tournaments import stages
from arena.models import (
    Match,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)
from arena.web.tournaments import pairing_lines, standing_lines
from arena.web.tournaments.page_visibility import Showing


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """A bot of the visitor in a tournament; `said` is what comes next for it.

    `match` is the one that is meant, where there is one to look at.
    """

    entrant: TournamentEntrant
    said: str
    match: Match | None = None
    can_leave: bool = False
    can_choose: bool = False
    can_answer: bool = False


def of(showing: Showing) -> list[OwnEntry]:
    """Return the visitor's bots that are in the tournament, were, or are invited."""
    if not isinstance(showing.viewer, User):
        return []
    rows = showing.tournament.entrants.filter(bot__owner=showing.viewer)
    rows = rows.exclude(status=TournamentEntrantStatus.DECLINED)
    return [_own(showing, row) for row in rows.select_related("bot__owner", "version__bot__owner")]


def _own(showing: Showing, entrant: TournamentEntrant) -> OwnEntry:
    is_in = entrant.status == TournamentEntrantStatus.ENTERED
    is_early = showing.tournament.is_before_freeze
    said, match = _next(showing, entrant)
    return OwnEntry(
        entrant=entrant,
        said=said,
        match=match,
        can_leave=is_in and (is_early or showing.is_moving),
        can_choose=is_in and is_early,
        can_answer=is_early and entrant.status == TournamentEntrantStatus.INVITED,
    )


def _next(showing: Showing, entrant: TournamentEntrant) -> tuple[str, Match | None]:
    if entrant.status != TournamentEntrantStatus.ENTERED:
        return _not_in(showing, entrant), None
    status = showing.tournament.status
    if showing.tournament.is_before_freeze:
        return _version(entrant), None
    if status == TournamentStatus.CANCELLED:
        return _("The tournament was cancelled."), None
    if status not in stages.UNDER_WAY:
        return _place(showing, entrant), None
    return _under_way(showing, entrant)


def _not_in(showing: Showing, entrant: TournamentEntrant) -> str:
    if entrant.status == TournamentEntrantStatus.INVITED:
        if showing.tournament.is_before_freeze:
            return _("It is invited. Accept or decline until versions are frozen.")
        return _("It was invited and nobody answered.")
    said = standing_lines.mark(entrant, rounds=showing.seen)
    return said[:1].upper() + said[1:] + "."


def _version(entrant: TournamentEntrant) -> str:
    if entrant.version is None:
        return _("Entered. It plays the version that is active when versions are frozen.")
    said = _("Entered with version %(number)d.")
    return said % {"number": entrant.version.number}


def _place(showing: Showing, entrant: TournamentEntrant) -> str:
    if showing.is_partial:
        return _("Played to the end. Not all rounds are shown yet.")
    rank = next((row.rank for row in showing.picture.standings if row.entrant == entrant.pk), None)
    return _("Finished at place %(rank)d.") % {"rank": rank} if rank else ""


def _under_way(showing: Showing, entrant: TournamentEntrant) -> tuple[str, Match | None]:
    if not showing.has_begun:
        return _("Waits for round 1."), None
    if showing.is_partial:
        said = _("Rounds from %(number)d on are not shown yet.")
        return said % {"number": showing.next}, None
    own = [each for each in showing.picture.state.meetings if entrant.pk in each.entrants]
    now = next((each for each in own if not each.is_over), None)
    if now is not None:
        return _now(showing, entrant, now)
    return _waits(showing, entrant, own), None


def _now(
    showing: Showing, entrant: TournamentEntrant, meeting: PairingState
) -> tuple[str, Match | None]:
    line = pairing_lines.line(showing.picture, meeting)
    others = [showing.picture.entrants[pk].bot.name for pk in meeting.entrants if pk != entrant.pk]
    said = _("Round %(number)d against %(others)s: %(state)s.") % {
        "number": meeting.round,
        "others": _(" and ").join(others),
        "state": line.said,
    }
    is_open = (match for match in line.matches if match.is_open)
    return said, next(is_open, line.matches[-1] if line.matches else None)


def _waits(showing: Showing, entrant: TournamentEntrant, own: Sequence[PairingState]) -> str:
    last = showing.picture.state.rounds
    if entrant.pk in [each.pk for each in pairing_lines.resting(showing.picture, last)]:
        return _("Rests in round %(number)d, as everybody does in turn.") % {"number": last}
    if not own or own[-1].round < last:
        return _("Not paired in round %(number)d.") % {"number": last}
    return _("Round %(last)d: %(result)s. Waits for the next round.") % {
        "last": last,
        "result": _result(showing, entrant, own[-1]),
    }


def _result(showing: Showing, entrant: TournamentEntrant, meeting: PairingState) -> str:
    line = pairing_lines.line(showing.picture, meeting)
    if line.said or not meeting.scores:
        return line.said.rstrip(".")
    others = [showing.picture.entrants[pk].bot.name for pk in meeting.entrants if pk != entrant.pk]
    return _("%(score)s against %(others)s") % {
        "score": pairing_lines.score(meeting, entrant.pk),
        "others": _(" and ").join(others),
    }
