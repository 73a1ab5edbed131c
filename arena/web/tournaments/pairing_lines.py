"""A pairing as a page shows it: who meets whom, what came of it, and why, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext, ngettext

from arena.domain.formats import scoring
from arena.domain.formats.brackets import BracketCell
from arena.domain.formats.types import Decision, PairingState
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Match, MatchStatus, Pairing, TournamentEntrant, TournamentStatus
from arena.web.tournaments import figures, round_names, settlements

IN_WORK = (MatchStatus.LEASED, MatchStatus.RUNNING)
DASH = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Side:
    """An entrant in a pairing and its points in games; None while there is no result."""

    entrant: TournamentEntrant
    points: float | None
    is_best: bool


@dataclass(frozen=True, slots=True)
class PairingLine:
    """A pairing, its sides in the order of their places, and where it stands.

    `state` is over, playing or waiting; `said` is empty where the score says all. `part` is what it
    is (the final, a group), where pairings of its round differ in that.
    """

    row: Pairing
    sides: Sequence[Side]
    state: str
    said: str
    matches: Sequence[Match]
    part: str = ""

    @property
    def anchor(self) -> str:
        """The name of its place on the page of its round."""
        return f"pairing-{self.row.number}"


def of_round(picture: TournamentSnapshot, number: int) -> list[PairingLine]:
    """Return the pairings of a round: those of a part together, in their order."""
    parts = round_names.parts_of_round(picture, number)
    order = list(dict.fromkeys(parts.values()))
    meetings = [each for each in picture.state.meetings if each.round == number]
    lines = [
        replace(line(picture, each), part=parts.get((number, each.number), ""))
        for each in sorted(meetings, key=lambda each: each.number)
    ]
    return sorted(lines, key=lambda each: order.index(each.part) if each.part else -1)


def resting(picture: TournamentSnapshot, number: int) -> Sequence[TournamentEntrant]:
    """Return the entrants that rest in a round; nobody if the format has no rests.

    A bye is a pairing, and an entrant that is out of a bracket does not rest.
    """
    if not picture.format.has_rests(picture.state, number):
        return []
    meetings = [each for each in picture.state.meetings if each.round == number]
    paired = {pk for meeting in meetings for pk in meeting.entrants}
    there = [entry for entry in picture.state.entries if entry.is_in(number)]
    return [picture.entrants[entry.id] for entry in there if entry.id not in paired]


def line(picture: TournamentSnapshot, meeting: PairingState) -> PairingLine:
    """Return one pairing."""
    row = picture.pairings[meeting.round, meeting.number]
    matches = picture.matches.get(row.pk, [])
    cell = _cell(picture, meeting)
    return PairingLine(
        row=row,
        sides=_sides(picture, meeting, cell),
        state=_state(meeting, matches),
        said=_settled(picture, meeting, row, cell) or _said(picture, meeting, row, matches),
        matches=matches,
    )


def title(picture: TournamentSnapshot, meeting: PairingState) -> str:
    """Name a pairing by who meets in it."""
    return f" {DASH} ".join(picture.entrants[pk].bot.name for pk in meeting.entrants)


def score(meeting: PairingState, first: int) -> str:
    """Say the score of a meeting that is over, an entrant's own points first: 1½, a dash, ½."""
    order = sorted(meeting.entrants, key=lambda pk: pk != first)
    scores = [meeting.score_of(pk) for pk in order]
    return DASH.join(figures.halves(scoring.game_points(each)) for each in scores if each)


def _cell(picture: TournamentSnapshot, meeting: PairingState) -> BracketCell | None:
    """Return its place in the bracket, where it has one."""
    return picture.bracket.find(meeting.slot) if meeting.slot and picture.bracket else None


def _sides(
    picture: TournamentSnapshot, meeting: PairingState, cell: BracketCell | None
) -> list[Side]:
    scores = {pk: meeting.score_of(pk) for pk in meeting.entrants}
    points = {pk: scoring.game_points(own) for pk, own in scores.items() if own}
    best = [cell.winner] if cell else _best(points)
    return [Side(picture.entrants[pk], points.get(pk), pk in best) for pk in meeting.entrants]


