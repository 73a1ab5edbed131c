"""Standings: from meetings to rows. All formats share this."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from arena.domain.formats import scoring, tiebreaks
from arena.domain.formats.tiebreaks import DUMMY, Book, Encounter, EntrantRecord
from arena.domain.formats.types import (
    CHANCE,
    Decision,
    Entry,
    PairingState,
    Score,
    StandingsRow,
    TournamentState,
)

PER_GAME = "points_per_game"
Sorting = tuple[str, Callable[[Sequence[int], int], float]]  # its name and its measure


def standings(
    state: TournamentState,
    *,
    stages: Mapping[int, int] | None = None,
    groups: Mapping[int, int] | None = None,
    per_game: bool = False,
    every_round: bool = False,
) -> tuple[StandingsRow, ...]:
    """Rank all entries: by stage, by points, then by the tie-breaks of the setup and the coin.

    `stages` and `groups` are by entrant; one that is missing has 0. `per_game` compares points per
    game instead of points, and averages in tie-breaks, for formats in which some play more games.
    `every_round` says that every round is for everybody, so that a missed round counts as unplayed
    in tie-breaks.
    """
    stage_of, group_of = stages or {}, groups or {}
    made = book(state, every_round=every_round)
    values: dict[int, list[float]] = {entry.id: [] for entry in state.entries}
    sortings = [
        ("stage", lambda _tied, entrant: float(stage_of.get(entrant, 0))),
        _by_points(made, per_game=per_game),
        *_tie_breaks(state, made, per_game=per_game),
    ]
    ranked = list(_ranked(sorted(values), sortings, values))
    listed = 2 + len([slug for slug in state.setup.tie_breaks if slug != CHANCE])
    return tuple(
        replace(
            _row(entrant, rank, made[entrant]),
            tie_breaks=tuple(values[entrant][2:listed]),
            stage=stage_of.get(entrant, 0),
            decided_by=decided_by if rank < len(ranked) else "",
            group=group_of.get(entrant, 0),
        )
        for rank, (entrant, decided_by) in enumerate(ranked, start=1)
    )


def _row(entrant: int, rank: int, record: EntrantRecord) -> StandingsRow:
    total = record.total
    return StandingsRow(
        entrant=entrant,
        rank=rank,
        points=record.points,
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        losses=total.losses,
        forfeits=total.forfeits,
        byes=record.byes,
    )


def _by_points(made: Book, *, per_game: bool) -> Sorting:
    if per_game:
        return PER_GAME, lambda _tied, entrant: _shared(made[entrant]).points
    return "points", lambda _tied, entrant: made[entrant].points


def _shared(record: EntrantRecord) -> EntrantRecord:
    """Return a record with points per game."""
    games = record.total.games or 1
    return replace(record, points=record.points / games, worth=record.worth / games)


def _tie_breaks(state: TournamentState, made: Book, *, per_game: bool) -> Iterator[Sorting]:
    """Yield the sortings of the setup, and the coin after them."""
    compared = {entrant: _shared(record) for entrant, record in made.items()} if per_game else made
    for slug in state.setup.tie_breaks:
        if slug != CHANCE:
            measure = tiebreaks.per_game(slug) if per_game else tiebreaks.MEASURES[slug]
            yield slug, partial(measure, compared)
    seeds = {entry.id: entry.seed for entry in state.entries}
    yield CHANCE, lambda _tied, entrant: tiebreaks.coin(state.setup.rng_seed, seeds[entrant])


def _ranked(
    tied: Sequence[int], sortings: Sequence[Sorting], values: dict[int, list[float]]
) -> Iterator[tuple[int, str]]:
    """Yield entrants, best first, each with the name of what put it before the next one.

    The first sorting divides the tied entrants into smaller sets of equals, the next one divides
    each of these, and so on. The last of a set has the name of the sorting that separates it from
    the next set. `values` collects what each sorting measured.
    """
    if not sortings:
        yield from ((entrant, CHANCE) for entrant in tied)
        return
    (name, measure), *others = sortings
    measured = {entrant: measure(tied, entrant) for entrant in tied}
    for entrant in tied:
        values[entrant].append(measured[entrant])
    for value in sorted(set(measured.values()), reverse=True):
        equal = [entrant for entrant in tied if measured[entrant] == value]
        *before, (last, _) = _ranked(equal, others, values)
        yield from before
        yield last, name


def book(state: TournamentState, *, every_round: bool = False) -> dict[int, EntrantRecord]:
    """Return what every entrant did in the meetings that are over and not void."""
    return {
        entry.id: _record(state, entry, _own(state, entry.id), every_round=every_round)
        for entry in state.entries
    }


def _own(state: TournamentState, entrant: int) -> list[PairingState]:
    return [meeting for meeting in state.meetings if entrant in meeting.entrants]


def _record(
    state: TournamentState, entry: Entry, own: Sequence[PairingState], *, every_round: bool
) -> EntrantRecord:
    encounters = tuple(_encounter(state, entry.id, meeting) for meeting in own if meeting.scores)
    points = math.fsum(encounter.points for encounter in encounters)
    missed = _missed(state, own) if every_round else []
    left = entry.until_round
    drawn = 0 if left is None else sum(number > left for number in missed)
    return EntrantRecord(
        total=_sum([encounter.score for encounter in encounters]),
        points=points,
        worth=points + drawn * state.setup.games * state.setup.scoring.draw,
        byes=sum(meeting.decision == Decision.BYE for meeting in own),
        encounters=encounters + (_nothing(state),) * len(missed),
    )


def _missed(state: TournamentState, own: Sequence[PairingState]) -> list[int]:
    """Return the rounds in which an entrant had no meeting that counts or may still count."""
    had = {meeting.round for meeting in own if meeting.decision != Decision.VOID}
    return [number for number in range(1, state.rounds + 1) if number not in had]


def _nothing(state: TournamentState) -> Encounter:
    return Encounter(opponents=(DUMMY,) * (state.setup.size - 1), score=Score(), points=0.0)


def _encounter(state: TournamentState, entrant: int, meeting: PairingState) -> Encounter:
    score = meeting.scores[meeting.entrants.index(entrant)]
    opponents: tuple[int | None, ...] = tuple(
        other for other in meeting.entrants if other != entrant
    )
    if meeting.decision != Decision.PLAYED:
        opponents = (DUMMY,) * (len(opponents) or state.setup.size - 1)
    return Encounter(
        opponents=opponents, score=score, points=scoring.points(state.setup.scoring, score)
    )


def _sum(scores: Sequence[Score]) -> Score:
    return Score(
        wins=sum(score.wins for score in scores),
        draws=sum(score.draws for score in scores),
        losses=sum(score.losses for score in scores),
        forfeits=sum(score.forfeits for score in scores),
    )
