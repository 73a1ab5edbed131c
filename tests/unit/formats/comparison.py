"""Rounds drawn by both, from the same histories, and how far those who meet are apart."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from arena.domain.formats.scoring import CLASSIC
from arena.domain.formats.swiss import Swiss
from arena.domain.formats.types import Entry, PairingState, Score, Setup, TournamentState
from tests.unit.formats import dutch

SWISS = Swiss()

GAMES = 2  # of a meeting, both with the same result, as py4swiss knows one a round


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round by its measures; points as in a game of one point."""

    pairs: tuple[tuple[int, ...], ...]
    repeats: int
    floaters: int  # meetings of unequal points
    apart: float  # points, summed over the meetings
    bye_points: float | None
    worst_excess: int  # how much more often one was first than second afterwards, or the reverse


@dataclass(frozen=True, slots=True)
class Compared:
    entrants: int
    round: int
    ours: Drawn
    theirs: Drawn


def compare(*, entrants: int, rounds: int, rng_seed: int) -> Iterator[Compared]:
    """Play a tournament as we pair it; before each round from the second on draw it twice."""
    random = Random(rng_seed)
    strengths = [random.gauss(0, 1) for _ in range(entrants)]
    setup = Setup(rng_seed=rng_seed, scoring=CLASSIC, games=GAMES, options={"rounds": rounds})
    entries = [Entry(id=100 + seed, seed=seed) for seed in range(1, entrants + 1)]
    state = TournamentState(setup=setup, entries=entries)
    for number in range(1, rounds + 1):
        draw = SWISS.next_round(state)
        assert draw is not None
        if number > 1:
            ours = [meeting.entrants for meeting in draw.meetings]
            yield Compared(
                entrants, number, measure(state, ours), measure(state, dutch.pairs(state))
            )
        played = tuple(_played(random, strengths, meeting) for meeting in draw.meetings)
        state = replace(state, meetings=(*state.meetings, *played))


def _played(random: Random, strengths: list[float], meeting: PairingState) -> PairingState:
    """Play a meeting: the stronger wins more often, one in four is drawn."""
    if meeting.scores:
        return meeting
    one, other = (strengths[entrant - 101] + random.gauss(0, 1) for entrant in meeting.entrants)
    result = (Score(wins=GAMES), Score(losses=GAMES))
    if random.random() < 0.25:
        result = (Score(draws=GAMES), Score(draws=GAMES))
    elif one < other:
        result = (result[1], result[0])
    return replace(meeting, scores=result)


def measure(state: TournamentState, pairs: list[tuple[int, ...]]) -> Drawn:
    points = {
        entry.id: sum(
            (score.wins + score.draws / 2) / GAMES
            for meeting in state.meetings
            if (score := meeting.score_of(entry.id))
        )
        for entry in state.entries
    }
    met = {frozenset(meeting.entrants) for meeting in state.meetings}
    meetings = [pair for pair in pairs if len(pair) > 1]
    byes = [pair[0] for pair in pairs if len(pair) == 1]
    apart = [abs(points[one] - points[other]) for one, other in meetings]
    return Drawn(
        pairs=tuple(pairs),
        repeats=sum(frozenset(pair) in met for pair in pairs),
        floaters=sum(difference > 0 for difference in apart),
        apart=sum(apart),
        bye_points=points[byes[0]] if byes else None,
        worst_excess=_worst_excess(state, meetings),
    )


def _worst_excess(state: TournamentState, meetings: list[tuple[int, ...]]) -> int:
    played = [meeting.entrants for meeting in state.meetings if len(meeting.entrants) > 1]
    firsts = [pair[0] for pair in (*played, *meetings)]
    seconds = [pair[1] for pair in (*played, *meetings)]
    return max(abs(firsts.count(entry.id) - seconds.count(entry.id)) for entry in state.entries)
