"""Readable names of rounds, and how far each entrant came, in the same terms."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext

from arena.domain.formats.brackets import BracketCell, BracketColumn, BracketSection
from arena.domain.formats.trees import Part
from arena.domain.tournaments import wording
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.web.tournaments import figures


@dataclass(frozen=True, slots=True)
class RoundName:
    """The name of a round; `is_plain` says that the name is only its number."""

    number: int
    title: str
    is_plain: bool


def of_round(picture: TournamentSnapshot, number: int) -> RoundName:
    """Return the name of a round, made of all its parts: Final · Third place."""
    titles = [
        of_column(picture, section, column)
        for section, column in _columns(picture)
        if column.round == number
    ]
    if number <= picture.format.group_rounds(picture.state):
        titles = [gettext("Groups, round %(number)d") % {"number": number}]
    plain = gettext("Round %(number)d") % {"number": number}
    return RoundName(number, " \N{MIDDLE DOT} ".join(titles) or plain, is_plain=not titles)


def parts_of_round(picture: TournamentSnapshot, number: int) -> dict[tuple[int, int], str]:
    """Return the part of each pairing, by round and number, if a round has several parts.

    The order is that of importance: the final before the match for third place.
    """
    if number <= picture.format.group_rounds(picture.state):
        group_of = {row.entrant: figures.group_letter(row.group) for row in picture.standings}
        return {
            (number, meeting.number): gettext("Group %(letter)s")
            % {"letter": group_of[meeting.entrants[0]]}
            for meeting in picture.state.meetings
            if meeting.round == number
        }
    parts = {
        (number, cell.number): of_column(picture, section, column)
        for section, column in _columns(picture)
        for cell in column.cells
        if cell and column.round == number
    }
    return parts if len(set(parts.values())) > 1 else {}


def of_column(picture: TournamentSnapshot, section: BracketSection, column: BracketColumn) -> str:
    """Return the name of a round in a part of the bracket."""
    sections = picture.bracket.sections if picture.bracket else ()
    return wording.round_title(
        {
            "part": section.part.value,
            "column": column.number,
            "to_go": column.to_go,
            "places": picture.setup.size ** (column.to_go + 1),
            "is_double": int(any(other.part == Part.LOWER for other in sections)),
        }
    )


def reached(picture: TournamentSnapshot) -> dict[int, str]:
    """Return how far each entrant came; empty if the format has no knockout rounds.

    An entrant that is still in has reached the round that it plays now or next.
    """
    if not picture.rounds or not picture.format.has_bracket:
        return {}
    came_to = {
        row.entrant: gettext("Group %(group)s, place %(place)d")
        % {"place": -row.stage, "group": figures.group_letter(row.group)}
        for row in picture.standings
        if row.stage < 0
    }
    furthest: dict[int, int] = {}
    for section, column, cell in _played(picture):
        for line in cell.lines:
            if line.entrant is None or furthest.get(line.entrant, 0) > column.round:
                continue
            furthest[line.entrant] = column.round
            if section.part == Part.THIRD_PLACE:
                came_to[line.entrant] = (
                    gettext("Third place") if line.has_won else gettext("Fourth place")
                )
            elif section.part == Part.FINAL:
                came_to[line.entrant] = gettext("Grand final")
            else:
                came_to[line.entrant] = of_column(picture, section, column)
    if picture.bracket and picture.bracket.winner is not None:
        came_to |= _of_final(picture, picture.bracket.winner)
    return came_to


def _of_final(picture: TournamentSnapshot, winner: int) -> dict[int, str]:
    """Return the names of the places of the final. Two of three entrants may share a place."""
    stages = {row.entrant: row.stage for row in picture.standings}
    *_, last = (cell for *_, cell in _played(picture) if winner in _known(cell))
    second, *third = sorted(set(_known(last)) - {winner}, key=stages.__getitem__, reverse=True)
    if not third or stages[second] == stages[third[0]]:
        return {winner: gettext("Winner")}
    return {
        winner: gettext("Winner"),
        second: gettext("Second place"),
        third[0]: gettext("Third place"),
    }


def _known(cell: BracketCell) -> list[int]:
    return [line.entrant for line in cell.lines if line.entrant is not None]


def _played(
    picture: TournamentSnapshot,
) -> Iterator[tuple[BracketSection, BracketColumn, BracketCell]]:
    """Yield the cells that count for how far an entrant got; third place only once decided."""
    for section, column in _columns(picture):
        for cell in column.cells:
            is_open = section.part == Part.THIRD_PLACE and cell and not cell.is_over
            if cell and not cell.is_idle and not is_open:
                yield section, column, cell


def _columns(picture: TournamentSnapshot) -> Iterator[tuple[BracketSection, BracketColumn]]:
    for section in picture.bracket.sections if picture.bracket else ():
        for column in section.columns:
            yield section, column
