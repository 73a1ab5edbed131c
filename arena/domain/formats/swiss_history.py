"""What a Swiss tournament has to know of earlier rounds to draw the next one."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.domain.formats import scoring
from arena.domain.formats.types import Decision, PairingState, TournamentState

_UNITS_PER_POINT = 1000  # whole numbers, so that sums are exact


@dataclass(frozen=True, slots=True)
class History:
    """The entrants of the next round, and their past.

    `order` is best first: by points, then by seed. `points` are whole numbers, in thousandths.
    `met` has the opponents that each was drawn with, whatever the result. `had_bye` are those that
    had a bye, and `had_walkover` those that won a meeting because an opponent had left. `places`
    counts how often each was named first, second and so on. `drift` is 1 for an entrant that met
    one with fewer points in the last round, -1 for one that met one with more, else 0.
    """

    rng_seed: int
    round: int
    order: tuple[int, ...]
    points: Mapping[int, int]
    met: Mapping[int, frozenset[int]]
    had_bye: frozenset[int]
    had_walkover: frozenset[int]
    places: Mapping[int, tuple[int, ...]]
    drift: Mapping[int, int]

    def lot(self, *of: int) -> int:
        """Return a lot of 64 bits for this round and some numbers."""
        drawn = "/".join(map(str, (self.rng_seed, "swiss", self.round, *of)))
        return int.from_bytes(hashlib.sha256(drawn.encode()).digest()[:8])


def before_next_round(state: TournamentState) -> History:
    """Return the history of a state; the order of its entries and meetings does not matter."""
    number = state.rounds + 1
    meetings = sorted(state.meetings, key=lambda meeting: (meeting.round, meeting.number))
    points = _points(state, meetings)
    present = [entry for entry in state.entries if entry.is_in(number)]
    present.sort(key=lambda entry: (-points[entry.id], entry.seed, entry.id))
    order = tuple(entry.id for entry in present)
    walkovers = [meeting for meeting in meetings if meeting.decision == Decision.WALKOVER]
    return History(
        rng_seed=state.setup.rng_seed,
        round=number,
        order=order,
        points=points,
        met={
            entrant: frozenset[int]().union(
                *(meeting.entrants for meeting in meetings if entrant in meeting.entrants)
            )
            - {entrant}
            for entrant in order
        },
        had_bye=frozenset(
            meeting.entrants[0] for meeting in meetings if len(meeting.entrants) == 1
        ),
        had_walkover=frozenset(
            entrant
            for meeting in walkovers
            for entrant, score in zip(meeting.entrants, meeting.scores, strict=True)
            if score.wins
        ),
        places={entrant: _places(state, meetings, entrant) for entrant in order},
        drift=_drift(state, meetings),
    )


def _points(state: TournamentState, meetings: Sequence[PairingState]) -> dict[int, int]:
    points = {entry.id: 0 for entry in state.entries}
    for meeting in meetings:
        for entrant, score in zip(meeting.entrants, meeting.scores, strict=False):
            points[entrant] += round(scoring.points(state.setup.scoring, score) * _UNITS_PER_POINT)
    return points


def _places(
    state: TournamentState, meetings: Sequence[PairingState], entrant: int
) -> tuple[int, ...]:
    taken = [
        meeting.entrants.index(entrant)
        for meeting in meetings
        if entrant in meeting.entrants and len(meeting.entrants) > 1
    ]
    return tuple(taken.count(place) for place in range(state.setup.size))


def _drift(state: TournamentState, meetings: Sequence[PairingState]) -> dict[int, int]:
    """Compare the points of those who met in the last round, before that round."""
    last = [meeting for meeting in meetings if meeting.round == state.rounds]
    before = _points(state, [meeting for meeting in meetings if meeting.round < state.rounds])
    drift = {entry.id: 0 for entry in state.entries}
    for meeting in last:
        had = [before[entrant] for entrant in meeting.entrants]
        for entrant, own in zip(meeting.entrants, had, strict=True):
            drift[entrant] = (own > min(had)) - (own < max(had))
    return drift


def in_points(units: int) -> float:
    """Return the whole numbers of `History.points` as points."""
    return units / _UNITS_PER_POINT
