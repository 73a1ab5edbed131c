"""A pairing as pages show it: its entrants, its result, and an explanation in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from arena.domain.formats import scoring
from arena.domain.formats.brackets import BracketCell
from arena.domain.formats.types import Decision, DecisionNote, PairingState
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Match, MatchStatus, Pairing, TournamentEntrant, TournamentStatus
from arena.texts import lists
from arena.texts.names import isolated
from arena.texts.tournaments import PAIRING
from arena.web.tournaments import figures, round_names

IN_WORK = (MatchStatus.LEASED, MatchStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class Side:
    """An entrant in a pairing and its points in games; None while there is no result."""

    entrant: TournamentEntrant
    points: float | None
    is_best: bool


@dataclass(frozen=True, slots=True)
class PairingLine:
    """A pairing, its sides in the order of their places, and its state.

    `state` is over, playing or waiting; `said` is empty if the score is enough. `part` names the
    part of the pairing (the final, a group), if the pairings of its round are in different parts.
    """

    row: Pairing
    sides: Sequence[Side]
    state: str
    said: str
    matches: Sequence[Match]
    part: str = ""

    @property
    def anchor(self) -> str:
        """The anchor of the pairing on the page of its round."""
        return f"pairing-{self.row.number}"


def of_round(picture: TournamentSnapshot, number: int) -> list[PairingLine]:
    """Return the pairings of a round, grouped by part, in order."""
    parts = round_names.parts_of_round(picture, number)
    order = list(dict.fromkeys(parts.values()))
    meetings = [meeting for meeting in picture.state.meetings if meeting.round == number]
    lines = [
        replace(line(picture, meeting), part=parts.get((number, meeting.number), ""))
        for meeting in sorted(meetings, key=attrgetter("number"))
    ]
    return sorted(lines, key=lambda row: order.index(row.part) if row.part else -1)


def resting(picture: TournamentSnapshot, number: int) -> Sequence[TournamentEntrant]:
    """Return the entrants that rest in a round; empty if the format has no rests.

    A bye is a pairing, and an entrant that is out of a bracket does not rest.
    """
    if not picture.format.has_rests(picture.state, number):
        return []
    meetings = [meeting for meeting in picture.state.meetings if meeting.round == number]
    paired = {pk for meeting in meetings for pk in meeting.entrants}
    entries = [entry for entry in picture.state.entries if entry.is_in(number)]
    return [picture.entrants[entry.id] for entry in entries if entry.id not in paired]


def line(picture: TournamentSnapshot, meeting: PairingState) -> PairingLine:
    """Return one pairing."""
    row = picture.pairings[meeting.round, meeting.number]
    matches = picture.matches.get(row.pk, [])
    cell = picture.bracket.find(meeting.slot) if meeting.slot and picture.bracket else None
    begun = any(match.status in IN_WORK for match in matches)
    scores = {pk: meeting.score_of(pk) for pk in meeting.entrants}
    points = {pk: scoring.game_points(own) for pk, own in scores.items() if own}
    most = max(points.values(), default=0.0)
    is_level = len(set(points.values())) <= 1
    if cell:
        best = [cell.winner]
    else:
        best = [] if is_level else [pk for pk, own in points.items() if own == most]
    return PairingLine(
        row=row,
        sides=[Side(picture.entrants[pk], points.get(pk), pk in best) for pk in meeting.entrants],
        state="over" if meeting.is_over else "playing" if begun else "waiting",
        said=_said(picture, meeting, cell, row, matches),
        matches=matches,
    )


def score(meeting: PairingState, first: int) -> str:
    """Return the score of a finished meeting, with the points of `first` first: 1½, a dash, ½."""
    order = sorted(meeting.entrants, key=lambda pk: pk != first)
    scores = [meeting.score_of(pk) for pk in order]
    return "\N{EN DASH}".join(figures.halves(scoring.game_points(own)) for own in scores if own)


def _said(
    picture: TournamentSnapshot,
    meeting: PairingState,
    cell: BracketCell | None,
    row: Pairing,
    matches: Sequence[Match],
) -> str:
    """Return an explanation of the result, or of the progress."""
    extra = row.matches_wanted - picture.tournament.matches_per_pairing
    done = sum(match.status == MatchStatus.FINISHED for match in matches)
    own_scores = ((pk, meeting.score_of(pk)) for pk in meeting.entrants)
    absent = [
        isolated(picture.entrants[pk].bot.name) for pk, own in own_scores if own and not own.wins
    ]
    winner = None if row.award is None else picture.entrants[meeting.entrants[row.award]]
    values = {
        "names": lists.all_of(absent),
        "name": isolated(winner.bot.name) if winner else "",
        "games": picture.setup.games,
        "extra": extra,
        "done": done,
        "wanted": row.matches_wanted,
    }
    if cell and cell.note:
        case = _settled(cell.note, 0 if meeting.decision else extra)
    elif meeting.decision:
        case = _decided(meeting, values)
    elif meeting.is_over:
        case = "extra" if extra > 0 else ""
    else:
        case = _open(picture.tournament.status, row, matches)
    return str(PAIRING[case] % values) if case else ""


def _settled(note: DecisionNote, extra: int) -> str:
    """Return why one of several tied entrants advances; `extra` matches did not break the tie."""
    if note.code == "bracket_nobody":
        return "nobody"
    code = "bracket_extra" if note.code == "bracket_level" and extra > 0 else note.code
    return f"{code}:left" if note.details["left"] else f"{code}:seed"


def _decided(meeting: PairingState, values: Mapping[str, object]) -> str:
    match meeting.decision:
        case Decision.BYE:
            return "bye:bracket" if meeting.slot else "bye:scores"
        case Decision.WALKOVER:
            return "walkover:absent" if values["names"] else "walkover"
        case Decision.AWARD:
            return "award" if values["name"] else "award:shared"
        case _:
            return "void"


def _open(status: str, row: Pairing, matches: Sequence[Match]) -> str:
    """Return the progress of an open pairing, or why it is not played now."""
    if status in (TournamentStatus.CANCELLED, TournamentStatus.PAUSED):
        return status
    if any(match.status == MatchStatus.FAILED for match in matches):
        return "failed"
    if row.matches_wanted > 1:
        return "partly"
    return "playing" if any(match.status in IN_WORK for match in matches) else "waiting"
