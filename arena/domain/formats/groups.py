"""Groups, then a play-off: round robins side by side, the best of which go into a bracket.

Seeds are dealt to the groups like a snake: 1 2 3, 6 5 4, 7 8 9. The play-off is a single
elimination. Winners of groups are its best seeds, then the second of each group, and so on; those
of one place are ranked by points per game and tie-breaks, and changed among each other so that two
of a group meet again as late as possible. Who has left is passed over.

Who is in the play-off is settled when it is drawn: what is voided or awarded in a group after that
changes the table of the group only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import comb

from arena.domain.formats import knockout, qualifying, roundrobin, slots, tables
from arena.domain.formats.qualifying import Qualified
from arena.domain.formats.schedules import Round
from arena.domain.formats.slots import BracketState
from arena.domain.formats.types import (
    DecisionNote,
    Draw,
    Entry,
    FormatOption,
    PairingState,
    RoundOutline,
    Setup,
    StandingsRow,
    TournamentState,
    Unplayable,
)

GROUPS = FormatOption("groups", default=4, least=2, most=16)
QUALIFIERS = FormatOption("qualifiers", default=2, least=1, most=8)
OPTIONS: tuple[FormatOption, ...] = (GROUPS, QUALIFIERS, *knockout.OPTIONS)
TAKES_LATE_ENTRIES = False
PER_GAME = True
TIE_BREAKS: tuple[str, ...] = roundrobin.SINGLE.TIE_BREAKS
PREFIX = "P"  # of the slots of the play-off


def check(setup: Setup, entrants: int) -> None:
    """Raise Unplayable where groups are too small to meet in, or for their qualifiers."""
    groups, qualifiers = _option(setup, GROUPS), _option(setup, QUALIFIERS)
    least = groups * max(setup.size, qualifiers)
    if entrants < least:
        raise Unplayable("groups_too_small", groups=groups, least=least, entrants=entrants)
    pairings = sum(comb(size, setup.size) for size in _sizes(setup, entrants))
    roundrobin.require(setup, entrants, pairings=pairings)
    knockout.check(setup, groups * qualifiers)


def _option(setup: Setup, option: FormatOption) -> int:
    return int(setup.options.get(option.name, option.default))


def _sizes(setup: Setup, entrants: int) -> list[int]:
    groups = _option(setup, GROUPS)
    return [entrants // groups + (number < entrants % groups) for number in range(groups)]


def outline(setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
    """Return the rounds of the groups, then those of the play-off."""
    schedules = [_schedule(setup, size) for size in _sizes(setup, entrants)]
    together = [
        tuple(seating for schedule in schedules for seating in schedule[number : number + 1])
        for number in range(max(map(len, schedules)))
    ]
    pairings = [tuple(pair for turn in turns for pair in turn) for turns in together]
    qualified = _option(setup, GROUPS) * _option(setup, QUALIFIERS)
    return (*roundrobin.outline("group_round", pairings), *knockout.outline(setup, qualified))


def _schedule(setup: Setup, entrants: int) -> Sequence[Round]:
    return roundrobin.SINGLE.rounds(setup.size, entrants)


def dealt(setup: Setup, entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """Deal entries to the groups, the best seeds first, there and back."""
    groups = _option(setup, GROUPS)
    hands: list[list[Entry]] = [[] for _ in range(groups)]
    for place, entry in enumerate(sorted(entries, key=lambda entry: entry.seed)):
        turn, at = divmod(place, groups)
        hands[groups - 1 - at if turn % 2 else at].append(entry)
    return tuple(map(tuple, hands))


def initial_pairings(setup: Setup, entries: Sequence[Entry]) -> Draw:
    """Draw round 1 of all groups, and say who is in which."""
    hands = [[entry.id for entry in hand] for hand in dealt(setup, entries)]
    return Draw(_group_round(setup, entries, 1), (DecisionNote("group_draw", {"groups": hands}),))


def next_round(state: TournamentState) -> Draw | None:
    """Draw the next round of the groups, or of the play-off; None after the final."""
    if not state.rounds:
        return initial_pairings(state.setup, state.entries)
    groups_end = group_rounds(state)
    if state.rounds < groups_end:
        return Draw(_group_round(state.setup, state.entries, state.rounds + 1))
    bracket_state = _bracket_state(state)
    drawn = slots.draw(bracket_state) if bracket_state else None
    if drawn is None or state.rounds > groups_end:
        return drawn
    qualified = _qualified(state)
    seeds = DecisionNote("play_off_seeds", {"entrants": list(qualified.ranked)})
    return replace(drawn, notes=(*qualified.notes, seeds, *drawn.notes))


def _group_round(setup: Setup, entries: Sequence[Entry], number: int) -> tuple[PairingState, ...]:
    meetings = [
        meeting
        for hand in dealt(setup, entries)
        for turn in _schedule(setup, len(hand))[number - 1 : number]
        for meeting in roundrobin.draw_round(setup, hand, number, turn)
    ]
    return tuple(replace(meeting, number=at) for at, meeting in enumerate(meetings, start=1))


def group_rounds(state: TournamentState) -> int:
    """Return how many rounds the groups have."""
    sizes = _sizes(state.setup, len(state.entries))
    return max(len(_schedule(state.setup, size)) for size in sizes)


def group_tables(state: TournamentState) -> dict[int, tuple[StandingsRow, ...]]:
    """Return the table of each group, from 1, by what was played in it."""
    return {
        group: tables.standings(_group_state(state, hand), groups=_numbered(group, hand))
        for group, hand in enumerate(dealt(state.setup, state.entries), start=1)
    }


def _group_state(state: TournamentState, entries: Sequence[Entry]) -> TournamentState:
    """Keep of a state what was played in the groups by some of the entrants."""
    own = {entry.id for entry in entries}
    last = group_rounds(state)
    meetings = [
        meeting
        for meeting in state.meetings
        if meeting.round <= last and own.issuperset(meeting.entrants)
    ]
    return TournamentState(state.setup, entries, meetings)


def _numbered(group: int, hand: Sequence[Entry]) -> dict[int, int]:
    return {entry.id: group for entry in hand}


def _qualified(state: TournamentState) -> Qualified:
    """Return who goes on by what the tables say now."""
    rows = group_tables(state)
    overall = _ranked(_group_state(state, state.entries), _places(rows))
    there = qualifying.are_here(state.entries, group_rounds(state) + 1)
    here = [row.entrant for row in overall if row.entrant in there]
    return qualifying.qualify(state.setup, rows, here, _option(state.setup, QUALIFIERS))


def _places(rows: Mapping[int, Sequence[StandingsRow]]) -> dict[int, int]:
    """Return the place of everybody in its group as a stage below those of a play-off."""
    return {row.entrant: -row.rank for table in rows.values() for row in table}


def _ranked(state: TournamentState, stages: Mapping[int, int]) -> tuple[StandingsRow, ...]:
    hands = dealt(state.setup, state.entries)
    return tables.standings(
        state,
        stages=stages,
        groups={entry.id: group for group, hand in enumerate(hands, start=1) for entry in hand},
        per_game=True,
    )


def _bracket_state(state: TournamentState) -> BracketState | None:
    """Return the play-off as far as it was drawn; None where too few are left for one."""
    last = group_rounds(state)
    drawn = [meeting for meeting in state.meetings if meeting.round > last]
    if drawn:
        first = [meeting for meeting in drawn if meeting.round == last + 1]
        ranked = qualifying.seeds_of(first, state.setup.size, PREFIX)
    else:
        ranked = _qualified(state).ranked
    if not ranked:
        return None
    return knockout.bracket_state(
        setup=state.setup,
        ranked=ranked,
        entries=state.entries,
        meetings=drawn,
        prefix=PREFIX,
        first_round=last + 1,
    )


def bracket_state_of(state: TournamentState) -> BracketState | None:
    """Return the play-off once it is drawn."""
    return _bracket_state(state) if state.rounds > group_rounds(state) else None


def extra_matches(state: TournamentState, meeting: PairingState) -> int:
    """Return 1 where a meeting of the play-off is level and a match may be added."""
    if not meeting.slot:
        return 0
    entries = {entry.id: entry for entry in state.entries}
    return slots.extra_matches(
        BracketState(state.setup, (), meeting.entrants, entries, {}), meeting
    )


def closing_notes(state: TournamentState) -> tuple[DecisionNote, ...]:
    """Return what decided the last round where its games did not."""
    bracket_state = bracket_state_of(state)
    return slots.closing_notes(bracket_state) if bracket_state else ()


def standings(state: TournamentState) -> tuple[StandingsRow, ...]:
    """Rank by how far everybody came in the play-off, then by place in the group, then by points.

    Those are points per game: groups may differ in size, and in the play-off matches are added.

    The stage is 1 or more in the play-off, and minus the place in the group for the others. What
    decided inside a group is in `group_tables`.
    """
    stages = _places(group_tables(state))
    bracket_state = bracket_state_of(state)
    if bracket_state:
        stages |= slots.stages(bracket_state)
    return _ranked(state, stages)


def is_finished(state: TournamentState) -> bool:
    """Return whether the final is over, or the groups are and too few are left for a play-off."""
    if state.rounds < group_rounds(state):
        return False
    bracket_state = _bracket_state(state)
    return bracket_state is None or slots.is_finished(bracket_state)
