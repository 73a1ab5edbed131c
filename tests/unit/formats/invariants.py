"""What holds in every tournament of every format, counted where it does not."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, zip_longest
from random import Random

from arena.domain.formats import slots
from arena.domain.formats.types import Decision, DecisionNote, PairingState, TournamentState
from engine.registry import find
from engine.seating import seatings
from tests.unit.formats.simulator import Played

VARIANTS = {2: "classic", 3: "siege"}  # a game for so many
# How often the same ones may meet: a number, or no limit.
MOST_MEETINGS = {"swiss": 1, "round_robin": 1, "double_round_robin": 2, "gauntlet": 1}
PLAYED_ONLY_IF_NEEDED = "grand_final_reset"


@dataclass(slots=True)
class Findings:
    """What was counted in tournaments of a format. `broken` has sentences."""

    tournaments: int = 0
    rounds: int = 0
    meetings: int = 0
    rematches: int = 0
    seats_apart: int = 0  # the worst: games that one entrant had more in one seat than in another
    firsts_apart: int = 0  # the worst, of how often one was named in each place, but for brackets
    second_byes: int = 0
    unfinished: int = 0
    order_dependent: int = 0
    broken: list[str] = field(default_factory=list)

    def take(self, played: Played) -> None:
        """Look at a tournament."""
        self.tournaments += 1
        self.rounds += len(played.steps)
        self.meetings += len(_met(played.state))
        self.rematches += rematches(played)
        self.seats_apart = max(self.seats_apart, seats_apart(played))
        self.firsts_apart = max(self.firsts_apart, firsts_apart(played))
        self.second_byes += second_byes(played)
        self.unfinished += played.ended is None
        self.order_dependent += is_order_dependent(played)
        name = f"{played.slug} {played.setup.size} seed {played.setup.rng_seed}: "
        self.broken += [name + sentence for sentence in broken(played)]


def _met(state: TournamentState) -> list[PairingState]:
    return [meeting for meeting in state.meetings if len(meeting.entrants) > 1]


def rematches(played: Played) -> int:
    """Count meetings of those who should not have met again."""
    if played.slug == "swiss":
        pairs = (pair for meeting in _met(played.state) for pair in _pairs(meeting))
        return sum(count - 1 for count in Counter(pairs).values())
    in_groups = [meeting for meeting in _met(played.state) if not meeting.slot]
    met = Counter(frozenset(meeting.entrants) for meeting in in_groups)
    most = MOST_MEETINGS.get(played.slug, 1)  # the groups before a play-off; brackets have slots
    return sum(max(0, count - most) for count in met.values())


def _pairs(meeting: PairingState) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in combinations(meeting.entrants, 2)]


def seats_apart(played: Played) -> int:
    """Return how unevenly somebody had the seats of the game, over all that was played."""
    variant = find(VARIANTS[played.setup.size])
    taken: Counter[tuple[int, str]] = Counter()
    for meeting in _met(played.state):
        if meeting.decision == Decision.PLAYED:
            games = meeting.scores[0].games
            match = seatings(variant, {}, played.setup.rng_seed, meeting.entrants)
            assert games % len(match) == 0, meeting
            for seats in match * (games // len(match)):
                taken.update((who, seat) for seat, who in seats.items())
    return max(
        (
            max(taken[entry.id, seat] for seat in variant.seats)
            - min(taken[entry.id, seat] for seat in variant.seats)
            for entry in played.state.entries
        ),
        default=0,
    )


def firsts_apart(played: Played) -> int:
    """Return how unevenly somebody was named first, second (and third), where all meet alike."""
    named: Counter[tuple[int, int]] = Counter(
        (entrant, place)
        for meeting in _met(played.state)
        if not meeting.slot
        for place, entrant in enumerate(meeting.entrants)
    )
    return max(
        max(named[entry.id, place] for place in range(played.setup.size))
        - min(named[entry.id, place] for place in range(played.setup.size))
        for entry in played.state.entries
    )


def second_byes(played: Played) -> int:
    """Count the byes of those who had one."""
    byes = Counter(
        meeting.entrants[0] for meeting in played.state.meetings if len(meeting.entrants) == 1
    )
    return sum(count - 1 for count in byes.values())


def is_order_dependent(played: Played) -> bool:
    """Return whether standings or draws change with the order in which rows happen to be."""
    random = Random(played.setup.rng_seed)
    states = [played.state, *(state for state, _ in random.sample(played.steps, 1))]
    return any(_depends(played, state, random) for state in states)


def _depends(played: Played, state: TournamentState, random: Random) -> bool:
    other = replace(
        state,
        entries=tuple(random.sample(state.entries, len(state.entries))),
        meetings=tuple(random.sample(state.meetings, len(state.meetings))),
    )
    return played.format.standings(state) != played.format.standings(
        other
    ) or played.format.next_round(state) != played.format.next_round(other)


def broken(played: Played) -> Iterator[str]:
    """Yield what else does not hold."""
    yield from _broken_standings(played)
    for state, _ in played.steps:
        if played.format.is_finished(state):
            yield f"finished before round {state.rounds + 1}"
    if played.ended and not played.format.is_finished(played.ended):
        yield "not finished, but no next round"
    slots = [meeting.slot for meeting in played.state.meetings if meeting.slot]
    if len(set(slots)) < len(slots):
        yield "a slot is there twice"
    for state, draw in played.steps:
        yield from _broken_draw(state, draw.meetings)
    yield from _broken_outline(played)
    yield from _broken_bracket(played)


def _broken_bracket(played: Played) -> Iterator[str]:
    """Compare the bracket with the standings, and with what was said of it."""
    bracket = played.format.bracket(played.state) if played.ended else None
    if bracket is None:
        return
    if bracket.winner != played.format.standings(played.state)[0].entrant:
        yield "who won the bracket is not the first of the standings"
    said = {note.details["slot"]: note for note in played.notes if note.meeting}
    bracket_state = played.format.bracket_state_of(played.state)
    assert bracket_state
    if not _are_out(played, bracket_state):
        yield "somebody is out without as many defeats as it takes, or still there after them"
    for slot, slot_state in bracket_state.slot_states.items():
        if slot_state.note != said.get(slot):
            yield f"{slot}: the bracket and the log give different reasons"
        if slot in said:
            yield from _broken_note(said[slot], bracket_state, slot_state.order[0])


def _are_out(played: Played, bracket_state: slots.BracketState) -> bool:
    """Return whether all but the winner lost once, or twice if they may come back."""
    lost = Counter(
        who
        for slot, slot_state in bracket_state.slot_states.items()
        if not slot_state.is_idle and "T" not in slot  # the match for third place
        for who in slot_state.order[1:]
    )
    ranked = [row.entrant for row in played.format.standings(played.state)]
    best, second, *others = [who for who in ranked if who in bracket_state.ranked]
    if played.slug != "double_elimination":
        return not lost[best] and {lost[who] for who in (second, *others)} == {1}
    least = 2 if played.setup.options["reset"] else 1
    return lost[best] <= 1 and least <= lost[second] <= 2 and {lost[who] for who in others} <= {2}


def _broken_note(
    note: DecisionNote, bracket_state: slots.BracketState, winner: int
) -> Iterator[str]:
    """Hold what a note says of who goes on against the bracket, the seeds and who is there."""
    if note.details["entrant"] != winner:
        yield f"{note.details['slot']}: another one goes on than was said"
    is_best = note.details["entrant"] == min(note.details["entrants"], key=bracket_state.seed_of)
    if is_best == bool(note.details["left"]):
        yield f"{note.details['slot']}: it is not the seeds that decided, or not who left"
    if any(bracket_state.entries[who].until_round is None for who in note.details["left"]):
        yield f"{note.details['slot']}: somebody is said to have left who is there"


def _broken_standings(played: Played) -> Iterator[str]:
    for state in [played.state, *(state for state, _ in played.steps[-1:])]:
        rows = played.format.standings(state)
        if sorted(row.entrant for row in rows) != sorted(entry.id for entry in state.entries):
            yield "not everybody is in the standings once"
        if [row.rank for row in rows] != list(range(1, len(rows) + 1)):
            yield "ranks are not 1 to n"
        if [row.stage for row in rows] != sorted((row.stage for row in rows), reverse=True):
            yield "the standings are not in the order of stages"
        if any(not row.decided_by for row in rows[:-1]) or rows[-1].decided_by:
            yield "the standings do not say what put a line before the next"


def _broken_draw(state: TournamentState, meetings: tuple[PairingState, ...]) -> Iterator[str]:
    number = state.rounds + 1
    entries = {entry.id: entry for entry in state.entries}
    if [(one.round, one.number) for one in meetings] != [
        (number, at) for at in range(1, len(meetings) + 1)
    ]:
        yield f"round {number}: numbers are not 1 to n"
    entrants = [entrant for meeting in meetings for entrant in meeting.entrants]
    if len(set(entrants)) < len(entrants):
        yield f"round {number}: somebody is in it twice"
    to_play = [entrant for one in meetings if not one.is_over for entrant in one.entrants]
    if not all(entries[entrant].is_in(number) for entrant in to_play):
        yield f"round {number}: somebody is to play who is not there"
    for meeting in meetings:
        if (len(meeting.entrants) == 1) != (meeting.decision == Decision.BYE):
            yield f"round {number}: {meeting} is half a bye"


def _broken_outline(played: Played) -> Iterator[str]:
    """Compare what was announced with what came, where nobody left or came late."""
    announced = played.format.outline(played.setup, played.entrants)
    if played.ended and len(played.steps) > len(announced):
        yield f"{len(played.steps)} rounds, {len(announced)} announced"
    if played.troubled:
        return
    came = [_counted(draw.meetings) for _, draw in played.steps]
    awaited = [(outline.pairings, outline.byes) for outline in announced]
    if announced[-1].code == PLAYED_ONLY_IF_NEEDED and len(came) < len(awaited):
        awaited.pop()
    if came != awaited:
        differing = [pair for pair in zip_longest(came, awaited) if pair[0] != pair[1]]
        yield f"pairings and byes of a round, and as announced: {differing[0]}"


def _counted(meetings: tuple[PairingState, ...]) -> tuple[int, int]:
    byes = sum(len(meeting.entrants) == 1 for meeting in meetings)
    return len(meetings) - byes, byes
