"""Standings: from meetings to rows. All formats share this."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from arena.domain.formats import scoring, tiebreaks
from arena.domain.formats.tiebreaks import DUMMY, Encounter, EntrantRecord
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
    is_scheduled: bool = False,
) -> tuple[StandingsRow, ...]:
    """Rank all entries: by stage, by points, then by the tie-breaks of the setup and the coin.

    `stages` and `groups` are by entrant; one that is missing has 0. `per_game` compares points per
    game instead of points, and averages in tie-breaks, for formats in which some play more games.
    `every_round` says that every round is for everybody, so that a missed round counts as unplayed
    in tie-breaks. `is_scheduled` says that a schedule names the opponents, so that a walkover or an
    award counts the scheduled ones.
    """
    stage_of, group_of = stages or {}, groups or {}
    seed_of = {entry.id: entry.seed for entry in state.entries}
    slugs = [slug for slug in state.setup.tie_breaks if slug != CHANCE]
    records = {
        entry.id: _record(state, entry, every_round=every_round, is_scheduled=is_scheduled)
        for entry in state.entries
    }
    compared = records
    measures = tiebreaks.MEASURES
    if per_game:
        compared = {entrant: _shared(record) for entrant, record in records.items()}
        measures = {slug: tiebreaks.per_game(slug) for slug in slugs}
    sortings: list[Sorting] = [
        ("stage", lambda _tied, entrant: float(stage_of.get(entrant, 0))),
        (PER_GAME if per_game else "points", lambda _tied, entrant: compared[entrant].points),
        *((slug, partial(measures[slug], compared)) for slug in slugs),
        (CHANCE, lambda _tied, entrant: tiebreaks.coin(state.setup.rng_seed, seed_of[entrant])),
    ]
    values: dict[int, list[float]] = {entry.id: [] for entry in state.entries}
    ranked = list(_ranked(sorted(values), sortings, values))
    return tuple(
        StandingsRow(
            entrant=entrant,
            rank=rank,
            points=records[entrant].points,
            games=records[entrant].total.games,
            wins=records[entrant].total.wins,
            draws=records[entrant].total.draws,
            losses=records[entrant].total.losses,
            forfeits=records[entrant].total.forfeits,
            byes=records[entrant].byes,
            tie_breaks=tuple(values[entrant][2 : 2 + len(slugs)]),
            stage=stage_of.get(entrant, 0),
            decided_by=decided_by if rank < len(ranked) else "",
            group=group_of.get(entrant, 0),
        )
        for rank, (entrant, decided_by) in enumerate(ranked, start=1)
    )


def _shared(record: EntrantRecord) -> EntrantRecord:
    """Return a record with points per game."""
    games = record.total.games or 1
    return replace(record, points=record.points / games, worth=record.worth / games)


def _ranked(
    tied: Sequence[int],
    sortings: Sequence[Sorting],
    values: dict[int, list[float]],
    *,
    again: bool = False,
) -> Iterator[tuple[int, str]]:
    """Yield entrants, best first, each with the name of what put it before the next one.

    The first sorting divides the tied entrants into smaller sets of equals, the next one divides
    each of these, and so on. Direct encounter is applied `again` to each of its sets, until it
    divides no more. The last of a set has the name of the sorting that separates it from the next
    set. `values` collects what each sorting measured the first time.
    """
    if not sortings:
        yield from ((entrant, CHANCE) for entrant in tied)
        return
    (name, measure), *others = sortings
    measured = {entrant: measure(tied, entrant) for entrant in tied}
    if not again:
        for entrant in tied:
            values[entrant].append(measured[entrant])
    for value in sorted(set(measured.values()), reverse=True):
        equal = [entrant for entrant in tied if measured[entrant] == value]
        if name == tiebreaks.AGAIN and 1 < len(equal) < len(tied):
            *before, (last, _) = _ranked(equal, sortings, values, again=True)
        else:
            *before, (last, _) = _ranked(equal, others, values)
        yield from before
        yield last, name


def _record(
    state: TournamentState, entry: Entry, *, every_round: bool, is_scheduled: bool
) -> EntrantRecord:
    """Return what an entrant did in the meetings that are over and not void."""
    own = [meeting for meeting in state.meetings if entry.id in meeting.entrants]
    encounters = [
        _encounter(state, entry.id, meeting, is_scheduled=is_scheduled)
        for meeting in own
        if meeting.scores
    ]
    points = math.fsum(encounter.points for encounter in encounters)
    # The rounds in which it had no meeting that counts or may still count.
    had = {meeting.round for meeting in own if meeting.decision != Decision.VOID}
    missed = [number for number in range(1, state.rounds + 1) if every_round and number not in had]
    left = entry.until_round
    drawn = 0 if left is None else sum(number > left for number in missed)
    scores = [encounter.score for encounter in encounters]
    dummies = (DUMMY,) * (state.setup.size - 1)
    nothing = Encounter(opponents=dummies, score=Score(), points=0.0, is_played=False)
    return EntrantRecord(
        total=Score(
            wins=sum(score.wins for score in scores),
            draws=sum(score.draws for score in scores),
            losses=sum(score.losses for score in scores),
            forfeits=sum(score.forfeits for score in scores),
        ),
        points=points,
        worth=points + drawn * state.setup.games * state.setup.scoring.draw,
        byes=sum(meeting.decision == Decision.BYE for meeting in own),
        encounters=(*encounters, *(nothing for _round in missed)),
    )


def _encounter(
    state: TournamentState, entrant: int, meeting: PairingState, *, is_scheduled: bool
) -> Encounter:
    score = meeting.scores[meeting.entrants.index(entrant)]
    opponents: tuple[int | None, ...] = tuple(
        other for other in meeting.entrants if other != entrant
    )
    is_played = meeting.decision == Decision.PLAYED
    if not opponents or not (is_played or is_scheduled):
        opponents = (DUMMY,) * (len(opponents) or state.setup.size - 1)
    return Encounter(
        opponents=opponents,
        score=score,
        points=scoring.points(state.setup.scoring, score),
        is_played=is_played,
    )
