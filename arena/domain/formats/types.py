"""The plain data that formats work on.

Entrants are numbers here (the rows of `TournamentEntrant`), and a format sees nothing of a game but
how often it was won, drawn, lost and forfeited. All chance comes from `Setup.rng_seed`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


def _(text: str) -> str:
    """Mark a text for translation; whoever shows it translates it."""
    return text


CHANCE = "coin"  # the tie-break that ends every list


class Decision(StrEnum):
    """Why a meeting has the result that it has; PLAYED where its games say it."""

    PLAYED = ""
    BYE = "bye"  # nobody to meet: all games are won, once for each entrant at most
    WALKOVER = "walkover"  # some had left: whoever was still there has won all games
    AWARD = "award"  # an organizer decided
    VOID = "void"  # it counts for nobody


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a game is worth. A forfeit is a loss by a fault of one's own."""

    win: float
    draw: float
    loss: float
    forfeit: float


@dataclass(frozen=True, slots=True)
class Score:
    """What an entrant did in a meeting, in games; `forfeits` are among the `losses`."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Setup:
    """How a tournament is played.

    `size` is how many meet in a match; a smaller number of `sizes` may meet where a format says so
    (2 in a game for 3). `games` is how many games a pairing has before any are added to break a
    tie. `tie_breaks` are slugs of `tiebreaks`, in the order in which they are applied; the coin
    comes after them in any case. `options` are those of the format, complete and checked.
    """

    rng_seed: int
    scoring: Scoring
    tie_breaks: tuple[str, ...] = ()
    size: int = 2
    sizes: tuple[int, ...] = (2,)
    games: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant: its number, its seed (1 the strongest), and the rounds in which it is paired.

    One that has left is not paired after `until_round`; None while it is there.
    """

    id: int
    seed: int
    from_round: int = 1
    until_round: int | None = None

    def is_in(self, round_number: int) -> bool:
        """Return whether it may be paired in a round."""
        has_left = self.until_round is not None and round_number > self.until_round
        return self.from_round <= round_number and not has_left


@dataclass(frozen=True, slots=True)
class PairingState:
    """A pairing, open or over. `entrants` in the order of their places; one alone has a bye.

    `scores` are in the order of `entrants`, empty while it is open. `slot` is its place in a
    bracket, such as `W2.1`: unique in a tournament where a format uses it. `winner` is who was said
    to go on where the scores do not say it: None until the next round is drawn, or the last is
    over. It stands whatever happens to entrants after that.
    """

    round: int
    number: int
    entrants: tuple[int, ...]
    slot: str = ""
    decision: Decision = Decision.PLAYED
    scores: tuple[Score, ...] = ()
    winner: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has a result, or will never have one."""
        return bool(self.scores) or self.decision == Decision.VOID

    def score_of(self, entrant: int) -> Score | None:
        """Return what an entrant did in it; None where it is open, void, or was another's."""
        if not self.scores or entrant not in self.entrants:
            return None
        return self.scores[self.entrants.index(entrant)]


@dataclass(frozen=True, slots=True)
class TournamentState:
    """All that a format knows: what was agreed, who is there, and what there was so far.

    Meetings are in the order of rounds and numbers; formats must not depend on the order in which
    their results came.
    """

    setup: Setup
    entries: Sequence[Entry]
    meetings: Sequence[PairingState] = ()

    @property
    def rounds(self) -> int:
        """How many rounds were paired so far."""
        return max((meeting.round for meeting in self.meetings), default=0)


@dataclass(frozen=True, slots=True)
class DecisionNote:
    """Why something was decided as it was: a word of `tournaments.journal` and its details.

    One that says who goes on from a meeting has the round and the number of that: whoever writes
    the note keeps its `entrant` as the winner of the meeting (see `results.settled`).
    """

    code: str
    details: Mapping[str, Any] = field(default_factory=dict)
    meeting: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """The next round: its open meetings and its byes, numbered from 1, and what to say of it.

    Byes and walkovers have their scores already.
    """

    meetings: tuple[PairingState, ...]
    notes: tuple[DecisionNote, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A line of the standings. `rank` is unique: the coin decides in the end.

    `stage` comes before points where a format has stages (how far an entrant came in a knockout,
    higher is better), and is 0 elsewhere. `tie_breaks` has the values in the order of the setup,
    higher is better. `decided_by` is what put it before the next line: `stage`, `points` or
    `points_per_game`, a slug of `tiebreaks`, and empty in the last one. `group` is 1..n in a group
    stage, else 0.
    """

    entrant: int
    rank: int
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    byes: int
    tie_breaks: tuple[float, ...] = ()
    stage: int = 0
    decided_by: str = ""
    group: int = 0


@dataclass(frozen=True, slots=True)
class RoundOutline:
    """What a round to come has room for, as an organizer sees it before there is one.

    `code` and `details` are a note that names it; `pairings` is how many are played, byes apart.
    """

    code: str
    details: Mapping[str, Any]
    pairings: int
    byes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOption:
    """An option of a format: a whole number between two bounds, or yes (1) and no (0)."""

    name: str
    label: str
    help: str
    default: int
    least: int
    most: int
    is_switch: bool = False

    def value(self, setup: Setup) -> int:
        """Return what the setup says, or the default."""
        return int(setup.options.get(self.name, self.default))


class Unplayable(Exception):
    """The format cannot be played so; `code` and `details` are a note that says why."""

    def __init__(self, code: str, **details: Any) -> None:  # noqa: ANN401 - numbers and names
        super().__init__(f"{code}: {details}")
        self.code = code
        self.details = details


def by_seed(entries: Iterable[Entry]) -> tuple[int, ...]:
    """Return the entrants in the order of their seeds."""
    return tuple(entry.id for entry in sorted(entries, key=lambda entry: entry.seed))
