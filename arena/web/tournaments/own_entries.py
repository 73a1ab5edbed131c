"""The visitor's own bots in a tournament: whether they are entered, and what they play next."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.domain.formats.types import PairingState
from arena.domain.tournaments import changes
from arena.models import (
    Match,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)
from arena.texts import lists
from arena.texts.names import isolated
from arena.texts.tournaments import OWN_ENTRY
from arena.web.tournaments import pairing_lines
from arena.web.tournaments.page_visibility import Showing


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """A bot of the visitor in a tournament; `said` states what happens next for it.

    `match` is the match that `said` is about, if there is one to look at.
    """

    entrant: TournamentEntrant
    said: str
    match: Match | None = None
    can_leave: bool = False
    can_choose: bool = False
    can_answer: bool = False


def of(showing: Showing) -> list[OwnEntry]:
    """Return the visitor's bots that are in the tournament, left it, or are invited."""
    if not isinstance(showing.viewer, User):
        return []
    rows = showing.tournament.entrants.filter(bot__owner=showing.viewer)
    rows = rows.exclude(status=TournamentEntrantStatus.DECLINED)
    return [_own(showing, row) for row in rows.select_related("bot__owner", "version__bot__owner")]


def _own(showing: Showing, entrant: TournamentEntrant) -> OwnEntry:
    is_in = entrant.status == TournamentEntrantStatus.ENTERED
    is_early = showing.tournament.is_before_freeze
    text, match = _next(showing, entrant)
    return OwnEntry(
        entrant=entrant,
        said=text,
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
        if entrant.version is None:
            return _said("entered:active"), None
        return _said("entered:version", version=entrant.version.number), None
    if status == TournamentStatus.CANCELLED:
        return _said("cancelled"), None
    if status not in changes.UNDER_WAY:
        return _place(showing, entrant), None
    return _under_way(showing, entrant)


def _not_in(showing: Showing, entrant: TournamentEntrant) -> str:
    if entrant.status == TournamentEntrantStatus.INVITED:
        if showing.tournament.is_before_freeze:
            return _said("invited")
        return _said("not_answered")
    if entrant.status == TournamentEntrantStatus.DISQUALIFIED:
        return _said("disqualified")
    if not entrant.until_round or entrant.until_round > showing.seen:
        return _said("withdrawn")  # say nothing about a round that is not shown
    return _said("withdrawn:round", round=entrant.until_round)


def _place(showing: Showing, entrant: TournamentEntrant) -> str:
    if showing.is_partial:
        return _said("finished:partly")
    rank = next((row.rank for row in showing.picture.standings if row.entrant == entrant.pk), None)
    return _said("finished:rank", rank=rank) if rank else ""


def _under_way(showing: Showing, entrant: TournamentEntrant) -> tuple[str, Match | None]:
    if not showing.has_begun:
        return _said("round_1"), None
    if showing.is_partial:
        return _said("not_shown", round=showing.next), None
    own = [meeting for meeting in showing.picture.state.meetings if entrant.pk in meeting.entrants]
    now = next((meeting for meeting in own if not meeting.is_over), None)
    if now is None:
        return _waits(showing, entrant, own), None
    line = pairing_lines.line(showing.picture, now)
    others = _others(showing, entrant, now)
    is_open = (match for match in line.matches if match.is_open)
    match = next(is_open, line.matches[-1] if line.matches else None)
    return _said("against", round=now.round, others=others, state=line.said), match


def _waits(showing: Showing, entrant: TournamentEntrant, own: Sequence[PairingState]) -> str:
    last = showing.picture.state.rounds
    if entrant.pk in [row.pk for row in pairing_lines.resting(showing.picture, last)]:
        return _said("rests", round=last)
    if not own or own[-1].round < last:
        return _said("not_paired", round=last)
    line = pairing_lines.line(showing.picture, own[-1])
    if line.said or not own[-1].scores:
        result = f"{_said('round', round=last)} {line.said}".strip()
    else:
        others = _others(showing, entrant, own[-1])
        score = pairing_lines.score(own[-1], entrant.pk)
        result = _said("score", round=last, score=score, others=others)
    return f"{result} {_said('next_round')}"


def _others(showing: Showing, entrant: TournamentEntrant, meeting: PairingState) -> str:
    others = (showing.picture.entrants[pk] for pk in meeting.entrants if pk != entrant.pk)
    return lists.all_of(isolated(other.bot.name) for other in others)


def _said(slug: str, **values: object) -> str:
    return str(OWN_ENTRY[slug] % values)
