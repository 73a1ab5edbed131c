"""Plays brackets to their end: results from a lot or by strength."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from arena.domain.formats import results, scoring
from arena.domain.formats.base import Format
from arena.domain.formats.types import (
    DecisionNote,
    Entry,
    PairingState,
    Score,
    Setup,
    TournamentState,
)

MOST_ROUNDS = 40


def settled(state: TournamentState, notes: Iterable[DecisionNote]) -> TournamentState:
    """Keep who was said to go on, as whoever draws a round does."""
    return replace(state, meetings=results.settled(state.meetings, notes))


def setup_for(*, size: int = 2, games: int | None = None, **options: int) -> Setup:
    sizes = (2,) if size == 2 else (2, 3)
    return Setup(
        rng_seed=7,
        scoring=scoring.CLASSIC,
        size=size,
        sizes=sizes,
        games=games or size,
        options=options,
    )


def entries(count: int) -> list[Entry]:
    """Numbers that are not seeds, so that the two cannot be mistaken for each other."""
    return [Entry(id=1000 + seed, seed=seed) for seed in range(1, count + 1)]


def by_strength(meeting: PairingState, _rng: Random) -> tuple[Score, ...]:
    best = min(meeting.entrants)
    games = len(meeting.entrants)
    return tuple(
        Score(wins=games) if who == best else Score(losses=games) for who in meeting.entrants
    )


def by_lot(meeting: PairingState, rng: Random) -> tuple[Score, ...]:
    """Every game has one winner, or is drawn by all: meetings are level now and then."""
    scores = [Score() for _ in meeting.entrants]
    for _ in meeting.entrants:
        winner = rng.choice([*range(len(scores)), None])
        for place, score in enumerate(scores):
            scores[place] = _with_game(score, None if winner is None else winner == place)
    return tuple(scores)


def _with_game(score: Score, won: bool | None) -> Score:  # noqa: FBT001 - three answers
    if won is None:
        return replace(score, draws=score.draws + 1)
    return replace(score, wins=score.wins + won, losses=score.losses + (not won))


def added(one: tuple[Score, ...], other: tuple[Score, ...]) -> tuple[Score, ...]:
    return tuple(
        Score(a.wins + b.wins, a.draws + b.draws, a.losses + b.losses)
        for a, b in zip(one, other, strict=True)
    )


class Play:
    """A tournament that is played round by round."""

    def __init__(
        self,
        played: Format,
        setup: Setup,
        field: list[Entry],
        *,
        result: Callable[[PairingState, Random], tuple[Score, ...]] = by_strength,
        rng: Random | None = None,
    ) -> None:
        self.format = played
        self.state = TournamentState(setup, tuple(field))
        self.result = result
        self.rng = rng or Random(1)
        self.notes: list[DecisionNote] = []

    def run(self) -> "Play":
        while self.step():
            assert self.state.rounds <= MOST_ROUNDS
        return self

    def step(self) -> bool:
        draw = self.format.next_round(self.state)
        assert (draw is None) == self.format.is_finished(self.state)
        if draw is None:
            return False
        self.notes += draw.notes
        self.state = settled(self.state, draw.notes)
        for meeting in draw.meetings:
            self.take(meeting if meeting.is_over else self.to_its_end(meeting))
        return True

    def drawn(self) -> tuple[PairingState, ...]:
        """Return the meetings of the next round, which there is."""
        draw = self.format.next_round(self.state)
        assert draw
        return draw.meetings

    def take(self, meeting: PairingState) -> None:
        self.state = replace(self.state, meetings=(*self.state.meetings, meeting))

    def leave(self, entrant: int, round_number: int) -> None:
        self.state = replace(
            self.state,
            entries=tuple(
                replace(entry, until_round=round_number)
                if entry.id == entrant and entry.until_round is None
                else entry
                for entry in self.state.entries
            ),
        )

    def to_its_end(self, meeting: PairingState) -> PairingState:
        over = replace(meeting, scores=self.result(meeting, self.rng))
        for _ in range(MOST_ROUNDS):
            more = self.format.extra_matches(self.state, over)
            if not more:
                return over
            assert more == 1
            over = replace(over, scores=added(over.scores, self.result(meeting, self.rng)))
        raise AssertionError("matches are added for ever")

    @property
    def finished(self) -> TournamentState:
        assert self.format.is_finished(self.state)
        return self.state
