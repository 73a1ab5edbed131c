"""A bracket as a page shows it: parts and rounds with their names, who is where, and what for."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.formats import brackets, groups, scoring
from arena.domain.formats.brackets import Cell, Column, Join, Line, Section
from arena.domain.formats.shapes import Decision, Meeting
from arena.domain.formats.trees import Part, Source
from arena.domain.tournaments.pictures import Picture
from arena.models import TournamentEntrant
from arena.web import figures, pairinglines, standinglines

PAIR = 2  # who meet in a meeting of the usual size

DECISIONS: dict[Decision, str | Promise] = {
    Decision.BYE: _("bye"),
    Decision.WALKOVER: _("walkover"),
    Decision.AWARD: _("awarded"),
    Decision.VOID: _("void"),
}
STATES: dict[str, str | Promise] = {"playing": _("playing"), "waiting": _("to be played")}
LAST_ROUNDS: dict[int, str | Promise] = {
    0: _("Final"),
    1: _("Semi-finals"),
    2: _("Quarter-finals"),
}
PARTS: dict[Part, str | Promise] = {
    Part.UPPER: _("Upper bracket"),
    Part.LOWER: _("Lower bracket"),
    Part.FINAL: _("Finals"),
}


@dataclass(frozen=True, slots=True)
class LineShown:
    """One in a cell; without an `entrant` there is `said`, which says where it will come from.

    `mark` is empty but where it did not play because it had left.
    """

    entrant: TournamentEntrant | None
    seed: int
    said: str
    points: str
    has_won: bool
    mark: str


@dataclass(frozen=True, slots=True)
class CellShown:
    """A cell, where it leads and where it stands.

    `state` is over, playing, waiting, later or idle. `badge` is a word for it where the score does
    not say all, and `said` the whole sentence.
    """

    name: str
    url: str
    state: str
    badge: str
    said: str
    lines: Sequence[LineShown]
    is_fed: bool


@dataclass(frozen=True, slots=True)
class ColumnShown:
    """A round of a part: None in `cells` is an empty place."""

    title: str
    round: int
    cells: Sequence[CellShown | None]
    join: Join


@dataclass(frozen=True, slots=True)
class SectionShown:
    """A part. `title` is empty where its only round says the same, or it is all that there is."""

    part: Part
    title: str
    columns: Sequence[ColumnShown]


@dataclass(frozen=True, slots=True)
class BracketShown:
    """All parts, and who has won once that is known."""

    sections: Sequence[SectionShown]
    winner: TournamentEntrant | None


def of(picture: Picture) -> BracketShown | None:
    """Show the bracket of a tournament, as far as the picture goes; None where there is none."""
    bracket = brackets.of(picture.format, picture.state)
    if bracket is None:
        return None
    parts = [section.part for section in bracket.sections]
    return BracketShown(
        sections=[_section(picture, section, parts) for section in bracket.sections],
        winner=picture.entrants[bracket.winner] if bracket.winner is not None else None,
    )


def _section(picture: Picture, section: Section, parts: Sequence[Part]) -> SectionShown:
    is_named = section.part in PARTS and Part.LOWER in parts
    return SectionShown(
        part=section.part,
        title=str(PARTS[section.part]) if is_named else "",
        columns=[_column(picture, section.part, column, parts) for column in section.columns],
    )


def _column(picture: Picture, part: Part, column: Column, parts: Sequence[Part]) -> ColumnShown:
    return ColumnShown(
        title=_title(picture, part, column, parts),
        round=column.round,
        cells=[_cell(picture, cell) if cell else None for cell in column.cells],
        join=column.join,
    )


def _title(picture: Picture, part: Part, column: Column, parts: Sequence[Part]) -> str:
    """Name a round as people call it."""
    if part == Part.THIRD_PLACE:
        return gettext("Third place")
    if part == Part.FINAL:
        return gettext("Grand final") if column.number == 1 else gettext("Second final")
    if part == Part.LOWER:
        said = gettext("Lower round %(number)d") if column.to_go else gettext("Lower final")
        return said % {"number": column.number}
    if Part.LOWER in parts:
        said = gettext("Upper round %(number)d") if column.to_go else gettext("Upper final")
        return said % {"number": column.number}
    return _knockout_title(picture.setup.size, column.to_go)


def _knockout_title(size: int, to_go: int) -> str:
    if to_go == 0 or (size == PAIR and to_go in LAST_ROUNDS):
        return str(LAST_ROUNDS[to_go])
    return gettext("Round of %(left)d") % {"left": size ** (to_go + 1)}


def _cell(picture: Picture, cell: Cell) -> CellShown:
    if cell.meeting:
        return _drawn(picture, cell, cell.meeting)
    said = ""
    if cell.slot == "G2.1":
        said = gettext("Played only if the unbeaten one loses the grand final.")
    if cell.is_idle:
        said = gettext("Not needed: the unbeaten one has won the grand final.")
    return CellShown(
        name=_name(cell.slot),
        url="",
        state="idle" if cell.is_idle else "later",
        badge="",
        said=said,
        lines=[] if cell.is_idle else [_line(picture, cell, line) for line in cell.lines],
        is_fed=cell.is_fed,
    )


def _drawn(picture: Picture, cell: Cell, meeting: Meeting) -> CellShown:
    pairing = pairinglines.line(picture, meeting)
    if len(pairing.matches) == 1:
        url = pairing.matches[0].get_absolute_url()
    else:
        slug = picture.tournament.slug
        url = reverse("tournament-round", args=[slug, meeting.round]) + f"#{pairing.anchor}"
    return CellShown(
        name=_name(cell.slot),
        url=url,
        state=pairing.state,
        badge=_badge(cell, meeting, pairing.state),
        said=_level(cell) or pairing.said,
        lines=[_line(picture, cell, line) for line in cell.lines],
        is_fed=cell.is_fed,
    )


def _badge(cell: Cell, meeting: Meeting, state: str) -> str:
    if state in STATES:
        return str(STATES[state])
    if meeting.decision in DECISIONS:
        return str(DECISIONS[meeting.decision])
    return gettext("by seed") if cell.note else ""


def _level(cell: Cell) -> str:
    """Say why one of those goes on who are level."""
    if not cell.note:
        return ""
    reasons = {
        "bracket_level": gettext("Level: the higher seed goes on."),
        "bracket_void": gettext("Void: the higher seed goes on."),
        "bracket_award_shared": gettext("The games are shared: the higher seed goes on."),
        "bracket_nobody": gettext("All had left: the higher seed keeps the place."),
    }
    return reasons[cell.note.code]


def _line(picture: Picture, cell: Cell, line: Line) -> LineShown:
    if line.entrant is None:
        said = _origin(picture.setup.size, line.source)
        return LineShown(None, 0, said, "", has_won=False, mark="")
    entrant = picture.entrants[line.entrant]
    is_shown = line.score is not None and len(cell.lines) > 1  # a bye has no score to show
    return LineShown(
        entrant=entrant,
        seed=line.seed,
        said="",
        points=figures.halves(scoring.game_points(line.score)) if is_shown and line.score else "",
        has_won=line.has_won,
        mark=_mark(picture, cell, line, entrant),
    )


def _mark(picture: Picture, cell: Cell, line: Line, entrant: TournamentEntrant) -> str:
    """Say of one that had left before a pairing, or while it was open, that it has."""
    if entrant.until_round is None or (cell.meeting and line.has_won):
        return ""
    meeting = cell.meeting
    was_there = meeting and meeting.round <= entrant.until_round
    if was_there and meeting and meeting.decision != Decision.WALKOVER:
        return ""
    return standinglines.mark(entrant, rounds=len(picture.rounds))


def _origin(size: int, source: Source) -> str:
    """Say where one will come from who is not known yet."""
    slot = {"slot": _name(source.slot)}
    if source.place == 1:
        return gettext("Winner of %(slot)s") % slot
    if size == PAIR:
        return gettext("Loser of %(slot)s") % slot
    return (
        gettext("Second of %(slot)s") if source.place == PAIR else gettext("Third of %(slot)s")
    ) % slot


def _name(slot: str) -> str:
    """Name a slot without what the play-off of groups puts before it."""
    return slot.removeprefix(groups.PREFIX)
