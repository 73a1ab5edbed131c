"""Whole random tournaments of any format, calm ones and those in which everything goes wrong.

Entrants have random strengths, numbers and seeds. In a tournament with trouble they leave between
rounds and during them and come late, forfeit games, and have meetings awarded and voided. Draws and
ties there are in any case.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from arena.domain.formats import results, scoring, tiebreaks
from arena.domain.formats.base import Format
from arena.domain.formats.types import (
    Decision,
    DecisionNote,
    Draw,
    Entry,
    FormatOption,
    PairingState,
    Score,
    Setup,
    TournamentState,
    Unplayable,
)

MORE_ROUNDS = 3  # than were announced: whatever goes on longer never ends
MOST_EXTRA_MATCHES = 50
TRIES = 2000  # to find a setup that so many can play
FEWEST = 2  # entrants
MOST = {2: 17, 3: 11}  # by the size of a match; 11 make 165 threes
MOST_IN_SWISS = {2: 24, 3: 28}


@dataclass(slots=True)
class Played:
    """A tournament from round to round. `steps` are the states before each draw, and the draw."""

    slug: str
    format: Format
    setup: Setup
    entrants: int
    troubled: bool
    state: TournamentState
    steps: list[tuple[TournamentState, Draw]] = field(default_factory=list)
    notes: list[DecisionNote] = field(default_factory=list)
    ended: TournamentState | None = (
        None  # when nothing was drawn any more, before who left after that
    )


class Simulator:
    """Plays one tournament; the same seed plays the same."""

    def __init__(
        self, *, slug: str, format_: Format, size: int, rng_seed: int, troubled: bool, two_win: bool
    ):
        self.two_win = two_win
        self.random = Random(f"{slug}/{size}/{rng_seed}")
        self.format = format_
        most = (MOST_IN_SWISS if slug == "swiss" else MOST)[size]
        setup, entrants = self._setup(size, rng_seed, most)
        self.leaving = self.random.choice([0.02, 0.06, 0.25])
        self.strengths: dict[int, float] = {}
        entries = [self._entry(seed, 1) for seed in range(1, entrants + 1)]
        self.random.shuffle(entries)
        self.played = Played(
            slug, format_, setup, entrants, troubled, TournamentState(setup, tuple(entries))
        )

    def run(self) -> Played:
        """Play until the format draws nothing any more, or far too long."""
        played = self.played
        announced = len(self.format.outline(played.setup, played.entrants))
        for _ in range(announced + MORE_ROUNDS):
            draw = self.format.next_round(played.state)
            if draw is None:
                played.ended = played.state
                self._end()
                break
            played.steps.append((played.state, draw))
            self._settle(draw.notes)
            self._play_round(draw)
        return played

    def _settle(self, notes: Iterable[DecisionNote]) -> None:
        """Keep what is said, and who was said to go on, as whoever draws a round does."""
        self.played.notes += notes
        self._set_meetings(results.settled(self.played.state.meetings, notes))

    def _end(self) -> None:
        """Report what is left; in trouble the winner is disqualified after that."""
        state = self.played.state
        self._settle(self.format.closing_notes(state))
        if self.played.troubled and state.meetings:
            self._leave(self.format.standings(self.played.state)[0].entrant, state.rounds)

    def _setup(self, size: int, rng_seed: int, most: int) -> tuple[Setup, int]:
        random = self.random
        for _ in range(TRIES):
            entrants = random.randint(FEWEST, most)
            setup = Setup(
                rng_seed=rng_seed,
                scoring=random.choice(list(scoring.PRESETS.values())),
                tie_breaks=tuple(random.sample(list(tiebreaks.MEASURES), random.randint(0, 6))),
                size=size,
                sizes=tuple(range(2, size + 1)),
                games=size * random.randint(1, 2),
                options={option.name: self._choice(option) for option in self.format.options},
            )
            try:
                self.format.check(setup, entrants)
            except Unplayable:
                continue
            return setup, entrants
        raise AssertionError("no setup can be played")

    def _choice(self, option: FormatOption) -> int:
        near = min(option.most, option.least + 8)
        return self.random.choice([option.default, self.random.randint(option.least, near)])

    def _entry(self, seed: int, from_round: int) -> Entry:
        entrant = self.random.randrange(10**6) * 100 + len(self.strengths)
        self.strengths[entrant] = self.random.gauss(0, 1)
        return Entry(id=entrant, seed=seed, from_round=from_round)

    def _play_round(self, draw: Draw) -> None:
        number = draw.meetings[0].round
        before = self.played.state.meetings
        closed = {meeting.number: meeting for meeting in draw.meetings}
        arriving = [meeting for meeting in draw.meetings if not meeting.is_over]
        self.random.shuffle(arriving)
        for meeting in arriving:
            closed[meeting.number] = self._close(meeting)
            self._set_meetings((*before, *closed.values()))
        self._set_meetings((*before, *closed.values()))
        if self.played.troubled:
            self._come_and_go(number)

    def _set_meetings(self, meetings: Iterable[PairingState]) -> None:
        self.played.state = replace(self.played.state, meetings=tuple(meetings))

    def _set_entries(self, entries: Iterable[Entry]) -> None:
        self.played.state = replace(self.played.state, entries=tuple(entries))

    def _come_and_go(self, number: int) -> None:
        for entry in self.played.state.entries:
            if self.random.random() < self.leaving:
                self._leave(entry.id, number)
        if self.format.takes_late_entries and self.random.random() < 0.3:
            entries = self.played.state.entries
            late = self._entry(max(entry.seed for entry in entries) + 1, number + 1)
            self._set_entries((*entries, late))

    def _leave(self, entrant: int, until_round: int) -> None:
        self._set_entries(
            replace(entry, until_round=until_round)
            if entry.id == entrant and entry.until_round is None
            else entry
            for entry in self.played.state.entries
        )

    def _close(self, meeting: PairingState) -> PairingState:
        kind = self.random.random() if self.played.troubled else 1.0
        if kind < 0.03:
            return replace(meeting, decision=Decision.VOID)
        if kind < 0.08:
            position = self.random.choice([None, *range(len(meeting.entrants))])
            scores = results.awarded(self.played.setup, meeting.entrants, position)
            return replace(meeting, decision=Decision.AWARD, scores=scores)
        if kind < 0.13:
            return self._walk_over(meeting)
        return self._play(meeting)

    def _walk_over(self, meeting: PairingState) -> PairingState:
        """Let some leave while it is on: withdrawn after its round, disqualified before."""
        left = self.random.sample(meeting.entrants, self.random.randint(1, len(meeting.entrants)))
        for entrant in left:
            self._leave(entrant, meeting.round - self.random.randint(0, 1))
        return results.walk_over(self.played.setup, meeting, set(meeting.entrants) - set(left))

    def _play(self, meeting: PairingState) -> PairingState:
        matches = self.played.setup.games // self.played.setup.size
        played = replace(meeting, scores=tuple(Score() for _ in meeting.entrants))
        for _ in range(matches):
            played = self._with_match(played)
        for _ in range(MOST_EXTRA_MATCHES):
            wanted = self.format.extra_matches(self.played.state, played)
            if not wanted:
                return played
            played = self._with_match(played)
        raise AssertionError(f"a meeting of {meeting.entrants} never ends")

    def _with_match(self, meeting: PairingState) -> PairingState:
        """Add a match: as many games as entrants."""
        for _ in meeting.entrants:
            meeting = replace(meeting, scores=self._with_game(meeting))
        return meeting

    def _with_game(self, meeting: PairingState) -> tuple[Score, ...]:
        """Add a game, drawn by all, or won by one or by two of three; a loser may forfeit it."""
        winners: list[int] = []
        if self.random.random() < 0.7:
            day = {one: self.strengths[one] + self.random.gauss(0, 1) for one in meeting.entrants}
            best = sorted(meeting.entrants, key=day.__getitem__, reverse=True)
            has_two = self.two_win and len(best) > FEWEST and self.random.random() < 0.5
            winners = best[: 1 + has_two]
        outcomes = [self._outcome(entrant, winners) for entrant in meeting.entrants]
        return tuple(_sum(*pair) for pair in zip(meeting.scores, outcomes, strict=True))

    def _outcome(self, entrant: int, winners: Sequence[int]) -> Score:
        if not winners:
            return Score(draws=1)
        if entrant in winners:
            return Score(wins=1)
        forfeits = self.played.troubled and self.random.random() < 0.1
        return Score(losses=1, forfeits=int(forfeits))


def _sum(one: Score, other: Score) -> Score:
    return Score(
        one.wins + other.wins,
        one.draws + other.draws,
        one.losses + other.losses,
        one.forfeits + other.forfeits,
    )


def play(
    *,
    formats: Mapping[str, Format],
    slug: str,
    size: int,
    rng_seed: int,
    troubled: bool,
    two_win: bool = False,
) -> Played:
    """Play one tournament of a format to its end; with `two_win` games for three may have two."""
    simulator = Simulator(
        slug=slug,
        format_=formats[slug],
        size=size,
        rng_seed=rng_seed,
        troubled=troubled,
        two_win=two_win,
    )
    return simulator.run()
