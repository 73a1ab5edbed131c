"""The layout of a bracket: parts, columns and cells, as plain data for pages and the API.

A cell says where its entrants come from while they are not known. A bracket can be laid out before
round 1 is drawn.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from arena.domain.formats.slots import BracketState
from arena.domain.formats.trees import Node, Part, Source
from arena.domain.formats.types import DecisionNote, PairingState, Score

ORDER = (Part.UPPER, Part.LOWER, Part.FINAL, Part.THIRD_PLACE)


class Join(StrEnum):
    """How the cells of a column lead to those of the next."""

    NONE = "none"
    STRAIGHT = "straight"
    TWOS = "twos"
    THREES = "threes"


@dataclass(frozen=True, slots=True)
class BracketLine:
    """A place in a cell: `entrant` is None while it is not known who comes from `source`.

    `seed` is that in the bracket, or 0 while the entrant is not known. `score` is None without a
    result. `has_won` says whether the entrant advances.
    """

    entrant: int | None
    seed: int
    source: Source
    score: Score | None = None
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class BracketCell:
    """A slot, its lines from top to bottom. `meeting` is None while the slot is not drawn.

    A cell is idle (`is_idle`) if it is a second final that is not needed. `note` says what decided
    the meeting if its games did not. `number` is that of its pairing in the round, also before the
    round is drawn. `is_fed` says whether an entrant comes from the column before.
    """

    slot: str
    lines: tuple[BracketLine, ...]
    meeting: PairingState | None
    is_over: bool
    is_idle: bool
    note: DecisionNote | None = None
    number: int = 0
    is_fed: bool = False

    @property
    def winner(self) -> int | None:
        """The entrant that advances; None while it is open."""
        return next((line.entrant for line in self.lines if line.has_won), None)


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of a part; None in `cells` is an empty place.

    `number` counts the columns of the part, `to_go` is the number of columns after this one, and
    `round` is the round of the tournament in which it is played.
    """

    number: int
    to_go: int
    round: int
    cells: tuple[BracketCell | None, ...]
    join: Join


@dataclass(frozen=True, slots=True)
class BracketSection:
    """A part of a bracket."""

    part: Part
    columns: tuple[BracketColumn, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The parts, and the winner once there is one. `size` is the number of entrants in a match."""

    sections: tuple[BracketSection, ...]
    size: int
    winner: int | None

    def find(self, slot: str) -> BracketCell | None:
        """Return the cell of a slot; None if there is no such slot."""
        columns = (column for section in self.sections for column in section.columns)
        cells = (cell for column in columns for cell in column.cells if cell)
        return next((cell for cell in cells if cell.slot == slot), None)


def layout(bracket_state: BracketState) -> Bracket:
    """Lay out a bracket."""
    counts = Counter[int]()
    numbers = {}  # by slot, of its pairing in its round
    parts: dict[Part, list[Node]] = {part: [] for part in ORDER}
    for node in bracket_state.nodes:
        counts[node.round] += 1
        numbers[node.slot] = counts[node.round]
        parts[node.part].append(node)
    sections = [_section(bracket_state, numbers, own) for own in parts.values() if own]
    last = bracket_state.slot_states[bracket_state.nodes[-1].slot]
    winner = last.order[0] if last.order else None
    return Bracket(tuple(sections), bracket_state.setup.size, winner)


def _section(
    bracket_state: BracketState, numbers: Mapping[str, int], nodes: Sequence[Node]
) -> BracketSection:
    by_column = [list(own) for _, own in groupby(nodes, key=lambda node: node.column)]
    columns = []
    for number, own in enumerate(by_column, start=1):
        before = {node.slot for node in by_column[number - 2]} if number > 1 else set()
        after = by_column[number] if number < len(by_column) else []
        cells = {
            node.position: _cell(bracket_state, node, numbers[node.slot], before) for node in own
        }
        places = max(own[0].positions, len(own))
        columns.append(
            BracketColumn(
                number=number,
                to_go=len(by_column) - number,
                round=own[0].round + bracket_state.first_round - 1,
                cells=tuple(cells.get(place) for place in range(1, places + 1)),
                join=_join(own, after),
            )
        )
    return BracketSection(nodes[0].part, tuple(columns))


def _join(nodes: Sequence[Node], after: Sequence[Node]) -> Join:
    """Return how a column leads to the next one. A pool is no tree: nothing leads from or to it."""
    if not after or any(len(column) > column[0].positions for column in (nodes, after)):
        return Join.NONE
    ratios = {1: Join.STRAIGHT, 2: Join.TWOS, 3: Join.THREES}
    return ratios.get(nodes[0].positions // after[0].positions, Join.NONE)


def _cell(
    bracket_state: BracketState, node: Node, number: int, before: AbstractSet[str]
) -> BracketCell:
    slot_state = bracket_state.slot_states[node.slot]
    meeting = slot_state.meeting
    winner = slot_state.order[0] if slot_state.order and not slot_state.is_idle else None
    lines = []
    for source, known in zip(node.sources, slot_state.entrants, strict=True):
        came_from = bracket_state.slot_states.get(source.slot)
        entrant = known
        if known is None and came_from and len(came_from.entrants) == 1:
            (entrant,) = came_from.entrants  # who has a bye is known before the bye is drawn
        if entrant is None:
            lines.append(BracketLine(None, 0, source))
        else:
            score = meeting.score_of(entrant) if meeting else None
            seed = bracket_state.seed_of(entrant)
            lines.append(BracketLine(entrant, seed, source, score, has_won=entrant == winner))
    return BracketCell(
        slot=node.slot,
        lines=tuple(lines),
        meeting=meeting,
        is_over=bool(slot_state.order),
        is_idle=slot_state.is_idle,
        note=slot_state.note,
        number=number,
        is_fed=any(source.slot in before for source in node.sources),
    )
