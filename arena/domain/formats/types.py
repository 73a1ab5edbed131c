"""The plain data that formats work on.

Entrants are numbers (the rows of `TournamentEntrant`). Of the games a format sees only how many
each entrant won, drew, lost and forfeited. All chance comes from `Setup.rng_seed`. A *meeting* is a
pairing with what is known of its result.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


def _(text: str) -> str:
    """Mark a text for translation; whoever shows it translates it."""
    return text


PAIR, THREE = 2, 3  # entrants in a meeting
CHANCE = "coin"  # the tie-break that ends every list


class Decision(StrEnum):
    """What decided a meeting. PLAYED: its games did."""

    PLAYED = ""
    BYE = "bye"  # no opponent: it counts as all games won, at most once for each entrant
    WALKOVER = "walkover"  # some had left: those who stayed have won all games
    AWARD = "award"  # an organizer decided
    VOID = "void"  # it counts for nobody


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a game is worth. A forfeit is a loss by the entrant's own fault."""

    win: float
    draw: float
    loss: float
    forfeit: float


@dataclass(frozen=True, slots=True)
class Score:
    """The games of an entrant in a meeting; `losses` include `forfeits`."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Setup:
    """How a tournament is played.

    `size` is the number of entrants in a match. A format may let a smaller number of `sizes` meet,
    such as 2 in a game for 3. `games` is the number of games in a pairing without extra matches.
    `tie_breaks` are slugs of `tiebreaks` in the order in which they are applied; the coin always
    comes last. `options` are those of the format, complete and checked.
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

    An entrant that has left is not paired after `until_round`, which is None while it takes part.
    """

    id: int
    seed: int
    from_round: int = 1
    until_round: int | None = None

    def is_in(self, round_number: int) -> bool:
        """Return whether the entrant may be paired in a round."""
        has_left = self.until_round is not None and round_number > self.until_round
        return self.from_round <= round_number and not has_left


@dataclass(frozen=True, slots=True)
class PairingState:
    """A pairing, open or over. `entrants` are in the order of their places; one alone has a bye.

    `scores` are in the order of `entrants`, and empty while it is open. `slot` is its place in a
    bracket, such as `W2.1`, which no other pairing of the tournament has. `winner` is the entrant
    that was said to advance when the scores do not decide it. It is None until the next round is
    drawn, or the last round is over, and nothing that happens later changes it.
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
        """Whether the pairing has a result, or will never have one."""
        return bool(self.scores) or self.decision == Decision.VOID

    def score_of(self, entrant: int) -> Score | None:
        """Return the score of an entrant; None if the pairing is open, void, or of others."""
        if not self.scores or entrant not in self.entrants:
            return None
        return self.scores[self.entrants.index(entrant)]


@dataclass(frozen=True, slots=True)
class TournamentState:
    """All that a format knows: the setup, the entrants, and what was drawn and played so far.

    Meetings are in the order of rounds and numbers. The order in which results arrived must not
    matter.
    """

    setup: Setup
    entries: Sequence[Entry]
    meetings: Sequence[PairingState] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds that were drawn so far."""
        return max((meeting.round for meeting in self.meetings), default=0)


@dataclass(frozen=True, slots=True)
class DecisionNote:
    """Why something was decided: a code that the log of tournaments has a text for, and details.

    A note about who advances names the `meeting` by its round and number. The `entrant` of its
    details is then kept as the winner of that meeting (see `results.settled`).
    """

    code: str
    details: Mapping[str, Any] = field(default_factory=dict)
    meeting: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """The next round: its meetings, numbered from 1, and the notes that explain it.

    Byes and walkovers already have scores.
    """

    meetings: tuple[PairingState, ...]
    notes: tuple[DecisionNote, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A line of the standings. `rank` is unique, since the coin decides in the end.

    `stage` is how far the entrant came, and ranks before points; higher is better. It is 0 in
    formats without stages. `tie_breaks` has the values in the order of the setup; higher is better.
    `decided_by` is what put the line before the next one: `stage`, `points`, `points_per_game` or a
    slug of `tiebreaks`; it is empty in the last line. `group` is 1..n in a group stage, else 0.
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
    """A round that is not drawn yet, as the preview shows it.

    `code` and `details` give its name. `pairings` is the number of pairings without byes.
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
    """The format cannot be played like this; `code` and `details` say why."""

    def __init__(self, code: str, **details: Any) -> None:  # noqa: ANN401 - numbers and names
        super().__init__(f"{code}: {details}")
        self.code = code
        self.details = details


def by_seed(entries: Iterable[Entry]) -> tuple[int, ...]:
    """Return the entrants in the order of their seeds."""
    return tuple(entry.id for entry in sorted(entries, key=lambda entry: entry.seed))
