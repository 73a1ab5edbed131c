"""A bracket for pages: parts and rounds with names, and the entrants and results of each cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.formats import scoring
from arena.domain.formats.brackets import BracketCell, BracketLine, BracketSection, Join
from arena.domain.formats.trees import Part
from arena.domain.formats.types import PAIR, Decision, PairingState
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import TournamentEntrant
from arena.web.tournaments import figures, pairing_lines, round_names, standing_lines
from arena.web.tournaments.pairing_lines import PairingLine

Names = Mapping[str, str]  # of pairings, by slot
DECISIONS: dict[Decision, str | Promise] = {
    Decision.BYE: _("bye"),
    Decision.WALKOVER: _("walkover"),
    Decision.AWARD: _("awarded"),
    Decision.VOID: _("void"),
}
STATES: dict[str, str | Promise] = {"playing": _("playing"), "waiting": _("to be played")}
PARTS: dict[Part, str | Promise] = {
    Part.UPPER: _("Upper bracket"),
    Part.LOWER: _("Lower bracket"),
    Part.FINAL: _("Finals"),
}


@dataclass(frozen=True, slots=True)
class LineShown:
    """One side of a cell; without an `entrant`, `said` states where the entrant will come from.

    `mark` is set only if the entrant had left and therefore did not play.
    """

    entrant: TournamentEntrant | None = None
    seed: int = 0
    said: str = ""
    points: str = ""
    has_won: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CellShown:
    """A cell, with the URL of its pairing and its state; `name` is its round and its number there.

    `state` is over, playing, waiting, later or idle. `badge` is a word for the state if the score
    is not enough, and `said` the whole sentence.
    """

    slot: str
    name: str
    is_fed: bool
    lines: Sequence[LineShown]
    state: str
    url: str = ""
    badge: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class ColumnShown:
    """A round of a part; None in `cells` is an empty place."""

    title: str
    round: int
    cells: Sequence[CellShown | None]
    join: Join


@dataclass(frozen=True, slots=True)
class SectionShown:
    """A part. `title` is empty if its only round has the same name, or if it is the only part."""

    part: Part
    title: str
    columns: Sequence[ColumnShown]


@dataclass(frozen=True, slots=True)
class BracketShown:
    """All parts, and the winner once it is known."""

    sections: Sequence[SectionShown]
    winner: TournamentEntrant | None


def of(picture: TournamentSnapshot) -> BracketShown | None:
    """Return the bracket, as far as the snapshot goes; None if the format has no bracket."""
    bracket = picture.bracket
    if bracket is None:
        return None
    names = {
        cell.slot: f"{column.round}.{cell.number}"
        for section in bracket.sections
        for column in section.columns
        for cell in column.cells
        if cell
    }
    has_parts = any(section.part == Part.LOWER for section in bracket.sections)
    return BracketShown(
        sections=[
            _section(picture, names, section, has_parts=has_parts) for section in bracket.sections
        ],
        winner=picture.entrants[bracket.winner] if bracket.winner is not None else None,
    )


def _section(
    picture: TournamentSnapshot, names: Names, section: BracketSection, *, has_parts: bool
) -> SectionShown:
    is_final = section.part == Part.FINAL
    return SectionShown(
        part=section.part,
        title=str(PARTS.get(section.part, "")) if has_parts else "",
        columns=[
            ColumnShown(
                title=round_names.of_column(picture, section, column),
                round=column.round,
                cells=[
                    _cell(picture, names, cell, may_be_idle=is_final and column.number > 1)
                    if cell
                    else None
                    for cell in column.cells
                ],
                join=column.join,
            )
            for column in section.columns
        ],
    )


def _cell(
    picture: TournamentSnapshot, names: Names, cell: BracketCell, *, may_be_idle: bool
) -> CellShown:
    """Return a cell; one that `may_be_idle` is the second final."""
    lines = [_line(picture, names, cell, line) for line in cell.lines]
    shown = CellShown(cell.slot, names[cell.slot], cell.is_fed, lines, state="later")
    if cell.meeting:
        pairing = pairing_lines.line(picture, cell.meeting)
        return replace(
            shown,
            state=pairing.state,
            url=_url(picture, cell.meeting, pairing),
            badge=_badge(cell, cell.meeting, pairing.state),
            said=pairing.said,
        )
    if cell.is_idle:
        text = gettext("Not needed: the unbeaten entrant won the grand final.")
        return replace(shown, lines=[], state="idle", said=text)
    if may_be_idle:
        text = gettext("Played only if the unbeaten entrant loses the grand final.")
        return replace(shown, said=text)
    return replace(shown, badge=str(DECISIONS[Decision.BYE])) if len(lines) == 1 else shown


def _url(picture: TournamentSnapshot, meeting: PairingState, pairing: PairingLine) -> str:
    """Return the URL of the only match of a pairing, or of the pairing in its round."""
    if len(pairing.matches) == 1:
        return pairing.matches[0].get_absolute_url()
    address = reverse("tournament-round", args=[picture.tournament.slug, meeting.round])
    return f"{address}#{pairing.anchor}"


def _badge(cell: BracketCell, meeting: PairingState, state: str) -> str:
    if state in STATES:
        return str(STATES[state])
    if meeting.decision in DECISIONS:
        return str(DECISIONS[meeting.decision])
    if not cell.note:
        return ""
    return gettext("other left") if cell.note.details["left"] else gettext("by seed")


def _line(
    picture: TournamentSnapshot, names: Names, cell: BracketCell, line: BracketLine
) -> LineShown:
    if line.entrant is None:
        is_duel = picture.setup.size == PAIR
        origin = {
            1: gettext("Winner of %(pairing)s"),
            2: gettext("Loser of %(pairing)s") if is_duel else gettext("Second of %(pairing)s"),
            3: gettext("Third of %(pairing)s"),
        }[line.source.place]
        return LineShown(said=origin % {"pairing": names[line.source.slot]})
    entrant = picture.entrants[line.entrant]
    is_shown = line.score is not None and len(cell.lines) > 1  # a bye has no score to show
    return LineShown(
        entrant=entrant,
        seed=line.seed,
        points=figures.halves(scoring.game_points(line.score)) if is_shown and line.score else "",
        has_won=line.has_won,
        mark=_mark(picture, cell, line, entrant),
    )


def _mark(
    picture: TournamentSnapshot, cell: BracketCell, line: BracketLine, entrant: TournamentEntrant
) -> str:
    """Return a note if an entrant left before a pairing or while it was open."""
    if entrant.until_round is None or (cell.meeting and line.has_won):
        return ""
    meeting = cell.meeting
    was_there = meeting and meeting.round <= entrant.until_round
    if was_there and meeting and meeting.decision != Decision.WALKOVER:
        return ""
    return standing_lines.mark(entrant, rounds=len(picture.rounds))