def _best(points: Mapping[int, float]) -> list[int]:
    """Return those who have most; nobody where all have as many."""
    if len(set(points.values())) < 2:  # noqa: PLR2004 - a difference
        return []
    return [pk for pk, own in points.items() if own == max(points.values())]


def _state(meeting: PairingState, matches: Sequence[Match]) -> str:
    if meeting.is_over:
        return "over"
    begun = any(match.status in IN_WORK for match in matches)
    return "playing" if begun else "waiting"


def _said(
    picture: TournamentSnapshot, meeting: PairingState, row: Pairing, matches: Sequence[Match]
) -> str:
    """Return why it has the result that it has, or how far it is."""
    names = {
        Decision.BYE: _bye,
        Decision.WALKOVER: _walkover,
        Decision.AWARD: _award,
        Decision.VOID: _void,
    }
    if explain := names.get(meeting.decision):
        return explain(picture, meeting, row)
    if meeting.is_over:
        return _with_extra(_extra(picture, row))
    return _stopped(picture) or _progress(row, matches)


def _settled(
    picture: TournamentSnapshot, meeting: PairingState, row: Pairing, cell: BracketCell | None
) -> str:
    """Return why one of those goes on who are level; empty where nobody has to be told."""
    if cell is None or cell.note is None:
        return ""
    return settlements.say(cell.note, extra=0 if meeting.decision else _extra(picture, row))


def _extra(picture: TournamentSnapshot, row: Pairing) -> int:
    return row.matches_wanted - picture.tournament.matches_per_pairing


def _bye(picture: TournamentSnapshot, meeting: PairingState, _row: Pairing) -> str:
    if meeting.slot:
        return gettext("Bye: goes on without a match.")
    games = picture.setup.games
    return ngettext(
        "Bye: nobody was left to meet. It counts as %(games)d game won.",
        "Bye: nobody was left to meet. It counts as %(games)d games won.",
        games,
    ) % {"games": games}


def _walkover(picture: TournamentSnapshot, meeting: PairingState, _row: Pairing) -> str:
    gone = [pk for pk in meeting.entrants if (own := meeting.score_of(pk)) and not own.wins]
    names = ", ".join(picture.entrants[pk].bot.name for pk in gone)
    if not names:
        return gettext("Walkover.")
    return gettext("Walkover: %(names)s did not play.") % {"names": names}


def _award(picture: TournamentSnapshot, meeting: PairingState, row: Pairing) -> str:
    if row.award is None:
        return gettext("Decided by an organizer: they share the games.")
    name = picture.entrants[meeting.entrants[row.award]].bot.name
    return gettext("Decided by an organizer: awarded to %(name)s.") % {"name": name}


def _void(_picture: TournamentSnapshot, _meeting: PairingState, _row: Pairing) -> str:
    return gettext("Void: it counts for nobody.")


def _with_extra(extra: int) -> str:
    if extra <= 0:
        return ""
    return ngettext(
        "After %(extra)d more match, because it was level.",
        "After %(extra)d more matches, because it was level.",
        extra,
    ) % {"extra": extra}


def _stopped(picture: TournamentSnapshot) -> str:
    """Return why an open pairing is not played now, if the tournament itself has stopped."""
    status = picture.tournament.status
    if status == TournamentStatus.CANCELLED:
        return gettext("not played")
    return gettext("waits: paused") if status == TournamentStatus.PAUSED else ""


def _progress(row: Pairing, matches: Sequence[Match]) -> str:
    done = sum(match.status == MatchStatus.FINISHED for match in matches)
    if any(match.status == MatchStatus.FAILED for match in matches):
        return gettext("A match failed: the organizers decide.")
    if row.matches_wanted > 1:
        said = gettext("%(done)d of %(wanted)d matches played")
        return said % {"done": done, "wanted": row.matches_wanted}
    if any(match.status in IN_WORK for match in matches):
        return gettext("being played")
    return gettext("waits for a runner")
