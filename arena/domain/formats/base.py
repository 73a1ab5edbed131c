"""What a tournament format is: one class with all that pages and the API show of it.

A class that names a `slug` is a format, and `catalogue` finds it. Formats know no Django. Their
texts are marked with `_`, and pages translate them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from arena.domain.formats import brackets
from arena.domain.formats.brackets import Bracket
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
    _,
)

REGISTRY: dict[str, type["Format"]] = {}  # by slug


class Format(ABC):
    """Who meets whom, and who stands where. It works on plain data and keeps no state."""

    slug: ClassVar[str]
    label: ClassVar[str]
    meaning: ClassVar[str]
    meaning_for_more: ClassVar[str] = ""  # where more than two meet: "%(size)d"; `meaning` if empty
    after_leaving: ClassVar[str] = _(
        "The remaining pairings are walkovers for the entrants who stay, and void if nobody stays."
    )
    stage_meaning: ClassVar[str] = ""  # how "how far it came" ranks; empty without stages
    position: ClassVar[int] = 100  # in lists of formats, the lowest first
    texts: ClassVar[Mapping[str, str]] = {}  # of its own codes, for notes, rounds and refusals

    options: ClassVar[tuple[FormatOption, ...]] = ()
    tie_breaks: ClassVar[tuple[str, ...]]  # what a new tournament begins with
    takes_late_entries: ClassVar[bool] = False
    compares_per_game: ClassVar[bool] = False  # points per game, since some play more games
    is_scheduled: ClassVar[bool] = False  # a schedule says who meets whom, so tie-breaks use it
    alternative: ClassVar[str] = ""  # the slug of what to offer if so many cannot play it
    has_bracket: ClassVar[bool] = False
    has_crosstable: ClassVar[bool] = True  # whether it tells more than a bracket does

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "slug" in cls.__dict__:
            REGISTRY[cls.slug] = cls

    @abstractmethod
    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable if so many entrants cannot play by this setup."""

    @abstractmethod
    def outline(self, setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
        """Return the rounds as they will be if nobody leaves; `check` has passed."""

    @abstractmethod
    def next_round(self, state: TournamentState) -> Draw | None:
        """Draw round 1, or the round after the last one, which is over; None if there is none.

        A tie in the last round may also need extra matches: see `extra_matches`.
        """

    @abstractmethod
    def standings(self, state: TournamentState) -> tuple[StandingsRow, ...]:
        """Return the rank of every entrant, best first, as far as results are there."""

    @abstractmethod
    def is_finished(self, state: TournamentState) -> bool:
        """Return whether no further round will be drawn."""

    def initial_pairings(self, setup: Setup, entries: Sequence[Entry]) -> Draw:
        """Draw round 1. Raise Unplayable if not even that is possible."""
        draw = self.next_round(TournamentState(setup, entries))
        if draw is None:
            raise Unplayable("too_few_entrants", least=setup.size, entrants=len(entries))
        return draw

    def extra_matches(self, state: TournamentState, meeting: PairingState) -> int:
        """Return how many more matches a played pairing needs; 0 if it is decided or may be tied.

        It is called whenever the matches that there are have been played.
        """
        del state, meeting
        return 0

    def closing_notes(self, state: TournamentState) -> tuple[DecisionNote, ...]:
        """Return what decided the last round, or ended it early; no later draw can tell it."""
        del state
        return ()

    def announced_rounds(self, setup: Setup) -> int | None:
        """Return the number of rounds that organizers chose; None if it follows from the format."""
        del setup
        return None

    def bracket_state_of(self, state: TournamentState) -> BracketState | None:
        """Return what was played of the bracket; None if there is none, or none yet."""
        del state
        return None

    def bracket(self, state: TournamentState) -> Bracket | None:
        """Lay out the bracket; None if there is none, or none yet."""
        if not self.has_bracket:
            return None
        try:
            self.check(state.setup, len(state.entries))
        except Unplayable:  # not enough entrants so far
            return None
        bracket_state = self.bracket_state_of(state)
        return brackets.layout(bracket_state) if bracket_state else None

    def group_rounds(self, state: TournamentState) -> int:
        """Return how many of the first rounds are played in groups."""
        del state
        return 0

    def group_tables(self, state: TournamentState) -> Mapping[int, tuple[StandingsRow, ...]]:
        """Return the standings of each group by its number from 1; empty without groups."""
        del state
        return {}

    def has_rests(self, state: TournamentState, round_number: int) -> bool:
        """Return whether an entrant without a pairing in a round rests, and is not out."""
        return round_number <= self.group_rounds(state)
