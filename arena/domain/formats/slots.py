"""Brackets as graphs: each slot knows where its entrants come from.

The slots follow from the number of entrants alone (`trees`), and the entrants in them follow from
the meetings (`BracketState.slot_states`). An entrant that has left loses by walkover. If all
entrants of a meeting have left, it is void, and the best seed of them keeps the place and is passed
over in the next round. So a bracket always has the same number of meetings.

**What decides.** The most games won, with draws as half, whatever the scoring. After a tie, matches
are added, up to the option `extra_matches`. After these, and if a meeting is void or shared, the
highest seed that has not left advances, and a note says so. It is kept when the next round is drawn
(`PairingState.winner`), so that nothing that happens later changes it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from arena.domain.formats import results, scoring
from arena.domain.formats.trees import Node, Part
from arena.domain.formats.types import (
    Decision,
    DecisionNote,
    Draw,
    Entry,
    FormatOption,
    PairingState,
    Setup,
    TournamentState,
    _,
)

EXTRA_MATCHES = FormatOption(
    name="extra_matches",
    label=_("Extra matches after a tie"),
    help=_(
        "At most this many, one by one. If it is still a tie, the highest seed among those who "
        "have not left advances."
    ),
    default=2,
    least=0,
    most=9,
)


@dataclass(frozen=True, slots=True)
class SlotState:
    """What is known of a slot: its entrants by source (None: not known yet), and the result.

    `order` has all entrants, the winner first; it is empty while the slot is open. `note` says what
    decided it if its games did not. An idle slot (`is_idle`) is not played: both of its sources are
    the same entrant, which wins it.
    """

    node: Node
    entrants: tuple[int | None, ...]
    meeting: PairingState | None = None
    order: tuple[int, ...] = ()
    note: DecisionNote | None = None
    is_idle: bool = False


@dataclass(frozen=True)
class BracketState:
    """A bracket that is played: its slots, and what happened in them.

    `ranked` are the entrants, seed 1 first. `meetings` are those of this bracket, by slot. Its
    first round is the `first_round` of the tournament.
    """

    setup: Setup
    nodes: tuple[Node, ...]
    ranked: tuple[int, ...]
    entries: Mapping[int, Entry]
    meetings: Mapping[str, PairingState]
    first_round: int = 1

    @classmethod
    def of(
        cls,
        state: TournamentState,
        *,
        nodes: Sequence[Node],
        ranked: Sequence[int],
        first_round: int = 1,
    ) -> Self:
        """Return a bracket of the entrants in `ranked`, the best first, and what was played."""
        known = {node.slot for node in nodes}
        return cls(
            setup=state.setup,
            nodes=tuple(nodes),
            ranked=tuple(ranked),
            entries={entry.id: entry for entry in state.entries},
            meetings={meeting.slot: meeting for meeting in state.meetings if meeting.slot in known},
            first_round=first_round,
        )

    def seed_of(self, entrant: int) -> int:
        """Return the seed of an entrant in this bracket."""
        return self.ranked.index(entrant) + 1

    def is_in(self, entrant: int, round_number: int) -> bool:
        """Return whether an entrant had not left when a round of the tournament was drawn."""
        return self.entries[entrant].is_in(round_number)

    @cached_property
    def slot_states(self) -> dict[str, SlotState]:
        """The state of every slot, by slot, in the order of rounds."""
        states: dict[str, SlotState] = {}
        for node in self.nodes:
            entrants: list[int | None] = []
            for source in node.sources:
                if source.seed:
                    entrants.append(self.ranked[source.seed - 1])
                else:
                    order = states[source.slot].order
                    entrants.append(order[source.place - 1] if order else None)
            states[node.slot] = self._slot_state(node, tuple(entrants))
        return states

    @property
    def is_finished(self) -> bool:
        """Whether everything is decided."""
        return all(slot_state.order for slot_state in self.slot_states.values())

    def draw(self) -> Draw | None:
        """Draw the round after the last one, which is over; None if the bracket has ended."""
        drawn = (meeting.round for meeting in self.meetings.values())
        number = max(drawn, default=self.first_round - 1) + 1
        meetings: list[PairingState] = []
        notes = [*self.new_notes()]
        for slot_state in self.slot_states.values():
            if slot_state.node.round + self.first_round - 1 == number and not slot_state.is_idle:
                meeting, note = self._open(slot_state, number, len(meetings) + 1)
                meetings.append(meeting)
                notes += [note] if note else []
        return Draw(tuple(meetings), tuple(notes)) if meetings else None

    def new_notes(self) -> tuple[DecisionNote, ...]:
        """Return what decided the last round, or meetings played again, if their games did not."""
        return tuple(
            slot_state.note
            for slot_state in self.slot_states.values()
            if slot_state.note and slot_state.meeting and slot_state.meeting.winner is None
        )

    def extra_matches(self, meeting: PairingState) -> int:
        """Return 1 if the best are tied, present and may play another match, else 0."""
        is_settled = meeting.winner is not None
        if is_settled or meeting.decision != Decision.PLAYED or not meeting.scores:
            return 0
        points = {who: _game_points(meeting, who) for who in meeting.entrants}
        level = [who for who, own in points.items() if own == max(points.values())]
        if len(level) == 1 or not all(self.is_in(who, meeting.round + 1) for who in level):
            return 0
        return int(_extra_played(self.setup, meeting) < EXTRA_MATCHES.value(self.setup))

    def stages(self) -> dict[int, int]:
        """Return how far everybody has come at least, by entrant, from 1; higher is better."""
        reached = dict.fromkeys(self.ranked, 0)
        for slot_state in self.slot_states.values():
            node, order = slot_state.node, slot_state.order
            for entrant in slot_state.entrants:
                if entrant is not None:
                    reached[entrant] = max(reached[entrant], node.stage)
            if order:
                reached[order[0]] = max(reached[order[0]], node.prize)
            if node.second and slot_state.meeting and len(order) > 2:  # noqa: PLR2004 - second and third
                second, third = (_game_points(slot_state.meeting, who) for who in order[1:])
                if second > third:
                    reached[order[1]] = node.second
        return reached

    def _slot_state(self, node: Node, entrants: tuple[int | None, ...]) -> SlotState:
        meeting = self.meetings.get(node.slot)
        known = [entrant for entrant in entrants if entrant is not None]
        if len(node.sources) > 1 and len(known) == len(entrants) and len(set(known)) == 1:
            return SlotState(node, entrants, order=(known[0],), is_idle=True)
        if meeting is None or not meeting.is_over or self.extra_matches(meeting):
            return SlotState(node, entrants, meeting)
        games = {who: _game_points(meeting, who) for who in known}
        level = [who for who in known if games[who] == max(games.values())]
        level.sort(key=self.seed_of)
        present = [who for who in level if self.is_in(who, meeting.round + 1)] or level
        winner = meeting.winner if meeting.winner in level else present[0]  # it was said before
        known.sort(key=lambda who: (who != winner, -games[who], self.seed_of(who)))
        note = self._why(node, meeting, level, winner) if len(level) > 1 else None
        return SlotState(node, entrants, meeting, tuple(known), note)

    def _why(
        self, node: Node, meeting: PairingState, level: Sequence[int], winner: int
    ) -> DecisionNote:
        """Return why one of the tied entrants advances; better seeds can only have left."""
        left = level[: level.index(winner)]
        details = {
            **self._named(node),
            "entrants": level,
            "entrant": winner,
            "left": left,
            "others": len(level) - len(left) - 1,
        }
        code = "bracket_level"
        if meeting.decision == Decision.AWARD:
            code = "bracket_award_shared"
        elif meeting.decision == Decision.VOID:
            is_left = not any(self.is_in(who, meeting.round) for who in level)
            code = "bracket_nobody" if is_left else "bracket_void"
        else:
            details["extra"] = _extra_played(self.setup, meeting)
        return DecisionNote(code, details, meeting=(meeting.round, meeting.number))

    def _named(self, node: Node) -> dict[str, Any]:
        """Return the details that name a slot: its part, its column, how many columns follow."""
        last = max(other.column for other in self.nodes if other.part == node.part)
        is_double = any(other.part == Part.FINAL for other in self.nodes)
        to_go = last - node.column
        return {
            "slot": node.slot,
            "part": node.part.value,
            "column": node.column,
            "to_go": to_go,
            "places": self.setup.size ** (to_go + 1),
            "is_double": int(is_double),
            "is_final": int(node.part == Part.FINAL or (not is_double and to_go == 0)),
        }

    def _open(
        self, slot_state: SlotState, number: int, place: int
    ) -> tuple[PairingState, DecisionNote | None]:
        """Draw a slot: open, or decided at once if too few are there to play."""
        node = slot_state.node
        everybody = tuple(entrant for entrant in slot_state.entrants if entrant is not None)
        if len(everybody) < len(slot_state.entrants):
            raise ValueError(f"{node.slot} cannot be drawn: the round before it is not over")
        present = [entrant for entrant in everybody if self.is_in(entrant, number)]
        if len(present) in (self.setup.size, *self.setup.sizes):
            paired = [meeting for meeting in self.meetings.values() if len(meeting.entrants) > 1]
            firsts = Counter(meeting.entrants[0] for meeting in paired)
            present.sort(key=lambda who: (firsts[who], self.seed_of(who)))
            return PairingState(number, place, tuple(present), node.slot), None
        meeting = PairingState(number, place, everybody, node.slot)
        if len(present) != 1:  # nobody, or two in a game for three: the result says who advances
            return replace(meeting, decision=Decision.VOID), None
        details = {**self._named(node), "entrant": present[0]}
        if len(everybody) == 1:
            return results.bye(self.setup, meeting), DecisionNote("bracket_bye", details)
        details["left"] = [entrant for entrant in everybody if entrant not in present]
        closed = results.walk_over(self.setup, meeting, present)
        return closed, DecisionNote("bracket_walkover", details)


def _game_points(meeting: PairingState, entrant: int) -> float:
    score = meeting.score_of(entrant)
    return scoring.game_points(score) if score else -1.0  # an entrant that did not play comes last


def _extra_played(setup: Setup, meeting: PairingState) -> int:
    """Return the number of added matches; a match has as many games as entrants."""
    matches = meeting.scores[0].games // len(meeting.entrants)
    return max(0, matches - setup.games // setup.size)
