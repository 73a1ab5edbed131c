"""Groups, then a play-off: round robins side by side, the best of which go into a bracket.

Seeds are dealt to the groups like a snake: 1 2 3, 6 5 4, 7 8 9. The play-off is a single
elimination. Winners of groups are its best seeds, then the second of each group, and so on; those
of one place are ranked by points per game and tie-breaks, and changed among each other so that two
of a group meet again as late as possible. Whoever has left is passed over.

Who is in the play-off is settled when it is drawn. What is voided or awarded in a group after that
changes the table of the group only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from math import comb

from arena.domain.formats import qualifying, scheduled, single_elimination, tables
from arena.domain.formats.base import Format
from arena.domain.formats.elimination import Elimination
from arena.domain.formats.qualifying import Qualified
from arena.domain.formats.round_robin import RoundRobin
from arena.domain.formats.single_elimination import SingleElimination
from arena.domain.formats.slots import BracketState
from arena.domain.formats.types import (
    DecisionNote,
    Draw,
    Entry,
    FormatOption,
    RoundOutline,
    Setup,
    StandingsRow,
    TournamentState,
    Unplayable,
    _,
)

GROUPS = FormatOption(
    name="groups",
    label=_("Groups"),
    help=_("How many groups there are."),
    default=4,
    least=2,
    most=16,
)
QUALIFIERS = FormatOption(
    name="qualifiers",
    label=_("Qualifiers"),
    help=_("How many of each group advance to the play-off."),
    default=2,
    least=1,
    most=8,
)
PREFIX = "P"  # of the slots of the play-off
ROUND_ROBIN, PLAY_OFF = RoundRobin(), SingleElimination()
TEXTS = {
    "group_round": _("Groups, round %(round)s"),
    "group_draw": _("The groups were drawn by seed: %(groups)s."),
    "play_off_seeds": _("The seeds of the play-off, from 1 on: %(entrants)s."),
    "qualified": _("Qualified from group %(group)s: %(entrants)s."),
    "passed_over": _(
        "%(entrant)s of group %(group)s has left, so the next entrant of the group qualifies."
    ),
    "left_out": _(
        "These entrants qualified but are left out: %(entrants)s. Others have left, and the "
        "number that remains cannot play a bracket."
    ),
    "groups_too_small": _(
        "%(groups)s groups need at least %(least)s entrants, and there are %(entrants)s. Make "
        "fewer groups, or let more bots enter."
    ),
}


class GroupsPlayoff(Elimination):
    """Round robins in groups, then a single elimination of the best of each group.

    Groups may differ in size, and the play-off adds matches after ties, so points per game are
    compared.
    """

    slug = "groups_playoff"
    label = _("groups, then play-off")
    meaning = _("Round robins in groups. The best of each group advance to a knockout.")
    after_leaving = Format.after_leaving
    stage_meaning = _(
        "The play-off, round by round; for those who are not in it the place in their group."
    )
    position = 70
    texts = TEXTS

    options = (GROUPS, QUALIFIERS, *SingleElimination.options)
    tie_breaks = RoundRobin.tie_breaks
    is_scheduled = True
    has_crosstable = True

    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable if groups are too small to meet in, or for their qualifiers."""
        groups, qualifiers = GROUPS.value(setup), QUALIFIERS.value(setup)
        least = groups * max(setup.size, qualifiers)
        if entrants < least:
            raise Unplayable("groups_too_small", groups=groups, least=least, entrants=entrants)
        pairings = sum(comb(size, setup.size) for size in _sizes(setup, entrants))
        scheduled.require(setup, entrants, pairings=pairings)
        PLAY_OFF.check(setup, groups * qualifiers)

    def outline(self, setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
        """Return the rounds of the groups, then those of the play-off."""
        schedules = [ROUND_ROBIN.rounds(setup, size) for size in _sizes(setup, entrants)]
        together = [
            tuple(chain.from_iterable(turns)) for turns in zip_longest(*schedules, fillvalue=())
        ]
        qualified = GROUPS.value(setup) * QUALIFIERS.value(setup)
        return (*scheduled.outline("group_round", together), *PLAY_OFF.outline(setup, qualified))

    def next_round(self, state: TournamentState) -> Draw | None:
        """Draw the next round of the groups, or of the play-off; None after the final."""
        groups_end = self.group_rounds(state)
        if state.rounds < groups_end:
            # With round 1 a note says who is in which group.
            setup, number = state.setup, state.rounds + 1
            hands = dealt(setup, state.entries)
            meetings = [
                meeting
                for hand in hands
                for turn in ROUND_ROBIN.rounds(setup, len(hand))[number - 1 : number]
                for meeting in scheduled.draw_round(setup, hand, number, turn)
            ]
            numbered = tuple(
                replace(meeting, number=at) for at, meeting in enumerate(meetings, start=1)
            )
            if number > 1:
                return Draw(numbered)
            groups = [[entry.id for entry in hand] for hand in hands]
            return Draw(numbered, (DecisionNote("group_draw", {"groups": groups}),))
        bracket_state = self._play_off(state)
        drawn = bracket_state.draw() if bracket_state else None
        if drawn is None or state.rounds > groups_end:
            return drawn
        qualified = self._qualified(state)
        seeds = DecisionNote("play_off_seeds", {"entrants": list(qualified.ranked)})
        return replace(drawn, notes=(*qualified.notes, seeds, *drawn.notes))

    def bracket_state_of(self, state: TournamentState) -> BracketState | None:
        """Return the play-off once it is drawn."""
        return self._play_off(state) if state.rounds > self.group_rounds(state) else None

    def standings(self, state: TournamentState) -> tuple[StandingsRow, ...]:
        """Rank by how far everybody came in the play-off, by place in the group, then by points.

        The stage is 1 or more in the play-off, and minus the place in the group for the others.
        What decided inside a group is in `group_tables`.
        """
        stages = _places(self.group_tables(state))
        bracket_state = self.bracket_state_of(state)
        if bracket_state:
            stages |= bracket_state.stages()
        return _ranked(state, stages)

    def is_finished(self, state: TournamentState) -> bool:
        """Return whether the final is over, or too few are left for a play-off."""
        if state.rounds < self.group_rounds(state):
            return False
        bracket_state = self._play_off(state)
        return bracket_state is None or bracket_state.is_finished

    def group_rounds(self, state: TournamentState) -> int:
        """Return how many rounds the groups have."""
        sizes = _sizes(state.setup, len(state.entries))
        return max(len(ROUND_ROBIN.rounds(state.setup, size)) for size in sizes)

    def group_tables(self, state: TournamentState) -> dict[int, tuple[StandingsRow, ...]]:
        """Return the standings of each group, from 1, by what was played in it."""
        last = self.group_rounds(state)
        return {
            group: tables.standings(
                _group_state(state, hand, last),
                groups={entry.id: group for entry in hand},
                is_scheduled=True,
            )
            for group, hand in enumerate(dealt(state.setup, state.entries), start=1)
        }

    def _qualified(self, state: TournamentState) -> Qualified:
        """Return who advances by the present standings of the groups."""
        last = self.group_rounds(state)
        rows = self.group_tables(state)
        overall = _ranked(_group_state(state, state.entries, last), _places(rows))
        present = {entry.id for entry in state.entries if entry.is_in(last + 1)}
        here = [row.entrant for row in overall if row.entrant in present]
        return qualifying.qualify(state.setup, rows, here, QUALIFIERS.value(state.setup))

    def _play_off(self, state: TournamentState) -> BracketState | None:
        """Return the play-off as far as it was drawn; None if too few are left for one."""
        number = self.group_rounds(state) + 1
        first = [meeting for meeting in state.meetings if meeting.round == number]
        if first:
            ranked = qualifying.seeds_of(first, state.setup.size, PREFIX)
        else:
            ranked = self._qualified(state).ranked
        if not ranked:
            return None
        nodes = single_elimination.nodes(state.setup, len(ranked), PREFIX)
        return BracketState.of(state, nodes=nodes, ranked=ranked, first_round=number)


def dealt(setup: Setup, entries: Iterable[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """Deal entries to the groups like a snake, the best seeds first."""
    groups = GROUPS.value(setup)
    hands: list[list[Entry]] = [[] for _group in range(groups)]
    for place, entry in enumerate(sorted(entries, key=lambda entry: entry.seed)):
        turn, at = divmod(place, groups)
        hands[groups - 1 - at if turn % 2 else at].append(entry)
    return tuple(map(tuple, hands))


def _sizes(setup: Setup, entrants: int) -> list[int]:
    groups = GROUPS.value(setup)
    return [entrants // groups + (number < entrants % groups) for number in range(groups)]


def _group_state(state: TournamentState, entries: Sequence[Entry], last: int) -> TournamentState:
    """Return a state of some entrants with what they played in the groups, up to a last round."""
    own = {entry.id for entry in entries}
    meetings = [
        meeting
        for meeting in state.meetings
        if meeting.round <= last and own.issuperset(meeting.entrants)
    ]
    return TournamentState(state.setup, entries, meetings)


def _places(rows: Mapping[int, Sequence[StandingsRow]]) -> dict[int, int]:
    """Return the place of everybody in its group, as a stage below those of the play-off."""
    return {row.entrant: -row.rank for table in rows.values() for row in table}


def _ranked(state: TournamentState, stages: Mapping[int, int]) -> tuple[StandingsRow, ...]:
    hands = dealt(state.setup, state.entries)
    return tables.standings(
        state,
        stages=stages,
        groups={entry.id: group for group, hand in enumerate(hands, start=1) for entry in hand},
        per_game=True,
        is_scheduled=True,
    )
