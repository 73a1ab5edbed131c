"""Eliminations: what single and double elimination and the play-off after groups share."""

from abc import abstractmethod
from collections.abc import Iterator

from arena.domain.formats import seeding, tables
from arena.domain.formats.base import Format
from arena.domain.formats.slots import BracketState
from arena.domain.formats.trees import Node, Part, Source
from arena.domain.formats.types import (
    PAIR,
    THREE,
    DecisionNote,
    Draw,
    PairingState,
    Setup,
    StandingsRow,
    TournamentState,
    Unplayable,
    _,
)

BRACKETS_KEPT = 32  # the latest ones; a bracket for a thousand takes a megabyte


class Elimination(Format):
    """A format that ends with the final of a bracket."""

    after_leaving = _("The opponent advances by a walkover.")
    compares_per_game = True  # extra matches after a tie must not pay
    has_bracket = True
    has_crosstable = False

    @abstractmethod
    def bracket_state_of(self, state: TournamentState) -> BracketState | None:
        """Return what was played of the bracket; None before it is drawn."""

    def next_round(self, state: TournamentState) -> Draw | None:
        """Draw the round after the last one; None after the final."""
        bracket_state = self.bracket_state_of(state)
        return bracket_state.draw() if bracket_state else None

    def extra_matches(self, state: TournamentState, meeting: PairingState) -> int:
        """Return 1 if a pairing of the bracket is tied and a match may be added."""
        if not meeting.slot:
            return 0
        bracket_state = BracketState.of(state, nodes=(), ranked=meeting.entrants)
        return bracket_state.extra_matches(meeting)

    def closing_notes(self, state: TournamentState) -> tuple[DecisionNote, ...]:
        """Return what decided the last round if its games did not."""
        bracket_state = self.bracket_state_of(state)
        return bracket_state.new_notes() if bracket_state else ()

    def standings(self, state: TournamentState) -> tuple[StandingsRow, ...]:
        """Rank by how far everybody came, then by points per game and the tie-breaks."""
        bracket_state = self.bracket_state_of(state)
        stages = bracket_state.stages() if bracket_state else {}
        return tables.standings(state, stages=stages, per_game=True)

    def is_finished(self, state: TournamentState) -> bool:
        """Return whether the whole bracket is decided."""
        bracket_state = self.bracket_state_of(state)
        return bracket_state is not None and bracket_state.is_finished


def require(setup: Setup, entrants: int, *, least: int = 2) -> None:
    """Raise Unplayable if a bracket cannot be made for so many, or they are fewer than `least`."""
    if setup.size not in (PAIR, THREE):
        raise Unplayable("bracket_size", size=setup.size)
    if entrants < least:
        raise Unplayable("too_few_entrants", least=least, entrants=entrants)
    if PAIR not in (setup.size, *setup.sizes) and seeding.slots_for(entrants, THREE) != entrants:
        raise Unplayable("bracket_needs_pairs", entrants=entrants, playable=[3, 9, 27])


def upper(size: int, entrants: int, prefix: str = "") -> Iterator[Node]:
    """Yield every slot of a full bracket, empty slots too. A round is a step and a stage."""
    places = seeding.slots_for(entrants, size)
    sources = [Source(seed=seed) for seed in seeding.table(places, size)]
    number = 0
    while len(sources) > 1:
        number += 1
        starts = range(0, len(sources), size)
        nodes = [
            Node(
                slot=f"{prefix}W{number}.{position}",
                part=Part.UPPER,
                column=number,
                position=position,
                sources=tuple(sources[start : start + size]),
                step=number,
                stage=number,
                positions=len(starts),
            )
            for position, start in enumerate(starts, start=1)
        ]
        yield from nodes
        sources = [Source(slot=node.slot) for node in nodes]
