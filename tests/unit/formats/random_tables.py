"""Random results of anything, drawn without a format: many are equal, and anything goes wrong."""

from dataclasses import replace

from arena.domain.formats import results, scoring, tiebreaks
from arena.domain.formats.types import Decision, Entry, PairingState, Score, Setup, TournamentState

ALL = tuple(tiebreaks.MEASURES)


def random_state(rng, *, size=2):
    """Random meetings, many equal: small numbers of games, anything may go wrong."""
    field = rng.randint(size, 7)
    ids = rng.sample(range(1, 500), field)
    setup = Setup(
        rng_seed=rng.randrange(1000),
        scoring=rng.choice([*scoring.PRESETS.values()]),
        tie_breaks=tuple(rng.sample(ALL, rng.randint(0, len(ALL)))),
        size=size,
        sizes=(2, 3),
        games=rng.randint(1, 2),
    )
    rounds = rng.randint(0, 4)
    entries = [
        Entry(who, seed, until_round=rng.choice([None, None, rng.randint(0, 3)]))
        for seed, who in enumerate(ids, start=1)
    ]
    meetings = [
        meeting
        for number in range(1, rounds + 1)
        for meeting in random_round(rng, setup, ids, number)
    ]
    return TournamentState(setup, entries, meetings)


def random_round(rng, setup, ids, number):
    waiting = rng.sample(ids, len(ids))
    at = 0
    while waiting:
        at += 1
        there, waiting = waiting[: setup.size], waiting[setup.size :]
        meeting = PairingState(number, at, tuple(there))
        kind = rng.random()
        if len(there) == 1:
            if kind < 0.7:
                yield results.bye(setup, meeting)
        elif kind < 0.1:
            yield results.walk_over(
                setup, meeting, rng.sample(there, rng.randint(0, len(there) - 1))
            )
        elif kind < 0.15:
            scores = results.awarded(setup, there, rng.choice([None, 0, 1]))
            yield replace(meeting, decision=Decision.AWARD, scores=scores)
        elif kind < 0.2:
            yield meeting
        else:
            yield replace(meeting, scores=played(rng, setup.games, len(there)))


def played(rng, games, entrants):
    scores = [Score()] * entrants
    for _ in range(games):
        winner = rng.choice([None, *range(entrants)])
        guilty = rng.choice([None, None, *range(entrants)])
        for place, score in enumerate(scores):
            if winner is None:
                scores[place] = replace(score, draws=score.draws + 1)
            elif place == winner:
                scores[place] = replace(score, wins=score.wins + 1)
            else:
                faults = score.forfeits + (place == guilty)
                scores[place] = replace(score, losses=score.losses + 1, forfeits=faults)
    return tuple(scores)
