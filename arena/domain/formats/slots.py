"""Brackets as graphs: each slot knows where its entrants come from.

The slots follow from the number of entrants alone (`trees`), and the entrants in them follow from
the meetings (`resolve_slots`). An entrant that has left loses by walkover. If all entrants of a
meeting have left, it is void, and the best seed of them keeps the place and is passed over in the
next round. So a bracket always has the same number of meetings.

**What decides.** The most games won, with draws as half, whatever the scoring. After a tie, matches
are added, up to the option `extra_matches`. After these, and if a meeting is void or shared, the
highest seed that has not left advances, and a note says so. It is kept when the next round is drawn
(`PairingState.winner`), so that nothing that happens later changes it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.domain.formats import results, scoring
from arena.domain.formats.trees import Node, Part, Source
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
        "At most this many, one by one. If it is still a tie, the highest seed advances of those "
        "who have not left."
    ),
    default=2,
    least=0,
    most=9,
)


@dataclass(frozen=True, slots=True)
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

    def seed_of(self, entrant: int) -> int:
        """Return the seed of an entrant in this bracket."""
        return self.ranked.index(entrant) + 1

    def is_in(self, entrant: int, round_number: int) -> bool:
        """Return whether an entrant had not left when a round of the tournament was drawn."""
        return self.entries[entrant].is_in(round_number)


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


def bracket_state(
    state: TournamentState, *, nodes: Sequence[Node], ranked: Sequence[int], first_round: int = 1
) -> BracketState:
    """Return a bracket of the entrants in `ranked`, the best first, and what was played of it."""
    known = {node.slot for node in nodes}
    return BracketState(
        setup=state.setup,
        nodes=tuple(nodes),
        ranked=tuple(ranked),
        entries={entry.id: entry for entry in state.entries},
        meetings={each.slot: each for each in state.meetings if each.slot in known},
        first_round=first_round,
    )


def resolve_slots(bracket_state: BracketState) -> dict[str, SlotState]:
    """Return the state of every slot, by slot, in the order of rounds."""
    slot_states: dict[str, SlotState] = {}
    for node in bracket_state.nodes:
        entrants = tuple(_at(bracket_state, slot_states, source) for source in node.sources)
        slot_states[node.slot] = _slot_state(bracket_state, node, entrants)
    return slot_states


def _at(
    bracket_state: BracketState, slot_states: Mapping[str, SlotState], source: Source
) -> int | None:
    if source.seed:
        return bracket_state.ranked[source.seed - 1]
    order = slot_states[source.slot].order
    return order[source.place - 1] if order else None


def _slot_state(
    bracket_state: BracketState, node: Node, entrants: tuple[int | None, ...]
) -> SlotState:
    meeting = bracket_state.meetings.get(node.slot)
    known = [entrant for entrant in entrants if entrant is not None]
    if len(node.sources) > 1 and len(known) == len(entrants) and len(set(known)) == 1:
        return SlotState(node, entrants, order=(known[0],), is_idle=True)
    if meeting is None or not meeting.is_over or extra_matches(bracket_state, meeting):
        return SlotState(node, entrants, meeting)
    order, note = _result(bracket_state, node, meeting, known)
    return SlotState(node, entrants, meeting, order, note)


def _result(
    bracket_state: BracketState, node: Node, meeting: PairingState, entrants: Sequence[int]
) -> tuple[tuple[int, ...], DecisionNote | None]:
    """Return the entrants of a meeting, the winner first, and a note if games did not decide."""
    games = {entrant: _game_points(meeting, entrant) for entrant in entrants}
    by_games = sorted(entrants, key=lambda who: (-games[who], bracket_state.seed_of(who)))
    best = max(games.values())
    level = [who for who in entrants if games[who] == best]
    there = [who for who in level if bracket_state.is_in(who, meeting.round + 1)] or level
    winner = min(there, key=bracket_state.seed_of)
    if meeting.winner in level:  # it was said before
        winner = meeting.winner
    order = (winner, *(who for who in by_games if who != winner))
    return order, _why(bracket_state, node, meeting, order[: len(level)]) if len(
        level
    ) > 1 else None


def _why(
    bracket_state: BracketState, node: Node, meeting: PairingState, level: Sequence[int]
) -> DecisionNote:
    """Return why the first of the tied entrants advances; better seeds can only have left."""
    winner = level[0]
    details = {
        **_named(bracket_state, node),
        "entrants": sorted(level, key=bracket_state.seed_of),
        "entrant": winner,
        "left": (
            left := [
                who for who in level if bracket_state.seed_of(who) < bracket_state.seed_of(winner)
            ]
        ),
        "others": len(level) - len(left) - 1,
    }
    code = "bracket_level"
    if meeting.decision == Decision.AWARD:
        code = "bracket_award_shared"
    elif meeting.decision == Decision.VOID:
        is_left = not any(bracket_state.is_in(who, meeting.round) for who in level)
        code = "bracket_nobody" if is_left else "bracket_void"
    else:
        details["extra"] = extra_played(bracket_state.setup, meeting)
    return DecisionNote(code, details, meeting=(meeting.round, meeting.number))


def _named(bracket_state: BracketState, node: Node) -> dict[str, str | int]:
    """Return the details that name a slot: its part, its column, the number of later columns."""
    last = max(each.column for each in bracket_state.nodes if each.part == node.part)
    is_double = any(each.part == Part.FINAL for each in bracket_state.nodes)
    to_go = last - node.column
    return {
        "slot": node.slot,
        "part": node.part.value,
        "column": node.column,
        "to_go": to_go,
        "places": bracket_state.setup.size ** (to_go + 1),
        "is_double": int(is_double),
        "is_final": int(node.part == Part.FINAL or (not is_double and to_go == 0)),
    }


def _game_points(meeting: PairingState, entrant: int) -> float:
    score = meeting.score_of(entrant)
    return scoring.game_points(score) if score else -1.0  # an entrant that did not play comes last


def level_at_top(meeting: PairingState) -> tuple[int, ...]:
    """Return the entrants that share the best result of a meeting that has scores."""
    best = max(_game_points(meeting, entrant) for entrant in meeting.entrants)
    return tuple(who for who in meeting.entrants if _game_points(meeting, who) == best)


def extra_played(setup: Setup, meeting: PairingState) -> int:
    """Return the number of added matches; a match has as many games as entrants."""
    matches = meeting.scores[0].games // len(meeting.entrants)
    return max(0, matches - setup.games // setup.size)


def extra_matches(bracket_state: BracketState, meeting: PairingState) -> int:
    """Return 1 if the best of a meeting are tied, present and may play another match, else 0."""
    is_settled = meeting.winner is not None
    if is_settled or meeting.decision != Decision.PLAYED or not meeting.scores:
        return 0
    level = level_at_top(meeting)
    if len(level) == 1 or not all(bracket_state.is_in(who, meeting.round + 1) for who in level):
        return 0
    setup = bracket_state.setup
    return int(extra_played(setup, meeting) < EXTRA_MATCHES.value(setup))


def rounds_drawn(bracket_state: BracketState) -> int:
    """Return the number of the last round of the tournament that was drawn from this bracket."""
    drawn = (meeting.round for meeting in bracket_state.meetings.values())
    return max(drawn, default=bracket_state.first_round - 1)


def draw(bracket_state: BracketState) -> Draw | None:
    """Draw the round after the last one, which is over; None if the bracket has ended."""
    number = rounds_drawn(bracket_state) + 1
    slot_states = resolve_slots(bracket_state)
    meetings: list[PairingState] = []
    notes = list(_notes(slot_states))
    for slot_state in slot_states.values():
        if slot_state.node.round + bracket_state.first_round - 1 != number or slot_state.is_idle:
            continue
        meeting, note = _open(bracket_state, slot_state, number, len(meetings) + 1)
        meetings.append(meeting)
        notes += [note] if note else []
    return Draw(tuple(meetings), tuple(notes)) if meetings else None


def closing_notes(bracket_state: BracketState) -> tuple[DecisionNote, ...]:
    """Return what decided the last round if its games did not; no later draw can tell it."""
    return tuple(_notes(resolve_slots(bracket_state)))


def _notes(slot_states: Mapping[str, SlotState]) -> Iterator[DecisionNote]:
    """Yield the notes that were not given yet: of the last round, or of meetings played again."""
    for slot_state in slot_states.values():
        if slot_state.note and slot_state.meeting and slot_state.meeting.winner is None:
            yield slot_state.note


def _open(
    bracket_state: BracketState, slot_state: SlotState, number: int, place: int
) -> tuple[PairingState, DecisionNote | None]:
    """Draw a slot: open, or decided at once if too few are there to play."""
    everybody = [entrant for entrant in slot_state.entrants if entrant is not None]
    if len(everybody) < len(slot_state.entrants):
        raise ValueError(f"{slot_state.node.slot} cannot be drawn: the round before it is not over")
    there = [entrant for entrant in everybody if bracket_state.is_in(entrant, number)]
    sizes = (bracket_state.setup.size, *bracket_state.setup.sizes)
    if len(there) in sizes:
        named = sorted(
            there, key=lambda who: (_firsts(bracket_state, who), bracket_state.seed_of(who))
        )
        return PairingState(number, place, tuple(named), slot_state.node.slot), None
    meeting = PairingState(number, place, tuple(everybody), slot_state.node.slot)
    return _close(bracket_state, slot_state.node, meeting, there)


def _close(
    bracket_state: BracketState, node: Node, meeting: PairingState, there: Sequence[int]
) -> tuple[PairingState, DecisionNote | None]:
    if len(there) != 1:  # nobody, or two in a game for three: the result says who advances
        return replace(meeting, decision=Decision.VOID), None
    details = {**_named(bracket_state, node), "entrant": there[0]}
    if len(meeting.entrants) == 1:
        return results.bye(bracket_state.setup, meeting), DecisionNote("bracket_bye", details)
    left = [entrant for entrant in meeting.entrants if entrant not in there]
    closed = results.walk_over(bracket_state.setup, meeting, there)
    return closed, DecisionNote("bracket_walkover", {**details, "left": left})


def _firsts(bracket_state: BracketState, entrant: int) -> int:
    """Return how often an entrant was named first in a meeting of this bracket."""
    meetings = bracket_state.meetings.values()
    return sum(1 for meeting in meetings if meeting.entrants[0] == entrant and meeting.entrants[1:])


def is_finished(bracket_state: BracketState) -> bool:
    """Return whether everything is decided."""
    return all(slot_state.order for slot_state in resolve_slots(bracket_state).values())


def stages(bracket_state: BracketState) -> dict[int, int]:
    """Return how far everybody has come at least, by entrant, from 1; higher is better."""
    reached = dict.fromkeys(bracket_state.ranked, 0)
    for slot_state in resolve_slots(bracket_state).values():
        for entrant in slot_state.entrants:
            if entrant is not None:
                reached[entrant] = max(reached[entrant], slot_state.node.stage)
        if slot_state.order:
            reached[slot_state.order[0]] = max(reached[slot_state.order[0]], slot_state.node.prize)
        if slot_state.node.second and slot_state.meeting and len(slot_state.order) > 2:  # noqa: PLR2004 - second and third
            second, third = (_game_points(slot_state.meeting, who) for who in slot_state.order[1:])
            if second > third:
                reached[slot_state.order[1]] = slot_state.node.second
    return reached
